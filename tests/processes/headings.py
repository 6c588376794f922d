"""A law: a motion that a symmetry of its model moves is a motion again. Every model of the zoo with rotations or translations, named in
[symmetry] or found by `analyze --question symmetries`, runs from a state on its way and from random states near it, and from the same
states rotated and translated; the ends must be rotated and translated alike.

    headings.py PROGRAM MODELS
"""

import json
import math
import random
import re
import subprocess
import sys
import time
import tomllib
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM, MODELS = sys.argv.pop(1), Path(sys.argv.pop(1))

# A quarter turn and its neighbourhood, where frames of space axes end; half a turn; and one more.
ANGLES = [math.pi / 2, math.pi / 2 + 0.15, math.pi, -2.3]


RANDOM_STATES = 2  # of each model, besides the one on its way
SLOW = 3.0  # seconds for the first run: of such a model one moved motion is enough


def classified(fields):
    """Fields {coordinate: rate} as rotations of the plane, ((x, y) pairs, angles, rotation matrices), and translations."""
    rotations, translations = [], []
    for field in fields:
        pairs = [(x, y[1:]) for x, y in field.items() if y.startswith("-") and field.get(y[1:]) == x]
        flat = {q for pair in pairs for q in pair}
        rest = {q: rate for q, rate in field.items() if q not in flat}
        angles = [q for q, rate in rest.items() if rate == "1"]
        matrices = [q for q, rate in rest.items() if rate == "left e3"]
        whole = len(angles) + len(matrices) == len(rest)
        if whole and (pairs or matrices):
            rotations.append((pairs, angles, matrices))
        elif whole and len(angles) == 1 and not pairs:
            translations += angles
    return rotations, translations


def named_generators(model):
    """What [symmetry] says."""
    fields, rotations, translations = [], [], []
    for name, value in model.get("symmetry", {}).items():
        if name == "planar_euclidean":
            rotations.append(([(value["x"], value["y"])], value.get("angles", []), []))
            translations += [value["x"], value["y"]]
        elif name == "translations":
            translations += value
        elif isinstance(value, dict):
            fields += (value if isinstance(next(iter(value.values())), dict) else {name: value}).values()
    more = classified(fields)
    return rotations + more[0], translations + more[1]


def field_of(line):
    """"x' = -y, y' = x, Omega1 = B31, Omega2 = B32, Omega3 = B33" as {"x": "-y", "y": "x", "B": "left e3"}."""
    field, left = {}, []
    for part in line.split(", "):
        name, rate = part.split(" = ", 1)
        if matrix := re.fullmatch(r"(\w+)3[123]", rate):
            left.append(matrix[1])
        elif name.endswith("'"):
            field[name[:-1]] = rate
        else:
            return {}
    for matrix in set(left):
        if left.count(matrix) != 3:
            return {}
        field[matrix] = "left e3"
    return field


def found_generators(name):
    """What the program finds, where the model names no symmetries."""
    words = [PROGRAM, "analyze", str(MODELS / f"{name}.toml"), "--question", "symmetries"]
    done = subprocess.run([*words, "--timeout", "20", "--format", "json"], capture_output=True, text=True, timeout=600)
    answer = json.loads(done.stdout)["questions"]["symmetries"]["answer"] if done.returncode == 0 else {}
    return classified([field for line in answer.get("generators", []) if (field := field_of(line))])


def generators(name, model):
    return named_generators(model) if "symmetry" in model else found_generators(name)


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
        if q in state:
            new[q] = state[q] + angle
    for B in matrices:
        for k in "123":
            turn(f"{B}1{k}", f"{B}2{k}")
    for q, by in shifts.items():
        if q in state:
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
    """What --initial takes, without the speeds of the model, which need not be invariant: coordinates and their velocities, entries of
    rotation matrices and body rates. Where velocities are not printed: what the model's own state gives."""
    wanted = {q: value for q, value in state.items() if q.endswith("'") or q + "'" in state}
    if not wanted:
        wanted = {q: state[q] for q in {*model.get("space", {}), *model["simulation"]["initial"]} if q in state}
    for q in state:
        if re.fullmatch(r"\w+33", q) and all(f"{q[:-2]}{i}{k}" in state for i in "123" for k in "123"):
            wanted.update({f"{q[:-2]}{i}{k}": state[f"{q[:-2]}{i}{k}"] for i in "123" for k in "123"})
    rates = {q[:-1] for q in state if q.endswith("1") and q[:-1] + "2" in state and q[:-1] + "3" in state}
    wanted.update({f"{rate}{k}": state[f"{rate}{k}"] for rate in rates for k in "123"})
    return wanted


def near(start, draw):
    """A state beside this one; rotation matrices stay."""
    matrices = {q for q in start if re.fullmatch(r"\w+[123]{2}", q)}
    return {q: value + (0 if q in matrices else draw.uniform(-0.4, 0.4)) for q, value in start.items()}


def difference(a, b, names):
    """Of coordinates and their velocities; speeds of the model need not be invariant."""
    return max(abs(a[q] - b[q]) / (1 + abs(b[q])) for q in names)


class Law(unittest.TestCase):
    def test_rotated_and_translated_motions_are_motions(self):
        self.compared = {}
        models = {}
        for file in sorted(MODELS.glob("*.toml")):
            model = tomllib.loads(file.read_text())
            if "initial" in model.get("simulation", {}):
                models[file.stem] = model
        with ThreadPoolExecutor(2) as pool:
            faults = [fault for found in pool.map(self.faults_of, models.items()) for fault in found]
        self.assertEqual(faults, [])
        self.assertGreater(len(self.compared), 65)

    def test_a_field_is_read(self):
        self.assertEqual(field_of("x' = -y, y' = x, Omega1 = B31, Omega2 = B32, Omega3 = B33"),
                         {"x": "-y", "y": "x", "B": "left e3"})
        self.assertEqual(classified([{"x": "-y", "y": "x", "th": "1"}, {"z": "1"}, {"x": "y"}]),
                         ([([("x", "y")], ["th"], [])], ["z"]))

    def faults_of(self, item):
        name, model = item
        group = generators(name, model)
        rotations, translations = group
        if not rotations and not translations:
            return []
        until = min(1.0, float(eval(str(model["simulation"].get("until", 1)), {}, {}) or 1))
        began = time.monotonic()
        base, why = run(name, until, 3)
        slow = time.monotonic() - began > SLOW
        if base is None:
            return [f"{name}: {why}"]
        start = coordinates_and_velocities(base[1], model)
        again, why = run(name, until / 2, 2, start)
        if again is None:
            return [f"{name}: from its own way: {why}"]
        if difference(again[-1], base[2], start) > 1e-6:
            return []  # the motion depends on time itself
        self.compared[name] = 1
        angles = ANGLES if rotations else [0.0]
        faults = self.moved_motions(name, group, until / 2, start, again[-1], angles[:1] if slow else angles)
        draw = random.Random(name)
        for _ in range(0 if slow else RANDOM_STATES):
            placed, _ = run(name, 1e-9, 2, near(start, draw))  # the nearest admissible state
            if placed is None:
                continue
            begin = coordinates_and_velocities(placed[0], model)
            end, _ = run(name, until / 4, 2, begin)
            if end is None:
                continue
            angle = draw.uniform(-3, 3) if rotations else 0.0
            faults += self.moved_motions(name, group, until / 4, begin, end[-1], [angle])
        return faults

    def moved_motions(self, name, group, until, start, end, angles):
        """From the moved start to the moved end, for each angle."""
        rotations, translations = group
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
