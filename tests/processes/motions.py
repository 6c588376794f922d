"""Motions of closed loops, backwards in time, and of first-order Lagrangians, against closed forms and conserved quantities.

    motions.py PROGRAM
"""

import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)

FOUR_BAR = """gravity = "g"
down = [0, -1, 0]
[space]
q1 = "S1"
q2 = "S1"
q3 = "S1"
[parameters]
la = { value = 0.8, positive = true }
lb = { value = 2, positive = true }
lc = { value = 1, positive = true }
ln = { value = 2, positive = true }
g = 9.81
[define]
P2 = "Rz(q1)*[la, 0, 0]"
P3 = "P2 + Rz(q1 + q2)*[lb, 0, 0]"
P4 = "P3 + Rz(q1 + q2 + q3)*[lc, 0, 0]"
[bodies.p2]
mass = "1"
position = "P2"
[bodies.p3]
mass = "1"
position = "P3"
[constraints]
loop = "P4 = [ln, 0, 0]"
[simulation]
initial = { q1 = "pi/18", "q1'" = 0 }
until = 2
"""

# A crank and a rocker about skew axes, with a rod on ball joints between them.
SPATIAL_CRANK = """gravity = "g"

[parameters]
g = 9.81

[bodies.crank]
mass = 1
inertia = "diag(0.01, 0.01, 0.02)"

[bodies.rod]
mass = 0.6
shape = { cylinder = [0.02, 1.2], axis = "e1" }
center = "[0.6, 0, 0]"

[bodies.rocker]
mass = 0.8
inertia = "diag(0.05, 0.05, 0.05)"
center = "[0, 0, 0.3]"

[joints.crank_bearing]
kind = "revolute"
child = "crank"
axis = "e3"
coordinates = "a"

[joints.ball_1]
kind = "spherical"
parent = "crank"
child = "rod"
at = "[0.25, 0, 0]"
coordinates = "B"
body_rate = "W"

[joints.rocker_bearing]
kind = "revolute"
child = "rocker"
at = "[1.1, 0.2, -0.3]"
axis = "e2"
coordinates = "c"
damping = 0.3

[joints.ball_2]
kind = "spherical"
parent = "rod"
child = "rocker"
at = "[1.2, 0, 0]"
child_at = "[0, 0, 0.5]"

[simulation]
initial = { a = 0.4, c = "~0.3", "a'" = 3, W1 = 0 }
until = 1
"""

# Two parallelograms side by side: at a = 0 all bars lie on a line, and each of them may fold.
DOUBLE_FOUR_BAR = """gravity = "g"
down = [0, -1, 0]
[space]
a = "S1"
b = "S1"
c = "S1"
p = "S1"
q = "S1"
[parameters]
m = { value = 1, positive = true }
L = { value = 1, positive = true }
g = 9.81
[define]
A = "Rz(a)*[L, 0, 0]"
B = "[L, 0, 0] + Rz(b)*[L, 0, 0]"
C = "[2*L, 0, 0] + Rz(c)*[L, 0, 0]"
[bodies.b1]
mass = "m"
inertia = "[0, 0, m*L^2/12]"
position = "A/2"
rotation = "Rz(a)"
[bodies.b2]
mass = "m"
inertia = "[0, 0, m*L^2/12]"
position = "A + Rz(p)*[L/2, 0, 0]"
rotation = "Rz(p)"
[bodies.b3]
mass = "m"
inertia = "[0, 0, m*L^2/12]"
position = "([L, 0, 0] + B)/2"
rotation = "Rz(b)"
[bodies.b4]
mass = "m"
inertia = "[0, 0, m*L^2/12]"
position = "B + Rz(q)*[L/2, 0, 0]"
rotation = "Rz(q)"
[bodies.b5]
mass = "m"
inertia = "[0, 0, m*L^2/12]"
position = "([2*L, 0, 0] + C)/2"
rotation = "Rz(c)"
[constraints]
first = "A + Rz(p)*[L, 0, 0] = B"
second = "B + Rz(q)*[L, 0, 0] = C"
[simulation]
initial = { a = "pi/2", b = "pi/2", c = "pi/2", p = 0, q = 0, "a'" = -1 }
until = 4
"""

PENDULUM = """lagrangian = "1/2*(x'^2 + y'^2) - y"
[space]
x = "R"
y = "R"
[constraints]
c = "x^2 + y^2 = 1"
[simulation]
initial = { x = 0.6, y = 0.8 }
"""

DRIVEN = """lagrangian = "1/2*x'^2 - 1/2*x^2 + x*cos(2*t)"
[space]
x = "R"
[simulation]
initial = { x = 0, "x'" = 1 }
"""

VORTICES = """lagrangian = "g1*x1*y1' + g2*x2*y2' + g1*g2*log((x1 - x2)^2 + (y1 - y2)^2)/(4*pi)"
[space]
x1 = "R"
y1 = "R"
x2 = "R"
y2 = "R"
[parameters]
g1 = { value = 1, positive = true }
g2 = { value = 3, positive = true }
[simulation]
initial = { x1 = 1, y1 = 0, x2 = 0, y2 = 0 }
until = 5
"""

# Lotka and Volterra: u = log x, v = log y, H = a v − b exp v + d u − c exp u
POPULATIONS = """lagrangian = "1/2*(u*v' - v*u') - (exp(u) + exp(v) - u - v)"
[space]
u = "R"
v = "R"
[simulation]
initial = { u = 0.5, v = 0.1 }
until = 3
"""


# Six bars at right angles: five closing conditions in five angles, and one degree of freedom.
BRICARD = """gravity = "g"
down = [0, -1, 0]
[space]
a1 = "S1"
a2 = "S1"
a3 = "S1"
a4 = "S1"
a5 = "S1"
[parameters]
m = { value = 1, positive = true }
L = { value = 1, positive = true }
g = 9.81
[define]
R1 = "Ry(a1)"
R2 = "R1*Rz(a2)"
R3 = "R2*Rx(a3)"
R4 = "R3*Ry(a4)"
R5 = "R4*Rz(a5)"
P2 = "R1*[L, 0, 0]"
P3 = "P2 + R2*[0, -L, 0]"
P4 = "P3 + R3*[0, 0, L]"
P5 = "P4 + R4*[-L, 0, 0]"
P6 = "P5 + R5*[0, L, 0]"
[bodies.b1]
mass = "m"
position = "P2/2"
[bodies.b2]
mass = "m"
position = "(P2 + P3)/2"
[bodies.b3]
mass = "m"
position = "(P3 + P4)/2"
[bodies.b4]
mass = "m"
position = "(P4 + P5)/2"
[bodies.b5]
mass = "m"
position = "(P5 + P6)/2"
[constraints]
close = "P6 = [0, 0, L]"
second = "dot(R5*e1, e2) = 0"
third = "dot(R5*e1, e3) = 0"
[simulation]
initial = { a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, "a1'" = 1 }
until = 1
"""

SLEIGH = """lagrangian = "1/2*(x'^2 + y'^2) + 1/2*th'^2"
[space]
x = "R"
y = "R"
th = "S1"
[constraints]
blade = "y'*cos(th) = x'*sin(th)"
[simulation]
initial = { x = 0, y = 0, th = 0, "x'" = 1, "th'" = 1 }
until = 2
"""


SLIDING_BALL = """
title = "Sliding ball with dry friction"
gravity = "g"
[parameters]
m = { value = 1, positive = true }
g = { value = 9.8, positive = true }
r = { value = 0.1, positive = true }
mu = 0.3
eps = %s
[bodies.ball]
mass = "m"
inertia = "diag(2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2)"
[joints.free]
kind = "free"
child = "ball"
[contacts.floor]
body = "ball"
surface = { sphere = "r" }
rolls = false
coulomb = "mu"
load = "m*g"
patch = "eps"
[simulation]
until = 0.05
initial = { free_1 = 0, free_2 = 0, free_3 = 0.1, free = "1", "free_1'" = 1, "free_2'" = 0, "free_3'" = 0, free_Omega = [0, 0, 5] }
"""


PRESSURES = {"hertz": (8 / (3 * math.pi), 15 * math.pi / 16, 3 * math.pi / 16), "uniform": (1, 8 / 3, 2 / 3)}


def patch(pressure, v, u, n=150):
    """Force and torque of dry friction on a patch of radius 1 under the load 1, by summation over the patch."""
    force = torque = 0.0
    for i in range(n):
        r = (i + 0.5) / n
        load = 3 * r * math.sqrt(1 - r * r) if pressure == "hertz" else 2 * r
        for j in range(n):
            angle = 2 * math.pi * (j + 0.5) / n
            x, y = r * math.cos(angle), r * math.sin(angle)
            along, across = v - u * y, u * x
            size = math.hypot(along, across)
            force += load * along / size / n / n
            torque += load * (x * across - y * along) / size / n / n
    return force, torque


def sliding_ball(eps, pressure="hertz", steps=500):
    """Speed and squared angular velocity of it, in fixed axes and by Runge and Kutta's method."""
    a, b, k = PRESSURES[pressure]

    def rates(y):
        slip, u = y[0] - 0.1 * y[1], eps * y[2]
        force = 0.3 * 9.8 * slip / (abs(slip) + a * abs(u))
        torque = 0.3 * 9.8 * eps * k * u / (abs(u) + b * abs(slip))
        return [-force, 25 * force, -250 * torque]

    y, h = [1.0, 0.0, 5.0], 0.05 / steps
    for _ in range(steps):
        k1 = rates(y)
        k2 = rates([p + h / 2 * q for p, q in zip(y, k1)])
        k3 = rates([p + h / 2 * q for p, q in zip(y, k2)])
        k4 = rates([p + h * q for p, q in zip(y, k3)])
        y = [p + h / 6 * (q + 2 * r + 2 * s + t) for p, q, r, s, t in zip(y, k1, k2, k3, k4)]
    return y[0], y[1] ** 2 + y[2] ** 2


BALL = """gravity = "g"
[parameters]
g = 9.81
m = { value = 1, positive = true }
R = { value = 0.1, positive = true }
[bodies.ball]
mass = "m"
shape = { ball = "R" }
[joints.air]
kind = "free"
child = "ball"
coordinates = ["x", "y", "z", "B"]
[contacts.floor]
body = "ball"
surface = { sphere = "R" }
[simulation]
initial = { "x'" = 1, "y'" = 0, B_Omega3 = 0 }
"""

RELEASED = """lagrangian = "th'^2/2 + cos(th) + x'^2/2"
[space]
th = "S1"
x = "R"
[simulation]
initial = { th = 1 }
"""


# Four hinges whose axes cross in space: it moves only because sin(al)/a = sin(be)/b, so three of its five conditions follow from the others
# where all hold. The first two alone have positions in which the loop is open by more than the length of a link.
BENNETT = """title = "Bennett's linkage under gravity"
gravity = "g"
down = [0, -1, 0]
[parameters]
m = { value = 1, positive = true }
a = { value = 1, positive = true }
al = "1/2"
be = "11/10"
g = 9.81
[define]
b = "a*sin(be)/sin(al)"
[bodies.one]
mass = "m"
inertia = "[1/50, 1/12, 1/12]"
[bodies.two]
mass = "2*m"
inertia = "[1/20, 1/3, 1/3]"
[bodies.three]
mass = "m"
inertia = "[1/50, 1/12, 1/12]"
[joints.j1]
kind = "revolute"
child = "one"
axis = "e3"
child_at = "[-a/2, 0, 0]"
coordinates = "t1"
[joints.j2]
kind = "revolute"
parent = "one"
child = "two"
at = "[a/2, 0, 0]"
rotation = "Rx(al)"
axis = "e3"
child_at = "[-b/2, 0, 0]"
coordinates = "t2"
[joints.j3]
kind = "revolute"
parent = "two"
child = "three"
at = "[b/2, 0, 0]"
rotation = "Rx(be)"
axis = "e3"
child_at = "[-a/2, 0, 0]"
coordinates = "t3"
[joints.j4]
kind = "revolute"
parent = "three"
at = "[a/2, 0, 0]"
rotation = "Rx(al)"
axis = "e3"
child = "ground"
child_at = "[-b, 0, 0]"
child_rotation = "Rx(-be)"
[simulation]
initial = { t1 = 1, t2 = "~2.699", t3 = "~-1", "t1'" = 0.5 }
until = 1
"""


class Motions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, verb, text, *words):
        (self.at / "model.toml").write_text(text)
        run = subprocess.run([PROGRAM, verb, "model.toml", *words], cwd=self.at, capture_output=True, text=True, timeout=600)
        self.assertNotIn("bug[", run.stdout + run.stderr)
        return run

    def end(self, text, *words):
        run = self.run_it("simulate", text, "--format", "json", "--search", "0", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.said = run.stderr
        return json.loads(run.stdout)

    def test_conditions_that_follow_from_the_others_still_choose_the_position(self):
        found = self.end(BENNETT)
        self.assertNotIn("positions for what is not given", self.said)
        state = found["state"]
        ratio = math.sin(0.8) / math.sin(0.3)  # tan(t1/2) tan(t2/2) = sin((al + be)/2)/sin((be - al)/2)
        self.assertAlmostEqual(state["t3"], -state["t1"], places=10)
        self.assertAlmostEqual(math.tan(state["t1"] / 2) * math.tan(state["t2"] / 2), ratio, places=9)
        self.assertAlmostEqual(state["t1"], -1.3475313455, places=9)
        # all but closed by the first two conditions
        near = "t1=1,t2=~2.31174,t3=~0.360312,t1'=0.5"
        self.assertAlmostEqual(self.end(BENNETT, "--until", "1e-9", "--initial", near)["state"]["t3"], -1, places=7)
        given = self.run_it("simulate", BENNETT, "--initial", "t1=1,t2=2.3117398,t3=0.3603122,t1'=0.5")
        self.assertEqual((given.returncode, "error[off-constraint]" in given.stderr), (2, True), given.stderr)

    def test_angles_are_assembled_within_a_turn_and_branches_are_listed(self):
        found = self.end(FOUR_BAR, "--until", "1e-9")
        for q in ["q2", "q3"]:
            self.assertLessEqual(abs(found["state"][q]), math.pi)
        self.assertIn("2 positions", self.said)

    def test_branches_of_lengths_are_listed(self):
        # a crank of length 1 and a rod of length 2 by the coordinates of their ends: y1 = +-0.8, x2 = 0.6 +- sqrt(4 - 0.64)
        for unit in [1, 1000, 0.001]:
            with self.subTest(unit):
                model = f"""lagrangian = "1/2*(x1'^2 + y1'^2 + x2'^2)"
[space]
x1 = "R"
y1 = "R"
x2 = "R"
[constraints]
crank = "x1^2 + y1^2 = {unit**2}"
rod = "(x2 - x1)^2 + y1^2 = {4 * unit**2}"
[simulation]
initial = {{ x1 = {0.6 * unit}, y1 = "~{0.7 * unit}", x2 = "~{2 * unit}", "x1'" = 0 }}
until = 1e-9
"""
                state = self.end(model)["state"]
                self.assertIn("4 positions for what is not given", self.said)
                self.assertIn(f"y1 = {0.8 * unit:.6g}, x2 = {(0.6 + math.sqrt(3.36)) * unit:.6g}", self.said)
                self.assertAlmostEqual(state["x2"] / unit, 0.6 + math.sqrt(3.36), places=8)

    def test_a_guess_chooses_the_branch_and_what_is_given_stays(self):
        starts = []
        for words in (["--initial", "q2=~0.5,q3=~-1"], ["--initial", "q2=~-1,q3=~2"]):
            found = self.end(FOUR_BAR, "--until", "1e-9", *words)
            self.assertAlmostEqual(found["state"]["q1"], math.pi / 18, places=12)
            starts.append(found["state"]["q2"])
        self.assertGreater(starts[0], 0)
        self.assertLess(starts[1], 0)
        marked = FOUR_BAR.replace("\"q1'\" = 0", "\"q1'\" = 0, q2 = \"~0.5\", q3 = \"~-1\"")
        table = FOUR_BAR.replace("until = 2", "guess = { q2 = 0.5, q3 = -1 }\nuntil = 2")
        for text in [marked, table]:
            self.assertAlmostEqual(self.end(text, "--until", "1e-9")["state"]["q2"], starts[0], places=9)

    def test_a_guess_that_contradicts_what_is_given_is_refused(self):
        run = self.run_it("simulate", FOUR_BAR, "--set", "ln=9", "--initial", "q2=~0.5,q3=~-1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[off-constraint]", run.stderr)

    def test_rotations_of_a_loop_are_turned_into_place(self):
        guessed = self.end(SPATIAL_CRANK, "--until", "1e-9")["state"]
        self.assertIn("it is turned to where the constraints hold", self.said)
        d = [1.1 + math.sin(guessed["c"]) / 2 - math.cos(0.4) / 4, 0.2 - math.sin(0.4) / 4, -0.3 + math.cos(guessed["c"]) / 2]
        self.assertAlmostEqual(math.hypot(*d), 1.2, places=8)  # the rod is as long as it is
        row = lambda k: [guessed[f"B{k}{j}"] for j in (1, 2, 3)]
        for i in (1, 2, 3):
            self.assertAlmostEqual(sum(x * x for x in row(i)), 1, places=12)
        # The rod hangs on the crank, whose axes are those of B.
        along = [d[0] * math.cos(0.4) + d[1] * math.sin(0.4), -d[0] * math.sin(0.4) + d[1] * math.cos(0.4), d[2]]
        for k in (1, 2, 3):
            self.assertAlmostEqual(guessed[f"B{k}1"], along[k - 1] / 1.2, places=8)
        turned = self.end(SPATIAL_CRANK, "--until", "1e-9", "--initial", "B=~Rx(pi/2)")["state"]
        self.assertGreater(turned["B32"], 0.9)  # about its own axis it stays near its guess
        self.assertLess(abs(guessed["B32"]), 0.2)
        run = self.run_it("simulate", SPATIAL_CRANK, "--initial", "B=~[[1, 0], [0, 1]]")
        self.assertIn("error[shape-mismatch]", run.stderr)
        run = self.run_it("simulate", SPATIAL_CRANK, "--initial", "B=1")  # given: it stays
        self.assertIn("error[off-constraint]", run.stderr)

    def test_a_guess_is_for_coordinates(self):
        run = self.run_it("check", FOUR_BAR.replace("until = 2", "guess = { \"q2'\" = 0.5 }\nuntil = 2"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("cannot be guessed", run.stderr)

    def test_the_smooth_branch_goes_on_through_singular_positions(self):
        for method in [[], ["--method", "dop853"]]:
            found = self.end(DOUBLE_FOUR_BAR, *method)
            # until t = 4 by the one-degree-of-freedom pendulum that the smooth branch is
            self.assertAlmostEqual(found["state"]["a"], -11.1134632667, places=6)
            self.assertAlmostEqual(found["state"]["a'"], -1.0765111801, places=5)
            self.assertLess(max(found["drift"].values()), 1e-7)

    def test_methods_that_need_speeds_change_them_where_they_degenerate(self):
        exact = self.end(DOUBLE_FOUR_BAR, "--until", "0.6")["state"]
        for method in ["hamel", "discrete-gradient"]:
            found = self.end(DOUBLE_FOUR_BAR, "--until", "0.6", "--method", method, "--step", "0.001")["state"]
            self.assertAlmostEqual(found["a"], exact["a"], delta=1e-3)

    def test_projection_reaches_every_precision(self):
        start = ["--project", "--initial", "x=0.61,y=0.8,x'=0.1,y'=0", "--until", "1"]
        plain = self.end(PENDULUM, *start)
        self.assertLess(plain["drift"]["c"], 1e-13)
        self.assertLess(abs(plain["invariants"]["c"]), 1e-13)
        for precision, digits in [("long-double", 17), ("dd", 28)]:
            run = self.run_it("simulate", PENDULUM, *start, "--precision", precision, "--search", "0")
            self.assertEqual(run.returncode, 0, run.stderr)
            values = dict(line.split("=", 1) for line in run.stdout.splitlines() if line.startswith("  ") and "=" in line)
            from decimal import Decimal, getcontext

            getcontext().prec = 60
            x, y = (Decimal(values[next(k for k in values if k.strip() == q)].strip()) for q in "xy")
            self.assertLess(abs(x * x + y * y - 1), Decimal(10) ** -digits)
            self.assertAlmostEqual(float(x), plain["state"]["x"], places=10)

    def test_motions_run_backwards(self):
        there = self.end(DRIVEN, "--until", "-5", "--samples", "3")
        self.assertEqual(there["t"], -5)
        self.assertEqual(there["samples"]["t"], [0, -2.5, -5])
        # x'' + x = cos 2t, x(0) = 0, x'(0) = 1: x = sin t + (cos t − cos 2t)/3
        t = -5
        self.assertAlmostEqual(there["state"]["x"], math.sin(t) + (math.cos(t) - math.cos(2 * t)) / 3, places=11)
        self.assertAlmostEqual(
            there["state"]["x'"], math.cos(t) + (2 * math.sin(2 * t) - math.sin(t)) / 3, places=11
        )
        precise = self.run_it("simulate", DRIVEN, "--until", "-5", "--precision", "dd")
        self.assertEqual(precise.returncode, 0, precise.stderr)
        self.assertIn("t = -5", precise.stdout)
        for method in ["dop853", "gauss6", "rk4", "radau5"]:
            with self.subTest(method):
                found = self.end(DRIVEN, "--until", "-1", "--method", method)
                self.assertAlmostEqual(found["state"]["x"], math.sin(-1) + (math.cos(1) - math.cos(2)) / 3, places=6)
        refused = self.run_it("simulate", DRIVEN, "--until", "-1", "--method", "dla")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("forwards only", refused.stderr)
        self.assertEqual(self.run_it("simulate", DRIVEN, "--until", "0").returncode, 2)

    def test_events_backwards_are_told_in_time(self):
        run = self.end(DRIVEN, "--until", "-3", "--events", "t + 1")
        self.assertAlmostEqual(run["events"][0]["t"], -1, places=12)
        self.assertEqual(run["events"][0]["direction"], "upwards")

    def test_vortices_turn_about_their_centre(self):
        found = self.end(VORTICES)
        # both turn about (1/4, 0) with (g1 + g2)/(2 pi d^2)
        rate = 4 / (2 * math.pi)
        x, y = 0.25 + 0.75 * math.cos(rate * 5), 0.75 * math.sin(rate * 5)
        self.assertAlmostEqual(found["state"]["x1"], x, places=10)
        self.assertAlmostEqual(abs(found["state"]["y1"]), abs(y), places=10)
        self.assertLess(max(found["drift"].values(), default=0), 1e-12)
        self.assertEqual(self.run_it("check", VORTICES).returncode, 0)
        derived = self.run_it("derive", VORTICES)
        self.assertEqual(derived.returncode, 0, derived.stderr)

    def test_populations_keep_their_integral(self):
        found = self.end(POPULATIONS)
        u, v = found["state"]["u"], found["state"]["v"]
        H = lambda a, b: math.exp(a) + math.exp(b) - a - b
        self.assertAlmostEqual(H(u, v), H(0.5, 0.1), places=12)
        self.assertGreater(abs(u - 0.5), 1e-3)

    def test_a_linkage_with_too_many_constraints_moves(self):
        run = self.run_it("check", BRICARD)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("1 degree of freedom", run.stdout)
        self.assertIn("follows from the others", run.stdout + run.stderr)
        found = self.end(BRICARD)
        self.assertLess(max(found["drift"].values()), 1e-8)
        self.assertGreater(abs(found["state"]["a1"]), 0.1)
        # Derivations and answers are about the same system: equations at generic points of the ambient space would say that nothing moves.
        run = self.run_it("analyze", BRICARD, "--question", "regularity", "--timeout", "20")
        self.assertIn("leave 1 degree of freedom", run.stdout)
        self.assertIn("left out: where all position constraints hold their rank is 4", run.stdout)
        self.assertNotIn("evidence: proved", run.stdout)
        run = self.run_it("derive", BRICARD)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("a1' = 0", run.stdout)
        self.assertIn("left out: where all position constraints hold their rank is 4", run.stdout)
        # The page writes equations with the constraints that they were derived from; it was a crash.
        page = self.at / "page.html"
        run = self.run_it("report", BRICARD, "--timeout", "8", "-o", str(page))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("1 degree of freedom", page.read_text())

    def test_structure_preserving_methods_run_on_loops(self):
        exact = self.end(FOUR_BAR, "--until", "0.3", "--initial", "q2=~0.5,q3=~-1")["state"]
        for method in ["dla-midpoint", "gni", "hamel", "discrete-gradient", "dla"]:
            with self.subTest(method):
                words = ["--until", "0.3", "--initial", "q2=~0.5,q3=~-1", "--method", method, "--step", "0.001"]
                run = self.end(FOUR_BAR, *words)
                found = run["state"]
                for loop in ["loop_1", "loop_2"]:
                    self.assertLess(run["drift"][loop], 1e-13)
                tolerance = 0.05 if method == "dla" else 1e-3
                for q in ["q1", "q2", "q3"]:
                    self.assertLess(abs(found[q] - exact[q]), tolerance)

    def test_a_motion_that_leaves_its_loop_says_so(self):
        words = ["simulate", FOUR_BAR, "--initial", "q2=~0.5,q3=~-1", "--until", "2", "--search", "0", "--step", "0.1", "--method"]
        self.assertIn("the position constraint `loop_1` is violated by", self.run_it(*words, "rk4").stderr)
        self.assertNotIn("is violated", self.run_it(*words, "dla-midpoint").stderr)

    def test_what_no_motion_depends_on_may_be_left_out(self):
        found = self.end(BALL, "--until", "1")["state"]
        self.assertIn("leaves out `x`, `y`: 0 is taken", self.said)
        self.assertIn("leaves out `B`: the axes of the body are taken along those of space", self.said)
        for name, value in {"x": 1, "y": 0, "z": 0.1, "B11": math.cos(10), "B31": -math.sin(10)}.items():
            self.assertAlmostEqual(found[name], value, places=12)
        # Released from rest; the velocity is for the user to say as soon as one of them is.
        found = self.end(RELEASED, "--until", "0.5")["state"]
        self.assertIn("no velocity is given: the motion starts at rest", self.said)
        self.assertAlmostEqual(found["th"], self.end(RELEASED, "--until", "0.5", "--initial", "th'=0,x'=0,x=0")["state"]["th"], places=14)
        self.assertEqual(self.said, "")
        self.assertIn("`x'` is open", self.run_it("simulate", RELEASED, "--initial", "th'=1").stderr)
        # What the motion depends on is not invented.
        self.assertIn("leaves out `th`", self.run_it("simulate", RELEASED.replace("th = 1", "x = 1")).stderr)

    def test_names_that_are_printed_are_accepted(self):
        whole = self.end(SLEIGH, "--until", "2")["state"]
        half = self.end(SLEIGH, "--until", "1")["state"]
        given = ",".join(f"{name}={value!r}" for name, value in half.items())
        rest = self.end(SLEIGH, "--until", "1", "--initial", given)["state"]
        for name, value in whole.items():
            self.assertAlmostEqual(rest[name], value, places=11)

    def test_sweeps_have_no_column_twice(self):
        run = self.run_it("sweep", PENDULUM.replace("x = 0.6, y = 0.8", "x = 0.6, y = 0.8, \"x'\" = 0"), "--vary", "x=0.5,0.6", "--initial", "y=~0.8",
                          "--until", "0.1", "--output", "table.csv", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        header = next(line for line in (self.at / "table.csv").read_text().splitlines() if not line.startswith("#"))
        names = header.split(",")
        self.assertEqual(len(names), len(set(names)), names)
        self.assertIn("final_x", names)

    def test_friction_on_a_patch_is_that_of_the_pressure(self):
        """Zhuravlev's formulas: the force of slow slipping and the torque of slow spinning; between them both are less than the integrals."""
        for pressure, (a, b, k) in PRESSURES.items():
            for v, u in [(1, 0.05), (0.05, 1), (1, 1), (0.3, 1), (1, 0.3)]:
                force, torque = patch(pressure, v, u)
                less_force, less_torque = force - v / (v + a * u), torque - k * u / (u + b * v)
                self.assertTrue(0 < less_force < (0.005 if v == 0.05 else 0.36), (pressure, v, u))
                self.assertTrue(0 < less_torque < (0.0005 if u == 0.05 else 0.26), (pressure, v, u))

    def test_slipping_and_spinning_share_dry_friction(self):
        for eps, pressure in [(0.01, "hertz"), (0.03, "hertz"), (0.01, "uniform"), (0.03, "uniform")]:
            state = self.end((SLIDING_BALL % eps).replace('patch = "eps"', f'patch = "eps"\npressure = "{pressure}"'))["state"]
            speed, turning = sliding_ball(eps, pressure)
            self.assertAlmostEqual(state["free_1'"], speed, delta=1e-11)
            self.assertAlmostEqual(sum(state[f"free_Omega{k}"] ** 2 for k in (1, 2, 3)), turning, delta=1e-9)
            self.assertGreater(abs(speed - (1 - 0.3 * 9.8 * 0.05)), 1e-3)  # without spinning it would be slower

    def test_a_ball_that_does_not_spin_slips_until_it_rolls(self):
        text = (SLIDING_BALL % 0.01).replace("[0, 0, 5]", "[0, 0, 0]")
        rolls = 2 / (7 * 0.3 * 9.8)
        for method in ["taylor", "dop853"]:
            with self.subTest(method):
                self.assertAlmostEqual(self.end(text, "--method", method)["state"]["free_1'"], 1 - 0.3 * 9.8 * 0.05, delta=1e-12)
                # Where slipping ends and nothing spins, the law of friction has no value: the motion ends, and soon.
                run = self.run_it("simulate", text, "--method", method, "--until", "0.5", "--format", "json", "--search", "0")
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn("error[motion-ends]", run.stdout + run.stderr)
                self.assertAlmostEqual(json.loads(run.stdout)["t"], rolls, delta=1e-4)

    def test_a_spinning_ball_comes_to_roll(self):
        """Slipping ends, spinning goes on: momentum about the point of contact gives 5/7 of the speed, and rolling after that."""
        for pressure in PRESSURES:
            text = (SLIDING_BALL % 0.01).replace('patch = "eps"', f'patch = "eps"\npressure = "{pressure}"').replace("until = 0.05", "until = 0.5")
            self.assertAlmostEqual(self.end(text)["state"]["free_1'"], 5 / 7, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
