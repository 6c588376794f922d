"""Multipliers of the constraints with SymPy, from the Lagrangian: two routes, each in a child with a limit on its CPU time.

field      DomainMatrix over the fraction field of the parameters, velocities, sines and cosines; then sin^2 = 1 - cos^2
simplify   Matrix.LUsolve, then simplify
"""

import sys
import time

import sympy as sp
from sympy.polys.matrices import DomainMatrix

import children


def read_system(lines):
    names = {}

    def expression(text):
        return sp.sympify(text.replace("^", "**"), locals=names)

    for symbol in {w for _, text in lines for w in children.words(text)}:
        names[symbol] = sp.Symbol(symbol)
    get = lambda key: [expression(t) for k, t in lines if k == key]
    velocities, functions = get("velocity"), get("function")
    legs = [{} for _ in velocities]
    coefficients = {}
    for key, text in lines:
        if key.startswith("leg "):
            _, i, f = key.split()
            legs[int(i)][names[f]] = expression(text)
        if key.startswith("c "):
            coefficients[tuple(int(k) for k in key.split()[1:])] = expression(text)
    admissible = {names[k.split()[1]]: expression(t) for k, t in lines if k.startswith("psi ")}
    return velocities, functions, legs, coefficients, get("lagrangian")[0], get("constraint"), admissible


def equations(system):
    """K (v', lambda) = r with K = [[M, -A^T], [A, 0]], on the constraint."""
    v, _, legs, c, L, constraints, admissible = system
    along = lambda i, e: sum(sp.diff(e, f) * x for f, x in legs[i].items())
    rate = lambda e: sum(v[l] * along(l, e) for l in range(n))
    n, k = len(v), len(constraints)
    p = [sp.diff(L, vi) for vi in v]
    A = sp.Matrix(k, n, lambda a, i: sp.diff(constraints[a], v[i]))
    M = sp.Matrix(n, n, lambda i, j: sp.diff(p[i], v[j]))
    force = [along(i, L) - rate(p[i]) - sum(x * v[l] * p[m] for (j, l, m), x in c.items() if j == i) for i in range(n)]
    K = sp.Matrix(sp.BlockMatrix([[M, -A.T], [A, sp.zeros(k, k)]]))
    r = sp.Matrix(force + [-rate(C) for C in constraints])
    return K.subs(admissible, simultaneous=True), r.subs(admissible, simultaneous=True), n


def with_generators(e):
    """Sines and cosines as symbols; every angle here is a coordinate."""
    angles = sorted({f.args[0] for f in e.atoms(sp.sin, sp.cos)}, key=str)
    pairs = [(sp.Symbol(f"s_{q}"), sp.Symbol(f"c_{q}"), q) for q in angles]
    back = {}
    for s, co, q in pairs:
        e = e.subs({sp.sin(q): s, sp.cos(q): co})
        back.update({s: sp.sin(q), co: sp.cos(q)})
    return e, pairs, back


def reduced(e, pairs):
    """sin^2 = 1 - cos^2 in numerator and denominator, common factors removed."""
    num, den = sp.fraction(sp.together(e))
    for s, c, _ in pairs:
        relation = s**2 + c**2 - 1
        num, den = sp.rem(num, relation, s), sp.rem(den, relation, s)
    return sp.cancel(num / den)


def by_field(system):
    K, r, n = equations(system)
    both, pairs, back = with_generators(K.row_join(r))
    N = both.rows
    augmented = DomainMatrix.from_Matrix(both).to_field()
    solved, _ = augmented.rref()
    x = solved.to_Matrix()[n:N, N]
    return [reduced(e, pairs).subs(back) for e in x]


def by_simplify(system):
    K, r, n = equations(system)
    return [sp.simplify(e) for e in K.LUsolve(r)[n:]]


def main():
    limit = float(sys.argv[1])
    lines = [line.rstrip("\n").split("\t") for line in sys.stdin]
    system = read_system(lines)

    def job(route):
        start = time.thread_time()
        multipliers = route(system)
        seconds = time.thread_time() - start
        at = {s: children.test_value(str(s)) for e in multipliers for s in e.free_symbols}
        value = sum(float(e.subs(at)) for e in multipliers)
        return seconds, value, sum(len(str(e)) for e in multipliers)

    children.run({"field": lambda: job(by_field), "simplify": lambda: job(by_simplify)}, limit)


if __name__ == "__main__":
    main()
