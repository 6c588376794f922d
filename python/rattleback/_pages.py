"""Pages of the documentation: errors, questions, equations of the theory manual."""

from __future__ import annotations

import os
import re
from typing import Optional

from . import _core
from ._errors import misspelt

_TAG = re.compile(r"\(?([A-Z]{1,2}\.[0-9]+[a-z]?)\)?")


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as page:
        return page.read().splitlines()


def _plain(line: str) -> str:
    """A line of Markdown as plain text: links by their words, no emphasis, no escapes."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"^#+ +", "", line))
    return text.replace("**", "").replace("\\", "")


def _question(folder: str, name: str, about: str) -> str:
    """What it asks, and what `proved` means there."""
    text = f"{name}: {about}\n"
    for line in _lines(os.path.join(folder, "questions.md")):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0] == f"`{name}`":
            text += f"\nproved means: {_plain(cells[1])}\nthe answer holds: {_plain(cells[2])}\n"
    return text


def _tag(folder: str, tag: str) -> Optional[str]:
    """The paragraphs around the line that defines a tag: the equation, what leads to it and what follows."""
    mark, theory = f"({tag})", os.path.join(folder, "theory")
    for name in sorted(os.listdir(theory)):
        lines = _lines(os.path.join(theory, name))
        at = next((k for k, line in enumerate(lines) if line.startswith("    ") and line.endswith(mark)), None)
        if at is None:
            continue
        heading = next((line for line in reversed(lines[:at]) if line.startswith("#")), "")
        first, gaps = at, 0
        while first > 0 and not lines[first - 1].startswith("#") and gaps < 2:
            first -= 1
            gaps += not lines[first]
        last, gaps = at + 1, 0
        while last < len(lines) and not lines[last].startswith("#") and gaps < 2:
            gaps += not lines[last]
            last += 1
        part = "\n".join(_plain(line) for line in lines[first:last] if not line.startswith("```")).strip("\n")
        return f"{mark} of the theory manual, {name[:-3]}{': ' + _plain(heading) if heading else ''}\n\n{part}\n"
    return None


def explained(folder: str, name: str) -> str:
    """The page about an error, what a question decides, or an equation of the theory manual."""
    about = {question: text for question, text in _core.questions()}
    if name in about:
        return _question(folder, name, about[name])
    errors = os.path.join(folder, "errors")
    known = sorted(page[:-3] for page in os.listdir(errors) if page.endswith(".md") and page != "README.md")
    if name in known:
        return "\n".join(_lines(os.path.join(errors, name + ".md"))) + "\n"
    tag = _TAG.fullmatch(name) if isinstance(name, str) else None
    found = _tag(folder, tag[1]) if tag else None
    if found is None:
        raise misspelt("no error, no question and no tag of the theory manual", name, [*known, *about], "unknown-page")
    return found
