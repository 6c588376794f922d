"""The name is the path: a source has a header of its name beside it, or its first line says in which header it is declared.

    check_paths.py [REPOSITORY]

A test of a file is found by its path, too: tests/units/LAYER/ROOM/... holds only folders that rattleback/ (or apps) has.
"""

import re
import sys
from pathlib import Path

DECLARED = re.compile(r"^//+ Declared in ([a-z0-9_/]+\.hpp)\b")


def problems(root):
    library = root / "rattleback"
    for source in sorted(library.rglob("*.cpp")):
        if source.with_suffix(".hpp").is_file():
            continue
        where = f"{source.relative_to(root)}:1"
        found = DECLARED.match(source.read_text(encoding="utf-8"))
        if not found:
            yield f"{where}: no header of this name; begin with `// Declared in LAYER/FILE.hpp: what this part does`"
        elif not (library / found[1]).is_file():
            yield f"{where}: there is no rattleback/{found[1]}"
    units = root / "tests" / "units"
    for folder in sorted(path for path in units.rglob("*") if path.is_dir()):
        inside = folder.relative_to(units)
        if not (library / inside).is_dir() and inside.parts[0] != "apps":
            yield f"{folder.relative_to(root)}:1: rattleback/ has no folder {inside}; tests mirror the tree"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "every source is found by its name")
    sys.exit(bool(found))
