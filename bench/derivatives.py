"""Second derivatives of a Lagrangian, or `simplify` on claims e = 0, with SymPy."""

import sys
import time

import sympy as sp

import children
import multipliers


def hessian(lines):
    velocities, _, _, _, L, _, _ = multipliers.read_system(lines)
    start = time.thread_time()
    for v in velocities:
        p = sp.diff(L, v)
        for w in velocities:
            sp.diff(p, w)
    return time.thread_time() - start, 0.0, 0


def is_zero(text):
    """0.0 when simplify finds 0; a, b, c are positive, the other symbols real."""
    names = {s: sp.Symbol(s, positive=True) if s in "abc" else sp.Symbol(s, real=True) for s in children.words(text)}
    e = sp.sympify(text.replace("^", "**"), locals=names)
    start = time.thread_time()
    simple = sp.simplify(e)
    return time.thread_time() - start, 0.0 if simple == 0 else 1.0, 0


def main():
    limit = float(sys.argv[1])
    lines = [line.rstrip("\n").split("\t") for line in sys.stdin]
    claims = [text for key, text in lines if key == "claim"]
    if claims:
        children.run({text: (lambda t=text: is_zero(t)) for text in claims}, limit)
    else:
        children.run({"hessian": lambda: hessian(lines)}, limit)


if __name__ == "__main__":
    main()
