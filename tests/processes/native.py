"""Compiled and interpreted motions are the same to the last digit, with LLVM, without it, and with what it left on the disk.

    native.py PROGRAM
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
HAVE_LLVM = any(PROGRAM.parents[depth].joinpath("lib/rattleback/librattleback_llvm.so").exists() for depth in (1, 2))
HAVE_FMA = " fma " in Path("/proc/cpuinfo").read_text()
SWEEP = ["sweep", "falling-disk", "--vary", "turn=0.2:0.9:150", "--vary", "m=1:2:2", "--until", "3", "--threads", "2"]
SIMULATE = ["simulate", "snakeboard", "--method", "dop853", "--samples", "20", "--events", "phi", "--format", "json"]


class Native(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="rattleback-native-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *words, without_llvm=False, cache="cache"):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / cache))
        if without_llvm:
            # A file with the name of LLVM, or of what its parts need, that is no library: the extension cannot be opened.
            hidden = self.folder / "hidden"
            hidden.mkdir(exist_ok=True)
            for name in ("libLLVM.so.19.1", "libLLVM-19.so", "libLLVM-19.so.1", "libzstd.so.1"):
                (hidden / name).write_text("not a library")
            environment["LD_LIBRARY_PATH"] = str(hidden)
        return subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment)

    def output(self, process):
        out, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(errors, "", "no warning where the interpreter is used instead")
        return out

    def table(self, *words, **how):
        path = self.folder / "table.csv"
        self.output(self.start(*SWEEP, "--output", str(path), *words, **how))
        return path.read_text()

    def test_without_llvm_everything_runs_and_only_an_explicit_wish_is_refused(self):
        interpreted = self.table("--native", "off")
        self.assertEqual(interpreted, self.table("--native", "auto", without_llvm=True))
        if not HAVE_LLVM:
            self.skipTest("LLVM is absent")
        refused = self.start(*SWEEP, "--native", "on", without_llvm=True)
        _, errors = refused.communicate(timeout=300)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("missing-extension", errors)

    @unittest.skipUnless(HAVE_LLVM, "LLVM is absent")
    def test_compiled_and_interpreted_are_the_same(self):
        self.assertEqual(self.table("--native", "off"), self.table("--native", "on"))
        self.assertEqual(self.output(self.start(*SIMULATE, "--native", "off")),
                         self.output(self.start(*SIMULATE, "--native", "on")))

    @unittest.skipUnless(HAVE_FMA, "the processor does not round a*b + c once")
    def test_single_motions_are_assembled_without_llvm(self):
        self.assertEqual(self.output(self.start(*SIMULATE, "--native", "off")),
                         self.output(self.start(*SIMULATE, "--native", "on", without_llvm=True)))

    @unittest.skipUnless(HAVE_LLVM, "LLVM is absent")
    def test_what_was_compiled_needs_no_llvm(self):
        compiled = self.table("--native", "on")
        objects = list((self.folder / "cache" / "rattleback").glob("*.o"))
        self.assertGreater(len(objects), 0)
        self.assertEqual(compiled, self.table("--native", "on", without_llvm=True))

    @unittest.skipUnless(HAVE_LLVM, "LLVM is absent")
    def test_processes_share_a_folder(self):
        tables = [self.folder / f"table{k}.csv" for k in range(4)]
        together = [self.start(*SWEEP, "--native", "on", "--output", str(table), cache="shared") for table in tables]
        for process in together:
            self.output(process)
        self.assertEqual(len({table.read_text() for table in tables}), 1)
        self.assertEqual({path.suffix for path in (self.folder / "shared" / "rattleback").iterdir()}, {".o"})

    @unittest.skipUnless(HAVE_LLVM, "LLVM is absent")
    def test_a_folder_that_cannot_be_used_is_no_obstacle(self):
        (self.folder / "file").write_text("")
        self.assertEqual(self.output(self.start(*SIMULATE, "--native", "off")),
                         self.output(self.start(*SIMULATE, "--native", "on", cache="file")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
