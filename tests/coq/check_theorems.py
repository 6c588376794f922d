"""Theorems that the program writes for Coq: `coqc` accepts them, and rejects what is forged.

    check_theorems.py RATTLEBACK

A representative dozen of theorems and forgeries of them, in one file with the kernel. check_zoo.py asks every question of every model.
"""

import argparse
import json
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
    ["analyze", "knife-edge", "--question", "chaplygin-multiplier"],
    ["analyze", "chaplygin-sleigh", "--question", "conditionally-variational"],
    ["prove", "chaplygin-sleigh", "--agrees", "hamel,bracket"],
    ["analyze", "chaplygin-sleigh", "--question", "regularity"],
    ["analyze", "cart-pendulum", "--question", "equilibria"],
    ["analyze", "euler-top", "--question", "equilibria"],
    ["analyze", "ball-in-cylinder", "--question", "integrability"],
    ["analyze", "cart-pendulum", "--question", "inverse-problem"],
    ["analyze", "contact-particle-sinh", "--question", "integrability"],
    ["analyze", "disk-on-cart", "--question", "energy"],
    ["analyze", "zero-reaction-no-measure", "--question", "inverse-problem"],
    ["analyze", "rolling-cone", "--question", "jacobi"],
    ["analyze", "veselova-euler", "--question", "invariant-measure"],
    ["analyze", "slider-crank", "--question", "jacobi"],
    ["analyze", "slider-crank", "--question", "energy"],
    ["analyze", "slider-crank", "--question", "integrability"],
    ["analyze", "rotor-ball", "--question", "energy"],
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
    (13, r"Definition multiplier : Kernel\.E :=\n  ", "Definition multiplier : Kernel.E :=\n  x + "),
    (13, r"Definition form : list Kernel\.E :=\n  \[", "Definition form : list Kernel.E :=\n  [y + "),
    (13, r"Definition support : list nat :=\n  \[", "Definition support : list nat :=\n  [0%nat; "),
    (13, r"Definition rates_of_speeds : list Kernel\.E :=\n  \[", "Definition rates_of_speeds : list Kernel.E :=\n  [#1 + "),
    (14, r"Definition multipliers : list BinNums\.positive :=\n  \[[^\]]*\]", "Definition multipliers : list BinNums.positive :=\n  []"),
    (14, r"Definition weights : list QArith_base\.Q :=\n  \[\(QArith_base\.Qmake \([^)]*\)", "Definition weights : list QArith_base.Q :=\n  [(QArith_base.Qmake (0)"),
    (14, r"Definition conditions : (.*) :=\n  \[\(None, \[", r"Definition conditions : \1 :=\n  [(None, [#1 + "),
    (15, r"Definition rates2 : list Kernel\.E :=\n  \[", "Definition rates2 : list Kernel.E :=\n  [#2*"),
    (15, r"Definition definitions2 : list Kernel\.E :=\n  \[", "Definition definitions2 : list Kernel.E :=\n  [#1 + "),
    (15, r"Definition nonzero : list Kernel\.E := \[[^\]]*\]", "Definition nonzero : list Kernel.E := []"),
    (16, r"Definition positive : list Kernel\.E := \[[^\]]*\]", "Definition positive : list Kernel.E := []"),
    (16, r"Definition lagrangian : Kernel\.E :=\n  ", "Definition lagrangian : Kernel.E :=\n  #(-1)*m*x'^2 + "),
    (16, r"Kernel\.positive_definite system speeds nonzero positive metric", "Kernel.positive_definite system speeds nonzero positive (metric - #1)"),
    (17, r"Kernel\.unbounded nonzero", "Kernel.bounded nonzero"),
    (17, r"Definition lyapunov1 : Kernel\.E :=\n  ", "Definition lyapunov1 : Kernel.E :=\n  theta' + "),
    (17, r"Definition lyapunov1 : Kernel\.E :=\n  [^\n]*\.\n", "Definition lyapunov1 : Kernel.E := #0.\n"),
    (17, r"Definition minimum1 : list QArith_base\.Q :=\n  \[\(QArith_base\.Qmake \(", "Definition minimum1 : list QArith_base.Q :=\n  [(QArith_base.Qmake (-"),
    (17, r"Definition matrix1 : (.*) :=\n  \[\[\(QArith_base\.Qmake \(0\)", r"Definition matrix1 : \1 :=\n  [[(QArith_base.Qmake (-1)"),
    (17, r"(Definition there2 : (?:.|\n)*?QArith_base\.Qmake \()-1\) 1\), \(QArith_base\.Qmake \(0\)", r"\g<1>0) 1), (QArith_base.Qmake (1)"),
    (17, r"Definition start2 : list QArith_base\.Q :=\n  \[\(QArith_base\.Qmake \(1\)", "Definition start2 : list QArith_base.Q :=\n  [(QArith_base.Qmake (0)"),
    (17, r"Definition form1 : (.*) :=\n  \[\[\(QArith_base\.Qmake \(", r"Definition form1 : \1 :=\n  [[(QArith_base.Qmake (-"),
    (17, r"Kernel\.stable system coordinates1 values1", "Kernel.stable system coordinates1 []"),
    (17, r"Kernel\.forces := \[#0;", "Kernel.forces := [x';"),
    (18, r"Definition lagrangian : Kernel\.E :=\n  ", "Definition lagrangian : Kernel.E :=\n  Omega1^4 + "),
    (18, r"Kernel\.structure := \[\((\d)%nat, (\d)%nat, (\d)%nat, ", r"Kernel.structure := [(\1%nat, \2%nat, \3%nat, #2*"),
    (19, r"Definition first : list Kernel\.E :=\n  \[", "Definition first : list Kernel.E :=\n  [#1 + "),
    (19, r"Kernel\.relations := \[[^\n]*\] \|\}", "Kernel.relations := [] |}"),
    (20, r"Definition unconstrained : Kernel\.E :=\n  [^\n]*\.\n", "Definition unconstrained : Kernel.E := #0.\n"),
    (20, r"Definition unconstrained : Kernel\.E :=\n  ", "Definition unconstrained : Kernel.E :=\n  theta*x' + "),
    (21, r"Kernel\.Exp x", "Kernel.Exp y"),
    (21, r"Definition constraint1 : Kernel\.E :=\n  [^\n]*\.\n", "Definition constraint1 : Kernel.E := z'.\n"),
    (22, r" - lagrangian\.", " - #2*lagrangian."),
    (22, r"Kernel\.forces := \[#0;", "Kernel.forces := [x';"),
    # Position constraints: left out; a rule that does not follow; a stronger claim.
    (26, r"Kernel\.relations := \[[^\n]*\] \|\}", "Kernel.relations := [] |}"),
    (26, r"Kernel\.Relation \(([^\n]*?)\) \(", r"Kernel.Relation (\1) (#1 + "),
    (26, r"Kernel\.poisson (.*) nonzero positive 0%nat", r"Kernel.not_poisson \1 nonzero positive"),
    # The energy and its rate: another rate, no force, the contrary; fields that do not lie along D, or velocities solved for otherwise.
    (27, r"Definition rate : Kernel\.E :=\n  ", "Definition rate : Kernel.E :=\n  #2*"),
    (27, r"Kernel\.forces := \[#0; #0; [^\]]*\]", "Kernel.forces := [#0; #0; #0]"),
    (27, r"Kernel\.not_conserved system nonzero positive energy", "Kernel.conserved system nonzero positive energy"),
    (28, r"Definition legs : list \(list Kernel\.E\) :=\n  \[\[", "Definition legs : list (list Kernel.E) :=\n  [[#1 + "),
    (28, r"Kernel\.rows := \[\[", "Kernel.rows := [[#1 + "),
    (29, r" - lagrangian\.", "."),
]
# (which of the dozen, field of the certificate, old text, new text): the program refuses it, or coqc does.
FORGED_CERTIFICATES = [
    (2, "constants", "J*turn", "J*turn*x"),
    (3, "constants", "v", "v + x"),
    (4, "density", "1 + ", "2 + "),
    (5, "fields", "\"1\"", "\"theta\""),
    (11, "function", "2", "3"),
    (12, "function", "u", "m"),
    (13, "multiplier", "cos", "sin"),
    (14, "complement", "1/cos", "2/cos"),
    (15, "forms", "omega^2", "omega^3"),
    (0, "lagrangian", "a", "2*a"),
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
    kernel = text[text.index("Require Import"):text.index(END) + len(END)] + "\n"
    if (folder / "kernel.vo").exists() and (folder / "kernel.v").read_text() == kernel:
        return
    (folder / "kernel.vo").unlink(missing_ok=True)
    accepted, _, said = compiled(kernel, folder, "kernel", 1800)
    if not accepted:
        sys.exit("the kernel is not accepted:\n" + said[-2000:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    args = parser.parse_args()
    if shutil.which("coqc") is None:
        print("coqc is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        failures = dozen(args.program, folder)
    print("\n".join(failures) or "all theorems are accepted, all forgeries rejected")
    sys.exit(bool(failures))


THEOREM = re.compile(r"Theorem (\w+) :\n  (.*?)\.\nProof\. apply \((.*?)\)\. vm_cast_no_check \(eq_refl true\)\. Qed\.\n", re.S)
ASSUMPTIONS = re.compile(r"Definition theorems := \((.*)\)\.\nPrint Assumptions theorems\.\n")


def body_of(text):
    """The model and its theorems, without the kernel, what opens its notations, and the list of axioms."""
    return ASSUMPTIONS.sub("", text[text.index("(* ---- The model. *)"):])


def assumptions_of(bodies):
    """The axioms of the theorems of several modules, asked once: it takes a second whatever their number."""
    names = [f"theorem{index}.{name}" for index, body in bodies for name, _, _ in THEOREM.findall(body)]
    return f"Definition theorems := ({', '.join(names)}).\nPrint Assumptions theorems.\n"


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


def certificate_of(program, words):
    run = subprocess.run([program, *words, "--format", "json"], capture_output=True, text=True)
    answer = json.loads(run.stdout)
    return answer["certificate"] if "certificate" in answer else next(iter(answer["questions"].values()))["certificate"]


def from_certificate(program, certificate, folder, model=None):
    """The text for Coq that a certificate leads to; None when the program refuses it."""
    file = folder / "certificate.json"
    file.write_text(json.dumps(certificate))
    run = subprocess.run([program, "prove", *([model] if model else []), "--certificate", file, "--to", "coq"], capture_output=True, text=True)
    return run.stdout if START in run.stdout else None


def forged_certificates(program, folder, failures):
    """[(what, module)] of what forged certificates lead to; certificates of another model, or of a changed one, lead to nothing."""
    modules = []
    for number, (index, key, old, new) in enumerate(FORGED_CERTIFICATES):
        what = f"certificate of {' '.join(DOZEN[index])}, {key}: {new!r}"
        certificate = certificate_of(program, DOZEN[index])
        text = json.dumps(certificate[key])
        if old not in text:
            failures.append(f"{what}: nothing to replace")
            continue
        certificate[key] = json.loads(text.replace(old, new, 1))
        if key == "lagrangian" and from_certificate(program, certificate, folder, DOZEN[index][1]) is not None:
            failures.append(f"{what}: accepted for the model")
        written_text = None if key == "lagrangian" else from_certificate(program, certificate, folder)
        if written_text is not None:
            modules.append((what, forged_module(f"certificate{number}", body_of(written_text))))
    for index in (0, 4, 13):
        if from_certificate(program, certificate_of(program, DOZEN[index]), folder, "vertical-disk") is not None:
            failures.append(f"certificate of {' '.join(DOZEN[index])}: accepted for another model")
    return modules


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
    file += assumptions_of((index, body) for index, body in enumerate(bodies) if body)
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
    more = forged_certificates(program, folder, failures)
    for what, module in more:
        marks[file.count("\n") + 1] = what
        file += module
    accepted, seconds, said = compiled(file, folder, "dozen", 600)
    if not accepted:
        line = int((re.findall(r"line (\d+), characters", said) or ["0"])[-1])
        before = [what for start, what in sorted(marks.items()) if start <= line]
        failures.append(f"{before[-1] if before else 'a theorem'}: {said[-800:]}")
    if foreign_axioms(said):
        failures.append(f"the theorems rest on {foreign_axioms(said)}")
    refused = len(FORGED_CERTIFICATES) - len(more) + 3
    print(f"{len(DOZEN)} theorems and {len(marks)} forgeries in {seconds:.0f} s; {refused} forged certificates are refused before")
    return failures


if __name__ == "__main__":
    main()
