"""The rows of the table of Coq, kept in tests/coq/rows.tsv: one verdict each, with digests of what they depend on."""

import hashlib
from pathlib import Path

# of: digest of the model's text; text, kernel: of the text for Coq; asked: seconds for a question; limit: for coqc and one theorem.
COLUMNS = ["model", "question", "verdict", "state", "seconds", "kB", "limit", "asked", "of", "text", "kernel", "why"]
NUMBERS = ["seconds", "kB", "limit", "asked"]


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode())
    return whole.hexdigest()[:12]


def read_rows(file):
    """{model: {question: row}} in the order of the file."""
    rows = {}
    for line in Path(file).read_text(encoding="utf-8").splitlines()[1:] if Path(file).exists() else []:
        row = dict(zip(COLUMNS, line.split("\t"), strict=True))
        row |= {key: float(row[key]) for key in NUMBERS}
        rows.setdefault(row["model"], {})[row["question"]] = row
    return rows


def write_rows(file, rows):
    """All at once: a run that is stopped leaves the file of before."""
    def cell(row, key):
        return f"{row[key]:.1f}" if key in NUMBERS else row[key].replace("\t", " ").replace("\n", " ")
    lines = ["\t".join(COLUMNS)]
    for model in sorted(rows):
        lines += ["\t".join(cell(row, key) for key in COLUMNS) for row in rows[model].values()]
    new = Path(f"{file}.new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(file)
