"""Mass matrices of robots imported from URDF against MuJoCo (libmujoco-dev): an arm, a walker with a floating base, a cart on wheels.

    mujoco_mass.py PROGRAM        leaves with 77 where MuJoCo or a C compiler is absent
"""

import importlib.util
import math
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())
HERE = Path(__file__).resolve().parent


def link(name, mass, diagonal, products=(0, 0, 0), at="0 0 0", turned="0 0 0", more=""):
    a, b, c = diagonal
    ab, ac, bc = products
    return (f'<link name="{name}"><inertial><origin xyz="{at}" rpy="{turned}"/><mass value="{mass}"/><inertia ixx="{a}" iyy="{b}" izz="{c}" '
            f'ixy="{ab}" ixz="{ac}" iyz="{bc}"/></inertial>{more}</link>')


def joint(name, kind, parent, child, at="0 0 0", turned="0 0 0", axis="0 0 1"):
    limit = '<limit lower="-3" upper="3" effort="1" velocity="1"/>' if kind in ("revolute", "prismatic") else ""
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{at}" rpy="{turned}"/>'
            f'<axis xyz="{axis}"/>{limit}</joint>')


ARM = ('<robot name="arm"><link name="base"/>' + link("upper", 2.5, (0.05, 0.06, 0.02), (0.001, -0.002, 0.003), "0.1 0.02 0.25", "0.3 -0.2 0.1") +
       link("fore", 1.25, (0.02, 0.021, 0.004), at="0 0.01 0.2") + link("hand", 0.5, (0.001, 0.002, 0.0015)) +
       joint("shoulder", "revolute", "base", "upper", "0 0 0.3", "0 0.1 0", "0 1 0") +
       joint("elbow", "continuous", "upper", "fore", "0 0 0.5", "0.2 0 0.4", "1 0 0") +
       joint("slide", "prismatic", "fore", "hand", "0 0 0.4", axis="0 0.6 0.8") + "</robot>")

LEGS = [(name, x, y) for name, x, y in (("left", 0.2, 0.1), ("right", 0.2, -0.1), ("rear", -0.25, 0.03))]
WALKER = ('<robot name="walker"><link name="world"/>' +
          link("trunk", 6, (0.05, 0.12, 0.13), (0.002, 0.001, -0.003), "0.02 0 0.01", "0.1 0 0.2") +
          joint("base", "floating", "world", "trunk") +
          "".join(link(f"{n}_thigh", 0.8, (0.004, 0.0045, 0.001), at="0 0.01 -0.1") + link(f"{n}_shank", 0.3, (0.001, 0.0011, 0.0002), at="0 0 -0.09") +
                  joint(f"{n}_hip", "continuous", "trunk", f"{n}_thigh", f"{x} {y} 0", "0.3 0 0.1", "0 1 0") +
                  joint(f"{n}_knee", "continuous", f"{n}_thigh", f"{n}_shank", "0 0 -0.2", axis="0 0.8 0.6") for n, x, y in LEGS) +
          "</robot>")

RIM = '<collision><origin rpy="1.5708 0 0"/><geometry><cylinder radius="0.1" length="0.02"/></geometry></collision>'
CART_BODY = (link("body", 4, (0.1, 0.11, 0.15), (0.01, 0, 0), "0.05 0.01 0.02") + link("left", 0.5, (0.001, 0.002, 0.001), more=RIM) +
             link("right", 0.5, (0.001, 0.002, 0.001), more=RIM) + joint("left_axle", "continuous", "body", "left", "0 0.2 -0.05", axis="0 1 0") +
             joint("right_axle", "continuous", "body", "right", "0 -0.2 -0.05", axis="0 1 0"))
FLOATING = '<robot name="cart"><link name="world"/>' + joint("base", "floating", "world", "body")


def rotation(quaternion):
    w, x, y, z = quaternion
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


class MassMatrices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.oracle = str(Path(cls.folder.name, "mujoco_mass"))
        subprocess.run(["cc", str(HERE / "mujoco_mass.c"), "-o", cls.oracle, "-lmujoco", "-lm"], check=True)

    def both_accuracies(self, compare, urdf):
        """MuJoCo finds principal axes of inertia to about 1e-8; without products of inertia it is exact up to rounding."""
        principal = re.sub(r'(<inertial><origin xyz="[^"]*") rpy="[^"]*"', r"\1", re.sub(r'i(xy|xz|yz)="[^"]*"', r'i\1="0"', urdf))
        for robot, self.accuracy in ((urdf, 1e-7), (principal, 1e-12)):
            compare(robot)

    def ours(self, urdf, *options):
        """The module that our program exports for the robot."""
        path = Path(self.folder.name)
        (path / "robot.urdf").write_text(urdf)
        for words in (["import", "robot.urdf", *options, "--output", "robot.toml"], ["export", "robot.toml", "--to", "python", "--output", "robot.py"]):
            done = subprocess.run([PROGRAM, *words], cwd=path, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
        spec = importlib.util.spec_from_file_location("robot", path / "robot.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def theirs(self, urdf, positions):
        """(joint, k) of each velocity, and the matrix."""
        path = Path(self.folder.name, "theirs.urdf")
        path.write_text(urdf.replace("<link", '<mujoco><compiler fusestatic="false"/></mujoco><link', 1))
        text = "".join(f"{name} {' '.join(map(repr, values))}\n" for name, values in positions.items())
        lines = subprocess.run([self.oracle, str(path)], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
        n = len(lines) // 2
        return [tuple(line.split()) for line in lines[:n]], [list(map(float, line.split())) for line in lines[n:]]

    @staticmethod
    def quaternion():
        q = [random.gauss(0, 1) for _ in range(4)]
        return [x / math.sqrt(sum(y * y for y in q)) for x in q]

    def compare_kinetic_energy(self, module, state, urdf, positions, velocity_of):
        """½ vᵀ M v against our energy, without that at rest."""
        dofs, matrix = self.theirs(urdf, positions)
        n = sum("'" in name or "Omega" in name or name.startswith("u") for name in module.STATE)
        at_rest = list(state[:len(state) - n]) + [0.0] * n
        ours = module.energy(0.0, state) - module.energy(0.0, at_rest)
        v = [velocity_of(name, int(k)) for name, k in dofs]
        theirs = sum(v[i] * matrix[i][j] * v[j] for i in range(len(v)) for j in range(len(v))) / 2
        self.assertGreater(theirs, 0)
        self.assertAlmostEqual(ours, theirs, delta=self.accuracy * theirs)

    def test_arm(self):
        self.both_accuracies(self.arm, ARM)

    def arm(self, robot):
        module = self.ours(robot)
        names = ("shoulder", "elbow", "slide")
        self.assertEqual(module.STATE, names + tuple(f"{n}'" for n in names))
        for trial in range(5):
            q = {name: random.uniform(-2, 2) for name in names}
            for pair in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):  # every entry
                v = {name: float(k in pair) for k, name in enumerate(names)}
                self.compare_kinetic_energy(module, [*q.values(), *v.values()], robot, {n: [x] for n, x in q.items()}, lambda n, k: v[n])

    def test_walker_with_a_floating_base(self):
        self.both_accuracies(self.walker_with_a_floating_base, WALKER)

    def walker_with_a_floating_base(self, robot):
        module = self.ours(robot)
        hinges = [f"{n}_{part}" for n, _, _ in LEGS for part in ("hip", "knee")]
        for trial in range(8):
            place, turn = [random.uniform(-1, 1) for _ in range(3)], self.quaternion()
            R, q = rotation(turn), {name: random.uniform(-2, 2) for name in hinges}
            values = {f"base_{k + 1}": place[k] for k in range(3)}
            values.update({f"base{i + 1}{j + 1}": R[i][j] for i in range(3) for j in range(3)}, **q)
            speeds = {name: random.uniform(-1, 1) for name in module.STATE if name not in values}
            state = [values.get(name, speeds.get(name)) for name in module.STATE]

            def velocity(name, k):
                if name != "base":
                    return speeds[f"{name}'"]
                return speeds[f"base_{k + 1}'"] if k < 3 else speeds[f"base_Omega{k - 2}"]

            positions = {"base": place + turn, **{n: [x] for n, x in q.items()}}
            self.compare_kinetic_energy(module, state, robot, positions, velocity)

    def test_cart_on_wheels(self):
        self.both_accuracies(self.cart_on_wheels, CART_BODY)

    def cart_on_wheels(self, parts):
        module = self.ours(f'<robot name="cart">{parts}</robot>', "--wheel", "left_axle", "--wheel", "right_axle")
        self.assertEqual(len(module.STATE), 7)  # two speeds are left
        for trial in range(8):
            q = dict(zip(module.STATE, [random.uniform(-2, 2) for _ in range(5)]))
            state = [*q.values(), random.uniform(-1, 1), random.uniform(-1, 1)]
            v = dict(zip(module.VELOCITIES, module.velocities(0.0, state)))
            turn = [math.cos(q["theta"] / 2), 0.0, 0.0, math.sin(q["theta"] / 2)]
            base = [v["x'"], v["y'"], 0.0, 0.0, 0.0, v["theta'"]]
            positions = {"base": [q["x"], q["y"], 0.15] + turn, "left_axle": [q["left_axle"]], "right_axle": [q["right_axle"]]}
            self.compare_kinetic_energy(module, state, FLOATING + parts + "</robot>", positions, lambda n, k: base[k] if n == "base" else v[f"{n}'"])


if __name__ == "__main__":
    if not Path("/usr/include/mujoco/mujoco.h").exists() or shutil.which("cc") is None:
        print("skipped: libmujoco-dev or a C compiler is absent")
        sys.exit(77)
    random.seed(25)
    unittest.main()
