"""Replay recorded terminals and compare what is printed, to the letter.

    replay.py --program PATH [--update] FILE...

FILE is a recorded terminal (.term) or a Markdown page, of which the ```console blocks count:

    # Text before the first command, and between an exit line and the next command, is commentary.
    $ rattleback check chaplygin-sleigh
    the expected output, stdout and stderr together
    ...                              alone on a line stands for any lines, also none
    [exit 0]                         may be left out when it is 0

Commands go to bash, with `rattleback` being PATH, in an empty folder that the commands of one file share. Into it go
  - for NAME.term: the contents of the folder NAME beside it, if there is one;
  - for a page: every block marked ```toml NAME.toml, at the place where it stands, so that a tutorial can say
    "save this as ..." and then use it.
--update writes the present output into the files. An output with a `...` that still matches is left as it is.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

EXIT = re.compile(r"\[exit (\d+)\]$")


@dataclass
class Text:
    """Lines that are kept as they are."""

    lines: list


@dataclass
class File:
    """A file that a page asks the reader to save."""

    name: str
    lines: list


@dataclass
class Command:
    """One command with what it should print."""

    command: str
    output: list = field(default_factory=list)
    exit: int = 0
    says_exit: bool = False

    def lines(self):
        return [f"$ {self.command}", *self.output, *([f"[exit {self.exit}]"] if self.says_exit else [])]


def parse_terminal(lines):
    """The parts of a recorded terminal."""
    parts, current = [], None  # current: the command whose output we are reading
    for line in lines:
        if line.startswith("$ "):
            parts.append(current := Command(line[2:]))
        elif current and (match := EXIT.match(line)):
            current.exit, current.says_exit, current = int(match[1]), True, None
        elif current:
            current.output.append(line)
        else:
            parts.append(Text([line]))
    return parts


def parse_page(lines):
    """The parts of a Markdown page."""
    parts, fence, body = [], None, []
    for line in lines:
        if fence is None:
            parts.append(Text([line]))
            if line.startswith("```"):
                fence, body = line[3:].split(), []
        elif line.rstrip() == "```":
            if fence[:1] == ["console"]:
                parts += parse_terminal(body)
            elif fence[:1] == ["toml"] and len(fence) == 2:
                parts.append(File(fence[1], body))
            else:
                parts.append(Text(body))
            parts.append(Text([line]))
            fence = None
        else:
            body.append(line)
    if fence is not None:
        raise SystemExit(f"a block ```{' '.join(fence)} is never closed")
    return parts


def matches(expected, actual):
    """Does the output match, where `...` stands for any lines?"""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def run(command, program, folder, seconds):
    """Output lines and exit code of a command, which is ended after so many seconds."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RATTLEBACK_")}
    environment |= {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
                    "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "110"}
    try:
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=seconds,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return [f"(no answer within {seconds} s)"], 124
    return done.stdout.decode("utf-8", "backslashreplace").splitlines(), done.returncode


def replay(path, program, update, seconds):
    """Replay one file; returns the number of commands that did something else."""
    page = path.suffix == ".md"
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = (parse_page if page else parse_terminal)(lines)
    commands = [part for part in parts if isinstance(part, Command)]
    if not commands:
        print(f"{path}: there is no command to replay")
        return 1

    wrong = 0
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        folder = Path(folder)
        if not page and path.with_suffix("").is_dir():
            shutil.copytree(path.with_suffix(""), folder, dirs_exist_ok=True)
        for part in parts:
            if isinstance(part, File):
                (folder / part.name).write_text("\n".join(part.lines) + "\n", encoding="utf-8")
            if not isinstance(part, Command):
                continue
            output, code = run(part.command, program, folder, seconds)
            if matches(part.output, output) and part.exit == code:
                continue
            wrong += 1
            expected = part.lines() if part.says_exit else [*part.lines(), f"[exit {part.exit}]"]
            if update:
                part.output = part.output if matches(part.output, output) else output
                part.exit, part.says_exit = code, part.says_exit or code != 0
                continue
            actual = [f"$ {part.command}", *output, f"[exit {code}]"]
            print("\n".join(difflib.unified_diff(expected, actual, f"{path} (expected)", f"{path} (now)", lineterm="")))

    if update and wrong:
        kept = [line for part in parts for line in (part.lines() if isinstance(part, Command) else part.lines)]
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
        print(f"{path}: {wrong} of {len(commands)} outputs updated")
        return 0
    if not wrong:
        print(f"{path}: {len(commands)} commands as expected")
    return wrong


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", type=Path, required=True, help="the built rattleback")
    arguments.add_argument("--update", action="store_true", help="write the present output into the files")
    arguments.add_argument("--seconds", type=int, default=120, help="a command is ended after so many (120)")
    arguments.add_argument("files", type=Path, nargs="+")
    given = arguments.parse_args()
    program = given.program.resolve()
    if program.name != "rattleback" or not os.access(program, os.X_OK):
        raise SystemExit(f"{program} is not the rattleback program")
    sys.exit(any([replay(path, program, given.update, given.seconds) for path in given.files]))
