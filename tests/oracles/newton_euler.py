"""Motions of machines by Newton and Euler's equations in maximal coordinates: every body has a position and a rotation
matrix, every joint and contact is a set of constraints with unknown forces.

    newton_euler.py MODEL.toml T [STEP]

prints the coordinates of the model's joints at t = T, for its table [known.state]. It reads the same file and shares nothing
else with the program: no Lagrangian, no generalised coordinates, no symbolic derivative. Jacobians are complex steps, their
rates five-point differences, the motion is extrapolated; dependent constraints are dropped by their pivots.
"""

import cmath
import math
import sys
import tomllib

from touching_surfaces import Touching
from vectors3 import A, E1, E2, E3, H, ONE, ZERO, cross, diag, dot, hat, outer, turn

NAMES = dict(pi=math.pi, sqrt=math.sqrt, sin=cmath.sin, cos=cmath.cos, e1=E1, e2=E2, e3=E3, diag=diag, dot=dot, cross=cross,
             Rx=lambda a: turn(E1, a), Ry=lambda a: turn(E2, a), Rz=lambda a: turn(E3, a), atan=math.atan, asin=math.asin,
             acos=math.acos, tan=math.tan)


class Machine:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.toml = tomllib.load(f)
        self.expand_wheels()
        self.names = dict(NAMES, sin=math.sin, cos=math.cos)
        for name, item in self.toml.get("parameters", {}).items():
            self.names[name] = self.value(item["value"] if isinstance(item, dict) else item)
        self.bodies = {}
        for name, item in self.toml["bodies"].items():
            m, c, inertia = self.mass(item)
            if "center" in item:
                c = c + self.vector(item["center"])
            self.bodies[name] = dict(m=m, c=c, I=inertia)
        self.order = list(self.bodies)
        self.joints = [self.joint(name, item) for name, item in self.toml.get("joints", {}).items()]
        self.contacts = [Touching(self, name, item) for name, item in self.toml.get("contacts", {}).items()]
        self.gravity = self.vector(self.toml.get("down", [0, 0, -1])) * self.value(self.toml.get("gravity", 0))

    def expand_wheels(self):
        """A wheel is a disk on a revolute joint with a rolling contact; a knife edge is a contact of its body; a caster has a fork."""
        part = lambda name: self.toml.setdefault(name, {})
        for name, w in self.toml.get("wheels", {}).items():
            axle, at = w.get("axle", "e2"), w.get("at", [0, 0, 0])
            contact = dict(surface=dict(disk=w.get("radius", 0), axis=axle))
            if w["kind"] == "knife-edge":
                contact.update(body=w["body"], roller="0")
                contact["surface"]["center"] = at
            else:
                parent = w["body"]
                if w["kind"] == "caster":
                    part("bodies")[name + "_fork"] = dict(mass=0)
                    part("joints")[name + "_swivel"] = dict(kind="revolute", parent=parent, child=name + "_fork", at=at)
                    parent, at = name + "_fork", [f"-({w['trail']})", 0, 0]
                part("bodies")[name] = dict(mass=w.get("mass", 0), shape=dict(disk=w["radius"], axis=axle))
                part("joints")[name] = dict(kind="revolute", parent=parent, child=name, at=at, axis=axle)
                contact.update(body=name)
                if w["kind"] in ("mecanum", "omni"):
                    contact.update(roller=w.get("roller", "pi/2"))
            part("contacts")[name] = contact

    def value(self, item, **more):
        if isinstance(item, (int, float)):
            return float(item)
        return eval(item.replace("^", "**"), dict(self.names, **more))

    def vector(self, item):
        v = [self.value(x) for x in item] if isinstance(item, list) else self.value(item)
        return v if isinstance(v, A) else A([float(x) for x in v])

    def matrix(self, item):
        return self.value(item)

    def mass(self, item):
        if "shape" not in item:
            m = self.value(item["mass"])
            inertia = item.get("inertia", [0, 0, 0])
            v = [self.value(x) for x in inertia] if isinstance(inertia, list) else self.value(inertia)
            if isinstance(v, list) and isinstance(v[0], list):
                v = A([[float(x) for x in row] for row in v])
            return m, ZERO, v if isinstance(v, A) and len(v.rows[0]) == 3 else diag(*(v if isinstance(v, list) else [v[i] for i in range(3)]))
        parts = item["shape"] if isinstance(item["shape"], list) else [dict(item["shape"], **{k: item[k] for k in ("mass", "density") if k in item})]
        found = [self.part(p, item) for p in parts]
        m = sum(p[0] for p in found)
        c = sum((p[0] * p[1] for p in found), ZERO) / m
        inertia = 0.0 * ONE
        for mk, ck, ik in found:
            d = ck - c
            inertia = inertia + ik + mk * (dot(d, d) * ONE - outer(d, d))
        return m, c, inertia

    def part(self, p, body):
        size = lambda key: [self.value(x) for x in p[key]] if isinstance(p[key], list) else [self.value(p[key])]
        kinds = {
            "ball": lambda r: (4 / 3 * math.pi * r**3, *[2 / 5 * r * r] * 3),
            "shell": lambda r: (4 * math.pi * r**2, *[2 / 3 * r * r] * 3),
            "ellipsoid": lambda a, b, c: (4 / 3 * math.pi * a * b * c, (b*b + c*c) / 5, (a*a + c*c) / 5, (a*a + b*b) / 5),
            "box": lambda a, b, c: (a * b * c, (b*b + c*c) / 12, (a*a + c*c) / 12, (a*a + b*b) / 12),
            "cylinder": lambda r, h: (math.pi * r*r*h, r*r/4 + h*h/12, r*r/4 + h*h/12, r*r/2),
            "disk": lambda r: (math.pi * r*r, r*r/4, r*r/4, r*r/2),
            "ring": lambda r: (2 * math.pi * r, r*r/2, r*r/2, r*r),
            "rod": lambda l: (l, l*l/12, l*l/12, 0.0),
            "point": lambda _: (1.0, 0.0, 0.0, 0.0),
        }
        kind = next(k for k in kinds if k in p)
        measure, i1, i2, i3 = kinds[kind](*size(kind)) if kind != "point" else kinds[kind](0)
        m = self.value(p["mass"]) if "mass" in p else self.value(p.get("density", body.get("density"))) * measure
        inertia = diag(i1, i2, i3)
        if kind in ("cylinder", "disk", "ring", "rod"):
            a = self.vector(p.get("axis", "e1" if kind == "rod" else "e3"))
            inertia = i1 * ONE + (i3 - i1) * outer(a, a)
        if "rotation" in p:
            r = self.matrix(p["rotation"])
            inertia = r * inertia * r.T
        return m, self.vector(p.get("at", [0, 0, 0])), m * inertia

    def joint(self, name, item):
        axis = self.vector(item.get("axis", "e3"))
        k = max(range(3), key=lambda i: abs(axis[i]))
        exact = abs(abs(axis[k]) - 1) < 1e-12
        units = [E1, E2, E3]
        if exact:
            n1, n2 = [units[i] for i in range(3) if i != k]
        else:
            i = next(i for i in range(3) if abs(abs(axis[i]) - 1) > 1e-12)
            n1 = cross(axis, units[i])
            n1 = n1 / math.sqrt(dot(n1, n1))
            n2 = cross(axis, n1)
        kind = item["kind"]
        number = dict(revolute=1, prismatic=1, cylindrical=2, universal=2, spherical=1, planar=3, free=4, weld=0)[kind]
        given = item.get("coordinates")
        names = [given] if isinstance(given, str) else given
        if names is None:
            names = [name] if number == 1 else [f"{name}_{i+1}" for i in range(number)]
            if kind == "free":
                names[3] = name
        return dict(name=name, kind=kind, parent=item.get("parent", "ground"), child=item["child"], axis=axis, n1=n1, n2=n2,
                    second=self.vector(item["second_axis"]) if "second_axis" in item else n1,
                    at=self.vector(item.get("at", [0, 0, 0])), child_at=self.vector(item.get("child_at", [0, 0, 0])),
                    rp=self.matrix(item["rotation"]) if "rotation" in item else ONE,
                    rc=self.matrix(item["child_rotation"]) if "child_rotation" in item else ONE, names=names, item=item)

    # A state is {"t": t, body: (r_G, R)}; a velocity is {"t": 1, body: (v_G, w)}, both in space axes.
    def frame(self, q, body):
        if body == "ground":
            return ZERO, ONE
        r, R = q[body]
        return r - R * self.bodies[body]["c"], R

    def ends(self, q, j):
        (rp, Rp), (rc, Rc) = self.frame(q, j["parent"]), self.frame(q, j["child"])
        return rp + Rp * j["at"], Rp * j["rp"], rc + Rc * j["child_at"], Rc * j["rc"]

    def conditions(self, q, j):
        p, P, c, C = self.ends(q, j)
        d, kind = c - p, j["kind"]
        a, n1, n2 = P * j["axis"], P * j["n1"], P * j["n2"]
        same_axis = [dot(n1, C * j["axis"]), dot(n2, C * j["axis"])]
        same = same_axis + [dot(n1, C * j["n2"])]
        out = dict(revolute=[d[0], d[1], d[2]] + same_axis, prismatic=[dot(n1, d), dot(n2, d)] + same,
                   cylindrical=[dot(n1, d), dot(n2, d)] + same_axis,
                   universal=[d[0], d[1], d[2], dot(a, C * j["second"]) - dot(j["axis"], j["second"])],
                   spherical=[d[0], d[1], d[2]], planar=[dot(a, d)] + same_axis, free=[], weld=[d[0], d[1], d[2]] + same)[kind]
        if "drive" in j["item"]:
            drives = j["item"]["drive"] if isinstance(j["item"]["drive"], list) else [j["item"]["drive"]]
            t = q["t"]
            for k, f in enumerate(drives):
                value = eval(f.replace("^", "**"), dict(self.names, sin=cmath.sin, cos=cmath.cos, exp=cmath.exp, t=t))
                angle = kind == "revolute" or (kind in ("cylindrical", "planar") and k == len(j["names"]) - 1)
                if angle:
                    x, y = self.cosine_and_sine(q, j)
                    out.append(y * cmath.cos(value) - x * cmath.sin(value))
                else:
                    out.append(dot([P * j["axis"]][0] if kind in ("prismatic", "cylindrical") else [n1, n2][k], d) - value)
        return out

    def cosine_and_sine(self, q, j):
        _, P, _, C = self.ends(q, j)
        m, n = C * j["n1"], P * j["n1"]
        return dot(n, m), dot(P * cross(j["axis"], j["n1"]), m)

    def coordinates(self, q, j):
        """name -> value; angles in (-pi, pi]."""
        p, P, c, C = self.ends(q, j)
        d, kind = c - p, j["kind"]
        x, y = self.cosine_and_sine(q, j)
        angle = math.atan2(y.real if isinstance(y, complex) else y, x.real if isinstance(x, complex) else x)
        B = P.T * C
        if kind == "universal":
            a, b = j["axis"], j["second"]
            b1, a1 = B * b, B.T * a
            values = [math.atan2(dot(cross(a, b), b1), dot(b, b1)), -math.atan2(dot(cross(b, a), a1), dot(a, a1))]
        else:
            along = dot(P * j["axis"], d)
            values = dict(revolute=[angle], prismatic=[along], cylindrical=[along, angle], spherical=[B],
                          planar=[dot(P * j["n1"], d), dot(P * j["n2"], d), angle], weld=[],
                          free=[dot(P * E1, d), dot(P * E2, d), dot(P * E3, d), B])[kind]
        return dict(zip(j["names"], values))

    def coordinate_rates(self, q, u, j):
        """name -> rate; of a rotation the relative angular velocity in the child's axes."""
        step = self.moved(q, u, 1j * H)
        p, P, c, C = self.ends(step, j)
        d, kind = c - p, j["kind"]
        im = lambda z: (z.imag if isinstance(z, complex) else 0.0) / H
        x, y = self.cosine_and_sine(step, j)
        re = lambda z: z.real if isinstance(z, complex) else z
        angle = im(y) * re(x) - im(x) * re(y)
        along = im(dot(P * j["axis"], d))
        B = P.T * C
        rate = B.map(re).T * B.map(im)
        omega = A([rate.rows[2][1], rate.rows[0][2], rate.rows[1][0]])
        if kind == "universal":
            a, b = j["axis"], j["second"]
            b1, a1 = B * b, B.T * a
            X, Y = dot(b, b1), dot(cross(a, b), b1)
            Z, W = dot(a, a1), dot(cross(b, a), a1)
            f = lambda X, Y: (im(Y) * re(X) - im(X) * re(Y)) / (re(X) ** 2 + re(Y) ** 2)
            values = [f(X, Y), -f(Z, W)]
        else:
            values = dict(revolute=[angle], prismatic=[along], cylindrical=[along, angle], spherical=[omega],
                          planar=[im(dot(P * j["n1"], d)), im(dot(P * j["n2"], d)), angle], weld=[],
                          free=[im(dot(P * E1, d)), im(dot(P * E2, d)), im(dot(P * E3, d)), omega])[kind]
        return dict(zip(j["names"], values))

    def moved(self, q, u, s):
        """q + s u to first order for a complex s, along straight lines and constant spins for a real s."""
        out = {"t": q["t"] + s * u["t"]}
        for b in self.order:
            (r, R), (v, w) = q[b], u[b]
            if isinstance(s, complex):
                out[b] = (r + s * v, R + (s * hat(w)) * R)
            else:
                size = math.sqrt(dot(w, w))
                out[b] = (r + s * v, turn(w / size, s * size) * R if size > 0 else R)
        return out

    def rolling(self, q, u):
        """Velocity constraints of contacts and wheels, linear in u: of the body's material point less that of the support."""
        out = []
        if "contacts" not in q:
            q["contacts"] = [c.place(q) for c in self.contacts]
        for contact, (C, n, t1, t2) in zip(self.contacts, q["contacts"]):
            item = contact.item
            (r, R), (v, w) = q[contact.body], u[contact.body]
            slip, turning = v + cross(w, C - r), w
            if contact.on != "ground":
                (r, _), (v, w) = q[contact.on], u[contact.on]
                slip, turning = slip - v - cross(w, C - r), turning - w
            out += [dot(slip, n)]
            if "roller" in item:
                angle, forward = self.value(item["roller"]), cross(R * self.vector(item["surface"]["axis"]), n)
                side = cross(n, forward)
                length = math.sqrt(dot(forward, forward))
                out += [dot(slip, math.cos(angle) * side + math.sin(angle) * forward) / length]
            elif item.get("rolls", True):
                out += [dot(slip, t1), dot(slip, t2)]
            if item.get("twist", True) is False:
                out += [dot(turning, n)]
        return out

    def velocity_functions(self, q, u):
        step = self.moved(q, u, 1j * H)
        out = []
        for j in self.joints:
            out += [(c.imag if isinstance(c, complex) else 0.0) / H for c in self.conditions(step, j)]
        return out + self.stated(q, u) + self.rolling(q, u)

    def stated(self, q, u):
        """[constraints] between coordinates of joints."""
        equations = self.toml.get("constraints", {})
        if not equations:
            return []
        values, rates = {}, {}
        for j in self.joints:
            values.update(self.coordinates(q, j))
            rates.update(self.coordinate_rates(q, u, j))
        out = []
        for text in equations.values():
            left, right = (text.split("=") + ["0"])[:2]
            code = compile(f"({left}) - ({right})".replace("^", "**").strip(), "constraint", "eval")
            names = dict(self.names, sin=cmath.sin, cos=cmath.cos)
            out.append(sum(eval(code, dict(names, **dict(values, **{k: values[k] + 1j * H}))).imag / H * rates[k]
                           for k in code.co_names if k in rates))
        return out

    def unit(self, k):
        u = {"t": 0.0}
        for i, b in enumerate(self.order):
            e = [0.0] * 6
            if 6 * i <= k < 6 * i + 6:
                e[k - 6 * i] = 1.0
            u[b] = (A(e[:3]), A(e[3:]))
        return u

    def rows(self, q):
        """J and b of the constraints J u + b = 0."""
        n = 6 * len(self.order)
        columns = [self.velocity_functions(q, self.unit(k)) for k in range(n)]
        rest = {"t": 1.0, **{b: (ZERO, ZERO) for b in self.order}}
        return [list(r) for r in zip(*columns)], self.velocity_functions(q, rest)

    def forces(self, q, u):
        """Weight and gyroscopic torques, springs and dampers: 6 numbers a body."""
        F = []
        for b in self.order:
            body, (r, R), (v, w) = self.bodies[b], q[b], u[b]
            inertia = R * body["I"] * R.T
            torque = -cross(w, inertia * w)
            force = body["m"] * self.gravity
            F += [force[i] for i in range(3)] + [torque[i] for i in range(3)]
        for j in self.joints:
            for name, force in self.joint_forces(q, u, j):
                for k in range(len(F)):
                    rate = self.coordinate_rates(q, self.unit(k), j)[name]
                    F[k] += dot(force, rate) if isinstance(rate, A) else force * rate
        for key, force in self.toml.get("forces", {}).items():
            for j in self.joints:
                if key not in j["names"]:
                    continue
                values = {}
                for other in self.joints:
                    values.update(self.coordinates(q, other))
                    values.update({n + "_rate": r for n, r in self.coordinate_rates(q, u, other).items()})
                f = eval(force.replace("^", "**").replace("'", "_rate"), dict(self.names, t=q["t"], **values))
                for k in range(len(F)):
                    F[k] += f * self.coordinate_rates(q, self.unit(k), j)[key]
        return F

    def joint_forces(self, q, u, j):
        item = j["item"]
        each = lambda key, k: self.value(item[key][k] if isinstance(item[key], list) else item[key])
        values, rates = self.coordinates(q, j), self.coordinate_rates(q, u, j)
        out = []
        for k, name in enumerate(j["names"]):
            x = values[name]
            if "stiffness" in item:
                stiffness = each("stiffness", k)
                if isinstance(x, A):  # V = k/2 (3 - tr B)
                    out.append((name, -stiffness / 2 * A([x.rows[2][1] - x.rows[1][2], x.rows[0][2] - x.rows[2][0], x.rows[1][0] - x.rows[0][1]])))
                else:
                    out.append((name, -stiffness * (x - (each("rest", k) if "rest" in item else 0))))
            if "damping" in item:
                out.append((name, -each("damping", k) * rates[name]))
        return out

    def accelerations(self, q, u):
        J, _ = self.rows(q)
        J = [J[i] for i in self.kept]
        F = self.forces(q, u)
        d = 1e-3 / max([1.0] + [math.sqrt(dot(u[b][1], u[b][1])) for b in self.order])
        at = lambda s: self.velocity_functions(self.moved(q, u, s), u)
        bias = [(8 * (b - c) - (a - e)) / (12 * d) for e, c, b, a in zip(at(-2 * d), at(-d), at(d), at(2 * d))]
        bias = [bias[i] for i in self.kept]
        blocks = []
        for b in self.order:
            (r, R) = q[b]
            inertia = R * self.bodies[b]["I"] * R.T
            blocks.append((self.bodies[b]["m"], inertia))
        n = 6 * len(self.order)
        M = [[0.0] * n for _ in range(n)]
        for i, (m, inertia) in enumerate(blocks):
            for k in range(3):
                M[6*i+k][6*i+k] = m
                for l in range(3):
                    M[6*i+3+k][6*i+3+l] = inertia.rows[k][l]
        return solve(M, J, F, [-x for x in bias])

    def rate(self, q, u):
        a = self.accelerations(q, u)
        return {b: (A(a[6*i:6*i+3]), A(a[6*i+3:6*i+6])) for i, b in enumerate(self.order)}

    # Starting values.
    def start(self):
        given = {}
        for name, item in self.toml["simulation"]["initial"].items():
            given[name] = self.vector(item) if isinstance(item, list) else self.value(item)
        q, u = {"t": 0.0}, {"t": 1.0}
        todo, placed = list(self.joints), {"ground"}
        closing = self.closing = []
        for contact in self.contacts:
            contact.begin(given)
        while todo or len(placed) <= len(self.order):
            j = next((j for j in todo if j["parent"] in placed or j["child"] in placed), None)
            if j is None:
                contact = next(c for c in self.contacts if c.body not in placed and c.on in placed)
                q[contact.body] = contact.placed_body(q, given)
                placed.add(contact.body)
                continue
            todo.remove(j)
            if j["parent"] in placed and j["child"] in placed:
                closing.append(j)
                continue
            D, S = ZERO, ONE
            values = [given.get(n, 1.0 if j["kind"] in ("spherical", "free") and n == j["names"][-1] else 0.0) for n in j["names"]]
            if "drive" in j["item"]:
                drives = j["item"]["drive"] if isinstance(j["item"]["drive"], list) else [j["item"]["drive"]]
                values = [self.value(f, t=0.0) for f in drives]
            k = j["kind"]
            rot = lambda B: B if isinstance(B, A) else ONE
            if k in ("revolute",): S = turn(j["axis"], values[0])
            if k == "prismatic": D = values[0] * j["axis"]
            if k == "cylindrical": D, S = values[0] * j["axis"], turn(j["axis"], values[1])
            if k == "universal": S = turn(j["axis"], values[0]) * turn(j["second"], values[1])
            if k == "spherical": S = rot(values[0])
            if k == "planar": D, S = values[0] * j["n1"] + values[1] * j["n2"], turn(j["axis"], values[2])
            if k == "free": D, S = values[0] * E1 + values[1] * E2 + values[2] * E3, rot(values[3])
            if j["parent"] in placed:
                r, R = self.frame(q, j["parent"])
                R2 = R * j["rp"] * S * j["rc"].T
                r2 = r + R * j["at"] + R * j["rp"] * D - R2 * j["child_at"]
                body = j["child"]
            else:
                r, R = self.frame(q, j["child"])
                R2 = R * (j["rp"] * S * j["rc"].T).T
                r2 = r + R * j["child_at"] - R2 * (j["at"] + j["rp"] * D)
                body = j["parent"]
            q[body] = (r2 + R2 * self.bodies[body]["c"], R2)
            placed.add(body)
        for j in closing:
            error = max([abs(c) for c in self.conditions(q, j)] + [0])
            if error > 1e-12:
                print(f"# joint {j['name']} is open by {error:.3g} at the start")
        # Which constraints are independent is decided once, where they all hold. Velocities: given rates and the constraints.
        J, b = self.rows(q)
        self.kept = independent(J)
        right = [-x for x in b]
        n = 6 * len(self.order)
        for j in self.joints:
            columns = [self.coordinate_rates(q, self.unit(k), j) for k in range(n)]
            for name in j["names"]:
                key = name + "'" if not isinstance(columns[0][name], A) else j["item"].get("body_rate", name + "_Omega")
                if key not in given:
                    continue
                if isinstance(columns[0][name], A):
                    for i in range(3):
                        J.append([c[name][i] for c in columns])
                        right.append(given[key][i])
                else:
                    J.append([c[name] for c in columns])
                    right.append(given[key])
        for contact in self.contacts:
            contact.add_given_rates(q, given, J, right)
        identity = [[1.0 if i == k else 0.0 for k in range(n)] for i in range(n)]
        v = solve(identity, J, [0.0] * n, right)
        worst = max([abs(sum(x * y for x, y in zip(row, v)) - r) for row, r in zip(J, right)] + [0])
        if worst > 1e-10:
            print(f"# the initial velocity violates a constraint by {worst:.3g}")
        for i, body in enumerate(self.order):
            u[body] = (A(v[6*i:6*i+3]), A(v[6*i+3:6*i+6]))
        return q, u

    # Modified midpoint rule with extrapolation.
    def pack(self, q, u):
        y = [q["t"]]
        for b in self.order:
            y += [q[b][0][i] for i in range(3)] + [x for r in q[b][1].rows for x in r]
            y += [u[b][0][i] for i in range(3)] + [u[b][1][i] for i in range(3)]
        return y

    def unpack(self, y):
        q, u = {"t": y[0]}, {"t": 1.0}
        for i, b in enumerate(self.order):
            z = y[1 + 18*i:19 + 18*i]
            q[b] = (A(z[:3]), A([z[3:6], z[6:9], z[9:12]]))
            u[b] = (A(z[12:15]), A(z[15:18]))
        return q, u

    def slope(self, y):
        q, u = self.unpack(y)
        a = self.rate(q, u)
        out = [1.0]
        for b in self.order:
            spin = hat(u[b][1]) * q[b][1]
            out += [u[b][0][i] for i in range(3)] + [x for r in spin.rows for x in r]
            out += [a[b][0][i] for i in range(3)] + [a[b][1][i] for i in range(3)]
        return out

    def run(self, until, step=0.05, orders=6):
        y = self.pack(*self.start())
        count = max(1, math.ceil(until / step))
        for _ in range(count):
            y = extrapolated(self.slope, y, until / count, orders)
        return self.unpack(y)


def extrapolated(f, y, H, orders):
    table = []
    f0 = f(y)
    for k in range(orders):
        n = 2 * (k + 1)
        h = H / n
        a, b = y, [x + h * d for x, d in zip(y, f0)]
        for _ in range(n - 1):
            a, b = b, [x + 2 * h * d for x, d in zip(a, f(b))]
        row = [[(x + z + h * d) / 2 for x, z, d in zip(a, b, f(b))]]
        for m in range(1, k + 1):
            ratio = ((k + 1) / (k + 1 - m)) ** 2
            row.append([x + (x - z) / (ratio - 1) for x, z in zip(row[m - 1], table[k - 1][m - 1])])
        table.append(row)
    return table[-1][-1]


def independent(J):
    """Rows that are independent of those before them."""
    kept, basis = [], []
    for i, row in enumerate(J):
        e = list(row)
        for _ in range(2):
            for b in basis:
                c = sum(x * y for x, y in zip(e, b))
                e = [x - c * y for x, y in zip(e, b)]
        length = math.sqrt(sum(x * x for x in e))
        if length > 1e-9:
            kept.append(i)
            basis.append([x / length for x in e])
    return kept


def solve(M, J, F, right):
    """a of M a = F + J^T lambda, J a = right; dependent rows of J are left out, massless directions allowed."""
    n, rows, rest = len(M), [], []
    basis = []
    for row, r in zip(J, right):  # Gram-Schmidt, twice
        e, s = list(row), r
        size = math.sqrt(sum(x * x for x in row))
        for _ in range(2):
            for b, t in basis:
                c = sum(x * y for x, y in zip(e, b))
                e = [x - c * y for x, y in zip(e, b)]
                s -= c * t
        length = math.sqrt(sum(x * x for x in e))
        if size == 0 or length < 1e-9 * max(1, size):
            continue
        basis.append(([x / length for x in e], s / length))
    k = len(basis)
    K = [M[i] + [-b[i] for b, _ in basis] + [F[i]] for i in range(n)]
    K += [list(b) + [0.0] * k + [t] for b, t in basis]
    return eliminated(K)[:n]


def eliminated(K):
    n = len(K)
    for c in range(n):
        p = max(range(c, n), key=lambda i: abs(K[i][c]))
        K[c], K[p] = K[p], K[c]
        for i in range(c + 1, n):
            f = K[i][c] / K[c][c]
            if f:
                K[i] = K[i][:c] + [x - f * y for x, y in zip(K[i][c:], K[c][c:])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (K[i][n] - sum(K[i][k] * x[k] for k in range(i + 1, n))) / K[i][i]
    return x


def main(path, until, step="0.05"):
    machine = Machine(path)
    q, u = machine.run(float(until), float(step))
    worst = max([abs(c) for j in machine.joints for c in machine.conditions(q, j)] + [0])
    print(f"# conditions hold to {worst:.1e}")
    print("[known.state]")
    print(f"t = {until}")
    for j in machine.joints:
        if j in machine.closing:
            continue
        for name, x in machine.coordinates(q, j).items():
            if not isinstance(x, A):
                print(f"{name} = {x:.10f}")
                continue
            print(f"{name} = " + written(x))
    for contact in machine.contacts:
        contact.place(q)
        for name, x in zip(contact.names, contact.z or []):
            print(f"{name} = {x:.10f}")
        if contact.rotation:
            print(f"{contact.rotation} = " + written(q[contact.body][1]))


def written(x):
    return "[" + ", ".join("[" + ", ".join(f"{v:.10f}" for v in r) + "]" for r in x.rows) + "]"


if __name__ == "__main__":
    main(*sys.argv[1:])
