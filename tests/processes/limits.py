"""Whole runs that once crashed, hung or refused what is right: they end in time, and say what they know.

    limits.py PROGRAM
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)

# The root of the contact point contains half of an angle of which the rest contains the whole.
ELLIPSOID = """gravity = "g"
[space]
x = "R"
y = "R"
z = "R"
yaw = "S1"
lean = "S1"
roll = "S1"
[parameters]
m = { value = 1, positive = true }
a = { value = 0.3, positive = true }
b = { value = 0.2, positive = true }
c = { value = 0.15, positive = true }
I1 = { value = 0.02, positive = true }
I2 = { value = 0.03, positive = true }
I3 = { value = 0.035, positive = true }
I13 = 0.004
g = 9.81
turn = 0.3
[bodies.stone]
mass = "m"
inertia = "[[I1, 0, I13], [0, I2, 0], [I13, 0, I3]]"
position = "[x, y, z]"
rotation = "Rz(yaw)*Rx(lean)*Ry(roll)"
[contacts.floor]
body = "stone"
surface = { ellipsoid = ["a", "b", "c"], axes = "Rz(turn)", center = "[0, 0, 3/100]" }
"""

# A wheel on a slope of rise h: half of all decimals for h leave a root that no number modulo the prime of the zero tests has.
SLOPE = """lagrangian = "1/2*(x'^2 + z'^2) + 1/2*J*p'^2 - 9.8*z"
[space]
x = "R"
z = "R"
p = "R"
[parameters]
h = 0.1
J = 1e-13
[constraints]
slope = "z = h*x"
roll = "p' = x'*sqrt(1 + h^2)"
[simulation]
initial = { x = 0, p = 0, "x'" = 0 }
"""

PENDULUM = """lagrangian = "1/2*th'^2 + cos(th)"
[space]
th = "S1"
[simulation]
initial = { th = 1.5707963267948966, "th'" = 0 }
"""

TWO_ANGLES = """lagrangian = "1/2*(a'^2 + b'^2) + cos(a - 0.1745) + cos(b + 0.35)*cos(0.0617138900142764496358948458001 - a)"
[space]
a = "S1"
b = "S1"
[simulation]
initial = { a = 0.1745, b = 0.3333, "a'" = 0, "b'" = 0 }
"""

HUGE = """lagrangian = "1/2*m*x'^2 - k/2*x^2"
[space]
x = "R"
[parameters]
m = { value = 1, positive = true }
k = { value = 1e400, positive = true }
[simulation]
initial = { x = 1, "x'" = 0 }
"""

STEEP = """lagrangian = "1/2*m*x'^2 - k/2*x^2"
[space]
x = "R"
[parameters]
m = 1
k = 4
mu = 0.2
[forces]
x = "-mu*m*tanh(x'/1e-4)"
"""

TORUS = """gravity = "g"
[space]
x = "R"
y = "R"
z = "R"
yaw = "S1"
lean = "S1"
spin = "S1"
[parameters]
m = { value = 1, positive = true }
R = { value = 0.3, positive = true }
r = { value = 0.05, positive = true }
g = 9.81
[bodies.wheel]
mass = "m"
inertia = "[0.03, 0.055, 0.03]"
position = "[x, y, z]"
rotation = "Rz(yaw)*Rx(lean)*Ry(spin)"
[contacts.ground]
body = "wheel"
surface = { implicit = "(X^2 + Y^2 + Z^2 + R^2 - r^2)^2 - 4*R^2*(X^2 + Z^2)" }
[simulation]
initial = { x = 0, y = 0, yaw = 0, lean = 0.2, spin = 0, "yaw'" = 0.5, "lean'" = 0.1, "spin'" = 8 }
until = 0.5
"""

# The height of the centre is stated, and follows from the contact as well.
TYRE = """gravity = "g"
[space]
x = "R"
y = "R"
yaw = "S1"
lean = "S1"
spin = "S1"
[parameters]
m = { value = 1, positive = true }
R = { value = 0.3, positive = true }
a = { value = 0.05, positive = true }
A = { value = 0.03, positive = true }
B = { value = 0.055, positive = true }
g = 9.81
[define]
up = "Rz(yaw)*Rx(lean)"
C = "[x, y, a] + up*[0, 0, R]"
[bodies.wheel]
mass = "m"
inertia = "[A, B, A]"
position = "C"
rotation = "up*Ry(spin)"
[contacts.ground]
body = "wheel"
surface = { implicit = "(X^2 + Y^2 + Z^2 + R^2 - a^2)^2 - 4*R^2*(X^2 + Z^2)" }
[simulation]
initial = { x = 0, y = 0, yaw = 0, lean = 0.2, spin = 0, "yaw'" = 0.5, "lean'" = 0.1, "spin'" = 8 }
until = 3
"""

SLEIGH_IN_ITS_COORDINATES = """lagrangian = "1/2*(x'^2 + y'^2) + 1/2*th'^2"
[space]
x = "R"
y = "R"
th = "S1"
[constraints]
blade = "y'*cos(th) = x'*sin(th)"
[velocities]
u = "x'"
w = "th'"
[simulation]
initial = { x = 0, y = 0, th = 0, u = 1, w = 1 }
until = 6
"""


def planets(count):
    names = range(1, count + 1)
    kinetic = " + ".join(f"{k}/2*(x{k}'^2 + y{k}'^2)" for k in names)
    potential = " + ".join(
        f"{i * j}/sqrt((x{i} - x{j})^2 + (y{i} - y{j})^2)" for i in names for j in names if i < j
    )
    space = "\n".join(f'x{k} = "R"\ny{k} = "R"' for k in names)
    return f'lagrangian = "{kinetic} + {potential}"\n[space]\n{space}\n'


def lattice(count):
    names = range(count)
    kinetic = " + ".join(f"q{k}'^2/2" for k in names)
    potential = " + ".join(f"exp(q{k} - q{(k + 1) % count})" for k in names)
    space = "\n".join(f'q{k} = "R"' for k in names)
    return f'lagrangian = "{kinetic} - ({potential})"\n[space]\n{space}\n'


def nested(depth):
    """Each definition contains the one before it twice: a formula as deep as its definitions are many."""
    lines = "\n".join(f'd{k} = "sin(d{k - 1}) + d{k - 1}/2"' for k in range(1, depth))
    return f"""lagrangian = "1/2*x'^2 - d{depth - 1}"
[space]
x = "R"
[define]
d0 = "x"
{lines}
[simulation]
initial = {{ x = 1, "x'" = 0 }}
"""


def nested_roots(depth):
    """A velocity constraint with roots within roots: no random point modulo a prime has all of them."""
    lines = "\n".join(f'd{k} = "sqrt(2 + d{k - 1})"' for k in range(1, depth))
    return f"""lagrangian = "x'^2 + y'^2 + z'^2 - y"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c = "z' = d{depth - 1}*x'"
[define]
d0 = "y"
{lines}
"""


def charges(count):
    """A bead on a wire in the plane among fixed charges: more roots than symbols along which points modulo a prime could be chosen."""
    potential = " + ".join(f"{k + 1}/sqrt((x - {k * k % 7})^2 + (y - {k})^2 + {k % 3 + 1})" for k in range(count))
    return f"""lagrangian = "1/2*(x'^2 + y'^2) - ({potential})"
[space]
x = "R"
y = "R"
[constraints]
wire = "y' = x'*(1 + x^2)"
[simulation]
initial = {{ x = 0.1, y = 0.2, "x'" = 1 }}
until = 1
"""


# Long computations of every verb with the largest models of the zoo, each of which takes longer than the limit of half a second.
LONG_RUNS = """check bicycle-with-tyres
check coin-in-bowl
derive bicycle --linearise rear_rate=v/rR --vary v=0:10:100001
prove unicycle-rider --agrees hamel gibbs-appell
prove bicycle --agrees hamel multipliers
prove two-balls --agrees hamel multipliers
prove rattleback --measure 1
continue bicycle --vary g=9:11 --step 1e-5 --points 100000
continue rattleback --from Omega3=2 --vary Omega3=-6:6 --and delta=0.1:0.8 --step 1e-4 --points 100000
continue two-balls --orbits --vary g=9:10
continue coin-in-bowl --vary g=9:10 --step 1e-5 --points 10000
continue bicycle-with-tyres --vary g=9:10 --step 1e-5 --points 10000
export bicycle --to latex
export bicycle-with-tyres --to modelica
simulate bicycle-with-tyres --until 1e6
simulate truck-with-dolly --until 1e6
simulate snake-robot --until 1e6 --method hamel --step 0.001
simulate coin-in-bowl --until 1e6 --precision 200
simulate bicycle --orders --step 1e-5 --until 100
simulate rattleback --search 100
simulate rattleback --until 1e6 --lyapunov all
measure rattleback --volume 50 --until 1e5
measure bicycle --covariant all --until 1e5
map bicycle --section lean=0 --points 100000
analyze turning-bowl --question invariant-measure
analyze trikke --question jacobi
analyze truck-with-dolly --question integrals"""


def processor_time(words):
    """Seconds of user time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=900)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, verb, text, *words, seconds=60):
        (self.at / "model.toml").write_text(text)
        started = time.monotonic()
        run = subprocess.run(
            [PROGRAM, verb, "model.toml", *words], cwd=self.at, capture_output=True, text=True, timeout=10 * seconds
        )
        self.assertGreaterEqual(run.returncode, 0, f"{verb} was killed: {run.stderr[-500:]}")
        self.assertNotIn("bug[", run.stdout + run.stderr)
        self.took = time.monotonic() - started
        return run

    def test_an_ellipsoid_with_turned_axes_is_checked(self):
        run = self.run_it("check", ELLIPSOID, "--timeout", "3")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("degrees of freedom", run.stdout)

    def test_angles_are_decimals_of_any_length(self):
        for text in [PENDULUM, TWO_ANGLES]:
            with self.subTest(text[:40]):
                run = self.run_it("analyze", text, "--question", "equilibria,energy,regularity", "--timeout", "20")
                self.assertEqual(run.returncode, 0, run.stderr)

    def test_an_angle_with_many_digits_takes_no_longer(self):
        # its denominator was counted up to: 26 s with ten digits whatever --timeout said
        model = Path(__file__).parent.parent / "oracles" / "systems" / "hamster-wheel.toml"
        words = ["analyze", str(model), "--question", "equilibria", "--set", "i=0.12345678912", "--timeout", "1"]
        self.assertLess(processor_time(words), 10)

    def test_numbers_beyond_doubles_are_said_to_be(self):
        for verb, words in [
            ("check", []),
            ("derive", ["--form", "all"]),
            ("analyze", ["--question", "energy,equilibria", "--timeout", "5"]),
        ]:
            with self.subTest(verb):
                self.assertIn(self.run_it(verb, HUGE, *words).returncode, [0, 3])
        run = self.run_it("simulate", HUGE, "--until", "1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[number-too-large]", run.stderr)

    def test_seven_bodies_have_equations(self):
        run = self.run_it("derive", planets(7))
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_time_limit_holds_in_every_question_and_verb(self):
        run = self.run_it("analyze", lattice(16), "--question", "equilibria", "--timeout", "1", seconds=30)
        self.assertLess(self.took, 60)
        self.assertIn(run.returncode, [0, 1, 3])
        run = self.run_it("derive", lattice(16), "--timeout", "0.0001")
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[budget]", run.stderr)
        run = self.run_it("continue", PENDULUM, "--orbits", "--vary", "energy=-0.9:0.9", "--points", "100000", "--step", "1e-6", "--timeout", "0.5")
        self.assertEqual((run.returncode, "error[budget]" in run.stderr), (2, True), run.stderr)
        words = ["continue", "toda.toml", "--orbits", "--vary", "energy=-1:1", "--points", "10", "--timeout", "0.5"]
        start = ", ".join(f"q{k} = {k % 3}, \"q{k}'\" = 0" for k in range(16))
        (self.at / "toda.toml").write_text(lattice(16) + f"[simulation]\ninitial = {{ {start} }}\n")
        words[1] = str(self.at / "toda.toml")
        self.assertLess(processor_time(words), 6)  # 17 s in the first orbit's Newton steps
        run = self.run_it("simulate", PENDULUM, "--until", "1e7", "--timeout", "0.5")
        self.assertEqual(run.returncode, 2)
        self.assertIn("the time limit was reached", run.stderr)
        self.assertLess(self.took, 30)
        run = self.run_it("simulate", PENDULUM, "--until", "1e7", "--timeout", "0.5", "--precision", "200", "--search", "0")
        self.assertEqual((run.returncode, "error[motion-ends]" in run.stderr), (2, True), run.stderr)  # what was computed is printed
        self.assertIn("the time limit was reached", run.stderr)
        self.assertIn("taylor of order", run.stdout)

    def test_a_parameter_whose_value_leaves_an_odd_root_keeps_its_letter(self):
        letter = self.run_it("simulate", SLOPE, "--until", "1", "--search", "0", "--format", "json")
        for value in ["0.052", "0.11", "0.123"]:
            run = self.run_it("simulate", SLOPE, "--until", "1", "--set", f"h={value}", "--search", "0", "--format", "json")
            self.assertEqual(run.returncode, 0, run.stderr)
            h = float(value)
            fall = 9.8 * h / (2 * (1 + h * h))  # x'' = -g h/(1 + h^2) while the wheel has no mass
            self.assertAlmostEqual(json.loads(run.stdout)["state"]["x"], -fall, places=9)
            self.assertEqual(self.run_it("analyze", SLOPE, "--set", f"h={value}", "--question", "energy").returncode, 0)
        self.assertEqual(letter.returncode, 0)
        self.assertIn("`h` stays a letter", self.run_it("check", SLOPE, "--set", "h=0.052").stderr)
        self.assertNotIn("stays a letter", self.run_it("check", SLOPE, "--set", "h=0.01").stderr)

    def test_a_steep_force_costs_no_search(self):
        run = self.run_it("simulate", STEEP, "--initial", "x=2,x'=0", "--until", "0.01")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(self.took, 60)

    def test_a_tyre_touches_with_its_outer_side(self):
        run = self.run_it("simulate", TORUS, "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        start = self.run_it("simulate", TORUS, "--until", "1e-9", "--format", "json")
        state = json.loads(start.stdout)["state"]
        self.assertAlmostEqual(state["z"], 0.05 + 0.3 * 0.98006657784, places=7)

    def test_a_hollow_contact_is_refused(self):
        # the inner side of the hole, above the wheel's centre
        inner = "ground_X=0,ground_Y=0.00993346654,ground_Z=0.250996671,z=-0.244019973"
        run = self.run_it("simulate", TORUS, "--initial", inner + ",ground_k=0.0886176,lean=0.2", "--project")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"error\[(nonconvex-contact|below-support|off-constraint)\]")

    def test_speeds_with_a_pole_hand_over(self):
        run = self.run_it("simulate", SLEIGH_IN_ITS_COORDINATES, "--format", "json", "--verbose", "--method", "dop853")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("all velocities take over", run.stderr)
        state = json.loads(run.stdout)["state"]
        self.assertEqual(list(state), ["x", "y", "th", "u", "w"])
        self.assertAlmostEqual(state["x"], -0.27941549819892586, places=9)  # sin 6
        self.assertAlmostEqual(state["y"], 0.03982971334963397, places=9)  # 1 − cos 6
        # from the pole itself, where u does not say how fast the sleigh is
        run = self.run_it(
            "simulate", SLEIGH_IN_ITS_COORDINATES, "--initial", "th=pi/2,u=0,w=1,y'=1", "--until", "1", "--format", "json"
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertAlmostEqual(json.loads(run.stdout)["state"]["y"], 0.8414709848078965, places=9)

    def test_two_dozen_charges_in_a_plane_have_equations(self):
        run = self.run_it("derive", charges(24), "--timeout", "30")
        self.assertEqual(run.returncode, 0, run.stderr)
        run = self.run_it("analyze", charges(24), "--question", "energy,regularity,integrability", "--timeout", "10")
        self.assertEqual(len(re.findall(r"^\w+: proved", run.stdout, re.MULTILINE)), 3, run.stdout)

    def test_two_dozen_roots_within_roots_have_equations(self):
        run = self.run_it("derive", nested_roots(24), "--timeout", "30")
        self.assertEqual(run.returncode, 0, run.stderr)
        # What depends on a relation between roots is not taken for independent: the second constraint is the first.
        twice = nested_roots(24).replace("[define]", 'd = "x\'*d23 - z\' = 0"\n[define]')
        run = self.run_it("check", twice, "--timeout", "30")
        self.assertIn("follows from the others", run.stdout + run.stderr)

    def test_the_limit_holds_while_the_constraints_are_understood(self):
        text = nested_roots(2000)  # took 25 s whatever --timeout said
        for verb, *words in [["check"], ["derive"], ["analyze", "--question", "energy"], ["prove", "--zero", "x"]]:
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            run = self.run_it(verb, text, *words, "--timeout", "1")
            self.assertIn("error[budget]", run.stderr, verb)
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 15, verb)

    def test_many_definitions_are_read_in_time_that_grows_with_them(self):
        chain = "\n".join(f'd{k} = "sin(d{k - 1})"' for k in range(1, 40000))  # each contains all before it: 16 s
        moving = "\n".join(f'd{k} = "x\' + {k}"' for k in range(1, 80000))  # names of a state, all of them: 15 s
        for lines, potential in [(chain, "d39999"), (moving, "x")]:
            text = f"""lagrangian = "1/2*x'^2 - {potential}"
[space]
x = "R"
[define]
d0 = "x"
{lines}
[simulation]
initial = {{ x = 1, "x'" = 0 }}
"""
            (self.at / "model.toml").write_text(text)
            with self.subTest(text[60:80]):
                self.assertLess(processor_time(["check", str(self.at / "model.toml"), "--timeout", "2"]), 6)

    def test_a_model_that_takes_too_long_to_read_is_not_called_too_large(self):
        for verb, *words in [["derive"], ["simulate", "--until", "1"], ["export"]]:
            run = self.run_it(verb, nested(600), *words, "--timeout", "1e-6")
            self.assertIn("error[budget]", run.stderr, verb)

    def test_speeds_are_suggested_where_constraints_are_redundant(self):
        run = self.run_it("check", TYRE, "--timeout", "5")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("3 degrees of freedom", run.stdout)

    def test_counts_and_lengths_are_positive(self):
        for words in [["--points", "0"], ["--points", "-1"], ["--points", "1.5"], ["--step", "0"], ["--step", "-1"]]:
            run = subprocess.run(
                [PROGRAM, "continue", "rattleback", "--from", "Omega3=2", "--vary", "Omega3=1:3", *words],
                capture_output=True, text=True, timeout=600,
            )
            self.assertEqual(run.returncode, 2, words)
            self.assertIn("error[usage]", run.stderr)

    def test_depth_is_bounded_in_every_verb(self):
        for depth in [100, 600]:
            text = nested(depth)
            for verb, words in [
                ("check", ["--timeout", "2"]),
                ("derive", ["--timeout", "5"]),
                ("analyze", ["--question", "energy,equilibria,regularity", "--timeout", "2"]),
                ("simulate", ["--until", "0.1", "--timeout", "5", "--search", "0"]),
                ("export", ["--to", "c", "--timeout", "5"]),
                ("export", ["--to", "latex", "--timeout", "5"]),
            ]:
                with self.subTest(f"{verb} {depth}"):
                    self.assertIn(self.run_it(verb, text, *words).returncode, [0, 2, 3])

    def test_a_relation_that_holds_identically_is_no_equation(self):
        # once a crash: cos² + sin² = 1 was solved for a component of which it says nothing
        run = subprocess.run(
            [PROGRAM, "analyze", "rubber-chaplygin-ball", "--question", "equilibria", "--timeout", "5"],
            capture_output=True, text=True, timeout=600,
        )
        self.assertIn(run.returncode, [0, 3], run.stderr)

    def test_a_long_elimination_ends_in_time(self):
        self.assertLess(processor_time(["analyze", "flail", "--question", "integrals", "--timeout", "3"]), 20)

    def test_machines_obey_the_limit_of_one_question(self):
        # Processor time, the least of three runs: a machine that is short of memory multiplies it. Half a second is for reading the model.
        for model, question in [
            ("two-balls", "hamiltonization"),
            ("unicycle-rider", "integrals"),
            ("turning-bowl", "hamiltonization"),
            ("trikke", "symmetries"),
        ]:
            with self.subTest(f"{model} {question}"):
                words = ["analyze", model, "--question", question, "--timeout", "1"]
                self.assertLess(min(processor_time(words) for _ in range(3)), 2)

    def test_every_verb_obeys_the_limit_with_the_largest_models(self):
        for line in LONG_RUNS.splitlines():
            words = [*line.split(), "--timeout", "0.5"]
            with self.subTest(line):
                self.assertTrue(any(processor_time(words) < 2 for _ in range(3)))

    def test_the_experiments_of_doubt_have_a_limit_together(self):
        for model in ["unicycle-rider", "two-balls"]:  # 24 s and 4.5 s: each experiment had a limit of its own, or none
            with self.subTest(model):
                words = ["doubt", model, "--question", "energy", "--timeout", "0.5"]
                self.assertTrue(any(processor_time(words) < 3.5 for _ in range(3)))
                run = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=600)
                self.assertIn("the time limit was reached", run.stdout)

    def test_many_subsets_of_symmetries_have_a_limit(self):
        # Three angles that nothing moves besides those of a snake: all choices of nine symmetries were listed before the first was tried, until
        # the memory was full.
        snake = (Path(__file__).parents[2] / "models" / "snake-robot.toml").read_text()
        (self.at / "snake.toml").write_text(snake + '[space]\nf1 = "S1"\nf2 = "S1"\nf3 = "S1"\n')
        run = subprocess.run(
            [PROGRAM, "analyze", "snake.toml", "--question", "hamiltonization", "--timeout", "1"], cwd=self.at, capture_output=True, text=True,
            timeout=600, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (2**31, 2**31)),
        )
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertNotIn("memory", run.stdout + run.stderr)

    def test_a_report_is_written_whatever_takes_too_long(self):
        run = self.run_it("report", ELLIPSOID, "-o", "page.html", "--timeout", "0.2", seconds=30)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("</html>", (self.at / "page.html").read_text())

    def test_the_limit_of_a_report_is_one_of_the_whole_page(self):
        # 39 seconds of processor once, 23 for two balls: two for each form and each question
        for model in ["coin-in-bowl", "two-balls"]:
            with self.subTest(model):
                self.assertLess(processor_time(["report", model, "--timeout", "2", "-o", str(self.at / "page.html")]), 8)
                page = (self.at / "page.html").read_text()
                self.assertIn("</html>", page)
                self.assertNotIn("bug[", page)
                self.assertIn("the time limit was reached", page)
                if model == "two-balls":
                    self.assertIn("<canvas", page)  # the run has its own part


if __name__ == "__main__":
    unittest.main()
