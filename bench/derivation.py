"""The linear system for accelerations and multipliers with SymPy, from the Lagrangian; it is formed, not solved."""

import sys
import time

import sympy as sp

import children
from multipliers import equations, read_system


def main():
    limit = float(sys.argv[1])
    system = read_system([line.rstrip("\n").split("\t") for line in sys.stdin])

    def job():
        start = time.thread_time()
        K, r, n = equations(system)
        seconds = time.thread_time() - start
        at = {s: children.test_value(str(s)) for s in K.free_symbols | r.free_symbols}
        x = sp.Matrix(K.subs(at).evalf()).LUsolve(sp.Matrix(r.subs(at).evalf()))
        return seconds, float(sum(x[:n])), len(str(K)) + len(str(r))

    children.run({"form": job}, limit)


if __name__ == "__main__":
    main()
