"""The layers of rattleback/ in order: a file may include its own folder and folders before it, never after.

    check_layers.py [REPOSITORY]

The order is the list below, which is alphabetical, so that `ls` shows the architecture. Within proof/, what checks certificates
is reached from checker.cpp and may use the algebra alone: it shares no code with the searches that found them.
"""

import re
import sys
from pathlib import Path

LAYERS = ["algebra", "geometry", "model", "motion", "native", "proof", "simulate", "sweep", "view"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def problems_of_line(layer, line):
    """What is wrong with one source line of a layer; usually nothing."""
    match = INCLUDE.match(line)
    if not match:
        return
    bracket, path = match.groups()
    parts = path.split("/")
    if parts[0] == "rattleback":
        target = parts[1] if len(parts) > 2 else None
        if target not in LAYERS:
            yield f"<{path}> lies in no layer ({' '.join(LAYERS)})"
        elif LAYERS.index(target) > LAYERS.index(layer):
            yield f"{layer} may not include <{path}>: {target} comes after {layer} ({' '.join(LAYERS)})"
    elif bracket == '"':
        yield f'"{path}": write <rattleback/layer/file.hpp>, so that the layer can be seen'


def problems(root):
    """All violations below root/rattleback, as `file:line: reason`."""
    library = root / "rattleback"
    for entry in sorted(library.iterdir()) if library.is_dir() else []:
        where = entry.relative_to(root)
        if not entry.is_dir():
            yield f"{where}:1: a file belongs into one of the layers ({' '.join(LAYERS)})"
            continue
        if entry.name not in LAYERS:
            yield f"{where}:1: not a layer ({' '.join(LAYERS)})"
            continue
        for file in sorted(entry.iterdir()):
            where = file.relative_to(root)
            if file.is_dir():
                yield f"{where}:1: a layer has no subfolders; give the file the name of its idea instead"
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                for reason in problems_of_line(entry.name, line):
                    yield f"{where}:{number}: {reason}"


def includes(file):
    """The files of rattleback/ that a file includes, with their lines."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match and match.group(2).startswith("rattleback/"):
            yield number, match.group(2)


def checker_problems(root):
    """What is reached from the checker of certificates, sources beside their headers, and is not algebra."""
    pending, seen = [root / "rattleback" / "proof" / "checker.cpp"], set()
    while pending:
        file = pending.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        for number, path in includes(file):
            layer = path.split("/")[1]
            if layer == "proof":
                pending += [root / path, (root / path).with_suffix(".cpp")]
            elif layer != "algebra":
                where = file.relative_to(root)
                yield f"{where}:{number}: the checker of certificates may not use <{path}>: it shares the algebra alone"


if __name__ == "__main__":
    repository = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = [*problems(repository), *sorted(checker_problems(repository))]
    print("\n".join(found) or "the layers are in order")
    sys.exit(bool(found))
