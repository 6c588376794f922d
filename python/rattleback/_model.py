"""Models: everything that can be asked of a system."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _core
from ._equations import Equations
from ._errors import ArgumentError, DoesNotApply, UnknownName, misspelt
from ._expression import Expression, Named
from ._findings import Findings, Parameter
from ._keywords import known_keywords, time_limit
from ._progress import Line
from ._studies import Studies
from ._text import assignments, expression_text, positive, whole
from ._verdict import Doubt, Verdict, Verdicts


def _short(names: Sequence[str]) -> str:
    """The names, or the first of many."""
    return ", ".join(names if len(names) < 12 else [*names[:8], f"… {len(names) - 8} more"])


def asked(questions: Any) -> list[str]:
    """Names of questions; all of them when none is named."""
    known = [name for name, _ in _core.questions()]
    wanted = known if questions is None else [questions] if isinstance(questions, str) else list(questions)
    for name in wanted:
        if name not in known:
            raise misspelt("no question", name, known, "unknown-question")
    return wanted


class Model(Studies):
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
        self._moving_system: Any = None
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

    @property
    def _moving(self) -> Any:
        """The system that runs are about: a start satisfies all its constraints, also those that follow from the others."""
        if self._moving_system is None:
            self._moving_system = self._system.consistent()
        return self._moving_system

    def check(self, timeout: Optional[float] = None, *, seconds: float = 10, progress: bool = False) -> Findings:
        """Dimensions, kinds of constraints, regularity, joints, and what is doubtful or impossible.

        `seconds` is the computing time for each part; what takes longer is left open.

        >>> import rattleback as rb
        >>> for issue in rb.zoo("chaplygin-sleigh").check():
        ...     print(issue.slug, issue.line, issue.column, issue.why, issue.fix)
        """
        return Findings(_core.check(self._system, self._text, self._file + ".toml", positive(seconds, "seconds"),
                                    time_limit(timeout), Line(progress).callback()))

    def derive(self, form: Optional[str] = None, *, timeout: Optional[float] = None, progress: bool = False) -> Equations:
        """The equations of motion in a classical form; Hamel's when none is named. `rb.forms` lists them.

        >>> import rattleback as rb
        >>> rb.zoo("chaplygin-sleigh").derive("gibbs-appell").rates["u"]
        a*omega^2
        """
        try:
            handle = _core.derive(self._asked, form, False, time_limit(timeout), Line(progress).callback())
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
        found = _core.agreement(self._asked, wanted, time_limit(timeout), Line(progress).callback())
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
        known_keywords(unknown, [*kinds, "timeout", "progress"], "prove()")
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
                            time_limit(timeout), Line(progress).callback())
        return [Doubt(*row) for row in found]

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

    def export(self, to: str = "latex", form: Optional[str] = None, *, timeout: Optional[float] = None,
               progress: bool = False) -> str:
        """The motion as a program or a section of a paper: 'latex', 'json', one of `rb.languages`, or 'ipynb', a notebook.

        >>> import rattleback as rb
        >>> "module" in rb.zoo("chaplygin-sleigh").export("julia")
        True
        """
        if to == "ipynb":
            return str(_core.notebook(self._moving, self._text, time_limit(timeout)))
        return self.derive(form, timeout=timeout, progress=progress).export(to)
