"""Mutant schemata of the trusted kernel: copies of its sources in which every mutation is chosen at run time.

    mutate_checker.py ROOT OUTPUT            write the copies, OUTPUT/points.tsv and OUTPUT/kinds.txt (the kinds of certificates)
    mutate_checker.py ROOT OUTPUT --sources  print the names of the copies
    mutate_checker.py ROOT OUTPUT --report   count the mutants of OUTPUT/results.tsv and list the survivors
    mutate_checker.py ROOT OUTPUT --carry    results of other sources or certificates: keep what killed a mutant, to be tried first

One build then holds all mutants: `a < b` becomes `mutant::less(17, a, b)`, which is `a <= b` when mutant 17 is active. The functions
stand in tests/mutants/mutant.hpp. Each mutant is one line of points.tsv: number, file, function, line, the expression, what becomes of it.
What is mutated, in every function of rattleback/proof/check/*.cpp:

    a condition, or a comparison       is false; is true (not for the conditions of loops)
    <, <=, >, >=                       includes or excludes equality
    a + b, a - b, a += b, a -= b       the other sign
    -a                                 a
    a whole number n                   n + 1
    x[i], M(i, j)                      another index, beside the right one
    a statement f(...); a = b; ++a     is left out

A survivor that no certificate can tell from the original is listed in tests/mutants/equivalent.tsv: file, function, expression, what
becomes of it, and the proof. A row that is not needed any more is an error. Needs libclang and its Python module (python3-clang-14). The entries of the checker get other names, so that the program that runs
the mutants can put its own in their place.
"""

import re
import sys
from pathlib import Path

FOLDER = "rattleback/proof/check"
ENTRIES = ("check_certificate", "is_confirmed_exactly", "stated_in")
NUMBERS = re.compile(r"^(const )?(unsigned )?(int|long|rattleback::Expr|rattleback::Matrix|rattleback::Rational)$")
INTEGERS = re.compile(r"^(const )?(unsigned )?(int|long)$")
ORDERS = {"<": "less", "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal"}
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "+=": "-=", "-=": "+="}


def load_clang():
    import clang.cindex as clang

    for library in sorted(Path("/usr/lib/llvm-14/lib").glob("libclang*.so.1")):
        if "cpp" not in library.name:
            clang.Config.set_library_file(str(library))
    return clang


def short(text):
    return text if len(text) <= 100 else text[:97] + "..."


class Copy:
    """One source: where text is inserted and which operators are replaced."""

    def __init__(self, clang, path, root, first):
        self.kinds = clang.CursorKind
        self.path, self.name = path, path.relative_to(root / FOLDER).as_posix()
        self.bytes = path.read_bytes()
        self.next, self.points = first, []
        self.before, self.after, self.replaced = {}, {}, {}
        self.seen = set()
        self.function = ""
        arguments = ["-std=c++20", f"-I{root}", "-x", "c++"]
        self.unit = clang.Index.create().parse(str(path), args=arguments)
        errors = [d for d in self.unit.diagnostics if d.severity >= clang.Diagnostic.Error]
        if errors:
            sys.exit("\n".join(map(str, errors)))
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == str(path):
                self.visit(cursor, None)

    def span(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, cursor):
        start, end = self.span(cursor)
        return " ".join(self.bytes[start:end].decode().split())

    def here(self, cursor):
        return cursor.extent.start.file is not None and cursor.extent.start.file.name == str(self.path)

    def point(self, cursor, *becomes):
        """The number of the first of as many mutants as there are things that the expression may become."""
        number = self.next
        for what in becomes:
            self.points.append((self.next, self.name, self.function, cursor.extent.start.line, short(self.text(cursor)), short(what)))
            self.next += 1
        return number

    def once(self, what, cursor):
        key = what, self.span(cursor)
        known = key in self.seen
        self.seen.add(key)
        return not known and self.here(cursor)

    def wrap(self, cursor, prefix, suffix=")"):
        start, end = self.span(cursor)
        self.before.setdefault(start, []).append(prefix)
        self.after.setdefault(end, []).append(suffix)

    def operator_of(self, cursor):
        """(token, its offset, left, right) of an operator that is written between or before its operands."""
        k = self.kinds
        children = list(cursor.get_children())
        if cursor.kind == k.CALL_EXPR:
            if not cursor.spelling.startswith("operator"):
                return None
            children = list(cursor.get_arguments())
        elif cursor.kind not in (k.BINARY_OPERATOR, k.UNARY_OPERATOR, k.COMPOUND_ASSIGNMENT_OPERATOR):
            return None
        children = [child for child in children if child is not None]
        if len(children) == 2 and self.span(children[0])[1] <= self.span(children[1])[0]:
            between = self.bytes[self.span(children[0])[1] : self.span(children[1])[0]]
            found = re.match(rb"[\s)]*([-+*/<>=!&|]+)[\s(]*$", between)
            if found and b"(" not in between and b")" not in between:
                return found[1].decode(), self.span(children[0])[1] + found.start(1), children[0], children[1]
        if len(children) == 1:
            found = re.match(rb"([-+!*&]+)", self.bytes[self.span(cursor)[0] :])
            if found and self.span(children[0])[0] > self.span(cursor)[0]:
                return found[1].decode(), self.span(cursor)[0], None, children[0]
        return None

    def condition(self, cursor, loop=False):
        """Every comparison, and every part of a condition that is no `and`, `or`, `not` of others."""
        while cursor.kind in (self.kinds.PAREN_EXPR, self.kinds.UNEXPOSED_EXPR):
            inner = [c for c in cursor.get_children()]
            if len(inner) != 1 or (cursor.kind == self.kinds.UNEXPOSED_EXPR and self.span(inner[0]) != self.span(cursor)):
                break
            cursor = inner[0]
        operator = self.operator_of(cursor)
        if operator and operator[0] in ("&&", "||", "!"):
            return
        if cursor.kind == self.kinds.CXX_BOOL_LITERAL_EXPR or not self.once("condition", cursor):
            return
        kinds = ("false",) if loop else ("false", "true")
        name = "ended" if loop else "forced"
        self.wrap(cursor, f"mutant::{name}({self.point(cursor, *kinds)}, ")

    def visit(self, cursor, parent):
        k = self.kinds
        if cursor.kind in (k.FUNCTION_DECL, k.CXX_METHOD):
            self.function = cursor.spelling
        if self.here(cursor):
            self.mutate(cursor, parent)
        if cursor.kind == k.DECL_STMT and self.text(cursor).startswith(("constexpr", "static constexpr")):
            return
        for child in cursor.get_children():
            self.visit(child, cursor)

    def mutate(self, cursor, parent):
        k = self.kinds
        children = list(cursor.get_children())
        if cursor.kind == k.IF_STMT:
            self.if_condition(children)
        elif cursor.kind in (k.WHILE_STMT, k.CONDITIONAL_OPERATOR):
            self.condition(children[0], loop=cursor.kind == k.WHILE_STMT)
        elif cursor.kind == k.FOR_STMT:
            for child in children[:-1]:
                if child.type.spelling == "bool":
                    self.condition(child, loop=True)
        elif cursor.kind == k.RETURN_STMT and children and children[0].type.spelling == "bool":
            self.condition(children[0])
        elif cursor.kind == k.INTEGER_LITERAL:
            self.number(cursor, parent)
        operator = self.operator_of(cursor)
        if operator:
            self.operator(cursor, *operator)
        self.indices(cursor)
        if cursor.kind == k.COMPOUND_STMT:
            for child in children:
                self.statement(child)
        elif cursor.kind == k.FOR_STMT or cursor.kind == k.CXX_FOR_RANGE_STMT or cursor.kind == k.WHILE_STMT:
            self.statement(children[-1])
        elif cursor.kind == k.IF_STMT:
            for child in children[2 if children[0].kind == k.DECL_STMT else 1 :]:
                self.statement(child)

    def if_condition(self, children):
        first = children[0]
        if first.kind == self.kinds.DECL_STMT and len(children) > 2 and children[1].kind.is_expression():
            self.condition(children[1])
        elif first.kind == self.kinds.VAR_DECL:
            value = [c for c in first.get_children() if c.kind.is_expression()]
            if value and self.once("condition", value[-1]):
                self.wrap(value[-1], f"mutant::none({self.point(value[-1], 'nothing')}, ")
        elif first.kind.is_expression():
            self.condition(first)

    def operator(self, cursor, token, offset, left, right):
        if token in ("&&", "||", "!"):
            for operand in (left, right):
                if operand is not None:
                    self.condition(operand)
        elif token in ("==", "!=", *ORDERS):
            self.condition(cursor)
            if token in ORDERS and self.once("order", cursor):
                number = self.point(cursor, f"{self.text(left)} {OTHER[token]} {self.text(right)}")
                self.call(ORDERS[token], number, cursor, token, offset)
        elif token in ("+", "-", "+=", "-=") and NUMBERS.match(self.type_of(cursor)) and self.once("sign", cursor):
            if left is None:
                if token == "-":
                    number = self.point(cursor, self.text(right))
                    self.call("negated", number, cursor, token, offset)
                return
            number = self.point(cursor, f"{self.text(left)} {OTHER[token]} {self.text(right)}")
            names = {"+": "sum", "-": "difference", "+=": "add", "-=": "subtract"}
            self.call(names[token], number, cursor, token, offset)

    def type_of(self, cursor):
        return cursor.type.get_canonical().spelling.replace("&", "").strip()

    def call(self, name, number, cursor, token, offset):
        """`a < b` or `-a` as a call of a function of mutant.hpp."""
        self.wrap(cursor, f"mutant::{name}({number}, ")
        self.replaced[offset] = (len(token), "" if name == "negated" else ", ")

    def number(self, cursor, parent):
        k = self.kinds
        allowed = parent is not None and (parent.kind.is_expression() or parent.kind in (k.VAR_DECL, k.RETURN_STMT))
        in_type = re.match(rb"\s*>", self.bytes[self.span(cursor)[1] :])  # std::array<int, 3>
        if allowed and not in_type and self.once("number", cursor) and self.text(cursor).isdigit():
            number = self.point(cursor, str(int(self.text(cursor)) + 1))
            self.wrap(cursor, f"mutant::number({number}, ")

    def indices(self, cursor):
        k = self.kinds
        if cursor.kind == k.ARRAY_SUBSCRIPT_EXPR:
            arguments = list(cursor.get_children())[1:]
        elif cursor.kind == k.CALL_EXPR and cursor.spelling in ("operator[]", "operator()"):
            arguments = list(cursor.get_arguments())[1:]
        else:
            return
        for argument in arguments:
            if argument is not None and INTEGERS.match(self.type_of(argument)) and self.once("index", argument):
                number = self.point(argument, f"an index beside {self.text(argument)}")
                self.wrap(argument, f"mutant::index({number}, ")

    def statement(self, cursor):
        k = self.kinds
        inner = cursor
        while inner.kind == k.UNEXPOSED_EXPR and len(list(inner.get_children())) == 1:
            inner = next(inner.get_children())
        if inner.kind not in (k.CALL_EXPR, k.BINARY_OPERATOR, k.COMPOUND_ASSIGNMENT_OPERATOR, k.UNARY_OPERATOR):
            return
        if inner.spelling == "bad_certificate" or not self.once("statement", cursor):
            return
        number = self.point(cursor, "left out")
        self.wrap(cursor, f"if (mutant::left_out({number})) {{}} else ", "")

    def written(self):
        parts, at = [], 0
        for offset in sorted({*self.before, *self.after, *self.replaced}):
            parts.append(self.bytes[at:offset].decode())
            parts += reversed(self.after.get(offset, []))
            parts += self.before.get(offset, [])
            at = offset
            if offset in self.replaced:
                length, text = self.replaced[offset]
                parts.append(text)
                at += length
        parts.append(self.bytes[at:].decode())
        text = "".join(parts)
        for entry in ENTRIES:
            text = re.sub(rf"\b{entry}\(", f"mutated_{entry}(", text)
        return text


def sources(root):
    return sorted((root / FOLDER).glob("*.cpp"))


def kinds_of(root):
    """The kinds of certificates, as the table of the checker names them."""
    text = (root / FOLDER / "checker.cpp").read_text(encoding="utf-8")
    table = text[text.index("std::vector<ClaimKind> kinds{") : text.index("text_field(certificate, \"certificate\")")]
    return re.findall(r'^ +\{"([a-z-]+)",', table, re.M)


def rows_of(file):
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def keyed(points):
    """{number: what is mutated}: file, function, expression, what becomes of it, and which one of those that are written alike."""
    seen, keys = {}, {}
    for number, file, function, _, expression, becomes in points:
        same = (file, function, expression, becomes)
        seen[same] = seen.get(same, 0) + 1
        keys[number] = (*same, seen[same])
    return keys


def carried(judged, results, points):
    """Rows "number certificate" for these points, from results about points that may have had other numbers and lines."""
    keys = keyed(judged)
    killers = {keys[row[0]]: row[2] for row in results if row[1].startswith("killed") and row[2] and row[0] in keys}
    return [(number, killers[key]) for number, key in keyed(points).items() if key in killers]


def report(points, results, equivalent):
    """The text to print, and what is wrong: survivors without a proof, and proofs of what does not survive."""
    verdicts = {row[0]: row[1] for row in results}
    reasons = {tuple(row[:4]): row[4] for row in equivalent}
    counts, survivors, used = {}, [], set()
    for number, file, function, line, expression, becomes in points:
        verdict, key = verdicts.get(number, "not run"), (file, function, expression, becomes)
        if not verdict.startswith("killed") and key in reasons:
            verdict = "equivalent"
            used.add(key)
        counts[verdict] = counts.get(verdict, 0) + 1
        if not verdict.startswith(("killed", "equivalent")):
            survivors.append(f"{file}:{line}: {function}: {verdict}: {expression} -> {becomes}")
    unused = ["not needed in tests/mutants/equivalent.tsv: " + "  ".join(key) for key in reasons if key not in used]
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts))
    return [f"{len(points)} mutants: {summary}"], survivors + unused


def main(root, output, *options):
    root, output = Path(root).resolve(), Path(output).resolve()
    if "--sources" in options:
        print(";".join(str(output / path.name) for path in sources(root)))
        return 0
    if "--carry" in options:
        judged, results, points = (rows_of(output / name) for name in ("judged.tsv", "results.tsv", "points.tsv"))
        rows = ["\t".join(row) for row in carried(judged, results, points)]
        (output / "results.tsv.killers").write_text("".join(row + "\n" for row in rows), encoding="utf-8")
        (output / "results.tsv").unlink()
        return 0
    if "--report" in options:
        files = output / "points.tsv", output / "results.tsv", root / "tests/mutants/equivalent.tsv"
        summary, problems = report(*map(rows_of, files))
        print("\n".join(problems + summary))
        return int(bool(problems))
    clang = load_clang()
    output.mkdir(parents=True, exist_ok=True)
    first, rows = 1, []
    for path in sources(root):
        copy = Copy(clang, path, root, first)
        if not (output / path.name).is_file() or (output / path.name).read_text(encoding="utf-8") != copy.written():
            (output / path.name).write_text(copy.written(), encoding="utf-8")
        first, rows = copy.next, rows + copy.points
    lines = ["\t".join(map(str, row)) for row in rows]
    (output / "points.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (output / "kinds.txt").write_text("\n".join(kinds_of(root)) + "\n", encoding="utf-8")
    print(f"{len(rows)} mutants of {len(sources(root))} sources")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
