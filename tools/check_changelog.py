"""CHANGELOG.md: what came after the newest release is grouped, one line an item. The notes of a release are its section.

    check_changelog.py [REPOSITORY]
    check_changelog.py [REPOSITORY] --notes v0.1.0     prints the notes of a release, for .github/workflows/release.yml
"""

import argparse
import re
import sys
from pathlib import Path

SECTION = re.compile(r"^## (.+)$", re.M)
WIDEST = 170


def sections(text):
    """(title, line of its first line of text, text) of each section, the newest first."""
    found = list(SECTION.finditer(text))
    for here, after in zip(found, [*found[1:], None]):
        body = text[here.end() + 1:after.start() if after else len(text)]
        yield here[1], text.count("\n", 0, here.end()) + 2, body


def problems(root):
    """All violations, as `file:line: reason`."""
    newest = next(sections((root / "CHANGELOG.md").read_text(encoding="utf-8")), None)
    if newest is None or newest[0] != "Unreleased":
        return
    group = False
    for number, line in enumerate(newest[2].splitlines(), newest[1]):
        where = f"CHANGELOG.md:{number}"
        if re.fullmatch(r"\*\*.+\.\*\*", line):
            group = True
        elif line.startswith("- "):
            if not group:
                yield f"{where}: an item stands below a group, such as **Motions.**"
            if len(line) > WIDEST:
                yield f"{where}: {len(line)} columns; an item is one line of at most {WIDEST}: what a user notices, no more"
        elif line:
            yield f"{where}: an item is one line; make it shorter, or two items"


def notes(root, tag):
    """The section of a release, or nothing."""
    for title, _, body in sections((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        if title.split()[0] == tag.removeprefix("v"):
            return body.strip() + "\n"
    return ""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("root", nargs="?", type=Path, default=Path("."))
    options.add_argument("--notes", metavar="TAG")
    given = options.parse_args()
    if given.notes:
        text = notes(given.root, given.notes)
        print(text or f"CHANGELOG.md has no section for {given.notes}", end="" if text else "\n", file=sys.stdout if text else sys.stderr)
        return not text
    found = list(problems(given.root))
    print("\n".join(found) or "one line an item")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
