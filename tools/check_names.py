"""A type has one definition: two of the same name in one namespace, each seen by some files only, are not found by the
compiler, and the linker then mixes up their members.

    check_names.py [REPOSITORY]

Types in unnamed namespaces belong to their file and may repeat. Headers of the tests keep what they define in a namespace of
their own, `rattleback::inline tests`: the linker would take a function of the library for one of theirs, or theirs for it.
"""

import re
import sys
from pathlib import Path

FOLDERS = ["rattleback", "apps"]
NAMESPACE = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))? \{$")
END = re.compile(r"^\}  // namespace")
TYPE = re.compile(r"^(?:struct|class|enum class|union) (\w+)(?: final)?(?: :[^;]*)?(?:\s*\{.*)?$")


def types_of(text):
    """(line number, qualified name) of every type defined at namespace scope, unnamed namespaces left out."""
    around = []
    for number, line in enumerate(text.splitlines(), 1):
        if opened := NAMESPACE.match(line):
            around.append(opened[1])
        elif END.match(line) and around:
            around.pop()
        elif None not in around and (found := TYPE.match(line)):
            yield number, "::".join([*around, found[1]])


def problems(root):
    """All second definitions, as `file:line: reason`."""
    first = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            where = file.relative_to(root)
            for number, name in types_of(file.read_text(encoding="utf-8")):
                place = f"{where}:{number}"
                if name in first:
                    yield f"{place}: {name} is defined in {first[name]} already; give one of them another name"
                first.setdefault(name, place)
    for file in sorted((root / "tests").rglob("*.hpp")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if (opened := NAMESPACE.match(line)) and opened[1] == "rattleback":
                yield f"{file.relative_to(root)}:{number}: the library's own namespace; write `namespace rattleback::inline tests`"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "every type has one definition")
    sys.exit(bool(found))
