"""Studies of a model: sweeps, small motions, exponents, branches, maps, measures, plans, and pages about them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from ._equations import SmallMotions
from ._errors import ArgumentError
from ._keywords import known_keywords, several, time_limit
from ._motions import Motions
from ._progress import Line
from ._text import assignments, expression_text, name_of, number, positive, whole

if TYPE_CHECKING:
    from ._branches import Branches, Orbits
    from ._maps import ReturnMap
    from ._measures import Measures
    from ._plans import Plan
    from ._sweep import Sweep


class Exponents(NamedTuple):
    """Lyapunov exponents, the largest first, with their standard deviations; `halfway` the same after half of the time.

    Where all were asked for, `divergence` is the mean divergence, which their `sum` must be, and `kaplan_yorke` the dimension of
    an attractor; None where there is none. `megno` is the mean MEGNO, 2 for quasi-periodic motion; `log_gali` the logarithms of
    GALI_2, GALI_3, …, `sali` the smaller alignment index of two deviations. `blocks` are the finite-time exponents that the errors come
    from. `zeros` exponents must vanish, because of `zeros_from`: integrals, symmetries, the motion itself.
    """

    exponents: tuple[float, ...]
    halfway: tuple[float, ...]
    time: float
    steps: int
    errors: tuple[float, ...] = ()
    megno: float = float("nan")
    kaplan_yorke: Optional[float] = None
    divergence: Optional[float] = None
    log_gali: tuple[float, ...] = ()
    sali: Optional[float] = None
    blocks: tuple[tuple[float, ...], ...] = ()
    sum: float = float("nan")
    error_of_sum: float = float("nan")
    zeros: int = 0
    zeros_from: tuple[str, ...] = ()

    def __repr__(self) -> str:
        values = ", ".join(f"{x:.4g} ± {e:.1g}" for x, e in zip(self.exponents, self.errors))
        return f"<Exponents {values}; MEGNO {self.megno:.4g}, after t = {self.time:g}>"


class MeasuredOrder(NamedTuple):
    """A method of constant step on one motion: its order as claimed and as measured with `step` and half of it.

    `refused` says why it does not apply, otherwise it is None.
    """

    method: str
    claimed: int
    step: float
    error: float
    order: float
    energy_drift: float
    refused: Optional[str]


class Orders(Sequence[MeasuredOrder]):
    """What `Model.orders` measured, a row for each method; `str` is the table of the command line.

    >>> import rattleback as rb
    >>> table = rb.zoo("chaplygin-sleigh").orders(step=0.1, until=1)
    >>> row = next(row for row in table if row.method == "rk4")
    >>> row.claimed, abs(row.order - 4) < 0.5
    (4, True)
    """

    def __init__(self, rows: Any, text: str) -> None:
        self._rows, self._text = [MeasuredOrder(*row) for row in rows], text

    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Orders of {len(self)} methods>"

    def __reduce__(self) -> Any:
        return Orders, (self._rows, self._text)


def _following(vary: Any, low: Any, high: Any, start: Any, hold: Any, step: Any, points: Any, second: Any) -> Any:
    """What a branch is followed over, and from where."""
    first, last = number(low, "low"), number(high, "high")
    if first == last:
        raise ArgumentError("usage", "the range is empty", f"it goes from {first:g} to {last:g}", "give two different numbers")
    f = _core.Following()
    f.vary, f.low, f.high = expression_text(vary, "vary"), min(first, last), max(first, last)
    f.start, f.hold = assignments(start, "start"), [expression_text(e, "hold") for e in several(hold)]
    f.step, f.points = 0.0 if step is None else positive(step, "step"), whole(points, "points")
    if second is not None:
        if not isinstance(second, Mapping) or len(second) != 1:
            raise ArgumentError("usage", f"second names no parameter with its range: {second!r}", "", "write second={'delta': (0.1, 0.8)}")
        from ._figure import ranges_of
        (f.second, (f.second_low, f.second_high)), = ranges_of({name_of(k, "second"): pair for k, pair in second.items()})
        if f.second == f.vary:
            raise ArgumentError("usage", f"{f.vary} is varied twice", "", "give two different parameters")
    return f


class Studies(Motions):
    """What `Model` can do with many motions, and what it writes."""

    def sweep(self, axes: Mapping[str, Any], keep: Any = None, *, until: Any = None,
              initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None,
              samples: int = 1, seed: int = 1, method: str = "dop853", rtol: float = 1e-10,
              atol: Optional[float] = None, step: Optional[float] = None, project: bool = False,
              threads: Optional[int] = None, output: Optional[Union[str, "os.PathLike[str]"]] = None,
              resume: bool = False, refine: int = 0, differ: Optional[Mapping[str, float]] = None,
              timeout: Optional[float] = None, progress: bool = False, **unknown: Any) -> "Sweep":
        """Many motions: every combination of the values of the axes, parameters or initial values, on all cores.

        `keep` = {"turn": "final(theta)", "top": "max(x)", "reversals": "crossings(omega)", "when": "first(omega)"}; an
        axis may also be ("uniform", a, b) or ("normal", mean, deviation), drawn `samples` times. Kept are final, min, max, mean,
        crossings, reversals, first, period, attractor or basin of an expression, "at(E, G, K)", "rotation-number(ANGLE, G)",
        "lyapunov(K)" and "megno".

        `output`, a path that ends in .h5 or .csv, is written while the sweep runs. With `resume=True` a .h5 file that an
        interrupted sweep left is completed: what is there is read, the rest is computed.

        `refine=3` halves the spacing of one or two evenly spaced axes three times, only where neighbours differ in what is kept: by
        `differ` = {"turn": 0.1}, otherwise by a twentieth of its range. The arrays are then over the finest grid. Where `found["level"]` is
        nan a point was not computed: what is kept is interpolated there, and all the rest is nan.

        >>> import rattleback as rb
        >>> found = rb.zoo("chaplygin-sleigh").sweep({"a": [0.1, 0.2, 0.4], "omega": [0.5, 1]}, until=5)
        >>> found["theta"].shape
        (3, 2)
        """
        known_keywords(unknown, ["axes", "keep", "until", "initial", "params", "samples", "seed", "method", "rtol", "atol",
                         "step", "project", "threads", "output", "resume", "refine", "differ", "timeout", "progress"], "sweep()")
        from ._sweep import swept
        return swept(self._whole(), axes, keep, until=until, initial=initial, params=params, samples=samples, seed=seed,
                     method=method, rtol=rtol, atol=atol, step=step, project=project, threads=threads,
                     output=output, resume=resume, refine=refine, differ=differ, timeout=time_limit(timeout),
                     progress=Line(progress).callback())

    def linearise(self, at: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None,
                  progress: bool = False) -> SmallMotions:
        """Small motions about an equilibrium or a steady motion; what is not named is 0, unknown letters are symbols."""
        pairs = assignments(at, "at")
        handle = _core.linearise(self._asked, pairs, time_limit(timeout), Line(progress).callback())
        return SmallMotions(self._whole(), dict(pairs), handle)

    def lyapunov(self, count: Any = 1, *, until: Any = None, initial: Optional[Mapping[str, Any]] = None,
                 params: Optional[Mapping[str, Any]] = None, rtol: float = 1e-10, transient: float = 0, y0: Any = None,
                 project: bool = False, timeout: Optional[float] = None, progress: bool = False,
                 **unknown: Any) -> Exponents:
        """The `count` largest Lyapunov exponents of the motion, or 'all', with error bars, and the mean MEGNO.

        `transient` is how long the motion runs before anything is counted.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").lyapunov(2, until=50).exponents[0] < 0.2
        True
        """
        known_keywords(unknown, ["count", "until", "initial", "params", "rtol", "transient", "y0", "project", "timeout", "progress"],
               "lyapunov()")
        limit = time_limit(timeout)
        line = Line(progress).callback()
        flow, start, _ = self._started({"initial": initial, "params": params, "y0": y0, "project": project}, limit, True, line)
        length = positive((flow.until or 10.0) if until is None else until, "until")
        before = 0.0 if transient == 0 else positive(transient, "transient")
        found = _core.lyapunov(flow, start, length, 0 if isinstance(count, str) and count == "all" else whole(count, "count"),
                               positive(rtol, "rtol"), before, limit, line)
        if found["failure"] is not None:
            raise ArgumentError("motion-ends", f"the motion ends at t = {found['time']:.10g}", found["failure"],
                                "start elsewhere, or end before")
        return Exponents(tuple(found["exponents"]), tuple(found["halfway"]), found["time"], found["steps"],
                         tuple(found["errors"]), found["mean_megno"], found["kaplan_yorke"], found["divergence"],
                         tuple(found["log_gali"]), found["sali"], tuple(map(tuple, found["blocks"])), found["sum"],
                         found["error_of_sum"], found["neutral"][0], (*found["neutral"][1], *found["neutral"][2]))

    def branches(self, vary: Any, low: float, high: float, *, second: Optional[Mapping[str, Any]] = None,
                 start: Optional[Mapping[str, Any]] = None, hold: Any = (), params: Optional[Mapping[str, Any]] = None, step: Optional[float] = None, points: int = 400,
                 timeout: Optional[float] = None, progress: bool = False, **unknown: Any) -> "Branches":
        """Branches of steady motions (relative equilibria) over `vary` from `low` to `high`, a parameter or an expression of the state.

        They are followed by pseudo-arclength in both directions from the steady motion nearest to `start`; folds, changes of
        stability and branches that cross are found on the way. `hold` names expressions that keep their values. With a `second` parameter,
        such as {"delta": (0.1, 0.8)}, folds, Hopf points and collisions of frequencies are followed in both: `Branches.curves`.

        >>> import rattleback as rb
        >>> found = rb.zoo("rattleback").branches("Omega3", -6, 6, start={"Omega3": 2})
        >>> found[0].at.min() <= -5.9, len(found[0].events) > 0
        (True, True)
        """
        known_keywords(unknown, ["vary", "low", "high", "second", "start", "hold", "params", "step", "points", "timeout", "progress"], "branches()")
        from ._branches import Branches
        data = _core.branches(self._system_at(assignments(params, "params")), _following(vary, low, high, start, hold, step, points, second),
                              time_limit(timeout), Line(progress).callback())
        return Branches(self._whole(), data)

    def orbits(self, vary: Any, low: float, high: float, *, second: Optional[Mapping[str, Any]] = None,
               start: Optional[Mapping[str, Any]] = None, hopf: bool = False,
               period: Any = None, hold: Any = (), params: Optional[Mapping[str, Any]] = None, step: Optional[float] = None,
               points: int = 100, timeout: Optional[float] = None, progress: bool = False, **unknown: Any) -> "Orbits":
        """Branches of periodic motions, up to symmetries, over a parameter, an integral such as "energy", or "period".

        They begin at the one nearest to `start`, or with `hopf=True` at the first Hopf point of the branch of steady motions.
        `period` is about how long it is, otherwise the time after which the motion first comes back; for rates that depend on time
        exactly, an expression of the parameters. Floquet multipliers, folds, period doublings and tori are found on the way, and with a
        `second` parameter, such as {"a": (0, 1)}, followed in both: `Orbits.curves`.

        >>> import rattleback as rb
        >>> found = rb.zoo("cart-pendulum").orbits("period", 1, 4, points=10)
        >>> found[0].period.min() >= 1, found[0]["period"].shape == found[0].at.shape
        (True, True)
        """
        known_keywords(unknown, ["vary", "low", "high", "second", "start", "hopf", "period", "hold", "params", "step", "points", "timeout", "progress"],
               "orbits()")
        from ._branches import Orbits
        data = _core.orbits(self._system_at(assignments(params, "params")), _following(vary, low, high, start, hold, step, points, second),
                            bool(hopf), "" if period is None else expression_text(period, "period"), time_limit(timeout),
                            Line(progress).callback())
        return Orbits(self._whole(), data)

    def map(self, section: Any, *, direction: str = "up", level: Any = None, starts: int = 1, within: Optional[Mapping[str, Any]] = None,
            points: int = 300, cycle: Optional[int] = None, manifolds: Union[bool, float] = False, rotation: Optional[float] = None,
            longest: float = 1000, rtol: float = 1e-13, plane: Any = None, ranges: Optional[Mapping[str, Any]] = None,
            initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None, timeout: Optional[float] = None,
            progress: bool = False, **unknown: Any) -> "ReturnMap":
        """The return map of a Poincaré section, e.g. "theta = 0": `points` returns of each start.

        `level` = {"energy": 2} keeps to where an integral, by its name, or any function has the value; "energy" alone is that of the
        initial state. `starts` points are distributed over the level, drawn from the ranges `within` = {"x": (-1, 1)}. `cycle=k` looks
        for cycles of k returns, by Newton's method with the derivative of the map; `manifolds=True`, or a length, grows the stable and
        unstable curves of saddles; `rotation=r` computes rotation numbers up to the distance r from elliptic cycles. `plane` = "x:y"
        and `ranges` say what `ReturnMap.figure` shows. `longest` is the time after which a motion does not come back.

        >>> import rattleback as rb
        >>> found = rb.zoo("contact-oscillator").map("y = 0", level={"energy": 2}, starts=3, points=20)
        >>> len(found), found[0]["y"].shape, bool(abs(found[0]["y"]).max() < 1e-9)
        (3, (21,), True)
        """
        known_keywords(unknown, ["section", "direction", "level", "starts", "within", "points", "cycle", "manifolds", "rotation", "longest", "rtol",
                         "plane", "ranges", "initial", "params", "timeout", "progress"], "map()")
        from ._maps import ReturnMap, question
        asked_for = question(section, direction, level, starts, within, points, cycle, manifolds, rotation, longest, rtol, plane, ranges)
        system = self._system_at(assignments(params, "params"))
        return ReturnMap(self._whole(), _core.mapped(system, assignments(initial, "initial"), asked_for, time_limit(timeout), Line(progress).callback()))

    def measure(self, of: Any = None, *, until: float = 100, transient: float = 0, samples: int = 8192, window: str = "blackman-harris",
                covariant: Union[int, str, None] = None, volume: Optional[int] = None, width: float = 0.1, density: Any = None,
                initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None, timeout: Optional[float] = None,
                progress: bool = False, **unknown: Any) -> "Measures":
        """Order and chaos of a motion: of the quantity `of` its power spectrum and 0-1 test, of the reduced state the correlation
        dimension and recurrence; `covariant` Lyapunov vectors, a number of them or 'all'; the phase `volume` along so many motions.

        The motion is recorded `samples` times until `until`, after a `transient`. The starts of `volume` differ by `width`; a `density` is
        compared with the volume, and is that of an invariant measure where `PhaseVolume.violation` vanishes.

        >>> import rattleback as rb
        >>> found = rb.zoo("contact-oscillator").measure("x", until=100, samples=1000)
        >>> found.spectrum.power.sum().round(6), 0 <= found.zero_one < 0.5
        (1.0, True)
        """
        known_keywords(unknown, ["of", "until", "transient", "samples", "window", "covariant", "volume", "width", "density", "initial", "params",
                         "timeout", "progress"], "measure()")
        from ._measures import Measures, measuring
        asked_for = measuring(of, until, transient, samples, window, covariant, volume, width, density)
        limit, line = time_limit(timeout), Line(progress).callback()
        flow = self._flow(initial, params, limit)
        data = _core.measured(flow, list(flow.initial_state(True)), asked_for, limit, line)
        if data["covariant"] is not None and data["covariant"][5] is not None:
            raise ArgumentError("motion-ends", "there are no covariant vectors", data["covariant"][5], "measure a shorter time with until=")
        return Measures(self._whole(), data)

    def plan(self, to: Mapping[str, Any], *, duration: float = 5, pieces: int = 20, guesses: int = 12,
             initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None, timeout: Optional[float] = None,
             progress: bool = False, **unknown: Any) -> "Plan":
        """Inputs within their ranges that bring the system after `duration` to the values `to`, with locally least effort.

        The inputs are polygons of `pieces` pieces; the search starts from `guesses` guesses, the first of which is no input at all. A
        plan is found only where a run of its own, with the polygons as laws of the inputs, has reached the goals.

        >>> import rattleback as rb
        >>> cart = rb.System(space={"x": "R"}, lagrangian="x'^2/2", inputs={"u": {"about": "push", "range": [-10, 10]}},
        ...                  forces={"x": "u"}, initial={"x": 0, "x'": 0})
        >>> plan = cart.plan({"x": 1, "x'": 0}, duration=2)
        >>> plan.found, abs(plan.reached["x"] - 1) < 1e-6, bool(abs(plan["u"]).max() < 10)
        (True, True, True)
        """
        known_keywords(unknown, ["to", "duration", "pieces", "guesses", "initial", "params", "timeout", "progress"], "plan()")
        from ._plans import Plan
        goals = assignments(to, "to")
        if not goals:
            raise ArgumentError("usage", "a plan needs a goal", "", "write to={'x': 1}: values at the end of the motion")
        system = self._system_at(assignments(params, "params"))
        return Plan(self._whole(), _core.planned(system, assignments(initial, "initial"), goals, positive(duration, "duration"),
                                        whole(pieces, "pieces"), whole(guesses, "guesses"), time_limit(timeout), Line(progress).callback()))

    def report(self, path: Optional[Union[str, "os.PathLike[str]"]] = None, *, seconds: float = 120, coq: bool = False, fly: bool = False,
               timeout: Optional[float] = None, progress: bool = False) -> str:
        """One page with everything: model, equations, verdicts, a run, an animation. Written to `path`; returned as text.

        `seconds` is the computing time for the whole page; what takes more than its share is left open. With `coq=True` Coq's `coqc`, which must be installed, checks
        what is decided, and what it accepts is marked. With `fly=True` the run is one whose contacts open and close, with its phases and
        impacts.

        >>> import rattleback as rb
        >>> "<canvas" in rb.zoo("knife-edge").report(seconds=1)
        True
        """
        html = _core.report(self._moving, self._text, positive(seconds, "seconds"), bool(coq), bool(fly), time_limit(timeout),
                            Line(progress).callback())
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(html)
        return str(html)

    def orders(self, step: Optional[float] = None, until: Any = None, *,
               initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None,
               project: bool = False, timeout: Optional[float] = None, progress: bool = False) -> Orders:
        """Claimed beside measured order of every method of constant step on this motion."""
        limit = time_limit(timeout)
        line = Line(progress).callback()
        flow, start, _ = self._started({"initial": initial, "params": params, "project": project}, limit, progress=line)
        length = positive((flow.until or 10.0) if until is None else until, "until")
        found = _core.orders(flow, start, length, 0.0 if step is None else positive(step, "step"), limit, line)
        return Orders(found["rows"], found["text"])
