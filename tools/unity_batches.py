"""Sources that are compiled together: the batches of a unity build, with the local names of each file kept apart.

    unity_batches.py --headers DIR... --into STEM [--lines LINES] FILE...

Writes STEM_0.cpp, STEM_1.cpp ... and prints one batch a line: the file to compile, then the sources in it, separated by semicolons. A
source that must be compiled by itself is in no batch.

A batch includes all headers of its sources, then holds their texts, each behind a `#line`. The names that a source declares in unnamed
namespaces get a suffix of their own there, so that two files may have helpers of the same name. A word behind `.`, `->` or `::` is
no such name and stays. A name is left as it is where an unqualified word may mean something else:

- a header declares it in a namespace: the local one is another overload;
- a class of the file declares a member of this name, or a class of a header does and the file defines members of classes;
- the file writes it behind `rattleback::`, or in a macro.

The first run notes its batches in STEM.json. Later runs keep them: a source that has changed since then is left out of its batch and compiled
by itself, and so is a new one, so that work on a few files does not compile their batches again and again. New batches are made when more
than half of the sources are by themselves, and when the note (or the build folder) is removed.

Two files share a batch only when neither declares such a name that the other one declares or may use. A file with `using
namespace` or `using enum` outside of functions is the last of its batch: nothing takes them back. A file that defines macros before its includes is
by itself.
"""

import argparse
import hashlib
import json
import re
from functools import cache
from itertools import combinations
from pathlib import Path

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?P<text>(?:u8|u|U|L)?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\')'
    r"|(?P<number>\.?\d[\w.']*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign>::|->|\S)",
    re.S,
)
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r"^#include (.*)$")
OURS = re.compile(r'^#include [<"](rattleback/[^>"]+|[\w/]+\.hpp)[>"]', re.M)
# Found by argument-dependent lookup from headers that are not ours, or no names at all.
COMMON = {"rattleback", "testing", "tests", "app"}  # namespaces whose names are seen without qualification
KEYWORDS = {"requires", "catch", "noexcept", "decltype", "static_assert", "alignas", "sizeof", "explicit", "const", "auto", "void"}
KEPT = {"to_json", "from_json", "begin", "end", "swap", "operator", "main", "TEST_CASE", "TEST_CASE_TEMPLATE"} | KEYWORDS


class Token:
    __slots__ = ("kind", "text", "start")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start = kind, text, start


def tokens_of(text):
    """Words, numbers and signs, without comments and directives of the preprocessor; a string is the sign `"`."""
    bare = DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    found = []
    for match in TOKEN.finditer(bare):
        kind = match.lastgroup if match.lastgroup != "mark" else "text"
        if kind != "comment":
            found.append(Token(kind, '"' if kind == "text" else match[0], match.start()))
    return found


class Scope:
    """What is declared in a file: names by the kind of scope, from a walk over the braces."""

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.local, self.shared, self.members = set(), set(), set()  # in unnamed and named namespaces, in classes
        self.functions = {}  # local functions: name -> list of parameter lists, as tuples of words
        self.types = set()  # local ones
        self.aliases = {}  # local ones: name -> what it means
        self.inner = {}  # namespace within rattleback -> names in it
        self.opened = set()  # such namespaces that the file opens
        self.loose = False  # a `using namespace` or `using enum` outside of functions
        self.borrowed = {}  # name -> what `using ...::name` means by it
        self.defines_members = False
        self.within = []  # names of the classes around the place of the walk
        self.walk()
        self.local -= KEYWORDS

    def walk(self):
        stack, statement, paths = [("namespace", False)], [], [[]]  # (kind, is it inside of an unnamed namespace?)
        k, tokens, depth = 0, self.tokens, 0
        while k < len(tokens):
            token = tokens[k]
            kind, unnamed = stack[-1]
            if kind == "code":
                if token.text == "{":
                    stack.append(("code", unnamed))
                elif token.text == "}":
                    stack.pop()
                    statement = statement if stack[-1][0] == "code" else statement
                    if stack[-1][0] != "code" and not self.pending_value:
                        statement = []
                k += 1
                continue
            if token.text in "([":
                depth += 1
            elif token.text in ")]":
                depth -= 1
            if depth > 0 or token.text not in ("{", "}", ";"):
                statement.append(token)
                k += 1
                continue
            if token.text == ";":
                self.declared(statement, kind, unnamed, ";")
                statement = []
            elif token.text == "}":
                if kind == "enum":
                    self.enumerators(statement, stack)
                if len(stack) > 1:
                    left = stack.pop()[0]
                    if left == "namespace":
                        paths.pop()
                        self.path = paths[-1]
                    elif left == "class":
                        self.within.pop()
                statement = []
            else:
                inner = self.kind_of(statement)
                if kind == "enum":
                    inner = "code"
                if inner == "namespace":
                    names = [t.text for t in statement if t.kind == "word" and t.text not in ("namespace", "inline")]
                    stack.append(("namespace", unnamed or not names))
                    paths.append(paths[-1] + [n for n in names if n not in COMMON])
                    self.path = paths[-1]
                    self.opened |= set(self.path)
                    statement = []
                elif inner in ("class", "enum"):
                    self.declared(statement, kind, unnamed, "{")
                    stack.append((inner, unnamed))
                    if inner == "class":
                        self.within.append(self.class_name(statement))
                    self.enum_is_class = inner == "enum" and any(t.text in ("class", "struct") for t in statement)
                    statement = []
                else:  # the body of a function, or a value in braces
                    self.pending_value = not any(t.text == "(" for t in statement) or self.is_value(statement)
                    if not self.pending_value:
                        self.declared(statement, kind, unnamed, "{")
                    stack.append(("code", unnamed))
            k += 1

    pending_value = False
    path = []
    enum_is_class = True

    @staticmethod
    def is_value(statement):
        """`T name = f(x){...`, `T name(x), m{...` of constructors excepted."""
        depth = 0
        for token in statement:
            depth += (token.text in "([") - (token.text in ")]")
            if depth == 0 and token.text == "=":
                return True
        return False

    @staticmethod
    def without_template(statement):
        """Without `template <...>` and attributes in front."""
        k = 0
        while k < len(statement):
            if statement[k].text == "template" or statement[k].text == "requires":
                k += 1
                depth = 0
                while k < len(statement):
                    depth += (statement[k].text == "<") - (statement[k].text == ">")
                    k += 1
                    if depth == 0:
                        break
            elif statement[k].text == "[":
                depth = 0
                while k < len(statement):
                    depth += (statement[k].text == "[") - (statement[k].text == "]")
                    k += 1
                    if depth == 0:
                        break
            elif statement[k].text == ":" and k > 0 and statement[k - 1].text in ("public", "private", "protected"):
                k += 1
            elif statement[k].text in ("public", "private", "protected", "typedef", "inline", "static", "constexpr", "const", "extern",
                                       "friend", "explicit", "virtual", "thread_local", "mutable", "consteval", "constinit"):
                k += 1
            else:
                break
        return statement[k:]

    def kind_of(self, statement):
        rest = self.without_template(statement)
        first = rest[0].text if rest else ""
        if first == "namespace":
            return "namespace"
        if first == "enum":
            return "enum"
        if first in ("struct", "class", "union") and not any(t.text == "(" for t in rest):
            return "class"
        return "code"

    def class_name(self, statement):
        """Of `class Name final : Base`; empty for a class without a name."""
        rest = self.without_template(statement)
        words = [t.text for t in rest[1:] if t.kind == "word" and t.text not in ("class", "struct", "final", "alignas")]
        return words[0] if words else ""

    def enumerators(self, statement, stack):
        names, start = set(), True
        for token in statement:
            if start and token.kind == "word":
                names.add(token.text)
            start = token.text == ","
        if self.enum_is_class:
            self.members |= names  # reached by `::` alone, unless `using enum`
        else:
            self.add(names, *stack[-2]) if len(stack) > 1 else None

    def add(self, names, kind, unnamed):
        if kind == "class":
            self.members |= names - set(self.within[-1:])  # a constructor has the name of its class and is no other meaning of it
        elif unnamed:
            self.local |= names
        elif self.path:
            self.inner.setdefault(self.path[-1], set()).update(names)
        else:
            self.shared |= names

    def declared(self, statement, kind, unnamed, end):
        rest = self.without_template(statement)
        if not rest:
            return
        first = rest[0].text
        if first == "using":
            if any(t.text == "=" for t in rest):
                self.add({rest[1].text}, kind, unnamed)
                if unnamed and kind == "namespace":
                    self.types.add(rest[1].text)
                    self.aliases[rest[1].text] = "".join(t.text for t in rest[3:])
            elif kind == "namespace" and rest[1].text in ("enum", "namespace"):
                self.loose = self.loose or [t.text for t in rest[1:]] != ["namespace", "rattleback"]
            elif kind == "namespace":
                for name in "".join(t.text for t in rest[1:]).split(","):
                    self.borrowed[name.split("::")[-1]] = name
            return
        if first in ("struct", "class", "union", "enum") and not any(t.text == "(" for t in rest):
            name = self.class_name(statement)
            if name:
                self.add({name}, kind, unnamed)
                if unnamed and kind == "namespace":
                    self.types.add(name)
            return
        pointers = {c.text for a, b, c in zip(rest, rest[1:], rest[2:]) if a.text == "(" and b.text == "*" and c.kind == "word"}
        self.add(pointers, kind, unnamed)  # void (*name)(int)
        opened = next((k for k, t in enumerate(rest) if t.text == "("), None)
        equals = next((k for k, t in enumerate(rest) if t.text == "="), None)
        if opened and (equals is None or opened < equals) and rest[opened - 1].kind == "word":
            name = rest[opened - 1].text
            if opened > 1 and rest[opened - 2].text in ("::", "~"):
                self.defines_members = True
                return
            self.add({name}, kind, unnamed)
            if unnamed and kind == "namespace":
                self.functions.setdefault(name, []).append(self.parameters(rest, opened))
            return
        depth, names, value = 0, set(), False  # T a = x, b{y}, c;
        for k, token in enumerate(rest):
            following = rest[k + 1].text if k + 1 < len(rest) else end
            depth += (token.text in "([{<") - (token.text in ")]}>")
            if token.text == "," and depth <= 0:
                value = False
            elif token.text == "=":
                value = True
            elif token.kind == "word" and depth <= 0 and not value and following in ("=", ",", ";", "{", "[") and k > 0:
                names.add(token.text)
        self.add(names, kind, unnamed)

    @staticmethod
    def parameters(rest, opened):
        depth, words = 0, []
        for token in rest[opened:]:
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                break
            words.append(token.text)
        return tuple(words[1:])


def include_of(line, folder):
    """What a line includes, with its whole path when it lies beside the source; None for others and for tables of macros."""
    found = INCLUDE.match(line)
    if not found or ".def" in found[1]:
        return None
    beside = folder / found[1].strip('"')
    return f'"{beside}"' if found[1].startswith('"') and beside.is_file() else found[1]


def includes(text, folder):
    """(headers included outside of #if, is a macro defined before one of them?)"""
    headers, defined, depth, early = [], False, 0, False
    for line in text.splitlines():
        depth += line.startswith("#if") - line.startswith("#endif")
        defined = defined or line.startswith("#define")
        if found := include_of(line, folder):
            early = early or defined
            if depth == 0:
                headers.append(found)
    return headers, early


@cache
def header(path):
    """(what it declares, names of the headers of ours that it includes)"""
    text = path.read_text(encoding="utf-8")
    scope = Scope(text) if path.suffix == ".hpp" else None
    return scope, tuple(OURS.findall(text))


@cache
def read_by(path, roots):
    """(names in namespaces, members of classes, names in inner namespaces) of the headers of ours that a source reads."""
    shared, members, inner, seen, pending = set(), set(), {}, set(), [path]
    while pending:
        at = pending.pop()
        scope, names = header(at)
        if scope:
            shared |= scope.shared | scope.local
            members |= scope.members
            for name, own in scope.inner.items():
                inner.setdefault(name, set()).update(own)
        for name in names:
            for found in (root / name for root in (at.parent, *roots) if (root / name).is_file()):
                if found not in seen:
                    pending.append(found)
                seen.add(found)
    return shared, members, inner


class Source:
    def __init__(self, path, roots=()):
        self.path = path
        self.text = Path(path).read_text(encoding="utf-8")
        self.lines = self.text.count("\n")
        self.headers, self.alone = includes(self.text, Path(path).resolve().parent)
        scope = self.scope = Scope(self.text)
        shared, members, inner = read_by(Path(path).resolve(), tuple(roots))
        shared = shared.union(*(inner.get(name, set()) for name in scope.opened))
        directives = [found[0] for found in DIRECTIVE.finditer(self.text)]
        self.macros = {d.split()[1].split("(")[0] for d in directives if d.startswith("#define")}
        written = {word for d in directives for word in WORD.findall(d)}
        kept = shared.union(scope.shared, scope.members, *scope.inner.values(), written, KEPT, self.qualified())
        if scope.defines_members or self.derives():
            kept = kept | members
        self.fixed, self.renamed = scope.local & kept, scope.local - kept
        self.loose, self.borrowed = scope.loose, scope.borrowed
        # What unqualified words of the file may mean outside of it.
        self.words = {t.text for t in scope.tokens}
        self.used = {t.text for t in self.unqualified()} - self.renamed
        self.foreign = self.used & (shared | self.fixed)

    def unqualified(self):
        before = ""
        for token in self.scope.tokens:
            if token.kind == "word" and before not in (".", "->", "::"):
                yield token
            is_type_next = token.text == "->" and self.text[token.start - 1] == " "  # the result of a lambda
            before = "" if is_type_next else token.text

    def qualified(self):
        """Words behind `rattleback::` or a namespace that the file opens."""
        tokens, spaces = self.scope.tokens, COMMON | self.scope.opened
        return {c.text for a, b, c in zip(tokens, tokens[1:], tokens[2:]) if a.text in spaces and b.text == "::"}

    def derives(self):
        """Has the file a class with a base?"""
        return bool(re.search(r"^(?:  )*(?:struct|class) \w+(?: final)? : ", self.text, re.M))

    def disturbs(self, other):
        """Does the other file declare or use what this one declares and nobody renames?"""
        return (
            any((name in other.scope.local or self.may_be_meant(name, other)) and not self.same_alias(name, other) for name in self.fixed)
            or any(name in other.used and other.borrowed.get(name) != meant for name, meant in self.borrowed.items())
            or not self.macros.isdisjoint(other.words)
        )

    def same_alias(self, name, other):
        """`using Name = Type;` may be said twice."""
        meant = self.scope.aliases.get(name)
        return meant is not None and other.scope.aliases.get(name) == meant

    def may_be_meant(self, name, other):
        """A function with a parameter of a type of this file is chosen by nobody else."""
        if name not in other.foreign:
            return False
        own = self.scope.types & self.renamed
        return name not in self.scope.functions or not all(own & set(p) for p in self.scope.functions[name])

    def excludes(self, other):
        return self.disturbs(other) or other.disturbs(self) or (self.loose and other.loose)


def batches(sources, lines):
    """Batches of about equal length. Each source joins the first batch that has room and no conflict; those with most conflicts choose
    first [Welsh and Powell 1967]. Of a batch the file that lets names loose comes last, the others in their order."""
    together = [s for s in sources if not s.alone]
    total = sum(s.lines for s in together)
    room = total / max(1, round(total / lines + 0.2))
    excluded = {s.path: set() for s in together}
    for a, b in combinations(together, 2):
        if a.excludes(b):
            excluded[a.path].add(b.path)
            excluded[b.path].add(a.path)
    found = []
    for source in sorted(together, key=lambda s: -len(excluded[s.path])):
        free = (b for b in found if sum(s.lines for s in b) < room and not any(s.path in excluded[source.path] for s in b))
        home = next(free, None)
        if home is None:
            found.append(home := [])
        home.append(source)
    place = {s.path: k for k, s in enumerate(sources)}
    return [sorted(batch, key=lambda s: (s.loose, place[s.path])) for batch in found]


def digest(source):
    return hashlib.sha256(source.text.encode()).hexdigest()


def kept_batches(sources, lines, note):
    """The batches of an earlier run, without the sources that have changed since; made now where there are none, or half of the sources left."""
    by_path = {s.path: s for s in sources}
    if note.exists():
        planned = json.loads(note.read_text(encoding="utf-8"))
        kept = [[by_path[path] for path, was in batch if path in by_path and digest(by_path[path]) == was] for batch in planned]
        if 2 * sum(map(len, kept)) >= sum(not s.alone for s in sources):
            return kept
    made = [batch for batch in batches(sources, lines) if len(batch) > 1]
    note.write_text(json.dumps([[[s.path, digest(s)] for s in batch] for batch in made]), encoding="utf-8")
    return made


def renamed_text(source, suffix):
    """The text with its local names renamed, and without the includes that the batch begins with."""
    pieces, at = [], 0
    for token in source.unqualified():
        if token.text in source.renamed:
            end = token.start + len(token.text)
            pieces.append(source.text[at:end] + suffix)
            at = end
    text = "".join(pieces) + source.text[at:]
    lines, depth, folder = [], 0, Path(source.path).resolve().parent
    for line in text.splitlines():
        depth += line.startswith("#if") - line.startswith("#endif")
        if found := include_of(line, folder):
            line = "" if depth == 0 else f"#include {found}"
        lines.append(line)
    return "\n".join(lines)


def text_of(batch, number):
    """The source of a batch."""
    lines = ["// Written by tools/unity_batches.py."]
    lines += [f"#include {header}" for header in dict.fromkeys(h for s in batch for h in s.headers)]
    for k, source in enumerate(batch):
        lines.append(f'#line 1 "{Path(source.path).resolve()}"')
        lines.append(renamed_text(source, f"In{number}x{k}"))
        lines += [f"#undef {name}" for name in sorted(source.macros)]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--headers", nargs="+", type=Path, required=True)
    options.add_argument("--into", type=Path, required=True)
    options.add_argument("--lines", type=int, default=2500)
    options.add_argument("files", nargs="+")
    given = options.parse_args()
    given.into.parent.mkdir(parents=True, exist_ok=True)
    sources = [Source(f, given.headers) for f in given.files]
    for number, batch in enumerate(kept_batches(sources, given.lines, Path(f"{given.into}.json"))):
        path, text = Path(f"{given.into}_{number}.cpp"), text_of(batch, number)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        print(";".join([str(path), *(source.path for source in batch)]))


if __name__ == "__main__":
    main()
