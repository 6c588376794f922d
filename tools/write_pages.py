"""Write the pages of docs/reference that are generated.

    write_pages.py PROGRAM [--check] [--zoo]

Verbs, model keys and questions come from the program's own tables, the list of errors from their pages, conformance and
misprints from tests/literature/ledger.tsv and the names of the tests. --zoo asks every question of every model, which takes
a while; otherwise the table of the zoo stays as it is. --check writes nothing and fails when a page is not what it should be.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import check_ledger

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
HEAD = "<!-- Written by `make pages`; edit what it is written from. -->\n"
SIGN = {"proved": "yes", "refuted": "no", "not found": "none", "undecided": "?", "does not apply": "–"}


def cell(text):
    """Text within a row of a table."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;").strip()


def plain(text):
    """Text in which nothing is Markdown."""
    return re.sub(r"([*_\[\]`])", r"\\\1", cell(text))


def asked(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


# ---------------------------------------------------------------------------------------------------------- the ledger

FOUND = {"true": "true", "misprint": "misprint", "wrong": "not true as stated", "unverified": "not examined yet"}


def claims():
    return [dict(zip(check_ledger.COLUMNS, fields)) for _, fields in check_ledger.rows(ROOT)[1:]]


def shown_by():
    """Where each claim is named by a test."""
    tests = {}
    for where, claim in check_ledger.named(ROOT):
        file = where.rsplit(":", 1)[0]
        tests.setdefault(claim, [])
        if file not in tests[claim]:
            tests[claim].append(file)
    return tests


def conformance():
    rows, tests = claims(), shown_by()
    named, found = sum(r["id"] in tests for r in rows), Counter(r["verdict"] for r in rows)
    page = HEAD + f"""# Conformance

What the founding papers claim, claim by claim, what we found, and the test that shows it. Of {len(rows)} claims {named} are
named by tests. {found["true"]} are true as stated, {found["misprint"]} are misprints and {found["wrong"]} do not hold as
stated ([list of corrections](misprints.md)); {found["unverified"]} have not been examined.
"""
    for source in dict.fromkeys(r["source"] for r in rows):
        page += f"\n## {source}\n\n| claim | where | what it says | found | shown by |\n|---|---|---|---|---|\n"
        for r in (r for r in rows if r["source"] == source):
            links = ", ".join(f"[{Path(f).stem}](../../{f})" for f in tests.get(r["id"], [])) or "no test yet"
            page += f"| `{r['id']}` | {plain(r['where'])} | {plain(r['claim'])} | {FOUND[r['verdict']]} | {links} |\n"
    return page


def misprints():
    rows = [r for r in claims() if r["verdict"] in ("misprint", "wrong")]
    page = HEAD + f"""# Corrections to the founding papers

{len(rows)} places where a formula or a statement of the papers has to be read differently. Code and tests follow the
corrected form.
"""
    for source in dict.fromkeys(r["source"] for r in rows):
        page += f"\n## {source}\n\n| place | as printed | correct |\n|---|---|---|\n"
        for r in (r for r in rows if r["source"] == source):
            page += f"| {plain(r['where'])} (`{r['id']}`) | {plain(r['claim'])} | {plain(r['correction'])} |\n"
    return page


# -------------------------------------------------------------------------------------------------------------- errors

def errors():
    page = HEAD + "# Errors\n\n`rattleback explain SLUG` shows one of these pages.\n\n| slug | what it means |\n|---|---|\n"
    for file in sorted((REFERENCE / "errors").glob("*.md")):
        if file.name == "README.md":
            continue
        prose = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.S)
        first = next((p for p in prose.split("\n\n")[1:] if p.strip() and not p.startswith("#")), "")
        sentence = re.split(r"(?<=[.:])\s", re.sub(r"\s+", " ", first.strip()))[0].rstrip(":")
        page += f"| [`{file.stem}`]({file.name}) | {cell(sentence)} |\n"
    return page


# ------------------------------------------------------------------------------------------------------------ steppers

# A sleigh, a particle with a multiplier, a disk, a ball with a rotation, and a tippe top, whose friction makes it irreversible;
# time and step.
PROBLEMS = {"chaplygin-sleigh": (2, 0.1), "nonholonomic-particle": (2, 0.1), "falling-disk": (0.5, 0.0125),
            "chaplygin-sphere": (1, 0.05), "tippe-top": (0.1, 0.0025)}


def end_of(program, model, until, *how):
    told = asked(program, "simulate", model, "--until", str(until), "--format", "json", *how)
    return list(json.loads(told)["state"].values())


def applies(program, model, method, step):
    """Brackets and multipliers are not for every system; the program says for which."""
    tried = subprocess.run([program, "simulate", model, "--until", str(step), "--method", method, "--step", repr(step)],
                           capture_output=True, text=True, check=False)
    if tried.returncode != 0 and "method-does-not-apply" not in tried.stderr:
        raise SystemExit(tried.stderr)
    return tried.returncode == 0


def measured(program, method, order):
    """The least and the largest order seen: log2 of the errors' quotient when the step is halved."""
    orders = []
    for model, (until, step) in PROBLEMS.items():
        if not applies(program, model, method, step):
            continue
        exact = end_of(program, model, until, "--method", "taylor", "--rtol", "1e-16", "--atol", "1e-18")
        first = 4 * step if order > 4 else step  # high orders meet rounding early
        errors = [max(abs(a - b) for a, b in zip(end_of(program, model, until, "--method", method, "--step", repr(h)), exact))
                  for h in (first, first / 2)]
        orders.append(math.log2(errors[0] / errors[1]))
    low, high = f"{min(orders):.1f}", f"{max(orders):.1f}"
    return low if low == high else f"{low} to {high}"


def steppers(program):
    """The program's table with one more column."""
    lines = []
    for line in asked(program, "--reference", "steppers").splitlines():
        cells = line.split(" | ")
        if line.startswith("| `"):
            found = measured(program, cells[0].strip("| `"), int(cells[2])) if cells[3] == "constant" else "follows the tolerance"
            cells.insert(3, found)
        elif line.startswith("| name"):
            cells.insert(3, "measured")
        elif line.startswith("|---"):
            cells = [line + "---|"]
        lines.append(" | ".join(cells))
    return HEAD + "\n".join(lines) + f"""

Measured on {", ".join(PROBLEMS)}, as far as a method applies, by halving the step once; the lowest and the highest order seen.
"""


# ----------------------------------------------------------------------------------------------------------------- zoo

def models():
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted((ROOT / "models").glob("*.toml"))}


def short(name):
    return name.replace("hamiltonization", "Ham.").replace("conditionally-variational", "cond. variational")


def zoo_row(program, name, questions):
    found = json.loads(asked(program, "analyze", name, "--timeout", "1", "--format", "json"))["questions"]
    cells = []
    for q in questions:
        answer = found[q]
        cells.append(SIGN[answer["verdict"]] + ("*" if answer["unless"] else ""))
    return f"| [{name}](../../models/{name}.toml) | " + " | ".join(cells) + " |\n"


def zoo(program):
    questions = re.findall(r"^\| `([a-z-]+)` \|", asked(program, "--reference", "questions"), flags=re.M)
    zoo_models = models()
    page = HEAD + f"""# The zoo's verdicts

Every question asked of every model, by `rattleback analyze`, with one second of computing for each question. *yes* is proved, *no* is refuted,
*none* that a search found nothing, which excludes only what was searched, *?* is undecided, *–* that the question is about systems of another kind; a star marks
verdicts with exceptional parameters, which the program names. [What the questions mean](questions.md).

"""
    header = "| model | " + " | ".join(short(q) for q in questions) + " |\n|---|" + "---|" * len(questions) + "\n"
    for theme in dict.fromkeys(re.findall(r"^## (.*)$", (ROOT / "models/README.md").read_text(encoding="utf-8"), flags=re.M)):
        page += f"## {theme}\n\n{header}"
        for name in (n for n, m in zoo_models.items() if m.get("theme") == theme):
            page += zoo_row(program, name, questions)
            print(name, file=sys.stderr, flush=True)
        page += "\n"
    return page.rstrip() + "\n"


def zoo_problems(text):
    """The recorded table has every model, and contradicts nothing that a model says is known."""
    rows = dict(re.findall(r"^\| \[([^\]]+)\]\([^)]*\) \| (.*) \|$", text, flags=re.M))
    header = re.search(r"^\| model \| (.*) \|$", text, flags=re.M)
    columns = header[1].split(" | ") if header else []
    for name, model in models().items():
        if name not in rows:
            yield f"docs/reference/zoo.md: {name} is missing"
            continue
        found = dict(zip(columns, rows[name].split(" | ")))
        for question, value in model["known"].items():
            verdict = str(value).split()[0]
            recorded = found.get(short(question), "?").rstrip("*")
            if verdict in SIGN and recorded not in ("?", "–", SIGN[verdict]):
                yield f"docs/reference/zoo.md: {name}, {question}: `{recorded}`, but it is known to be {verdict}"


# ---------------------------------------------------------------------------------------------------------------- main

def pages(program):
    return {
        REFERENCE / "commands.md": HEAD + asked(program, "--reference", "commands"),
        REFERENCE / "keys.md": HEAD + asked(program, "--reference", "keys"),
        REFERENCE / "question-list.md": HEAD + asked(program, "--reference", "questions"),
        REFERENCE / "stepper-list.md": steppers(program),
        REFERENCE / "errors" / "README.md": errors(),
        REFERENCE / "conformance.md": conformance(),
        REFERENCE / "misprints.md": misprints(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--zoo", action="store_true")
    given = parser.parse_args()
    written, table = pages(given.program), REFERENCE / "zoo.md"
    if given.zoo:
        written[table] = zoo(given.program)
    wrong = []
    for path, text in written.items():
        if given.check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                wrong.append(f"{path.relative_to(ROOT)} is out of date: run `make pages`")
        else:
            path.write_text(text, encoding="utf-8")
    if given.check and table.exists():
        wrong += zoo_problems(table.read_text(encoding="utf-8"))
    print("\n".join(wrong) or f"{len(written)} pages")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
