"""Random arguments: a Python exception or a result, never a crash, never an array of the wrong shape."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rattleback as rb

SLEIGH = rb.zoo("chaplygin-sleigh")
CYLINDER = rb.zoo("ball-in-cylinder")
RHS = SLEIGH.rhs()
SMALL = SLEIGH.linearise({"u": "v"})
RUN = SLEIGH.simulate(until=1, samples=5)
EXPECTED = (rb.Error, TypeError, ValueError, KeyError, OverflowError)
quick = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)

names = st.one_of(st.text(max_size=8), st.sampled_from(["x", "y", "theta", "u", "omega", "x'", "m", "a", "J", "t", "pi", "Omega"]))
numbers = st.one_of(st.floats(), st.integers(-10**20, 10**20), st.fractions(), st.booleans(), st.none(), st.complex_numbers(),
                    st.text(max_size=6), st.binary(max_size=3), st.lists(st.floats(), max_size=3))
expressions = st.one_of(st.text(max_size=20), st.text(alphabet="xyu0123456789+-*/^()' =,theta[]", max_size=24), numbers)
mappings = st.one_of(st.none(), st.dictionaries(names, numbers, max_size=3), numbers)
arrays = st.one_of(
    hnp.arrays(st.sampled_from([np.float64, np.float32, np.int32, np.complex128, np.bool_, "S2", "U3"]),
               hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6), elements=None),
    st.lists(numbers, max_size=6).map(lambda row: np.array([*row, None], dtype=object)), numbers)


def survives(call):
    try:
        return call()
    except EXPECTED:
        return None


@quick
@given(t=st.one_of(st.floats(), numbers), y=arrays)
def test_right_hand_sides(t, y):
    found = survives(lambda: RHS(t, y))
    if found is not None:
        assert found.shape == np.shape(y) and found.dtype == np.float64 and found.shape[0] == 5
    slopes = survives(lambda: RHS.jacobian(t, y))
    assert slopes is None or slopes.shape[:2] == (5, 5)


@quick
@given(until=numbers, initial=mappings, params=mappings, samples=numbers, method=st.one_of(names, st.sampled_from(list(rb.methods))),
       rtol=numbers, step=numbers)
def test_simulations(until, initial, params, samples, method, rtol, step):
    try:
        length = min(abs(float(until)), 2.0) if isinstance(until, (int, float)) and until == until else until
    except (OverflowError, TypeError):
        length = 1
    samples = min(samples, 10**4) if isinstance(samples, int) else samples
    if isinstance(rtol, (int, float)) and 0 < rtol < 1e-13:
        rtol = 1e-13
    if isinstance(step, (int, float)) and 0 < step < 1e-3:
        step = 1e-3
    run = survives(lambda: SLEIGH.simulate(length, initial, params, samples=samples, method=method, rtol=rtol, step=step,
                                           search=False, timeout=2))
    if run is not None:
        assert run.y.shape == (5, len(run.t))


@quick
@given(text=expressions, kind=st.sampled_from(["conserved", "zero", "measure", "integral_of", "symmetry"]))
def test_claims(text, kind):
    verdict = survives(lambda: SLEIGH.prove(**{kind: text}, timeout=0.5))
    assert verdict is None or verdict.outcome in ("proved", "refuted", "not found", "undecided", "does not apply")


@quick
@given(text=st.one_of(st.text(max_size=60), st.text(alphabet="lagrngiv ='\"x^2\n[]spceR", max_size=60)))
def test_texts_of_models(text):
    survives(lambda: rb.Model(text).check(timeout=2))


@quick
@given(name=st.one_of(names, numbers), values=mappings)
def test_names(name, values):
    survives(lambda: rb.zoo(name))
    survives(lambda: rb.load(name) if not isinstance(name, (int, bytes)) else None)
    survives(lambda: SLEIGH.derive(name))
    survives(lambda: SLEIGH.analyze(name, timeout=0.2))
    survives(lambda: SLEIGH.set(**values) if isinstance(values, dict) else None)
    survives(lambda: SLEIGH.y0(values))
    survives(lambda: SLEIGH.linearise(values, timeout=2))


@quick
@given(axes=st.one_of(mappings, st.dictionaries(names, arrays, max_size=2)), keep=mappings, threads=numbers)
def test_sweeps(axes, keep, threads):
    threads = min(threads, 4) if isinstance(threads, int) else threads
    found = survives(lambda: SLEIGH.sweep(axes, keep, until=0.5, threads=threads, timeout=5))
    if found is not None:
        assert found["fate"].shape == found.shape


@quick
@given(space=st.one_of(numbers, st.lists(names, max_size=3), mappings), lagrangian=expressions, constraints=st.lists(expressions, max_size=2))
def test_builders(space, lagrangian, constraints):
    survives(lambda: rb.System(space=space, lagrangian=lagrangian, constraints=constraints).check(timeout=2))


@quick
@given(space=mappings, bodies=mappings, joints=st.dictionaries(names, st.one_of(numbers, mappings), max_size=2), wheels=mappings, guess=mappings)
def test_machines(space, bodies, joints, wheels, guess):
    survives(lambda: rb.System(space=space, bodies=bodies, joints=joints, wheels=wheels, guess=guess).check(timeout=2))
    survives(lambda: rb.Joint(*list(joints)[:2]))


@quick
@given(vary=st.one_of(names, expressions), low=numbers, high=numbers, start=mappings, hold=expressions, step=numbers,
       second=st.one_of(mappings, st.dictionaries(names, st.tuples(numbers, numbers), max_size=2)))
def test_branches(vary, low, high, start, hold, step, second):
    found = survives(lambda: SLEIGH.branches(vary, low, high, second=second, start=start, hold=hold, step=step, points=5, timeout=1))
    assert found is None or found[0].values.shape[1] == len(found[0])


@quick
@given(vary=st.one_of(names, expressions), low=numbers, high=numbers, start=mappings, period=expressions, hopf=st.booleans())
def test_orbits(vary, low, high, start, period, hopf):
    found = survives(lambda: SLEIGH.orbits(vary, low, high, start=start, period=period, hopf=hopf, points=2, timeout=0.5))
    assert found is None or found[0].least.shape[1] == len(found[0])


@quick
@given(section=st.one_of(names, expressions), level=st.one_of(expressions, mappings), within=st.one_of(mappings, st.dictionaries(names, st.tuples(numbers, numbers), max_size=2)),
       starts=numbers, points=numbers, cycle=numbers, manifolds=numbers, rotation=numbers, plane=expressions)
def test_maps(section, level, within, starts, points, cycle, manifolds, rotation, plane):
    points = min(points, 20) if isinstance(points, int) else points
    starts = min(starts, 3) if isinstance(starts, int) else starts
    found = survives(lambda: SLEIGH.map(section, level=level, within=within, starts=starts, points=points, cycle=cycle, manifolds=manifolds,
                                        rotation=rotation, plane=plane, longest=5, timeout=0.5))
    assert found is None or all(orbit.y.shape == (5, len(orbit.t)) for orbit in found)


@quick
@given(of=expressions, until=numbers, samples=numbers, covariant=numbers, volume=numbers, width=numbers, density=expressions)
def test_measures(of, until, samples, covariant, volume, width, density):
    samples = min(samples, 600) if isinstance(samples, int) else samples
    volume = min(volume, 3) if isinstance(volume, int) else volume
    found = survives(lambda: SLEIGH.measure(of, until=until, samples=samples, covariant=covariant, volume=volume, width=width, density=density,
                                            timeout=0.5))
    assert found is None or found.spectrum is None or found.spectrum.power.shape == found.spectrum.frequency.shape


@settings(quick, max_examples=40)
@given(fly=st.one_of(numbers, st.just("start")), initial=mappings, params=mappings, t_eval=arrays)
def test_flights(fly, initial, params, t_eval):
    run = survives(lambda: CYLINDER.simulate(0.2, initial, params, fly=fly, t_eval=t_eval, search=False, timeout=2))
    assert run is None or run.y.shape[1] == len(run.t)


@quick
@given(panels=st.lists(st.one_of(expressions, st.sampled_from(["x:y", "u, omega", "t:x", "x:y:u", ",", "1/0", "theta:"])), max_size=2),
       ranges=st.one_of(mappings, st.dictionaries(names, st.tuples(numbers, numbers), max_size=2)), log=st.one_of(names, numbers),
       size=st.one_of(numbers, st.tuples(numbers, numbers)), style=names)
def test_figures(panels, ranges, log, size, style):
    figure = survives(lambda: RUN.figure(*panels, ranges=ranges, log=log if panels else (), size=size, style="dark" if style == "x" else "light"))
    assert figure is None or (figure.svg.startswith("<svg") and (not panels or len(figure.panels) == len(panels)))
    survives(lambda: RUN.figure(*panels, style=style, title=str(log)))


@quick
@given(count=numbers, until=numbers, transient=numbers, rtol=numbers, project=numbers)
def test_exponents(count, until, transient, rtol, project):
    if isinstance(rtol, (int, float)) and 0 < rtol < 1e-12:
        rtol = 1e-12
    found = survives(lambda: SLEIGH.lyapunov(count, until=until, transient=transient, rtol=rtol, project=project, timeout=0.3))
    assert found is None or len(found.exponents) == len(found.errors)


@quick
@given(certificate=st.one_of(numbers, st.recursive(numbers, lambda x: st.dictionaries(names, x, max_size=3))), name=st.one_of(names, numbers),
       step=numbers)
def test_the_rest(certificate, name, step):
    survives(lambda: rb.check_certificate(certificate))
    survives(lambda: rb.check_certificate({"certificate": certificate, "questions": certificate}))
    survives(lambda: rb.explain(name))
    survives(lambda: SLEIGH.export(name))
    survives(lambda: rb.native(name))
    survives(lambda: SLEIGH.orders(step=step if not isinstance(step, (int, float)) or step > 0.05 else 0.05, until=0.2, timeout=1))
    survives(lambda: SLEIGH.section(name, points=2, until=1, timeout=1))
    survives(lambda: SMALL.along(name, [step]))
    survives(lambda: RUN[name])
    survives(lambda: RUN.sol(step))


@quick
@given(t_eval=arrays, y0=arrays, events=st.one_of(expressions, st.lists(expressions, max_size=2), mappings), until=st.sampled_from([1, -1, 0.5]))
def test_samples_starts_and_events(t_eval, y0, events, until):
    run = survives(lambda: SLEIGH.simulate(until, t_eval=t_eval, y0=y0, events=events, search=False, timeout=2))
    assert run is None or run.y.shape == (5, len(run.t))
