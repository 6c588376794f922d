"""Motions of a model: initial states, runs, sections and compiled rates."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from ._errors import ArgumentError, UnknownName, misspelt
from ._keywords import known_keywords, several, time_limit
from ._progress import Line
from ._text import assignments, expression_text, is_sympy, number, positive, whole

if TYPE_CHECKING:
    from ._figure import Figure
    from ._model import Model
    from ._rhs import Rhs
    from ._run import Section


_MOST_NUMBERS = 5e8  # of the states that a run keeps

# Methods that discretise the principle of d'Alembert or Hamel's equations step in independent speeds.
_LOCAL = ("dla", "dla-midpoint", "dla-reversible", "gni", "hamel", "discrete-gradient")


@functools.lru_cache(maxsize=1)
def steppers() -> dict[str, Any]:
    """(name, title, order, adaptive, rtol) of every method, by name."""
    return {row[0]: row for row in _core.steppers()}


_LONG_RATES = 150  # operations: the work for a Taylor series grows faster with them than that for stages


def _usual_method(flow: Any, rtol: Any) -> str:
    """What is used where no method is named."""
    return "dop853" if rtol is not None and flow.operations > _LONG_RATES and number(rtol, "rtol") >= 1e-13 else "taylor"


def _head(parameters: list[tuple[str, float]], settings: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was made, for files."""
    rtol = settings.rtol or steppers()[settings.method][4]
    return {"method": settings.method, "rtol": rtol, "atol": settings.atol or rtol / 100, "parameters": list(parameters),
            "events": list(data["event_names"]), "units": list(data["units"])}


def _event(given: Any) -> tuple[str, bool, int]:
    if isinstance(given, Mapping):
        extra = [k for k in given if k not in ("event", "terminal", "direction")]
        if extra or "event" not in given:
            raise ArgumentError("usage", f"an event has no key {extra[0]!r}" if extra else "an event has no 'event'",
                                "", 'write {"event": "x = 1", "terminal": True, "direction": 1}')
        direction = given.get("direction", 0)
        return (expression_text(given["event"], "events"), bool(given.get("terminal", False)),
                (direction > 0) - (direction < 0))
    if callable(given) and not is_sympy(given):
        raise ArgumentError("usage", "an event is an expression here, not a function",
                            "the motion runs in compiled code, which finds every crossing on its dense output",
                            'write "x = 1", or {"event": "x = 1", "terminal": True}')
    return expression_text(given, "events"), False, 0


class Motions:
    """What `Model` can do with numbers in one motion."""

    _text: str
    _file: str
    _system: Any
    _asked: Any
    _moving: Any
    _values: tuple[tuple[str, str], ...]
    _laws: tuple[tuple[str, str], ...]
    _flows: dict[Any, Any]
    _prepared: dict[Any, Any]
    _known_facts: dict[int, tuple[Any, list[str], list[tuple[str, float]]]]

    def _whole(self) -> "Model":
        """This as the model that it is a part of: results keep it."""
        return self  # type: ignore[return-value]

    def _system_at(self, values: list[tuple[str, str]]) -> Any:
        if not values:
            return self._moving
        return _core.read(self._text, self._file + ".toml", [
            *(p for p in self._values if p[0] not in dict(values)), *values], list(self._laws)).consistent()

    def _remembered(self, key: Any, make: Any) -> Any:
        """The last few flows are remembered."""
        found = self._flows.get(key)
        if found is None:
            found = make()
            while len(self._flows) >= 8:
                self._flows.pop(next(iter(self._flows)), None)
            self._flows[key] = found
        return found

    def _flow(self, initial: Optional[Mapping[str, Any]], params: Optional[Mapping[str, Any]],
              timeout: Optional[float] = None) -> Any:
        """The system as numbers move it, in its own speeds."""
        values, start = assignments(params, "params"), assignments(initial, "initial")
        return self._remembered((tuple(sorted(values)), tuple(sorted(start))),
                                lambda: _core.flow(self._system_at(values), start, timeout, None))

    def _facts(self, flow: Any) -> tuple[list[str], list[tuple[str, float]]]:
        """Names of the state and values of the parameters, asked for once for a flow."""
        found = self._known_facts.get(id(flow))
        if found is None:
            if len(self._known_facts) > 16:
                self._known_facts.clear()
            found = flow, list(flow.names), list(flow.parameters)  # the flow itself, so that its id stays its own
            self._known_facts[id(flow)] = found
        return found[1], found[2]

    def _started(self, request: Mapping[str, Any], timeout: Optional[float] = None, thorough: bool = False,
                 progress: Any = None) -> tuple[Any, list[float], list[str]]:
        """A flow, its first state, and notes: in all velocities where the model's speeds have a pole at the start."""
        initial, params, y0, project = request["initial"], request["params"], request.get("y0"), bool(request.get("project"))
        if y0 is not None:
            flow = self._flow(initial, params, timeout)
            return flow, self._state(flow, y0, project), []
        values, start = assignments(params, "params"), assignments(initial, "initial")
        method = request.get("method")
        local = method if method in _LOCAL else ""
        key = (tuple(sorted(values)), tuple(sorted(start)), project, local, thorough)
        made: tuple[Any, list[float], list[str]] = self._remembered(
            key, lambda: _core.started(self._system_at(values), start, project, local, thorough, timeout, progress))
        return made

    def _state(self, flow: Any, y0: Any, project: bool) -> list[float]:
        if y0 is None:
            return list(flow.initial_state(project))
        if project:
            raise ArgumentError("usage", "y0 and project do not go together", "y0 is in speeds that the constraints allow",
                                "leave project= out, or name values with initial=")
        import numpy as np
        y = np.asarray(y0)
        n = flow.dimension
        if y.dtype.kind not in "fiu" or y.shape != (n,):
            raise ArgumentError("shape-mismatch", f"y0 has the shape {y.shape} and dtype {y.dtype}",
                                f"a state has {n} numbers: {', '.join(flow.names)}", "or name values with initial=")
        if not np.isfinite(y).all():
            raise ArgumentError("usage", "y0 is not finite", "", "give finite numbers")
        y = y.astype(float)
        for q in flow.quaternions:
            length = float(np.linalg.norm(y[q:q + 4]))
            if abs(length - 1) > 1e-6:
                raise ArgumentError("usage", f"{', '.join(flow.names[q:q + 4])} is no unit quaternion",
                                    f"its length is {length:g}", "divide it by its length")
            y[q:q + 4] /= length
        return [float(v) for v in y]

    @property
    def state(self) -> tuple[str, ...]:
        """The variables of `y`: coordinates, unit quaternions for rotations, speeds."""
        return tuple(self._flow(None, None).names)

    def y0(self, initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None,
           project: bool = False) -> Any:
        """The initial state as an array: the model's values, with these in their place.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").y0({"u": 2})
        array([0. , 0. , 0. , 2. , 0.1])
        """
        import numpy as np
        flow = self._flow(initial, params)
        return np.array(flow.initial_state(bool(project)))

    def _settings(self, flow: Any, request: Mapping[str, Any]) -> Any:
        s = _core.Settings()
        until = request["until"]
        if isinstance(until, (tuple, list)):
            raise ArgumentError("usage", f"until is a time, not an interval: {until!r}", "a motion starts at t = 0",
                                f"write until={until[-1]!r}" if until else "write until=10")
        s.until = (flow.until or 10.0) if until is None else number(until, "until")
        if s.until == 0:
            raise ArgumentError("usage", "until is 0, no duration", "a motion starts at t = 0",
                                "give a positive time, or a negative one to run backwards")
        method = request["method"]
        if method is None:
            method = _usual_method(flow, request["rtol"])
        rows = steppers()
        if not isinstance(method, str) or method not in rows:
            elsewhere = {"rk45": "dop853", "rk23": "dop853", "dop853": "dop853", "radau": "radau5", "bdf": "cvode", "lsoda": "cvode"}
            near = elsewhere.get(str(method).lower())
            if near is not None:
                raise UnknownName("unknown-method", f"{method!r} is a method of SciPy", "", f"the nearest one here is {near!r}; the best is 'taylor'")
            raise misspelt("no method", method, rows, "unknown-method")
        adaptive = rows[method][3]
        for name in ("rtol", "atol"):
            if request[name] is not None:
                if not adaptive:
                    raise ArgumentError("usage", f"{name} is of no use here",
                                        f"{method} makes steps of constant length", "give step=")
                setattr(s, name, positive(request[name], name))
        if request["step"] is not None:
            if adaptive:
                raise ArgumentError("usage", "step is of no use here",
                                    f"{method} finds the length of its steps", "give rtol=")
            s.step = positive(request["step"], "step")
        s.method = method
        if request["events"] is not None:
            s.events = [_event(e) for e in several(request["events"])]
        if request["stop_at_lift_off"]:
            s.stop_at_lift_off = True
        if request["stop_at_lift_off"] and not self._system.has_contacts:
            raise ArgumentError("usage", "nothing in this model can lift off",
                                "it has no [contacts], whose normal forces would say so",
                                "describe the bodies and what they touch")
        search = request["search"]
        s.search = -1.0 if search is True else 0.0 if search is False else number(search, "search")
        return s

    def _times(self, flow: Any, s: Any, request: Mapping[str, Any]) -> None:
        t_eval = request["t_eval"]
        if t_eval is None:
            s.samples = whole(request["samples"], "samples", 2)
            if s.samples * flow.dimension > _MOST_NUMBERS:
                raise ArgumentError("usage", f"{s.samples} samples do not fit into memory", f"a state has {flow.dimension} numbers",
                                    "keep fewer; `sol` has the state at any time")
            return
        import numpy as np
        times = np.asarray(t_eval)
        if times.dtype.kind not in "fiu" or times.ndim != 1 or times.size == 0 or not np.isfinite(times).all():
            raise ArgumentError("usage", "t_eval must be a row of finite numbers",
                                f"its shape is {times.shape}, its dtype {times.dtype}", "write np.linspace(0, 20, 201)")
        sign = 1 if s.until > 0 else -1
        if (np.diff(times) * sign <= 0).any() or times[0] * sign < 0 or times[-1] * sign > s.until * sign:
            raise ArgumentError("usage", f"t_eval must {'increase' if sign > 0 else 'decrease'} within 0 … {s.until:g}", "",
                                "sort it, drop what is twice, or give until=")
        s.times = times.astype(float).tolist()

    def simulate(self, until: Any = None, initial: Optional[Mapping[str, Any]] = None,
                 params: Optional[Mapping[str, Any]] = None, *, t_eval: Any = None, samples: int = 1001,
                 events: Any = None, rtol: Optional[float] = None, atol: Optional[float] = None,
                 method: Optional[str] = None, step: Optional[float] = None, y0: Any = None, project: bool = False,
                 search: Any = True, stop_at_lift_off: bool = False, fly: Union[bool, str] = False, precision: Any = None,
                 timeout: Optional[float] = None, progress: bool = False, **unknown: Any) -> Any:
        """One motion. Names as in SciPy's solve_ivp, and those of the model in `initial` and `params`.

        A negative `until` runs backwards in time. An initial value "~0.5" is a guess that the constraints correct.
        `events` are expressions, e.g. "x = 1", "slip" for every contact with friction, or dicts {"event": "x = 1", "terminal": True, "direction": 1}.
        `t_eval` are the times of the samples, otherwise `samples` equally spaced ones. `search=False` looks for no
        integrals, whose drift is then not reported. `project=True` drops what the constraints forbid of an initial velocity.
        Without a `method` it is 'taylor', at the accuracy of the numbers; where a tolerance is given and the rates are long, 'dop853', which
        reaches it with less work. `precision`, a number of bits, 'dd' or 'long-double', computes in more digits and returns a `PreciseRun`.

        With `fly=True` a contact whose normal force vanishes opens, flies, and lands where its gap closes, with the `restitution` and
        `friction` of the contact; `fly="start"` begins in flight, from an initial state of free bodies. `Run.phases` and `Run.impacts`
        then say what happened; the state is that of free bodies.

        >>> import rattleback as rb
        >>> run = rb.zoo("chaplygin-sleigh").simulate(until=10, initial={"u": 1, "omega": 0.5}, events="theta = 0.5")
        >>> [round(float(t), 3) for t in run.t_events[0]]
        [2.012]
        """
        if unknown:
            known_keywords(unknown, ["until", "initial", "params", "t_eval", "samples", "events", "rtol", "atol", "method", "step",
                             "y0", "project", "search", "stop_at_lift_off", "fly", "precision", "timeout", "progress"],
                   "simulate()")
        # Runs of the model's own values are made by the thousand: what they need besides is kept.
        key: Any = None
        if initial is None and params is None and y0 is None and t_eval is None and precision is None and fly is False and not progress \
                and timeout is None and (events is None or type(events) is str):
            given = (until, samples, events, rtol, atol, method, step, project, search, stop_at_lift_off)
            key = given, tuple(map(type, given))
            try:
                found = self._prepared.get(key)
            except TypeError:  # not hashable: refused below
                key = found = None
            if found is not None:
                return self._run_again(found)
        request = {"until": until, "initial": initial, "params": params, "t_eval": t_eval, "samples": samples,
                   "events": events, "rtol": rtol, "atol": atol, "method": method, "step": step,
                   "y0": y0, "project": bool(project), "search": search, "stop_at_lift_off": stop_at_lift_off}
        from ._run import Run
        limit = time_limit(timeout)
        line = Line(progress).callback() if progress else None
        if fly is not False and fly is not None:
            return self._fly({**request, "fly": fly}, precision, limit, line)
        flow, start, notes = self._started(request, limit, progress=line)
        settings = self._settings(flow, request)
        self._times(flow, settings, request)
        if precision is not None:
            return self._precise(flow, start, settings, precision, request, limit, line)
        data = _core.simulate(flow, start, settings, limit, line)
        names, parameters = self._facts(flow)
        facts = {"until": settings.until, "y0": start, "params": dict(parameters), "state_names": names,
                 "event_count": len(data["event_names"]), "head": _head(parameters, settings, data)}
        if key is not None:
            if len(self._prepared) > 50:
                self._prepared.clear()
            self._prepared[key] = flow, start, notes, settings, request, facts, Run
        data.update(facts, notes=[*notes, *data["notes"]])
        return Run(self._whole(), request, data)

    def _run_again(self, prepared: Any) -> Any:
        """A run as one before."""
        flow, start, notes, settings, request, facts, run = prepared
        data = _core.simulate(flow, start, settings, None, None)
        data.update(facts, notes=[*notes, *data["notes"]])
        return run(self._whole(), request, data)

    def _flying(self, request: Mapping[str, Any], limit: Optional[float] = None, line: Any = None) -> Any:
        """A motion whose contacts open and close, ready to start."""
        fly, project = request["fly"], bool(request["project"])
        if fly is not True and fly != "start":
            raise ArgumentError("usage", f"fly is {fly!r}", "it says how a motion goes on that leaves a contact",
                                'write fly=True, or fly="start" for a motion that begins in flight')
        values, start = assignments(request["params"], "params"), assignments(request["initial"], "initial")
        key = ("fly", tuple(sorted(values)), tuple(sorted(start)), project, fly)
        return self._remembered(key, lambda: _core.flying(self._system_at(values), start, project, fly == "start", limit, line))

    def _fly(self, request: Mapping[str, Any], precision: Any, limit: Optional[float], line: Any) -> Any:
        for name, given in (("y0", request["y0"] is not None), ("precision", precision is not None),
                            ("stop_at_lift_off", request["stop_at_lift_off"])):
            if given:
                raise ArgumentError("usage", f"fly and {name} do not go together", "a motion that flies has other equations in each phase",
                                    "leave one of them out")
        from ._run import Run
        flying = self._flying(request, limit, line)
        flow = flying.flow
        settings = self._settings(flow, request)
        if settings.until < 0:
            raise ArgumentError("usage", "flight runs forwards only", "impacts lose energy, so that the past is not determined",
                                "give a positive until=")
        self._times(flow, settings, request)
        data = _core.fly(flying, settings, limit, line)
        names, parameters = self._facts(flow)
        data.update(until=settings.until, y0=flying.state, params=dict(parameters), state_names=names,
                    event_count=len(data["event_names"]), head=_head(parameters, settings, data),
                    notes=[*flying.notes, *data["notes"]])
        return Run(self._whole(), request, data)

    def _precise(self, flow: Any, start: list[float], settings: Any, precision: Any, request: Mapping[str, Any],
                 limit: Optional[float], line: Any) -> Any:
        for name in ("t_eval", "events", "rtol", "atol", "y0"):
            if request[name] is not None:
                raise ArgumentError("usage", f"precision and {name} do not go together",
                                    "more digits are for the motion itself, from exact initial values, at the tolerance that they carry",
                                    "leave one of them out")
        from ._run import PreciseRun
        text = str(whole(precision, "precision")) if isinstance(precision, int) else str(precision)
        return PreciseRun(self._whole(), text, _core.precise(flow, start, settings, text, limit, line))

    def _dense(self, request: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
        if request.get("fly"):
            raise ArgumentError("usage", "a motion that flies has no sol", "its velocities jump at impacts",
                                "give the times of the samples with t_eval=")
        flow, _, _ = self._started(request)
        return _core.dense(flow, data["y0"], self._settings(flow, request), data["end"], None)

    def _film(self, request: Mapping[str, Any], data: Mapping[str, Any], frames: Any) -> str:
        flying = self._flying(request) if request.get("fly") else None
        flow = flying.flow if flying else self._started(request)[0]
        settings = self._settings(flow, {**request, "events": None, "until": data["end"]})
        settings.samples = (int(min(max(30 * abs(data["end"]), 100), 1200)) + 1) if frames is None else whole(frames, "frames", 2)
        return str(_core.flight_page(flying, settings, None) if flying else _core.film(flow, data["y0"], settings, None))

    def _figure(self, request: Mapping[str, Any], data: Mapping[str, Any], section: Any, panels: Sequence[str], ranges: Any, log: Any,
                title: Optional[str], size: Any, style: str, timeout: Any, progress: bool, unknown: Mapping[str, Any]) -> "Figure":
        known_keywords(unknown, ["ranges", "log", "title", "size", "style", "timeout", "progress"], "figure()")
        from ._figure import Figure, ranges_of
        asked = [expression_text(p, "a panel") for p in panels]
        axes = [expression_text(name, "log") for name in several(log)]
        chosen = ranges_of(ranges)
        if not asked and (chosen or axes):
            raise ArgumentError("usage", "ranges and log belong to chosen panels", "the panels are chosen by the program",
                                'say what to draw: figure("x:y")')
        Figure("", [], size, style)  # refuses a wrong size before the work
        flying = self._flying(request) if request.get("fly") else None
        flow = flying.flow if flying else self._started(request)[0]
        settings = self._settings(flow, request)
        if section is not None:
            settings.section, settings.points = section
        if flying:
            drawn = _core.flight_panels(flying, settings, asked, chosen, axes, time_limit(timeout), Line(progress).callback())
            return Figure(self._whole()._heading if title is None else title, drawn, size, style)
        drawn = _core.run_panels(flow, data["y0"], settings, asked, chosen, axes, time_limit(timeout), Line(progress).callback())
        return Figure(self._whole()._heading if title is None else title, drawn, size, style)

    def section(self, at: Any, points: int = 1000, *, direction: str = "up", until: Any = None,
                initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None,
                rtol: Optional[float] = None, atol: Optional[float] = None, method: str = "taylor",
                step: Optional[float] = None, y0: Any = None, project: bool = False,
                timeout: Optional[float] = None, progress: bool = False, **unknown: Any) -> "Section":
        """Points of a Poincaré section: states at which `at` crosses zero, e.g. "y = 0"; `direction` up, down or both.

        The motion ends with `points` of them, or at `until`.
        """
        known_keywords(unknown, ["at", "points", "direction", "until", "initial", "params", "rtol", "atol", "method", "step",
                         "y0", "project", "timeout", "progress"], "section()")
        ways = {"up": 1, "down": -1, "both": 0}
        if direction not in ways:
            raise misspelt("no direction", direction, ways)
        from ._run import Section
        limit = time_limit(timeout)
        request = {"until": 1e9 if until is None else until, "events": None, "rtol": rtol, "atol": atol,
                   "method": method, "step": step, "search": False, "stop_at_lift_off": False,
                   "initial": initial, "params": params, "y0": y0, "project": bool(project)}
        line = Line(progress).callback()
        flow, start, _ = self._started(request, limit, progress=line)
        settings = self._settings(flow, request)
        text = expression_text(at, "at")
        settings.section = (text, False, ways[direction])
        settings.points = whole(points, "points")
        data = _core.simulate(flow, start, settings, limit, line)
        if data["timed_out"] and limit is not None:
            from ._errors import timeout as _timeout
            raise _timeout(limit)
        if data["failure"] is not None and not len(data["section_t"]):
            raise ArgumentError("motion-ends", f"the motion ends at t = {data['end']:.10g} before it meets the section",
                                data["failure"], "look at the state there with simulate()")
        names, parameters = self._facts(flow)
        data.update(state_names=names, head=_head(parameters, settings, data), direction=ways[direction],
                    made={"request": request, "y0": start, "section": (settings.section, settings.points)})
        return Section(self._whole(), text, data)

    def rhs(self, params: Optional[Mapping[str, Any]] = None, initial: Optional[Mapping[str, Any]] = None) -> "Rhs":
        """The compiled right-hand side f(t, y), with f.jacobian(t, y); also for arrays (n, k) of k states.

        >>> import rattleback as rb
        >>> m = rb.zoo("chaplygin-sleigh")
        >>> f = m.rhs()
        >>> f(0, m.y0())
        array([-1.        , -0.        ,  0.1       ,  0.005     ,  0.07692308])
        """
        from ._rhs import Rhs
        return Rhs(self._whole(), params, initial)

    def jacobian(self, t: float, y: Any, params: Optional[Mapping[str, Any]] = None) -> Any:
        """∂f/∂y at a state, exactly: (n, n), or (n, n, k) for k states."""
        return self.rhs(params).jacobian(t, y)
