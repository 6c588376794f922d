"""dE/dt along the motion with SymPy: accelerations by DomainMatrix over the fraction field, then sin^2 = 1 - cos^2."""

import sys
import time

import sympy as sp
from sympy.polys.matrices import DomainMatrix

import children
import multipliers


def rate_of_energy(system, energy):
    v, _, legs, _, _, _, admissible = system
    K, r, n = multipliers.equations(system)
    by_velocity = sp.Matrix([[sp.diff(energy, vi) for vi in v]])
    along = sum(vi * sum(sp.diff(energy, f) * x for f, x in legs[i].items()) for i, vi in enumerate(v))
    both = K.row_join(r).col_join(by_velocity.row_join(sp.zeros(1, K.cols - n + 1)))
    both = both.col_join(sp.Matrix([[along] + [0] * K.cols])).subs(admissible, simultaneous=True)
    both, pairs, _ = multipliers.with_generators(both)
    N = K.rows
    solved, _ = DomainMatrix.from_Matrix(both[:N, :]).to_field().rref()
    x = solved.to_Matrix()[:n, N]
    rate = both[N + 1, 0] + sum(both[N, i] * x[i] for i in range(n))
    return multipliers.reduced(rate, pairs)


def main():
    limit = float(sys.argv[1])
    lines = [line.rstrip("\n").split("\t") for line in sys.stdin]
    system = multipliers.read_system(lines)
    names = {s: sp.Symbol(s) for _, text in lines for s in children.words(text)}
    energy = next(sp.sympify(t.replace("^", "**"), locals=names) for k, t in lines if k == "energy")

    def job():
        start = time.thread_time()
        rate = rate_of_energy(system, energy)
        seconds = time.thread_time() - start
        if rate != 0:
            raise ValueError(f"energy is not conserved: {rate}")
        return seconds, 0.0, 0

    children.run({"field": job}, limit)


if __name__ == "__main__":
    main()
