"""The trusted kernel proof/check/ links the algebra alone: followed through the symbols of the object files, not through headers.

    check_kernel.py BUILD [--list]

Starting from the objects of proof/check/, every undefined symbol is looked up among the objects of the library, until nothing new
is needed. An object of another folder than proof/check/ and algebra/ is a violation. --list prints the closure with its lines of
code: the trusted base. Works with separate object files; a unity build is judged by rooms, and its lines are not counted.
The lines must not exceed what docs/theory/certificates.md says: "at most N lines of code, with the algebra it links at most M".
"""

import re
import subprocess
import sys
from pathlib import Path

ALLOWED = ("proof/check/", "algebra/")
OBJECT = re.compile(r"rattleback/((?:[a-z]+/)+[a-z0-9_]+\.cpp)\.o$")
STATED = re.compile(r"at\s+most\s+([\d ]+)\s+lines\s+of\s+code,\s+with\s+the\s+algebra\s+it\s+links\s+at\s+most\s+([\d ]+)")
UNITY = re.compile(r"batches/batch_rattleback_([a-z]+)_(?:([a-z]+)_)?(\d+)\.cpp\.o$")


def name_of(path):
    """`proof/check/checker.cpp` for an object file of the library, `proof/check/0` for a batch; None for others."""
    text = path.as_posix()
    if found := OBJECT.search(text):
        return found[1]
    if found := UNITY.search(text):
        return "/".join(part for part in found.groups() if part)
    return None


def symbols_of(paths):
    """{path: (defined, undefined)} of object files, by one call of nm. Weak definitions count as defined: any copy serves."""
    text = subprocess.run(["nm", "--format=posix", "--print-file-name", *paths], capture_output=True, text=True, check=True).stdout
    found = {path: (set(), set()) for path in map(str, paths)}
    for line in text.splitlines():
        file, name, kind = line.split()[:3]
        defined, undefined = found[file.rstrip(":")]
        if kind in "Uw":
            undefined.add(name)
        elif kind in "TDBRVWu":
            defined.add(name)
    return {path: (defined, undefined - defined) for path, (defined, undefined) in found.items()}


def closure(objects):
    """The names of the objects that the kernel needs, itself included."""
    home = {}
    for name in sorted(objects, key=lambda n: not n.startswith(ALLOWED)):
        for symbol in objects[name][0]:
            home.setdefault(symbol, name)
    needed, pending = set(), [name for name in objects if name.startswith(ALLOWED[0])]
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        pending += {home[symbol] for symbol in objects[name][1] if symbol in home}
    return needed


def problems(objects):
    needed = closure(objects)
    if not any(name.startswith(ALLOWED[0]) for name in needed):
        yield "no object file of proof/check/ was found: build the library first"
    for name in sorted(needed):
        if not name.startswith(ALLOWED):
            yield f"rattleback/{name}: the kernel links it, and may use the algebra alone"


def lines_of(names, library):
    """Lines of code of sources and their headers, blank lines and comments left out."""
    total = 0
    for name in names:
        for file in {library / name, (library / name).with_suffix(".hpp")}:
            if file.is_file():
                lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
                total += sum(1 for line in lines if line and not line.startswith("//"))
    return total


def stated_limits(page):
    """(kernel, with algebra): the lines of code that the page allows."""
    found = STATED.search(page.read_text(encoding="utf-8"))
    return tuple(int(number.replace(" ", "")) for number in found.groups()) if found else (0, 0)


def excess(counts, limits):
    for count, limit, what in zip(counts, limits, ("the kernel", "the kernel with the algebra it links")):
        if count > limit:
            yield f"docs/theory/certificates.md: {what} has {count} lines of code, and the page says at most {limit}"


def main(build, *options):
    paths = [path for path in sorted(Path(build).rglob("*.o")) if name_of(path)]
    objects = {name_of(Path(path)): symbols for path, symbols in symbols_of(paths).items()} if paths else {}
    found = list(problems(objects))
    root = Path(__file__).resolve().parents[1]
    needed = closure(objects)
    kernel = [name for name in needed if name.startswith(ALLOWED[0])]
    counts = lines_of(kernel, root / "rattleback"), lines_of(needed, root / "rattleback")
    found += excess(counts, stated_limits(root / "docs/theory/certificates.md"))
    print("\n".join(found) or "the kernel links the algebra alone")
    print(f"kernel: {len(kernel)} sources, {counts[0]} lines of code; with the algebra it links: {len(needed)} sources, {counts[1]} lines")
    if "--list" in options:
        print("\n".join(sorted(needed)))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
