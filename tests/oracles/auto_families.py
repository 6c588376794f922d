"""Families of steady and periodic motions against AUTO-07p: what `rattleback continue` finds, AUTO finds with the same equations.

    auto_families.py PROGRAM      needs the command auto-07p (Debian: auto-07p) and a Fortran compiler; skipped (77) where they are absent

Equations are those of `rattleback export --to auto`, with the numbers of the state that are no unknowns set from parameters. Of motions that depend on
time they are those of `export --to fortran`, at the time that a second oscillator tells, as AUTO wants it; Duffing's are written by hand. AUTO has no
position constraints: the bicycle's front wheel touches the ground by an equation that is written here.
"""

import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REST = "\n".join(f"subroutine {name}\nend subroutine" for name in ("bcnd", "icnd", "fopt", "pvls")) + "\n"
HEAD = """subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)
  implicit none
  integer, intent(in) :: ndim, icp(*), ijac
  double precision, intent(in) :: u(ndim), par(*)
  double precision, intent(out) :: f(ndim)
  double precision, intent(inout) :: dfdu(ndim, ndim), dfdp(ndim, *)
"""
STPNT = """subroutine stpnt(ndim, u, par, t)
  implicit none
  integer, intent(in) :: ndim
  double precision, intent(inout) :: u(ndim), par(*)
  double precision, intent(in) :: t
"""
TOP = """title = "Heavy symmetric top"
lagrangian = "1/2*A*(theta'^2 + phi'^2*sin(theta)^2) + 1/2*C*(psi' + phi'*cos(theta))^2 - M*cos(theta)"
[space]
theta = "S1"
phi = "S1"
psi = "S1"
[parameters]
A = { value = 1, positive = true }
C = { value = 1.5, positive = true }
M = { value = 2, positive = true }
[simulation]
initial = { theta = 0.8, phi = 0, psi = 0, "theta'" = 0, "phi'" = 1, "psi'" = 3 }
"""
SLEIGH = """title = "Chaplygin sleigh with a torque and friction"
lagrangian = "1/2*((J + m*a^2)*theta'^2 + m*(x'^2 + y'^2)) + m*a*theta'*(cos(theta)*y' - sin(theta)*x')"
[space]
x = "R"
y = "R"
theta = "S1"
[parameters]
m = 1
J = 0.4
a = 0.5
k = 0.3
T = 1
[constraints]
blade = "y'*cos(theta) = x'*sin(theta)"
[velocities]
u = "x'*cos(theta) + y'*sin(theta)"
omega = "theta'"
[symmetry]
planar_euclidean = { x = "x", y = "y", angles = ["theta"] }
[forces]
x = "-k*x'"
y = "-k*y'"
theta = "T - k*theta'"
[simulation]
initial = { x = 0, y = 0, theta = 0, u = 1, omega = 1 }
"""
SUSLOV = """title = "Suslov body in a uniform field that is not orthogonal to its axis"
lagrangian = "1/2*(I1*w1^2 + I2*w2^2 + I3*w3^2) - c1*sin(theta)*sin(phi) - c2*sin(theta)*cos(phi) - c3*cos(theta)"
[space]
theta = "S1"
phi = "S1"
psi = "S1"
[parameters]
I1 = { value = 1, positive = true }
I2 = { value = 2, positive = true }
I3 = { value = 1.5, positive = true }
c1 = 1
c2 = 0.3
c3 = 0.8
[define]
w1 = "psi'*sin(theta)*sin(phi) + theta'*cos(phi)"
w2 = "psi'*sin(theta)*cos(phi) - theta'*sin(phi)"
w3 = "psi'*cos(theta) + phi'"
[constraints]
axis = "psi'*cos(theta) + phi' = 0"
[velocities]
u1 = "psi'*sin(theta)*sin(phi) + theta'*cos(phi)"
u2 = "psi'*sin(theta)*cos(phi) - theta'*sin(phi)"
[symmetry]
translations = ["psi"]
[simulation]
initial = { theta = 2.24, phi = -1.8, psi = 0, u1 = 0.2, u2 = 0.1 }
"""
SHAKEN = """title = "Chaplygin sleigh with friction and a particle that oscillates across it"
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2 + 1/2*mu*(px'^2 + py'^2)"
[space]
x = "R"
y = "R"
theta = "S1"
[parameters]
m = 1
J = 0.3
mu = 0.3
a = 0.2
b = 0.5
W = 1
k = 0.05
[define]
s = "b*sin(W*t)"
px = "x + a*cos(theta) - s*sin(theta)"
py = "y + a*sin(theta) + s*cos(theta)"
[constraints]
blade = "y'*cos(theta) = x'*sin(theta)"
[velocities]
v = "x'*cos(theta) + y'*sin(theta)"
w = "theta'"
[forces]
x = "-k*x'"
y = "-k*y'"
theta = "-k*theta'"
[symmetry]
planar_euclidean = { x = "x", y = "y", angles = ["theta"] }
[simulation]
initial = { x = 0, y = 0, theta = 0, v = 0.1, w = 0.1 }
"""
FRONT_WHEEL = """! Height of the lowest point of the bicycle's front wheel above the ground, with the notation of the zoo's model.
double precision function height(lean, pitch, steer, par)
  implicit none
  double precision, intent(in) :: lean, pitch, steer, par(*)
  double precision :: frame(3, 3), fork(3, 3), centre
  frame = matmul(rx(lean), ry(pitch))
  fork = matmul(frame, matmul(ry(-par(TILT)), matmul(rz(-steer), ry(par(TILT)))))
  centre = par(REAR)*cos(lean) + frame(3, 1)*(par(BASE) + par(TRAIL)) - frame(3, 3)*par(REAR) - fork(3, 1)*par(TRAIL) + fork(3, 3)*par(FRONT)
  height = centre - par(FRONT)*sqrt(1 - fork(3, 2)**2)
contains
  function rx(a) result(r)
    double precision, intent(in) :: a
    double precision :: r(3, 3)
    r = reshape([1d0, 0d0, 0d0, 0d0, cos(a), sin(a), 0d0, -sin(a), cos(a)], [3, 3])
  end function
  function ry(a) result(r)
    double precision, intent(in) :: a
    double precision :: r(3, 3)
    r = reshape([cos(a), 0d0, -sin(a), 0d0, 1d0, 0d0, sin(a), 0d0, cos(a)], [3, 3])
  end function
  function rz(a) result(r)
    double precision, intent(in) :: a
    double precision :: r(3, 3)
    r = reshape([cos(a), sin(a), 0d0, -sin(a), cos(a), 0d0, 0d0, 0d0, 1d0], [3, 3])
  end function
end function height
"""
DUFFING = """lagrangian = "1/2*x'^2 + 1/2*x^2 - 1/4*x^4"
[space]
x = "R"
[parameters]
A = 0.05
c = 0.3
[forces]
x = "A*cos(t) - c*x'"
[simulation]
initial = { x = 1, "x'" = 0 }
"""
DUFFING_AUTO = HEAD + """  f(1) = u(2)
  f(2) = -par(2)*u(2) + u(1) - u(1)**3 + par(1)*u(4)
  f(3) = u(3) + u(4) - u(3)*(u(3)**2 + u(4)**2)
  f(4) = -u(3) + u(4) - u(4)*(u(3)**2 + u(4)**2)
end subroutine func
""" + STPNT + """  double precision, parameter :: tpi = 6.283185307179586d0
  par(1) = 0d0
  par(2) = 0.3d0
  par(11) = tpi
  u(1) = 1d0
  u(2) = 0d0
  u(3) = sin(tpi*t)
  u(4) = cos(tpi*t)
end subroutine stpnt
""" + REST


def ours(program, model, *options):
    run = subprocess.run([program, "continue", str(model), *options, "--format", "json"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def reduced(program, model, unknowns, fixed, equations, start, first=21, more=()):
    """Fortran for the steady equations: `unknowns` and `fixed` are names of the state, the latter set from PAR(first), ... `more`: lines of code."""
    text = subprocess.run([program, "export", str(model), "--to", "auto"], capture_output=True, text=True, check=True).stdout
    names = dict((name, int(k) + 1) for k, name in re.findall(r"^!   \[(\d+)\] ([\w']+)", text, re.M))
    full = text[: text.index("end subroutine func") + len("end subroutine func")].replace("subroutine func", "subroutine whole")
    parameters = re.search(r"subroutine stpnt.*?end subroutine stpnt", text, re.S).group(0)
    values = "\n".join(re.findall(r"^ +par\(\d+\) = .*$", parameters, re.M))
    n = max(names.values())
    lines = [HEAD, f"  double precision :: s({n}), r({n})", "  s = 0d0"]
    lines += [f"  s({names[name]}) = u({k + 1})" for k, name in enumerate(unknowns)]
    lines += [f"  s({names[name]}) = par({first + k})" for k, name in enumerate(fixed)]
    lines += [f"  call whole({n}, s, icp, par, 0, r, dfdu, dfdp)"]
    lines += [f"  f({k + 1}) = r({names[name]})" for k, name in enumerate(equations)]
    lines += more
    lines += ["end subroutine func", STPNT + values]
    lines += [f"  u({k + 1}) = " + f"{start[name]:.17e}".replace("e", "d") for k, name in enumerate(unknowns)]
    lines += [f"  par({first + k}) = " + f"{start[name]:.17e}".replace("e", "d") for k, name in enumerate(fixed)]
    return full + "\n" + "\n".join(lines) + "\nend subroutine stpnt\n" + REST


def auto(folder, files, script):
    for name, text in files.items():
        pathlib.Path(folder, name).write_text(text)
    pathlib.Path(folder, "run.auto").write_text(script)
    done = subprocess.run(["auto-07p", "run.auto"], cwd=folder, capture_output=True, text=True, timeout=600)
    rows = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("RESULT")]
    assert rows, done.stdout[-2000:] + done.stderr[-2000:]
    return rows


def steady_constants(ndim, par, low, high):
    return (f"NDIM={ndim}, IPS=1, IRS=0, ILP=1\nICP=[{par}]\nNTST=20, NCOL=4, IAD=3, ISP=2, ISW=1\nNMX=400, RL0={low}, RL1={high}\n"
            f"EPSL=1e-10, EPSU=1e-10, EPSS=1e-8\nDS=0.01, DSMIN=1e-6, DSMAX=0.1, NPR=400\n")


def value_at(found, name, at):
    """By the two points of our branch around a value, linearly: they are near each other."""
    column = found["names"].index(name)
    points = [(p["at"], p["values"][column]) for p in found["branches"][0]["points"]]
    points.sort()
    for (a, x), (b, y) in zip(points, points[1:]):
        if a <= at <= b and b > a:
            return x + (y - x) * (at - a) / (b - a)
    raise AssertionError((name, at))


def compare(what, ours_, theirs, digits):
    print(f"  {what}: {ours_:.10g}, AUTO {theirs:.10g}")
    assert abs(ours_ - theirs) < digits * (1 + abs(theirs)), what


def steady_family(program, folder, title, model, start, unknowns, fixed, equations, vary, low, high, ask, options):
    """Values of unknowns over a range, at values that AUTO was asked for, and folds."""
    print(title)
    par = 21 + fixed.index(vary)
    found = ours(program, model, "--from", ",".join(f"{k}={v}" for k, v in start.items()), "--vary", f"{vary}={low}:{high}", "--step",
                 str((high - low) / 2000), "--points", "4000", *options)
    # AUTO starts at one of our points: what is held has the value of the branch.
    middle = found["branches"][0]["points"][len(found["branches"][0]["points"]) // 2]
    start = {name: middle["values"][found["names"].index(name)] for name in unknowns + fixed}
    names = {f"{title}.f90": reduced(program, model, unknowns, fixed, equations, start),
             f"c.{title}": steady_constants(len(unknowns), par, low, high)}
    script = f"""r = run(e='{title}', c='{title}', UZR={{{par}: {ask}}})
b = run(e='{title}', c='{title}', DS=-0.01, UZR={{{par}: {ask}}})
for q in (r, b):
    for p in q('UZ'):
        print('RESULT UZ', repr(p.PAR({par})), *[repr(float(x)) for x in p.coordarray[:, 0]])
    for p in q('LP'):
        print('RESULT LP', repr(p.PAR({par})))
"""
    rows = auto(folder, names, script)
    assert any(kind == "UZ" for kind, *_ in rows)
    folds = [p["at"] for b in found["branches"] for p in b["points"] if p.get("event") == "fold"]
    for kind, at, *values in rows:
        if kind == "UZ":
            for name, x in zip(unknowns, values):
                compare(f"{name} at {vary} = {float(at):g}", value_at(found, name, float(at)), float(x), 2e-6)
        elif low < float(at) < high:
            compare(f"fold in {vary}", min(folds, key=lambda f: abs(f - float(at))), float(at), 1e-6)


def duffing(program, folder):
    """Curves of folds and of period doublings in amplitude and damping."""
    print("duffing")
    model = pathlib.Path(folder, "duffing.toml")
    model.write_text(DUFFING)
    constants = ("NDIM=4, IPS=2, IRS=0, ILP=1\nICP=[1,11]\nNTST=60, NCOL=5, IAD=3, ISP=2, ISW=1\nNMX=200, RL0=-1, RL1=0.25\n"
                 "EPSL=1e-9, EPSU=1e-9, EPSS=1e-7\nDS=0.01, DSMIN=1e-6, DSMAX=0.05, NPR=200\n")
    script = """r = run(e='duffing', c='duffing', RL1=0.3)
for kind in ('LP1', 'PD1'):
    s = run(run(r(kind), ISW=2, ICP=[1,2,11], ILP=0, ISP=0), NMX=60, RL0=-1, RL1=1, DS=0.02, DSMAX=0.02, UZR={2: [0.32, 0.35]}, NPR=100)
    for p in s('UZ'):
        print('RESULT %s %.12g %.12g' % (kind[:2], p.PAR(1), p.PAR(2)))
"""
    rows = auto(folder, {"duffing.f90": DUFFING_AUTO, "c.duffing": constants}, script)
    found = ours(program, model, "--orbits", "--period", "2*pi", "--vary", "A=0:0.3", "--and", "c=0.24:0.36", "--step", "0.02")
    rows = [row for row in rows if 0.24 < float(row[2]) < 0.36]
    assert {row[0] for row in rows} == {"LP", "PD"}, rows
    for kind, amplitude, damping in rows:
        name = {"LP": "fold", "PD": "period doubling"}[kind]
        best = min((abs(x - float(amplitude)), x) for c in found["curves"] if c["kind"] == name
                   for x in [curve_at(c, float(damping), float(amplitude))])
        compare(f"{name} at c = {float(damping):g}", best[1], float(amplitude), 2e-4)


def curve_at(curve, at, near):
    """The first parameter where the second has a value; linearly between neighbours."""
    points = [p["at"] for p in curve["points"]]
    found = [x + (y - x) * (at - a) / (b - a) for (x, a), (y, b) in zip(points, points[1:]) if min(a, b) <= at <= max(a, b) and a != b]
    return min(found, key=lambda x: abs(x - near)) if found else float("inf")


def main():
    if shutil.which("auto-07p") is None or shutil.which("gfortran") is None:
        print("AUTO-07p or gfortran is not installed (Debian: apt-get install auto-07p gfortran); nothing was compared")
        return 77
    program = str(pathlib.Path(sys.argv[1]).resolve())
    only = sys.argv[2:]  # names of families, while one works on them
    if only:
        with tempfile.TemporaryDirectory() as folder:
            for name in only:
                globals()[name](program, folder)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        steady_family(program, folder, "disk", "falling-disk", {"theta": -0.19, "lean": 0.0, "turn": 2.0, "roll": 1.0}, ["theta"], ["turn", "roll"],
                      ["lean"], "turn", 0.6, 5.5, [1.0, 3.0, 5.0], ["--hold", "roll"])
        top = pathlib.Path(folder, "top.toml")
        top.write_text(TOP)
        steady_family(program, folder, "top", top, {"theta": 1.318, "theta'": 0.0, "phi'": 2.0, "psi'": 0.5}, ["theta"], ["phi'", "psi'"],
                      ["theta'"], "phi'", 1.6, 3.0, [1.75, 2.5], ["--hold", "psi'"])
        sleigh = pathlib.Path(folder, "sleigh.toml")
        sleigh.write_text(SLEIGH)
        driven_sleigh(program, folder, sleigh)
        bicycle(program, folder)
        suslov(program, folder)
        shaken_sleigh(program, folder)
        duffing(program, folder)
    return 0


def driven_sleigh(program, folder, model):
    """Steady circles of a driven sleigh over the torque."""
    print("sleigh")
    found = ours(program, model, "--vary", "T=0.5:4", "--step", "0.002", "--points", "4000")
    start = {name: value_at(found, name, 1.0) for name in ("u", "omega")}
    text = reduced(program, model, ["u", "omega"], [], ["u", "omega"], start)
    torque = 5  # PAR(5) is T: m, J, a, k, T
    script = f"""r = run(e='sleigh', c='sleigh', UZR={{{torque}: [2.0, 3.0]}})
for p in r('UZ'):
    print('RESULT UZ', repr(p.PAR({torque})), *[repr(float(x)) for x in p.coordarray[:, 0]])
"""
    rows = auto(folder, {"sleigh.f90": text, "c.sleigh": steady_constants(2, torque, 0.5, 4)}, script)
    for _, at, u, omega in rows:
        compare(f"u at T = {float(at):g}", value_at(found, "u", float(at)), float(u), 2e-6)
        compare(f"omega at T = {float(at):g}", value_at(found, "omega", float(at)), float(omega), 2e-6)


def bicycle(program, folder):
    """Hands-free turns of the benchmark bicycle, from the capsize of straight riding on [Basu-Mandal, Chatterjee and Papadopoulos 2007]."""
    print("bicycle")
    found = ours(program, "bicycle", "--from", "lean=0.2,steer=0.03,rear_rate=20,lean_rate=0", "--vary", "lean=0.01:0.5", "--step", "0.002",
                 "--points", "600")
    points = found["branches"][0]["points"]
    column = {name: found["names"].index(name) for name in ("lean", "steer", "pitch", "rear_rate")}
    # Their first family begins where straight riding capsizes: 6.02426201538837 m/s [Meijaard et al. 2007, Table 2].
    first = min(points, key=lambda p: p["at"])["values"]
    slope = 0.3 * first[column["rear_rate"]] - 6.02426201538837
    assert -1e-3 < slope < 0, slope
    middle = points[len(points) // 2]["values"]
    start = {name: middle[k] for name, k in column.items()}
    text = subprocess.run([program, "export", "bicycle", "--to", "auto"], capture_output=True, text=True, check=True).stdout
    par = dict((name, int(k)) for k, name in re.findall(r"^!   PAR\((\d+)\) (\w+)", text, re.M))
    wheel = FRONT_WHEEL
    for word, name in (("TILT", "tilt"), ("REAR", "rR"), ("BASE", "w"), ("TRAIL", "c"), ("FRONT", "rF")):
        wheel = re.sub(rf"par\({word}\)", f"par({par[name]})", wheel)
    speed = max(par.values()) + 2
    unknowns = ["lean", "steer", "pitch"]
    code = reduced(program, "bicycle", unknowns, ["rear_rate"], ["lean_rate", "steer_rate"], start, speed,
                   ["  f(3) = height(u(1), u(3), u(2), par)"])
    head = code.index(HEAD) + len(HEAD)
    code = code[:head] + """  interface
    double precision function height(lean, pitch, steer, par)
      double precision, intent(in) :: lean, pitch, steer, par(*)
    end function
  end interface
""" + code[head:] + wheel
    ask = [17.0, 18.0, 19.0, 19.9]
    script = f"""r = run(e='bicycle', c='bicycle', UZR={{{speed}: {ask}}})
b = run(e='bicycle', c='bicycle', DS=-0.01, UZR={{{speed}: {ask}}})
for q in (r, b):
    for p in q('UZ'):
        print('RESULT UZ', repr(p.PAR({speed})), *[repr(float(x)) for x in p.coordarray[:, 0]])
"""
    rows = auto(folder, {"bicycle.f90": code, "c.bicycle": steady_constants(3, speed, 16, 20.05)}, script)
    compared = 0
    along = sorted((p["values"][column["rear_rate"]], p["values"]) for p in points)
    for _, at, *values in rows:
        if not along[0][0] < float(at) < along[-1][0]:
            continue
        for name, x in zip(unknowns, values):
            pairs = [(r, v[column[name]]) for r, v in along]
            near = [(a, x0, b, x1) for (a, x0), (b, x1) in zip(pairs, pairs[1:]) if a <= float(at) <= b][0]
            value = near[1] + (near[3] - near[1]) * (float(at) - near[0]) / (near[2] - near[0])
            compare(f"{name} at rear_rate = {float(at):g}", value, float(x), 2e-5)
            compared += 1
    assert compared >= 9, rows


def monotone(pairs):
    steps = [b[0] - a[0] for a, b in zip(pairs, pairs[1:])]
    return all(step > 0 for step in steps) or all(step < 0 for step in steps)


def by_four(pairs, at):
    """Lagrange's polynomial through four neighbours."""
    return sum(y * math.prod((at - other) / (x - other) for j, (other, _) in enumerate(pairs) if j != i) for i, (x, y) in enumerate(pairs))


def energy_of_suslov(theta, phi, u1, u2):
    return (u1**2 + 2 * u2**2) / 2 + math.sin(theta) * math.sin(phi) + 0.3 * math.sin(theta) * math.cos(phi) + 0.8 * math.cos(theta)


def suslov(program, folder):
    """Periodic motions of a Suslov body with a potential, one for each energy: their periods."""
    print("suslov")
    model = pathlib.Path(folder, "suslov.toml")
    model.write_text(SUSLOV)
    found = ours(program, model, "--orbits", "--vary", "period=9:11", "--step", "0.01", "--points", "150")
    names = ["theta", "phi", "u1", "u2"]
    column = [found["names"].index(name) for name in names]
    points = [(energy_of_suslov(*(p["values"][k] for k in column)), p["period"], p["values"]) for p in found["branches"][0]["points"]]
    energy, period, values = points[len(points) // 2]
    start = {name: values[k] for name, k in zip(names, column)}
    table = pathlib.Path(folder, "turn.csv")
    subprocess.run([program, "simulate", str(model), "--initial", ",".join(f"{k}={v!r}" for k, v in start.items()), "--until", repr(period), "--samples",
                    "401", "--output", str(table)], check=True, capture_output=True)
    lines = [line.split(",") for line in table.read_text().splitlines() if not line.startswith("#")]
    columns = [lines[0].index(name) for name in ["t", *names]]
    data = "\n".join(" ".join(row[k] for k in columns) for row in lines[1:]) + "\n"
    # Periodic motions of a conservative system are isolated once a friction is unknown, too: it comes out as zero.
    code = reduced(program, model, names, [], names, start, more=["  f(3) = f(3) + par(21)*u(3)", "  f(4) = f(4) + par(21)*u(4)"])
    constants = ("NDIM=4, IPS=2, IRS=0, ILP=1\nICP=[11,21]\nNTST=80, NCOL=5, IAD=3, ISP=2, ISW=1\nNMX=60, RL0=8, RL1=12\n"
                 "EPSL=1e-9, EPSU=1e-9, EPSS=1e-7\nDS=0.01, DSMIN=1e-6, DSMAX=0.05, NPR=10\n")
    script = """r = run(e='suslov', c='suslov', dat='suslov')
b = run(e='suslov', c='suslov', dat='suslov', DS=-0.01)
for q in (r, b):
    for p in q():
        if p['TY'] in ('RG', 'EP', 'LP'):
            print('RESULT %s %.12g %.3g' % (p['TY'], p.PAR(11), p.PAR(21)), *[repr(float(x)) for x in p.coordarray[:, 0]])
"""
    rows = auto(folder, {"suslov.f90": code, "c.suslov": constants, "suslov.dat": data}, script)
    compared = 0
    for kind, theirs, friction, *state in rows:
        assert abs(float(friction)) < 1e-6, rows
        at = energy_of_suslov(*map(float, state))
        pairs = [(a, s) for a, s, _ in points]
        periods = [by_four(pairs[i - 1:i + 3], at) for i in range(1, len(pairs) - 2)
                   if min(pairs[i][0], pairs[i + 1][0]) <= at <= max(pairs[i][0], pairs[i + 1][0]) and monotone(pairs[i - 1:i + 3])]
        if not periods:
            continue
        compare(f"period at energy {at:.6f}" + (" (fold)" if kind == "LP" else ""), min(periods, key=lambda p: abs(p - float(theirs))), float(theirs), 2e-5)
        compared += 1
    assert compared >= 3, rows


def shaken_sleigh(program, folder):
    """Periodic motions of a sleigh whose particle oscillates, over its amplitude."""
    print("shaken sleigh")
    model = pathlib.Path(folder, "shaken.toml")
    model.write_text(SHAKEN)
    found = ours(program, model, "--orbits", "--period", "2*pi/W", "--vary", "b=0.3:1", "--step", "0.005", "--points", "400")
    text = subprocess.run([program, "export", str(model), "--to", "fortran"], capture_output=True, text=True, check=True).stdout
    module = re.search(r"^module (\w+)", text, re.M).group(1)
    code = text + HEAD.replace("  implicit none\n", f"  use {module}, only: rhs, parameters\n  implicit none\n") + """  type(parameters) :: p
  double precision :: state(5), out(5)
  p%b = par(1)
  state = [0d0, 0d0, 0d0, u(1), u(2)]
  call rhs(atan2(u(3), u(4)), state, p, out)
  f(1) = out(4)
  f(2) = out(5)
  f(3) = u(3) + u(4) - u(3)*(u(3)**2 + u(4)**2)
  f(4) = -u(3) + u(4) - u(4)*(u(3)**2 + u(4)**2)
end subroutine func
""" + STPNT + "  par(1) = 0.3d0\n  par(11) = 6.283185307179586d0\n  u = 0d0\nend subroutine stpnt\n" + REST
    first = min(found["branches"][0]["points"], key=lambda p: p["at"])
    value = dict(zip(found["names"], first["values"]))
    table = pathlib.Path(folder, "shaken.csv")
    subprocess.run([program, "simulate", str(model), "--set", f"b={first['at']!r}", "--initial", f"v={value['v']!r},w={value['w']!r}", "--until", "2*pi",
                    "--samples", "401", "--output", str(table)], check=True, capture_output=True)
    lines = [line.split(",") for line in table.read_text().splitlines() if not line.startswith("#")]
    columns = [lines[0].index(name) for name in ("t", "v", "w")]
    data = ""
    for row in lines[1:]:
        t, v, w = (float(row[k]) for k in columns)
        data += f"{t!r} {v!r} {w!r} {math.sin(t)!r} {math.cos(t)!r}\n"
    constants = ("NDIM=4, IPS=2, IRS=0, ILP=0\nICP=[1,11]\nNTST=60, NCOL=5, IAD=3, ISP=2, ISW=1\nNMX=120, RL0=0.2, RL1=1.0\n"
                 "EPSL=1e-9, EPSU=1e-9, EPSS=1e-7\nDS=0.01, DSMIN=1e-6, DSMAX=0.05, NPR=200\n")
    script = """r = run(e='shaken', c='shaken', dat='shaken', UZR={1: [0.4, 0.6, 0.8]})
for p in r('UZ'):
    print('RESULT UZ %.12g %.12g' % (p.PAR(1), p.PAR(11)), max(float(x) for x in p.coordarray[0, :]), max(float(x) for x in p.coordarray[1, :]))
"""
    rows = auto(folder, {"shaken.f90": code, "c.shaken": constants, "shaken.dat": data}, script)
    assert len(rows) >= 3, rows
    for _, at, period, most_v, most_w in rows:
        ours_ = {name: value_at(found, name, float(at)) for name in ("v", "w")}
        run = subprocess.run([program, "sweep", str(model), "--vary", f"b={at},{at}", "--initial", f"v={ours_['v']!r},w={ours_['w']!r}", "--until", "2*pi", "--keep",
                              "most_v=max(v)", "--keep", "most_w=max(w)", "--output", str(pathlib.Path(folder, "most.csv"))], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        lines = [line.split(",") for line in pathlib.Path(folder, "most.csv").read_text().splitlines() if not line.startswith("#")]
        row = dict(zip(lines[0], map(float, lines[1])))
        compare(f"period at b = {float(at):g}", 2 * math.pi, float(period), 1e-8)
        for name, theirs in (("v", most_v), ("w", most_w)):
            compare(f"largest {name} at b = {float(at):g}", row["most_" + name], float(theirs), 2e-4)


if __name__ == "__main__":
    sys.exit(main())
