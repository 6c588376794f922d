"""Limits stand in tables: a constant that limits work, length or input has its number in one of the files below, with a sentence.

    check_limits.py [REPOSITORY]

A constant is a limit by its name: `most`, `longest`, `largest`, `deepest`, `highest`, `limit`, `enough`, `affordable`, `hopeless` or `worth`
among its words, or `up_to` at its end. Elsewhere it is written in terms of a row, `search_limits::corners.count`. Numbers that are no
integers are tolerances of a method, and stay with it.
"""

import re
import sys
from pathlib import Path

TABLES = [
    "rattleback/algebra/arithmetic/input_limits.hpp",
    "rattleback/algebra/arithmetic/search_limits.hpp",
    "rattleback/algebra/arithmetic/work_limits.hpp",
    "rattleback/algebra/expression/legibility.hpp",
    "rattleback/native/code_sizes.hpp",
    "apps/rattleback/studio_limits.hpp",
]
FOLDERS = ["rattleback", "apps", "python/core"]
DECLARATION = re.compile(r"\bconstexpr\s+(?!auto\b|bool\b|double\b|float\b)[\w:]+(?:<[^;>]*>)?\s+([^;]*);")
NUMBER = re.compile(r"\b([a-z]\w*)\s*(?:=|\{)\s*(?:[\w:]+\{)?-?\d[\d']*[uUlL]*\}?\s*(?:(?:<<|\*)\s*[\d']+[uUlL]*\s*)?\}?\s*(?=,|$)")
LIMIT = re.compile(r"(?:^|_)(?:most|longest|largest|deepest|highest|limit|enough|affordable|hopeless|worth)(?:_|$)|_up_to$")


def limits_in(text):
    """(line number, name) of the limits that are numbers here."""
    for found in DECLARATION.finditer(text):
        for name in NUMBER.finditer(found[1]):
            if LIMIT.search(name[1]):
                yield text.count("\n", 0, found.start(1) + name.start()) + 1, name[1]


def problems(root):
    """All violations, as `file:line: reason`."""
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            where = file.relative_to(root).as_posix()
            if where in TABLES:
                continue
            for line, name in limits_in(file.read_text(encoding="utf-8")):
                yield f"{where}:{line}: `{name}` is a limit: give it a row in one of the tables ({', '.join(Path(t).name for t in TABLES)})"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "every limit stands in a table")
    sys.exit(bool(found))
