"""Linkages, gears, vehicles, tops, toys, satellites and chains against motions that SymPy derived: [known] state of oracles/systems/*.toml.

    systems.py PROGRAM

The states come from oracles/lagrange_multipliers.py, which reads the same files and shares nothing else with the program.
"""

import json
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())
MODELS = sorted((Path(__file__).parent.parent / "oracles" / "systems").glob("*.toml"))


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300)


def state_of(model, *options):
    found = run("simulate", model, "--format", "json", "--search", "0", *options)
    if found.returncode != 0:
        raise AssertionError(f"{model.name}: {found.stderr}")
    out = json.loads(found.stdout)
    return {**out["state"], **out["velocities"]}


class Systems(unittest.TestCase):
    def test_none_is_lost(self):
        self.assertGreaterEqual(len(MODELS), 103)

    def test_final_states(self):
        for model in MODELS:
            known = tomllib.loads(model.read_text())["known"]["state"]
            with self.subTest(model=model.stem):
                found = state_of(model)
                for name, value in known.items():
                    self.assertAlmostEqual(found[name], value, delta=1e-9 * max(1, abs(value)), msg=name)

    def test_a_wrong_state_is_seen(self):
        model = next(m for m in MODELS if m.stem == "pendulum-plane")
        known = tomllib.loads(model.read_text())["known"]["state"]
        self.assertGreater(abs(state_of(model, "--until", "2.9")["x"] - known["x"]), 1e-3)


if __name__ == "__main__":
    unittest.main()
