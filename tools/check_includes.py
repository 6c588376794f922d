"""Includes and sizes: no cycles within a layer, no include without a use, no file longer than its room allows.

    check_includes.py [REPOSITORY]

Headers may not include each other in a circle. An include of ours is unused when no name that the header declares occurs in the file; a header
that wraps one of another library (`arithmetic/flint.hpp`) passes its names on, and a source may include its own header without using it.

FLINT 2 and FLINT 3 are told apart in one file, `algebra/arithmetic/flint_headers.hpp`: no other asks for the version, or includes a header of Arb
or Calcium by a path that one of the two does not have.

A file has at most 450 lines, unless the README.md of its room says "files of at most N lines", or a tool has written it ("Written by tools/...").
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r"^#include <(rattleback/[^>]+)>", re.M)
WRAPS = re.compile(r"^#pragma GCC diagnostic push", re.M)  # around the headers of others
BUDGET = re.compile(r"files of at most (\d+) lines")
FLINT_VERSIONS = re.compile(
    r"^#include <(?:flint/)?(?:arb|acb|mag|arf|fmpz_mpoly_q|ca|qqbar)[a-z_]*\.h>|^#include <(?:calcium|antic)/|__FLINT_(?:VERSION|RELEASE)|__has_include\(<flint", re.M)
FLINT_VERSIONS_TOLD_APART = "rattleback/algebra/arithmetic/flint_headers.hpp"
LINES = 450
KEYWORDS = set(
    """alignas auto bool char class const constexpr default delete double else enum explicit false final float for friend if include inline int
    long namespace noexcept nullptr operator override pragma private protected public rattleback return short signed size_t static std
    struct template this true typename unsigned using virtual void while T once define endif ifdef ifndef""".split())


class File:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.includes = [(self.text.count("\n", 0, m.start()) + 1, m[1]) for m in INCLUDE.finditer(self.text)]
        self.bare = COMMENT.sub(" ", INCLUDE.sub("", self.text))
        self.words = set(WORD.findall(self.bare))


def own_names(file):
    """Names declared at the scope of a namespace or as a member, as far as their shape shows it."""
    found = set(re.findall(r"\b(?:class|struct|enum class|enum|union|using|concept|namespace)\s+([A-Za-z_]\w*)", file.bare))
    found |= set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", file.bare))
    found |= set(re.findall(r"\b([A-Za-z_]\w*)\s*(?:=|\{|;|\[)", file.bare))
    found |= set(re.findall(r"^#define\s+([A-Za-z_]\w*)", file.bare, re.M))
    found |= set(re.findall(r"[{,]\s*([A-Za-z_]\w*)\s*(?=[,}])", file.bare))
    return found - KEYWORDS


def unused(file, files):
    for line, path in file.includes:
        if path not in files or path.rsplit(".", 1)[0] == file.key.rsplit(".", 1)[0] or WRAPS.search(files[path].text):
            continue
        if not own_names(files[path]) & file.words:
            yield line, path


def cycles(files):
    """Headers that include each other in a circle, one circle for each place where one closes."""
    state, stack = {}, []

    def visit(path):
        state[path] = "open"
        stack.append(path)
        for _, other in files[path].includes:
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
        for line, path in unused(file, files):
            yield f"{file.key}:{line}: <{path}> is included and nothing of it is used"
        if file.key != FLINT_VERSIONS_TOLD_APART and (found := FLINT_VERSIONS.search(file.text)):
            line = file.text.count("\n", 0, found.start()) + 1
            yield f"{file.key}:{line}: versions of FLINT differ here; write #include RATTLEBACK_ARB_HEADER(...) of {FLINT_VERSIONS_TOLD_APART}"
        length, most = file.text.count("\n"), allowed_lines(file.path.parent)
        if length > most and "Written by tools/" not in file.text[:500]:
            yield f"{file.key}:{most}: {length} lines; a file of this room has at most {most}: take a part of it out"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "no circles of includes, no unused includes, no file too long")
    sys.exit(bool(found))
