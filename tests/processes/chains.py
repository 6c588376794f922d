"""Long chains of links: the recursion that `derive` prints is executed line by line and compared with the exported equations.

    chains.py PROGRAM
"""

import importlib.util
import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())
VALUES = {"g": 9.81, "l": 0.8, "J": 0.3, "k": 2.0, "c": 0.1}


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300)


class Matrix:
    """Rows of numbers; a vector is a column. a @ b is the cross product."""

    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    def __add__(self, other):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __sub__(self, other):
        return self + other * -1

    def __mul__(self, other):
        if not isinstance(other, Matrix):
            return Matrix([[a * other for a in row] for row in self.rows])
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    def __rmul__(self, number):
        return self * number

    def __neg__(self):
        return self * -1

    def __truediv__(self, number):
        return self * (1 / number)

    def __matmul__(self, other):
        return hat(self) * other

    def __getitem__(self, k):
        return self.rows[k - 1][0]


def vector(*entries):
    return Matrix([[x] for x in entries])


def transpose(m):
    return Matrix(zip(*m.rows))


def dot(a, b):
    return (transpose(a) * b).rows[0][0]


def inverse(m):
    a, b, c = ([vector(*column) for column in zip(*m.rows)])
    volume = dot(a, b @ c)
    return transpose(Matrix(zip(*[[row[0] / volume for row in v.rows] for v in (b @ c, c @ a, a @ b)])))


def hat(v):
    (x,), (y,), (z,) = v.rows
    return Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def diag(*entries):
    return Matrix([[x if i == j else 0 for j in range(len(entries))] for i, x in enumerate(entries)])


UNIT = diag(1, 1, 1)


def rotation(e, angle):
    if dot(e, e) == 0:
        return UNIT
    return UNIT * math.cos(angle) + hat(e) * math.sin(angle) + e * transpose(e) * (1 - math.cos(angle))


class Page:
    """The page as a program."""

    def __init__(self, text, angles, speeds, values):
        self.values, self.x, self.blocks = values, {}, []
        for line in text.splitlines():
            head = re.match(r"(outwards|inwards), i = (\d+)\.\.(\d+), from (.*):$", line)
            if head:
                self.blocks.append((int(head[2]), int(head[3]), head[4], []))
            elif line.startswith("with "):
                self.blocks.append((0, 0, "", []))
            elif " = " in line and line.startswith("  ") and self.blocks:
                self.blocks[-1][3].append([side.strip() for side in line.split(" = ", 1)])
        self.first, self.last = self.blocks[0][:2]
        spherical = isinstance(angles[0], Matrix)
        for i in range(self.first, self.last + 1):
            self.put("R" if spherical else "q", i, angles[i - self.first])
            self.put("Omega" if spherical else "q'", i, speeds[i - self.first])
        for left, right in self.blocks[-1][3]:
            self.define(left, right)
        for i in range(self.first, self.last + 1):
            if not spherical:
                self.put("R", i, rotation(self.x["e", i], self.x["q", i]))
        for first, last, start, lines in self.blocks[:-1]:
            self.sweep(first, last, start, lines)

    def put(self, name, i, value):
        self.x[name, i] = value

    def value(self, formula, i):
        code = formula
        if code.startswith("["):
            code = f"Matrix({code})" if code.startswith("[[") else f"vector({code[1:-1]})"
        code = re.sub(r"([A-Za-z]+)_\(i-1\)", r"X['\1', i - 1]", code)
        code = re.sub(r"([A-Za-z]+)_(\d+)", r"X['\1', \2]", code)
        code = re.sub(r"([A-Za-z]+)_i('*)", lambda m: f"X[{m[1] + m[2]!r}, i]", code)
        code = code.replace("×", "@").replace("^", "**")
        names = dict(vector=vector, Matrix=Matrix, transpose=transpose, inverse=inverse, dot=dot, hat=hat, diag=diag, E=UNIT, X=self.x, i=i)
        return eval(code, {"__builtins__": {}}, {**self.values, **names})  # our own text

    def define(self, left, right):
        """`r_i = [l, 0, 0] for i = 2..30`, and the like."""
        formula, _, where = right.partition(" for i = ")
        if " for " not in right and left.endswith("_i"):
            indices = range(self.first, self.last + 1)
        elif not left.endswith("_i"):
            indices = [int(left.rpartition("_")[2])]
        elif where.endswith("..."):
            low, second = map(int, where.split(", ")[:2])
            indices = range(low, self.last + 1, second - low)
        else:
            low, high = map(int, where.split(".."))
            indices = range(low, high + 1)
        for i in indices:
            self.put(left.rpartition("_")[0], i, self.value(formula, i))

    def sweep(self, first, last, start, lines):
        for name in ("w", "alpha"):
            self.x.setdefault((name, self.first - 1), vector(0, 0, 0))
        for name, shape in (("I", UNIT), ("h", vector(0, 0, 0)), ("m", 0)):
            self.x.setdefault((name, self.first - 1), shape * 0)
        for part in re.split(r"[,;] (?=[A-Za-z]+_\d+ = )", start.split("; what")[0]):
            left, right = part.split(" = ", 1)
            if right != "0":
                name, _, index = left.rpartition("_")
                self.put(name, int(index), self.value(right, int(index)))
        for i in range(first, last + (1 if last > first else -1), 1 if last > first else -1):
            for left, right in lines:
                name, index = (left[:-6], i - 1) if left.endswith("_(i-1)") else (left.replace("_i", ""), i)
                self.put(name, index, self.value(right, i))


def joints(n, kinds, axis):
    """Joints of several kinds in turn; the first link hangs on the ground."""
    text = 'gravity = "g"\ndown = "[0, -3/5, -4/5]"\n[parameters]\ng = 9.81\nm = { value = 1.5, positive = true }\n'
    text += "".join(f"{name} = {{ value = {VALUES[name]}, positive = true }}\n" for name in "lJkc")
    for i in range(1, n + 1):
        text += f'[bodies.b{i}]\nmass = "m"\ninertia = "[J/9, J, 2*J]"\ncenter = "[l/2, l/7, 0]"\n'
    for i in range(1, n + 1):
        kind = kinds[i % len(kinds)]
        before = "" if i == 1 else f'parent = "b{i - 1}"\nat = "[l, 0, l/5]"\n'
        along = f'axis = "{axis}"\n' if kind in ("prismatic", "cylindrical", "revolute") else ""
        spring = 'damping = "c"\n' if kind == "spherical" else "" if kind == "planar" else 'stiffness = "k"\ndamping = "c"\n'
        text += f'[joints.q{i}]\nkind = "{kind}"\nchild = "b{i}"\n{before}{along}{spring}'
    return text


def chain(n, axes, numbered_masses=False):
    masses = "".join(f"m{i} = {{ value = {1 + i / 10}, positive = true }}\n" for i in range(1, n + 1))
    text = 'gravity = "g"\ndown = "[0, -3/5, -4/5]"\n[parameters]\ng = 9.81\nm = { value = 1.5, positive = true }\n'
    text += "".join(f"{name} = {{ value = {VALUES[name]}, positive = true }}\n" for name in "lJkc")
    text += masses if numbered_masses else ""
    for i in range(1, n + 1):
        mass = f"m{i}" if numbered_masses else "m"
        text += f'[bodies.b{i}]\nmass = "{mass}"\ninertia = "[J/9, J, 2*J]"\ncenter = "[l/2, l/7, 0]"\n'
    for i in range(1, n + 1):
        before = "" if i == 1 else f'parent = "b{i - 1}"\nat = "[l, 0, l/5]"\n'
        text += (f'[joints.q{i}]\nkind = "revolute"\nchild = "b{i}"\n{before}axis = "{axes[i % len(axes)]}"\n'
                 'stiffness = "k"\ndamping = "c"\n')
    return text


class WheeledPage:
    """The recursion of a chain on wheels as a program: rates of the first axle and of all headings."""

    def __init__(self, text, values, headings, speeds):
        lines = [[side.strip() for side in line.split(" = ", 1)] for line in text.splitlines() if line.startswith("  ")]
        first, last = map(int, re.search(r"recursion over i = (\d+)\.\.(\d+)", text).groups())
        self.values, self.x, self.first, self.last = values, {}, first, last
        starts = [k for k, (left, _) in enumerate(lines) if left in ("phi_i", "p_(i-1)", f"z_{first}'")]
        own = re.search(r"n_i = (\[.*?\]),", text)
        tables = next(k for k, (left, _) in enumerate(lines) if k > starts[2] and re.match(r"(b|d|m)_", left))
        for name in "bdmhKFu":
            self.x.update({(name, i): 0.0 for i in range(first, last + 1)})
        self.x.update({("tau", i): 0.0 for i in range(first, last + 1)})
        self.x.update({("theta", first + k): angle for k, angle in enumerate(headings)})
        self.put_speeds(first, vector(*speeds))
        for left, right in lines[tables:]:
            self.define(left, right)
        for i in range(first + 1, last + 1):
            for left, right in lines[starts[0]:starts[1]]:
                name = left.removesuffix("_i")
                self.x[name, i] = self.value(right, i)
                if name == "z":
                    self.put_speeds(i, self.x["z", i])
        for i in range(first, last + 1):
            self.x["n", i] = self.value(own[1], i) if own else vector(0, 0)
        self.x["N", last], self.x["p", last] = diag(self.x["m", last], self.x["K", last]), self.x["n", last]
        for i in range(last, first, -1):
            for left, right in lines[starts[1]:starts[2]]:
                self.x[left.removesuffix("_(i-1)"), i - 1] = self.value(right, i)
        self.rates = self.value(lines[starts[2]][1], first)
        self.position = [self.value(right, first) for _, right in lines[starts[2] + 2:starts[2] + 4]]

    def put_speeds(self, i, z):
        self.x["z", i], self.x["v", i], self.x["w", i] = z, z[1], z[2]

    def value(self, formula, i):
        code = re.sub(r"\[\[(.*)\]\]", r"Matrix([[\1]])", formula)
        code = re.sub(r"(?<![\[(])\[([^\[\]]*)\](?!\])", r"vector(\1)", code) if "Matrix" not in code else code
        code = re.sub(r"([A-Za-z]+)_\(i-1\)", r"X['\1', i - 1]", code)
        code = re.sub(r"\b([A-Za-z]+)_i\b('?)", lambda m: f"X[{m[1] + m[2]!r}, i]", code)
        code = re.sub(r"\b([A-Za-z]+)_(\d+)\b", r"X['\1', \2]", code)
        code = re.sub(r"\b(\w+)'", r"\1_rate", re.sub(r"X\['(\w+)''", r"X['\1_rate'", code)) if "'," not in code else code
        names = dict(vector=vector, Matrix=Matrix, transpose=transpose, inverse=inverse2, diag=diag, X=self.x, i=i,
                     sin=math.sin, cos=math.cos)
        return eval(code.replace("^", "**"), {"__builtins__": {}}, {**self.values, **names})  # our own text

    def define(self, left, right):
        formula, _, where = right.partition(" for i = ")
        name, _, index = left.rpartition("_")
        if index != "i":
            indices = [int(index)]
        elif where.endswith("..."):
            low, second = map(int, where.split(", ")[:2])
            indices = range(low, self.last + 1, second - low)
        elif where:
            low, high = map(int, where.split(".."))
            indices = range(low, high + 1)
        else:
            indices = range(self.first + (name in "bdu"), self.last + 1)
        for i in indices:
            own = {k.removesuffix(str(i)) + "_i": v for k, v in self.values.items() if k.endswith(str(i))}
            code = re.sub(r"\b(\w+_i)'", r"\1_rate", formula)
            own.update({k.replace(f"{i}_rate", "_i_rate"): v for k, v in self.values.items() if k.endswith(f"{i}_rate")})
            code = re.sub(r"\b(\w+)'", r"\1_rate", code).replace("^", "**")
            if formula == "a parameter of this name":
                code = f"{name}{i}"
            self.x[name, i] = eval(code, {"__builtins__": {}}, {**self.values, **own, "cos": math.cos, "sin": math.sin})


WHEELED_MUTANTS = (("-b_i*cos", "b_i*cos"), ("- [0, u_i]", "+ [0, u_i]"), ("sin(phi_i)/d_i", "-sin(phi_i)/d_i"), ("-d_i*w_i, v_i", "d_i*w_i, v_i"),
                   ("v_i/d_i", "-v_i/d_i"), ("-h_i*w_i^2", "h_i*w_i^2"), ("h_i*v_i*w_i", "-h_i*v_i*w_i"), ("- F_i", "+ F_i"),
                   ("+ transpose(T_i)*N_i*T_i", "- transpose(T_i)*N_i*T_i"), ("+ N_i*c_i", "- N_i*c_i"))


def inverse2(m):
    (a, b), (c, d) = m.rows
    return Matrix([[d, -b], [-c, a]]) / (a * d - b * c)


def wheeled_snake(n, ahead="l", behind="l", centre="0", torque=True, names=False):
    """Links with a blade, hitched `behind` their blade and `ahead` of it; parameters of their own where `names`."""
    values = {"l": 0.8, "s": 0.3, "J": 0.4, "k": 2.0, "c": 0.1, "m": 1.5, "F": 0.7}
    values.update({f"m{i}": 1 + i / 10 for i in range(1, n + 1)} if names else {})
    text = "[parameters]\n" + "".join(f"{k} = {{ value = {v}, positive = true }}\n" for k, v in values.items())
    for i in range(1, n + 1):
        text += f'[bodies.b{i}]\nmass = "{f"m{i}" if names else "m"}"\ninertia = "diag(0, 0, J)"\ncenter = "[{centre}, 0, 0]"\n'
    text += '[joints.head]\nkind = "planar"\nchild = "b1"\ncoordinates = ["x", "y", "theta"]\n'
    for i in range(2, n + 1):
        text += (f'[joints.q{i}]\nkind = "revolute"\nparent = "b{i - 1}"\nchild = "b{i}"\nat = "[-({behind}), 0, 0]"\n'
                 f'child_at = "[{ahead}, 0, 0]"\n' + ('stiffness = "k"\ndamping = "c"\n' if torque else ""))
    for i in range(1, n + 1):
        text += f'[wheels.w{i}]\nkind = "knife-edge"\nbody = "b{i}"\n'
    return text, values


def snake_on_wheels(n, wheels="two", torque=True):
    """Links with wheels that have mass and turn: one in the middle of each link, or two on its axle; dampers on their axles."""
    values = {"l": 0.8, "s": 0.3, "J": 0.4, "k": 2.0, "c": 0.1, "m": 1.5, "R": 0.2, "a": 0.35, "mw": 0.3}
    text = "[parameters]\n" + "".join(f"{k} = {{ value = {v}, positive = true }}\n" for k, v in values.items())
    for i in range(1, n + 1):
        text += f'[bodies.b{i}]\nmass = "m"\ninertia = "diag(0, 0, J)"\ncenter = "[s, 0, 0]"\n'
    text += '[joints.head]\nkind = "planar"\nchild = "b1"\ncoordinates = ["x", "y", "theta"]\n'
    for i in range(2, n + 1):
        text += (f'[joints.q{i}]\nkind = "revolute"\nparent = "b{i - 1}"\nchild = "b{i}"\nat = "[-l, 0, 0]"\nchild_at = "[2*l, 0, 0]"\n'
                 + ('stiffness = "k"\ndamping = "c"\n' if torque else ""))
    for i in range(1, n + 1):
        for name, at in {"one": [("roll", "0")], "two": [("left", "a"), ("right", "-a")]}[wheels]:
            text += (f'[wheels.{name}{i}]\nkind = "rolling"\nbody = "b{i}"\nradius = "R"\nmass = "mw"\nat = "[0, {at}, R]"\n'
                     + ('damping = "c"\n' if torque else ""))
    return text, values


class Chains(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def page(self, text, *options):
        self.model = Path(self.folder.name) / "chain.toml"
        self.model.write_text(text)
        done = run("derive", str(self.model), *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def exported_rates(self, state):
        path = Path(self.folder.name) / "exported.py"
        path.write_text(run("derive", str(self.model), "--format", "python").stdout)
        spec = importlib.util.spec_from_file_location("exported", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.rhs(0.0, state)

    def compare(self, n, axes, numbered_masses=False):
        text = self.page(chain(n, axes, numbered_masses))
        self.assertIn(f"recursion over i = 1..{n}", text)
        angles, speeds = [math.sin(1 + i) for i in range(n)], [math.cos(2 + i) for i in range(n)]
        values = {**VALUES, "m": 1.5}
        page = Page(self.with_masses(text, n) if numbered_masses else text, angles, speeds, values)
        rates = self.exported_rates(angles + speeds)
        for i in range(n):
            self.assertAlmostEqual(page.x["q''", i + 1], rates[n + i], delta=1e-9 * (1 + abs(rates[n + i])))

    def compare_joints(self, n, kinds, freedoms):
        text = self.page(joints(n, kinds, "[0, 3/5, 4/5]"))
        self.assertIn(f"recursion over i = 1..{freedoms}", text)
        angles, speeds = [math.sin(1 + i) for i in range(freedoms)], [math.cos(2 + i) for i in range(freedoms)]
        page = Page(text, angles, speeds, {**VALUES, "m": 1.5})
        rates = self.exported_rates(angles + speeds)
        for i in range(freedoms):
            self.assertAlmostEqual(page.x["q''", i + 1], rates[freedoms + i], delta=1e-9 * (1 + abs(rates[freedoms + i])))

    @staticmethod
    def with_masses(text, n):
        """`m_i = m_i` says that the mass of link i is the parameter m_i: put the parameters there first."""
        masses = "".join(f"  m_{i} = {1 + i / 10}\n" for i in range(1, n + 1))
        return re.sub(r"  m_i +=.*\n", "", text).replace("the torque:\n", "the torque:\n" + masses)

    def test_parallel_axes(self):
        self.compare(5, ["[0, 0, 1]"])

    def test_axes_in_turn(self):
        self.compare(9, ["[0, 0, 1]", "[0, 1, 0]"])
        self.compare(12, ["[3/5, 0, 4/5]", "[0, 1, 0]", "[1, 0, 0]"])

    def test_joints_of_other_kinds(self):
        self.compare_joints(4, ["universal"], 8)
        self.compare_joints(4, ["cylindrical"], 8)
        self.compare_joints(4, ["planar"], 12)
        self.compare_joints(6, ["revolute", "prismatic"], 6)

    def test_spherical_joints(self):
        n = 4
        text = self.page(joints(n, ["spherical"], ""))
        self.assertIn(f"recursion over i = 1..{n}", text)
        turns = [rotation(vector(0.6, 0, 0.8), math.sin(1 + i)) * rotation(vector(0, 1, 0), 0.4 * i) for i in range(n)]
        spins = [vector(math.cos(i), math.sin(2 * i), 0.3 * i) for i in range(n)]
        page = Page(text, turns, spins, {**VALUES, "m": 1.5})
        state = [x for turn in turns for row in turn.rows for x in row] + [x for spin in spins for (x,) in spin.rows]
        rates = self.exported_rates(state)
        for i in range(n):
            for k in range(3):
                self.assertAlmostEqual(page.x["Omega'", i + 1][k + 1], rates[9 * n + 3 * i + k], delta=1e-9)
            for k in range(9):
                self.assertAlmostEqual(page.x["R'", i + 1].rows[k // 3][k % 3], rates[9 * i + k], delta=1e-9)

    def test_a_chain_with_short_components_keeps_them(self):
        self.assertNotIn("recursion", self.page(joints(5, ["prismatic"], "[0, 3/5, 4/5]")))

    def test_parameters_with_an_index(self):
        self.compare(6, ["[0, 0, 1]", "[0, 1, 0]"], numbered_masses=True)

    def exported(self):
        path = Path(self.folder.name) / "exported.py"
        path.write_text(run("derive", str(self.model), "--form", "hamel", "--format", "python").stdout)
        spec = importlib.util.spec_from_file_location("exported", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def deviation(self, page_text, values, turns, angles):
        """Largest difference between the page and the exported rates; turns(angles): headings of the links. The state is x, y on the axle of
        the first link, the angles in the model's order, those of wheels, and two speeds of the export."""
        module, n = self.exported(), len(angles)
        wheels = module.STATE[2 + n:-2]
        state = [0.4, -0.3, *angles, *(0.1 for _ in wheels), 0.7, 0.35]
        rates = module.rhs(0.0, state)

        def speeds(s):
            r, h = module.rhs(0.0, s), turns(s[2:2 + n])[0]
            return r[0] * math.cos(h) + r[1] * math.sin(h), turns(r[2:2 + n])[0]

        step = 1e-6
        up, down = (speeds([a + sign * step * b for a, b in zip(state, rates)]) for sign in (1, -1))
        coordinates = {**values, **{f"q{i}": a for i, a in enumerate(angles[1:], 2)},
                       **{f"q{i}_rate": a for i, a in enumerate(rates[3:2 + n], 2)},
                       **{f"{name}_rate": a for name, a in zip(wheels, rates[2 + n:])}}
        page = WheeledPage(page_text, coordinates, turns(angles), speeds(state))
        differences = [page.x["w", page.first + k] - rate for k, rate in enumerate(turns(rates[2:2 + n]))]
        differences += [page.rates[k + 1] - (up[k] - down[k]) / (2 * step) for k in range(2)]
        differences += [page.position[k] - rates[k] for k in range(2)]
        lines = dict(re.findall(r"^  ([a-z]+)_i' += (.*)$", page_text, re.M))
        for name, rate in zip(wheels, rates[2 + n:]):
            base, number = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
            differences.append(page.value(lines[base], int(number)) - rate)
        return max(map(abs, differences))

    def compare_wheeled(self, text, values, turns, angles):
        page = self.page(text, "--style", "vector")
        self.assertTrue("recursion over i =" in page, page[:300])
        self.assertLess(self.deviation(page, values, turns, angles), 1e-6)
        for right, wrong in WHEELED_MUTANTS:
            if right in page:
                with self.subTest(mutant=wrong):
                    self.assertGreater(self.deviation(page.replace(right, wrong), values, turns, angles), 1e-4)
        return page

    @staticmethod
    def sums(angles):
        return [sum(angles[:k + 1]) for k in range(len(angles))]

    def test_wheeled_snakes(self):
        for n, options in ((4, {}), (4, {"centre": "s"}), (5, {"ahead": "2*l", "behind": "s", "names": True}),
                           (6, {"behind": "0", "torque": False})):
            with self.subTest(n=n, **options):
                text, values = wheeled_snake(n, **options)
                self.compare_wheeled(text, values, self.sums, [0.3 * math.sin(1 + 2 * i) for i in range(n)])

    def test_snakes_on_wheels_that_turn(self):
        """The angles of wheels follow the links: their lines are printed, their turning is in the masses, their dampers in the forces."""
        for n, wheels, torque in ((3, "one", True), (4, "two", False), (4, "two", True)):
            with self.subTest(n=n, wheels=wheels, torque=torque):
                text, values = snake_on_wheels(n, wheels, torque)
                page = self.compare_wheeled(text, values, self.sums, [0.3 * math.sin(1 + 2 * i) for i in range(n)])
                self.assertIn("what the turning of wheels adds", page)

    def test_cars_with_trailers(self):
        model = (Path(__file__).resolve().parents[2] / "models" / "car-3-trailers.toml").read_text()
        values = dict(d1=1, d2=0.8, d3=0.75, m0=3, m1=2, m2=1.5, m3=1, J0=0.5, J1=1 / 3, J2=0.25, J3=0.2)
        page = self.compare_wheeled(model, values, list, [0.3, -0.2, 0.5, 0.1])
        self.assertIn("recursion over i = 0..3", page)
        self.assertIn("d_i     = a parameter of this name\n", page)

    def test_a_branch_on_wheels_has_no_recursion(self):
        text, _ = wheeled_snake(4)
        self.assertNotIn("recursion", self.page(text.replace('parent = "b3"', 'parent = "b2"')))

    def test_a_wheeled_page_does_not_grow(self):
        five, twelve = (self.page(wheeled_snake(n)[0]) for n in (5, 12))
        self.assertEqual(len(five.splitlines()), len(twelve.splitlines()))

    def test_the_page_does_not_grow(self):
        ten, hundred = self.page(chain(10, ["[0, 1, 0]"])), self.page(chain(100, ["[0, 1, 0]"]))
        self.assertEqual(len(ten.splitlines()), len(hundred.splitlines()))
        self.assertLess(len(hundred), 3500)

    def test_links_that_differ_have_no_recursion(self):
        text = chain(5, ["[0, 0, 1]"]).replace('[bodies.b3]\nmass = "m"', '[bodies.b3]\nmass = "2*m"')
        self.assertNotIn("recursion", self.page(text))

    def test_a_long_chain_runs(self):
        text = self.page(chain(60, ["[0, 0, 1]", "[0, 1, 0]"])) and self.model.read_text()
        start = ", ".join(f"q{i} = {0.1 * math.sin(i):.6f}, \"q{i}'\" = 0" for i in range(1, 61))
        self.model.write_text(text.replace('damping = "c"\n', "") + f"[simulation]\nuntil = 0.2\ninitial = {{ {start} }}\n")
        done = run("simulate", str(self.model), "--samples", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("energy", done.stdout)


if __name__ == "__main__":
    unittest.main()
