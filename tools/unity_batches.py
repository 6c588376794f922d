"""Sources of a folder that are compiled together: the batches of a unity build, with the local names of each file kept apart.

    unity_batches.py --headers DIR... --into STEM [--lines LINES] FILE...

Writes STEM_0.cpp, STEM_1.cpp ... and prints one batch a line: the file to compile, then the sources in it, separated by semicolons. A
source that must be compiled by itself is in no batch.

A batch first includes all headers of its sources. Then every source is included, between `#define name name_of_its_own` and
`#undef name` for the names that it declares in unnamed namespaces: two files may have helpers of the same name. A name is left as it is
where this could change what a word means: when the headers that the file reads contain it, or when it stands behind `.`, `->` or `::` in the
file. Two files share a batch only when the other one neither declares such a name nor may mean one of its headers by it: a local variable
of the same name does no harm. A file with `using enum`, `using namespace` or `using ours::name;`, or with macros before its includes, is by
itself: nothing takes these back, and a borrowed name may meet that of another file's header.
"""

import argparse
import re
from functools import cache
from pathlib import Path

KEYWORDS = {"alignas", "decltype", "noexcept", "operator", "requires", "static_assert", "template", "TEST_CASE", "TEST_CASE_TEMPLATE"}
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
OPEN = re.compile(r"^namespace \{$")
CLOSE = re.compile(r"^\}  // namespace$")
TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (\w+)|^using (\w+) =|^#define (\w+)")
FUNCTION = re.compile(r"^[\w:<>,&*\[\] ]*?(\w+)\(")
CONSTANT = re.compile(r"^(?:constexpr|const|static|thread_local|inline|std::)[^=({]*?(\w+)(?: =|\{|\[|;)")
LOOSE = re.compile(r"^\s*using (?:enum|namespace (?!rattleback;))|^using (?!nlohmann::)[\w:]+::\w+[;,]", re.M)
INCLUDE = re.compile(r"^#include (.*)$")
OURS = re.compile(r'^#include [<"](rattleback/[^>"]+|[\w/]+\.hpp)[>"]', re.M)
MEMBER = re.compile(r"(?:\.|->|::)\s*([A-Za-z_]\w*)")
CALL = re.compile(r"(?<![.:>\w])([A-Za-z_]\w*)\s*[(<]")
UNQUALIFIED = re.compile(r"(?<![.:>\w])([A-Za-z_]\w*)|(?<!-)>([A-Za-z_]\w*)|(?<!:):([A-Za-z_]\w*)")


def local_names(text):
    """Names that a source declares for itself: in unnamed namespaces, and macros."""
    names, inside = set(), False
    for line in text.splitlines():
        if OPEN.match(line):
            inside = True
        elif CLOSE.match(line):
            inside = False
        elif line.startswith("#define"):
            names.add(line.split()[1].split("(")[0])
        elif inside and line and not line[0].isspace() and line[0] not in "}/#":
            for pattern in (TYPE, FUNCTION, CONSTANT):
                if found := pattern.match(line):
                    names |= {name for name in found.groups() if name}
            if line.startswith(("constexpr", "const ", "static ", "thread_local")):
                names |= {a or b for a, b in re.findall(r"(\w+)(?= =)|(?<=[\w>,] )(\w+)(?=\{)", line)}  # constexpr int a = 1, b{2}
    return names - KEYWORDS


def local_functions(text):
    """Those of them that are functions and nothing else."""
    found, others, inside = set(), set(), False
    for line in text.splitlines():
        if OPEN.match(line) or CLOSE.match(line):
            inside = bool(OPEN.match(line))
        elif inside and line and not line[0].isspace() and line[0] not in "}/#":
            if name := TYPE.match(line) or CONSTANT.match(line.split("(")[0]):
                others |= set(name.groups())
            elif name := FUNCTION.match(line):
                found.add(name[1])
    return found - others - KEYWORDS


def includes(text, folder):
    """(headers included outside of #if, is a macro defined before one of them?). Those beside the source get their whole path."""
    headers, defined, depth, early = [], False, 0, False
    for line in text.splitlines():
        if line.startswith("#if"):
            depth += 1
        elif line.startswith("#endif"):
            depth -= 1
        elif line.startswith("#define"):
            defined = True
        elif found := INCLUDE.match(line):
            early = early or defined
            beside = folder / found[1].strip('"')
            if depth == 0:
                headers.append(f'"{beside}"' if found[1].startswith('"') and beside.is_file() else found[1])
    return headers, early


@cache
def header(path):
    """(words, names of the headers of ours that it includes)"""
    text = path.read_text(encoding="utf-8")
    return frozenset(WORD.findall(COMMENT.sub(" ", text))), tuple(OURS.findall(text))


def words_of_headers(path, roots):
    """All words of the headers of ours that a source includes, and of those that they include."""
    words, seen, pending = set(), set(), [Path(path).resolve()]
    while pending:
        at = pending.pop()
        own, names = header(at)
        words |= own if at.suffix == ".hpp" else set()
        for name in names:
            for found in (root / name for root in (at.parent, *roots) if (root / name).is_file()):
                if found not in seen:
                    pending.append(found)
                seen.add(found)
    return words


class Source:
    def __init__(self, path, roots=()):
        text = Path(path).read_text(encoding="utf-8")
        bare = COMMENT.sub(" ", text)
        self.path, self.lines = path, text.count("\n")
        self.headers, early = includes(text, Path(path).resolve().parent)
        self.alone = early or bool(LOOSE.search(text))
        names, foreign = local_names(bare), words_of_headers(path, roots)
        macros = {line.split()[1].split("(")[0] for line in text.splitlines() if line.startswith("#define")}
        kept = foreign | set(MEMBER.findall(bare)) | macros
        self.fixed, self.renamed = names & kept, names - kept
        self.functions = local_functions(bare) & self.fixed
        self.words = foreign & {a or b or c for a, b, c in UNQUALIFIED.findall(bare)} | self.fixed
        self.calls = foreign & set(CALL.findall(bare)) | self.fixed

    def disturbs(self, other):
        return bool(self.functions & other.calls or (self.fixed - self.functions) & other.words)

    def excludes(self, other):
        return self.disturbs(other) or other.disturbs(self)


def batches(sources, lines):
    """Greedy: each source joins the first batch that has room and no conflict."""
    found = []
    for source in (s for s in sources if not s.alone):
        home = next((b for b in found if sum(s.lines for s in b) < lines and not any(map(source.excludes, b))), None)
        if home is None:
            found.append(home := [])
        home.append(source)
    return found


def text_of(batch, number):
    """The source of a batch."""
    lines = ["// Written by tools/unity_batches.py."]
    lines += [f"#include {header}" for header in dict.fromkeys(h for s in batch for h in s.headers)]
    for k, source in enumerate(batch):
        names = sorted(source.renamed)
        lines += [f"#define {name} {name}_in_{number}_{k}" for name in names]
        lines.append(f'#include "{Path(source.path).resolve()}"')
        lines += [f"#undef {name}" for name in names]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--headers", nargs="+", type=Path, required=True)
    options.add_argument("--into", type=Path, required=True)
    options.add_argument("--lines", type=int, default=2500)
    options.add_argument("files", nargs="+")
    given = options.parse_args()
    given.into.parent.mkdir(parents=True, exist_ok=True)
    several = [b for b in batches([Source(f, given.headers) for f in given.files], given.lines) if len(b) > 1]
    for number, batch in enumerate(several):
        path, text = Path(f"{given.into}_{number}.cpp"), text_of(batch, number)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        print(";".join([str(path), *(source.path for source in batch)]))


if __name__ == "__main__":
    main()
