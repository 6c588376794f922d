"""One version everywhere: CMakeLists.txt, CITATION.cff, codemeta.json, debian/changelog, the shared library's Debian package, and the
newest release in CHANGELOG.md, with its date.

    check_versions.py [REPOSITORY]
"""

import json
import re
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path

RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$", re.M)


def found_in(text, pattern):
    match = re.search(pattern, text, re.M)
    return match[1] if match else None


def stated(root):
    """(place, version, date or None) wherever a version is stated."""
    def read(path):
        return (root / path).read_text(encoding="utf-8")

    yield "CMakeLists.txt", found_in(read("CMakeLists.txt"), r"^project\(\w+ VERSION ([\d.]+)"), None
    citation, meta, debian = read("CITATION.cff"), json.loads(read("codemeta.json")), read("debian/changelog")
    yield "CITATION.cff", found_in(citation, r"^version: (\S+)$"), found_in(citation, r"^date-released: (\S+)$")
    yield "codemeta.json", meta.get("version"), meta.get("dateModified")
    signed = found_in(debian, r"^ -- .*>  (.+)$")
    yield "debian/changelog", found_in(debian, r"^rattleback \(([\d.]+)-"), signed and parsedate_to_datetime(signed).date().isoformat()


def problems(root):
    """All violations, as `file:1: reason`."""
    newest = RELEASE.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not newest:
        yield "CHANGELOG.md:1: no release: `## 1.2.3 (2026-01-31)`"
        return
    version, date = newest.groups()
    for place, its_version, its_date in stated(root):
        if its_version != version:
            yield f"{place}:1: version {its_version}, and the newest release of CHANGELOG.md is {version}"
        if its_date is not None and its_date != date:
            yield f"{place}:1: date {its_date}, and CHANGELOG.md says {date}"
    package = "librattleback" + version.rsplit(".", 1)[0]
    if not re.search(rf"^Package: {re.escape(package)}$", (root / "debian/control").read_text(encoding="utf-8"), re.M):
        yield f"debian/control:1: no package {package}: the shared library's SONAME has the minor version"
    if not (root / f"debian/{package}.install").is_file():
        yield f"debian/{package}.install:1: missing"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "one version everywhere")
    sys.exit(bool(found))
