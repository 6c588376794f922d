"""Writes docs/reference/python.md from the stubs and docstrings of the Python package.

    write_python_page.py [--check]

With --check nothing is written; it fails where the page differs from what would be.
"""

import ast
import inspect
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "rattleback"
PAGE = ROOT / "docs" / "reference" / "python.md"

# In reading order; what is in the stub and not here comes at the end.
SECTIONS = [
    ("Models", ["load", "zoo", "Zoo", "Model", "System", "Body", "Joint", "Wheel", "Contact", "from_sympy", "from_urdf", "Findings",
                "Issue", "JointFinding", "Parameter"]),
    ("Equations", ["Equations", "Expression", "Named", "Step", "Assumption", "SmallMotions"]),
    ("Verdicts", ["Verdict", "Verdicts", "CheckedStep", "check_certificate", "Doubt", "doubt"]),
    ("Numbers", ["Run", "Solution", "Section", "PreciseRun", "Columns", "Drift", "Phase", "Impact", "Animation", "Rhs", "Sweep", "Exponents",
                 "Branches", "Branch", "SpecialPoint", "Orbits", "OrbitBranch", "BifurcationCurve", "ReturnMap", "MapOrbit", "Cycle", "InvariantCurve",
                 "RotationProfile", "Measures", "Spectrum", "Dimension", "Recurrence", "CovariantVectors", "PhaseVolume", "Volumes", "Orders",
                 "MeasuredOrder"]),
    ("Figures", ["Figure", "SweptFigure", "Panel", "Curve"]),
    ("Exceptions", ["Error", "ModelError", "ArgumentError", "UnknownName", "StateError", "DoesNotApply", "Unavailable", "Timeout", "LimitError",
                    "InternalError", "Place"]),
    ("Settings and lists", ["native", "explain", "questions", "forms", "methods", "languages"]),
]

HEAD = """<!-- Written by `make pages`; edit what it is written from. -->
# The Python package

`make python` builds it and installs it into `build/python`. [The tutorial](../tutorial/1-sleigh-python.md) shows it at work. Every example on this page is run by the test suite.

Long calls take `timeout=` in seconds on the wall (for verdicts: of computing, after which they are undecided) and, most of them,
`progress=True`: a line in a terminal, a text in a notebook, nothing elsewhere. Ctrl-C stops them. The interpreter's lock is released while they
compute, so that threads may work on several models.

Names of quantities are those of the model. Wherever an expression is asked for, text of the [model language](model-language.md), numbers
and expressions of SymPy will do; a float such as 0.1 means 1/10, as in a model file.
"""


def docstrings():
    """Name, or Class.member, to its docstring, from the sources; a class has those of its bases, too."""
    found, bases = {}, {}
    for file in sorted(PACKAGE.glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found[node.name] = ast.get_docstring(node)
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
                for member in node.body:
                    if isinstance(member, ast.FunctionDef):
                        found[f"{node.name}.{member.name}"] = ast.get_docstring(member)

    def inherit(name, base):
        for member, text in list(found.items()):
            if member.startswith(f"{base}."):
                found.setdefault(name + member[len(base):], text)
        for further in bases.get(base, []):
            inherit(name, further)

    for name, all_bases in bases.items():
        for base in all_bases:
            inherit(name, base)
    return found


def signature(node, name):
    """`name(arguments) -> result` as the stub has it; `self` is left out."""
    arguments = ast.unparse(node.args)
    for start in ("self, ", "self"):
        if arguments.startswith(start):
            arguments = arguments[len(start):]
            break
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{name}({arguments}){result}".replace("_Array", "Array").replace("_ComplexArray", "ComplexArray").replace(
        "_Values", "Mapping")


def prose(text):
    """A docstring as Markdown: examples become code blocks."""
    lines, block = [], False
    for line in inspect.cleandoc(text or "").splitlines():
        if line.startswith(">>>") and not block:
            lines.append("```pycon")
            block = True
        if block and not line.strip():
            lines.append("```")
            block = False
        lines.append(line)
    if block:
        lines.append("```")
    return "\n".join(lines)


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def members(node, docs):
    """The members of a class, one line each."""
    lines, seen = [], set()
    bases = [node.name]
    if any(isinstance(b, ast.Name) and b.id == "_Samples" for b in node.bases):
        bases.append("_Samples")
    for base in bases:
        body = node.body if base == node.name else SAMPLES.body
        for member in body:
            if isinstance(member, ast.AnnAssign) and not member.target.id.startswith("_"):
                lines.append(f"- `{member.target.id}: {ast.unparse(member.annotation)}`".replace("_Array", "Array"))
            if not isinstance(member, ast.FunctionDef) or member.name in seen:
                continue
            seen.add(member.name)
            if member.name.startswith("_") and member.name not in ("__call__", "__getitem__"):
                continue
            text = docs.get(f"{base}.{member.name}")
            if text is None:
                continue
            first = prose(text)
            if is_property(member):
                kind = ast.unparse(member.returns).replace("_Array", "Array").replace("_ComplexArray", "ComplexArray")
                lines.append(f"- `{member.name}: {kind}`: {first.splitlines()[0]}")
            else:
                lines.append(f"\n**`{signature(member, member.name)}`**\n\n{first}\n")
    return lines


def page():
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    nodes = {n.name: n for n in stub.body if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and n.name != "_Part"}
    global SAMPLES
    SAMPLES = nodes.pop("_Samples")
    docs = docstrings()
    text = HEAD
    known = {name for _, names in SECTIONS for name in names}
    rest = [name for name in nodes if name not in known]
    for title, names in [*SECTIONS, *([("Others", rest)] if rest else [])]:
        text += f"\n## {title}\n"
        for name in names:
            node = nodes.get(name)
            if node is None:
                text += f"\n### {name}\n\n{LISTS[name]}\n"
            elif isinstance(node, ast.FunctionDef):
                text += f"\n### {name}\n\n**`{signature(node, name)}`**\n\n{prose(docs[name])}\n"
            else:
                made = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
                head = f"**`{signature(made, name).removesuffix(' -> None')}`**\n\n" if name in MADE and made else ""
                text += f"\n### {name}\n\n{head}{prose(docs[name])}\n\n" + "\n".join(members(node, docs)) + "\n"
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text


SAMPLES = None
MADE = {"Model", "System", "Body", "Joint", "Wheel", "Contact"}  # classes that users make themselves
LISTS = {"zoo": "The models that come with Rattleback, a `Zoo`.",
         "questions": "What `Model.analyze` can be asked: a dict of names and claims.",
         "forms": "What `Model.derive` can be asked for: a dict of names and titles.",
         "languages": "What `Model.export` can write besides 'latex', 'json' and 'ipynb': a list of names.",
         "methods": "The steppers of `Model.simulate`: a dict of names and titles."}


def main(arguments):
    text = page()
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not what its sources say: run `make pages`")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
