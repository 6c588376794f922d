"""Fuzzing of whole runs: models of the zoo, changed at random, with random verbs, options and hostile numbers.

    fuzz_runs.py PROGRAM MODELS [--runs N] [--seconds S] [--seed K] [--limit L] [--keep FOLDER]

A run passes when it ends within its limit of processor time with an exit code from 0 to 3, without a signal, without `bug[...]`, without
a finding of a sanitizer (preset asan), and with `error[...]` where the code is 2. What fails is printed with its command and kept, model
and all, in FOLDER. The last line counts runs by verb and by exit code. The same seed makes the same runs.
"""

import argparse
import collections
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NUMBERS = ["0", "1", "-1", "1e-9", "1e9", "0.1745", "1/3", "1e400", "3.141592653589793", "22/7", "-0.5", "1e-400", "2^20", "pi/2",
           "1e-300", "1e300", "0.123456789012345678901234567890", "1000000*pi", "sqrt(2)", "-0", "9" * 400, "1e99999", "1e-99999", "1/0", "0/0", "nan",
           "inf", "--1", "2^(2^20)", "exp(1000)", "sqrt(-1)", "1_000", "0x10", "\u0663", "\u22121", "1e", ".", "1e400/1e400"]
# What stands where an option or a key wants something else.
WRONG = ["", " ", "-", "--", "=", "x=", "=1", "x==1", "true", "[1, 2]", "{ a = 1 }", "a" * 5000, "\u03b8", "\U0001f600", "\x07", "'", '"', "x'''=1", "x=~", "0:1",
         "1:0:-1", "x=0:1:1e9", "missing/x", "/dev/null/x", "%n%s", "t", "x=x", "pi=3", "-1", "1e400", "((((", "x'=1,,x=2", "all", "none"]
LETTERS = ["", "(", ")", "'", '"', "\u00a0", "\u2212", "\u200b", "\x00", "\\", "=", "[", "\n", "#", "\ufeff", "^"]
VALUES = ['"R"', "1", "true", "[]", "{}", '""', "[1, 2, 3]", '"x"', '["x", "y"]', "1e400", '"0*x"', "{ value = 1 }", "2026-01-01", "'''a'''"]
FUNCTIONS = ["sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "atan", "abs", "sinh"]
MILD = [0, 0, 1, 2, 3, 7, 8, 13, 17, 19]  # changes that often leave a model, so that more than its reading is tried
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
CALL = re.compile(r"\b(?:sin|cos|tan|exp|log|sqrt|tanh|atan)\(")
LEAKS = Path(__file__).with_name("leak-sanitizer.supp")
SANITIZER = re.compile(r"^.*(?:ERROR: \w+Sanitizer|: runtime error: ).*$", re.M)
VERBS = ["check", "check", "derive", "analyze", "simulate", "simulate", "simulate", "export", "sweep", "report", "prove", "continue", "map", "measure", "plan", "doubt"]
QUESTIONS = ["energy", "equilibria", "regularity", "invariant-measure", "integrability", "integrals", "momenta", "symmetries", "all",
             "conditionally-variational", "jacobi", "chaplygin-multiplier", "routh-hamiltonization", "suslov-hamiltonization",
             "inverse-problem", "optimal-control", "hamiltonization"]
LANGUAGES = ["c", "python", "js", "julia", "matlab", "fortran", "sympy", "modelica", "auto", "latex", "json", "ipynb"]
METHODS = ["taylor", "dop853", "radau5", "rk4", "gauss4", "gauss6", "dla", "dla-midpoint", "dla-reversible", "gni", "hamel",
           "discrete-gradient", "munthe-kaas", "hamiltonized"]


def replaced_once(draw, pattern, text, make):
    places = list(pattern.finditer(text))
    if not places:
        return text
    at = draw.choice(places)
    return text[: at.start()] + make(at.group()) + text[at.end() :]


def mutated(draw, text, others):
    """Up to six small changes: numbers, functions, signs, spaces, exponents, letters; lines and sections that go, come twice, change places or come
    from another model; values of another type."""
    for _ in range(draw.choice([0, 1, 1, 2, 2, 3, 4, 6])):
        lines = text.splitlines()
        kind = draw.choice(MILD) if draw.random() < 0.6 else draw.randrange(20)
        if kind == 0:
            text = replaced_once(draw, NUMBER, text, lambda _: draw.choice(NUMBERS))
        elif kind == 1:
            text = replaced_once(draw, CALL, text, lambda _: draw.choice(FUNCTIONS) + "(")
        elif kind == 2:
            text = replaced_once(draw, re.compile(r" [-+] "), text, lambda s: " - " if "+" in s else " + ")
        elif kind == 3:
            text = replaced_once(draw, re.compile(r'"(?:R|S1)"'), text, lambda s: '"S1"' if s == '"R"' else '"R"')
        elif kind == 4 and lines:
            lines.pop(draw.randrange(len(lines)))
            text = "\n".join(lines) + "\n"
        elif kind == 5 and lines:
            k = draw.randrange(len(lines))
            lines.insert(k, lines[k])
            text = "\n".join(lines) + "\n"
        elif kind == 6 and len(lines) > 1:
            a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
            lines[a], lines[b] = lines[b], lines[a]
            text = "\n".join(lines) + "\n"
        elif kind == 7:
            text = replaced_once(draw, re.compile(r"\^2"), text, lambda _: draw.choice(["^3", "^-1", "^(1/2)", "^40", "", "^1000", "^(-10^6)", "^1e9", "^0.1", "^x", "^(1/3)"]))
        elif kind == 8:
            text = replaced_once(draw, re.compile(r"\*"), text, lambda _: draw.choice(["/", "*0*", "*-1*", "*1e-8*"]))
        elif kind == 9:  # deep, but within what the limits of a formula allow
            deep = draw.choice([3, 50, 2000])
            text = replaced_once(draw, NUMBER, text, lambda x: "(" * deep + x + ")" * deep)
        elif kind == 10:  # a name in other letters, everywhere
            names = names_in(text, "space") + names_in(text, "parameters")
            if names:
                text = re.sub(rf"\b{draw.choice(names)}\b", draw.choice(["theta", "x_1", "\u03b8", "long_name_of_a_thing_that_is_long"]), text)
        elif kind == 11 and lines:  # a section without its lines
            heads = [k for k, line in enumerate(lines) if line.startswith("[")]
            if heads:
                k = draw.choice(heads)
                end = next((i for i in heads if i > k), len(lines))
                text = "\n".join(lines[: k + 1] + lines[end:]) + "\n"
        elif kind == 12:  # two sections change places, or one comes twice
            parts = re.split(r"(?m)^(?=\[)", text)
            if len(parts) > 2:
                a, b = draw.randrange(1, len(parts)), draw.randrange(1, len(parts))
                if draw.random() < 0.5:
                    parts[a], parts[b] = parts[b], parts[a]
                else:
                    parts.insert(b, parts[a])
                text = "".join(parts)
        elif kind == 13:  # a section of another model in place of its own, or besides
            theirs = re.split(r"(?m)^(?=\[)", draw.choice(others))
            parts = re.split(r"(?m)^(?=\[)", text)
            part = draw.choice(theirs[1:] or [""])
            head = part.split("\n", 1)[0]
            text = "".join([p for p in parts if not p.startswith(head)] if draw.random() < 0.7 else parts).rstrip("\n") + "\n" + part
        elif kind == 14:  # a value of another type
            text = replaced_once(draw, re.compile(r"(?m)(?<== )\S.*$"), text, lambda _: draw.choice(VALUES))
        elif kind == 15 and text:  # a letter more, less or other
            k = draw.randrange(len(text))
            text = text[:k] + draw.choice(LETTERS) + text[k + draw.randint(0, 1) :]
        elif kind == 16:  # the file ends early
            text = text[: draw.randrange(len(text) + 1)]
        elif kind == 17:  # a name in place of another
            words = re.findall(r"\b[A-Za-z_]\w*'?", text)
            if words:
                text = replaced_once(draw, re.compile(rf"\b{re.escape(draw.choice(words))}"), text, lambda _: draw.choice(words))
        elif kind == 18:  # a formula many times over
            deep = draw.choice([5, 200, 5000])
            text = replaced_once(draw, NUMBER, text,
                                 lambda x: draw.choice([" + ".join([x] * deep), "*".join([x] * deep), "sin(" * deep + x + ")" * deep, "-" * deep + x]))
        elif kind == 19:  # many coordinates, definitions or parameters besides
            section, line = draw.choice([("space", 'q_{} = "R"'), ("space", 'q_{} = "S1"'), ("define", 'd_{} = "{}"'), ("parameters", "p_{} = {}"),
                                         ("constraints", 'c_{} = "0 = 0"')])
            more = "\n".join(line.format(k, k) for k in range(draw.choice([3, 30, 3000])))
            head = f"[{section}]\n"
            text = text.replace(head, f"{head}{more}\n", 1) if head in text else f"{text}{head}{more}\n"
    return text


def names_in(text, section):
    """The keys of a table, however it is written, as a first guess at names."""
    found = re.search(rf"^\[{section}\]\n(.*?)(?=^\[|\Z)", text, re.S | re.M)
    return re.findall(r"^(\w+)\s*=", found[1], re.M) if found else []


def options(draw, verb, text, limit):
    coordinates, parameters = names_in(text, "space"), names_in(text, "parameters")
    words = ["--timeout", str(draw.choice([0.2, 1, limit]))]
    names = coordinates + parameters or ["x"]
    if parameters and draw.random() < 0.4:
        words += ["--set", f"{draw.choice(parameters)}={draw.choice(NUMBERS)}"]
    if verb == "derive":
        words += draw.choice([[], ["--form", "all"], ["--form", "multipliers"], ["--format", "latex"], ["--format", "json"], ["--steps"],
                              ["--linearise", f"{draw.choice(names)}={draw.choice(NUMBERS)}"]])
    if verb == "analyze":
        words += ["--question", draw.choice(QUESTIONS)]
    if verb == "export":
        words += ["--to", draw.choice(LANGUAGES)]
    if verb == "report":
        words += ["-o", "page.html"]
    if verb in ("simulate", "sweep"):
        words += ["--until", draw.choice(["0.1", "1", "-1", "1e-12", "50"]) if verb == "simulate" else "0.5"]
        if coordinates and draw.random() < 0.6:
            name = draw.choice(coordinates) + draw.choice(["", "'"])
            words += ["--initial", f"{name}={draw.choice(['', '', '~'])}{draw.choice(NUMBERS)}"]
        if draw.random() < 0.3:
            words += ["--project"]
    if verb == "simulate":
        words += ["--method", draw.choice(METHODS), "--search", "0"]
        if draw.random() < 0.3:
            at = draw.choice(names)
            words += draw.choice([["--events", at], ["--stop", f"{at} = {draw.choice(NUMBERS)}"], ["--section", at, "--points", "3"], ["--lyapunov", "1"],
                                  ["--orders", "--step", "0.1"], ["--after", "lift-off=fly"], ["--after", "start=fly"], ["--stop", "slip"]])
        if draw.random() < 0.2:
            words += ["--precision", draw.choice(["dd", "long-double", "200"])]
    if verb == "sweep":
        words += ["--vary", f"{draw.choice(names)}=0.1:1:3", "--quiet", "--output", "table.csv"]
        if draw.random() < 0.4:
            at = draw.choice(names)
            words += draw.choice([["--keep", "l=lyapunov(1)"], ["--keep", f"k=crossings({at})"], ["--keep", f"k=period({at})"], ["--method", "rk4", "--step", "0.01"],
                                  ["--method", draw.choice(METHODS), "--step", "0.05"]])
    if verb == "prove":
        words += draw.choice([["--conserved", claim(draw, names)], ["--zero", claim(draw, names)], ["--measure", claim(draw, names)],
                              ["--symmetry", f"{draw.choice(names)} = {draw.choice(NUMBERS)}"], ["--multiplier", claim(draw, names)]])
    if verb == "continue":
        words += ["--vary", f"{draw.choice(names)}=0.1:1", "--points", "5", *draw.choice([[], ["--orbits"], ["--hopf"]])]
    if verb == "map":
        words += ["--section", f"{draw.choice(names)} = {draw.choice(NUMBERS)}", "--points", "5", "--until", "20"]
        words += draw.choice([[], ["--level", "energy"], ["--cycle", "1"], ["--starts", "3"]])
    if verb == "measure":
        words += ["--until", "5", "--samples", "500", *draw.choice([["--of", claim(draw, names)], ["--covariant", "2"], ["--volume", "4"]])]
    if verb == "doubt":
        words += ["--question", draw.choice(QUESTIONS[:8]), "--quiet"]
    if verb == "plan":
        words += ["--to", f"{draw.choice(names)}={draw.choice(NUMBERS)}", "--duration", "1", "--pieces", "4", "--guesses", "2"]
    return words


def spoiled(draw, words):
    """Now and then an option has no value, a wrong one, comes twice or is none; --timeout, the first, stays."""
    if draw.random() > 0.15 or len(words) < 3:
        return words
    k = draw.randrange(2, len(words))
    wrong = draw.choice(WRONG)
    return draw.choice([words[:k], words[:k] + [wrong] + words[k + 1 :], words + words[2:], words[:k] + words[k + 1 :], words + ["--" + wrong[:20]],
                        words + ["--set", wrong], words + ["--format", wrong], words[:k] + [words[k] + wrong] + words[k + 1 :]])


def claim(draw, names):
    """A function of the state that no model meant."""
    a, b = draw.choice(names), draw.choice(names)
    return draw.choice([f"{a}'", f"{a}^2 + {b}'^2", f"{draw.choice(FUNCTIONS)}({a}) - {b}'", f"exp({a}*t)", f"{a}/{b}", draw.choice(NUMBERS)])


def allowed(verb, words, limit):
    """Processor time for a run, in seconds. --timeout holds for each of the questions of a report."""
    many = verb in ("report", "doubt") or "all" in words
    return int((60 if many else 10) * limit + 20)


def fault(run, limit):
    """Why a run fails, or nothing."""
    if run is None or run.returncode == -24:  # SIGXCPU
        return f"no end within {limit} s of processor time"
    said = run.stdout + run.stderr
    if finding := SANITIZER.search(said):  # its exit code may be that of a refuted claim
        return finding.group()
    if run.returncode not in (0, 1, 2, 3):
        return f"exit code {run.returncode}"
    if "bug[" in said:
        return said[said.index("bug[") :].splitlines()[0]
    if run.returncode == 2 and "error[" not in said:
        return "an error without a slug"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", type=Path)
    parser.add_argument("--runs", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=5, help="seconds that --timeout allows at most")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    program = Path(given.program).resolve()  # each run has a folder of its own
    texts = [file.read_text() for file in sorted(given.models.glob("*.toml"))]
    counts, faults = collections.Counter(), 0
    begin = time.monotonic()
    number = 0
    while number < given.runs and time.monotonic() - begin < given.seconds:
        draw = random.Random(f"{given.seed} {number}")
        text = mutated(draw, draw.choice(texts), texts)
        verb = draw.choice(VERBS)
        words = [verb, "model.toml", *spoiled(draw, options(draw, verb, text, given.limit))]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "model.toml").write_text(text)
            hard = allowed(verb, words, given.limit)
            try:
                run = subprocess.run(
                    [program, *words],
                    cwd=folder,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    env=os.environ | {"LSAN_OPTIONS": f"suppressions={LEAKS}:print_suppressions=0"},
                    timeout=20 * hard,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (hard, hard + 5)),
                )
            except subprocess.TimeoutExpired:
                run = None
        why = fault(run, hard)
        counts[f"{verb} {'-' if run is None else run.returncode}"] += 1
        if why:
            faults += 1
            print(f"run {number}: {why}\n  rattleback {' '.join(words)}", flush=True)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"{given.seed}-{number}.toml").write_text(text)
                (given.keep / f"{given.seed}-{number}.txt").write_text(f"{why}\n{' '.join(words)}\n")
        number += 1
    print(f"{number} runs, {faults} faults: " + ", ".join(f"{name}: {n}" for name, n in sorted(counts.items())))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
