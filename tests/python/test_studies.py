"""Return maps, measures of order and chaos, curves in two parameters, flights: numbers of the literature, shapes, copies, bad arguments."""

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import rattleback as rb

AGAIN = [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]

PENDULUM = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + cos(theta)", initial={"theta": 1, "theta'": 0}, name="pendulum")

# Two springs of frequencies 1 and sqrt(2): the return map of x = 0 turns by sqrt(2) of a circle.
SPRINGS = rb.System(space=["x", "y"], lagrangian="(x'^2 + y'^2 - x^2 - 2*y^2)/2", initial={"x": 0, "x'": 1, "y": 0.5, "y'": 0}, name="springs")

# A rattleback that is thrown about: it slides, takes off and lands.
STONE = rb.Model(rb.zoo("rattleback").text.replace("[contacts.ground]\n", '[contacts.ground]\nfriction = "1/2"\nrestitution = "1/5"\n'),
                 "hopping-stone")
SPUN = {"Omega": [12, 0, 5]}

# A ball of radius 1/4 that is dropped from a height of 1.
BALL = rb.Model('''gravity = "10"
[space]
x = "R"
y = "R"
z = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[bodies.ball]
mass = "2"
inertia = "2/5*2*(1/16)*diag(1, 1, 1)"
position = "[x, y, z]"
rotation = "B"
[contacts.ground]
body = "ball"
surface = { sphere = "1/4" }
restitution = "1/2"
friction = "1/5"
[simulation]
initial = { x = 0, y = 0, z = "1/4", B = "1", "x'" = 0, "y'" = 0, "z'" = 0, Omega = [0, 0, 0] }
''', "ball")


def test_a_return_map_turns_by_the_ratio_of_frequencies():
    found = SPRINGS.map("x = 0", points=40)
    assert len(found) == 1 and len(found[0]) == 41 and found.section == "x = 0 upwards"
    assert np.allclose(found[0]["x"], 0, atol=1e-10) and (found[0]["x'"] > 0).all()
    assert np.allclose(np.diff(found[0].t), 2*np.pi, atol=1e-9)
    angle = np.unwrap(np.arctan2(found[0]["y'"]/np.sqrt(2), found[0]["y"]))
    turns = np.diff(angle)/(2*np.pi) + np.sqrt(2)
    assert np.allclose(turns, np.round(turns), atol=1e-8)


def test_cycles_with_multipliers_and_rotation_numbers():
    found = SPRINGS.map("x = 0", cycle=1, initial={"y": 0.05}, points=60, rotation=0.2, level="energy")
    cycle = next(c for c in found.cycles if c.period == 1 and abs(c["y"][0]) < 1e-6)
    assert cycle.kind == "elliptic" and cycle.time == pytest.approx(2*np.pi, abs=1e-8) and cycle.residual < 1e-8
    expected = np.exp(2j*np.pi*np.sqrt(2))
    assert min(abs(cycle.multipliers - expected)) < 1e-6 and np.allclose(abs(cycle.multipliers), 1, atol=1e-6)
    assert cycle.rotation == pytest.approx(np.sqrt(2) - 1, abs=1e-7)
    assert cycle.profile is not None and np.allclose(cycle.profile.rotation, np.sqrt(2) - 1, atol=1e-5) and abs(cycle.profile.twist) < 1e-3
    assert found.levels and found.levels[0].startswith("energy = ")


def test_invariant_curves_of_a_saddle():
    driven = rb.zoo("contact-oscillator")
    found = driven.map("y = 0", level={"energy": 2}, starts=4, points=30)
    assert len(found) == 4 and found.cycles == [] and found.curves == []
    for orbit in found:
        assert np.allclose(orbit["y"], 0, atol=1e-9)


@pytest.mark.parametrize("again", AGAIN)
def test_copies_of_maps(again, tmp_path):
    found = SPRINGS.map("x = 0", points=10, cycle=1)
    other = again(found)
    assert np.array_equal(other[0].y, found[0].y) and str(other) == str(found) and repr(other) == repr(found)
    assert repr(again(found[0])) == repr(found[0]) and [repr(again(c)) for c in found.cycles] == [repr(c) for c in found.cycles]
    other.save(tmp_path / "points.csv")
    assert "start,number,t" in (tmp_path / "points.csv").read_text()
    other.save(tmp_path / "points.json")
    assert json.loads((tmp_path / "points.json").read_text())["schema"] == "rattleback.map/1"
    assert other.figure(title="", size=120).svg.startswith("<svg")
    with pytest.raises(rb.ArgumentError, match="does not end in"):
        other.save(tmp_path / "points.txt")


def test_maps_in_matplotlib():
    import matplotlib
    matplotlib.use("agg")
    ax = SPRINGS.map("x = 0", points=10).plot("y", "y'")
    assert ax.get_xlabel() == "y" and len(ax.lines) == 1
    figure = SPRINGS.map("x = 0", points=10, plane="y:y'", ranges={"y": (-1, 1)}).figure()
    assert figure.panels[0].x_label == "y" and figure.panels[0].x_range == (-1, 1)


def test_bad_arguments_of_maps():
    for wrong, words in [({"section": "q = 0"}, "q"), ({"section": "x = 0", "direction": "upp"}, "up"),
                         ({"section": "x = 0", "level": {"energi": 1}}, "energi"), ({"section": "x = 0", "manifolds": True}, "cycle"),
                         ({"section": "x = 0", "points": 0}, "points"), ({"section": "x = 0", "plane": "x"}, "plane"),
                         ({"section": "x = 0", "within": {"q": (0, 1)}, "starts": 3}, "q"), ({"section": "", }, "empty"),
                         ({"section": "x = 0", "initial": {"q": 1}}, "q"), ({"section": "x = 0", "rtol": float("nan")}, "rtol"),
                         ({"section": "x = 0", "level": {"energy": -5}}, "")]:
        with pytest.raises(rb.Error) as caught:
            SPRINGS.map(**wrong).figure()
        assert words in str(caught.value), (wrong, str(caught.value))
        assert "--" not in str(caught.value), str(caught.value)
    with pytest.raises(TypeError, match="did you mean cycle="):
        SPRINGS.map("x = 0", cicle=1)
    with pytest.raises(rb.UnknownName, match="theta"):
        PENDULUM.map("theta = 0", points=3)[0]["thta"]


def test_a_spectrum_has_the_lines_of_the_motion():
    found = SPRINGS.measure("x + y", until=400, samples=4096)
    lines = sorted(frequency for frequency, _ in found.spectrum.peaks[:2])
    assert lines == pytest.approx([1/(2*np.pi), np.sqrt(2)/(2*np.pi)], abs=1e-4)
    assert found.spectrum.power.sum() == pytest.approx(1) and found.spectrum.frequency.shape == found.spectrum.power.shape
    assert abs(found.zero_one) < 0.4 and 1.5 < found.dimension.value < 3  # a torus
    assert found.recurrence.determinism > 0.9 and found.covariant is None and found.volume is None
    assert str(found).startswith("springs") and len(found.figure().panels) == 2


def test_covariant_vectors_of_a_hyperbolic_motion():
    top = rb.System(space=["x", "y"], lagrangian="(x'^2 + y'^2 + x^2 - y^2)/2", initial={"x": 0, "x'": 0, "y": 1, "y'": 0})
    found = top.measure(covariant="all", until=30)
    assert found.covariant.exponents[0] == pytest.approx(1, abs=1e-3) and found.covariant.exponents[-1] == pytest.approx(-1, abs=1e-3)
    n = len(found.covariant.exponents)
    assert found.covariant.least_angle.shape == (n, n) and found.covariant.mean_angle.shape == (n, n)
    assert found.covariant.hyperbolicity == pytest.approx(np.pi/2, abs=0.1)
    with pytest.raises(rb.ArgumentError, match="nothing to draw"):
        found.figure()


def test_phase_volume_and_an_invariant_density(sleigh):
    moving = sleigh.measure(volume=8, until=5)
    assert moving.volume.rate != 0 and moving.volume.motions == 8 and moving.volume.asymmetry < 1e-9
    still = PENDULUM.measure(volume=8, until=5, density="1")
    assert abs(still.volume.rate) < 1e-12 and still.volume.violation < 1e-9
    assert np.allclose(still.volume.forward.mean, 0, atol=1e-9)


@pytest.mark.parametrize("again", AGAIN)
def test_copies_of_measures(again, tmp_path):
    found = SPRINGS.measure("x", until=50, samples=600, volume=3)
    other = again(found)
    assert np.array_equal(other.spectrum.power, found.spectrum.power) and repr(other) == repr(found) and str(other) == str(found)
    other.save(tmp_path / "measures.json")
    assert json.loads((tmp_path / "measures.json").read_text())["schema"] == "rattleback.measure/1"
    assert other.figure().svg.startswith("<svg")


def test_bad_arguments_of_measures():
    for wrong, words in [({}, "nothing is measured"), ({"of": "q"}, "q"), ({"of": "x", "window": "han"}, "hann"), ({"of": "x", "until": -1}, "until"),
                         ({"of": "x", "samples": 0}, "samples"), ({"volume": 0}, "volume"), ({"covariant": -1}, "covariant"),
                         ({"of": "x", "density": "1"}, "density"), ({"volume": 3, "density": "q"}, "q"), ({"of": "x", "params": {"q": 1}}, "q"),
                         ({"of": "x", "transient": float("inf")}, "transient")]:
        with pytest.raises(rb.Error) as caught:
            SPRINGS.measure(**wrong)
        assert words in str(caught.value), (wrong, str(caught.value))
        assert "--" not in str(caught.value), str(caught.value)
    with pytest.raises(TypeError, match="did you mean samples="):
        SPRINGS.measure("x", sample=100)


def test_curves_of_bifurcations_in_two_parameters(stone):
    found = stone.branches("Omega3", -6, 6, start={"Omega3": 2}, second={"delta": (0.2, 0.6)})
    assert found.second == "delta" and found.curves
    curve = next(c for c in found.curves if c.kind == "Hopf")
    assert curve.first.shape == curve.second.shape == curve.critical.shape == (len(curve),)
    assert curve["Omega3"] is not None and (curve["delta"] >= 0.2 - 1e-9).all() and (curve["delta"] <= 0.6 + 1e-9).all()
    at = np.argmin(abs(curve.second - float(Fraction(stone.parameters["delta"].value))))
    assert abs(abs(curve.first[at]) - 2.636949) < 0.2
    for again in AGAIN:
        assert repr(again(found).curves[0]) == repr(found.curves[0]) and again(found).figure().svg.startswith("<svg")
    for wrong in ({"Omega3": (0, 1)}, {"q": (0, 1)}, {"delta": (1, 1)}, {"delta": 3}, "delta", {"delta": (0, 1), "a": (0, 1)}):
        with pytest.raises(rb.Error):
            stone.branches("Omega3", -6, 6, start={"Omega3": 2}, second=wrong)


def test_a_stone_hops():
    run = STONE.simulate(until=1.5, initial=SPUN, fly=True)
    assert run.phases[0].start == 0 and run.phases[-1].end == pytest.approx(run.end)
    for before, after in zip(run.phases, run.phases[1:]):
        assert before.end == pytest.approx(after.start)
    flights = [p for p in run.phases if p.open]
    assert flights and run.impacts and {i.outcome for i in run.impacts} <= {"bounces", "rolls", "slides", "stays"}
    for flight in flights:  # nothing is lost in the air
        assert flight.energy_end == pytest.approx(flight.energy_start, rel=1e-9)
    for impact in run.impacts:
        assert impact.lost >= -1e-9 and impact.normal_impulse >= 0 and impact.contact == "ground"
    assert (run["gap ground"] > -1e-8).all() and run["gap ground"].max() > 1e-3
    assert run.y.shape == (len(run.names), len(run)) and run.success
    chosen = STONE.simulate(until=1.5, initial=SPUN, fly=True, t_eval=[0.5, 1.2])
    assert chosen.t.tolist() == [0.5, 1.2] and chosen.y.shape[1] == 2
    assert np.allclose(chosen["x"], np.interp([0.5, 1.2], run.t, run["x"]), atol=1e-4)
    for again in AGAIN:
        assert again(run).impacts == run.impacts and again(run).phases == run.phases
    film = run.animate(frames=40).html
    assert "phase-strip" in film and '"marks":[{' in film
    assert run.figure("x:y").svg.startswith("<svg")
    plain = STONE.simulate(until=0.1)
    assert plain.phases == [] and plain.impacts == []


def test_a_dropped_ball_bounces_to_a_quarter_of_its_height():
    run = BALL.simulate(until=1, initial={"z": 1.25}, fly="start", samples=4001)
    fall = np.sqrt(2*1/10)
    assert run.impacts[0].time == pytest.approx(fall, abs=1e-9) and run.impacts[0].approach == pytest.approx(10*fall)
    assert run.impacts[0].rebound == pytest.approx(5*fall) and run.impacts[0].lost == pytest.approx(0.75*2*10*1)
    between = (run.t > run.impacts[0].time) & (run.t < run.impacts[1].time)
    assert run["z"][between].max() - 0.25 == pytest.approx(0.25, abs=1e-5)
    assert run.impacts[1].time - run.impacts[0].time == pytest.approx(fall, abs=1e-8)


def test_bad_arguments_of_flights(sleigh):
    m = STONE
    for wrong, words in [({"fly": "up"}, "fly"), ({"fly": True, "y0": m.y0()}, "y0"), ({"fly": True, "precision": 100}, "precision"),
                         ({"fly": True, "stop_at_lift_off": True}, "stop_at_lift_off"), ({"fly": True, "until": -1}, "forwards"),
                         ({"fly": True, "initial": {"q": 1}}, "q"), ({"fly": True, "method": "dla"}, "dla")]:
        with pytest.raises(rb.Error) as caught:
            m.simulate(**{"until": 1, **wrong})
        assert words in str(caught.value), (wrong, str(caught.value))
    with pytest.raises(rb.Error, match="contact"):
        sleigh.simulate(until=1, fly=True)
    with pytest.raises(rb.ArgumentError, match="no sol"):
        m.simulate(until=0.2, fly=True).sol
