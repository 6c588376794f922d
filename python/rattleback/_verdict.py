"""Verdicts: answers with their evidence."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, NamedTuple, Optional

from . import _core
from ._errors import ArgumentError


class CheckedStep(NamedTuple):
    """One thing that `Verdict.check()` recomputed."""

    what: str
    outcome: str
    evidence: str


class Doubt(NamedTuple):
    """One statement that `Model.doubt()` or `rb.doubt()` tried to break: `result` is 'stands', 'contradicted' or 'not tried'.

    `model` is the text of a random model, otherwise empty.
    """

    question: str
    statement: str
    result: str
    method: str
    detail: str
    model: str = ""

    def __repr__(self) -> str:
        statement = f" {self.statement!r}" if self.statement else ""
        return f"<Doubt {self.question}:{statement} {self.result}, by {self.method}>"


class Verdict:
    """The answer to a question or a claim. It is never rounded to yes or no: `bool(verdict)` raises.

    >>> import rattleback as rb
    >>> v = rb.zoo("chaplygin-sleigh").analyze("invariant-measure")
    >>> v
    <Verdict invariant-measure: refuted unless a = 0>
    >>> v.outcome, v.unless
    ('refuted', ('a = 0',))
    """

    question: str
    statement: str
    outcome: str
    evidence: str
    unless: tuple[str, ...]
    why: tuple[str, ...]
    answer: Any
    certificate: Any
    assumptions: tuple[str, ...]
    obstacle: str
    next_step: str
    text: str

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)
        self.question = data["question"]
        self.statement = data.get("statement", "")
        self.outcome = data["outcome"]
        self.evidence = data.get("evidence", "")
        self.unless = tuple(data.get("unless", ()))
        self.why = tuple(data.get("why", ()))
        self.answer = data.get("answer")
        self.certificate = data.get("certificate")
        self.assumptions = tuple(data.get("assumptions", ()))
        self.obstacle = data.get("obstacle", "")
        self.next_step = data.get("next_step", "")
        self.text = data.get("text", "")

    @property
    def proved(self) -> bool:
        """Whether the outcome is 'proved'; not the opposite of `refuted`."""
        return self.outcome == "proved"

    @property
    def refuted(self) -> bool:
        """Whether the outcome is 'refuted'; not the opposite of `proved`."""
        return self.outcome == "refuted"

    @property
    def decided(self) -> bool:
        """Whether it is proved or refuted."""
        return self.proved or self.refuted

    @property
    def checked_by(self) -> Optional[str]:
        """The version of Coq that accepted the theorem, where `coq=True` was asked for; None otherwise."""
        found = self.answer.get("checked_by") if isinstance(self.answer, dict) else None
        return None if found is None else str(found)

    def __bool__(self) -> bool:
        raise TypeError(f"a verdict is no truth value: {self.question} is {self.outcome}; compare .outcome, "
                        "or ask .proved or .refuted")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        unless = f" unless {', or '.join(self.unless)}" if self.unless else ""
        return f"<Verdict {self.question}: {self.outcome}{unless}>"

    def _repr_html_(self) -> str:
        from html import escape
        colours = {"proved": "#1a7f37", "refuted": "#b35900"}
        head, _, rest = self.text.partition("\n")
        name, _, outcome = head.partition(": ")
        colour = colours.get(self.outcome, "#57606a")
        return (f"<div><b>{escape(name)}</b>: <b style='color:{colour}'>{escape(outcome)}</b>"
                f"<pre style='margin:0 0 0 1.5em;white-space:pre-wrap'>{escape(rest)}</pre></div>")

    def check(self, timeout: Optional[float] = None) -> list[CheckedStep]:
        """Verifies the certificate by algebra alone, with none of the code that found it."""
        return [CheckedStep(*step) for step in _core.check_certificate(self._certificate_json(), None, timeout)]

    def coq(self, name: str = "model") -> str:
        """What is decided as a theorem of Coq with its proof: a file for `coqc` alone. `name` is what it calls the system.

        >>> import rattleback as rb
        >>> "Theorem" in rb.zoo("chaplygin-sleigh").analyze("energy").coq("sleigh")
        True
        """
        return str(_core.coq(self._certificate_json(), str(name)))

    def _certificate_json(self) -> str:
        json = self._data.get("certificate_json")
        if json is None:
            raise ArgumentError("bad-certificate", "this verdict has no certificate", "there is nothing to recompute",
                                "not every question leaves one; look at .evidence")
        return str(json)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and self._data == other._data

    def __hash__(self) -> int:
        return hash((self.question, self.outcome, self.text))

    def __reduce__(self) -> Any:
        return Verdict, (self._data,)


class Verdicts(Mapping[str, Verdict]):
    """Verdicts by question.

    >>> import rattleback as rb
    >>> found = rb.zoo("chaplygin-sleigh").analyze(["energy", "integrability"])
    >>> found["energy"].outcome
    'proved'
    """

    def __init__(self, verdicts: Any) -> None:
        self._all = {v.question: v for v in verdicts}

    def __getitem__(self, question: str) -> Verdict:
        if question not in self._all:
            from ._errors import misspelt
            raise misspelt("not among the questions asked", question, self._all, "unknown-question")
        return self._all[question]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __str__(self) -> str:
        return "".join(v.text for v in self._all.values())

    def __repr__(self) -> str:
        return "<Verdicts " + ", ".join(f"{v.question}: {v.outcome}" for v in self._all.values()) + ">"

    def _repr_html_(self) -> str:
        return "".join(v._repr_html_() for v in self._all.values())

    def __bool__(self) -> bool:
        raise TypeError("verdicts are no truth value; look at each .outcome")
