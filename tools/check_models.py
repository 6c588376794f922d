"""Every model of the zoo tells its story and says what it is good for.

    check_models.py [REPOSITORY]

A story of two lines at the top of the file, a title, a theme that is a heading of models/README.md where the model is listed,
references, [simulation], [known] and [scene]; a function of which nothing is known has a formula for runs.
"""

import re
import sys
import tomllib
from pathlib import Path


def listed(root):
    """The heading of models/README.md under which each model stands."""
    found, heading = {}, None
    for line in (root / "models/README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:].strip()
        elif row := re.match(r"\| `([a-z0-9-]+)` \|", line):
            found[row[1]] = heading
    return found


def problems(root):
    headings = listed(root)
    for file in sorted((root / "models").glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        model, where = tomllib.loads(text), f"models/{file.name}"
        story = re.match(r"(?:# .*\n)*", text)[0].splitlines()
        if len(story) < 2:
            yield f"{where}: the story at the top has {len(story)} lines, not two"
        for key in ("title", "theme", "references", "simulation", "known", "scene"):
            if not model.get(key):
                yield f"{where}: `{key}` is missing"
        for name, function in model.get("functions", {}).items():
            if "value" not in function:
                yield f"{where}: the function `{name}` has no formula for runs"
        if file.stem not in headings:
            yield f"{where}: it is not listed in models/README.md"
        elif model.get("theme") and headings[file.stem] != model["theme"]:
            yield f"{where}: its theme is `{model['theme']}`, but models/README.md lists it under `{headings[file.stem]}`"
    for name in headings:
        if not (root / "models" / f"{name}.toml").exists():
            yield f"models/README.md: there is no model {name}"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "every model is complete")
    sys.exit(bool(found))
