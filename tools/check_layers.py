"""The layers of rattleback/ in order, and the rooms of each layer in order.

    check_layers.py [REPOSITORY]

A file may include its own layer and layers before it, never after; within a layer its own room and rooms before it. The order of
the layers is the list below, which is alphabetical, so that `ls` shows the architecture. The order of the rooms is the order in
which the layer's README.md lists them, so that the page and the rule cannot differ. A layer with rooms has no files of its own; one without
has at most 70.

The trusted kernel proof/check/ may use the algebra alone: it shares no code with the searches whose certificates it checks. Its
closure is followed through sources, not only through headers: every symbol that the archive members of the kernel need is defined
in the kernel or in algebra/ (check_kernel.py looks at the built archive).
"""

import re
import sys
from pathlib import Path

LAYERS = ["algebra", "geometry", "model", "motion", "native", "proof", "simulate", "study", "sweep", "trial", "view"]
KERNEL = ("proof", "check")
FILES = 70  # of a layer without rooms
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ROOM = re.compile(r"^- `([a-z]+)/`")


def rooms_of(layer):
    """The rooms of a layer in the order of its README; none when it has no rooms."""
    page = layer / "README.md"
    lines = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
    return [found[1] for line in lines if (found := ROOM.match(line))]


def problems_of_include(layer, room, path, bracket, rooms):
    """What is wrong with one include of a file in a room (or None) of a layer; usually nothing."""
    parts = path.split("/")
    if parts[0] != "rattleback":
        if bracket == '"':
            yield f'"{path}": write <rattleback/layer/file.hpp>, so that the layer can be seen'
        return
    target = parts[1] if len(parts) > 2 else None
    if target not in LAYERS:
        yield f"<{path}> lies in no layer ({' '.join(LAYERS)})"
    elif LAYERS.index(target) > LAYERS.index(layer):
        yield f"{layer} may not include <{path}>: {target} comes after {layer} ({' '.join(LAYERS)})"
    elif (layer, room) == KERNEL and (target, *parts[2:-1]) != KERNEL and target != "algebra":
        yield f"the checker of certificates may not use <{path}>: it shares the algebra alone"
    elif target == layer and room and len(parts) == 4:
        if parts[2] in rooms and rooms.index(parts[2]) > rooms.index(room):
            yield f"{room} may not include <{path}>: {parts[2]} comes after {room} ({' '.join(rooms)})"


def problems_of_file(root, file, layer, room, rooms):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            for reason in problems_of_include(layer, room, match[2], match[1], rooms):
                yield f"{file.relative_to(root)}:{number}: {reason}"


def problems_of_layer(root, layer):
    """A layer is either flat, or all its files lie in the rooms that its README lists."""
    rooms = rooms_of(layer)
    files = sum(1 for entry in layer.iterdir() if entry.suffix in {".hpp", ".cpp"})
    if files > FILES:
        yield f"{layer.relative_to(root)}:1: {files} files lie side by side; from {FILES} on a layer has rooms"
    for entry in sorted(layer.iterdir()):
        where = entry.relative_to(root)
        if entry.name == "README.md":
            continue
        if not entry.is_dir():
            if rooms:
                yield f"{where}:1: a file belongs into one of the rooms ({' '.join(rooms)})"
            yield from problems_of_file(root, entry, layer.name, None, rooms)
        elif entry.name not in rooms:
            yield f"{where}:1: not a room that {layer.name}/README.md lists ({' '.join(rooms) or 'none'})"
        else:
            if not (entry / "README.md").is_file():
                yield f"{where}:1: a room has a README.md: what it is for, what it may know, where to start reading"
            for file in sorted(entry.iterdir()):
                if file.is_dir():
                    yield f"{file.relative_to(root)}:1: rooms have no subfolders"
                elif file.name != "README.md":
                    yield from problems_of_file(root, file, layer.name, entry.name, rooms)


def problems(root):
    """All violations below root/rattleback, as `file:line: reason`."""
    library = root / "rattleback"
    for entry in sorted(library.iterdir()) if library.is_dir() else []:
        where = entry.relative_to(root)
        if not entry.is_dir():
            yield f"{where}:1: a file belongs into one of the layers ({' '.join(LAYERS)})"
        elif entry.name not in LAYERS:
            yield f"{where}:1: not a layer ({' '.join(LAYERS)})"
        else:
            yield from problems_of_layer(root, entry)


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "the layers and their rooms are in order")
    sys.exit(bool(found))
