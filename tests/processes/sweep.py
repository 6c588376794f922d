"""Sweeps as several processes: the numbers do not depend on the ranks, and what is killed can be resumed.

    sweep.py PROGRAM
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
# Open MPI does not free what its plugins took; where that is watched for (the preset asan) it is not held against us.
MPIRUN = ["env", "ASAN_OPTIONS=detect_leaks=0", "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3"]
SMALL = ["chaplygin-sleigh", "--vary", "omega=0.1:2:400", "--until", "5"]
# Long enough to be killed on the way: a few seconds on one thread.
LONG = ["falling-disk", "--vary", "turn=0.2:0.9:12000", "--until", "40", "--threads", "1"]


def sweep(*words, launcher=(), **how):
    return subprocess.run([*launcher, PROGRAM, "sweep", *words], capture_output=True, text=True, timeout=300, **how)


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="rattleback-sweep-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return str(self.folder / name)

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is absent")
    def test_ranks_and_threads_do_not_change_the_numbers(self):
        one = sweep(*SMALL, "--threads", "1", "--output", self.path("one.csv"))
        three = sweep(*SMALL, "--output", self.path("three.csv"), launcher=MPIRUN)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(three.returncode, 0, three.stderr)
        self.assertEqual(Path(self.path("one.csv")).read_text(), Path(self.path("three.csv")).read_text())
        self.assertEqual(three.stdout.count("members"), 1, "rank 0 alone speaks")

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is absent")
    def test_an_error_ends_all_ranks(self):
        wrong = sweep("chaplygin-sleigh", "--vary", "nobody=0:1:5", launcher=MPIRUN)
        self.assertNotEqual(wrong.returncode, 0)
        self.assertEqual(wrong.stderr.count("error[unknown-symbol]"), 1, wrong.stderr)

    @staticmethod
    def wait_until_written(output):
        """The table is made whole, and then changes with every block."""
        changes, last = 0, None
        for _ in range(6000):
            time.sleep(0.01)
            now = os.stat(output).st_mtime_ns if os.path.exists(output) else None
            changes += now != last
            last = now
            if changes > 4:
                return

    def killed(self, output, signal_number, launcher=()):
        """Starts a long sweep and ends it by a signal as soon as something has been written."""
        process = subprocess.Popen([*launcher, PROGRAM, "sweep", *LONG, "--output", output],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.wait_until_written(output)
        self.assertIsNone(process.poll(), "the sweep was over too early to be killed")
        if signal_number == signal.SIGKILL:
            os.killpg(process.pid, signal_number)
        else:
            process.send_signal(signal_number)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors.decode()

    def check_resumed(self, output):
        whole = self.path("whole.h5")
        first = sweep(*LONG, "--output", whole)
        self.assertEqual(first.returncode, 0)
        again = sweep(*LONG, "--output", output, "--resume")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertRegex(again.stdout, "[1-9][0-9]* members are of the earlier run", "it began anew instead of going on")
        plain = re.sub("; [0-9]+ members are of the earlier run", "", again.stdout).replace(output, whole)
        self.assertEqual(plain, first.stdout, "the summary is not that of the whole sweep")
        self.assertEqual(Path(output).read_bytes(), Path(whole).read_bytes())

    def test_a_killed_sweep_goes_on(self):
        output = self.path("killed.h5")
        self.killed(output, signal.SIGKILL)
        self.check_resumed(output)

    def test_an_interrupted_sweep_says_how_to_go_on(self):
        output = self.path("interrupted.h5")
        code, errors = self.killed(output, signal.SIGINT)
        self.assertEqual(code, 2)
        self.assertIn("--resume", errors)
        self.check_resumed(output)

    def test_another_sweep_is_not_resumed(self):
        output = self.path("one.h5")
        self.assertEqual(sweep(*SMALL, "--output", output).returncode, 0)
        other = sweep("chaplygin-sleigh", "--vary", "omega=0.1:2:401", "--until", "5", "--output", output, "--resume")
        self.assertEqual(other.returncode, 2)
        self.assertIn("cannot-resume", other.stderr)

    def test_a_full_disk_is_told(self):
        os.symlink("/dev/full", self.path("full.csv"))  # every write to it fails
        full = sweep(*SMALL, "--output", self.path("full.csv"))
        self.assertEqual(full.returncode, 2)
        self.assertIn("unwritable-output", full.stderr)

    def test_a_file_that_cannot_grow_ends_with_a_whole_line(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        table = Path(self.path("small.csv"))
        run = sweep("chaplygin-sleigh", "--vary", "omega=0.1:2:4000", "--until", "1", "--output", str(table), preexec_fn=small)
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[unwritable-output]", run.stderr)
        lines = table.read_text()
        self.assertTrue(lines.endswith("\n"))
        rows = [line for line in lines.splitlines() if not line.startswith("#")]
        self.assertEqual({row.count(",") for row in rows}, {rows[0].count(",")})

    def test_a_table_without_a_header_is_not_left_behind(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        for name in ["none.h5", "none.csv"]:
            run = sweep(*SMALL, "--vary", "a=0.1:1:40", "--output", self.path(name), preexec_fn=small)
            if "missing-extension" in run.stderr:
                continue
            self.assertEqual(run.returncode, 2)
            self.assertFalse(Path(self.path(name)).exists())

    def test_motions_that_all_end_on_the_way(self):
        model = Path(self.path("away.toml"))
        model.write_text('lagrangian = "1/2*x\'^2 + x^4"\n[space]\nx = "R"\n[simulation]\ninitial = { x = 1, "x\'" = 1 }\n')
        run = sweep(str(model), "--vary", "x=1:2:11", "--until", "10", "--output", self.path("away.csv"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("error[motion-ends]: none of the 11 motions", run.stderr)
        rows = [line for line in Path(self.path("away.csv")).read_text().splitlines() if line[0].isdigit()]
        self.assertEqual(len(rows), 11)
        some = sweep(str(model), "--vary", "x=0,1,2", "--initial", "x'=0", "--until", "10")
        self.assertEqual(some.returncode, 0, some.stderr)
        self.assertIn("1 arrived, 2 stopped", some.stdout)

    CHART = ["chaplygin-sleigh", "--vary", "a=-1:1:9", "--vary", "omega=-2:2:9", "--until", "20", "--keep", "e=attractor(u)", "--refine", "3"]

    def rows(self, name):
        lines = [line for line in Path(self.path(name)).read_text().splitlines() if not line.startswith("#")]
        names = lines[0].split(",")
        return [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]

    def test_a_refined_chart_has_the_points_of_the_fine_grid(self):
        refined = sweep(*self.CHART, "--output", self.path("refined.csv"))
        self.assertEqual(refined.returncode, 0, refined.stderr)
        fine = sweep("chaplygin-sleigh", "--vary", "a=-1:1:65", "--vary", "omega=-2:2:65", "--until", "20", "--keep", "e=attractor(u)",
                     "--output", self.path("fine.csv"))
        self.assertEqual(fine.returncode, 0, fine.stderr)
        whole = {(row["a"], row["omega"]): row["e"] for row in self.rows("fine.csv")}
        some = self.rows("refined.csv")
        self.assertEqual(sum(row["level"] == 0 for row in some), 81)
        self.assertLess(len(some), len(whole))
        self.assertEqual(len({(row["a"], row["omega"]) for row in some}), len(some), "a point was computed twice")
        for row in some:
            self.assertEqual(row["e"], whole[row["a"], row["omega"]])
        # The steep edge of the chart, where the end u jumps as a changes its sign, is found to its last point.
        found = {(row["a"], row["omega"]) for row in some}
        edge = [(a, w) for a, w in whole if abs(a) < 1 / 32 + 1e-12 and abs(w) > 1]
        self.assertTrue(edge)
        self.assertTrue(all(point in found for point in edge))

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is absent")
    def test_ranks_do_not_change_a_refined_chart(self):
        one = sweep(*self.CHART, "--threads", "1", "--output", self.path("one.csv"))
        three = sweep(*self.CHART, "--output", self.path("three.csv"), launcher=MPIRUN)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(three.returncode, 0, three.stderr)
        self.assertEqual(Path(self.path("one.csv")).read_text(), Path(self.path("three.csv")).read_text())

    def test_a_refined_chart_goes_on_after_it_was_stopped(self):
        whole = sweep(*self.CHART, "--output", self.path("whole.h5"))
        if "missing-extension" in whole.stderr:
            self.skipTest("built without HDF5")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        # What a sweep that was killed in its last level leaves: the files of its levels, here the first alone.
        part = sweep(*self.CHART[:-1], "2", "--timeout", "1e-6", "--output", self.path("part.h5"))
        self.assertEqual(part.returncode, 2, part.stdout)
        self.assertIn("interrupted in level 0", part.stderr)
        self.assertIn("--resume", part.stderr)
        self.assertTrue(Path(self.path("part.level-0.h5")).exists())
        other = sweep(*self.CHART, "--output", self.path("part.h5"), "--resume")
        self.assertIn("cannot-resume", other.stderr, "levels of another sweep were taken")
        again = sweep(*self.CHART[:-1], "2", "--output", self.path("part.h5"), "--resume")
        self.assertEqual(again.returncode, 0, again.stderr)
        straight = sweep(*self.CHART[:-1], "2", "--output", self.path("straight.h5"))
        self.assertEqual(straight.returncode, 0, straight.stderr)
        self.assertEqual(Path(self.path("part.h5")).read_bytes(), Path(self.path("straight.h5")).read_bytes())
        self.assertFalse(Path(self.path("part.level-0.h5")).exists(), "levels are left over")

    def test_the_time_limit_holds_within_a_block(self):
        # lanes looked at the time between blocks alone: 115 s for a limit of 2 s
        for words in [[], ["--method", "rk4", "--step", "1e-3"], ["--method", "gauss4", "--step", "1e-3"], ["--keep", "l=lyapunov(1)"]]:
            with self.subTest(" ".join(words)):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                run = sweep("cart-pendulum", "--vary", "theta=0.1:1:64", "--until", "1e8", "--quiet", "--timeout", "0.5", *words)
                self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 10)
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertIn("the time limit was reached", run.stderr)

    def test_charts_that_cannot_be_refined(self):
        start = ["chaplygin-sleigh", "--refine", "2"]
        for words, error in [(["--vary", "a=1,2,3", "--keep", "e=final(u)"], "cannot be refined"),
                             (["--vary", "a=0:1:5"], "nothing by which neighbours could differ"),
                             (["--vary", "a=0:1:5", "--keep", "e=final(u)", "--differ", "f=1"], "`f` is not kept"),
                             (["--vary", "a=0:1:5", "--keep", "e=final(u)", "--differ", "e=-1"], "is not a difference")]:
            run = sweep(*start, *words)
            self.assertEqual(run.returncode, 2, words)
            self.assertIn(error, run.stderr)

    def test_backwards_is_where_forwards_came_from(self):
        """A sleigh turns to its steady slide forwards and away from it backwards; both are one motion."""
        there = sweep("chaplygin-sleigh", "--vary", "omega=0.5:2:7", "--until", "3", "--output", self.path("there.csv"))
        self.assertEqual(there.returncode, 0, there.stderr)
        for row in self.rows("there.csv"):
            ends = [key for key in row if key.startswith("final")]
            end = {"x": row["x"], "y": row["y"], "theta": row["theta"], "u": row["u"], "omega": row["final_omega"]}
            self.assertTrue(ends)
            back = sweep("chaplygin-sleigh", "--vary", f"omega={end['omega']!r},0", "--initial",
                         ",".join(f"{k}={end[k]!r}" for k in ("x", "y", "theta", "u")), "--until", "-3", "--keep", "w=final(omega)",
                         "--keep", "t=first(theta - theta)", "--output", self.path("back.csv"))
            self.assertEqual(back.returncode, 0, back.stderr)
            first = self.rows("back.csv")[0]
            self.assertEqual(first["time"], -3)
            self.assertAlmostEqual(first["w"], row["omega"], delta=1e-8)

    def test_exponents_backwards_are_those_of_the_repeller(self):
        """x'' = x - x' near rest: exponents (-1 ± sqrt 5)/2 forwards, their opposites backwards."""
        model = Path(self.path("saddle.toml"))
        model.write_text('lagrangian = "1/2*x\'^2 + 1/2*x^2"\n[space]\nx = "R"\n[forces]\nx = "-x\'"\n[simulation]\ninitial = { x = 0, "x\'" = 0 }\n')
        for until, largest in [("60", (5**0.5 - 1) / 2), ("-60", (5**0.5 + 1) / 2)]:
            run = sweep(str(model), "--vary", "x=0,0", "--until", until, "--keep", "l=lyapunov(1)", "--output", self.path("l.csv"))
            self.assertEqual(run.returncode, 0, run.stderr)
            for row in self.rows("l.csv"):
                self.assertAlmostEqual(row["l"], largest, delta=1e-6)


if __name__ == "__main__":
    unittest.main(verbosity=2)
