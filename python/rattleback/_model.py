"""Models: everything that can be asked of a system."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from ._equations import Equations, SmallMotions
from ._errors import ArgumentError, DoesNotApply, Issue, UnknownName, misspelt
from ._errors import issue as _issue
from ._expression import Expression, Named
from ._progress import Line
from ._text import assignments, expression_text, is_sympy, name_of, number, positive, whole
from ._verdict import Doubt, Verdict, Verdicts

if TYPE_CHECKING:
    from ._branches import Branches, Orbits
    from ._figure import Figure
    from ._maps import ReturnMap
    from ._measures import Measures
    from ._plans import Plan
    from ._run import Run, Section
    from ._rhs import Rhs
    from ._sweep import Sweep


class Parameter(NamedTuple):
    """A parameter of a model: its name, its exact value as text (None without one), whether it is positive, what it is."""

    name: str
    value: Optional[str]
    positive: bool
    about: str


class JointFinding(NamedTuple):
    """A joint as `check` understood it: its coordinates, or the conditions on positions where it closes a loop.

    `satisfied` counts conditions that hold in every position and are left out.
    """

    name: str
    kind: str
    parent: str
    child: str
    coordinates: list[str]
    closes_loop: bool
    conditions: list[str]
    satisfied: int


class Findings(Sequence[Issue]):
    """What `check` found: a sequence of warnings and errors; `str` is what the command line prints.

    `joints` are those of a machine, `open` the parts that took longer than their time.

    >>> import rattleback as rb
    >>> found = rb.zoo("chaplygin-sleigh").check()
    >>> found
    <Findings: 2 degrees of freedom, no issues>
    >>> found.dof, found.growth_vector
    (2, (2, 3))
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)
        self.errors = [_issue("error", *e) for e in data["problems"]]
        self.warnings = [_issue("warning", *w) for w in data["warnings"]]
        self.dimension: int = data["dimension"]
        self.rank: int = data["rank"]
        self.dof: int = data["dof"]
        self.growth_vector: tuple[int, ...] = tuple(data["growth_vector"])
        self.joints = [JointFinding(*j) for j in data["joints"]]
        self.open: list[str] = list(data["open"])
        self.constraints: dict[str, str] = {name: f"{writing}, {effect}"
                                            for name, writing, effect, _ in data["constraints"]}

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    def __getitem__(self, index: Any) -> Any:
        return [*self.errors, *self.warnings][index]

    def __len__(self) -> int:
        return len(self.errors) + len(self.warnings)

    def __str__(self) -> str:
        return "".join([self._data["text"], *(issue.text for issue in self)])

    def __repr__(self) -> str:
        issues = ", ".join(repr(i) for i in self) or "no issues"
        return f"<Findings: {self.dof} degrees of freedom, {issues}>"

    def __reduce__(self) -> Any:
        return Findings, (self._data,)


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


# Keywords of other packages, and what they are here.
_ELSEWHERE = {"until": ("t_span", "tspan", "t_end", "tend", "t_final", "tf", "tmax", "t_max", "time", "duration", "T"),
              "initial": ("ic", "init", "initial_conditions", "initial_state", "x0", "q0", "start"),
              "params": ("parameters", "args", "p", "constants", "values"), "step": ("dt", "h", "max_step", "first_step"),
              "rtol": ("tol", "tolerance", "reltol"), "atol": ("abstol",), "method": ("solver", "integrator", "stepper"),
              "samples": ("num", "n", "steps", "n_samples"), "points": ("n", "num", "count"), "t_eval": ("ts", "times", "saveat", "t")}


def _known(keywords: Mapping[str, Any], known: Sequence[str], call: str) -> None:
    """Refuses misspelt keywords, and those of other packages, with a suggestion."""
    for name in keywords:
        near = [own for own, others in _ELSEWHERE.items() if own in known and name in others] or _core.nearest(name, list(known))
        fix = f"did you mean {near[0]}=?" if near else f"it takes {', '.join(known)}"
        raise TypeError(f"{call} has no keyword {name!r}; {fix}")


def _short(names: Sequence[str]) -> str:
    """The names, or the first of many."""
    return ", ".join(names if len(names) < 12 else [*names[:8], f"… {len(names) - 8} more"])


def _limit(timeout: Any) -> Optional[float]:
    return None if timeout is None else positive(timeout, "timeout")


class Model:
    """A mechanical system, from the text of a model file. See `load`, `zoo` and `System` for other ways to make one.

    >>> import rattleback as rb
    >>> m = rb.Model('''
    ... lagrangian = "m/2*(x'^2 + y'^2)"
    ... [space]
    ... x = "R"
    ... y = "R"
    ... [parameters]
    ... m = { value = 1, positive = true }
    ... ''', name="particle")
    >>> m
    <Model particle: x, y; m = 1>
    """

    def __init__(self, text: str, name: str = "model", params: Optional[Mapping[str, Any]] = None,
                 inputs: Optional[Mapping[str, Any]] = None) -> None:
        if not isinstance(text, str):
            raise ArgumentError("usage", f"a model is text, not {type(text).__name__}", "",
                                "use rb.load(path) for a file, rb.System(...) to build one")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as wrong:
            raise ArgumentError("invalid-utf8", "the text of a model is UTF-8", str(wrong), "leave such characters out") from None
        self._text, self._file = text, str(name)
        self._values: tuple[tuple[str, str], ...] = tuple(assignments(params, "params"))
        self._laws: tuple[tuple[str, str], ...] = tuple(assignments(inputs, "inputs"))
        file = self._file if self._file.endswith(".toml") else self._file + ".toml"
        self._system = _core.read(text, file, list(self._values), list(self._laws))
        self._asked_system: Any = None
        self._flows: dict[Any, Any] = {}
        self._prepared: dict[Any, Any] = {}
        self._known_facts: dict[int, tuple[Any, list[str], list[tuple[str, float]]]] = {}
        self.ignored: list[str] = []

    # What it is.

    @property
    def text(self) -> str:
        """The model as a file would have it."""
        return self._text

    @property
    def name(self) -> str:
        """The name of the file, without folder and ending."""
        return str(self._system.name)

    @property
    def title(self) -> str:
        """The title, or the name where there is none."""
        return str(self._system.title or self._system.name)

    @property
    def _heading(self) -> str:
        """Above figures: the title, nothing where there is none."""
        return str(self._system.title)

    @property
    def references(self) -> list[str]:
        """The literature that the model quotes."""
        return list(self._system.references)

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters, by name."""
        return {p[0]: Parameter(*p) for p in self._system.parameters}

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The functions of the configuration: coordinates, entries of rotation matrices."""
        return tuple(self._system.names["coordinates"])

    @property
    def velocities(self) -> tuple[str, ...]:
        """The velocities: x', or those of a group's frame."""
        return tuple(self._system.names["velocities"])

    @property
    def speeds(self) -> tuple[str, ...]:
        """The quasi-velocities that the model names."""
        return tuple(self._system.names["quasi_velocities"])

    @property
    def lagrangian(self) -> Expression:
        """The Lagrangian, with the energies of the bodies."""
        return Expression(self._system.lagrangian)

    @property
    def constraints(self) -> Named:
        """The constraints: each expression is 0."""
        return Named((name, Expression(e)) for name, e in self._system.constraints)

    @property
    def initial(self) -> dict[str, str]:
        """The initial values that the model gives, as text."""
        return dict(self._system.initial)

    def set(self, **values: Any) -> "Model":
        """The model with parameters at these exact values, which are put in place of their letters everywhere.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").set(a=0).analyze("invariant-measure").outcome
        'proved'
        """
        made = {**dict(self._values), **{name: expression_text(v, name) for name, v in values.items()}}
        return Model(self._text, self._file, made, dict(self._laws))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The control inputs that the model names."""
        return tuple(self._system.inputs)

    def with_inputs(self, **laws: Any) -> "Model":
        """The model whose control inputs follow these laws in runs: expressions of `t` and the state, or names of .csv tables.

        >>> import rattleback as rb
        >>> motor = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + 9*cos(theta)", inputs={"tau": {"about": "motor"}},
        ...                   forces={"theta": "tau"}, initial={"theta": 1, "theta'": 0})
        >>> abs(motor.with_inputs(tau="-3*theta'").simulate(until=20).final["theta"]) < 1e-6
        True
        """
        made = {**dict(self._laws), **{name: expression_text(v, name) for name, v in laws.items()}}
        return Model(self._text, self._file, dict(self._values), made)

    def __repr__(self) -> str:
        values = _short([f"{p.name} = {p.value}" for p in self.parameters.values() if p.value is not None])
        return f"<Model {self.name}: {_short(self.coordinates) or 'a Lie algebra'}{'; ' + values if values else ''}>"

    def _repr_latex_(self) -> Optional[str]:
        """The Lagrangian and the constraints; None where they would fill pages."""
        rows = [f"L &= {self.lagrangian.latex}", *(f"0 &= {e.latex}" for e in self.constraints.values())]
        if sum(map(len, rows)) > 4000:
            return None
        return "$\\displaystyle \\begin{aligned}" + " \\\\ ".join(rows) + "\\end{aligned}$"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Any:
        return self._text, self._file, self._values, self._laws

    def __reduce__(self) -> Any:
        return Model, (self._text, self._file, dict(self._values), dict(self._laws))

    def _kind_of(self, name: str) -> str:
        """'line' for coordinates that are lengths: pictures of two of them have equal units."""
        lines = self._text.splitlines()
        return "line" if any(line.replace(" ", "").startswith((f'{name}="R"', f"{name}='R'")) for line in lines) else ""

    # What it says.

    @property
    def _asked(self) -> Any:
        """The system that questions are about: its constraints are possible, and none follows from the others."""
        if self._asked_system is None:
            self._asked_system = self._system.possible()
        return self._asked_system

    def check(self, timeout: Optional[float] = None, *, seconds: float = 10, progress: bool = False) -> Findings:
        """Dimensions, kinds of constraints, regularity, joints, and what is doubtful or impossible.

        `seconds` is the computing time for each part; what takes longer is left open.

        >>> import rattleback as rb
        >>> for issue in rb.zoo("chaplygin-sleigh").check():
        ...     print(issue.slug, issue.line, issue.column, issue.why, issue.fix)
        """
        return Findings(_core.check(self._system, self._text, self._file + ".toml", positive(seconds, "seconds"),
                                    _limit(timeout), Line(progress).callback()))

    def derive(self, form: Optional[str] = None, *, timeout: Optional[float] = None, progress: bool = False) -> Equations:
        """The equations of motion in a classical form; Hamel's when none is named. `rb.forms` lists them.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").derive("gibbs-appell").rates["u"]
        a*omega^2
        """
        try:
            handle = _core.derive(self._asked, form, False, _limit(timeout), Line(progress).callback())
        except ArgumentError as error:
            # "lagrange": of the titles, that of Lagrange's equations with multipliers.
            near = [name for name, title, _ in _core.forms() if isinstance(form, str) and len(form) > 3 and title.lower().startswith(form.lower())]
            if error.slug != "unknown-form" or not near:
                raise
            raise UnknownName(error.slug, error.summary, error.why, f"did you mean {near[0]!r}?") from None
        return Equations(self, handle)

    def derivations(self, forms: Optional[Sequence[str]] = None, *, timeout: Optional[float] = None,
                    progress: bool = False) -> list[Equations]:
        """The equations in every classical form that applies, or in these. `agreement` proves that they describe one motion.

        >>> import rattleback as rb
        >>> [eq.form for eq in rb.zoo("chaplygin-sleigh").derivations(["hamel", "voronets"])]
        ['hamel', 'voronets']
        """
        if isinstance(forms, str):
            raise ArgumentError("usage", "derivations takes several forms", "", "write ['hamel', 'voronets'], or derive('hamel')")
        if forms is not None:
            return [self.derive(name, timeout=timeout, progress=progress) for name in forms]
        found = []
        for name, _, _ in _core.forms():
            try:
                found.append(self.derive(name, timeout=timeout, progress=progress))
            except DoesNotApply:
                continue
        return found

    def agreement(self, forms: Optional[Sequence[str]] = None, *, timeout: Optional[float] = None,
                  progress: bool = False) -> Verdict:
        """Do the classical forms describe one motion? All that apply, or these.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").agreement(["hamel", "gibbs-appell"]).outcome
        'proved'
        """
        if isinstance(forms, str):
            raise ArgumentError("usage", "an agreement needs several forms", "", "write ['hamel', 'gibbs-appell']")
        wanted = [name for name, _, _ in _core.forms()] if forms is None else list(forms)
        if len(wanted) < 2 or not all(isinstance(name, str) for name in wanted):
            raise ArgumentError("usage", "an agreement needs several forms", "", "write ['hamel', 'gibbs-appell']")
        found = _core.agreement(self._asked, wanted, _limit(timeout), Line(progress).callback())
        absent = {name: why for name, why in found["absent"]}
        if "motion" not in found:
            return Verdict({"question": "agreement", "outcome": "does not apply", "evidence": "does not apply",
                            "why": [f"{name} does not apply: {why}" for name, why in absent.items()],
                            "answer": {"forms": list(found["forms"]), "absent": absent},
                            "text": "agreement: does not apply\n"})
        motion = found["motion"]
        why = [found["difference"]] if found["difference"] else []
        return Verdict({**motion, "question": "agreement", "why": [*why, found["balance_of"]],
                        "answer": {"forms": list(found["forms"]), "absent": absent,
                                   "energy_balance": found["balance"]["outcome"]},
                        "text": found["text"]})

    def analyze(self, question: Union[str, Sequence[str], None] = None, *, timeout: float = 60, coq: bool = False,
                progress: bool = False) -> Any:
        """The verdict on a question; on several, or on all when none is named, `Verdicts`. `rb.questions` lists them.

        `timeout` is the computing time for each question, in seconds: what takes longer is undecided. With `coq=True` Coq's `coqc`,
        which must be installed, checks what is decided; `Verdict.checked_by` is its name where it accepts the theorem.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").analyze("energy").outcome
        'proved'
        """
        one = isinstance(question, str)
        names = [str(question)] if one else [name for name, _ in _core.questions()] if question is None else \
            list(question) if isinstance(question, Iterable) else []
        if not names or not all(isinstance(name, str) for name in names):
            raise ArgumentError("unknown-question", f"{question!r} names no question", "",
                                "write one such as 'energy', or a list of them")
        found = _core.analyze(self._asked, names, positive(timeout, "timeout"), bool(coq), Line(progress).callback())
        verdicts = [Verdict(data) for data in found]
        return verdicts[0] if one else Verdicts(verdicts)

    def prove(self, *, timeout: float = 60, progress: bool = False, **claim: Any) -> Verdict:
        """Decides a claim of your own, one at a time; expressions are text or SymPy's.

        `conserved=`, `zero=`, `measure=`, `multiplier=`, `lagrangian=`, `hessian=`, `integral_of=` take an expression,
        `symmetry=` a field such as "x = -y, y = x, theta = 1" or a dict, `agrees=` two forms.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").prove(conserved="m*u^2 + (J + m*a^2)*omega^2")
        <Verdict conserved m*u^2 + (J + m*a^2)*omega^2: proved>
        """
        kinds = {kind.replace("-", "_"): kind for kind in _core.claims()}
        unknown = {name: None for name in claim if name not in kinds}
        _known(unknown, [*kinds, "timeout", "progress"], "prove()")
        if len(claim) != 1:
            raise TypeError("prove() decides one claim at a time, such as prove(conserved=\"theta'\")")
        (name, given), = claim.items()
        if name == "symmetry" and isinstance(given, Mapping):
            given = ", ".join(f"{k} = {v}" for k, v in assignments(given, "symmetry"))
        elif name == "agrees" and not isinstance(given, str):
            given = ",".join(str(form) for form in given)
        text = expression_text(given, name)
        return Verdict(_core.prove(self._asked, kinds[name], text, positive(timeout, "timeout"),
                                   Line(progress).callback()))

    def doubt(self, questions: Optional[Sequence[str]] = None, *, seconds: float = 20, seed: int = 1,
              timeout: Optional[float] = None, progress: bool = False) -> list[Doubt]:
        """Tries to break every statement about the model, or the answers to these questions, by means that share no code with their
        proofs: motions in 32 digits, numerical divergence and ranks, other parameter values, other descriptions.

        >>> import rattleback as rb
        >>> {d.result for d in rb.zoo("chaplygin-sleigh").doubt(["energy"])} <= {"stands", "not tried"}
        True
        """
        found = _core.doubt(self._asked, self._text, asked(questions), positive(seconds, "seconds"), whole(seed, "seed", 0),
                            _limit(timeout), Line(progress).callback())
        return [Doubt(*row) for row in found]

    # Numbers.

    def _system_at(self, values: list[tuple[str, str]]) -> Any:
        if not values:
            return self._asked
        return _core.read(self._text, self._file + ".toml", [
            *(p for p in self._values if p[0] not in dict(values)), *values], list(self._laws)).possible()

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
            s.events = [_event(e) for e in _several(request["events"])]
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
            _known(unknown, ["until", "initial", "params", "t_eval", "samples", "events", "rtol", "atol", "method", "step",
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
        limit = _limit(timeout)
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
        return Run(self, request, data)

    def _run_again(self, prepared: Any) -> Any:
        """A run as one before."""
        flow, start, notes, settings, request, facts, run = prepared
        data = _core.simulate(flow, start, settings, None, None)
        data.update(facts, notes=[*notes, *data["notes"]])
        return run(self, request, data)

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
        return Run(self, request, data)

    def _precise(self, flow: Any, start: list[float], settings: Any, precision: Any, request: Mapping[str, Any],
                 limit: Optional[float], line: Any) -> Any:
        for name in ("t_eval", "events", "rtol", "atol", "y0"):
            if request[name] is not None:
                raise ArgumentError("usage", f"precision and {name} do not go together",
                                    "more digits are for the motion itself, from exact initial values, at the tolerance that they carry",
                                    "leave one of them out")
        from ._run import PreciseRun
        text = str(whole(precision, "precision")) if isinstance(precision, int) else str(precision)
        return PreciseRun(self, text, _core.precise(flow, start, settings, text, limit, line))

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
        _known(unknown, ["ranges", "log", "title", "size", "style", "timeout", "progress"], "figure()")
        from ._figure import Figure, ranges_of
        asked = [expression_text(p, "a panel") for p in panels]
        axes = [expression_text(name, "log") for name in _several(log)]
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
            drawn = _core.flight_panels(flying, settings, asked, chosen, axes, _limit(timeout), Line(progress).callback())
            return Figure(self._heading if title is None else title, drawn, size, style)
        drawn = _core.run_panels(flow, data["y0"], settings, asked, chosen, axes, _limit(timeout), Line(progress).callback())
        return Figure(self._heading if title is None else title, drawn, size, style)

    def section(self, at: Any, points: int = 1000, *, direction: str = "up", until: Any = None,
                initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None,
                rtol: Optional[float] = None, atol: Optional[float] = None, method: str = "taylor",
                step: Optional[float] = None, y0: Any = None, project: bool = False,
                timeout: Optional[float] = None, progress: bool = False, **unknown: Any) -> "Section":
        """Points of a Poincaré section: states at which `at` crosses zero, e.g. "y = 0"; `direction` up, down or both.

        The motion ends with `points` of them, or at `until`.
        """
        _known(unknown, ["at", "points", "direction", "until", "initial", "params", "rtol", "atol", "method", "step",
                         "y0", "project", "timeout", "progress"], "section()")
        ways = {"up": 1, "down": -1, "both": 0}
        if direction not in ways:
            raise misspelt("no direction", direction, ways)
        from ._run import Section
        limit = _limit(timeout)
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
        return Section(self, text, data)

    def rhs(self, params: Optional[Mapping[str, Any]] = None, initial: Optional[Mapping[str, Any]] = None) -> "Rhs":
        """The compiled right-hand side f(t, y), with f.jacobian(t, y); also for arrays (n, k) of k states.

        >>> import rattleback as rb
        >>> m = rb.zoo("chaplygin-sleigh")
        >>> f = m.rhs()
        >>> f(0, m.y0())
        array([-1.        , -0.        ,  0.1       ,  0.005     ,  0.07692308])
        """
        from ._rhs import Rhs
        return Rhs(self, params, initial)

    def jacobian(self, t: float, y: Any, params: Optional[Mapping[str, Any]] = None) -> Any:
        """∂f/∂y at a state, exactly: (n, n), or (n, n, k) for k states."""
        return self.rhs(params).jacobian(t, y)

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
        _known(unknown, ["axes", "keep", "until", "initial", "params", "samples", "seed", "method", "rtol", "atol",
                         "step", "project", "threads", "output", "resume", "refine", "differ", "timeout", "progress"], "sweep()")
        from ._sweep import swept
        return swept(self, axes, keep, until=until, initial=initial, params=params, samples=samples, seed=seed,
                     method=method, rtol=rtol, atol=atol, step=step, project=project, threads=threads,
                     output=output, resume=resume, refine=refine, differ=differ, timeout=_limit(timeout),
                     progress=Line(progress).callback())

    def linearise(self, at: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None,
                  progress: bool = False) -> SmallMotions:
        """Small motions about an equilibrium or a steady motion; what is not named is 0, unknown letters are symbols."""
        pairs = assignments(at, "at")
        handle = _core.linearise(self._asked, pairs, _limit(timeout), Line(progress).callback())
        return SmallMotions(self, dict(pairs), handle)

    def equilibria(self, *, timeout: float = 60, progress: bool = False) -> Verdict:
        """Equilibria and steady motions with the conditions of their stability: the verdict on 'equilibria'.

        >>> import rattleback as rb
        >>> pendulum = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + 9*cos(theta)")
        >>> v = pendulum.equilibria()
        >>> v.outcome, len(v.answer["families"])
        ('proved', 2)
        """
        found = self.analyze("equilibria", timeout=timeout, progress=progress)
        assert isinstance(found, Verdict)
        return found

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
        _known(unknown, ["count", "until", "initial", "params", "rtol", "transient", "y0", "project", "timeout", "progress"],
               "lyapunov()")
        limit = _limit(timeout)
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
        _known(unknown, ["vary", "low", "high", "second", "start", "hold", "params", "step", "points", "timeout", "progress"], "branches()")
        from ._branches import Branches
        data = _core.branches(self._system_at(assignments(params, "params")), _following(vary, low, high, start, hold, step, points, second),
                              _limit(timeout), Line(progress).callback())
        return Branches(self, data)

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
        _known(unknown, ["vary", "low", "high", "second", "start", "hopf", "period", "hold", "params", "step", "points", "timeout", "progress"],
               "orbits()")
        from ._branches import Orbits
        data = _core.orbits(self._system_at(assignments(params, "params")), _following(vary, low, high, start, hold, step, points, second),
                            bool(hopf), "" if period is None else expression_text(period, "period"), _limit(timeout),
                            Line(progress).callback())
        return Orbits(self, data)

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
        _known(unknown, ["section", "direction", "level", "starts", "within", "points", "cycle", "manifolds", "rotation", "longest", "rtol",
                         "plane", "ranges", "initial", "params", "timeout", "progress"], "map()")
        from ._maps import ReturnMap, question
        asked_for = question(section, direction, level, starts, within, points, cycle, manifolds, rotation, longest, rtol, plane, ranges)
        system = self._system_at(assignments(params, "params"))
        return ReturnMap(self, _core.mapped(system, assignments(initial, "initial"), asked_for, _limit(timeout), Line(progress).callback()))

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
        _known(unknown, ["of", "until", "transient", "samples", "window", "covariant", "volume", "width", "density", "initial", "params",
                         "timeout", "progress"], "measure()")
        from ._measures import Measures, measuring
        asked_for = measuring(of, until, transient, samples, window, covariant, volume, width, density)
        limit, line = _limit(timeout), Line(progress).callback()
        flow = self._flow(initial, params, limit)
        data = _core.measured(flow, list(flow.initial_state(True)), asked_for, limit, line)
        if data["covariant"] is not None and data["covariant"][5] is not None:
            raise ArgumentError("motion-ends", "there are no covariant vectors", data["covariant"][5], "measure a shorter time with until=")
        return Measures(self, data)

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
        _known(unknown, ["to", "duration", "pieces", "guesses", "initial", "params", "timeout", "progress"], "plan()")
        from ._plans import Plan
        goals = assignments(to, "to")
        if not goals:
            raise ArgumentError("usage", "a plan needs a goal", "", "write to={'x': 1}: values at the end of the motion")
        system = self._system_at(assignments(params, "params"))
        return Plan(self, _core.planned(system, assignments(initial, "initial"), goals, positive(duration, "duration"),
                                        whole(pieces, "pieces"), whole(guesses, "guesses"), _limit(timeout), Line(progress).callback()))

    def report(self, path: Optional[Union[str, "os.PathLike[str]"]] = None, *, seconds: float = 10, coq: bool = False, fly: bool = False,
               timeout: Optional[float] = None, progress: bool = False) -> str:
        """One page with everything: model, equations, verdicts, a run, an animation. Written to `path`; returned as text.

        `seconds` is the computing time for each form and each question. With `coq=True` Coq's `coqc`, which must be installed, checks
        what is decided, and what it accepts is marked. With `fly=True` the run is one whose contacts open and close, with its phases and
        impacts.

        >>> import rattleback as rb
        >>> "<canvas" in rb.zoo("knife-edge").report(seconds=1)
        True
        """
        html = _core.report(self._asked, self._text, positive(seconds, "seconds"), bool(coq), bool(fly), _limit(timeout),
                            Line(progress).callback())
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(html)
        return str(html)

    def export(self, to: str = "latex", form: Optional[str] = None, *, timeout: Optional[float] = None,
               progress: bool = False) -> str:
        """The motion as a program or a section of a paper: 'latex', 'json', one of `rb.languages`, or 'ipynb', a notebook.

        >>> import rattleback as rb
        >>> "module" in rb.zoo("chaplygin-sleigh").export("julia")
        True
        """
        if to == "ipynb":
            return str(_core.notebook(self._asked, self._text, _limit(timeout)))
        return self.derive(form, timeout=timeout, progress=progress).export(to)

    def orders(self, step: Optional[float] = None, until: Any = None, *,
               initial: Optional[Mapping[str, Any]] = None, params: Optional[Mapping[str, Any]] = None,
               project: bool = False, timeout: Optional[float] = None, progress: bool = False) -> Orders:
        """Claimed beside measured order of every method of constant step on this motion."""
        limit = _limit(timeout)
        line = Line(progress).callback()
        flow, start, _ = self._started({"initial": initial, "params": params, "project": project}, limit, progress=line)
        length = positive((flow.until or 10.0) if until is None else until, "until")
        found = _core.orders(flow, start, length, 0.0 if step is None else positive(step, "step"), limit, line)
        return Orders(found["rows"], found["text"])


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


def asked(questions: Any) -> list[str]:
    """Names of questions; all of them when none is named."""
    known = [name for name, _ in _core.questions()]
    wanted = known if questions is None else [questions] if isinstance(questions, str) else list(questions)
    for name in wanted:
        if name not in known:
            raise misspelt("no question", name, known, "unknown-question")
    return wanted


def _following(vary: Any, low: Any, high: Any, start: Any, hold: Any, step: Any, points: Any, second: Any) -> Any:
    """What a branch is followed over, and from where."""
    first, last = number(low, "low"), number(high, "high")
    if first == last:
        raise ArgumentError("usage", "the range is empty", f"it goes from {first:g} to {last:g}", "give two different numbers")
    f = _core.Following()
    f.vary, f.low, f.high = expression_text(vary, "vary"), min(first, last), max(first, last)
    f.start, f.hold = assignments(start, "start"), [expression_text(e, "hold") for e in _several(hold)]
    f.step, f.points = 0.0 if step is None else positive(step, "step"), whole(points, "points")
    if second is not None:
        if not isinstance(second, Mapping) or len(second) != 1:
            raise ArgumentError("usage", f"second names no parameter with its range: {second!r}", "", "write second={'delta': (0.1, 0.8)}")
        from ._figure import ranges_of
        (f.second, (f.second_low, f.second_high)), = ranges_of({name_of(k, "second"): pair for k, pair in second.items()})
        if f.second == f.vary:
            raise ArgumentError("usage", f"{f.vary} is varied twice", "", "give two different parameters")
    return f


def _head(parameters: list[tuple[str, float]], settings: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was made, for files."""
    rtol = settings.rtol or steppers()[settings.method][4]
    return {"method": settings.method, "rtol": rtol, "atol": settings.atol or rtol / 100, "parameters": list(parameters),
            "events": list(data["event_names"]), "units": list(data["units"])}


def _several(events: Any) -> list[Any]:
    if events is None:
        return []
    return list(events) if isinstance(events, (list, tuple)) else [events]


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


def load(path: Union[str, "os.PathLike[str]"], params: Optional[Mapping[str, Any]] = None) -> Model:
    """The model of a file, or of the zoo by its name.

    >>> import rattleback as rb
    >>> rb.load("chaplygin-sleigh").title
    'Chaplygin sleigh'
    """
    name = os.fspath(path)
    if not isinstance(name, str) or name == "-":
        raise ArgumentError("unknown-model", f"{path!r} is no path of a model", "", "give a file or a name of the zoo")
    found, text = _core.source_text(name)
    return Model(text, str(found)[:-5] if str(found).endswith(".toml") else str(found), params)


class Zoo(Mapping[str, str]):
    """The models that come with Rattleback: `rb.zoo("chaplygin-sleigh")` loads one, iterating gives their names.

    >>> import rattleback as rb
    >>> rb.zoo("suslov").title
    'Suslov problem'
    >>> "rattleback" in rb.zoo
    True
    """

    def __call__(self, name: str, params: Optional[Mapping[str, Any]] = None) -> Model:
        """The model of that name."""
        if not isinstance(name, str) or "/" in name or name.endswith(".toml") or name == "-":
            raise misspelt("no model of the zoo", name, self, "unknown-model")
        if name not in self._titles():
            near = _core.nearest(name, list(self._titles()))
            raise ArgumentError("unknown-model", f"there is no model `{name}`", "no model of the zoo has this name",
                                f"did you mean `{'`, `'.join(near)}`?" if near else "list(rb.zoo) lists them")
        return load(name, params)

    def _titles(self) -> dict[str, str]:
        return {name: title for name, title, _ in _core.zoo()}

    def __getitem__(self, name: str) -> str:
        """The title of a model."""
        return self._titles()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._titles())

    def __len__(self) -> int:
        return len(self._titles())

    def __repr__(self) -> str:
        return f"<zoo of {len(self)} models: {', '.join(list(self)[:4])}, …>"


zoo = Zoo()
