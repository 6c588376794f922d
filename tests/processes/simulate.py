"""Runs that cannot be finished: the reason is told, what was computed is readable, and the exit code is not zero.

    simulate.py PROGRAM
"""

import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)

BLOW_UP = """lagrangian = "1/2*x'^2 + x^4"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 1 }
until = 10
"""

# The root loses its sense at x = 1, where the motion arrives with a speed.
EDGE = """lagrangian = "1/2*x'^2 - sqrt(1 - x)"
[space]
x = "R"
[simulation]
initial = { x = 0.5, "x'" = 1 }
until = 10
"""


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)
        (self.at / "blow-up.toml").write_text(BLOW_UP)
        (self.at / "edge.toml").write_text(EDGE)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *words, **more):
        return subprocess.run(
            [PROGRAM, "simulate", *words], cwd=self.at, capture_output=True, text=True, timeout=120, **more
        )

    def test_a_motion_that_grows_beyond_all_bounds(self):
        for method in ["taylor", "dop853", "radau5", "rk4", "gauss4", "dla", "hamel", "discrete-gradient"]:
            with self.subTest(method):
                step = [] if method in ["taylor", "dop853", "radau5"] else ["--step", "0.05"]
                run = self.run_it("blow-up.toml", "--method", method, *step, "--output", "run.csv")
                self.assertEqual(run.returncode, 2)
                self.assertIn("error[motion-ends]", run.stderr)
                lines = (self.at / "run.csv").read_text().splitlines()
                self.assertTrue(any(line.startswith("# ended early") for line in lines))
                times = [float(line.split(",")[0]) for line in lines if line[0].isdigit()]
                self.assertEqual(times, sorted(times))
                self.assertGreater(times[-1], 0.6)
                self.assertLess(times[-1], 0.9)

    def test_a_motion_that_reaches_the_edge_of_its_domain_does_not_stand_there_for_ever(self):
        for method in ["taylor", "dop853", "radau5", "rk4", "gauss4"]:
            with self.subTest(method):
                run = self.run_it("edge.toml", "--method", method, "--search", "0", "--output", "run.csv")
                self.assertEqual(run.returncode, 2)
                self.assertIn("error[motion-ends]: the motion ends at t = 0.4", run.stderr)
                self.assertNotIn("nan", run.stdout + (self.at / "run.csv").read_text())

    def test_a_run_that_changes_what_the_motion_keeps_is_warned_of(self):
        # dop853 crosses a removable pole at this tolerance with an error of its steps that is none of its estimate
        across = ["iliyev", "--method", "dop853", "--rtol", "1e-13", "--until", "30"]
        for words in [across, [*across, "--format", "json"], [*across, "--show", "u2"], ["iliyev", "--method", "rk4", "--step", "0.4", "--until", "20"],
                      ["iliyev", "--method", "rk4", "--step", "0.4", "--until", "20", "--precision", "dd"]]:
            with self.subTest(" ".join(words)):
                run = self.run_it(*words)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("warning[drifting-invariant]: `energy` is constant along the motion, and this run changes it by", run.stderr)
                self.assertNotIn("momentum", run.stderr)  # that one is kept
        for words in [["iliyev", "--until", "30"], ["iliyev", "--method", "dop853", "--rtol", "1e-9", "--until", "30"]]:
            self.assertNotIn("warning", self.run_it(*words).stderr)

    def test_what_is_zero_at_the_start_is_compared_with_its_terms(self):
        # energy 0 = 1/2 - 1/2 and momentum 0 = 1 - 1: what steps of 1e-4 leave of them is no warning
        (self.at / "two.toml").write_text("""lagrangian = "1/2*(x'^2 + y'^2) - 10^4*(1 - cos(x - y))"
[space]
x = "R"
y = "R"
[simulation]
initial = { x = 0.02, y = 0, "x'" = 1, "y'" = -1 }
until = 3
""")
        run = self.run_it("two.toml", "--method", "gauss4", "--step", "0.001")
        self.assertIn("drift of energy", run.stdout)
        self.assertNotIn("warning", run.stderr)

    def test_steps_that_would_take_years(self):
        for step in ["1e-300", "1e-12"]:
            run = self.run_it("edge.toml", "--method", "rk4", "--step", step, "--search", "0")
            self.assertEqual(run.returncode, 2)
            self.assertIn("steps have not moved the time", run.stderr)

    def test_the_same_as_json(self):
        run = self.run_it("blow-up.toml", "--format", "json")
        self.assertEqual(run.returncode, 2)
        self.assertIn("failure", json.loads(run.stdout))

    def test_a_folder_that_is_not_there_is_told_before_the_run(self):
        begin = time.time()
        run = self.run_it("rattleback", "--until", "100000", "--output", "nowhere/run.csv")
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[unwritable-output]", run.stderr)
        self.assertLess(time.time() - begin, 20)

    def test_a_file_that_cannot_grow(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        for output in ["run.csv", "run.json", "run.h5"]:
            with self.subTest(output):
                run = self.run_it("chaplygin-sleigh", "--output", output, preexec_fn=small)
                if "missing-extension" in run.stderr:
                    continue
                self.assertEqual(run.returncode, 2)
                self.assertIn("error[unwritable-output]", run.stderr)
                self.assertIn("omega", run.stdout)  # the result itself was printed
                self.assertFalse((self.at / (output + ".part")).exists())
                self.assertFalse((self.at / output).exists())

    def test_a_terminal_that_takes_nothing(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([PROGRAM, "simulate", "chaplygin-sleigh"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[unwritable-output]", run.stderr)

    def test_an_interrupt_keeps_what_was_computed(self):
        run = subprocess.Popen(
            [PROGRAM, "simulate", "rattleback", "--until", "100000", "--samples", "100001", "--output", "run.csv"],
            cwd=self.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        time.sleep(4)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertIn("interrupted", err)
        self.assertIn("drift of energy", out)
        self.assertIn("# ended early: interrupted", (self.at / "run.csv").read_text())


if __name__ == "__main__":
    unittest.main()
