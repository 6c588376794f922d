"""One expression simplified by SymPy: as a fraction reduced by sin^2 = 1 - cos^2, and by `simplify`."""

import sys
import time

import sympy as sp

import children
import multipliers


def main():
    limit = float(sys.argv[1])
    text = next(t for k, t in (line.rstrip("\n").split("\t") for line in sys.stdin) if k == "expression")
    e = sp.sympify(text.replace("^", "**"), locals={s: sp.Symbol(s) for s in children.words(text)})

    def by_field():
        rational, pairs, back = multipliers.with_generators(e)
        return multipliers.reduced(rational, pairs).subs(back)

    def job(route):
        start = time.thread_time()
        simple = route()
        seconds = time.thread_time() - start
        at = {s: children.test_value(str(s)) for s in simple.free_symbols}
        return seconds, float(simple.subs(at)), len(str(simple))

    children.run({"field": lambda: job(by_field), "simplify": lambda: job(lambda: sp.simplify(e))}, limit)


if __name__ == "__main__":
    main()
