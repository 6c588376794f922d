"""The layers of rattleback/ in order: a file may include its own folder and folders before it, never after.

    check_layers.py [REPOSITORY]

The order is the list below, which is alphabetical, so that `ls` shows the architecture.
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


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "the layers are in order")
    sys.exit(bool(found))
