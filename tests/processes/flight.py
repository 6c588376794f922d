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
