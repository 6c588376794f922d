"""Which sources of a folder may be compiled together: batches for a unity build, chosen so that no file sees another's local names.

    unity_batches.py MOST FILE...

Prints one batch a line, files separated by semicolons. Two files share a batch only when no name that one declares in an unnamed
namespace, and no macro or `using` of its own, occurs as a word in the other: neither a redefinition nor a call that finds another
file's helper is possible. Files with `using enum`, `using namespace` or `using ours::name;` stay alone, because the names that these bring
are not listed in them, or meet those of headers that come later; tests may all use the namespace of the library. A local type must
not have the name of one in a header that another file of its batch may include: the compiler says so.
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
OPEN = re.compile(r"^namespace \{$")
CLOSE = re.compile(r"^\}  // namespace$")
TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (\w+)|^using (\w+) =|^#define (\w+)")
FUNCTION = re.compile(r"^[\w:<>,&*\[\] ]*?(\w+)\(")
CONSTANT = re.compile(r"^(?:constexpr|const|static|thread_local|inline|std::)[^=({]*?(\w+)(?: =|\{|\[|;)")
LOOSE = re.compile(r"^\s*using (?:enum|namespace (?!rattleback;))|^using (?!nlohmann::)[\w:]+::\w+;", re.M)


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
                names |= set(re.findall(r"(\w+)(?= =|\{)", line))  # constexpr int a = 1, b = 2
    return names - {"template", "operator"}


class Source:
    def __init__(self, path):
        text = Path(path).read_text(encoding="utf-8")
        bare = COMMENT.sub(" ", text)
        self.path, self.names, self.words = path, local_names(bare), set(WORD.findall(bare))
        self.alone = bool(LOOSE.search(text))

    def excludes(self, other):
        return bool(self.names & other.words or other.names & self.words)


def batches(sources, most):
    """Greedy: each source joins the first batch that has room and no conflict."""
    found = []
    for source in sources:
        home = None
        if not source.alone:
            home = next((b for b in found if len(b) < most and not b[0].alone and not any(map(source.excludes, b))), None)
        if home is None:
            found.append(home := [])
        home.append(source)
    return found


if __name__ == "__main__":
    for batch in batches([Source(path) for path in sys.argv[2:]], int(sys.argv[1])):
        print(";".join(source.path for source in batch))
