"""Numbers: runs, right-hand sides, sweeps, sections, exponents."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rattleback as rb


def test_a_run_has_the_names_of_scipy_and_of_the_model(sleigh):
    run = sleigh.simulate(until=20, initial={"u": -1, "omega": 0.1}, params={"a": 0.25}, rtol=1e-12, method="taylor",
                          t_eval=np.linspace(0, 20, 41), events=["u", {"event": "theta = 1", "terminal": False}])
    assert run.t.shape == (41,) and run.y.shape == (5, 41) and run.success and run.status == 0
    assert np.array_equal(run["theta"], run.y[2]) and np.array_equal(run["t"], run.t)
    assert len(run.t_events) == 2 and run.y_events[0].shape == (len(run.t_events[0]), 5)
    assert abs(run.y_events[0][:, 3]).max() < 1e-9
    assert run.drift["energy"].relative < 1e-12
    assert run.reactions["lambda blade"].shape == (41,)
    assert run.params["a"] == 0.25
    assert run["x'"].shape == (41,)
    with pytest.raises(KeyError, match="did you mean 'theta'"):
        run["thetha"]


def test_runs_agree_with_scipy(sleigh):
    f = sleigh.rhs()
    theirs = solve_ivp(f, (0, 5), sleigh.y0(), rtol=1e-11, atol=1e-12, method="DOP853")
    ours = sleigh.simulate(until=5)
    assert np.allclose(theirs.y[:, -1], ours.y_final, rtol=1e-8)
    stiff = solve_ivp(f, (0, 5), sleigh.y0(), rtol=1e-8, atol=1e-10, method="Radau", jac=f.jacobian)
    assert np.allclose(stiff.y[:, -1], ours.y_final, rtol=1e-5)


@pytest.mark.parametrize("method", ["taylor", "dop853", "gauss6"])
@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rattleback"])
def test_dense_output_is_the_motion(name, method):
    m = rb.zoo(name)
    options = {"step": 0.01} if method == "gauss6" else {"rtol": 1e-11}
    run = m.simulate(until=2, method=method, samples=101, search=False, **options)
    between = m.simulate(until=2, method=method, t_eval=np.linspace(0, 2, 37), search=False, **options)
    assert np.allclose(run.sol(run.t), run.y, rtol=0, atol=1e-10)
    assert np.allclose(run.sol(between.t), between.y, rtol=0, atol=1e-9)
    with pytest.raises(rb.ArgumentError, match="leaves the run"):
        run.sol(2.5)


def test_terminal_events_end_the_motion(sleigh):
    run = sleigh.simulate(until=50, events={"event": "u = 0", "terminal": True}, initial={"u": -1, "omega": 0.1})
    assert run.status == 1 and run.success and abs(run.y_final[3]) < 1e-12
    assert run.t[-1] == pytest.approx(run.end) and "event" in run.message


def test_motions_that_cannot_go_on_say_so():
    m = rb.System(space=["x"], lagrangian="x'^2/2 + 1/x^4", initial={"x": 1, "x'": -1}, until=10)
    run = m.simulate()
    assert not run.success and run.status == -1 and run.end < 10 and "motion ends" in run.message


def test_right_hand_sides_of_one_and_many_states(sleigh, stone):
    for m in (sleigh, stone):
        f = m.rhs()
        random = np.random.default_rng(1)
        n = len(m.state)
        states = random.normal(size=(n, 1003))
        for q in m._flow(None, None).quaternions:
            states[q:q + 4] /= np.linalg.norm(states[q:q + 4], axis=0)
        many = f(0.3, states)
        assert many.shape == states.shape
        one = np.column_stack([f(0.3, states[:, k]) for k in range(1003)])
        assert np.array_equal(many, one)
        compiled = f(0.3, np.tile(states, 40))[:, :1003]
        assert np.array_equal(compiled, one)
        jacobians = f.jacobian(0.3, states[:, :7])
        for k in range(7):
            assert np.allclose(jacobians[:, :, k], f.jacobian(0.3, states[:, k]), rtol=1e-12, atol=1e-12)
        y, h = states[:, 0], 1e-6
        for j in range(n):
            slope = (f(0.3, y + h * np.eye(n)[j]) - f(0.3, y - h * np.eye(n)[j])) / (2 * h)
            assert np.allclose(jacobians[:, j, 0], slope, rtol=1e-5, atol=1e-5)


def test_shapes_and_types_are_checked(sleigh):
    f = sleigh.rhs()
    with pytest.raises(ValueError, match=r"\(5,\) or"):
        f(0, np.zeros(4))
    with pytest.raises(ValueError, match="pass y.T"):
        f(0, np.zeros((7, 5)))
    with pytest.raises(TypeError, match="no real numbers"):
        f(0, np.zeros(5, dtype=complex))
    with pytest.raises(TypeError, match="no real numbers"):
        f(0, ["a"] * 5)
    with pytest.raises((TypeError, ValueError)):
        f("now", np.zeros(5))
    with pytest.raises(ValueError, match="as many as"):
        f(np.zeros(3), np.zeros((5, 4)))
    assert np.isnan(f(0, np.full(5, np.nan))).any()


def test_bad_arguments_of_simulate(sleigh):
    for wrong, what in (({"until": -1}, "positive"), ({"until": float("nan")}, "finite"), ({"samples": 1}, "whole"),
                        ({"t_eval": [3, 2, 1]}, "increase"), ({"t_eval": [0, 99]}, "until"),
                        ({"initial": {"u": float("nan")}}, "finite"), ({"initial": {"v": 1}}, "coordinate or velocity"),
                        ({"params": {"b": 1}}, "parameter"), ({"params": {"m": -1}}, "positive"),
                        ({"method": "rk5"}, "did you mean|choose"), ({"step": 0.1}, "finds the length"),
                        ({"events": lambda t, y: y[0]}, "expression"), ({"initial": [1, 2]}, "mapping"),
                        ({"y0": np.zeros(3)}, "5 numbers"), ({"y0": [0, 0, 0, np.inf, 0]}, "finite")):
        with pytest.raises((rb.Error, TypeError), match=what):
            sleigh.simulate(**wrong)


def test_states_off_the_constraint_are_refused(sleigh):
    with pytest.raises(rb.StateError) as caught:
        sleigh.simulate(until=1, initial={"x'": 1, "y'": 0.25, "theta": 0, "theta'": 0})
    assert caught.value.slug == "off-constraint" and "project=True" in str(caught.value)
    run = sleigh.simulate(until=1, initial={"x'": 1, "y'": 0.25, "theta": 0, "theta'": 0}, project=True)
    assert run.success


def test_sweeps_are_arrays_over_their_axes(sleigh):
    a, omega = np.linspace(0.1, 1, 5), np.linspace(0.2, 2, 7)
    found = sleigh.sweep({"a": a, "omega": omega}, keep={"turn": "final(theta)", "top": "max(u)"}, until=5)
    assert found["turn"].shape == (5, 7) and found.dims == ("a", "omega") and found.arrived.all()
    one = sleigh.simulate(until=5, params={"a": float(a[3])}, initial={"omega": float(omega[2])})
    assert found["turn"][3, 2] == pytest.approx(one.final["theta"], rel=1e-8)
    assert len(found.to_pandas()) == 35
    data = found.to_xarray()
    assert data["turn"].dims == ("a", "omega") and np.array_equal(data["a"], a)
    plain = sleigh.sweep({"a": a}, until=5)
    assert plain["theta"].shape == (5,)
    cloud = sleigh.sweep({"omega": ("uniform", 0, 1)}, samples=50, until=2)
    assert cloud["theta"].shape == (50,) and len(set(cloud["theta"])) == 50
    with pytest.raises(rb.Error, match="neither|axis|coordinate"):
        sleigh.sweep({"nothing": a})
    with pytest.raises(rb.ArgumentError, match="finite"):
        sleigh.sweep({"a": [1, np.nan]})


def test_sections_and_exponents():
    m = rb.zoo("contact-oscillator")
    points = m.section("y = 0", points=25)
    assert len(points) == 25 and abs(points["y"]).max() < 1e-9
    found = rb.zoo("chaplygin-sleigh").lyapunov(3, until=30)
    assert len(found.exponents) == 3 and found.exponents[0] >= found.exponents[-1]
    with pytest.raises(rb.Error, match="directions|exponents"):
        rb.zoo("chaplygin-sleigh").lyapunov(50)


def test_plots_and_films(sleigh):
    import matplotlib
    matplotlib.use("agg")
    run = sleigh.simulate(until=5)
    assert run.plot("x", "y").get_xlabel() == "x"
    assert run.plot().get_legend() is not None
    film = run.animate(frames=30)
    assert "<canvas" in film.html and "http" not in film.html.split("<script", 1)[0].replace("http-equiv", "")
    assert film._repr_html_().startswith("<iframe srcdoc=")
    sweep = sleigh.sweep({"a": np.linspace(0.1, 1, 4), "omega": np.linspace(0.1, 1, 3)}, until=2)
    sweep.plot("theta")


def test_arrays_are_not_copied(sleigh):
    run = sleigh.simulate(until=5)
    assert run.y is run.y and run["theta"].base is not None
    assert np.shares_memory(run["theta"], run._columns)


def test_integrals_in_speeds_that_an_answer_invents_are_watched():
    m = rb.zoo("veselova")
    assert not m.speeds  # so that u1, u2 are invented
    drift = m.simulate(until=10).drift
    assert sum(name.startswith("integral") for name in drift) >= 1
    assert all(d.relative < 1e-11 for d in drift.values())
