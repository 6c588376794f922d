"""Jobs in child processes, two at a time, each with a limit on its CPU time and memory."""

import os
import re
import resource
import sys

RESERVED = {"sin", "cos", "tan", "exp", "log", "sqrt", "sinh", "cosh", "atan", "pi"}


def words(text):
    """Names in a formula that are symbols."""
    return set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", text)) - RESERVED


def test_value(name):
    """A value for a symbol by its name; the same as in peers.hpp."""
    h = 0
    for c in name.encode():
        h = (h * 31 + c) % 997
    return 0.5 + h / 997.0


def start(work, limit):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 2, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        sys.setrecursionlimit(100000)
        try:
            seconds, value, length = work()
            state = "finished" if seconds <= limit else "too_slow"
            line = f"{state}\t{min(seconds, limit)!r}\t{value!r}\t{length}"
        except Exception as failure:  # whatever a contender does wrong is its answer
            print(failure, file=sys.stderr)
            line = "failed\t0\t0\t0"
        os.write(writer, line.encode())
        os._exit(0)
    os.close(writer)
    return child, reader


def finish(name, child, reader, limit):
    with os.fdopen(reader) as channel:
        line = channel.read()
    os.waitpid(child, 0)
    print(f"{name}\t" + (line or f"too_slow\t{limit}\t0\t0"), flush=True)


def run(jobs, limit):
    """jobs: name -> work, which returns CPU seconds, a value to compare, and the length of the answer."""
    running = []
    for name, work in jobs.items():
        if len(running) == 2:
            finish(*running.pop(0), limit)
        running.append((name, *start(work, limit)))
    for job in running:
        finish(*job, limit)
