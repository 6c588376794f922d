"""Models: loading, checking, equations, verdicts, copies."""

import copy
import pickle
import subprocess

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import rattleback as rb


def test_load_from_a_file_and_from_the_zoo(root, sleigh):
    from_file = rb.load(root / "models" / "chaplygin-sleigh.toml")
    assert from_file.text == sleigh.text
    assert from_file.derive("hamel").rates["u"] == sleigh.derive("hamel").rates["u"]
    assert set(rb.zoo) == {path.stem for path in (root / "models").glob("*.toml")}


def test_the_zoo_travels_with_the_package(tmp_path):
    code = "import os; os.chdir('/'); import rattleback as rb; print(len(rb.zoo), rb._FOLDER)"
    import sys
    out = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
    count, folder = out.split(maxsplit=1)
    assert int(count) > 50 and "site-packages" in folder


def test_a_mistake_in_the_text_is_an_exception_with_its_place(sleigh):
    wrong = sleigh.text.replace("theta'^2 + m", "thetadot^2 + m", 1)
    with pytest.raises(rb.ModelError) as caught:
        rb.Model(wrong, name="sleigh")
    error = caught.value
    assert (error.slug, error.file) == ("unknown-symbol", "sleigh.toml")
    line = wrong.splitlines()[error.line - 1]
    assert line[error.column - 1:].startswith("thetadot")
    assert "theta'" in error.fix
    assert isinstance(pickle.loads(pickle.dumps(error)), rb.ModelError)


def test_check_returns_issues_with_slug_place_why_and_fix():
    m = rb.Model("""
lagrangian = "m/2*(x'^2 + y'^2)"
[space]
x = "R"
y = "R"
[parameters]
m = { value = 1, positive = true }
[constraints]
left = "x' = 0"
right = "2*x' = 0"
""")
    found = m.check()
    assert [i.slug for i in found.warnings + found.errors] != []
    issue = found[0]
    assert issue.line > 0 and issue.column > 0 and issue.why + issue.fix
    assert rb.zoo("chaplygin-sleigh").check().ok


def test_equations_read_like_the_command_line(sleigh):
    eq = sleigh.derive("hamel")
    assert eq.state == ("x", "y", "theta", "u", "omega")
    assert str(eq.rates["u"]) == "a*omega^2"
    assert "omega' =" in str(eq)
    assert list(eq.multipliers) == ["blade"]
    assert eq.reactions and eq.steps and isinstance(eq.assumptions, list)
    assert eq._repr_latex_().startswith("$") and "\\dot{u}" in eq._repr_latex_()
    with pytest.raises(KeyError, match="did you mean 'omega'"):
        eq.rates["omgea"]


def test_sympy_has_functions_of_time_and_positive_symbols(sleigh):
    eq = sleigh.derive("hamel").sympy()
    u, omega, theta = dynamicsymbols("u omega theta")
    m, J = sympy.symbols("m J", positive=True)
    a = sympy.Symbol("a", real=True)
    assert eq[u] == a * omega**2
    assert sympy.simplify(eq[omega] + m * a * u * omega / (J + m * a**2)) == 0
    assert eq[dynamicsymbols("x")] == u * sympy.cos(theta)


def test_unknown_forms_and_questions_suggest(sleigh):
    with pytest.raises(rb.ArgumentError, match="hamel"):
        sleigh.derive("hamell")
    with pytest.raises(rb.ArgumentError, match="did you mean"):
        sleigh.analyze("invariant-mesure")
    with pytest.raises(TypeError, match="did you mean conserved="):
        sleigh.prove(conservd="u")
    with pytest.raises(TypeError, match="did you mean rtol="):
        sleigh.simulate(rtoll=1e-9)


def test_verdicts_are_never_rounded(sleigh):
    v = sleigh.analyze("invariant-measure")
    assert (v.outcome, v.unless) == ("refuted", ("a = 0",))
    assert v.why and v.evidence and v.answer is not None
    with pytest.raises(TypeError, match="no truth value"):
        bool(v)
    assert str(v).startswith("invariant-measure: refuted unless a = 0")
    assert sleigh.set(a=0).analyze("invariant-measure").outcome == "proved"


def test_claims_in_text_and_in_sympy(sleigh):
    v = sleigh.prove(conserved="m*u^2 + (J + m*a^2)*omega^2")
    assert v.outcome == "proved"
    assert {step.outcome for step in v.check()} == {"proved"}
    u, omega = dynamicsymbols("u omega")
    m, J, a = sympy.symbols("m J a")
    assert sleigh.prove(conserved=m * u**2 + (J + m * a**2) * omega**2).outcome == "proved"
    assert sleigh.prove(conserved=u).outcome == "refuted"
    assert sleigh.prove(agrees=("hamel", "gibbs-appell")).outcome == "proved"
    assert sleigh.prove(symmetry={"x": "-y", "y": "x", "theta": 1}).outcome == "proved"


def test_agreement_of_all_forms(sleigh):
    v = sleigh.agreement()
    assert v.outcome == "proved" and "hamel" in v.answer["forms"]
    assert v.answer["energy_balance"] == "proved"


def test_copies_and_pickles(sleigh):
    for thing in (sleigh, sleigh.set(a=0), sleigh.analyze("energy"), sleigh.derive("hamel"),
                  sleigh.simulate(until=1), sleigh.check()):
        for again in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            assert repr(again) == repr(thing)
    run = sleigh.simulate(until=1)
    assert pickle.loads(pickle.dumps(run)) == run
    assert np.array_equal(copy.deepcopy(run).sol(0.5), run.sol(0.5))
    f = pickle.loads(pickle.dumps(sleigh.rhs()))
    assert np.array_equal(f(0, sleigh.y0()), sleigh.rhs()(0, sleigh.y0()))


def test_reports_and_exports(sleigh, tmp_path):
    html = sleigh.report(tmp_path / "page.html", seconds=2)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == html and "<canvas" in html
    assert "rhs" in sleigh.export("c") and "def rhs" in sleigh.export("python")
    assert "\\begin" in sleigh.export("latex") and '"cells"' in sleigh.export("ipynb")
    with pytest.raises(rb.ArgumentError, match="did you mean"):
        sleigh.export("pyhton")


def test_small_motions_and_equilibria():
    pendulum = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + 9*cos(theta)")
    small = pendulum.linearise({"theta": 0})
    assert np.allclose(sorted(small.eigenvalues.imag), [-3, 3])
    with pytest.raises(rb.ArgumentError, match="did you mean"):
        pendulum.linearise({"thta": 0})
    bicycle = rb.zoo("bicycle").linearise({"rear_rate": "v/rR"})
    assert bicycle.free == ("v",)
    with pytest.raises(rb.ArgumentError, match="along"):
        bicycle.eigenvalues
    spectrum = bicycle.along("v", np.linspace(0.5, 10, 20))
    stable = (spectrum.real < 1e-9).all(axis=0)
    assert stable.any() and not stable.all()
    v = pendulum.equilibria()
    assert v.outcome == "proved" and v.answer["families"]


def test_models_are_shown_in_short():
    assert len(repr(rb.zoo("bicycle"))) < 400 and rb.zoo("bicycle")._repr_latex_() is None
    assert "aligned" in rb.zoo("chaplygin-sleigh")._repr_latex_()
