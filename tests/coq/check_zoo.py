"""Every decided verdict of the zoo as a Coq theorem: what `coqc` accepts, how long it takes, and the page docs/reference/coq.md.

    check_zoo.py RATTLEBACK [--page FILE] [--folder DIR] [--models a,b] [--questions q,r] [--seconds 60] [--answer-seconds 60]

Every step is bounded in seconds of the processor, so that a busy machine changes nothing but the time one waits. The run can be stopped and
resumed: answers with their certificates are kept in DIR/answers, what `coqc` said of each theorem in DIR/theorems, and the rows of the table
in DIR/rows; a second run repeats only what the program writes differently, and what took longer than a smaller limit of seconds. The kernel is compiled once and required; the theorems of a model
are checked by one process. The page shows all rows of DIR/rows, and names the models that were not run.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

from check_theorems import HEADER, START, assumptions_of, body_of, compile_kernel, foreign_axioms, in_module
from coq_page import page

QUESTIONS = ["energy", "momenta", "integrals", "invariant-measure", "symmetries", "integrability", "jacobi", "chaplygin-multiplier",
             "conditionally-variational", "inverse-problem"]
DECIDED = ("proved", "refuted")
SECONDS_TO_ANSWER, SECONDS_TO_WRITE = 60, 60


def bounded(words, seconds):
    """A program run for at most so many seconds of the processor."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    return subprocess.run(words, capture_output=True, text=True, preexec_fn=limit)


def models_of(program):
    listed = subprocess.run([program, "models"], capture_output=True, text=True, check=True).stdout
    return sorted(re.findall(r"^  ([a-z][a-z0-9-]*) ", listed, re.M))


def short_first(program, models):
    """Models by the length of their text: a run that is stopped has seen most of them."""
    return sorted(models, key=lambda model: len(subprocess.run([program, "models", model], capture_output=True, text=True).stdout))


def answers_of(program, model, folder, seconds):
    """{question: answer} of one model, remembered. Questions of a model share what is derived: they are asked by one process, which is given
    as much time as all of them may take; what it has answered before is kept."""
    file = folder / "answers" / f"{model}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        words = [program, "analyze", model, "--question", ",".join(QUESTIONS), "--format", "jsonl", "--timeout", f"{seconds:g}"]
        run = bounded(words, int(2 * seconds * len(QUESTIONS)) + 5)
        found = {}
        for line in run.stdout.splitlines():
            try:
                answer = json.loads(line)
            except json.JSONDecodeError:  # the process was ended while it wrote
                continue
            if "questions" not in answer:
                sys.exit(f"{model}: {line[:400]}")
            found |= answer["questions"]
        for question in QUESTIONS:
            found.setdefault(question, {"verdict": "undecided"})
        file.write_text(json.dumps(found))
    return json.loads(file.read_text())


def claims_of(program, model, folder):
    """{claim: answer} of the claims that claims.json lists for the model."""
    claims = json.loads((Path(__file__).parent / "claims.json").read_text()).get(model, [])
    answers = {}
    for kind, claim in claims:
        run = bounded([program, "prove", model, f"--{kind}", claim, "--format", "json"], SECONDS_TO_ANSWER)
        if run.stdout.startswith("{"):
            answers[f"prove --{kind} {claim}"] = json.loads(run.stdout)
    return answers


def written(program, model, answer, folder):
    """The text for Coq, or None and the reason."""
    if not isinstance(answer.get("certificate"), dict):
        return None, "the answer carries no certificate"
    file = folder / "certificate.json"
    file.write_text(json.dumps(answer["certificate"]))
    run = bounded([program, "prove", model, "--certificate", str(file), "--to", "coq"], SECONDS_TO_WRITE)
    if run.returncode < 0:
        return None, f"it takes more than {SECONDS_TO_WRITE} s to write"
    if START in run.stdout:
        return run.stdout, ""
    reason = re.search(r"(?:error|bug)\[[a-z-]+\]: (.*)", run.stderr)
    return None, reason[1] if reason else (run.stderr.strip() or "no answer")[-200:]


TIMED = re.compile(r"^Chars \d+ - (\d+) .*? secs \(([0-9.]+)u,([0-9.]+)s\)", re.M)


def processor_seconds(process):
    """What a running process has used so far; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def run_coqc(folder, seconds):
    """What coqc prints for batch.v, ended when one command takes longer than allowed."""
    log = folder / "batch.log"
    with log.open("w") as out:
        process = subprocess.Popen(["sh", "-c", "ulimit -s unlimited 2>/dev/null; exec coqc -q -time -R . '' batch.v"], cwd=folder, stdout=out,
                                   stderr=subprocess.STDOUT)
    while process.poll() is None:
        time.sleep(1)
        done = sum(float(user) + float(system) for _, user, system in TIMED.findall(log.read_text()))
        if processor_seconds(process) - done > seconds + 2:  # and two to load the kernel
            process.kill()
            process.wait()
    return process.returncode, log.read_text()


def run_batch(bodies, folder, seconds):
    """[(seconds or None, what coqc said)] for the leading bodies of a list: as far as it came."""
    text, ends = HEADER + "Import Kernel.Notations.\nOpen Scope expr_scope.\n", []
    for number, body in enumerate(bodies):
        text += in_module(f"theorem{number}", body)
        ends.append(len(text.encode()))
    (folder / "batch.v").write_text(text + assumptions_of(enumerate(bodies)))
    code, output = run_coqc(folder, seconds)
    spent, last = [0.0] * len(bodies), 0
    for end, user, system in TIMED.findall(output):
        number = sum(int(end) > e for e in ends)
        if number < len(bodies):
            spent[number] += float(user) + float(system)
        last = max(last, int(end))
    done = len(bodies) if code == 0 else sum(last >= e - 30 for e in ends)
    said = re.sub(r"^Chars .*\n?", "", output, flags=re.M)
    results = [(spent[n], said) for n in range(done)]
    if code != 0 and done < len(bodies):
        results.append((None, said.strip()[-300:] if "Error" in said else f"more than {seconds:.0f} s"))
    return results


def check_bodies(names, bodies, folder, seconds, keep):
    """Checks in batches, each after what stopped the one before; what is known is kept at once, by `keep(name, result)`."""
    found = {}
    while bodies:
        results = run_batch(bodies, folder, seconds)
        for name, body, (spent, said) in zip(names, bodies, results):
            accepted = spent is not None and spent <= seconds and not foreign_axioms(said)
            found[name] = {"accepted": accepted, "seconds": spent if spent is not None else seconds, "kB": len(body.encode()) / 1000,
                           "said": "" if accepted else (said if spent is None else f"{spent:.0f} s" if spent > seconds else str(foreign_axioms(said)))}
            keep(name, found[name])
        names, bodies = names[len(results):], bodies[len(results):]
    return found


def checked(texts, model, folder, seconds):
    """What coqc says of each, remembered by kernel and text."""
    names, bodies, found = [], [], {}
    for name, text in texts.items():
        digest = hashlib.sha256(text.encode()).hexdigest()[:20]
        memory = folder / "theorems" / f"{digest}.json"
        known = json.loads(memory.read_text()) if memory.exists() else None
        if known and (known["accepted"] or known["limit"] >= seconds or not known["said"].endswith(" s")):
            found[name] = known
        else:
            names.append(name)
            bodies.append(body_of(text))

    def keep(name, result):
        digest = hashlib.sha256(texts[name].encode()).hexdigest()[:20]
        (folder / "theorems" / f"{digest}.json").write_text(json.dumps(result | {"limit": seconds}))

    for name, result in check_bodies(names, bodies, folder, seconds, keep).items():
        found[name] = result | {"limit": seconds}
    return found


def rows_of_model(args, model, folder, state):
    answers = answers_of(args.program, model, folder, args.answer_seconds)
    if args.questions:
        answers = {q: a for q, a in answers.items() if q in args.questions.split(",")}
    else:
        answers |= claims_of(args.program, model, folder)
    rows, texts = [], {}
    for question, answer in answers.items():
        if answer["verdict"] not in DECIDED:
            continue
        text, reason = written(args.program, model, answer, folder)
        rows.append({"model": model, "question": question, "verdict": answer["verdict"], "reason": reason, "asked": args.answer_seconds})
        if text is not None:
            texts[question] = text
    if texts and not state.get("kernel"):
        compile_kernel(next(iter(texts.values())), folder)
        state["kernel"] = True
    results = {} if args.write_only else checked(texts, model, folder, args.seconds)
    for row in rows:
        row |= results.get(row["question"], {})
        row["state"] = "no form" if row["reason"] else "accepted" if row.get("accepted") else "rejected"
        print(model, row["question"], row["verdict"], row["state"], f"{row.get('seconds', 0):.1f} s", f"{row.get('kB', 0):.1f} kB",
              row["reason"] or row.get("said", "").replace("\n", " ")[-150:], sep=" | ", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--page")
    parser.add_argument("--folder", default="build/coq")
    parser.add_argument("--models", default="")
    parser.add_argument("--questions", default="")
    parser.add_argument("--seconds", type=float, default=60, help="for coqc and one theorem")
    parser.add_argument("--answer-seconds", type=float, default=60, help="for the program and one question")
    parser.add_argument("--answers-only", action="store_true", help="ask the questions, and write no theorems")
    parser.add_argument("--write-only", action="store_true", help="write the theorems, and do not check them")
    parser.add_argument("--page-only", action="store_true", help="write the page from the rows that are there")
    args = parser.parse_args()
    folder = Path(args.folder).resolve()
    (folder / "theorems").mkdir(parents=True, exist_ok=True)
    (folder / "rows").mkdir(parents=True, exist_ok=True)
    zoo, state = models_of(args.program), {}
    for model in [] if args.page_only else args.models.split(",") if args.models else short_first(args.program, zoo):
        if args.answers_only:
            answers = answers_of(args.program, model, folder, args.answer_seconds)
            print(model, sum(a["verdict"] in DECIDED for a in answers.values()), "decided", flush=True)
            continue
        rows = rows_of_model(args, model, folder, state)
        if not (args.questions or args.write_only):
            (folder / "rows" / f"{model}.json").write_text(json.dumps(rows))
    known = {file.stem: json.loads(file.read_text()) for file in sorted((folder / "rows").glob("*.json"))}
    rows = [row for model in zoo for row in known.get(model, [])]
    print(sum(r["state"] == "accepted" for r in rows), "of", len(rows), "are accepted;", len(known), "of", len(zoo), "models were run")
    if args.page:
        Path(args.page).write_text(page(rows, QUESTIONS, [model for model in zoo if model not in known]))


if __name__ == "__main__":
    main()
