"""Hostile input and output: deep, long, empty and broken files, numbers of any length, places that cannot be written. Every run ends with an exit code
from 0 to 3; an error has a slug, and no file is left half written without a word.

    hostile.py PROGRAM
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())

PENDULUM = """lagrangian = "1/2*th'^2 + cos(th)"
[space]
th = "S1"
[simulation]
initial = { th = 1, "th'" = 0 }
until = 1
"""


def particle(potential, value="1"):
    return f'''lagrangian = "1/2*x\'^2 - k*({potential})"
[space]
x = "R"
[parameters]
k = {value}
[simulation]
initial = {{ x = 1, "x\'" = 0 }}
until = 1
'''


VERBS = [
    ("check", ["--timeout", "2"]),
    ("derive", ["--timeout", "2"]),
    ("analyze", ["--question", "energy,equilibria", "--timeout", "1"]),
    ("simulate", ["--until", "0.1", "--search", "0", "--timeout", "5"]),
    ("export", ["--to", "c", "--timeout", "5"]),
]


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *words, text=None, binary=None):
        if text is not None:
            (self.at / "model.toml").write_text(text)
        if binary is not None:
            (self.at / "model.toml").write_bytes(binary)
        run = subprocess.run([PROGRAM, *words], cwd=self.at, capture_output=True, text=True, errors="replace", timeout=900)
        said = run.stdout + run.stderr
        self.assertIn(run.returncode, [0, 1, 2, 3], said[-500:])
        self.assertNotIn("bug[", said)
        if run.returncode == 2:
            self.assertIn("error[", said)
        return run

    def in_every_verb(self, text, codes):
        for verb, words in VERBS:
            with self.subTest(verb):
                self.assertIn(self.run_it(verb, "model.toml", *words, text=text).returncode, codes)

    def test_twenty_thousand_parentheses(self):
        self.in_every_verb(particle("(" * 20000 + "x^2" + ")" * 20000), [0, 2, 3])
        self.in_every_verb(particle("-(" * 20000 + "x^2" + ")" * 20000), [0, 2, 3])
        self.in_every_verb(particle("sin(" * 20000 + "x" + ")" * 20000), [0, 2, 3])
        self.in_every_verb(particle("x^" + "(1+" * 5000 + "1" + ")" * 5000), [0, 2, 3])

    def test_a_hundred_thousand_terms(self):
        self.in_every_verb(particle(" + ".join(f"x^{2 + k % 5}/{k}" for k in range(1, 100001))), [0, 2, 3])

    def test_numbers_of_any_length(self):
        digits = "0." + "1234567890" * 20
        self.in_every_verb(particle(f"{digits}*x^2"), [0, 3])
        self.in_every_verb(particle("x^2", value=f'"{digits}"'), [0, 3])
        self.in_every_verb(particle("x^2", value="1" * 200), [0, 2, 3])
        self.in_every_verb(particle("x^2", value="1e400"), [0, 2, 3])
        self.in_every_verb(particle("x^2", value="1e-400"), [0, 2, 3])
        self.in_every_verb(particle("1e400*x^2 - 1e400*x^2 + x^2"), [0, 2, 3])
        self.in_every_verb(particle("x^1e9"), [0, 2, 3])
        self.in_every_verb(particle("x^(10^30)"), [0, 2, 3])
        self.in_every_verb(particle("x^2", value="nan"), [2])
        self.in_every_verb(particle("x^2", value="inf"), [2])

    def test_no_program_has_an_infinite_parameter(self):
        for language in ["c", "js", "python", "julia", "matlab", "fortran", "sympy", "modelica", "auto"]:
            with self.subTest(language):
                run = self.run_it("export", "model.toml", "--to", language, text=particle("k*x^2", value="1e400"))
                self.assertIn(run.returncode, [0, 2])
                self.assertNotRegex(run.stdout, r"(?i)\b(inf|infinity|nan)\b")

    def test_letters_of_other_alphabets_and_line_ends(self):
        self.in_every_verb(PENDULUM.replace("\n", "\r\n"), [0, 3])
        for text in [PENDULUM.replace("th", "\u03b8"), PENDULUM.replace("th", "\U0001f600"), "\ufeff" + PENDULUM, PENDULUM + "# \u65e5\u672c\u8a9e\n"]:
            self.in_every_verb(text, [0, 2, 3])
        for raw in [b"\xff\xfe" + PENDULUM.encode("utf-16-le"), b"\x00" * 100, PENDULUM.encode().replace(b"th", b"t\xe9"), b"\x1b[2J" + PENDULUM.encode()]:
            for verb, words in VERBS:
                with self.subTest(f"{verb} {raw[:8]}"):
                    self.assertEqual(self.run_it(verb, "model.toml", *words, binary=raw).returncode, 2)

    def test_files_that_are_no_models(self):
        self.in_every_verb("", [2])
        self.in_every_verb("\n\n# nothing\n", [2])
        (self.at / "folder").mkdir()
        (self.at / "loop.toml").symlink_to("loop.toml")
        for verb, words in VERBS:
            for name in ["folder", "missing.toml", "/dev/null", "loop.toml", "", "-"]:
                with self.subTest(f"{verb} {name}"):
                    self.assertEqual(self.run_it(verb, name, *words).returncode, 2)

    def test_places_that_cannot_be_written(self):
        (self.at / "folder.csv").mkdir()
        for name in ["full.csv", "full.svg"]:  # not /dev/full itself: a program that replaced it would do so for good
            (self.at / name).symlink_to("/dev/full")
        for place in ["full.csv", "folder.csv", "missing/out.csv", "/proc/out.csv"]:
            for words in [
                ["simulate", "model.toml", "--search", "0", "--output", place],
                ["sweep", "model.toml", "--vary", "th=0:1:3", "--quiet", "--output", place],
                ["report", "model.toml", "--timeout", "0.2", "-o", place],
                ["simulate", "model.toml", "--search", "0", "--plot", place.replace(".csv", ".svg")],
            ]:
                with self.subTest(" ".join(words)):
                    if words[-1] == "folder.svg":
                        continue
                    self.assertEqual(self.run_it(*words, text=PENDULUM).returncode, 2)
        for name in ["full.csv", "full.svg"]:
            self.assertTrue((self.at / name).is_symlink())

    def test_links_and_pipes_stay_what_they_are(self):
        (self.at / "target.html").write_text("before")
        (self.at / "link.html").symlink_to("target.html")
        self.assertEqual(self.run_it("report", "model.toml", "--timeout", "0.2", "-o", "link.html", text=PENDULUM).returncode, 0)
        self.assertTrue((self.at / "link.html").is_symlink())
        self.assertIn("</html>", (self.at / "target.html").read_text())
        os.mkfifo(self.at / "pipe.csv")
        with subprocess.Popen(["cat", "pipe.csv"], cwd=self.at, stdout=subprocess.PIPE, text=True) as reader:
            self.assertEqual(self.run_it("simulate", "model.toml", "--search", "0", "--output", "pipe.csv").returncode, 0)
            self.assertIn("th", reader.communicate(timeout=60)[0])

    def test_a_full_terminal_is_said(self):
        (self.at / "model.toml").write_text(PENDULUM)
        for verb, words in VERBS:
            with self.subTest(verb), open("/dev/full", "w") as full:
                run = subprocess.run([PROGRAM, verb, "model.toml", *words], cwd=self.at, stdout=full, stderr=subprocess.PIPE, text=True, timeout=600)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn("error[", run.stderr)

    def test_a_closed_terminal_ends_the_run(self):
        (self.at / "model.toml").write_text(PENDULUM)
        reader, writer = os.pipe()
        os.close(reader)
        run = subprocess.run([PROGRAM, "simulate", "model.toml", "--samples", "5000", "--show", "all"], cwd=self.at, stdout=writer, stderr=subprocess.PIPE, timeout=600)
        os.close(writer)
        self.assertIn(run.returncode, [0, 2, -13])

    def test_counts_beyond_reason(self):
        for words in [
            ["--samples", "1000000000000"],
            ["--samples", "99999999999999999999999"],
            ["--samples", "-1"],
            ["--samples", "1.5"],
            ["--until", "1e300", "--timeout", "1"],
            ["--until", "nan"],
            ["--until", "inf"],
            ["--step", "1e-300", "--method", "rk4", "--timeout", "1"],
            ["--step", "-1", "--method", "rk4"],
            ["--rtol", "0"],
            ["--rtol", "1e300"],
            ["--precision", "100000000"],
            ["--precision", "0"],
            ["--lyapunov", "1000000"],
            ["--section", "th", "--points", "1000000000000", "--timeout", "1"],
        ]:
            with self.subTest(" ".join(words)):
                self.run_it("simulate", "model.toml", "--search", "0", *words, text=PENDULUM)
        for vary in ["th=0:1:1000000000000", "th=0:1:0", "th=1:1:2", "th=0:1:-3", "th", "th=a:b:c", "zz=0:1:3"]:
            with self.subTest(vary):
                self.run_it("sweep", "model.toml", "--vary", vary, "--quiet", "--output", "t.csv", "--timeout", "2", text=PENDULUM)


if __name__ == "__main__":
    unittest.main()
