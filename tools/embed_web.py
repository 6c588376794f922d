"""Write a C++ file that holds the files pages are made of.

    embed_web.py OUTPUT FOLDER [--katex DIST] [--codemirror FILE]

Every .css, .js and .html of FOLDER goes in under its name. DIST is the `dist` folder of KaTeX, when there is one: its script,
and its style sheet with the fonts that formulas of mechanics need as data, so that a page needs no other file. FILE is
CodeMirror as one script.
"""

import argparse
import base64
import re
from pathlib import Path

FONTS = re.compile("KaTeX_(AMS-Regular|Main-(Regular|Bold|Italic)|Math-Italic|Size[1-4]-Regular|Caligraphic-Regular)")
CHUNK = 12_000  # characters; compilers limit the length of one literal


def katex_css(dist):
    """The style sheet of KaTeX with its fonts inside, the others left out."""

    def face(match):
        font = re.search(r"url\((fonts/[^)]*\.woff2)\)", match[0])
        if not font or not FONTS.search(font[1]):
            return ""
        data = base64.b64encode((dist / font[1]).read_bytes()).decode()
        return re.sub(r"src:[^;}]*", f'src:url(data:font/woff2;base64,{data}) format("woff2")', match[0])

    sheet = (dist / "katex.min.css").read_text(encoding="utf-8")
    return "/* KaTeX, MIT licence, Khan Academy and contributors */" + re.sub(r"@font-face\{[^}]*\}", face, sheet)


def katex_js(dist):
    return "/* KaTeX, MIT licence, Khan Academy and contributors */" + (dist / "katex.min.js").read_text(encoding="utf-8")


def literal(text):
    pieces = [text[i:i + CHUNK] for i in range(0, len(text), CHUNK)] or [""]
    return "\n".join(f'    R"~web~({piece})~web~"' for piece in pieces)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("output")
    arguments.add_argument("folder")
    arguments.add_argument("--katex")
    arguments.add_argument("--codemirror")
    given = arguments.parse_args()
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(given.folder).iterdir())
             if path.suffix in (".css", ".js", ".html")}
    if given.katex:
        files |= {"katex.css": katex_css(Path(given.katex)), "katex.js": katex_js(Path(given.katex))}
    if given.codemirror:
        licence = "/* CodeMirror 6, MIT licence, Marijn Haverbeke and others */"
        files["codemirror.js"] = licence + Path(given.codemirror).read_text(encoding="utf-8")
    for name, text in files.items():
        if ")~web~" in text or "</script" in text.lower():
            raise SystemExit(f"{name} cannot be embedded")
    rows = "\n".join(f"constexpr char file{i}[] =\n{literal(text)};" for i, text in enumerate(files.values()))
    tests = "\n".join(f'  if (name == "{name}") return {{file{i}, sizeof file{i} - 1}};' for i, name in enumerate(files))
    Path(given.output).write_text(f"""// Written by tools/embed_web.py.
#include <rattleback/view/pages/web.hpp>

namespace rattleback {{
namespace {{
{rows}
}}  // namespace

std::string_view web_file(std::string_view name) {{
{tests}
  return {{}};
}}

bool has_typesetting() {{ return !web_file("katex.js").empty(); }}

}}  // namespace rattleback
""", encoding="utf-8")


if __name__ == "__main__":
    main()
