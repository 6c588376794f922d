"""Includes and sizes: no cycles within a layer, no include without a use, no file longer than its room allows.

    check_includes.py [REPOSITORY]

A *unit* is a header with the sources that belong to it (of the same name, or with `// Declared in LAYER/FILE.hpp.` as their first line). A unit
depends on another when one of its files includes the header of the other. Headers may not include each other in a circle; sources
may, because a function may need what needs its declaration.

An include of ours is unused when no name that the header declares, nor a name of a header that it passes on by `// IWYU pragma: export`, occurs in
the file. A source may include its own header without using it.

A file has at most 600 lines, unless the README.md of its room says "files of at most N lines".
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r"^#include <(rattleback/[^>]+)>(.*)$", re.M)
BUDGET = re.compile(r"files of at most (\d+) lines")
LINES = 600
KEYWORDS = set(
    """alignas auto bool char class const constexpr default delete double else enum explicit false final float for friend if include inline int
    long namespace noexcept nullptr operator override pragma private protected public rattleback return short signed size_t static std
    struct template this true typename unsigned using virtual void while T once define endif ifdef ifndef""".split())


class File:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.includes = [(self.text.count("\n", 0, m.start()) + 1, m[1], "export" in m[2]) for m in INCLUDE.finditer(self.text)]
        self.bare = COMMENT.sub(" ", INCLUDE.sub("", self.text))
        self.words = set(WORD.findall(self.bare))


def declared(file, files, seen=()):
    """Names that a header may be included for: all of its words but those that are common to most, and of the headers it passes on."""
    names = file.words - KEYWORDS
    for _, path, passed_on in file.includes:
        if passed_on and path in files and path not in seen:
            names |= declared(files[path], files, (*seen, path))
    return names


def own_names(file):
    """Names declared at the scope of a namespace or as a member, as far as their shape shows it."""
    found = set(re.findall(r"\b(?:class|struct|enum class|enum|union|using|concept|namespace)\s+([A-Za-z_]\w*)", file.bare))
    found |= set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", file.bare))
    found |= set(re.findall(r"\b([A-Za-z_]\w*)\s*(?:=|\{|;|\[)", file.bare))
    found |= set(re.findall(r"^#define\s+([A-Za-z_]\w*)", file.bare, re.M))
    found |= set(re.findall(r"[{,]\s*([A-Za-z_]\w*)\s*(?=[,}])", file.bare))
    return found - KEYWORDS


def unused(file, files):
    for line, path, passed_on in file.includes:
        if passed_on or path not in files or path.rsplit(".", 1)[0] == str(file.key).rsplit(".", 1)[0]:
            continue
        header = files[path]
        names = own_names(header)
        for _, more, through in header.includes:
            if through and more in files:
                names |= own_names(files[more])
        if not names & file.words:
            yield f"{file.key}:{line}: <{path}> is included and nothing of it is used"


def cycles(files):
    """Headers that include each other in a circle, one circle for each place where one closes."""
    state, stack = {}, []

    def visit(path):
        state[path] = "open"
        stack.append(path)
        for _, other, _ in files[path].includes:
            if other not in files:
                continue
            if state.get(other) == "open":
                yield stack[stack.index(other):] + [other]
            elif other not in state:
                yield from visit(other)
        stack.pop()
        state[path] = "done"

    for path in sorted(files):
        if path.endswith(".hpp") and path not in state:
            yield from visit(path)


def allowed_lines(folder):
    page = folder / "README.md"
    found = BUDGET.search(page.read_text(encoding="utf-8")) if page.is_file() else None
    return int(found[1]) if found else LINES


def problems(root):
    """All violations below root/rattleback, as `file:line: reason`."""
    files = {}
    for path in sorted([*(root / "rattleback").rglob("*.hpp"), *(root / "rattleback").rglob("*.cpp")]):
        file = File(path)
        file.key = path.relative_to(root).as_posix()
        files[file.key] = file
    for circle in cycles({key: file for key, file in files.items() if key.endswith(".hpp")}):
        yield f"{circle[0]}:1: headers include each other: {' -> '.join(circle)}"
    for file in files.values():
        yield from unused(file, files)
        length, most = file.text.count("\n"), allowed_lines(file.path.parent)
        if length > most:
            yield f"{file.key}:{most}: {length} lines; a file of this room has at most {most}: take a part of it out"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "no circles of includes, no unused includes, no file too long")
    sys.exit(bool(found))
