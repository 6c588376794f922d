"""Figures: those of the command line to the last byte, and by matplotlib; branches of periodic motions; Coq."""

import copy
import json
import os
import pickle
import shutil
import subprocess

import numpy as np
import pytest
from scipy.special import ellipk

import rattleback as rb

PROGRAM = os.environ.get("RATTLEBACK_PROGRAM")
needs_program = pytest.mark.skipif(not PROGRAM, reason="RATTLEBACK_PROGRAM is not set")


def printed(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def figure_of_the_program(path, *words):
    printed(*words, "--plot", str(path))
    return path.read_bytes()


@needs_program
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_a_run_is_drawn_as_by_the_command_line(sleigh, tmp_path, ending):
    theirs = figure_of_the_program(tmp_path / f"theirs.{ending}", "simulate", "chaplygin-sleigh", "--until", "7", "--plot", "x:y", "--plot",
                                   "u, omega^2", "--range", "t=1:5", "--log", "t", "--size", "170x80", "--style", "dark", "--title", "A sleigh")
    figure = sleigh.simulate(until=7, samples=3).figure("x:y", "u, omega^2", ranges={"t": (1, 5)}, log="t", size=(170, 80), style="dark",
                                                        title="A sleigh")
    figure.save(tmp_path / f"ours.{ending}")
    assert (tmp_path / f"ours.{ending}").read_bytes() == theirs


@needs_program
def test_what_is_drawn_when_nothing_is_asked_for(sleigh, tmp_path):
    run = sleigh.simulate()
    assert run.figure().svg.encode() == figure_of_the_program(tmp_path / "run.svg", "simulate", "chaplygin-sleigh")
    points = rb.zoo("contact-oscillator").section("y = 0", until=60)
    assert points.figure().svg.encode() == figure_of_the_program(tmp_path / "section.svg", "simulate", "contact-oscillator", "--until", "60",
                                                                 "--section", "y = 0")
    sweep = sleigh.sweep({"a": np.linspace(0.1, 1, 4), "omega": np.linspace(0, 1, 3)}, keep={"turn": "final(theta)"}, until=3)
    theirs = figure_of_the_program(tmp_path / "sweep.svg", "sweep", "chaplygin-sleigh", "--vary", "a=0.1:1:4", "--vary", "omega=0:1:3", "--keep",
                                   "turn=final(theta)", "--until", "3")
    assert sweep.figure().svg.encode() == theirs
    assert sweep.figure("u").svg != sweep.figure().svg
    small = rb.zoo("bicycle").linearise({"rear_rate": "v/rR"}).figure("v", np.linspace(1, 9, 9))
    assert small.svg.encode() == figure_of_the_program(tmp_path / "small.svg", "derive", "bicycle", "--linearise", "rear_rate=v/rR", "--vary",
                                                       "v=1:9:9")


def test_matplotlib_draws_the_same_panels(sleigh):
    run = sleigh.simulate(until=7)
    figure = run.figure("x:y", "u, omega", ranges={"t": (1, 5)})
    drawn = figure.matplotlib()
    path, speeds = drawn.axes
    assert (path.get_xlabel(), path.get_ylabel(), speeds.get_xlabel()) == ("x", "y", "t") and speeds.get_xlim() == (1, 5)
    assert [text.get_text() for text in speeds.get_legend().get_texts()] == ["u", "ω"]
    for line, curve in zip(speeds.lines, figure.panels[1].curves):
        assert np.array_equal(line.get_xydata(), np.column_stack([curve.x, curve.y]))
    assert np.allclose(figure.panels[0].curves[0].y, run.sol(np.linspace(0, 7, 4001))[1], atol=1e-9)
    drawn.savefig(os.devnull, format="png")
    log = run.figure("x : 1 + x^2", log="1 + x^2", style="dark", size=85).matplotlib()
    assert log.axes[0].get_yscale() == "log" and log.get_size_inches()[0] == pytest.approx(85 / 25.4)
    sweep = sleigh.sweep({"a": [0.1, 0.2, 0.3], "omega": [0.1, 0.2]}, until=2, keep={"turn": "final(theta)"})
    (shown,) = [c for c in sweep.figure().matplotlib().axes[0].collections]
    assert np.allclose(np.asarray(shown.get_array()).ravel(), sweep["turn"].T.ravel())
    assert sleigh.sweep({"a": [0.3, 0.1]}, until=2).figure("theta").matplotlib().axes[0].get_ylabel() == "θ"


def test_figures_are_copied_and_shown(sleigh):
    run = sleigh.simulate(until=3)
    sweep = sleigh.sweep({"a": [0.1, 0.2]}, until=2)
    for figure in (run.figure("u"), sweep.figure(), rb.zoo("contact-oscillator").section("y = 0", points=5).figure()):
        for again in (pickle.loads(pickle.dumps(figure)), copy.deepcopy(figure)):
            assert again.svg == figure.svg and repr(again) == repr(figure)
        assert figure._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("wrong, what", [
    (lambda run: run.figure("thta"), "theta"), (lambda run: run.figure("x:y:u"), "what to draw"),
    (lambda run: run.figure("x", ranges={"y": (0, 1)}), "no axis"), (lambda run: run.figure("x", ranges={"x": (1, 0)}), "smaller number"),
    (lambda run: run.figure("x", ranges={"x": 3}), "no pair"), (lambda run: run.figure(log="t"), "chosen panels"),
    (lambda run: run.figure("x", size=5), "millimetres"), (lambda run: run.figure("x", size=(1, 2, 3)), "size"),
    (lambda run: run.figure("x", style="drak"), "dark"), (lambda run: run.figure("x", sise=80), "did you mean size="),
    (lambda run: run.figure("x").save("figure.gif"), "does not end"), (lambda run: run.figure(3.5, float("nan")), "finite"),
])
def test_wrong_figures_are_refused(sleigh, wrong, what):
    with pytest.raises((rb.Error, TypeError), match=what):
        wrong(sleigh.simulate(until=1))


def test_periodic_motions_of_a_pendulum_have_the_period_of_the_elliptic_integral():
    pendulum = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + cos(theta)", initial={"theta": 1, "theta'": 0})
    found = pendulum.orbits("period", 6.5, 12, points=15)
    branch = found[0]
    amplitude = branch.largest[found.names.index("theta")]
    assert len(branch) > 5 and np.allclose(branch.period, 4 * ellipk(np.sin(amplitude / 2)**2), rtol=1e-6)
    assert np.allclose(branch.least[0], -amplitude, atol=1e-6) and np.array_equal(branch.at, branch["period"])
    assert "periodic motions over period" in str(found) and found.trivial and not found.forced
    assert pickle.loads(pickle.dumps(found))[0].multipliers.shape == branch.multipliers.shape
    assert found.figure().svg.startswith("<svg") and found.plot().get_xlabel() == "period"


@needs_program
def test_branches_are_those_of_the_command_line(tmp_path):
    words = ["continue", "cart-pendulum", "--orbits", "--vary", "period=1:6", "--points", "8"]
    found = rb.zoo("cart-pendulum").orbits("period", 1, 6, points=8)
    found.save(tmp_path / "orbits.json")
    assert json.loads((tmp_path / "orbits.json").read_text()) == json.loads(printed(*words, "--format", "json"))
    assert found.figure().svg.encode() == figure_of_the_program(tmp_path / "orbits.svg", *words)
    steady = rb.zoo("rattleback").branches("Omega3", 0, 6, start={"Omega3": 2})
    assert steady.figure(size=85).pdf == figure_of_the_program(tmp_path / "spin.pdf", "continue", "rattleback", "--from", "Omega3=2", "--vary",
                                                               "Omega3=0:6", "--size", "85")


def test_wrong_orbits_are_refused(sleigh):
    with pytest.raises(rb.Error, match="Hopf"):
        rb.zoo("cart-pendulum").orbits("g", 5, 15, hopf=True, start={"theta": 0, "theta'": 0, "x'": 0}, points=5)
    with pytest.raises(TypeError, match="did you mean period="):
        sleigh.orbits("a", 0, 1, perid=3)
    with pytest.raises(rb.Error):
        sleigh.orbits("nothing", 0, 1)


@pytest.mark.skipif(not shutil.which("coqc"), reason="coqc is not installed")
def test_coq_checks_verdicts(sleigh):
    v = sleigh.analyze("energy", coq=True)
    assert v.outcome == "proved" and v.checked_by and v.checked_by.startswith(("Coq", "Rocq"))
    assert sleigh.analyze("energy").checked_by is None and pickle.loads(pickle.dumps(v)).checked_by == v.checked_by


def test_without_coqc_it_is_said(sleigh, monkeypatch, tmp_path):
    (tmp_path / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path))
    for call in (lambda: sleigh.analyze("energy", coq=True), lambda: sleigh.report(coq=True)):
        with pytest.raises(rb.Error, match="coqc") as caught:
            call()
        assert caught.value.slug == "no-coqc" and "--" not in str(caught.value)


def test_dependent_constraints_are_left_out_as_by_the_command_line():
    m = rb.System(space={"x": "R", "y": "R"}, lagrangian="(x'^2 + y'^2)/2", constraints={"one": "x' = y'", "again": "2*x' = 2*y'"})
    assert m.check().dof == 1 and len(m.derive().state) == 3
