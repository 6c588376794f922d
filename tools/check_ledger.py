"""Every claim that a test names is in the ledger of claims, and every row of the ledger is well formed.

    check_ledger.py [REPOSITORY] [--missing]

tests/literature/ledger.tsv lists what the founding papers claim: an id such as FE-6.14, the source, the place, the claim, what
we found (true, misprint, wrong, unverified) and the correction. A test of a claim carries its id in its name. --missing lists
the claims that no test names yet.

Every formula and every example of the ledger is named by a test in tests/literature/, and has a page in tests/literature/printed_formulas.txt, which our own output must equal and
not exceed, or stands in formulas_without_page.txt under the reason why it has none.
"""

import re
import sys
from pathlib import Path

ID = re.compile(r"(?<![\w-])(?:GN|BE|FE|ME|BMZ)-[A-Za-z0-9][\w.-]*")
VERDICTS = {"true", "misprint", "wrong", "unverified"}
COLUMNS = ["id", "source", "where", "kind", "claim", "verdict", "correction"]


def rows(root):
    """(line number, fields) of every claim."""
    lines = (root / "tests/literature/ledger.tsv").read_text(encoding="utf-8").splitlines()
    return [(number, line.split("\t")) for number, line in enumerate(lines, 1)]


def named(root):
    """(file:line, id) of every claim that a test names."""
    for file in sorted(root.glob("tests/*/*.cpp")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for match in ID.finditer(line):
                yield f"{file.relative_to(root)}:{number}", match[0].rstrip(".-")


def pages(root, name):
    """(file:line, id) of every claim that a list of formulas names: in brackets, before a colon, or in plain lines."""
    file = root / "tests/literature" / name
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or " = " in line:
            continue
        for claim in line.strip("[").split(":")[0].replace(",", " ").split():
            if ID.fullmatch(claim):
                yield f"tests/literature/{name}:{number}", claim


def page_problems(root, claims):
    """Of formulas and examples that have neither page nor reason, or both, and of pages and reasons for no claim."""
    printed, excused = (dict((claim, where) for where, claim in pages(root, name))
                        for name in ("printed_formulas.txt", "formulas_without_page.txt"))
    known = {fields[0] for _, fields in claims}
    for claim, where in [*printed.items(), *excused.items()]:
        if claim not in known:
            yield f"{where}: {claim} is not in the ledger"
    for claim in printed.keys() & excused.keys():
        yield f"{excused[claim]}: {claim} has a page in printed_formulas.txt"
    for number, fields in claims:
        if fields[3] in ("formula", "example") and fields[0] not in printed and fields[0] not in excused:
            yield f"tests/literature/ledger.tsv:{number}: {fields[0]} has neither a page nor a reason to have none"


def literature_problems(claims, tests):
    """Of formulas and examples that no test of tests/literature/ names."""
    literature = {claim for where, claim in tests if where.startswith("tests/literature/")}
    for number, fields in claims:
        if fields[3] in ("formula", "example") and fields[0] not in literature:
            yield f"tests/literature/ledger.tsv:{number}: no test in tests/literature/ names {fields[0]}"


def problems(root):
    (_, header), *claims = rows(root)
    if header != COLUMNS:
        yield f"tests/literature/ledger.tsv:1: the columns are {', '.join(header)}, not {', '.join(COLUMNS)}"
    known = set()
    for number, fields in claims:
        where = f"tests/literature/ledger.tsv:{number}"
        if len(fields) != len(COLUMNS):
            yield f"{where}: {len(fields)} fields, not {len(COLUMNS)}"
            continue
        if fields[0] in known:
            yield f"{where}: {fields[0]} is there twice"
        if fields[5] not in VERDICTS:
            yield f"{where}: `{fields[5]}` is no verdict"
        known.add(fields[0])
    tests = list(named(root))
    for where, claim in tests:
        if claim not in known:
            yield f"{where}: {claim} is not in the ledger"
    yield from literature_problems([(n, fields) for n, fields in claims if len(fields) == len(COLUMNS)], tests)
    yield from page_problems(root, [(number, fields) for number, fields in claims if len(fields) == len(COLUMNS)])


if __name__ == "__main__":
    repository = Path(next((a for a in sys.argv[1:] if not a.startswith("--")), "."))
    found = list(problems(repository))
    claims = [fields[0] for _, fields in rows(repository)[1:]]
    tested = {claim for _, claim in named(repository)}
    if "--missing" in sys.argv:
        print("\n".join(c for c in claims if c not in tested))
    print("\n".join(found) or f"{sum(c in tested for c in claims)} of {len(claims)} claims are named by tests")
    sys.exit(bool(found))
