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


def diag(a, b, c):
    return Matrix([[a, 0, 0], [0, b, 0], [0, 0, c]])


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


class Chains(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def page(self, text):
        self.model = Path(self.folder.name) / "chain.toml"
        self.model.write_text(text)
        done = run("derive", str(self.model))
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
