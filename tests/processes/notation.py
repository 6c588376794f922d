"""NOTATION.md and what the program prints as LaTeX agree, letter by letter.

    notation.py RATTLEBACK
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "NOTATION.md"
PROGRAM = Path(sys.argv.pop(1)).resolve()
NUMBERS = {"pi"}  # a number in expressions, not a name of a model


def letters():
    """[(name, LaTeX)] of the table of letters, and their capitals where LaTeX has some of their own."""
    text = PAGE.read_text(encoding="utf-8").split("## Letters", 1)[1]
    found = re.findall(r"\| `([a-z]+)` \| \S+ \| `([^`]+)`", text)
    capitals = [(name.capitalize(), latex.capitalize()) for name, latex in
                (("omega", "omega"), ("gamma", "gamma"), ("lambda", "lambda"), ("psi", "psi"), ("sigma", "sigma"))]
    return [(n, l) for n, l in found if n not in NUMBERS] + [(n, "\\" + l) for n, l in capitals]


class Notation(unittest.TestCase):
    def test_letters_are_printed_as_the_page_says(self):
        all_letters = letters()
        self.assertGreater(len(all_letters), 20)
        parameters = "\n".join(f"{name} = {number}" for number, (name, _) in enumerate(all_letters, 2))
        potential = " + ".join(f"{name}*x^{power}" for power, (name, _) in enumerate(all_letters, 1))
        model = f'lagrangian = "1/2*x\'^2 - ({potential})"\n[space]\nx = "R"\n[parameters]\n{parameters}\n'
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "letters.toml"
            file.write_text(model, encoding="utf-8")
            said = subprocess.run([PROGRAM, "derive", file, "--format", "latex"], capture_output=True, text=True, check=True).stdout
        for name, latex in all_letters:
            with self.subTest(name):
                self.assertRegex(said, re.escape(latex) + r"(?![a-z])")


if __name__ == "__main__":
    unittest.main()
