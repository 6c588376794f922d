"""One motion as most people compute it: SymPy's Lagrangian mechanics, its matrices as NumPy functions, SciPy's DOP853.

    motions.py LIMIT        reads `system<tab>rtol<tab>until<tab>state...` and prints CPU seconds, a coordinate, evaluations
"""

import sys
import time

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import children


def sleigh():
    x, y, th = q = dynamicsymbols("x y th")
    t = dynamicsymbols._t
    m, J, a = 1, sp.Rational(2, 5), sp.Rational(1, 2)
    across = sp.cos(th) * y.diff(t) - sp.sin(th) * x.diff(t)
    L = ((J + m * a**2) * th.diff(t) ** 2 + m * (x.diff(t) ** 2 + y.diff(t) ** 2)) / 2 + m * a * th.diff(t) * across
    return L, q, [across]


def falling_disk():
    x, y, th, ph, ps = q = dynamicsymbols("x y th ph ps")
    t = dynamicsymbols._t
    m, R, I, J, g = 1, 1, sp.Rational(1, 2), sp.Rational(1, 4), sp.Rational(49, 5)
    dth, dph, dps = th.diff(t), ph.diff(t), ps.diff(t)
    centre = sp.Matrix([x + R * sp.sin(ph) * sp.sin(th), y - R * sp.cos(ph) * sp.sin(th), R * sp.cos(th)])
    v = centre.diff(t)
    T = (m * v.dot(v) + J * (dth**2 + dph**2 * sp.cos(th) ** 2) + I * (dps + dph * sp.sin(th)) ** 2) / 2
    return T - m * g * centre[2], q, [x.diff(t) - R * sp.cos(ph) * dps, y.diff(t) - R * sp.sin(ph) * dps]


def contact_oscillator():
    x, y, z = q = dynamicsymbols("x y z")
    t = dynamicsymbols._t
    L = (x.diff(t) ** 2 + y.diff(t) ** 2 + z.diff(t) ** 2 - x**2 - y**2 - z**2 - sp.Rational(3, 10) * x**2 * z**2) / 2
    return L, q, [x.diff(t) + y * z.diff(t)]


SYSTEMS = {"sleigh": sleigh, "falling-disk": falling_disk, "contact-oscillator": contact_oscillator}


def job(name, rtol, until, state):
    L, q, constraints = SYSTEMS[name]()
    method = LagrangesMethod(L, q, nonhol_coneqs=constraints)
    method.form_lagranges_equations()
    n, k = len(q), len(constraints)
    t = dynamicsymbols._t
    # lambdify with cse writes wrong code for derivatives as arguments: plain symbols instead.
    plain = sp.symbols(f"s0:{2 * n}")
    names = dict(zip([f.diff(t) for f in q] + list(q), list(plain[n:]) + list(plain[:n])))
    matrices = sp.lambdify([plain], [method.mass_matrix_full.subs(names), method.forcing_full.subs(names)], cse=True)

    def rates(_, s):
        mass, forcing = matrices(s)
        return np.linalg.solve(mass, forcing.reshape(-1))[: 2 * n]

    def run():
        start = time.thread_time()
        solved = solve_ivp(rates, (0, until), state, method="DOP853", rtol=rtol, atol=rtol / 100)
        return time.thread_time() - start, float(solved.y[0, -1]), solved.nfev

    return run


def main():
    limit = float(sys.argv[1])
    jobs = {}
    for line in sys.stdin:
        name, rtol, until, *state = line.split("\t")
        jobs[name] = job(name, float(rtol), float(until), [float(s) for s in state])
    children.run(jobs, limit)


if __name__ == "__main__":
    main()
