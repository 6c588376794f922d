"""Every link between the pages of the repository leads to a file, and to a heading of it where it names one.

    check_links.py [REPOSITORY]
"""

import re
import sys
from pathlib import Path

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", flags=re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")


def anchor(heading):
    """As GitHub makes it: lower case, spaces to hyphens, letters, digits, hyphens and underscores kept."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(text):
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", FENCE.sub("", text), flags=re.M)}


def pages(root):
    return sorted(p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts)


def problems(root):
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        for match in LINK.finditer(CODE.sub("", FENCE.sub("", text))):
            target, _, place = match[1].partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = (page.parent / target).resolve() if target else page
            where = f"{page.relative_to(root)}: the link {match[1]}"
            if not file.exists():
                yield f"{where} leads nowhere"
            elif place and file.suffix == ".md" and place not in headings(file.read_text(encoding="utf-8")):
                yield f"{where} names a heading that is not there"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    print("\n".join(found) or "every link leads somewhere")
    sys.exit(bool(found))
