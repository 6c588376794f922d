"""Sets the LaTeX of every zoo model with pdflatex: what `export` and `derive` print must compile and fit the page.

    latex_zoo.py PROGRAM MODELS

Exit 77, a skipped test, where pdflatex is absent.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SLACK = 18.0  # points by which a line may stick out before it is an error: a quarter of the margin
READABLE = 60_000  # characters; what is longer is for programs and only has to compile
PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[a4paper,margin=25mm]{geometry}
\allowdisplaybreaks
\begin{document}
"""


def printed(program, *arguments):
    run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    return run.stdout if run.returncode in (0, 3) else ""


def sections(program, models):
    """(name, LaTeX) of each model, exported, and derived with multipliers step by step."""
    for model in models:
        yield f"export {model.stem}", printed(program, "export", str(model), "--to", "latex")
        yield f"derive {model.stem}", printed(program, "derive", str(model), "--steps", "--format", "latex")


def set_by_latex(document):
    """pdflatex's log, and whether it made a page of everything."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "zoo.tex"
        source.write_text(document, encoding="utf-8")
        run = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", source.name],
            cwd=folder, capture_output=True, timeout=240)
        log = (pathlib.Path(folder) / "zoo.log").read_text(encoding="latin-1")
        return log, run.returncode == 0


def complaints(log, unread=()):
    """Errors, and lines that are too wide by more than the slack, each under the section it stands in."""
    section, found = "", []
    for line in log.splitlines():
        if line.startswith("SECTION "):
            section = line[len("SECTION "):]
        wide = re.match(r"Overfull \\hbox \(([\d.]+)pt too wide\)", line)
        if wide and float(wide.group(1)) > SLACK and section not in unread:
            found.append(f"{section}: {wide.group(1)} points too wide")
        if line.startswith("!") or re.match(r"\S+\.tex:\d+:", line):
            found.append(f"{section}: {line}")
    return found


def main():
    program, folder = sys.argv[1:3]
    if shutil.which("pdflatex") is None:
        print("pdflatex is absent")
        return 77
    body, unread = [], []
    for name, text in sections(program, sorted(pathlib.Path(folder).glob("*.toml"))):
        # The log breaks lines at 79 characters; names are short.
        if len(text) > READABLE:
            unread.append(name)
        body.append(f"\\clearpage\\typeout{{SECTION {name}}}\n{text}\n")
    document = PREAMBLE + "".join(body) + "\\end{document}\n"
    log, complete = set_by_latex(document)
    found = complaints(log, unread)
    # A check that never fails checks nothing: an unknown command and a long line have to be noticed.
    bad, _ = set_by_latex(PREAMBLE + "$\\nosuchcommand$\\end{document}\n")
    wide, _ = set_by_latex(PREAMBLE + "\\begin{align*}a&=" + "+".join(["b"] * 90) + "\\end{align*}\\end{document}\n")
    if not complaints(bad) or not complaints(wide):
        found.append("the test does not detect an unknown command or a long line")
    print("\n".join(found[:60]))
    print(f"{len(body)} sections, {len(document)} characters, {len(unread)} too long to read, {len(found)} complaints")
    return 0 if complete and not found else 1


if __name__ == "__main__":
    sys.exit(main())
