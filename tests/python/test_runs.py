"""Numbers: runs, right-hand sides, sweeps, sections, exponents."""

import copy
import pickle
import time

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


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rattleback"])
def test_backwards_in_time(name):
    m = rb.zoo(name)
    ahead = m.simulate(until=3, search=False)
    back = m.simulate(until=-3, y0=ahead.y_final, search=False)
    assert back.t[0] == 0 and back.t[-1] == -3 and back.end == -3 and back.success and back.status == 0
    assert np.allclose(back.y_final, ahead.y0, atol=1e-9)
    between = m.simulate(until=-3, y0=ahead.y_final, t_eval=[-0.5, -1, -2.5], search=False)
    assert np.allclose(between.y, ahead.sol([2.5, 2, 0.5]), atol=1e-9)
    assert np.allclose(back.sol([-0.5, -1, -2.5]), between.y, atol=1e-9)
    with pytest.raises(rb.ArgumentError, match="leaves the run"):
        back.sol(0.5)
    with pytest.raises(rb.ArgumentError, match="decrease"):
        m.simulate(until=-3, t_eval=[0, 1, 2])
    with pytest.raises(rb.ArgumentError, match="positive"):
        m.lyapunov(1, until=-3)
    with pytest.raises(rb.DoesNotApply, match="forwards only"):
        m.simulate(until=-1, method="gni", step=0.01)


def test_speeds_with_a_pole_on_the_way():
    """y, sol and events stay in the speeds of the model when all velocities take over."""
    m = rb.System(space={"x": "R", "y": "R", "theta": "S1"}, lagrangian="(x'^2 + y'^2 + theta'^2)/2",
                  constraints={"blade": "y'*cos(theta) = x'*sin(theta)"}, velocities={"w": "x'", "omega": "theta'"},
                  initial={"x": 0, "y": 0, "theta": 0, "w": 1, "omega": 1}, until=3)
    times = np.linspace(0, 3, 301)
    run = m.simulate(t_eval=times, events="theta = 2", method="gauss6", step=0.01)
    assert any("take over" in note for note in run.notes) and run.y.shape == (5, 301)
    exact = np.array([np.sin(times), 1 - np.cos(times), times, np.cos(times), np.ones(301)])
    assert np.allclose(run.y, exact, atol=1e-9)
    assert np.allclose(run.sol(times), exact, atol=1e-9)
    assert run.y_final.shape == (5,) and np.allclose(run.y_final, exact[:, -1], atol=1e-9)
    assert np.allclose(run.y_events[0], [[np.sin(2), 1 - np.cos(2), 2, np.cos(2), 1]], atol=1e-9)
    start = m.simulate(until=1, initial={"theta": "pi/2", "x'": 0, "y'": 1, "omega": 1})
    assert start.success and any("take over" in note for note in start.notes)
    assert np.allclose(start["y'"], np.cos(start.t), atol=1e-9)


def test_short_runs_in_the_calling_thread_are_the_same(sleigh):
    first = sleigh.simulate(until=7.5, samples=31)
    for _ in range(3):
        assert sleigh.simulate(until=7.5, samples=31) == first


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
    for other in (np.zeros(10)[::2], np.zeros(5, dtype=">f8"), np.zeros(5, dtype=int), [0] * 5, np.zeros(5, dtype=np.float32)):
        assert np.array_equal(f(0.0, other), f(0.0, np.zeros(5)))
    assert np.array_equal(f(t=1, y=np.ones(5)), f(1.0, np.ones(5))) and np.array_equal(f(np.float64(1), np.ones(5)), f(1.0, np.ones(5)))
    with pytest.raises(TypeError):
        f(0.0)
    for call in (lambda f: f(0.0, np.zeros(5)), lambda f: f.jacobian(0.0, np.zeros(5))):
        with pytest.raises(TypeError, match="never made"):
            call(rb.Rhs.__new__(rb.Rhs))


def test_too_much_is_refused(sleigh):
    with pytest.raises(rb.ArgumentError, match="do not fit"):
        sleigh.simulate(samples=10**12)
    with pytest.raises(rb.ArgumentError, match="members"):
        sleigh.sweep({"a": ("uniform", 0, 1)}, samples=10**14)
    with pytest.raises(rb.ArgumentError, match="no question"):
        sleigh.analyze(3)
    with pytest.raises(rb.ArgumentError, match="UTF-8"):
        rb.Model("title = '\ud800'")
    assert sleigh.simulate(until="2*pi").end == pytest.approx(2 * np.pi)


def test_bad_arguments_of_simulate(sleigh):
    for wrong, what in (({"until": 0}, "no duration"), ({"until": float("nan")}, "finite"), ({"samples": 1}, "whole"),
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


@pytest.mark.skipif(not rb._core.has_extension("hdf5"), reason="built without HDF5")
def test_a_chart_is_refined_where_neighbours_differ(sleigh, tmp_path):
    grid = {"a": np.linspace(0.1, 1, 4), "omega": np.linspace(0.1, 2, 5)}
    path = tmp_path / "chart.csv"
    found = sleigh.sweep(grid, keep={"turn": "final(theta)"}, until=5, refine=2, differ={"turn": 2.0}, output=path)
    assert found["turn"].shape == (13, 17) and np.isfinite(found["turn"]).all()
    computed = np.isfinite(found["level"])
    assert 20 < computed.sum() < 13 * 17 and (found["level"][::4, ::4] == 0).all()
    whole = sleigh.sweep({k: found.axes[k] for k in grid}, keep={"turn": "final(theta)"}, until=5)
    assert np.allclose(found["turn"][computed], whole["turn"][computed], rtol=1e-8)
    assert np.abs(found["turn"] - whole["turn"])[~computed].max() < 2.0
    assert found.arrived.sum() == computed.sum() and f"{computed.sum()} of {computed.sum()} arrived" in repr(found)
    assert len([line for line in path.read_text().splitlines() if not line.startswith("#")]) == computed.sum() + 1
    for wrong in ({"refine": -1}, {"refine": 2, "samples": 3}, {"refine": 2, "keep": None}, {"differ": {"turn": 1}},
                  {"refine": 2, "differ": {"other": 1}}, {"refine": 2, "differ": 3}):
        with pytest.raises(rb.Error):
            sleigh.sweep(grid, **{"keep": {"turn": "final(theta)"}, "until": 5, **wrong})
    with pytest.raises(rb.Error, match="evenly"):
        sleigh.sweep({"a": [0.1, 0.2, 0.9]}, keep={"turn": "final(theta)"}, until=5, refine=1)


def test_sweeps_into_files_are_resumed(sleigh, tmp_path):
    axes, keep = {"a": np.linspace(0.1, 1, 60), "omega": np.linspace(0.1, 2, 50)}, {"turn": "final(theta)"}
    whole = sleigh.sweep(axes, keep, until=3)
    path = tmp_path / "sweep.h5"
    written = sleigh.sweep(axes, keep, until=3, output=path)
    assert np.array_equal(written["turn"], whole["turn"])
    # Nothing is computed again: the rows come from the file.
    again = sleigh.sweep(axes, keep, until=3, output=path, resume=True)
    assert np.array_equal(again._rows, whole._rows)
    with pytest.raises(rb.Error) as caught:
        sleigh.sweep(axes, keep, until=4, output=path, resume=True)
    assert caught.value.slug == "cannot-resume" and "resume=" in str(caught.value)
    # An interrupted one is completed.
    path = tmp_path / "half.h5"
    stone = rb.zoo("rattleback")
    axes = {"Omega3": np.linspace(-5, 5, 3000)}
    try:
        stone.sweep(axes, until=20, output=path, timeout=0.5, threads=1)
    except rb.Timeout:
        pass
    for _ in range(100):
        try:
            done = stone.sweep(axes, until=20, output=path, resume=True)
            break
        except rb.Error as error:
            assert "being written" in str(error)
            time.sleep(0.2)
    assert np.array_equal(done["Omega3"], stone.sweep(axes, until=20)["Omega3"])


def test_outputs_of_sweeps(sleigh, tmp_path):
    path = tmp_path / "sweep.csv"
    found = sleigh.sweep({"a": [0.1, 0.2]}, until=2, output=path)
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 3 and float(lines[1].split(",")[0]) == found["a"][0]
    for wrong, what in (({"output": path, "resume": True}, "cannot be continued"), ({"resume": True}, "nothing to resume"),
                        ({"output": tmp_path / "sweep.txt"}, "does not end"), ({"output": tmp_path / "no" / "s.csv"}, "cannot write")):
        with pytest.raises(rb.Error, match=what):
            sleigh.sweep({"a": [0.1, 0.2]}, until=2, **wrong)


def test_what_sweeps_keep():
    m = rb.zoo("contact-oscillator")
    name = m.state[-1]
    found = m.sweep({name: [0.5, 1.0]}, until=40, keep={"top": f"max({name})", "n": f"crossings({name})", "l": "lyapunov(1)",
                                                         "Y": "megno", "first": f"first({name})"})
    assert found["l"].shape == (2,) and np.isfinite(found["Y"]).all() and (found["n"] > 0).all()


def test_branches_of_steady_motions(stone, tmp_path):
    found = stone.branches("Omega3", -6, 6, start={"Omega3": 2})
    first = found[0]
    assert np.allclose(first["Omega3"], first.at) and first.at.min() < -5.9 and first.at.max() > 5.9
    assert first.eigenvalues.shape == (first.eigenvalues.shape[0], len(first)) and first.values.shape == (len(found.names), len(first))
    assert np.array_equal(first.stable, first.growing == 0) and first.events and "steady motions over Omega3" in str(found)
    # The rates at a point of the branch vanish up to the motion along the symmetries.
    assert pickle.loads(pickle.dumps(found))[0].events == first.events and len(copy.deepcopy(found)) == len(found)
    for kind in ("csv", "json"):
        found.save(tmp_path / f"branches.{kind}")
        assert "Omega3" in (tmp_path / f"branches.{kind}").read_text()
    import matplotlib
    matplotlib.use("agg")
    assert found.plot().get_xlabel() == "Omega3"
    for wrong, what in ((("Omega3", 1, 1), "empty"), (("Omega4", 0, 1), "Omega"), (("Omega3", 0, float("nan")), "finite")):
        with pytest.raises(rb.Error, match=what):
            stone.branches(*wrong)
    with pytest.raises(TypeError, match="did you mean start="):
        stone.branches("Omega3", 0, 1, stat={})


def test_words_of_other_packages_are_understood(sleigh):
    for keywords, what in (({"t_span": (0, 1)}, "until="), ({"initial_conditions": {}}, "initial="), ({"dt": 0.1}, "step="), ({"args": {}}, "params=")):
        with pytest.raises(TypeError, match=f"did you mean {what}"):
            sleigh.simulate(**keywords)
    with pytest.raises(rb.ArgumentError, match="until=10"):
        sleigh.simulate((0, 10))
    with pytest.raises(rb.UnknownName, match="method of SciPy(.|\n)*dop853"):
        sleigh.simulate(method="RK45")
    with pytest.raises(rb.Error, match="did you mean `theta`, `theta'`"):
        sleigh.simulate(initial={"theta_dot": 1})
    with pytest.raises(rb.Error, match="did you mean 'multipliers'"):
        sleigh.derive("lagrange")


def test_orders_are_objects(sleigh):
    table = sleigh.orders(step=0.1, until=2)
    rk4 = next(row for row in table if row.method == "rk4")
    assert rk4.claimed == 4 and rk4.order == pytest.approx(4, abs=0.5) and rk4.refused is None
    assert "rk4" in str(table) and pickle.loads(pickle.dumps(table))[0] == table[0]


def test_indicators_of_chaos():
    found = rb.zoo("contact-oscillator").lyapunov("all", until=60)
    assert len(found.log_gali) == len(found.exponents) - 1 and found.sali is not None and found.zeros > 0 and found.zeros_from
    assert found.sum == pytest.approx(sum(found.exponents), abs=1e-12) and len(found.blocks) > 1


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
