"""Families of steady and periodic motions against AUTO-07p: what `rattleback continue` finds, AUTO finds with the same equations.

    auto_families.py PROGRAM      needs the command auto-07p (Debian: auto-07p) and a Fortran compiler; skipped (77) where they are absent

Equations are those of `rattleback export --to auto`, with the numbers of the state that are no unknowns set from parameters, except for motions that
depend on time, whose forcing is a second oscillator, as AUTO wants it.
"""

import json
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


def reduced(program, model, unknowns, fixed, equations, start):
    """Fortran for the steady equations: `unknowns` and `fixed` are names of the state, the latter set from PAR(21), PAR(22), ..."""
    text = subprocess.run([program, "export", str(model), "--to", "auto"], capture_output=True, text=True, check=True).stdout
    names = dict((name, int(k) + 1) for k, name in re.findall(r"^!   \[(\d+)\] ([\w']+)", text, re.M))
    full = text[: text.index("end subroutine func") + len("end subroutine func")].replace("subroutine func", "subroutine whole")
    parameters = re.search(r"subroutine stpnt.*?end subroutine stpnt", text, re.S).group(0)
    values = "\n".join(re.findall(r"^ +par\(\d+\) = .*$", parameters, re.M))
    n = max(names.values())
    lines = [HEAD, f"  double precision :: s({n}), r({n})", "  s = 0d0"]
    lines += [f"  s({names[name]}) = u({k + 1})" for k, name in enumerate(unknowns)]
    lines += [f"  s({names[name]}) = par({21 + k})" for k, name in enumerate(fixed)]
    lines += [f"  call whole({n}, s, icp, par, 0, r, dfdu, dfdp)"]
    lines += [f"  f({k + 1}) = r({names[name]})" for k, name in enumerate(equations)]
    lines += ["end subroutine func", STPNT + values]
    lines += [f"  u({k + 1}) = " + f"{start[name]:.17e}".replace("e", "d") for k, name in enumerate(unknowns)]
    lines += [f"  par({21 + k}) = " + f"{start[name]:.17e}".replace("e", "d") for k, name in enumerate(fixed)]
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


if __name__ == "__main__":
    sys.exit(main())
