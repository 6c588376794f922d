"""Motions of models by Lagrange's equations with multipliers, in all coordinates, derived by SymPy and integrated by extrapolation.

    lagrange_multipliers.py MODEL.toml...

prints `{ x = ..., "x'" = ... }` at t = until for the table [known.state] of each model. It reads the same file and shares nothing else with the
program: no frame, no choice of speeds, no short forms. Accelerations and multipliers come from one linear system

    [M  -A^T] [v']   [Q + dL/dq - d(dL/dv)/dt at v' = 0]
    [A    0 ] [λ ] = [-dA/dt v - ...                    ]

by elimination with pivots; equations of constraints that have become 0 = 0 there (dependent ones) are left out. Steps are Gragg's, extrapolated to
order 16 (Bulirsch and Stoer), once with each step and once with half of it: what differs by more than 1e-10 is an error of the oracle, and said.
Models may use [space] with R and S1, [parameters], [define], [inputs] with laws, lagrangian or kinetic and potential, forces, rayleigh, [constraints].
Positions of an initial state that are left out or guessed and velocities that are left out are what the constraints say; [observe] names functions
that stand in place of the state.
"""

import math
import re
import sys
import tomllib

import sympy as sp
from sympy.parsing.sympy_parser import parse_expr

PRIME = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)'")
ORDER = [2, 4, 6, 8, 10, 12, 14, 16]


class Model:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.text = tomllib.load(f)
        self.t = sp.Symbol("t", real=True)
        names = list(self.text["space"])
        self.q = [sp.Symbol(n, real=True) for n in names]
        self.v = [sp.Symbol(n + "_dot", real=True) for n in names]
        self.names = {"t": self.t, "pi": sp.pi, "E1": sp.Symbol("E1")}
        self.names.update({n: s for n, s in zip(names, self.q)})
        self.names.update({n + "_dot": s for n, s in zip(names, self.v)})
        self.parameters = {}
        for name, value in self.text.get("parameters", {}).items():
            value = value["value"] if isinstance(value, dict) else value
            self.names[name] = self.expression(value)
        for name, value in self.text.get("define", {}).items():
            self.names[name] = self.expression(value)
            self.names[name + "_dot"] = self.rate(self.names[name])
        for name, law in self.text.get("inputs", {}).items():
            self.names[name] = self.expression(law)
        lagrangian = self.text.get("lagrangian")
        if lagrangian is None:
            self.L = self.expression(self.text["kinetic"]) - self.expression(self.text.get("potential", 0))
        else:
            self.L = self.expression(lagrangian)
        self.derive()

    def expression(self, text):
        if not isinstance(text, str):
            return sp.nsimplify(str(text), rational=True)
        text = PRIME.sub(r"\1_dot", text).replace("^", "**")
        text = re.sub(r"(?<![\w.])(\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)", r"Rational('\1')", text)
        names = dict(self.names)
        for name in set(re.findall(r"[A-Za-z_]\w*", re.sub(r"'[^']*'", "", text))) - names.keys():
            if not hasattr(sp, name) or name in ("N", "S", "Q", "I", "E", "O", "beta", "gamma", "zeta", "Chi"):
                raise SystemExit(f"unknown name {name}")
        return parse_expr(text, local_dict=names, global_dict={f: getattr(sp, f, abs) for f in (
            "sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "atan", "sinh", "cosh", "asin", "acos", "abs", "Rational", "Integer", "Float", "Symbol")})

    def rate(self, e):
        return sum((sp.diff(e, q) * v for q, v in zip(self.q, self.v)), sp.diff(e, self.t))

    def derive(self):
        Q = [sp.Integer(0)] * len(self.q)
        for name, value in self.text.get("forces", {}).items():
            Q[[str(q) for q in self.q].index(name)] += self.expression(value)
        if "rayleigh" in self.text:
            R = self.expression(self.text["rayleigh"])
            Q = [f - sp.diff(R, v) for f, v in zip(Q, self.v)]
        p = [sp.diff(self.L, v) for v in self.v]
        mass = [[sp.diff(a, b) for b in self.v] for a in p]
        force = [f + sp.diff(self.L, q) - self.rate(a) for f, q, a in zip(Q, self.q, p)]
        self.positions, rows = [], []
        for text in self.text.get("constraints", {}).values():
            left, _, right = text.partition("=")
            c = self.expression(left) - (self.expression(right) if right else 0)
            if not c.free_symbols & set(self.v):
                self.positions.append(c)
                c = self.rate(c)
            rows.append(c)
        A = [[sp.diff(c, v) for v in self.v] for c in rows]
        drift = [self.rate(c) for c in rows]
        n, m = len(self.q), len(rows)
        flat = [e for r in mass for e in r] + force + [e for r in A for e in r] + drift + rows + self.positions
        self.numbers = sp.lambdify([self.q + self.v + [self.t]], flat, modules="math", cse=True)
        self.n, self.m = n, m
        self.A = slice(n * n + n, n * n + n + m * n)
        self.rows = slice(n * n + n + m * n + m, n * n + n + m * n + 2 * m)

    def acceleration(self, t, y):
        n, m = self.n, self.m
        x = self.numbers(list(y) + [t])
        M, b = x[: n * n], x[n * n : n * n + n]
        A, c = x[n * n + n : n * n + n + m * n], x[n * n + n + m * n : n * n + n + m * n + m]
        K = [[M[i * n + j] for j in range(n)] + [-A[s * n + i] for s in range(m)] + [b[i]] for i in range(n)]
        K += [[A[s * n + j] for j in range(n)] + [0.0] * m + [-c[s]] for s in range(m)]
        return solved(K, n)

    def residual(self, t, y):
        return max((abs(r) for r in self.numbers(list(y) + [t])[self.n * self.n + self.n + self.m * self.n + self.m :]), default=0)

    def shown(self, t, y):
        """The state, or what [observe] names."""
        asked = {n: self.expression(e) for n, e in self.text.get("observe", {}).items()}
        asked = asked or {str(q): q for q in self.q} | {f"{q}'": v for q, v in zip(self.q, self.v)}
        values = sp.lambdify([self.q + self.v + [self.t]], list(asked.values()), modules="math")(list(y) + [t])
        return [(f'"{n}"' if "'" in n else n, x) for n, x in zip(asked, values)]

    def initial(self):
        """What is given, and what the constraints say of the rest: positions that are left out or guessed ("~0.5"), velocities left out."""
        given = self.text["simulation"]["initial"]
        names = [str(q) for q in self.q]
        guessed = [i for i, n in enumerate(names) if n not in given or str(given[n]).startswith("~")]
        moving = [i for i, n in enumerate(names) if n + "'" not in given]
        q = [float(self.expression(str(given.get(n, 0)).lstrip("~"))) for n in names]
        v = [float(self.expression(given.get(n + "'", 0))) for n in names]
        q = self.closed(q, guessed) if guessed and self.positions else q
        if not moving or not self.m:
            return q + v
        rows, values = self.numbers(q + v + [0.0])[self.A], self.numbers(q + v + [0.0])[self.rows]
        some = [[rows[s * self.n + i] for i in moving] for s in range(self.m)]
        for i, x in zip(moving, nearest(some, values)):
            v[i] -= x
        return q + v

    def closed(self, q, guessed):
        """Newton's method, in the directions of what may change."""
        slopes = sp.lambdify([self.q, self.t], [[sp.diff(p, self.q[i]) for i in guessed] for p in self.positions], modules="math")
        off = sp.lambdify([self.q, self.t], self.positions, modules="math")
        for _ in range(100):
            change = nearest(slopes(q, 0.0), off(q, 0.0))
            for i, x in zip(guessed, change):
                q[i] -= x
            if max(map(abs, change)) < 1e-15:
                break
        return q


def nearest(rows, values):
    """The shortest x with rows x = values: rows^T y, rows rows^T y = values. Dependent rows are left out."""
    gram = [[sum(a * b for a, b in zip(r, s)) for s in rows] + [x] for r, x in zip(rows, values)]
    y = solved(gram, len(rows))
    return [sum(r[i] * c for r, c in zip(rows, y)) for i in range(len(rows[0]))]


def solved(K, wanted):
    """The first unknowns of K x = last column; multipliers of dependent constraints are 0."""
    size = len(K)
    scale = max(abs(x) for r in K for x in r)
    columns, row = [], 0
    left = list(range(size))
    for _ in range(size):
        best = max(((abs(K[i][j]), i, j) for i in range(row, size) for j in left), default=(0, 0, 0))
        if best[0] <= 1e-11 * scale:
            break
        _, i, j = best
        K[row], K[i] = K[i], K[row]
        pivot = K[row]
        for i in range(size):
            if i != row and K[i][j] != 0:
                f = K[i][j] / pivot[j]
                K[i] = [a - f * b for a, b in zip(K[i], pivot)]
        columns.append(j)
        left.remove(j)
        row += 1
    x = [0.0] * size
    for i, j in enumerate(columns):
        x[j] = K[i][-1] / K[i][j]
    return x[:wanted]


def gragg(f, t, y, H, n):
    h = H / n
    z0, z1 = y, [a + h * b for a, b in zip(y, f(t, y))]
    for k in range(1, n):
        z0, z1 = z1, [a + 2 * h * b for a, b in zip(z0, f(t + k * h, z1))]
    return [(a + b + h * c) / 2 for a, b, c in zip(z0, z1, f(t + H, z1))]


def step(f, t, y, H):
    table = []
    for k, n in enumerate(ORDER):
        row = [gragg(f, t, y, H, n)]
        for j in range(1, k + 1):
            r = (n / ORDER[k - j]) ** 2 - 1
            row.append([a + (a - b) / r for a, b in zip(row[j - 1], table[k - 1][j - 1])])
        table.append(row)
    return table[-1][-1]


def motion(model, until, steps):
    n = model.n
    f = lambda t, y: y[n:] + model.acceleration(t, y)
    y = model.initial()
    for k in range(steps):
        y = step(f, until * k / steps, y, until / steps)
    return y


def main():
    for path in sys.argv[1:]:
        model = Model(path)
        until = float(model.expression(model.text["simulation"]["until"]))
        start = model.initial()
        if model.residual(0, start) > 1e-12:
            print(f"# {path}: the initial state is off by {model.residual(0, start):.2g}")
        steps = max(8, math.ceil(4 * until))
        coarse = motion(model, until, steps)
        for _ in range(10):
            fine = motion(model, until, 2 * steps)
            error = max(abs(a - b) / max(1, abs(b)) for a, b in zip(coarse, fine))
            if error < 1e-11:
                break
            coarse, steps = fine, 2 * steps
        values = ", ".join(f"{n} = {x:.13g}" for n, x in model.shown(until, fine))
        print(f"{path}\tstate = {{ {values} }}\terror {error:.1e}\tconstraints {model.residual(until, fine):.1e}", flush=True)


if __name__ == "__main__":
    main()
