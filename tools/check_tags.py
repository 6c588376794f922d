"""Every tag such as (F.4) in rattleback/ names an equation of docs/theory/, and every equation has one definition.

    check_tags.py [REPOSITORY]

An equation is defined where its tag ends a line, set off from the formula by at least two spaces,
    [X, Y]^i = X^j ∂_j Y^i − Y^j ∂_j X^i                                   (F.2)
or by \\tag{F.2}. One space before the tag is prose that cites it.
"""

import re
import sys
from pathlib import Path

TAG = r"[A-Z]\.\d+[a-z]?"
CITED = re.compile(rf"\(({TAG}(?:\s*[,;–-]\s*{TAG})*)\)")  # (F.4), (F.4, F.5), (F.4–F.6)
DEFINED = re.compile(rf"(?:^|\s\s)\(({TAG})\)\s*$|\\tag\{{({TAG})\}}")


def lines_of(files, root):
    """(file:line, text) of every line of the files."""
    for file in sorted(files):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{file.relative_to(root)}:{number}", line


def problems(root):
    """Tags defined twice, then tags cited and defined nowhere, as `file:line: reason`."""
    defined = {}
    for where, line in lines_of(root.glob("docs/theory/*.md"), root):
        for match in DEFINED.finditer(line):
            tag = match[1] or match[2]
            if tag in defined:
                yield f"{where}: ({tag}) is already defined at {defined[tag]}"
            defined.setdefault(tag, where)

    sources = [f for f in root.glob("rattleback/*/*") if f.suffix in {".hpp", ".cpp", ".def"}]
    for where, line in lines_of(sources, root):
        for match in CITED.finditer(line):
            for tag in re.findall(TAG, match[1]):
                if tag not in defined:
                    yield f"{where}: ({tag}) is not an equation of docs/theory/"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "every tag has its equation")
    sys.exit(bool(found))
