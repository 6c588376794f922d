"""Doubt at length: every model of the zoo, then random models, on all processors; ends with the number of statements tried.

    doubt.py PROGRAM SECONDS [MODEL...]

A contradiction is printed whole and makes the exit code 1. The zoo takes what it takes; random models fill the rest of the time.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import time

TALLY = re.compile(r"(\d+) statements tried, (\d+) contradicted, (\d+) without an experiment")


def run(arguments, limit):
    """(tried, contradicted, output) of one call."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return 0, 0, f"{' '.join(arguments)}: no end within {limit} s"
    found = TALLY.search(done.stdout)
    if not found:
        return 0, 1, f"{' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return int(found[1]), int(found[2]), done.stdout


def main(program, seconds, *models):
    begin = time.time()
    names = models or subprocess.run([program, "models"], capture_output=True, text=True, check=True).stdout.splitlines()
    names = models or [line.split()[0] for line in names if line.startswith("  ")]
    tried = contradicted = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(run, [program, "doubt", name, "--quiet", "--timeout", "10"], 900): name for name in names}
        for job in concurrent.futures.as_completed(jobs):
            more, wrong, output = job.result()
            tried, contradicted = tried + more, contradicted + wrong
            print(f"{jobs[job]}: {more} tried, {wrong} contradicted", flush=True)
            if wrong or not more:
                print(output, flush=True)
        rest = max(10, int(float(seconds) - (time.time() - begin)))
        generated = [pool.submit(run, [program, "doubt", "--seconds", str(rest), "--seed", str(seed), "--timeout", "5"], rest + 600)
                     for seed in range(1, (os.cpu_count() or 1) + 1)]
        for job in generated:
            more, wrong, output = job.result()
            tried, contradicted = tried + more, contradicted + wrong
            print(output, flush=True)
    print(f"{tried} statements tried, {contradicted} contradicted")
    return int(contradicted > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
