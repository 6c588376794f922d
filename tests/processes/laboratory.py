"""The laboratory on the command line: return maps, curves of bifurcations, measures, and the stone of Borisov and Mamaev.

    laboratory.py PROGRAM
"""

import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)
STONE = Path(__file__).resolve().parents[2] / "docs/gallery/paraboloid-stone.toml"
HENON_HEILES = """lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2) - x^2*y + y^3/3"
[space]
x = "R"
y = "R"
[simulation]
initial = { x = 0, y = 0.25, "x'" = 0.3, "y'" = 0 }
"""


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def answer(*arguments):
    done = run(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Laboratory(unittest.TestCase):
    def model(self, folder):
        path = Path(folder, "henon-heiles.toml")
        path.write_text(HENON_HEILES)
        return path

    def test_orbits_lie_on_the_section_and_on_the_level(self):
        with tempfile.TemporaryDirectory() as folder:
            found = answer("map", self.model(folder), "--section", "x = 0", "--level", "energy=1/12", "--starts", 5, "--points", 20, "--within",
                           "y=-0.3:0.4, y'=-0.3:0.3", "--plot", Path(folder, "section.svg"))
            self.assertEqual(len(found["orbits"]), 5)
            for orbit in found["orbits"]:
                self.assertEqual(len(orbit), 21)
                for x, y, u, v in orbit:
                    self.assertLess(abs(x), 1e-10)
                    self.assertGreater(u, 0)
                    energy = (u * u + v * v) / 2 + (x * x + y * y) / 2 + x * x * y - y**3 / 3
                    self.assertLess(abs(energy - 1 / 12), 1e-11)
            self.assertTrue(Path(folder, "section.svg").read_text().startswith("<svg"))

    def test_the_plane_of_a_body_with_two_speeds_has_its_attitude(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("map", "suslov-kharlamova", "--section", "Omega1 = 0", "--level", "energy", "--starts", 5, "--points", 3,
                       "--plot", f"{folder}/section.svg")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("B31", Path(folder, "section.svg").read_text().replace("₃₁", "31"))

    def test_a_quantity_that_settles_has_no_lines(self):
        said = run("measure", "chaplygin-sleigh", "--of", "omega").stdout
        self.assertIn("power spectrum: no lines", said)
        self.assertIn("if it only settles", said)

    def test_a_cycle_is_that_of_scipy(self):
        with tempfile.TemporaryDirectory() as folder:
            found = answer("map", self.model(folder), "--section", "x = 0", "--level", "energy=1/12", "--cycle", 1, "--points", 5)
            times = [c["time"] for c in found["cycles"]]
            self.assertTrue(any(abs(t - 6.135235496130165) < 1e-8 for t in times), times)

    def test_mistakes_are_named(self):
        for arguments, words in ((("map", "contact-oscillator"), "there is no section"),
                                 (("map", "contact-oscillator", "--section", "y", "--manifolds", "1"), "add --cycle K"),
                                 (("map", "contact-oscillator", "--section", "y", "--level", "energy=-3"), "no-start"),
                                 (("measure", "contact-oscillator"), "nothing is measured"),
                                 (("continue", "rattleback", "--vary", "Omega3=-6:6", "--and", "nix=0:1"), "is no parameter")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)

    def test_a_rattleback_loses_stability_at_one_spin_whatever_delta(self):
        found = answer("continue", "rattleback", "--from", "Omega3=2", "--vary", "Omega3=-6:6", "--and", "delta=0.2:0.7")
        self.assertEqual([c["kind"] for c in found["curves"]], ["Hopf", "Hopf"])
        for curve in found["curves"]:
            for point in curve["points"]:
                self.assertLess(abs(abs(point["at"][0]) - 2.636949), 1e-5)

    def test_a_rattleback_rocks_as_fast_as_it_spins_where_it_loses_stability(self):
        for span in ("-6:6", "-3:3"):  # also where the neighbours on the branch are far away, and rock at another frequency
            points = answer("continue", "rattleback", "--from", "Omega3=2", "--vary", f"Omega3={span}")["branches"][0]["points"]
            self.assertEqual([p["event"] for p in points if "event" in p], 2 * ["Hopf, frequency 2.63695"])

    def test_a_sleigh_contracts_in_both_directions_of_time(self):
        found = answer("measure", "chaplygin-sleigh", "--volume", 20, "--until", 20)["volume"]
        self.assertLess(found["asymmetry"], 1e-12)
        self.assertLess(found["rate"], -5 * found["error"])
        self.assertLess(found["reversed_rate"], -5 * found["reversed_error"])
        kept = answer("measure", "contact-oscillator", "--volume", 5, "--until", 5)["volume"]
        self.assertLess(kept["failed"], 1)

    def test_order_and_chaos_are_told_apart(self):
        regular = answer("measure", "cart-pendulum", "--of", "theta", "--until", 400, "--samples", 4000)
        self.assertLess(regular["zero_one"], 0.3)
        chaotic = answer("measure", STONE, "--of", "u3", "--until", 1500, "--samples", 6000, "--transient", 50)
        self.assertGreater(chaotic["zero_one"], 0.7)
        self.assertEqual((regular["zero_one_doubt"], chaotic["zero_one_doubt"]), ("", ""))
        short = answer("measure", "cart-pendulum", "--of", "theta", "--until", 10)
        self.assertIn("oversampled", short["zero_one_doubt"])
        few = answer("measure", "cart-pendulum", "--of", "theta", "--until", 200, "--samples", 4000)
        self.assertIn("too few samples", few["zero_one_doubt"])

    def test_the_stone_has_two_kinds_of_chaos(self):
        def nontrivial(*options):
            found = answer("simulate", STONE, "--lyapunov", "all", "--transient", 100, "--until", 800, "--search", 0, *options)
            which = set(found["neutral"]["which"])
            self.assertEqual(len(which), 5)
            return [e for k, e in enumerate(found["exponents"]) if k not in which]

        one, two, three = nontrivial("--initial", "u3=10.840663807466626")
        self.assertTrue(0.5 < one < 0.95 and -0.45 < two < -0.15 and -1.6 < three < -0.8, (one, two, three))
        one, two, three = nontrivial("--set", "I1=5,delta=0.2", "--initial", "u3=5.651600556448102")
        self.assertTrue(one > 0.08 and abs(two) < 0.03 and three < -0.08 and abs(one + three) < 0.03, (one, two, three))

    def test_directions_that_follow_from_integrals_are_not_named_besides(self):
        still = answer("simulate", "so4-suslov", "--lyapunov", "all", "--until", 20)["neutral"]
        self.assertEqual((still["count"], still["integrals"], still["fields"]), (3, ["energy", "momentum w14", "momentum w24"], []))

    GALLERY = STONE.parent

    def test_an_attractor_of_chaplygins_top_is_weakly_chaotic(self):
        """The two lobes at the energy 459; exponents of a program of its own (Kutta's method, put back on the energy): 0.0026 ... -0.0086."""
        found = answer("simulate", self.GALLERY / "chaplygin-top.toml", "--initial",
                       "B=Rx(0.587657588)*Ry(2.849197283),Omega1=0,Omega2=-8.336384354,Omega3=2.826192412",
                       "--lyapunov", "all", "--transient", 500, "--until", 20000, "--search", 0)
        exponents, errors = found["exponents"], found["errors"]
        self.assertGreater(exponents[0], 4 * errors[0])  # chaos, but a hundredth of that of the sea around it, 0.55
        self.assertLess(abs(exponents[0] - 0.0026), 0.0012)
        self.assertLess(abs(exponents[-1] + 0.0086), 0.002)
        self.assertLess(abs(sum(exponents) + 0.0061), 0.0005)
        self.assertLess(abs(sum(exponents) - found["mean_divergence"]), 1e-9)
        for exponent in exponents[1:-1]:
            self.assertLess(abs(exponent), 0.001)

    def test_turns_of_a_bicycle_begin_at_the_capsize_and_end_at_rest(self):
        """Basu-Mandal, Chatterjee and Papadopoulos 2007, first family; capsize speed of Meijaard et al. 2007."""
        found = answer("continue", "bicycle", "--from", "lean=0.2,steer=0.03,rear_rate=20,lean_rate=0", "--vary", "rear_rate=0.02:20.2", "--points", 400,
                       "--step", "0.2")
        names = found["names"]
        points = found["branches"][0]["points"]
        fold = next(p for p in points if p.get("event") == "fold")
        self.assertLess(abs(0.3 * fold["at"] - 6.02426201538837), 1e-5)
        self.assertLess(abs(fold["values"][names.index("lean")]), 5e-3)
        ends = [p for p in points if abs(p["at"] - 0.02) < 1e-6]
        self.assertEqual(len(ends), 2)
        for end in ends:
            self.assertLess(abs(end["values"][names.index("lean")]), 1e-4)
            self.assertLess(abs(abs(end["values"][names.index("steer")]) - 1.3397), 1e-3)
            self.assertGreater(end["growing"], 0)

    def test_a_driven_sleigh_has_a_strange_attractor(self):
        model = self.GALLERY / "shaken-sleigh.toml"
        found = answer("simulate", model, "--until", 1500, "--lyapunov", "all", "--transient", 200, "--rtol", "1e-9", "--search", 0)
        exponents, errors = found["exponents"], found["errors"]
        self.assertGreater(exponents[0], 5 * errors[0])
        self.assertLess(exponents[-1], -5 * errors[-1])
        self.assertLess(exponents[0] + exponents[-1], 0)
        for middle in exponents[1:-1]:
            self.assertLess(abs(middle), 0.01)

    def test_a_driven_sleigh_accelerates_evenly(self):
        model = self.GALLERY / "shaken-sleigh.toml"
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder, "v.csv")
            done = run("simulate", model, "--set", "c=-0.5,b=1", "--until", 2000, "--method", "dop853", "--rtol", "1e-9", "--search", 0, "--samples", 5, "--output", table)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line.split(",") for line in table.read_text().splitlines() if not line.startswith("#")]
            v = [float(row[lines[0].index("v")]) for row in lines[1:]]
        self.assertEqual(len(v), 5)
        for k in range(1, 5):
            self.assertLess(abs((v[k] - v[k - 1]) / (v[4] - v[0]) - 0.25), 0.02)
        self.assertLess(v[4], -200)

    def test_a_racer_that_is_swung_gains_the_same_speed_in_every_period(self):
        speed = []
        for periods in (1, 10, 100):
            found = answer("simulate", self.GALLERY / "driven-racer.toml", "--set", "alpha=1", "--initial", "v=0", "--until", periods * 2 * math.pi,
                           "--method", "dop853", "--rtol", "1e-10", "--search", 0)
            speed.append(found["state"]["v"] / periods)
        for v in speed:
            self.assertLess(abs(v + 0.0341609558), 1e-8)

    def test_a_suslov_body_turns_back(self):
        model = self.GALLERY / "suslov-field.toml"
        for spin, end in ((3, 1), (-3, 1)):  # only one sense is kept
            with tempfile.TemporaryDirectory() as folder:
                table = Path(folder, "w.csv")
                done = run("simulate", model, "--set", "I13=1.2", "--initial", f"w1=0.02,w2={spin}", "--until", 40, "--samples", 401, "--output", table)
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = [line.split(",") for line in table.read_text().splitlines() if not line.startswith("#")]
                w = [float(row[lines[0].index("w2")]) for row in lines[1:]]
            self.assertGreater(max(w[-100:]) * end, 0)
            self.assertGreater(min(w[-100:]) * end, 0)

    def test_a_chaplygin_top_is_chaotic_and_shrinks_volume(self):
        found = answer("simulate", self.GALLERY / "chaplygin-top.toml", "--until", 200, "--lyapunov", "all", "--transient", 50, "--rtol", "1e-8", "--search", 0)
        exponents, errors = found["exponents"], found["errors"]
        self.assertGreater(exponents[0], 3 * errors[0])
        self.assertLess(exponents[-1], -3 * errors[-1])
        self.assertLess(abs(sum(exponents) - found["mean_divergence"]), 1e-6)


if __name__ == "__main__":
    unittest.main()
