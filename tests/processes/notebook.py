"""Exported notebooks: their cells run one after the other, repeat the run, and draw the figures of the report.

    notebook.py PROGRAM

The cells see a stand-in for matplotlib that writes down what is drawn, so nothing has to be installed.
"""

import json
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)


def told(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


class Pen(types.ModuleType):
    """matplotlib.pyplot, as far as the notebooks use it."""

    def __init__(self):
        super().__init__("matplotlib.pyplot")
        self.figures = []

    def figure(self):
        self.figures.append({"curves": []})

    def plot(self, x, y, label=""):
        self.figures[-1]["curves"].append((label, list(x), list(y)))

    def title(self, text):
        self.figures[-1]["title"] = text

    def xlabel(self, text):
        self.figures[-1]["x"] = text

    def ylabel(self, _):
        pass

    def axis(self, _):
        pass

    def legend(self):
        pass

    def show(self):
        pass


def drawn(notebook):
    """Run the cells; the figures, and what they left behind."""
    pen, names = Pen(), {"__name__": "notebook"}
    package = types.ModuleType("matplotlib")
    package.pyplot = pen
    sys.modules.update({"matplotlib": package, "matplotlib.pyplot": pen})
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    return pen.figures, names


def report_plots(model, folder):
    page = Path(folder) / "page.html"
    told("report", model, "-o", page, "--timeout", "4")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"), flags=re.S)
    film = json.loads(data[1])["film"]
    known = film["series"]
    for plot in film["plots"]:
        for s in plot["series"]:
            for axis in "xy":
                s[axis] = known[s[axis]] if isinstance(s[axis], str) else s[axis]
    return film["plots"]


class Notebooks(unittest.TestCase):
    def agree(self, model, tolerance):
        notebook = json.loads(told("export", model, "--to", "ipynb"))
        self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
        self.assertEqual(len({c["id"] for c in notebook["cells"]}), len(notebook["cells"]))
        figures, names = drawn(notebook)
        with tempfile.TemporaryDirectory() as folder:
            plots = report_plots(model, folder)
        self.assertEqual([f["title"] for f in figures], [p["title"] for p in plots])
        for figure, plot in zip(figures, plots):
            strong = [s for s in plot["series"] if not s.get("faint")]
            self.assertEqual(len(figure["curves"]), len(strong))
            if plot["title"].startswith("Drift"):
                self.assertLess(max(abs(v) for _, _, y in figure["curves"] for v in y), 1e-6)
                continue
            for (_, x, y), s in zip(figure["curves"], strong):
                self.assertEqual(len(x), len(s["x"]))
                size = max(1, max(map(abs, s["y"])))
                self.assertLess(max(abs(a - b) for a, b in zip(y, s["y"])) / size, tolerance, (model, plot["title"]))
        return names

    def test_a_skate(self):
        names = self.agree("chaplygin-sleigh", 1e-4)
        self.assertAlmostEqual(names["energy"](0, names["initial"]), (1 + 0.65 * 0.01) / 2)  # u = -1, omega = 0.1
        self.assertEqual(len(names["reactions"](0, names["initial"])), 2)

    def test_a_disk(self):
        self.agree("falling-disk", 1e-4)

    def test_a_rotation(self):
        self.agree("suslov", 1e-4)

    def test_a_lie_algebra(self):
        self.agree("bianchi-v", 1e-4)

    def test_a_nonlinear_constraint(self):
        self.agree("appell-hamel", 1e-4)


if __name__ == "__main__":
    unittest.main()
