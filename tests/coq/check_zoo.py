"""Every decided verdict of the zoo as a Coq theorem: what `coqc` accepts, how long it takes, and the page docs/reference/coq.md.

    check_zoo.py RATTLEBACK [--page FILE] [--rows FILE] [--folder DIR] [--models a,b] [--questions q,r] [--changed]
                 [--seconds 60] [--answer-seconds 60] [--model-seconds 600]

The rows of the table stand in tests/coq/rows.tsv, which is kept with the sources, with the digest of the model's text, of the text for Coq
without the kernel, and of the kernel (proof/coq/coq_kernel.v: no other one matters to `coqc`). With --changed only those models are asked
whose text or kernel is another one than that of their rows, or that took longer than a smaller limit; an answer that a newer program gives
to the same text is found without --changed. Of what a model answers, `coqc` checks the theorems whose text or kernel is another one than
that of their row, and those that took longer than a smaller limit. The file is written after each model: a run that is stopped is continued.

Every step is bounded in seconds of the processor, so that a busy machine changes nothing but the time one waits. What a model does not
decide in its time has a row as well. Answers with their certificates are kept in DIR/answers while the program and the model are the same.
The kernel is compiled once and required; the theorems of a model are checked by one process.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

from check_theorems import END, HEADER, START, assumptions_of, body_of, compile_kernel, foreign_axioms, in_module
from coq_page import page
from zoo_rows import digest, read_rows, write_rows

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


def text_of(program, model):
    """The model as it is written, on which all its rows depend."""
    return subprocess.run([program, "models", model], capture_output=True, text=True).stdout


def answers_of(program, model, folder, seconds, model_seconds):
    """{question: answer} of one model, remembered. Questions of a model share what is derived: they are asked by one process, which is given
    as much time as all of them may take; what it has answered before is kept. What it has not come to is `late`."""
    name = digest(text_of(program, model), Path(program).read_bytes(), f"{seconds:g} {model_seconds:g}")
    file = folder / "answers" / f"{model}-{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        words = [program, "analyze", model, "--question", ",".join(QUESTIONS), "--format", "jsonl", "--timeout", f"{seconds:g}"]
        run = bounded(words, int(min(model_seconds, 2 * seconds * len(QUESTIONS) + 5)))
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
            found.setdefault(question, {"verdict": "late"})
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


def kernel_of(text):
    return text[text.index(START):text.index(END)]


def kernel_of_program(program):
    """The kernel as this program writes it."""
    run = subprocess.run([program, "prove", "chaplygin-sleigh", "--conserved", "m", "--to", "coq"], capture_output=True, text=True)
    return kernel_of(run.stdout)


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


def is_settled(row, seconds):
    """Another run of coqc would say the same: its limit is not what ended it, or was as large as this one."""
    return row["state"] != "rejected" or not row["why"].endswith(" s") or row["limit"] >= seconds


def checked(texts, known, folder, seconds):
    """{question: what coqc says}; known rows of the same text and the same kernel are taken over."""
    names, bodies, found = [], [], {}
    for question, text in texts.items():
        before = known.get(question)
        if before and before["text"] == digest(body_of(text)) and before["kernel"] == digest(kernel_of(text)) and is_settled(before, seconds):
            found[question] = {key: before[key] for key in ("state", "seconds", "kB", "limit", "why")}
        else:
            names.append(question)
            bodies.append(body_of(text))
    if bodies:
        compile_kernel(next(iter(texts.values())), folder)
    for question, result in check_bodies(names, bodies, folder, seconds, lambda name, result: None).items():
        said = result["said"].replace("\n", " ").strip()
        found[question] = {"state": "accepted" if result["accepted"] else "rejected", "seconds": result["seconds"], "kB": result["kB"],
                           "limit": seconds, "why": said if said.endswith(" s") or not said else "`coqc` rejects the proof"}
        if said and not said.endswith(" s"):
            print(said[-600:], flush=True)
    return found


def rows_of_model(args, model, folder, known):
    """The rows of a model; `known` are those that it had: {question: row}."""
    answers = answers_of(args.program, model, folder, args.answer_seconds, args.model_seconds)
    if args.questions:
        answers = {q: a for q, a in answers.items() if q in args.questions.split(",")}
    else:
        answers |= claims_of(args.program, model, folder)
    rows, texts = [], {}
    of_model = {"model": model, "of": digest(text_of(args.program, model)), "asked": args.answer_seconds}
    for question, answer in answers.items():
        row = of_model | {"question": question, "verdict": answer["verdict"], "text": "", "kernel": "", "seconds": 0.0, "kB": 0.0, "limit": args.seconds}
        if answer["verdict"] == "late":
            rows.append(row | {"state": "late", "why": f"not answered within {args.model_seconds:g} s for the model"})
        if answer["verdict"] not in DECIDED:
            continue
        text, reason = written(args.program, model, answer, folder)
        row |= {"state": "no form", "why": reason}
        if text is not None:
            texts[question] = text
            row |= {"text": digest(body_of(text)), "kernel": digest(kernel_of(text))}
        rows.append(row)
    if not any(row["state"] != "late" for row in rows):
        rows.append(of_model | {"question": "", "verdict": "", "state": "nothing decided", "why": "", "text": "", "kernel": "", "seconds": 0.0,
                                "kB": 0.0, "limit": args.seconds})
    results = {} if args.write_only else checked(texts, known, folder, args.seconds)
    for row in rows:
        row |= results.get(row["question"], {})
        print(model, row["question"], row["verdict"], row["state"], f"{row['seconds']:.1f} s", f"{row['kB']:.1f} kB", row["why"], sep=" | ", flush=True)
    return rows


def unchanged(args, model, known, kernel):
    """Neither the text of the model nor the kernel is another one than that of its rows, and no row ended by a smaller limit than now."""
    of_model = digest(text_of(args.program, model))

    def stands(row):
        in_time = row["asked"] >= args.answer_seconds if row["state"] == "late" else is_settled(row, args.seconds)
        return row["of"] == of_model and row["kernel"] in ("", kernel) and in_time

    return bool(known) and all(map(stands, known.values()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--page")
    parser.add_argument("--rows", default=str(Path(__file__).parent / "rows.tsv"))
    parser.add_argument("--folder", default="build/coq")
    parser.add_argument("--models", default="")
    parser.add_argument("--questions", default="")
    parser.add_argument("--changed", action="store_true", help="only models without rows, or with rows of another text or kernel")
    parser.add_argument("--seconds", type=float, default=60, help="for coqc and one theorem")
    parser.add_argument("--answer-seconds", type=float, default=60, help="for the program and one question")
    parser.add_argument("--model-seconds", type=float, default=600, help="for the program and all questions of a model")
    parser.add_argument("--answers-only", action="store_true", help="ask the questions, and write no theorems")
    parser.add_argument("--write-only", action="store_true", help="write the theorems, and do not check them")
    parser.add_argument("--page-only", action="store_true", help="write the page from the rows that are there")
    args = parser.parse_args()
    folder = Path(args.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    zoo, kernel = models_of(args.program), digest(kernel_of_program(args.program))
    rows = {model: found for model, found in read_rows(args.rows).items() if model in zoo}
    asked = [] if args.page_only else args.models.split(",") if args.models else short_first(args.program, zoo)
    for model in asked:
        if args.changed and unchanged(args, model, rows.get(model), kernel):
            continue
        if args.answers_only:
            answers = answers_of(args.program, model, folder, args.answer_seconds, args.model_seconds)
            print(model, sum(a["verdict"] in DECIDED for a in answers.values()), "decided", flush=True)
            continue
        found = rows_of_model(args, model, folder, rows.get(model, {}))
        if args.write_only:
            continue
        rows[model] = (rows.get(model, {}) if args.questions else {}) | {row["question"]: row for row in found}
        write_rows(args.rows, rows)
    all_rows = [row for model in zoo for row in rows.get(model, {}).values()]
    decided = [row for row in all_rows if row["verdict"] in DECIDED]
    print(sum(r["state"] == "accepted" for r in decided), "of", len(decided), "are accepted;", len(rows), "of", len(zoo), "models have rows")
    if args.page:
        Path(args.page).write_text(page(all_rows, QUESTIONS, [model for model in zoo if model not in rows], kernel))


if __name__ == "__main__":
    main()
