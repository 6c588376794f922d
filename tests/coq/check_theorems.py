"""Theorems that the program writes for Coq: `coqc` accepts them, and rejects what is forged.

    check_theorems.py RATTLEBACK [--zoo TABLE] [--models a,b] [--questions q,r]

Without --zoo: a representative dozen of theorems and forgeries of them, in one file with the kernel. With --zoo: every question of every model, and a table for docs/reference/coq.md.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START, END = "Module Kernel.", "End Kernel."
HEADER = "Require Import ZArith QArith Qreals List Bool Reals.\nFrom Coquelicot Require Import Coquelicot.\nRequire Import kernel.\nImport ListNotations.\n"
DOZEN = [
    ["analyze", "chaplygin-sleigh", "--question", "energy"],
    ["analyze", "chaplygin-sphere", "--question", "energy"],
    ["analyze", "vertical-disk", "--question", "momenta"],
    ["analyze", "knife-edge", "--question", "integrals"],
    ["analyze", "nonholonomic-particle", "--question", "invariant-measure"],
    ["analyze", "chaplygin-sleigh", "--question", "symmetries"],
    ["analyze", "chaplygin-sleigh", "--question", "integrability"],
    ["analyze", "suslov", "--question", "integrability"],
    ["analyze", "fake-integrating-factor", "--question", "integrability"],
    ["analyze", "nonholonomic-particle", "--question", "jacobi"],
    ["analyze", "planar-pendulum", "--question", "jacobi"],
    ["prove", "chaplygin-sleigh", "--conserved", "m*u^2 + (J + m*a^2)*omega^2"],
    ["prove", "chaplygin-sleigh", "--conserved", "u"],
]
# (which of the dozen, what is replaced, by what): a coefficient, a sign, a dropped hypothesis, a stronger claim, another system.
FORGERIES = [
    (0, r"Definition lagrangian : Kernel\.E :=\n  ", "Definition lagrangian : Kernel.E :=\n  t + "),
    (0, r" - lagrangian\.", "."),
    (0, r" - lagrangian\.", " + lagrangian."),
    (0, r"Kernel\.forces := \[#0;", "Kernel.forces := [x';"),
    (0, r"Kernel\.conserved system nonzero positive energy", "Kernel.conserved system nonzero positive x"),
    (0, r"Kernel\.conserved system nonzero positive energy", "Kernel.conserved system nonzero positive theta'"),
    (0, r"Kernel\.conserved system nonzero positive energy", "Kernel.on_constraint system nonzero positive energy"),
    (0, r"Definition cofactors : list Kernel\.E :=\n  \[x'", "Definition cofactors : list Kernel.E :=\n  [y'"),
    (0, r"Kernel\.structure := \[\]", "Kernel.structure := [(0%nat, 1%nat, 2%nat, #1)]"),
    (0, r"Definition constraint1 : Kernel\.E :=\n  ", "Definition constraint1 : Kernel.E :=\n  #1 + "),
    (1, r"Kernel\.structure := \[\((\d)%nat, (\d)%nat, (\d)%nat, ", r"Kernel.structure := [(\1%nat, \2%nat, \3%nat, #2*"),
    (1, r" - lagrangian\.", " - #2*lagrangian."),
    (2, r"Definition function1 : Kernel\.E :=\n  ", "Definition function1 : Kernel.E :=\n  theta + "),
    (2, r"Definition function1 : Kernel\.E :=\n  ", "Definition function1 : Kernel.E :=\n  t + "),
    (2, r"Definition lagrangian : Kernel\.E :=\n  ", "Definition lagrangian : Kernel.E :=\n  x^2 + y^2 + theta^2 + phi^2 + "),
    (3, r"Definition function1 : Kernel\.E :=\n  ", "Definition function1 : Kernel.E :=\n  x + "),
    (4, r"Definition density : Kernel\.E :=\n  ", "Definition density : Kernel.E :=\n  #1 + "),
    (4, r"Definition density : Kernel\.E :=\n  [^\n]*\.\n", "Definition density : Kernel.E := #0.\n"),
    (4, r"Definition density : Kernel\.E :=\n  ", "Definition density : Kernel.E :=\n  x * "),
    (4, r"Definition rates_of_speeds : list Kernel\.E :=\n  \[", "Definition rates_of_speeds : list Kernel.E :=\n  [#1 + "),
    (4, r"Definition velocities_by_speeds : list Kernel\.E :=\n  \[", "Definition velocities_by_speeds : list Kernel.E :=\n  [#2*"),
    (4, r"Definition nonzero : list Kernel\.E := \[[^\]]*\]", "Definition nonzero : list Kernel.E := []"),
    (5, r"Definition field1 : list Kernel\.E :=\n  \[", "Definition field1 : list Kernel.E :=\n  [theta + "),
    (5, r"Definition field1 : list Kernel\.E :=\n  \[", "Definition field1 : list Kernel.E :=\n  [x + "),
    (5, r"Definition lagrangian : Kernel\.E :=\n  ", "Definition lagrangian : Kernel.E :=\n  x*y*theta + "),
    (5, r"Definition constraint1 : Kernel\.E :=\n  ", "Definition constraint1 : Kernel.E :=\n  x*y*theta*theta' + "),
    (6, r"Definition first : list Kernel\.E :=\n  \[", "Definition first : list Kernel.E :=\n  [#1 + "),
    (6, r"Kernel\.nonholonomic system nonzero positive", "Kernel.holonomic system nonzero positive [first; second] [x'; theta']"),
    (6, r"Definition second : list Kernel\.E :=\n  [^\n]*\.\n", "Definition second : list Kernel.E := first.\n"),
    (7, r"Kernel\.structure := \[[^\n]*\];\n", "Kernel.structure := [];\n"),
    (8, r"Definition constraint1 : Kernel\.E :=\n  ", "Definition constraint1 : Kernel.E :=\n  x*y' + "),
    (8, r"Kernel\.holonomic system nonzero positive legs speeds", "Kernel.holonomic system nonzero positive [] speeds"),
    (9, r"Kernel\.not_poisson (.*) nonzero positive", r"Kernel.poisson \1 nonzero positive 0%nat"),
    (9, r"Definition constraint1 : Kernel\.E :=\n  [^\n]*\.\n", "Definition constraint1 : Kernel.E := z'.\n"),
    (10, r"Kernel\.poisson (.*) nonzero positive 0%nat", r"Kernel.not_poisson \1 nonzero positive"),
    (10, r"Definition speeds : list Kernel\.E :=\n  \[", "Definition speeds : list Kernel.E :=\n  [#2*"),
    (11, r"Definition function1 : Kernel\.E :=\n  ", "Definition function1 : Kernel.E :=\n  #3*theta'^2 + "),
    (11, r"Definition constraint1 : Kernel\.E :=\n  ", "Definition constraint1 : Kernel.E :=\n  a*theta' + "),
    (11, r"Kernel\.constraints := \[constraint1\]", "Kernel.constraints := []"),
    (11, r"Kernel\.forces := \[#0;", "Kernel.forces := [#1;"),
    (11, r"Definition lagrangian : Kernel\.E :=\n  ", "Definition lagrangian : Kernel.E :=\n  x^2 + "),
    (2, r"Kernel\.forces := \[#0;", "Kernel.forces := [x;"),
    (3, r"Kernel\.constraints := \[constraint1\]", "Kernel.constraints := []"),
    (12, r"Kernel\.not_conserved system nonzero positive function", "Kernel.conserved system nonzero positive function"),
    (12, r"Definition rate : Kernel\.E :=\n  ", "Definition rate : Kernel.E :=\n  #1 + "),
    (12, r"Definition function : Kernel\.E :=\n  [^\n]*\.\n", "Definition function : Kernel.E := m.\n"),
]


def written(program, words, folder):
    """The text that the program writes for Coq, or None with the reason when it has none; and the answer."""
    target = folder / "written.v"
    target.unlink(missing_ok=True)
    run = subprocess.run([program, *words, "--timeout", "60", "--to", "coq", target], capture_output=True, text=True)
    if target.exists():
        return target.read_text(), "", run.stdout
    reason = re.search(r"error\[[a-z-]+\]: (.*)", run.stderr)
    return None, reason[1] if reason else run.stdout.split("\n")[0], run.stdout


def without_kernel(text):
    return HEADER + text[text.index(END) + len(END):]


def compiled(text, folder, name="theorem", seconds=120):
    """(accepted, seconds of the processor, what coqc said)."""
    file = folder / f"{name}.v"
    file.write_text(text)
    started = time.process_time()
    before = time.monotonic()
    try:
        run = subprocess.run(["sh", "-c", f"ulimit -s unlimited 2>/dev/null; exec coqc -q -R . '' {file.name}"], cwd=folder,
                             capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False, seconds, f"more than {seconds} s"
    del started
    said = "\n".join(line for line in (run.stdout + run.stderr).split("\n") if "Warning" not in line)
    return run.returncode == 0, time.monotonic() - before, said


ALLOWED = {"ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
           "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic"}


def foreign_axioms(said):
    """Axioms beyond those of the real numbers."""
    found = set()
    for block in said.split("Axioms:")[1:]:
        found |= set(re.findall(r"^([A-Za-z_.]+)\s*:", block, re.M)) | set(re.findall(r"^([A-Za-z_.]+)$", block, re.M))
    return found - ALLOWED


def compile_kernel(text, folder):
    kernel = text[:text.index(END) + len(END)] + "\n"
    accepted, _, said = compiled(kernel, folder, "kernel")
    if not accepted:
        sys.exit("the kernel is not accepted:\n" + said[-2000:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--zoo")
    parser.add_argument("--models", default="")
    parser.add_argument("--questions", default="")
    args = parser.parse_args()
    if shutil.which("coqc") is None:
        print("coqc is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if args.zoo:
            return zoo(args, folder)
        failures = dozen(args.program, folder)
    print("\n".join(failures) or "all theorems are accepted, all forgeries rejected")
    sys.exit(bool(failures))


THEOREM = re.compile(r"Theorem (\w+) :\n  (.*?)\.\nProof\. apply \((.*?)\)\. vm_cast_no_check \(eq_refl true\)\. Qed\.\nPrint Assumptions \w+\.\n",
                     re.S)


def body_of(text):
    """The model and its theorems, without the kernel and what opens its notations."""
    return text[text.index("(* ---- The model. *)"):]


def in_module(name, body):
    return f"Module {name}.\n{body}\nEnd {name}.\n"


def forged_module(name, body):
    """The theorems of a forged body, of which at least one must fail: their conjunction does."""
    found = THEOREM.findall(body)
    statement = " /\\ ".join(f"({words})" for _, words, _ in found)
    terms = [f"({proof} ltac:(vm_cast_no_check (eq_refl true)))" for _, _, proof in found]
    proof = terms[-1]
    for term in reversed(terms[:-1]):
        proof = f"(conj {term} {proof})"
    return in_module(name, THEOREM.sub("", body) + f"\nFail Definition forged : {statement} := {proof}.")


def dozen(program, folder):
    """One file: the kernel, the theorems, and their forgeries, each of which has to fail."""
    failures, bodies, file = [], [], ""
    for index, words in enumerate(DOZEN):
        text, reason, _ = written(program, words, folder)
        if text is None:
            failures.append(f"{' '.join(words)}: not written, {reason}")
            bodies.append(None)
            continue
        if not file:
            file = text[:text.index("(* ---- The model. *)")]
        bodies.append(body_of(text))
        file += in_module(f"theorem{index}", bodies[-1])
    marks = {}
    for number, (index, old, new) in enumerate(FORGERIES):
        if bodies[index] is None:
            continue
        body, count = re.subn(old, new, bodies[index], count=1)
        if count == 0:
            failures.append(f"forgery of {' '.join(DOZEN[index])}: nothing to replace by {new!r}")
            continue
        marks[file.count("\n") + 1] = f"{' '.join(DOZEN[index])}, {new!r}"
        file += forged_module(f"forgery{number}", body)
    accepted, seconds, said = compiled(file, folder, "dozen", 600)
    if not accepted:
        line = int((re.findall(r"line (\d+), characters", said) or ["0"])[-1])
        before = [what for start, what in sorted(marks.items()) if start <= line]
        failures.append(f"{before[-1] if before else 'a theorem'}: {said[-800:]}")
    if foreign_axioms(said):
        failures.append(f"the theorems rest on {foreign_axioms(said)}")
    print(f"{len(DOZEN)} theorems and {len(marks)} forgeries in {seconds:.0f} s")
    return failures


PAGE = """<!-- Written by `make coq`; edit what it is written from. -->
# Verdicts that Coq checks

`rattleback analyze MODEL --question Q --to coq FILE.v`, `rattleback prove MODEL ... --to coq FILE.v` and `rattleback prove --certificate C --to
coq FILE.v` write a file for `coqc` (8.16; the standard library and Coquelicot): the kernel `proof/coq/coq_kernel.v`, the system with its
Lagrangian, constraints and forces as the model states them, the conditions under which the statement is made, the claim and its proof by
computation. `Print Assumptions` at its end shows the axioms of the real numbers and no others. What the statements mean is defined in the
kernel: `motion` (constraints and Lagrange-d'Alembert's equations with multipliers, for functions of time that have derivatives),
`conserved`, `not_conserved`, `on_constraint`, `symmetry`, `invariant_density` with `is_motion`, `holonomic`, `nonholonomic`, `poisson`,
`not_poisson`, `variational`, `has_motions`.

No form yet: constraints that are not linear in the velocities, abstract functions, inverse functions; brackets of constraints with a drift;
multipliers of Chaplygin, Routh and Suslov; verdicts that something does not exist, other than by a point at which it is seen.

The zoo, in seconds of `coqc` after the kernel and kilobytes of the file without it:

"""
QUESTIONS = ["energy", "momenta", "integrals", "invariant-measure", "symmetries", "integrability", "jacobi", "chaplygin-multiplier",
             "conditionally-variational", "inverse-problem"]


def zoo(args, folder):
    """Every question of every model: accepted with time and size, or why not."""
    models = args.models.split(",") if args.models else subprocess.run([args.program, "models", "--format", "json"], capture_output=True, text=True).stdout
    if isinstance(models, str):
        models = sorted(re.findall(r'"name": "([^"]+)"', models))
    questions = args.questions.split(",") if args.questions else QUESTIONS
    rows, kernel = [], False
    for model in models:
        for question in questions:
            text, reason, answer = written(args.program, ["analyze", model, "--question", question], folder)
            word = re.match(rf"{question}: (\w+)", answer)
            if not word or word[1] not in ("proved", "refuted"):
                continue
            if text is None:
                rows.append((model, question, word[1], "–", "", "", reason))
            else:
                if not kernel:
                    compile_kernel(text, folder)
                    kernel = True
                accepted, seconds, said = compiled(without_kernel(text), folder, seconds=60)
                rows.append((model, question, word[1], "accepted" if accepted else "rejected", f"{seconds:.1f}", f"{len(without_kernel(text)) / 1000:.1f}",
                             "" if accepted else said.strip().split("\n")[-1][:80]))
            print(*rows[-1], sep=" | ", flush=True)
    Path(args.zoo).write_text(PAGE + table(rows))
    return 0


def table(rows):
    accepted = [r for r in rows if r[3] == "accepted"]
    head = ["| question | verdict | decided | accepted by `coqc` | no form | rejected | slowest, s | largest, kB |", "|---|---|---|---|---|---|---|---|"]
    for question in QUESTIONS:
        for verdict in ("proved", "refuted"):
            mine = [r for r in rows if r[1] == question and r[2] == verdict]
            if not mine:
                continue
            good = [r for r in mine if r[3] == "accepted"]
            head.append(f"| {question} | {verdict} | {len(mine)} | {len(good)} | {sum(r[3] == '–' for r in mine)} | {sum(r[3] == 'rejected' for r in mine)} | "
                        f"{max((float(r[4]) for r in good), default=0):.1f} | {max((float(r[5]) for r in good), default=0):.1f} |")
    head.append(f"| all | | {len(rows)} | {len(accepted)} | {sum(r[3] == '–' for r in rows)} | {sum(r[3] == 'rejected' for r in rows)} | | |")
    body = ["", "| model | question | verdict | `coqc` | s | kB | why not |", "|---|---|---|---|---|---|---|"]
    body += ["| " + " | ".join(r) + " |" for r in rows]
    return "\n".join(head + body) + "\n"


if __name__ == "__main__":
    main()
