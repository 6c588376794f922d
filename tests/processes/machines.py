"""The language of machines as users meet it: errors as JSON, inputs, friction, units, robots from URDF, modules for NumPy.

    machines.py PROGRAM
"""

import importlib.util
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())


def run(*words, text=None, cwd=None):
    return subprocess.run([PROGRAM, *words], input=text, cwd=cwd, capture_output=True, text=True, timeout=300)


ARM = """<?xml version="1.0"?>
<robot name="arm">
  <!-- a base, two links, a slide -->
  <material name="grey"/>
  <link name="base"/>
  <link name="upper arm">
    <inertial><origin xyz="0.1 0.02 0.25" rpy="0.3 -0.2 0.1"/><mass value="2.5"/>
      <inertia ixx="0.05" iyy="0.06" izz="0.02" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial>
    <visual><origin xyz="0 0 0.25"/><geometry><box size="0.1 0.1 0.5"/></geometry></visual>
  </link>
  <link name="fore-arm">
    <inertial><origin xyz="0 0.01 0.2"/><mass value="1.25"/>
      <inertia ixx="0.02" iyy="0.021" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="arm.stl"/></geometry></visual>
  </link>
  <link name="hand">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.002" izz="0.0015" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper arm"/>
    <origin xyz="0 0 0.3" rpy="0 0.1 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper arm"/><child link="fore-arm"/>
    <origin xyz="0 0 0.5" rpy="0.2 0 0.4"/><axis xyz="1 0 0"/></joint>
  <joint name="slide" type="prismatic"><parent link="fore-arm"/><child link="hand"/>
    <origin xyz="0 0 0.4"/><axis xyz="0 0.6 0.8"/></joint>
  <transmission name="ignored"/>
</robot>
"""


CART = """lagrangian = "m/2*(x'^2 + y'^2) + J/2*theta'^2"
[parameters]
m = { value = 1, positive = true }
J = { value = 0.2, positive = true }
[space]
x = "R"
y = "R"
theta = "R"
[constraints]
axle = "cos(theta)*y' - sin(theta)*x' = 0"
[velocities]
u = "cos(theta)*x' + sin(theta)*y'"
omega = "theta'"
[simulation]
initial = { x = 0, y = 0, theta = 0, u = 0, omega = 0 }
[inputs]
F = { about = "drive", range = [-2, 2] }
tau = { about = "steering torque", range = [-1, 1] }
[forces]
x = "F*cos(theta)"
y = "F*sin(theta)"
theta = "tau"
"""

PENDULUM = """lagrangian = "theta'^2/2 + 9.81*cos(theta)"
[space]
theta = "R"
[inputs]
tau = { about = "motor, too weak to hold the pendulum up to the side", range = [-3, 3] }
[forces]
theta = "tau"
[simulation]
initial = { theta = 0, "theta'" = 0 }
"""


def numbers(text, default="0 0 0"):
    return [float(x) for x in (text or default).split()]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def rpy(r, p, y):
    """Rz(y) Ry(p) Rx(r)."""
    c, s = math.cos, math.sin
    x = [[1, 0, 0], [0, c(r), -s(r)], [0, s(r), c(r)]]
    h = [[c(p), 0, s(p)], [0, 1, 0], [-s(p), 0, c(p)]]
    z = [[c(y), -s(y), 0], [s(y), c(y), 0], [0, 0, 1]]
    return product(product(z, h), x)


def about(axis, angle):
    """Rodrigues."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def times(a, v):
    return [sum(x * y for x, y in zip(row, v)) for row in a]


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def add(u, v):
    return [x + y for x, y in zip(u, v)]


def mass_matrix(robot, q):
    """Sum over the links of m J_v^T J_v + J_w^T R I R^T J_w, from the XML and nothing else."""
    names = list(q)
    joints = {j.find("child").get("link"): j for j in robot.findall("joint")}

    def chain(link):
        path = []
        while link in joints:
            path.insert(0, joints[link])
            link = joints[link].find("parent").get("link")
        return path

    total = [[0.0] * len(names) for _ in names]
    for link in robot.findall("link"):
        inertial = link.find("inertial")
        if inertial is None:
            continue
        position, axes, columns = [0.0] * 3, [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]], []
        for joint in chain(link.get("name")):
            origin = joint.find("origin")
            position = add(position, times(axes, numbers(origin.get("xyz"))))
            axes = product(axes, rpy(*numbers(origin.get("rpy"))))
            axis = numbers(joint.find("axis").get("xyz"))
            name = joint.get("name")
            columns.append((name, joint.get("type"), times(axes, axis), position))
            if joint.get("type") == "prismatic":
                position = add(position, [q[name] * a for a in times(axes, axis)])
            else:
                axes = product(axes, about(axis, q[name]))
        origin = inertial.find("origin")
        offset, turn = (numbers(origin.get("xyz")), numbers(origin.get("rpy"))) if origin is not None else ([0] * 3, [0] * 3)
        centre = add(position, times(axes, offset))
        axes = product(axes, rpy(*turn))
        I = inertial.find("inertia")
        xx, xy, xz, yy, yz, zz = (float(I.get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        tensor = product(product(axes, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), [list(r) for r in zip(*axes)])
        m = float(inertial.find("mass").get("value"))
        linear, angular = {}, {}
        for name, kind, axis, at in columns:
            if kind == "prismatic":
                linear[name], angular[name] = axis, [0] * 3
            else:
                linear[name], angular[name] = cross(axis, add(centre, [-x for x in at])), axis
        for i, a in enumerate(names):
            for j, b in enumerate(names):
                if a in linear and b in linear:
                    total[i][j] += m * sum(x * y for x, y in zip(linear[a], linear[b]))
                    total[i][j] += sum(x * y for x, y in zip(angular[a], times(tensor, angular[b])))
    return total


class Machines(unittest.TestCase):
    def test_errors_are_json_and_all_of_them(self):
        model = 'lagrangian = "m/2*x\'^2 + q"\n[parameters]\nm = 0,5\n[space]\nx = "R"\n[constraints]\nc = "y\' = 0"\n'
        for verb in (["check"], ["derive"], ["simulate"], ["analyze"]):
            done = run(*verb, "-", "--format", "json", text=model)
            self.assertEqual(done.returncode, 2)
            found = json.loads(done.stdout)
            self.assertEqual(found["schema"], "rattleback.errors/1")
            self.assertEqual([e["slug"] for e in found["errors"]], ["toml-syntax", "unknown-symbol", "unknown-symbol"])
            self.assertEqual(found["errors"][0]["fix"], "write 0.5")
            self.assertEqual(found["errors"][0]["where"][0]["line"], 3)
        usage = run("derive", "falling-disk", "--format", "json", "--frm", "x")
        self.assertEqual(json.loads(usage.stdout)["errors"][0]["slug"], "usage")

    def test_exported_jacobian_is_the_derivative_of_the_rates(self):
        for model in ("falling-disk", "slider-crank", "chaplygin-sphere"):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "exported.py")
                path.write_text(run("export", model, "--to", "python").stdout)
                spec = importlib.util.spec_from_file_location("exported", path)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                draw = random.Random(7)
                n = len(module.STATE)
                state = [draw.uniform(0.2, 0.9) for _ in range(n)]
                found = module.jacobian(0.0, state)
                self.assertEqual(len(found), n * n)
                step = 1e-6
                for j in range(n):
                    there, back = list(state), list(state)
                    there[j] += step
                    back[j] -= step
                    for i, (a, b) in enumerate(zip(module.rhs(0.0, there), module.rhs(0.0, back))):
                        slope = (a - b) / (2 * step)
                        self.assertAlmostEqual(found[n * i + j], slope, delta=1e-6 * (1 + abs(slope)), msg=f"{model} {i} {j}")
        open_function = run("export", "ball-on-hill", "--to", "python")
        self.assertIn("no jacobian: the rates contain functions without a formula", open_function.stdout)

    def test_events_that_do_not_happen_are_said(self):
        done = run("simulate", "chaplygin-sleigh", "--until", "1", "--search", "0", "--events", "x - 100", "--stop", "y = 50")
        self.assertIn("event x - 100 = 0 does not happen until t = 1", done.stdout)
        self.assertIn("event y = 50 does not happen until t = 1", done.stdout)
        done = run("simulate", "chaplygin-sleigh", "--until", "1", "--search", "0", "--events", "x - 100", "--format", "json")
        self.assertEqual(json.loads(done.stdout)["unmet"], ["x - 100 = 0"])

    def test_initial_takes_the_names_that_derive_prints(self):
        given = run("simulate", "veselova", "--until", "0.1", "--search", "0", "--format", "json", "--initial",
                    "Omega1=1,Omega2=2,Omega3=0,B=1", "--project")
        self.assertEqual(given.returncode, 0, given.stderr)
        free = 'kinetic = "Omega[1]^2 + Omega[2]^2 + 2*Omega[3]^2"\n[space]\nB = { group = "SO(3)" }\n[simulation]\n' \
               'initial = { B = "Rx(1)", omega1 = 1, omega2 = 2, omega3 = 3 }\n'
        done = run("simulate", "-", "--until", "0.1", "--search", "0", "--format", "json", text=free)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_inputs(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "motor.toml").write_text(
                'title = "Motor"\ndescription = "A wheel with a motor."\nlagrangian = "J/2*theta\'^2"\n[parameters]\nJ = 2\n'
                '[space]\ntheta = "S1"\n[inputs]\ntau = { about = "torque", range = [-3, 3] }\n[forces]\ntheta = "tau"\n'
                '[simulation]\ninitial = { theta = 0, "theta\'" = 0 }\nuntil = 2\n')
            Path(folder, "tau.csv").write_text("t,tau\n0,0\n1,2\n2,2\n")
            derived = run("derive", "motor.toml", cwd=folder)
            self.assertIn("control-affine form: y' = f + g_tau*tau", derived.stdout)
            self.assertIn("g_tau(theta') = 1/J", derived.stdout)
            control = json.loads(run("derive", "motor.toml", "--format", "json", cwd=folder).stdout)["forms"]
            self.assertEqual(next(iter(control.values()))["control"]["fields"]["tau"]["theta'"], "1/J")
            free = run("simulate", "motor.toml", cwd=folder)
            self.assertEqual(free.returncode, 2)
            self.assertIn("--input", free.stderr)

            def speed(law):
                done = run("simulate", "motor.toml", "--input", law, "--format", "json", "--search", "0", cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                return json.loads(done.stdout)["state"]["theta'"]

            self.assertAlmostEqual(speed("tau=cos(t)"), math.sin(2) / 2, places=13)
            self.assertAlmostEqual(speed("tau=tau.csv"), (1 + 2) / 2, places=13)
            self.assertAlmostEqual(speed("tau=7"), 3, places=13)
            page = run("export", "motor.toml", cwd=folder).stdout
            self.assertIn("A wheel with a motor.", page)
            self.assertIn("Control inputs are tau, torque, between -3 and 3", page)

    def test_programs_know_sign_and_where_they_must_the_laws_of_inputs(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "block.toml").write_text(
                'lagrangian = "x\'^2/2"\n[space]\nx = "R"\n[inputs]\ntau = "-3*x"\n[forces]\nx = "tau - 1/2*sign(x\')"\n')
            self.assertEqual(run("export", "block.toml", "--to", "python", "--output", "block.py", cwd=folder).returncode, 0)
            said = subprocess.run([sys.executable, "-c", "import block; p = block.Parameters(tau=lambda t, x: 10*x); "
                                   "print(*block.rhs(0.0, [2.0, -1.0], p))"], cwd=folder, capture_output=True, text=True)
            self.assertEqual([float(x) for x in said.stdout.split()], [-1, 20.5], said.stderr)
            for language in ("modelica", "auto"):
                done = run("export", "block.toml", "--to", language, "--output", "block.mo", cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                if language == "modelica":
                    reader = Path(__file__).parent.parent / "oracles/read_modelica.py"
                    said = subprocess.run([sys.executable, str(reader), str(Path(folder, "block.mo")), "0", "2", "-1"],
                                          capture_output=True, text=True)
                    self.assertEqual([float(x) for x in said.stdout.split()[:2]], [-1, -5.5], said.stderr)

    def test_units_reach_the_outputs(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "fall.toml").write_text(
                'lagrangian = "m/2*z\'^2 - m*g*z"\n[parameters]\nm = "2500 g"\ng = "9.81 m/s^2"\n'
                '[space]\nz = { group = "R", unit = "m" }\n[simulation]\ninitial = { z = "150 cm", "z\'" = 0 }\nuntil = "1 s"\n')
            done = run("simulate", "fall.toml", "--output", "fall.csv", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(" m\n", done.stdout)
            head = next(line for line in Path(folder, "fall.csv").read_text().splitlines() if not line.startswith("#"))
            self.assertTrue(head.startswith("t [s],z [m],z' [m/s]"), head)
            self.assertIn("[J]", head)
            units = json.loads(run("simulate", "fall.toml", "--format", "json", cwd=folder).stdout)["units"]
            self.assertEqual((units["z"], units["z'"]), ("m", "m/s"))
            run("simulate", "fall.toml", "--plot", "fall.svg", cwd=folder)
            self.assertIn("z [m]", Path(folder, "fall.svg").read_text())
            self.assertRegex(Path(folder, "fall.csv").read_text(), r"# parameter g: 9\.81\d* m/s\^2\n")
            self.assertRegex(run("simulate", "fall.toml", "--events", "z", cwd=folder).stdout, r"at t = 0\.553\d* s\n")
            digits = run("simulate", "fall.toml", "--precision", "100", "--output", "digits.csv", cwd=folder)
            self.assertRegex(digits.stdout, r"  z  = -3\.405\d* m\n")
            self.assertIn("\nt [s],z [m],z' [m/s]\n", Path(folder, "digits.csv").read_text())
            swept = run("sweep", "fall.toml", "--vary", "g=9:10:3", "--keep", "low=min(z)", "--keep", "n=crossings(z)",
                        "--output", "swept.csv", "--plot", "swept.svg", cwd=folder)
            self.assertRegex(swept.stdout, r"  low \[m\] +-3\.5 ")
            self.assertIn("\ng [m/s^2],fate,time [s],steps,z [m],z' [m/s],energy_change,low [m],n\n",
                          Path(folder, "swept.csv").read_text())
            self.assertIn("g [m/s²]", Path(folder, "swept.svg").read_text().replace("m/s^2", "m/s²"))

    def test_units_reach_reports_and_all_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "cart.toml").write_text(
                'gravity = "g"\n[parameters]\ng = "9.81 m/s^2"\nM = "2.5 kg"\nk = "20 N/m"\n[bodies.cart]\nmass = "M"\n'
                '[joints.rail]\nkind = "prismatic"\nchild = "cart"\naxis = "e1"\nstiffness = "k"\n'
                '[inputs]\nF = { about = "motor", range = ["-3 N", "3 N"], law = "-k*rail/2" }\n[forces]\nrail = "F"\n'
                '[simulation]\ninitial = { rail = "10 cm", "rail\'" = "1 m/s" }\nuntil = "2 s"\n')
            self.assertEqual(run("report", "cart.toml", "-o", "cart.html", "--timeout", "60", cwd=folder).returncode, 0)
            page = Path(folder, "cart.html").read_text()
            units = json.loads(re.search(r'"units":(\{[^}]*\})', page)[1])
            expected = {"t": "s", "frequency": "Hz", "path": "m", "rail": "m", "rail'": "m/s", "M": "kg"}
            self.assertEqual({name: units.get(name) for name in expected}, expected)
            self.assertIn("F, motor, between -3 and 3, in N; in runs", page)
            self.assertIn("until t = 2 s,", page)
            run("simulate", "cart.toml", "--plot", "cart.svg", "--search", "0", cwd=folder)
            self.assertIn(">x [m]<", Path(folder, "cart.svg").read_text())
            swept = run("sweep", "cart.toml", "--vary", "M=1:3:3", "--keep", "top=max(rail)", "--show", cwd=folder).stdout
            self.assertRegex(swept, r"\n +M \[kg\] +top \[m\]\n")
            measured = run("measure", "cart.toml", "--of", "rail", "--until", "20", "--plot", "line.svg", cwd=folder).stdout
            self.assertRegex(measured, r"frequency [\d.]+ Hz +period [\d.]+ s ")
            self.assertIn("frequency [Hz]", Path(folder, "line.svg").read_text())
            run("continue", "cart.toml", "--vary", "M=1:3", "--output", "branch.csv", cwd=folder)
            self.assertIn("M [kg]", Path(folder, "branch.csv").read_text())
            self.assertIn("M = \\frac{5}{2}\\, \\mathrm{kg}$", run("export", "cart.toml", cwd=folder).stdout)
            notebook = run("export", "cart.toml", "--to", "ipynb", cwd=folder).stdout
            self.assertIn("Control inputs are F, motor, between -3 and 3, in N; in runs F = -k*rail/2.", notebook)
            self.assertIn("rail [m]", notebook)
            # Without units nothing changes.
            self.assertNotIn('"units":', self.page_without_units(folder))

    def page_without_units(self, folder):
        Path(folder, "plain.toml").write_text('lagrangian = "x\'^2/2"\n[space]\nx = "R"\n[simulation]\ninitial = { x = 0, "x\'" = 1 }\n')
        run("report", "plain.toml", "-o", "plain.html", "--timeout", "60", cwd=folder)
        return Path(folder, "plain.html").read_text()

    def test_units_of_tables_and_of_numbers_in_bodies(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder, "arm.toml")
            model.write_text(
                '[parameters]\nm = "1 kg"\nl = "1 m"\n[bodies.a]\nmass = "m"\nshape = { point = true, at = "[l, 0, 0]" }\n'
                '[joints.j]\nkind = "revolute"\nchild = "a"\n[inputs]\ntau = { csv = "s.csv" }\n[forces]\nj = "tau"\n'
                '[simulation]\ninitial = { j = 0, "j\'" = 0 }\nuntil = 1\n')

            def with_table(text):
                Path(folder, "s.csv").write_text(text)
                return run("simulate", "arm.toml", "--format", "json", cwd=folder)

            for table in ("t [s],tau [N*m]\n0,0\n0.5,1\n1,0\n", "t [ms],tau [N*cm]\n0,0\n500,100\n1000,0\n",
                          "t,other,tau [N*m]\n0,9,0\n0.5,9,1\n1,9,0\n", "t,torque\n0,0\n0.5,1\n1,0\n"):
                done = with_table(table)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertAlmostEqual(json.loads(done.stdout)["state"]["j"], 0.25, places=12, msg=table)
            for table, slug in (("t [s],tau [kg]\n0,0\n1,0\n", "dimension-mismatch"), ("t [m],tau\n0,0\n1,0\n", "bad-table"),
                                ("t,tau [Nm]\n0,0\n1,0\n", "bad-table")):
                self.assertIn(slug, with_table(table).stdout, table)
            with_table("t,tau\n0,0\n1,0\n")
            Path(folder, "kg.csv").write_text("t [s],tau [kg]\n0,0\n1,0\n")
            self.assertIn("a column in kg where J is needed", run("simulate", "arm.toml", "--input", "tau=kg.csv", cwd=folder).stderr)
            # What a plan writes carries its units and is read back; the range of an input says what it is measured in.
            Path(folder, "cart.toml").write_text(
                'lagrangian = "m/2*x\'^2"\n[space]\nx = "R"\n[parameters]\nm = "2 kg"\n[inputs]\nF = { range = ["-1 N", "1 N"] }\n'
                '[forces]\nx = "F"\n[simulation]\ninitial = { x = 0, "x\'" = 0 }\n')
            done = run("plan", "cart.toml", "--to", "x=1,x'=0", "--duration", "3", "--output", "p.csv", cwd=folder)
            self.assertIn("x = 1 m, off by", done.stdout)
            self.assertTrue(Path(folder, "p.csv").read_text().startswith("t [s],F [N]\n"))
            there = run("simulate", "cart.toml", "--input", "F=p.csv", "--until", "3", "--format", "json", cwd=folder)
            self.assertAlmostEqual(json.loads(there.stdout)["state"]["x"], 1, places=9)
            # A model without units does not know what a millisecond is; a number with a unit stands in no formula.
            text = model.read_text()
            model.write_text(text.replace('"1 kg"', "1").replace('"1 m"', "1"))
            self.assertIn("bad-table", with_table("t [ms],tau [N*m]\n0,0\n500,1\n").stdout)
            self.assertEqual(with_table("t [s],tau [N*m]\n0,0\n1,1\n").returncode, 0)
            model.write_text(text.replace('mass = "m"', 'mass = "2 kg"'))
            self.assertIn('name it in [parameters]', run("check", "arm.toml", cwd=folder).stderr)

    def test_a_robot_from_urdf(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "arm.urdf").write_text(ARM)
            done = run("import", "arm.urdf", "--output", "arm.toml", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for what in ("limits of joint shoulder", "visuals of kind <mesh>", "<transmission>"):
                self.assertIn(what, done.stderr)
            text = Path(folder, "arm.toml").read_text()
            self.assertIn("-0.2*sign(shoulder')", text)
            self.assertIn("mass = 1.25", text)
            tensors = json.loads(run("derive", "arm.toml", "--format", "json", cwd=folder).stdout)["tensors"]
            values = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "pi": math.pi, "g": 9.81}
            random.seed(3)
            robot = ET.fromstring(ARM)
            for _ in range(5):
                q = {name: random.uniform(-2, 2) for name in ("shoulder", "elbow", "slide")}
                expected = mass_matrix(robot, q)

                def value(text):
                    return eval(text.replace("^", "**"), {"__builtins__": {}}, known)

                known = {**values, **q}
                for name, part in tensors.get("parts", {}).items():
                    known[name] = value(part)
                for i, row in enumerate(tensors["metric"]):
                    for j, entry in enumerate(row):
                        self.assertAlmostEqual(value(entry), expected[i][j], places=12)

    def test_wheels_from_urdf(self):
        wheel = '<link name="{0}"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.002" izz="0.001" ixy="0" ixz="0" iyz="0"/>' \
                '</inertial><collision><origin rpy="1.5708 0 0"/><geometry><cylinder radius="0.1" length="0.02"/></geometry></collision></link>'
        joint = '<joint name="{0}_axle" type="continuous"><parent link="body"/><child link="{0}"/><origin xyz="0 {1} -0.05"/><axis xyz="0 1 0"/></joint>'
        cart = '<robot name="cart"><link name="body"><inertial><origin xyz="0.05 0 0"/><mass value="4"/><inertia ixx="0.1" iyy="0.1" izz="0.2" ' \
               'ixy="0" ixz="0" iyz="0"/></inertial></link>' + wheel.format("left") + wheel.format("right") + \
               joint.format("left", "0.2") + joint.format("right", "-0.2") + "</robot>"
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "cart.urdf").write_text(cart)
            done = run("import", "cart.urdf", "--wheel", "left_axle", "--wheel", "right_axle", "--output", "cart.toml", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            checked = json.loads(run("check", "cart.toml", "--format", "json", cwd=folder).stdout)
            self.assertEqual(checked["dof"], 2)
            wrong = run("import", "cart.urdf", "--wheel", "left", cwd=folder)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn("left_axle", wrong.stderr)

    def plan(self, folder, goal, *words):
        done = run("plan", "model.toml", "--to", goal, "--format", "json", "--output", "plan.csv", *words, cwd=folder)
        return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr

    def test_plans_park_a_cart_sideways_and_swing_a_pendulum_up(self):
        """A nonholonomic system whose goal no input reaches to first order, and one that needs the whole range of its input."""
        cases = {
            CART: ("x=0,y=1,theta=0,u=0,omega=0", 5, {"F": 2, "tau": 1}, ()),
            PENDULUM: ("theta=pi,theta'=0", 5, {"tau": 3}, ("--pieces", "25")),
        }
        for text, (goal, duration, ranges, more) in cases.items():
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "model.toml").write_text(text)
                code, plan = self.plan(folder, goal, "--duration", str(duration), *more)
                self.assertEqual(code, 0, plan)
                for name, bound in ranges.items():
                    self.assertLessEqual(max(map(abs, plan["inputs"][name])), bound)
                    self.assertGreater(max(map(abs, plan["inputs"][name])), 0.01)
                laws = [word for name in ranges for word in ("--input", f"{name}=plan.csv")]
                done = run("simulate", "model.toml", *laws, "--until", str(duration), "--format", "json", "--method", "radau5", cwd=folder)
                final = json.loads(done.stdout)["state"]
                for name, value in (part.split("=") for part in goal.split(",")):
                    self.assertAlmostEqual(final[name], math.pi if value == "pi" else float(value), delta=2e-6)

    def test_goals_may_be_speeds_that_the_program_chooses(self):
        """A cart without [velocities]: `derive` prints names of its own making, which a goal may have like any velocity."""
        text = CART.split("[velocities]")[0] + "[simulation]" + CART.split("[simulation]")[1].replace("u = 0, omega = 0", "\"x'\" = 0, \"theta'\" = 0")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "model.toml").write_text(text)
            printed = run("derive", "model.toml", cwd=folder).stdout
            speeds = re.findall(r"^  (u\d)' ", printed, re.M)
            self.assertTrue(speeds, printed)
            goal = ",".join(f"{name}={value}" for name, value in zip(speeds, ("1/4", "0")))
            code, plan = self.plan(folder, goal, "--duration", "2")
            self.assertEqual(code, 0, plan)
            code, wrong = self.plan(folder, "nothing=1")
            self.assertEqual(code, 2)

    def test_rollers_push_along_their_axes_and_slip(self):
        """A platform on three wheels with rollers, all held by brakes, that is pulled ever harder."""
        wheels = "".join(
            f'[wheels.{name}]\nkind = "mecanum"\nbody = "deck"\nradius = "R"\nmass = 1\nroller = "{angle}"\nat = {at}\n'
            'friction = "mu"\ndrive = "0"\n'
            for name, angle, at in (("a", "pi/4", '["1/2", 0, "R"]'), ("b", "-pi/4", '["-1/4", "2/5", "R"]'),
                                    ("c", "pi/3", '["-1/4", "-2/5", "R"]')))
        text = ('gravity = "g"\n[parameters]\ng = 9.81\nR = { value = 0.1, positive = true }\nmu = 0.3\n[bodies.deck]\nmass = 12\n'
                'inertia = "diag(1, 1, 2)"\ncenter = [0, 0, 0.2]\n[joints.base]\nkind = "free"\nchild = "deck"\n'
                'coordinates = ["x", "y", "z", "B"]\n' + wheels + '[forces]\nx = "8*t"\ny = "3*t"\n[simulation]\n'
                'initial = { x = 0, y = 0, z = 0, B = "1", a = 0, b = 0, c = 0 }\nuntil = 20\n')
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "deck.toml").write_text(text)
            done = run("simulate", "deck.toml", "--stop", "slip", "--search", "0", "--format", "json", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            forces, t = found["reactions"], found["t"]
            self.assertLess(t, 20)
            room = [0.3 * forces[f"{w}.normal"] - abs(forces[f"{w}.roller"]) for w in "abc"]
            self.assertAlmostEqual(min(room), 0, places=6)
            self.assertAlmostEqual(sum(forces[f"{w}.normal"] for w in "abc"), 15 * 9.81, places=6)
            push = {"a": math.pi / 4, "b": -math.pi / 4, "c": math.pi / 3}  # cos across + sin along; along is e1, across e2
            for axis, pull in ((math.sin, 8 * t), (math.cos, 3 * t)):
                self.assertAlmostEqual(sum(forces[f"{w}.roller"] * axis(push[w]) for w in "abc"), -pull, places=6)

    def test_plans_that_are_not_found_are_not_refuted(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "model.toml").write_text(CART)
            code, plan = self.plan(folder, "x=1", "--duration", "0.1")  # the range allows 0.01
            self.assertEqual((code, plan["found"]), (3, False))
            self.assertAlmostEqual(plan["nearest_miss"], 0.99, delta=1e-3)
            self.assertFalse(Path(folder, "plan.csv").exists())
            Path(folder, "model.toml").write_text(CART.split("[inputs]")[0])
            self.assertEqual(run("plan", "model.toml", "--to", "x=1", cwd=folder).returncode, 2)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed")
    def test_python_modules_take_arrays(self):
        import numpy as np
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "motion.py")
            path.write_text(run("export", "falling-disk", "--to", "python").stdout)
            spec = importlib.util.spec_from_file_location("motion", path)
            motion = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(motion)
            states = np.random.default_rng(1).uniform(0.2, 1, (len(motion.STATE), 7))
            many = motion.rhs(0.0, states)
            self.assertEqual(many.shape, states.shape)
            energies = motion.energy(0.0, states)
            for k in range(7):
                one = motion.rhs(0.0, list(states[:, k]))
                self.assertIsInstance(one, list)
                self.assertLess(max(abs(a - b) for a, b in zip(one, many[:, k])), 1e-12)
                self.assertAlmostEqual(motion.energy(0.0, list(states[:, k])), energies[k], places=12)


TRICYCLE = """[bodies.chassis]
mass = 12
shape = { box = [0.8, 0.4, 0.2] }
[joints.base]
kind = "planar"
child = "chassis"
coordinates = ["x", "y", "theta"]
[wheels.left]
body = "chassis"
radius = 0.1
%s
kind = "rolling"
"""

INCLINE = """%s
[parameters]
g = { value = 9.81, positive = true }
a = { value = 0.3, positive = true }
[bodies.block]
mass = 2
inertia = "diag(1, 1, 1)"
[joints.slide]
kind = "planar"
child = "block"
coordinates = ["x", "y", "theta"]
"""


class NewUsers(unittest.TestCase):
    """What somebody writes first, and the advice they get."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def model(self, text):
        path = Path(self.folder.name) / "model.toml"
        path.write_text(text)
        return str(path)

    def advice(self, text):
        done = run("check", self.model(text))
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stderr

    def test_an_axle_that_is_a_place(self):
        said = self.advice(TRICYCLE % 'axle = "[0, 0.2, 0]"')
        self.assertIn("`axle` is not a unit vector", said)
        self.assertIn("the place of the wheel is `at`", said)
        self.assertIn('at = "[0, 0, R]"', said)
        self.assertEqual(run("check", self.model(TRICYCLE % "at = [0, 0.2, 0.1]")).returncode, 0)

    def test_keys_of_other_programs(self):
        ball = """[bodies.ball]
mass = 1
shape = { ball = 0.1 }
[contacts.c]
body = "ball"
surface = { sphere = 0.1 }
"""
        self.assertIn("a contact rolls by default", self.advice(ball + 'kind = "rolling"\n'))
        self.assertIn('write implicit = "x^2/a^2', self.advice(ball + "on = { ellipsoid = [1, 2, 3] }\n"))
        self.assertEqual(run("check", self.model(ball + 'on = { implicit = "x^2 + y^2/4 + z^2/9 - 1" }\n')).returncode, 0)

    def test_a_group_without_its_key(self):
        said = self.advice("lagrangian = \"x'^2\"\n[space]\nx = { R, unit = \"m\" }\n")
        self.assertIn('write group = "R"', said)

    def test_gravity_is_a_vector(self):
        rates = [run("derive", self.model(INCLINE % head)).stdout for head in (
            'gravity = "[g*sin(a), 0, -g*cos(a)]"', 'gravity = "g"\ndown = "[sin(a), 0, -cos(a)]"', 'gravity = "g"')]
        self.assertIn("x'' ", rates[0])
        self.assertEqual(rates[0], rates[1])
        self.assertNotEqual(rates[0], rates[2])
        self.assertIn("keep one of them", self.advice(INCLINE % 'gravity = "[g, 0, 0]"\ndown = "e3"'))
        self.assertIn("gravity is constant", self.advice(INCLINE % 'gravity = "[x, 0, 0]"'))

    def test_decimal_commas_in_formulas_and_on_the_command_line(self):
        said = self.advice('lagrangian = "m/2*x\'^2 - 0,5*x"\n[parameters]\nm = "2,25"\n[space]\nx = "R"\n')
        self.assertIn("`2,25` is not a number", said)
        self.assertIn("write 2.25", said)
        self.assertIn("write 0.5", said)
        said = run("simulate", "chaplygin-sleigh", "--initial", "u=0,5").stderr
        self.assertIn("`0,5` is not a number", said)
        self.assertIn("write u=0.5", said)
        # What is no decimal comma keeps its own advice.
        self.assertIn("`,` is not expected here", self.advice('lagrangian = "x\'^2, 5"\n[space]\nx = "R"\n'))

    def test_a_number_beyond_all_doubles_in_a_formula(self):
        model = self.model('lagrangian = "x\'^2/2 - 1e400*x"\n[space]\nx = "R"\n[simulation]\ninitial = { x = 0, "x\'" = 0 }\n')
        said = run("simulate", model).stderr
        self.assertIn("number-too-large", said)
        self.assertIn("check its exponent", said)

    def test_check_says_units_of_parameters(self):
        text = """lagrangian = "m/2*(x'^2 + y'^2) + J/2*theta'^2 + I/2*phi'^2"
[space]
x = { group = "R", unit = "mm" }
y = { group = "R", unit = "mm" }
theta = "S1"
phi = "S1"
[parameters]
r = "80 mm"
m = "4 kg"
J = "0.02 kg*m^2"
I = "5e-3 kg*m^2"
[constraints]
roll = "x'*cos(theta) + y'*sin(theta) = r*phi'"
skid = "y'*cos(theta) - x'*sin(theta) = 0"
[inputs]
tau = { about = "motor torque", unit = "N*m", range = [-2, 2] }
[forces]
phi = "tau"
"""
        self.assertIn("r = 2/25 m, m = 4 kg, J = 1/50 kg*m^2", run("check", self.model(text)).stdout)
        out = Path(self.folder.name) / "run.csv"
        done = run("simulate", self.model(text), "--initial", "x=0,y=0,theta=0,phi=0", "--input", "tau=0.5", "--until", "1",
                   "--output", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(",") for line in out.read_text().splitlines() if line and not line.startswith("#")]
        self.assertEqual(rows[0][:2], ["t [s]", "x [m]"])
        self.assertAlmostEqual(float(rows[-1][1]), 0.08 * 0.5 / 2 / (0.005 + 0.08**2 * 4), delta=1e-9)  # r tau t²/2/(I + r² m)


if __name__ == "__main__":
    unittest.main()
