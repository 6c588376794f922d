"""Reference accelerations and multipliers from SymPy's LagrangesMethod and KanesMethod, at random states.

    sympy_mechanics.py [SEED]

Prints JSON: for each model of the zoo below, some states with the parameter values of the model file, the accelerations
of all coordinates and, from LagrangesMethod, the multipliers with the sign of E(L) = Q + lambda dC/dv. States are not on
the constraint: both methods then still define accelerations, by the differentiated constraint, and so do we.
Lagrangians and bodies are written here by hand, from the literature, not taken from the model files.
"""

import json
import random
import sys

import sympy as sp
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Particle, Point, ReferenceFrame, RigidBody
from sympy.physics.mechanics import dynamicsymbols, inertia, outer

STATES = 3
HALF = sp.Rational(1, 2)


def symbols(names):
    """Coordinates and their velocities."""
    q = [dynamicsymbols(n) for n in names.split()]
    return q, [c.diff() for c in q]


def lagrange(lagrangian, q, constraints, holonomic=()):
    """A function of a state that returns accelerations and multipliers."""  # rows of `holonomic` are functions of position
    names = list(constraints)
    rows = [constraints[n] for n in names]
    method = LagrangesMethod(lagrangian, q, nonhol_coneqs=[rows[i] for i in range(len(rows)) if names[i] not in holonomic],
                             hol_coneqs=[rows[i] for i in range(len(rows)) if names[i] in holonomic])
    method.form_lagranges_equations()
    mass, forcing, v = method.mass_matrix_full, method.forcing_full, [c.diff() for c in q]
    order = [n for n in names if n in holonomic] + [n for n in names if n not in holonomic]

    def at(state):
        here = {c.diff(): state[1][i] for i, c in enumerate(q)}
        there = {c: state[0][i] for i, c in enumerate(q)}
        x = mass.subs(here).subs(there).evalf(30).LUsolve(forcing.subs(here).subs(there).evalf(30))
        n = len(v)
        accelerations, multipliers = x[n:2 * n], x[2 * n:]
        # The full mass matrix means M a = f + A^T lambda, our sign; `method.eom` means the other one.
        reaction = (mass[n:2 * n, n:2 * n] * sp.Matrix(accelerations) - sp.Matrix(forcing[n:2 * n])).subs(here).subs(there)
        directions = sp.Matrix([constraints[c].diff(sp.Symbol("t")) if c in holonomic else constraints[c] for c in order])
        rest = reaction - directions.jacobian(v).T.subs(here).subs(there) * sp.Matrix(multipliers)
        assert all(abs(e) < 1e-20 for e in rest.evalf(30)), rest
        return list(accelerations), dict(zip(order, multipliers))

    return at


def kane(q, bodies, loads, constraints, independent):
    """The same by Kane's method, with u = q' and no multipliers."""
    u = [dynamicsymbols("u_" + c.name) for c in q]
    to_u = {c.diff(): s for c, s in zip(q, u)}
    frame, made = bodies(to_u)
    free = [u[i] for i in independent]
    rest = [s for s in u if s not in free]
    method = KanesMethod(frame, q_ind=q, u_ind=free, kd_eqs=[c.diff() - s for c, s in zip(q, u)],
                         u_dependent=rest, velocity_constraints=[c.subs(to_u) for c in constraints])
    method.kanes_equations(made, loads)
    mass, forcing = method.mass_matrix_full, method.forcing_full
    order = [u.index(s) for s in free + rest]

    def at(state):
        here = {s: state[1][i] for i, s in enumerate(u)} | {c: state[0][i] for i, c in enumerate(q)}
        x = mass.subs(here).evalf(30).LUsolve(forcing.subs(here).evalf(30))
        accelerations = [None] * len(q)
        for k, i in enumerate(order):
            accelerations[i] = x[len(q) + k]
        return accelerations, {}

    return at


def planar(q, angle, to_u, position, mass, moment, name):
    """A rigid body in the plane."""
    N = ReferenceFrame("N")
    B = N.orientnew("B" + name, "Axis", [q[angle], N.z])
    O = Point("O" + name)
    O.set_vel(N, 0)
    G = O.locatenew("G" + name, position[0] * N.x + position[1] * N.y)
    velocity = sum((sp.diff(p, sp.Symbol("t")).subs(to_u) * e for p, e in zip(position, (N.x, N.y))), 0 * N.x)
    G.set_vel(N, velocity)
    B.set_ang_vel(N, q[angle].diff().subs(to_u) * N.z)
    return N, RigidBody("body" + name, G, B, mass, (inertia(B, 0, 0, moment), G))


def sleigh():
    q, (vx, vy, w) = symbols("x y theta")
    m, J, a = 1, sp.Rational(2, 5), HALF
    c, s = sp.cos(q[2]), sp.sin(q[2])
    L = HALF * m * ((vx - a * s * w) ** 2 + (vy + a * c * w) ** 2) + HALF * J * w**2
    blade = vy * c - vx * s
    G = [q[0] + a * sp.cos(q[2]), q[1] + a * sp.sin(q[2])]

    def bodies(to_u):
        N, body = planar(q, 2, to_u, G, m, J, "")
        return N, [body]

    return q, {"m": m, "J": J, "a": a}, [lagrange(L, q, {"blade": blade}), kane(q, bodies, [], [blade], [0, 2])]


def knife_edge_incline():
    q, (vx, vy, w) = symbols("x y phi")
    m, J, g, sa = 1, HALF, sp.Rational(49, 5), HALF
    L = HALF * m * (vx**2 + vy**2) + HALF * J * w**2 + m * g * sa * q[0]
    blade = vx * sp.sin(q[2]) - vy * sp.cos(q[2])
    loads = []

    def bodies(to_u):
        N, body = planar(q, 2, to_u, [q[0], q[1]], m, J, "")
        loads.append((body.masscenter, m * g * sa * N.x))
        return N, [body]

    return q, {"m": m, "J": J, "g": g, "sa": sa}, [lagrange(L, q, {"blade": blade}),
                                                   kane(q, bodies, loads, [blade], [0, 2])]


def vertical_disk():
    q, (vx, vy, roll, turn) = symbols("x y theta phi")
    m, R, I, J = 1, 1, HALF, sp.Rational(1, 4)
    L = HALF * m * (vx**2 + vy**2) + HALF * I * roll**2 + HALF * J * turn**2
    rows = {"roll_x": vx - R * sp.cos(q[3]) * roll, "roll_y": vy - R * sp.sin(q[3]) * roll}

    def bodies(to_u):
        N = ReferenceFrame("N")
        H = N.orientnew("H", "Axis", [q[3], N.z])  # heading
        D = H.orientnew("D", "Axis", [q[2], H.y])  # roll
        D.set_ang_vel(N, to_u[turn] * N.z + to_u[roll] * H.y)
        H.set_ang_vel(N, to_u[turn] * N.z)
        G = Point("G")
        G.set_vel(N, to_u[vx] * N.x + to_u[vy] * N.y)
        central = inertia(H, J, I, J)
        return N, [RigidBody("disk", G, D, m, (central, G))]

    return q, {"m": m, "R": R, "I": I, "J": J}, [lagrange(L, q, rows), kane(q, bodies, [], list(rows.values()), [2, 3])]


def snakeboard():
    q, (vx, vy, w, rotor, steer) = symbols("x y theta psi phi")
    m, r, J0, J1 = 1, 1, HALF, sp.Rational(1, 10)
    L = HALF * m * (vx**2 + vy**2 + r**2 * w**2) + HALF * J0 * rotor**2 + J0 * rotor * w + J1 * steer**2
    rows = {}
    for name, sign in (("front", 1), ("back", -1)):
        angle = q[2] + sign * q[4]
        rows[name] = -sp.sin(angle) * vx + sp.cos(angle) * vy + sign * r * sp.cos(q[4]) * w
    return q, {"m": m, "r": r, "J0": J0, "J1": J1}, [lagrange(L, q, rows)]


def coaxial_disks():
    q, (vx, vy, one, two, turn) = symbols("x y th1 th2 psi")
    m, R, A, B, a = 1, 1, HALF, sp.Rational(1, 4), 2
    c, s = sp.cos(q[4]), sp.sin(q[4])
    # Each disk: its centre, its roll and the common turn; the second stands at (x + a sin, y - a cos).
    L = HALF * m * (vx**2 + vy**2 + (vx + a * c * turn) ** 2 + (vy + a * s * turn) ** 2)
    L += HALF * A * (one**2 + two**2) + B * turn**2
    rows = {"roll_x": vx - R * c * one, "roll_y": vy - R * s * one, "axle": a * turn - R * (two - one)}
    return q, {"m": m, "R": R, "A": A, "B": B, "a": a}, [lagrange(L, q, rows)]


def particle():
    q, (vx, vy, vz) = symbols("x y z")
    return q, {}, [lagrange(HALF * (vx**2 + vy**2 + vz**2), q, {"contact": vz - q[1] * vx})]


def conveyor():
    q, (vx, vy, vz) = symbols("x y z")
    m, k = 1, sp.Rational(3, 4)
    return q, {"m": m, "k": k}, [lagrange(HALF * m * (vx**2 + vy**2 + vz**2), q, {"conveyor": vz - q[1] * vx - k})]


def magnetic_particle():
    q, (vx, vy, vz) = symbols("x y z")
    b = sp.Rational(7, 5)
    L = HALF * (vx**2 + vy**2 + vz**2) + HALF * b * (q[0] * vy - q[1] * vx)
    return q, {"b": b}, [lagrange(L, q, {"contact": vz - q[1] * vx})]


def pendulum():
    q, (vx, vy) = symbols("x y")
    m, g = 1, sp.Rational(49, 5)
    return q, {"m": m, "g": g}, [lagrange(HALF * m * (vx**2 + vy**2) - m * g * q[1], q, {"rod": q[0] * vx + q[1] * vy})]


def rod():
    q, v = symbols("x1 y1 x2 y2")
    m, l = 1, 2
    dx, dy = q[0] - q[2], q[1] - q[3]
    rows = {"rod": dx**2 + dy**2 - l**2, "midpoint": (v[0] + v[2]) * dy - (v[1] + v[3]) * dx}
    L = HALF * m * sum(s**2 for s in v)

    def bodies(to_u):
        N = ReferenceFrame("N")
        made = []
        for k in range(2):
            P = Point(f"P{k}")
            P.set_vel(N, to_u[v[2 * k]] * N.x + to_u[v[2 * k + 1]] * N.y)
            made.append(Particle(f"p{k}", P, m))
        return N, made

    speeds = [rows["rod"].diff(sp.Symbol("t")), rows["midpoint"]]
    return q, {"m": m, "l": l}, [lagrange(L, q, rows, holonomic=("rod",)), kane(q, bodies, [], speeds, [0, 1])]


def roller_racer():
    q, (vx, vy, w, steer) = symbols("x y theta phi")
    m, J1, J2, l1, l2 = 1, HALF, sp.Rational(1, 10), 1, sp.Rational(1, 5)
    L = HALF * m * (vx**2 + vy**2) + HALF * J1 * w**2 + HALF * J2 * (w + steer) ** 2
    total = q[2] + q[3]
    fx = q[0] + l1 * sp.cos(q[2]) + l2 * sp.cos(total)
    fy = q[1] + l1 * sp.sin(q[2]) + l2 * sp.sin(total)
    t = sp.Symbol("t")
    rows = {"rear": vy * sp.cos(q[2]) - vx * sp.sin(q[2]),
            "front": fy.diff(t) * sp.cos(total) - fx.diff(t) * sp.sin(total)}
    return q, {"m": m, "J1": J1, "J2": J2, "l1": l1, "l2": l2}, [lagrange(L, q, rows)]


def differential_drive():
    q, (vx, vy, w, right, left) = symbols("x y th pr pl")
    m, J, Jw, b, r, l = 5, sp.Rational(3, 4), sp.Rational(1, 20), sp.Rational(2, 5), sp.Rational(1, 5), sp.Rational(1, 4)
    c, s = sp.cos(q[2]), sp.sin(q[2])
    L = HALF * m * ((vx - l * w * s) ** 2 + (vy + l * w * c) ** 2) + HALF * J * w**2 + HALF * Jw * (right**2 + left**2)
    rows = {"sideways": -vx * s + vy * c, "right": vx * c + vy * s + b * w - r * right,
            "left": vx * c + vy * s - b * w - r * left}
    return q, {"m": m, "J": J, "Jw": Jw, "b": b, "r": r, "l": l}, [lagrange(L, q, rows)]


SYSTEMS = {
    "chaplygin-sleigh": sleigh, "knife-edge-incline": knife_edge_incline, "vertical-disk": vertical_disk,
    "snakeboard": snakeboard, "two-coaxial-disks": coaxial_disks, "nonholonomic-particle": particle,
    "affine-particle": conveyor, "magnetic-particle": magnetic_particle, "planar-pendulum": pendulum,
    "two-masses-on-a-rod": rod, "roller-racer": roller_racer, "differential-drive": differential_drive,
}


def main(seed):
    draw = random.Random(seed)
    number = lambda: sp.Rational(draw.randint(-200, 200), 100)
    out = []
    for model, build in SYSTEMS.items():
        q, parameters, methods = build()
        for _ in range(STATES):
            state = [number() for _ in q], [number() for _ in q]
            for at in methods:
                accelerations, multipliers = at(state)
                out.append({"model": model, "names": [c.name for c in q], "q": [float(x) for x in state[0]],
                            "v": [float(x) for x in state[1]],
                            "parameters": {k: float(x) for k, x in parameters.items()},
                            "accelerations": [float(x) for x in accelerations],
                            "multipliers": {k: float(x) for k, x in multipliers.items()}})
    json.dump(out, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
