"""Contacts that open and close, as the command line tells them: text, JSON, CSV, figures, errors.

    flight.py PROGRAM
"""

import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())

BALL = """title = "Ball that bounces"
gravity = "10"
[space]
x = "R"
z = "R"
a = "S1"
[parameters]
e = 0.8
[bodies.ball]
mass = "2"
inertia = "diag(1/5, 1/5, 1/5)"
position = "[x, 0, z]"
rotation = "Ry(a)"
[contacts.ground]
body = "ball"
surface = { sphere = "1/2" }
rolls = false
restitution = "e"
[simulation]
initial = { x = 0, z = 3/2, a = 0, "x'" = 1, "z'" = 0, "a'" = 2 }
until = 2
""".replace("3/2", '"3/2"')


RAIL = """gravity = "10"
[bodies.ball]
mass = "1"
shape = { ball = "1/10" }
[contacts.rail]
body = "ball"
surface = { sphere = "1/10" }
on = { curve = CURVE, radius = "0" }
coordinates = ["u", "v", "B"]
restitution = "1/2"
[simulation]
initial = { u = 0, v = 0, B = "1", "u'" = 4, "v'" = 0, B_Omega3 = 0 }
until = 0.3
"""

ROD = """gravity = "10"
[space]
x = "R"
y = "R"
z = "R"
yaw = "S1"
pitch = "S1"
roll = "S1"
[bodies.rod]
mass = "1"
inertia = "diag(1/200, 1/10, 1/10)"
position = "[x, y, z]"
rotation = "Rz(yaw)*Ry(pitch)*Rx(roll)"
[contacts.left]
body = "rod"
surface = { sphere = "1/10", center = "[-1/2, 0, 0]" }
rolls = false
restitution = "3/5"
[contacts.right]
body = "rod"
surface = { sphere = "1/10", center = "[1/2, 0, 0]" }
rolls = false
restitution = "3/5"
[simulation]
initial = { x = 0, y = 0, z = 1, yaw = 0, pitch = 0.3, roll = 0, "x'" = 0.5, "y'" = 0, "z'" = 0, "yaw'" = 0.1, "pitch'" = 0, "roll'" = 0 }
until = 4
"""

PLATE = """gravity = "10"
[space]
h = "R"
x = "R"
y = "R"
z = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[bodies.plate]
mass = "3"
position = "[0, 0, h]"
[bodies.ball]
mass = "2"
inertia = "2/5*2*(1/16)*diag(1, 1, 1)"
position = "[x, y, z]"
rotation = "B"
[forces]
h = "30 - 50*h"
[contacts.top]
body = "ball"
surface = { sphere = "1/4" }
on = { body = "plate", normal = "[0, 0, 1]" }
restitution = "1/2"
[simulation]
initial = { h = 0, "h'" = 0, x = 0, y = 0, z = "5/4", B = "1", "x'" = 0, "y'" = 0, "z'" = 0, Omega = [0, 0, 0] }
until = 3
"""


class Flight(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = Path(self.folder.name)
        (self.at / "ball.toml").write_text(BALL)

    def run_it(self, *words):
        return subprocess.run([PROGRAM, "simulate", "ball.toml", *words], cwd=self.at, capture_output=True, text=True, timeout=300)

    def test_json_has_phases_and_impacts(self):
        found = self.run_it("--after", "start=fly", "--format", "json")
        self.assertEqual(found.returncode, 0, found.stderr)
        out = json.loads(found.stdout)
        fall = math.sqrt(1 / 5)
        times = [fall, fall * (1 + 2 * 0.8), fall * (1 + 2 * 0.8 + 2 * 0.64)]
        for impact, t in zip(out["impacts"], times):
            self.assertAlmostEqual(impact["t"], t, delta=1e-12)
            self.assertEqual(impact["outcome"], "bounces")
        self.assertAlmostEqual(out["impacts"][0]["energy_lost"], 20 * (1 - 0.64), delta=1e-9)
        self.assertEqual(out["phases"][0]["open"], ["ground"])
        self.assertAlmostEqual(out["state"]["x"], 2, delta=1e-12)
        self.assertAlmostEqual(out["state"]["a'"], 2, delta=1e-12)

    def test_csv_has_the_gap_and_the_account(self):
        found = self.run_it("--after", "start=fly", "--output", "ball.csv", "--samples", "101", "--plot", "ball.svg", "--plot", "x:z")
        self.assertEqual(found.returncode, 0, found.stderr)
        lines = (self.at / "ball.csv").read_text().splitlines()
        self.assertTrue(any(line.startswith("# impact t = 0.4472") for line in lines))
        names = next(line for line in lines if line.startswith("t,")).split(",")
        rows = [list(map(float, line.split(","))) for line in lines if line[0].isdigit()]
        self.assertEqual(len(rows), 101)
        self.assertGreater(min(row[names.index("gap ground")] for row in rows), -1e-12)
        self.assertIn("<svg", (self.at / "ball.svg").read_text())

    def account(self, text, *words):
        """The run as JSON; impacts lose energy, gaps stay open, and the balance of the energy closes."""
        (self.at / "other.toml").write_text(text)
        run = subprocess.run(
            [PROGRAM, "simulate", "other.toml", "--format", "json", *words], cwd=self.at, capture_output=True, text=True, timeout=600
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        out = json.loads(run.stdout)
        for impact in out.get("impacts", []):
            self.assertGreaterEqual(impact["energy_lost"], -1e-12)
        return out

    def test_a_ball_flies_over_a_rail_on_a_parabola(self):
        # Compiled formulas were wrong here: a product with a base twice was divided by it twice.
        for curve, height in [('["u", 0, "cos(u)"]', lambda u: math.cos(u)), ('["u", 0, "-u^2/2"]', lambda u: -u * u / 2)]:
            text = RAIL.replace("CURVE", curve)
            out = self.account(text, "--after", "lift-off=fly")
            self.assertLess(out["drift"]["energy within phases"], 1e-12)
            u, gap = out["state"]["u"], out["state"]["rail_gap"]
            slope = (height(u + 1e-6) - height(u - 1e-6)) / 2e-6
            length = math.hypot(1, slope)
            x, z = u - (0.1 + gap) * slope / length, height(u) + (0.1 + gap) / length
            self.assertAlmostEqual(x, 4.4 * 0.3, delta=1e-9)
            self.assertAlmostEqual(z, height(0) + 0.1 - 5 * 0.3**2, delta=1e-9)

    def test_a_rod_rattles_to_rest_on_both_ends(self):
        out = self.account(ROD, "--after", "start=fly")
        self.assertEqual({impact["contact"] for impact in out["impacts"]}, {"left", "right"})
        self.assertGreater(len(out["impacts"]), 50)
        self.assertEqual(sorted(out["phases"][-1]["closed"]), ["left", "right"])
        self.assertAlmostEqual(out["state"]["z"], 0.1, delta=1e-9)
        self.assertAlmostEqual(out["state"]["pitch"], 0, delta=1e-9)
        self.assertAlmostEqual(out["state"]["x'"], 0.5, delta=1e-12)  # nothing rubs
        lost = sum(impact["energy_lost"] for impact in out["impacts"])
        first, last = out["phases"][0]["energy_from"], out["phases"][-1]["energy_to"]
        self.assertAlmostEqual(first - lost, last, delta=1e-9)

    def test_a_plate_that_is_hit_moves(self):
        out = self.account(PLATE, "--after", "start=fly", "--until", "0.5")
        hit = out["impacts"][0]
        self.assertAlmostEqual(hit["t"], math.sqrt(1 / 5), delta=1e-12)
        # masses 2 and 3, e = 1/2: the reduced mass is 6/5 and 1 - e^2 = 3/4 of its energy goes
        self.assertAlmostEqual(hit["energy_lost"], 0.5 * 1.2 * 0.75 * 20, delta=1e-9)
        self.assertAlmostEqual(hit["normal_impulse"], 1.5 * 1.2 * math.sqrt(20), delta=1e-9)
        self.assertAlmostEqual(hit["rebound"], math.sqrt(20) / 2, delta=1e-9)

    def test_what_does_not_go_together_is_an_error(self):
        for words, slug in [
            (["--after", "lift-off=swim"], "usage"),
            (["--after", "start=fly", "--stop", "lift-off"], "usage"),
            (["--after", "start=fly", "--precision", "200"], "usage"),
            (["--after", "start=fly", "--until", "-1"], "usage"),
            (["--after", "start=fly", "--set", "e=2"], "cannot-fly"),
            (["--after", "start=fly", "--method", "hamel"], "method-does-not-apply"),
            (["--after", "start=fly", "--initial", "z=0"], "below-support"),
        ]:
            found = self.run_it(*words)
            self.assertEqual(found.returncode, 2, words)
            self.assertIn(f"error[{slug}]", found.stderr)


if __name__ == "__main__":
    unittest.main()
