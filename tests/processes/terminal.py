"""Colours and progress are for terminals: NO_COLOR, files and pipes see none of them; every verb has help with an example.

    terminal.py PROGRAM
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def on_terminal(*words, **environment):
    """What appears on a terminal: both streams."""
    keeper, end = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], stdout=end, stderr=end, env={**os.environ, "TERM": "xterm", **environment})
    os.close(end)
    seen = b""
    try:
        while piece := os.read(keeper, 65536):
            seen += piece
    except OSError:  # the terminal is gone with the program
        pass
    process.wait()
    os.close(keeper)
    return seen.decode()


def in_pipes(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


class Terminal(unittest.TestCase):
    asked = ("analyze", "chaplygin-sleigh", "--question", "energy")

    def setUp(self):
        os.environ.pop("NO_COLOR", None)

    def test_colours_on_a_terminal_only(self):
        self.assertIn("energy: \033[1;32mproved\033[0m", on_terminal(*self.asked))
        self.assertIn("\033[1;31merror[unknown-model]\033[0m", on_terminal("check", "qqqqq"))
        for stream in in_pipes(*self.asked) + in_pipes("check", "qqqqq"):
            self.assertNotIn("\033", stream)

    def test_no_color_is_respected(self):
        self.assertNotIn("\033[1;", on_terminal(*self.asked, NO_COLOR="1"))
        self.assertNotIn("\033[1;", on_terminal(*self.asked, TERM="dumb"))
        self.assertIn("\033[1;", on_terminal(*self.asked, NO_COLOR=""))

    def test_progress_on_a_terminal_only(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            self.assertRegex(on_terminal("report", "knife-edge", "-o", page), r"\[\d+/\d+\] energy")
            self.assertEqual(in_pipes("report", "knife-edge", "-o", page)[1], "")
        sweep = ("sweep", "chaplygin-sleigh", "--vary", "a=0.1:1:20")
        self.assertEqual(in_pipes(*sweep)[1], "")

    def test_every_verb_has_help_with_an_example(self):
        verbs = re.findall(r"^  rattleback ([a-z]+)", in_pipes("--help")[0], flags=re.M)
        self.assertGreater(len(verbs), 9)
        for verb in verbs:
            for words in ((verb, "--help"), ("help", verb)):
                told = in_pipes(*words)[0]
                self.assertRegex(told, rf"examples:\n  (mpirun .*)?rattleback {verb}", verb)


if __name__ == "__main__":
    unittest.main()
