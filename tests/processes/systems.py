"""Linkages, gears, vehicles, tops, toys, satellites and chains against motions that SymPy derived: [known] state of oracles/systems/*.toml.

    systems.py PROGRAM

The states come from oracles/lagrange_multipliers.py, which reads the same files and shares nothing else with the program. Systems that are stated by bodies,
joints, wheels and contacts have Lagrangians of their own in oracles/by_hand, from which their states come.
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
        self.assertGreaterEqual(len(MODELS), 163)

    def test_final_states(self):
        for model in MODELS:
            known = tomllib.loads(model.read_text())["known"]["state"]
            with self.subTest(model=model.stem):
                found = state_of(model)
                for name, value in known.items():
                    self.assertAlmostEqual(found[name], value, delta=1e-9 * max(1, abs(value)), msg=name)

    def test_machines_have_lagrangians_by_hand(self):
        by_hand = {m.name for m in (MODELS[0].parent.parent / "by_hand").glob("*.toml")}
        stated_by_bodies = {m.name for m in MODELS if "[bodies." in m.read_text()}
        self.assertLessEqual(stated_by_bodies, by_hand)

    def test_certificates_of_loops_with_redundant_conditions_stand(self):
        """One closing condition of the two universal joints follows from the others, and the velocities are short on N alone."""
        model = next(m for m in MODELS if m.stem == "double-cardan")
        found = run("doubt", model, "--question", "regularity,integrability,energy", "--timeout", "10")
        self.assertEqual(found.returncode, 0, found.stdout)
        self.assertEqual(found.stdout.count("its certificate: stands"), 3, found.stdout)
        self.assertNotIn("bug[", run("analyze", model, "--question", "symmetries", "--timeout", "10").stdout)

    def test_values_with_odd_roots_do_not_end_doubt(self):
        model = next(m for m in MODELS if m.stem == "double-cone")
        found = run("doubt", model, "--question", "regularity,energy", "--timeout", "3")
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)

    def test_a_wrong_state_is_seen(self):
        model = next(m for m in MODELS if m.stem == "pendulum-plane")
        known = tomllib.loads(model.read_text())["known"]["state"]
        self.assertGreater(abs(state_of(model, "--until", "2.9")["x"] - known["x"]), 1e-3)


if __name__ == "__main__":
    unittest.main()
