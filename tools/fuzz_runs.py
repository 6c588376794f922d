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
           "1e-300", "1e300", "0.123456789012345678901234567890", "1000000*pi", "sqrt(2)", "-0"]
FUNCTIONS = ["sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "atan", "abs", "sinh"]
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


def mutated(draw, text):
    """One to four small changes: numbers, functions, signs, spaces, lines that go, come twice or change places."""
    for _ in range(draw.randint(0, 4)):
        lines = text.splitlines()
        kind = draw.randrange(12)
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
            text = replaced_once(draw, re.compile(r"\^2"), text, lambda _: draw.choice(["^3", "^-1", "^(1/2)", "^40", ""]))
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
    files = sorted(given.models.glob("*.toml"))
    counts, faults = collections.Counter(), 0
    begin = time.monotonic()
    number = 0
    while number < given.runs and time.monotonic() - begin < given.seconds:
        draw = random.Random(f"{given.seed} {number}")
        text = mutated(draw, draw.choice(files).read_text())
        verb = draw.choice(VERBS)
        words = [verb, "model.toml", *options(draw, verb, text, given.limit)]
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
