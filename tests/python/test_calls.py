"""Every call that the package promises, in the order in which a person meets them; files, digits, copies."""

import copy
import csv
import json
import pickle
import re

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import rattleback as rb


def test_an_evening(tmp_path, root):
    m = rb.load(root / "models" / "chaplygin-sleigh.toml")
    assert [(i.slug, i.line, i.column, i.why, i.fix) for i in m.check()] == []
    eq = m.derive("hamel")
    assert eq.state == ("x", "y", "theta", "u", "omega") and str(eq.rates["u"]) == "a*omega^2"
    assert set(eq.multipliers) == {"blade"} and eq.reactions and eq.steps and eq.assumptions == []
    assert eq._repr_latex_().startswith("$") and str(eq).startswith("Chaplygin sleigh: Hamel's equations")
    u, omega, a = dynamicsymbols("u"), dynamicsymbols("omega"), sympy.Symbol("a")
    assert eq.sympy()[u] == sympy.Symbol("a", real=True) * omega**2
    positive = {s.name for e in eq.sympy().values() for s in e.free_symbols if s.is_positive}
    assert positive == {"m", "J"}
    assert m.agreement().outcome == "proved"
    v = m.analyze("invariant-measure")
    assert (v.outcome, v.unless, v.evidence) == ("refuted", ("a = 0",), "proved") and v.why and v.answer and v.certificate
    assert "measure" in v.statement or v.statement == ""
    with pytest.raises(TypeError, match="no truth value"):
        bool(v)
    mass, J = sympy.symbols("m J")
    assert m.prove(conserved=mass*u**2 + (J + mass*a**2)*omega**2).outcome == "proved"
    run = m.simulate(until=20, initial={"u": -1, "omega": 0.1}, params={"a": 0.3}, t_eval=np.linspace(0, 20, 81), events="u = 0",
                     rtol=1e-12, method="taylor")
    assert run.t.shape == (81,) and run.y.shape == (5, 81) and run["theta"].shape == (81,) and run.sol(3.3).shape == (5,)
    assert len(run.t_events[0]) == 1 and run.y_events[0].shape == (1, 5) and run.success and run.message
    assert run.drift["energy"].relative < 1e-10 and "lambda blade" in run.reactions
    f = m.rhs()
    assert f(0.0, m.y0()).shape == (5,) and f(0.0, np.ones((5, 2000))).shape == (5, 2000)
    assert f.jacobian(0.0, m.y0()).shape == (5, 5)
    sweep = m.sweep({"a": np.linspace(0, 1, 11), "omega": [0.1, 0.2]}, keep={"turn": "final(theta)"})
    assert sweep["turn"].shape == (11, 2) and sweep.to_xarray()["turn"].shape == (11, 2) and len(sweep.to_pandas()) == 22
    assert len(m.linearise(at={"u": 1}).eigenvalues) == 2 and m.equilibria().outcome == "proved"
    assert len(m.lyapunov(3).exponents) == 3
    assert len(rb.zoo("contact-oscillator").section("y = 0", points=20)) == 20
    m.report(tmp_path / "page.html", seconds=1)
    assert "<canvas" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(sleigh, again):
    run = sleigh.simulate(until=3)
    assert again(sleigh) == sleigh and again(run) == run and again(sleigh.derive()) == sleigh.derive()
    v = sleigh.analyze("energy")
    assert again(v) == v and again(sleigh.analyze(["energy"]))["energy"] == v
    assert np.array_equal(again(run.sol)(1.5), run.sol(1.5))
    sweep = sleigh.sweep({"a": [0.1, 0.2]}, until=2)
    assert np.array_equal(again(sweep)["theta"], sweep["theta"])
    assert repr(again(sleigh.check())) == repr(sleigh.check())
    assert again(sleigh.linearise({"u": 1})).names == ("u", "omega")
    assert again(sleigh.rhs())(0, sleigh.y0()).shape == (5,)
    assert again(sleigh.simulate(until=1, precision=100, samples=2)).final["u"]
    with pytest.raises(rb.Error) as caught:
        rb.zoo("nothing")
    assert str(again(caught.value)) == str(caught.value)
    assert copy.deepcopy(sleigh.lagrangian) == sleigh.lagrangian


def test_more_digits(sleigh):
    run = sleigh.simulate(until=5, precision=200, samples=6)
    assert run.drift["energy"].relative < 1e-55 and run.success and len(run) == 6
    plain = sleigh.simulate(until=5)
    assert np.allclose(run["theta"][-1], plain.final["theta"], rtol=1e-12)
    assert abs(run.mpmath("u")[-1] - float(run.final["u"])) < 1e-15 and len(run.final["u"]) > 50
    finer = sleigh.simulate(until=5, precision=300, samples=2)
    assert finer.final["u"][:55] == run.final["u"][:55]
    assert sleigh.simulate(until=1, precision="dd").success and sleigh.simulate(until=1, precision="long-double").success
    for wrong in ({"events": "u = 0"}, {"y0": sleigh.y0()}, {"t_eval": [0, 1]}, {"rtol": 1e-9}):
        with pytest.raises(rb.ArgumentError, match="do not go together"):
            sleigh.simulate(until=1, precision=200, **wrong)
    for wrong in ("quad", -3, 0, 1.5):
        with pytest.raises((rb.Error, TypeError)):
            sleigh.simulate(until=1, precision=wrong)


def test_files(sleigh, tmp_path):
    run = sleigh.simulate(until=3, samples=7, events="theta = 0.1", params={"a": 0.25})
    run.save(tmp_path / "run.csv")
    lines = [line for line in (tmp_path / "run.csv").read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert len(rows) == 7 and float(rows[3]["theta"]) == run["theta"][3]
    assert "# parameter a: 0.25" in (tmp_path / "run.csv").read_text() or "0.25" in (tmp_path / "run.csv").read_text()
    run.save(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())["schema"] == "rattleback.simulate/1"
    points = rb.zoo("contact-oscillator").section("y = 0", points=5)
    points.save(str(tmp_path / "points.csv"))
    text = (tmp_path / "points.csv").read_text()
    assert "y = 0 upwards" in text and sum(not line.startswith("#") for line in text.splitlines()) == 6
    sweep = sleigh.sweep({"a": [0.1, 0.2, 0.3]}, until=2)
    sweep.save(tmp_path / "sweep.csv")
    rows = [line for line in (tmp_path / "sweep.csv").read_text().splitlines() if not line.startswith("#")]
    assert len(rows) == 4
    for what in (run, sweep):
        with pytest.raises(rb.ArgumentError, match="does not end in"):
            what.save(tmp_path / "run.txt")
        with pytest.raises((rb.Error, OSError)):
            what.save(tmp_path / "no such folder" / "run.csv")
    assert run.to_xarray()["theta"].shape == (7,) and run.to_pandas().shape[0] == 7


@pytest.mark.skipif(not rb._core.has_extension("hdf5"), reason="built without HDF5")
def test_hdf5(sleigh, tmp_path):
    sleigh.simulate(until=3, samples=7).save(tmp_path / "run.h5")
    sleigh.sweep({"a": [0.1, 0.2, 0.3]}, until=2).save(tmp_path / "sweep.h5")
    for name in ("run.h5", "sweep.h5"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89HDF")


def test_exponents_of_all_directions(sleigh):
    found = sleigh.lyapunov("all", until=40, transient=5)
    assert len(found.exponents) == 5 and found.divergence is not None
    assert sum(found.exponents) == pytest.approx(found.divergence, abs=1e-6)
    with pytest.raises(TypeError, match="did you mean transient=?"):
        sleigh.lyapunov(1, transiet=5)


def test_programs_theorems_and_doubts(sleigh):
    assert "function" in sleigh.export("js") and "double" in sleigh.export("c") and "def " in sleigh.export("python")
    assert "Theorem" in sleigh.prove(conserved="m*u^2 + (J + m*a^2)*omega^2").coq("sleigh")
    with pytest.raises(rb.ArgumentError, match="no certificate"):
        sleigh.analyze("hamiltonization", timeout=1e-3).coq()
    found = sleigh.doubt(["energy"])
    assert found and {d.result for d in found} <= {"stands", "not tried"}
    with pytest.raises(rb.UnknownName, match="energy"):
        sleigh.doubt(["enrgy"])
    assert "constant" in rb.explain("energy")


@pytest.mark.parametrize("to", [*rb.languages, "latex", "json", "ipynb"])
def test_every_language_of_export(sleigh, to):
    assert len(sleigh.export(to)) > 200


def test_the_command_line_gives_nothing_more(root):
    """Every verb and every claim, form, method, question and language has its place here."""
    manual = (root / "docs" / "reference" / "commands.md").read_text()
    verbs = set(re.findall(r"^## (?:`)?(?:rattleback )?([a-z]+)", manual, re.M))
    here = {"check": rb.Model.check, "derive": rb.Model.derive, "analyze": rb.Model.analyze, "prove": rb.Model.prove,
            "export": rb.Model.export, "simulate": rb.Model.simulate, "sweep": rb.Model.sweep, "continue": rb.Model.branches,
            "doubt": rb.Model.doubt, "report": rb.Model.report, "models": rb.zoo, "explain": rb.explain, "import": rb.from_urdf,
            "map": rb.Model.map, "measure": rb.Model.measure, "plan": rb.Model.plan,
            "studio": None}  # a page for the browser, not an object
    assert verbs and verbs <= set(here)


def test_certificates_are_bound_to_their_model(sleigh):
    v = sleigh.prove(conserved="m*u^2 + (J + m*a^2)*omega^2")
    assert {step.outcome for step in rb.check_certificate(v, sleigh)} == {"proved"}
    assert len(rb.check_certificate(v, sleigh)) > len(rb.check_certificate(v.certificate))
    with pytest.raises(rb.Error, match="another model|made for"):
        rb.check_certificate(v, rb.zoo("suslov"))
    for wrong in ("{", "[]", {"a": object()}, 3, None):
        with pytest.raises((rb.Error, TypeError)):
            rb.check_certificate(wrong)


def test_explanations():
    assert rb.explain("M.3").startswith("(M.3)") and rb.explain("(M.3)") == rb.explain("M.3")
    assert "proved means" in rb.explain("invariant-measure") and "off-constraint" in rb.explain("off-constraint")
    for wrong in ("Z.999", "off-constrait", 3):
        with pytest.raises(rb.UnknownName):
            rb.explain(wrong)


def test_doubts_of_random_models():
    found = rb.doubt(["energy"], seconds=1, seed=3)
    assert {d.result for d in found} <= {"stands", "not tried"} and all("[space]" in d.model or "[algebra]" in d.model for d in found)


def test_lines_of_progress():
    from rattleback._progress import Line
    line = Line(True)
    assert line.text(0.5, "energy").startswith("  50 % [==========") and line.text(0, "exponents").startswith("exponents, 0 s")


def test_plans_are_verified_and_can_be_run(tmp_path):
    cart = rb.System(space={"x": "R"}, lagrangian="m*x'^2/2", parameters={"m": {"value": 1, "positive": True}},
                     inputs={"u": {"about": "push", "range": [-10, 10]}}, forces={"x": "u"}, initial={"x": 0, "x'": 0})
    plan = cart.plan({"x": 1, "x'": 0}, duration=2, params={"m": 2})
    assert plan.found and plan.t[-1] == 2 and plan["u"].shape == plan.t.shape and str(plan) and "effort" in repr(plan)
    assert abs(plan.reached["x"] - 1) < 1e-6 and abs(plan.reached["x'"]) < 1e-6
    # u = 12 m d/T^3 (T/2 - t) has the least effort, 12 m^2 d^2/T^3; a polygon has it exactly.
    assert plan.effort == pytest.approx(12 * 2**2 / 2**3, rel=1e-3)
    plan.save(tmp_path / "push.csv")
    run = cart.set(m=2).with_inputs(u=str(tmp_path / "push.csv")).simulate(until=2)
    assert abs(run.final["x"] - 1) < 1e-6
    assert pickle.loads(pickle.dumps(plan)).effort == plan.effort
    weak = rb.System(space={"x": "R"}, lagrangian="x'^2/2", inputs={"u": {"about": "push", "range": [-0.1, 0.1]}}, forces={"x": "u"},
                     initial={"x": 0, "x'": 0}).plan({"x": 1, "x'": 0}, duration=2)
    assert not weak.found and weak.nearest > 0.1 and weak.inputs == {}
    with pytest.raises(rb.Error, match="goal"):
        cart.plan({})
    with pytest.raises(rb.Error):
        cart.plan({"z": 1})
    with pytest.raises(rb.Error):
        cart.plan({"x": 1}, duration=-1)
    with pytest.raises(rb.Error, match="inputs"):
        rb.zoo("chaplygin-sleigh").plan({"x": 1})
