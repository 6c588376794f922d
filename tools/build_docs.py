"""The documentation as static pages.

    build_docs.py OUTPUT [PROGRAM] [--root REPOSITORY]

Every Markdown page of the repository becomes OUTPUT/<same path>.html, a README the index of its folder; links between them are
kept, files they link to are copied. Equations that end in a tag such as (F.4) can be linked to, and every mention of the tag is a
link. With PROGRAM, reports of a few models are written beside them. Needs Python-Markdown (Debian: python3-markdown).

Every page names its version. The pages of a release, a tag such as v0.1.0, are written from the files of that tag to OUTPUT/v0.1.0/,
and every page links to the same page of the other versions.
"""

import argparse
import html
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

import markdown

import check_links
import check_tags

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ["chaplygin-sleigh", "vertical-disk", "suslov", "bianchi-v", "appell-hamel", "knife-edge-incline"]
SHELVES = [("Start", ["README.md", "docs/README.md", "docs/tutorial", "docs/notebooks", "docs/gallery", "docs/glossary.md", "models/README.md"]),
           ("Reference", ["docs/reference"]),
           ("Theory", ["NOTATION.md", "docs/theory"]),
           ("Project", ["CHANGELOG.md", "CONTRIBUTING.md", "docs/decisions"])]
TAG = re.compile(rf"\(({check_tags.TAG})\)")
STYLE = """
:root { --paper: #fcfcfa; --ink: #23252b; --soft: #5f636e; --hair: #dfdfda; --panel: #f4f4f0; --accent: #2f5d8c; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17191d; --ink: #e4e3dd; --soft: #9da1ab; --hair: #33363e; --panel: #1f2228; --accent: #8db8e8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.03rem/1.6 "Iowan Old Style", Palatino, Georgia, "Liberation Serif", serif; }
a { color: var(--accent); text-underline-offset: 0.18em; }
.frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; max-width: 78rem; margin: 0 auto; padding: 1.5rem; }
nav { font: 0.86rem/1.5 system-ui, sans-serif; }
nav h2 { font-size: 0.78rem; color: var(--soft); margin: 1.2rem 0 0.3rem; border: none; padding: 0; text-transform: uppercase; letter-spacing: 0.06em; }
nav ul { list-style: none; margin: 0; padding: 0; } nav a { text-decoration: none; } nav .here { color: var(--ink); font-weight: 600; }
main > p, main > ul, main > ol { max-width: 46rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.4rem; padding-top: 0.8rem; border-top: 1px solid var(--hair); }
code, pre { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.85em; }
pre { overflow-x: auto; padding: 0.9rem 1.1rem; background: var(--panel); border-radius: 8px; line-height: 1.5; }
.equation { margin: 0.9rem 0 0.9rem 1.5rem; max-width: 46rem; overflow-x: auto; }
.line { display: flex; justify-content: space-between; gap: 1.5rem; white-space: pre; line-height: 1.75; } .line:target { background: var(--panel); }
.line > span + span { color: var(--soft); } sub, sup { font-size: 0.72em; line-height: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.93rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--hair); }
th { font: 600 0.78rem/1.3 system-ui, sans-serif; color: var(--soft); }
.frame > .contents { display: none; } td:first-child { white-space: nowrap; }
@media (max-width: 52rem) {
  .frame { display: flex; flex-direction: column; gap: 1rem; padding: 1rem; } main { order: 1; min-width: 0; }
  nav { order: 2; border-top: 1px solid var(--hair); } .frame > .contents { display: block; order: 0; font: 0.86rem/1 system-ui, sans-serif; }
}
@media print { nav { display: none; } .frame { display: block; } pre { white-space: pre-wrap; } }
"""


def sources():
    """The pages, in the order of the shelves."""
    for _, places in SHELVES:
        for place in places:
            path = ROOT / place
            if path.is_dir():
                yield from sorted(path.rglob("*.md"), key=lambda p: (p.parent, p.name != "README.md", p))
            elif path.exists():
                yield path


def git(*arguments):
    """What git prints; nothing where there is no repository."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else b""


def released():
    """The tags of releases, the newest first."""
    return git("tag", "--list", "v*", "--sort=-version:refname").decode().split()


def development_version():
    """The version that the build file states, and the commit when it is not a release: `0.1.0`, `0.1.0+0a1b2c3d`."""
    stated = re.search(r"^project\(\w+ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]
    commit = git("rev-parse", "--short=8", "HEAD").decode().strip()
    here = git("tag", "--points-at", "HEAD").decode().split()
    return stated if not commit or f"v{stated}" in here else f"{stated}+{commit}"


def page_of(source):
    """Where a source's page lies, relative to the output."""
    path = source.relative_to(ROOT)
    return path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html")


def title_of(text):
    return re.search(r"^# (.*)$", text, flags=re.M)[1].replace("`", "")


def up_from(page):
    return "../" * len(page.parent.parts)


def equations():
    """The page on which each tagged equation stands."""
    found = {}
    for file in sorted((ROOT / "docs/theory").glob("*.md")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if match := check_tags.DEFINED.search(line):
                found[match[1] or match[2]] = page_of(file)
    return found


def link_target(source, page, target, copied):
    """A link of the source as a link of its page."""
    path, hash_, place = target.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return target
    file = (source.parent / path).resolve()
    if file.is_dir():
        file = file / "README.md"
    if file.suffix == ".md":
        return up_from(page) + page_of(file).as_posix() + hash_ + place
    copied.add(file)
    return up_from(page) + file.relative_to(ROOT).as_posix()


INDEX = r"(?:\{[^{}]*\}|[-−]?\d+|[-−]?[a-zα-ωℓ\d]+|[-−]?[A-ZΑ-Ω]|[*†′ᵀ])"
INDEXED = re.compile(rf"(?<=[^\W_]|[)\]|′″̇̂̄])([_^])({INDEX})(?:([_^])({INDEX}))?")


def with_indices(text):
    """c_ab^d with its indices below and above the line; tags and entities of HTML stay as they are."""

    def index(kind, what):
        name = "sub" if kind == "_" else "sup"
        return f"<{name}>{what.strip('{}')}</{name}>"

    def raised(match):
        return index(match[1], match[2]) + (index(match[3], match[4]) if match[3] else "")

    pieces = re.split(r"(<code>.*?</code>|<pre>.*?</pre>|<[^>]*>|&\w+;)", text, flags=re.S)
    return "".join(piece if k % 2 else INDEXED.sub(raised, piece) for k, piece in enumerate(pieces))


def equation_html(block):
    """An indented block: each line that ends in a tag can be linked to, and shows it at its right."""
    lines = []
    for line in block.splitlines():
        tag = check_tags.DEFINED.search(html.unescape(line))
        name = tag and (tag[1] or tag[2])
        formula = with_indices(line[:line.rindex("(")].rstrip() if name else line)
        lines.append(f'<span class="line" id="{name}"><span>{formula}</span><span>({name})</span></span>' if name
                     else f'<span class="line"><span>{formula or " "}</span></span>')
    return '<div class="equation">' + "".join(lines) + "</div>"


def body_of(source, page, where, copied):
    text = source.read_text(encoding="utf-8")
    text = re.sub(r"^```(\w+) [^\n]*$", r"```\1", text, flags=re.M)  # ```toml sleigh.toml
    made = markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "sane_lists"],
                             extension_configs={"toc": {"slugify": lambda h, _: check_links.anchor(h)}})
    made = re.sub(r'href="([^"]+)"', lambda m: f'href="{link_target(source, page, html.unescape(m[1]), copied)}"', made)
    if source.parent.name == "theory":
        made = with_indices(made)
        made = re.sub(r"<pre><code>(.*?)</code></pre>", lambda m: equation_html(m[1].rstrip()), made, flags=re.S)
    made = made.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")

    def cited(match):
        tag = match[1]
        if tag not in where or match.string.startswith("</span></span>", match.end()):  # the equation itself
            return match[0]
        return f'(<a href="{up_from(page)}{where[tag].as_posix()}#{tag}">{tag}</a>)'

    return title_of(text), TAG.sub(cited, made)


def navigation(page, titles):
    made = ""
    for shelf, places in SHELVES:
        made += f"<h2>{shelf}</h2><ul>"
        for source, title in titles.items():
            path = source.relative_to(ROOT).as_posix()
            if not any(path == place or path.startswith(place + "/") for place in places) or "/errors/" in path and not path.endswith("README.md"):
                continue
            here = ' class="here"' if page_of(source) == page else ""
            made += f'<li><a{here} href="{up_from(page)}{page_of(source).as_posix()}">{html.escape(title)}</a></li>'
        made += "</ul>"
    return made


def version_list(page, own, versions):
    """Links to the same page of the other versions, or to their first page where they have none."""
    made = "<h2>Version</h2><ul>"
    for version in versions:
        if version is own:
            made += f'<li><span class="here">{html.escape(version.name)}</span></li>'
            continue
        target = version.output / (page if page in version.pages else "index.html")
        link = Path(os.path.relpath(target, (own.output / page).parent)).as_posix()
        made += f'<li><a href="{link}">{html.escape(version.name)}</a></li>'
    return made + "</ul>"


def reports(output, program):
    """Pages of the program itself, and a page that lists them."""
    (output / "reports").mkdir(parents=True, exist_ok=True)
    for model in REPORTS:
        subprocess.run([program, "report", model, "-o", output / "reports" / f"{model}.html"], check=True, stdout=subprocess.DEVNULL)
    return "<h2>Reports</h2><ul>" + "".join(f'<li><a href="UP/reports/{m}.html">{m}</a></li>' for m in REPORTS) + "</ul>"


def build(version, versions, program):
    output, where, copied = version.output, equations(), set()
    titles = {source: title_of(source.read_text(encoding="utf-8")) for source in sources()}
    extra = reports(output, program) if program else ""
    for source in titles:
        page = page_of(source)
        title, body = body_of(source, page, where, copied)
        (output / page).parent.mkdir(parents=True, exist_ok=True)
        (output / page).write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} · Rattleback {html.escape(version.name)}</title><link rel="icon" href="data:,"><style>{STYLE}</style></head>
<body><div class="frame"><a class="contents" href="#contents">Contents</a><nav id="contents">{navigation(page, titles)}{extra.replace("UP/", up_from(page))}{version_list(page, version, versions)}</nav><main>{body}</main></div></body></html>
""", encoding="utf-8")
    copied |= set((ROOT / "docs").rglob("pictures/*.png"))
    copied |= {p for p in (ROOT / "docs/gallery").glob("*") if p.suffix in (".svg", ".png", ".toml")}
    for file in copied:
        if file.exists():
            (output / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, output / file.relative_to(ROOT))


def broken(output, releases):
    """Links of the pages that lead nowhere. Those of releases are not asked."""
    pages = {p: p.read_text(encoding="utf-8") for p in output.rglob("*.html") if not {"reports", *releases} & set(p.relative_to(output).parts)}
    for page, text in pages.items():
        for target in re.findall(r'href="([^"]+)"', text):
            path, _, place = html.unescape(target).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                yield f"{page.relative_to(output)}: {target} leads nowhere"
            elif place and file in pages and f'id="{place}"' not in pages[file]:
                yield f"{page.relative_to(output)}: {target} names a place that is not there"


@dataclass
class Version:
    """A state of the files, and where its pages go."""
    name: str
    root: Path
    output: Path
    pages: set


def version_of(name, root, output):
    global ROOT
    ROOT = root
    return Version(name, root, output, {page_of(source) for source in sources()})


def build_versions(root, output, program, files):
    """The pages of the working tree and of each release, whose files are put into the folder `files`; the number of pages of the first."""
    global ROOT
    ROOT = root
    own, tags = development_version(), released()
    for tag in tags:
        tarfile.open(fileobj=io.BytesIO(git("archive", tag))).extractall(files / tag)
    versions = [version_of(own, root, output)] + [version_of(tag.removeprefix("v"), files / tag, output / tag) for tag in tags]
    for version in versions:
        ROOT = version.root
        build(version, versions, program if version.root == root else None)
    return len(versions[0].pages), tags


def main():
    parser = argparse.ArgumentParser(usage="build_docs.py OUTPUT [PROGRAM] [--root REPOSITORY]")
    parser.add_argument("output", type=Path)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--root", type=Path, default=ROOT)
    given = parser.parse_args()
    output = given.output.resolve()
    if output.exists():
        shutil.rmtree(output)
    with tempfile.TemporaryDirectory() as files:
        count, tags = build_versions(given.root.resolve(), output, given.program, Path(files).resolve())
    wrong = list(broken(output, tags))
    print("\n".join(wrong) or f"{count} pages; open {output / 'index.html'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
