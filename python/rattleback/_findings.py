"""What `check` finds out about a model."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence

from ._errors import Issue
from ._errors import issue as _issue


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
