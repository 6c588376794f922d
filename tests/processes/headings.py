"""A law: a motion that a symmetry of its model moves is a motion again. Every model of the zoo that names symmetries runs from a
state on its way and from random states near it, and from the same states rotated and translated; the ends must be rotated and
translated alike.

    headings.py PROGRAM MODELS
"""

import json
import math
import random
import subprocess
import sys
import tomllib
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM, MODELS = sys.argv.pop(1), Path(sys.argv.pop(1))

# A quarter turn and its neighbourhood, where frames of space axes end; half a turn; and one more.
ANGLES = [math.pi / 2, math.pi / 2 + 0.15, math.pi, -2.3]


RANDOM_STATES = 2  # of each model, besides the one on its way


def generators(model):
    """Rotations of the plane as ((x, y) pairs, angles, rotation matrices), and translations as coordinates."""
    rotations, translations = [], []
    for name, value in model.get("symmetry", {}).items():
        if name == "planar_euclidean":
            rotations.append(([(value["x"], value["y"])], value.get("angles", []), []))
            translations += [value["x"], value["y"]]
        elif name == "translations":
            translations += value
        elif isinstance(value, dict):
            table = value if isinstance(next(iter(value.values())), dict) else {name: value}
            for field in table.values():
                pairs = [(x, y[1:]) for x, y in field.items() if y.startswith("-") and field.get(y[1:]) == x]
                flat = {q for pair in pairs for q in pair}
                rest = {q: rate for q, rate in field.items() if q not in flat}
                angles = [q for q, rate in rest.items() if rate == "1"]
                matrices = [q for q, rate in rest.items() if rate == "left e3"]
                if len(angles) + len(matrices) == len(rest) and pairs:
                    rotations.append((pairs, angles, matrices))
                elif len(angles) == len(rest) == 1:
                    translations += angles
    return rotations, translations


def moved(state, rotation, angle, shifts):
    """The state, with velocities under x', after a rotation about the origin and translations."""
    pairs, angles, matrices = rotation
    c, s = math.cos(angle), math.sin(angle)
    new = dict(state)

    def turn(x, y):
        if x in state and y in state:
            new[x], new[y] = c * state[x] - s * state[y], s * state[x] + c * state[y]

    for x, y in pairs:
        turn(x, y)
        turn(x + "'", y + "'")
    for q in angles:
        new[q] = state[q] + angle
    for B in matrices:
        for k in "123":
            turn(f"{B}1{k}", f"{B}2{k}")
    for q, by in shifts.items():
        new[q] += by
    return new


def run(name, until, samples, initial=None):
    words = [PROGRAM, "simulate", str(MODELS / f"{name}.toml"), "--until", repr(until), "--samples", str(samples)]
    words += ["--search", "0", "--format", "json", "--rtol", "1e-13", "--timeout", "60"]
    if initial is not None:
        words += ["--project", "--initial", ",".join(f"{q}={value!r}" for q, value in initial.items())]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        return None, done.stderr
    found = json.loads(done.stdout)
    columns = found["samples"]
    names = list(found["state"]) + list(found["velocities"])
    return [{q: columns[q][k] for q in names} for k in range(samples)], ""


def coordinates_and_velocities(state, model):
    """What --initial takes: coordinates, and velocities of all of them; a rotation is given by its matrix."""
    space = model["space"]
    wanted = {}
    for q, kind in space.items():
        if isinstance(kind, dict):
            return None
        wanted[q] = state[q]
        wanted[q + "'"] = state[q + "'"]
    return wanted


def difference(a, b, names):
    """Of coordinates and their velocities; speeds of the model need not be invariant."""
    return max(abs(a[q] - b[q]) / (1 + abs(b[q])) for q in names)


class Law(unittest.TestCase):
    def test_rotated_and_translated_motions_are_motions(self):
        models = {}
        for file in sorted(MODELS.glob("*.toml")):
            model = tomllib.loads(file.read_text())
            rotations, translations = generators(model)
            if (rotations or translations) and "initial" in model.get("simulation", {}):
                if not any(isinstance(kind, dict) for kind in model["space"].values()):
                    models[file.stem] = model
        self.assertGreater(len(models), 30)
        with ThreadPoolExecutor(2) as pool:
            faults = [fault for found in pool.map(self.faults_of, models.items()) for fault in found]
        self.assertEqual(faults, [])

    def faults_of(self, item):
        name, model = item
        rotations, translations = generators(model)
        until = min(1.0, float(eval(str(model["simulation"].get("until", 1)), {}, {}) or 1))
        base, why = run(name, until, 3)
        if base is None:
            return [f"{name}: {why}"]
        start = coordinates_and_velocities(base[1], model)
        again, why = run(name, until / 2, 2, start)
        if again is None:
            return [f"{name}: from its own way: {why}"]
        if difference(again[-1], base[2], start) > 1e-6:
            return []  # the motion depends on time itself
        faults = self.moved_motions(name, model, until / 2, start, again[-1], ANGLES if rotations else [0.0])
        draw = random.Random(name)
        for _ in range(RANDOM_STATES):
            near = {q: value + draw.uniform(-0.4, 0.4) for q, value in start.items()}
            placed, _ = run(name, 1e-9, 2, near)  # the nearest admissible state
            if placed is None:
                continue
            begin = coordinates_and_velocities(placed[0], model)
            end, _ = run(name, until / 4, 2, begin)
            if end is None:
                continue
            angle = draw.uniform(-3, 3) if rotations else 0.0
            faults += self.moved_motions(name, model, until / 4, begin, end[-1], [angle])
        return faults

    def moved_motions(self, name, model, until, start, end, angles):
        """From the moved start to the moved end, for each angle."""
        rotations, translations = generators(model)
        faults = []
        for k, angle in enumerate(angles):
            rotation = rotations[k % len(rotations)] if rotations else ([], [], [])
            shifts = {q: 0.7 * (j + 1) for j, q in enumerate(translations)}
            there, why = run(name, until, 2, moved(start, rotation, angle, shifts))
            if there is None:
                faults.append(f"{name} at {angle:.4g}: {why}")
                continue
            gap = difference(moved(end, rotation, angle, shifts), there[-1], start)
            if not gap < 1e-6:
                faults.append(f"{name} at {angle:.4g}: the ends differ by {gap:.3g}")
        return faults


if __name__ == "__main__":
    unittest.main()
