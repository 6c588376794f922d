"""The point where two surfaces touch, in numbers: a body's point whose normal is opposite to that of a point of its support, the two
nearest to each other. Found by Newton's method over the coordinates of the support; tangents are complex steps. The program has closed
formulas and symbolic derivatives instead.
"""

import cmath
import math

from vectors3 import A, E1, E3, H, ONE, ZERO, cross, dot, turn

COMPLEX = dict(sin=cmath.sin, cos=cmath.cos, tan=cmath.tan, sqrt=cmath.sqrt, exp=cmath.exp, log=cmath.log, cosh=cmath.cosh,
               sinh=cmath.sinh, tanh=cmath.tanh)


def unit(v):
    return v / cmath.sqrt(dot(v, v))


def real(v):
    return v.map(lambda x: x.real if isinstance(x, complex) else float(x))


def imaginary(v):
    return v.map(lambda x: (x.imag if isinstance(x, complex) else 0.0) / H)


def across(a):
    """As the reference defines them: e2, e3, e1 for e1, e2, e3, and e1 for -e3."""
    for k in range(3):
        if abs(a[k] - 1) < 1e-14:
            return A([1.0 if i == (k + 1) % 3 else 0.0 for i in range(3)])
    if abs(a[2] + 1) < 1e-14:
        return A([1.0, 0.0, 0.0])
    return real(unit(A([a[1], -a[0], 0.0])))


class Newton:
    """f(z) = 0 from nearby, by slopes from central differences that serve as long as they converge."""

    def __init__(self):
        self.slopes = None

    def __call__(self, f, z):
        for attempt in range(20):
            if self.slopes is None or attempt > 0:
                self.slopes = slopes(f, z)
            for _ in range(8):
                r = f(z)
                step = gauss([row + [-x] for row, x in zip(self.slopes, r)])
                z = [x + d for x, d in zip(z, step)]
                if max(abs(d) for d in step) < 1e-13 * (1 + max(abs(x) for x in z)):
                    return z
        return z


def slopes(f, z, h=1e-5):
    columns = []
    for k in range(len(z)):
        up, down = list(z), list(z)
        up[k] += h
        down[k] -= h
        columns.append([(a - b) / (2 * h) for a, b in zip(f(up), f(down))])
    return [list(row) for row in zip(*columns)]


def gauss(K):
    n = len(K)
    for c in range(n):
        p = max(range(c, n), key=lambda i: abs(K[i][c]))
        K[c], K[p] = K[p], K[c]
        for i in range(c + 1, n):
            f = K[i][c] / K[c][c]
            K[i] = [x - f * y for x, y in zip(K[i], K[c])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (K[i][n] - sum(K[i][k] * x[k] for k in range(i + 1, n))) / K[i][i]
    return x


KINDS = ["cylinder", "sphere", "cone", "torus", "revolution", "graph", "implicit", "parametric", "curve"]


class Touching:
    def __init__(self, machine, name, item):
        self.machine, self.name, self.item, self.body = machine, name, item, item["body"]
        on = item.get("on", {})
        self.support = {} if isinstance(on, str) else on
        self.on = self.support.get("body", "ground")
        self.kind = next((k for k in KINDS if k in self.support), "plane")
        side = self.support.get("side", "outside")
        self.sign = -1.0 if side in ("inside", "below") else 1.0
        self.center = machine.vector(self.support.get("center", [0, 0, 0]))
        self.axis = machine.vector(self.support.get("axis", "e3"))
        self.first = across(self.axis)
        self.second = cross(self.axis, self.first)
        self.rotation, self.names, self.z, self.newton = "", [], None, Newton()
        self.shape = self.item["surface"]
        self.offset = machine.vector(self.shape.get("center", [0, 0, 0]))

    # The support, in its own axes from the origin of its body.
    def formula(self, key, **letters):
        item = self.support[key]
        parts = item if isinstance(item, list) else [item]
        names = {**self.machine.names, **COMPLEX, **letters}
        for name, f in self.machine.toml.get("functions", {}).items():
            code = compile(f["value"].replace("^", "**"), name, "eval")
            names[name] = lambda *x, of=f["of"], code=code: eval(code, {**self.machine.names, **COMPLEX, **dict(zip(of, x))})
        values = [eval(p.replace("^", "**"), names) if isinstance(p, str) else float(p) for p in parts]
        return values[0] if not isinstance(item, list) else values

    def size(self, key):
        item = self.support[key]
        return [self.machine.value(x) for x in item] if isinstance(item, list) else self.machine.value(item)

    def point(self, u, v):
        e = cmath.cos(u) * self.first + cmath.sin(u) * self.second
        if self.kind == "plane":
            n = self.machine.vector(self.support.get("normal", "e3"))
            t = across(n)
            return self.machine.value(self.support.get("height", 0)) * n + u * t + v * cross(n, t)
        if self.kind == "sphere":
            n = cmath.sin(u) * self.first - cmath.sin(v) * cmath.cos(u) * self.second + cmath.cos(v) * cmath.cos(u) * self.axis
            return self.center + self.sign * self.size("sphere") * n
        if self.kind == "cylinder":
            return self.center + self.size("cylinder") * e + v * self.axis
        if self.kind == "cone":
            a = self.size("cone")
            return self.center + v * (math.sin(a) * e + math.cos(a) * self.axis)
        if self.kind == "torus":
            R, r = self.size("torus")
            return self.center + (R + r * cmath.cos(v)) * e + r * cmath.sin(v) * self.axis
        if self.kind == "revolution":
            rho, z = self.formula("revolution", u=u)
            return self.center + rho * (cmath.cos(v) * self.first + cmath.sin(v) * self.second) + z * self.axis
        if self.kind == "graph":
            return self.center + A([u, v, self.formula("graph", x=u, y=v)])
        return self.center + A(self.formula("parametric", u=u, v=v))

    def patch(self, z):
        """Point, unit normal towards the body, two tangents."""
        if self.kind == "implicit":
            slopes = []
            for k in range(3):
                w = [complex(x) for x in z]
                w[k] += 1j * H
                slopes.append(self.formula("implicit", x=w[0], y=w[1], z=w[2]).imag / H)
            n = self.sign * real(unit(A(slopes)))
            t = cross(n, E1 if abs(n[0]) < 0.7 else E3)
            return self.center + A(list(z)), n, t, cross(n, t)
        u, v = z
        if self.kind == "curve":
            curve = lambda s: A(self.formula("curve", u=s))
            T = real(unit(imaginary(curve(u + 1j * H))))
            side = real(unit(cross(T, E3)))
            up = cross(side, T)
            n = math.cos(v) * up + math.sin(v) * side
            return self.center + real(curve(u + 0j)) + self.machine.value(self.support.get("radius", 0)) * n, n, T, cross(T, n)
        a, b = imaginary(self.point(u + 1j * H, v)), imaginary(self.point(u, v + 1j * H))
        if self.kind == "sphere":
            n = real(unit(self.sign * (self.point(u, v) - self.center)))
        else:
            n = self.sign * real(unit(cross(a, b)))
        return real(self.point(u, v)), n, a, b

    # The body.
    def body_point(self, gamma):
        """From the centre of its surface to the point with this inward normal, in body axes."""
        s, value = self.shape, self.machine.value
        if "sphere" in s:
            return -value(s["sphere"]) * gamma
        if "disk" in s or "cylinder" in s:
            a, crown = self.machine.vector(s["axis"]), value(s.get("crown", 0))
            flat = gamma - dot(gamma, a) * a
            return -(value(s.get("disk", s.get("cylinder"))) - crown) * real(unit(flat)) - crown * gamma
        if "ellipsoid" in s:
            axes = self.machine.matrix(s["axes"]) if "axes" in s else ONE
            g = axes.T * gamma
            d = A([value(x) ** 2 * g[i] for i, x in enumerate(s["ellipsoid"])])
            return -(axes * d) / math.sqrt(dot(g, d))
        raise NotImplementedError("an oracle for this surface")

    def frames(self, q):
        r, R = self.machine.frame(q, self.on)
        rb, Rb = self.machine.frame(q, self.body)
        return r, R, rb + Rb * self.offset, Rb

    def apart(self, q, z):
        """From the support's point to the body's, in the support's axes; normal and tangents there."""
        r, R, M, Rb = self.frames(q)
        X, n, a, b = self.patch(z)
        C = M + Rb * self.body_point(Rb.T * (R * n))
        return R.T * (C - r) - X, n, a, b

    def residual(self, q, z):
        d, _, a, b = self.apart(q, z)
        out = [dot(d, a), dot(d, b)]
        if self.kind == "implicit":
            out.append(self.formula("implicit", x=z[0], y=z[1], z=z[2]).real)
        return out

    def place_cone(self, q):
        """A generator: the support's axis, turned towards that of the body by the support's angle. A plane is a flat cone that opens away."""
        r, R, M, Rb = self.frames(q)
        angle, length = (self.machine.value(x) for x in self.shape["cone"])
        if self.kind == "cone":
            a, beta = R * self.axis, self.size("cone")
        else:
            a, beta = -1.0 * (R * self.machine.vector(self.support.get("normal", "e3"))), math.pi / 2
        b = Rb * self.machine.vector(self.shape["axis"])
        w = real(unit(cross(a, b)))
        u = turn(w, beta) * a
        n = self.sign * cross(w, u)
        return M + length * u, n, cross(u, n), u

    def place(self, q):
        if "cone" in self.shape:
            return self.place_cone(q)
        if self.z is None:
            self.z = [0.0, 0.0] if self.kind == "plane" else self.nearest(q)
        self.z = self.newton(lambda z: self.residual(q, z), self.z)
        r, R, _, _ = self.frames(q)
        X, n, a, _ = self.patch(self.z)
        t = real(unit(a - dot(a, n) * n))
        return r + R * X, R * n, R * t, R * cross(n, t)

    def nearest(self, q):
        grid = [0.3 * k - 3 for k in range(21)]
        points = [[x, y] for x in grid for y in grid] if self.kind != "implicit" else [[x, y, w] for x in grid for y in grid for w in grid]
        size = lambda d: sum(abs(d[i]) ** 2 for i in range(3))
        return min(points, key=lambda z: size(self.apart(q, z)[0]))

    # Coordinates of the program's making.
    def begin(self, given):
        free = 3 if self.kind == "implicit" else 2
        letters = "xyz" if free == 3 else "uv"
        names = [f"{self.name}_{letters[k]}" for k in range(free)]
        if "coordinates" in self.item:
            names = self.item["coordinates"][:free]
        if all(name in given for name in names):
            self.z, self.names = [given[name] for name in names], names

    def placed_body(self, q, given):
        names = self.item.get("coordinates", [self.name])
        self.rotation = names[-1]
        R = given.get(self.rotation, ONE)
        R = R if isinstance(R, A) else ONE
        r, S = self.machine.frame(q, self.on)
        X, n, _, _ = self.patch(self.z)
        origin = r + S * X - R * (self.offset + self.body_point(R.T * (S * n)))
        return origin + R * self.machine.bodies[self.body]["c"], R

    def add_given_rates(self, q, given, J, right):
        n, units = 6 * len(self.machine.order), self.machine.unit
        if self.rotation:
            Rb = q[self.body][1]
            for key, turned in ((self.item.get("body_rate", self.rotation + "_Omega"), Rb.T), (self.item.get("space_rate", self.rotation + "_omega"), ONE)):
                if key in given:
                    columns = [turned * units(k)[self.body][1] for k in range(n)]
                    for i in range(3):
                        J.append([c[i] for c in columns])
                        right.append(given[key][i])
        if not any(name + "'" in given for name in self.names):
            return
        d, start = 1e-3, list(self.z)

        def moved(u, s):
            self.z = list(start)
            self.place(self.machine.moved(q, u, s))
            return self.z

        columns = []
        for k in range(n):
            a, b, c, e = (moved(units(k), s) for s in (2 * d, d, -d, -2 * d))
            columns.append([(8 * (y - z) - (x - w)) / (12 * d) for x, y, z, w in zip(a, b, c, e)])
        self.z = start
        for i, name in enumerate(self.names):
            if name + "'" in given:
                J.append([c[i] for c in columns])
                right.append(given[name + "'"])
