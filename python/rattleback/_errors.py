"""Exceptions: what went wrong, where, why, and how to fix it."""

from __future__ import annotations

import re
from typing import Any, Iterable, NamedTuple, Sequence

from . import _core


class Place(NamedTuple):
    """A stretch of a model's text, or an argument of a call.

    Lines and columns count from 1; they are 0 where the place has none.
    """

    file: str
    line: int = 0
    column: int = 0
    text: str = ""
    length: int = 1


class Error(Exception):
    """What Rattleback cannot do, with the reason and the remedy.

    >>> import rattleback as rb
    >>> try:
    ...     rb.zoo("falling-dsk")
    ... except rb.Error as error:
    ...     print(error.slug, "|", error.fix)
    unknown-model | did you mean `falling-disk`?
    """

    slug: str
    summary: str
    why: str
    fix: str
    places: tuple[Place, ...]

    def __init__(self, slug: str, summary: str, why: str = "", fix: str = "",
                 places: Iterable[Place] = (), text: str = "") -> None:
        self.slug, self.summary, self.why, self.fix = slug, summary, why, fix
        self.places = tuple(places)
        self.text = text or _text("error", slug, summary, why, fix, self.places)
        super().__init__(self.text)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> Any:
        return type(self), (self.slug, self.summary, self.why, self.fix, self.places, self.text)

    @property
    def file(self) -> str:
        """Where the first place lies; empty when there is none."""
        return self.places[0].file if self.places else ""

    @property
    def line(self) -> int:
        """Line of the first place, from 1; 0 when there is none."""
        return self.places[0].line if self.places else 0

    @property
    def column(self) -> int:
        """Column of the first place, from 1; 0 when there is none."""
        return self.places[0].column if self.places else 0


class ModelError(Error, ValueError):
    """The text of a model is wrong, or describes something impossible."""


class ArgumentError(Error, ValueError):
    """An argument is wrong: a name, a value, a shape."""


class UnknownName(ArgumentError, KeyError):
    """A name that is not among those to choose from; the remedy says which is near."""


class StateError(Error, ValueError):
    """An initial state is incomplete, off the constraints, or singular."""


class DoesNotApply(Error, ValueError):
    """A form, a method or a question is about systems of another kind."""


class Unavailable(Error, RuntimeError):
    """A file, an extension or a library is missing."""


class Timeout(Error, TimeoutError):
    """The time given by `timeout=` is over."""


class LimitError(Error, RuntimeError):
    """An expression has grown beyond what is computed with."""


class InternalError(Error, RuntimeError):
    """A defect of Rattleback; please report it."""


class Issue(NamedTuple):
    """One finding of `Model.check()`: a warning or an error, with its place and its remedy."""

    severity: str
    slug: str
    summary: str
    why: str
    fix: str
    places: tuple[Place, ...]
    text: str

    @property
    def file(self) -> str:
        """Where the first place lies; empty when there is none."""
        return self.places[0].file if self.places else ""

    @property
    def line(self) -> int:
        """Line of the first place, from 1; 0 when there is none."""
        return self.places[0].line if self.places else 0

    @property
    def column(self) -> int:
        """Column of the first place, from 1; 0 when there is none."""
        return self.places[0].column if self.places else 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        at = f" at {self.line}:{self.column}" if self.line else ""
        return f"<{self.severity}[{self.slug}]{at}: {self.summary}>"


# Options of the command line in messages of the library, as keywords of this package.
_KEYWORDS = {"set": "params=", "project": "project=True", "vary": "the axes", "integral-of": "integral_of=",
             "stop": "events=", "of": "of=", "level": "level=", "within": "within=", "and": "second=", "starts": "starts=", "native on": "native", "range": "ranges=", "plot": "the panels", "coq": "coq=True"}
_OPTION = re.compile(r"`?--([a-z][a-z-]*)(?: (\"[^\"]*\"|[A-Za-z_']+=[^\s,)]+(?:,[A-Za-z_']+=[^\s,)]+)*))?`?")
_STATE = {"off-constraint", "incomplete-initial-state", "singular-state"}


def _in_python(text: str) -> str:
    """`--initial u=1` becomes `initial={...}`: the words of this package in a message."""
    def keyword(found: re.Match[str]) -> str:
        name, values = found[1], found[2]
        word = _KEYWORDS.get(name, name.replace("-", "_") + "=")
        if values and word.endswith("=") and "=" in values:
            pairs = [pair.partition("=") for pair in values.strip('"').split(",")]
            if all(sign for _, sign, _ in pairs):
                inside = ", ".join(f'"{left.strip()}": {right}' for left, _, right in pairs)
                return f"{word}{{{inside}}}"
        return f"{word}{values}" if values else word
    text = text.replace("on the command line", "in the call")
    text = text.replace("`rattleback models` lists the zoo; a file needs its path, and - is standard input",
                        "list(rb.zoo) names the models of the zoo; a file needs its path")
    text = re.sub(r"command line, (?=--)", "argument ", text)
    return _OPTION.sub(keyword, text)


def _text(severity: str, slug: str, summary: str, why: str, fix: str, places: Sequence[Place]) -> str:
    lines = [f"{summary} [{slug}]"]
    for place in places:
        at = f":{place.line}:{place.column}" if place.line else ""
        if place.file:
            lines.append(f"  at: {place.file}{at}")
        if place.line and place.text:
            number = str(place.line)
            lines.append(f"  {number} | {place.text}")
            lines.append(f"  {' ' * len(number)} | {' ' * (place.column - 1)}{'^' * max(1, place.length)}")
    if why:
        lines.append(f"  why: {why}")
    if fix:
        lines.append(f"  fix: {fix}")
    return "\n".join(lines)


def _places(given: Iterable[tuple[str, int, int, str, int]]) -> tuple[Place, ...]:
    return tuple(Place(_in_python(file), line, column, text, length) for file, line, column, text, length in given)


def from_error(kind: str, slug: str, summary: str, why: str, fix: str, places: Iterable[Any], text: str) -> Error:
    """The exception for an error of the library."""
    where = _places(places)
    made: type[Error] = {"inapplicable": DoesNotApply, "no value": StateError, "unavailable": Unavailable}.get(
        kind, ArgumentError)
    if slug in _STATE:
        made = StateError
    elif any(place.file.endswith(".toml") for place in where) or (kind == "model" and not where):
        made = ModelError
    error = made(slug, _in_python(summary), _in_python(why), _in_python(fix), where)
    further = text.split("\nerror[")[1:]  # a model file has all of its errors in one exception
    if further:
        error.text += "\nand also:\n" + "\n".join(f"error[{report.rstrip()}" for report in further)
    return error


def issue(severity: str, kind: str, slug: str, summary: str, why: str, fix: str, places: Iterable[Any], text: str) -> Issue:
    """A finding of `check`."""
    return Issue(severity, slug, _in_python(summary), _in_python(why), _in_python(fix), _places(places), text)


def in_keywords(error: Error) -> Error:
    """An error in a model that was made by keywords: [parameters] is parameters= there."""
    def said(text: str) -> str:
        return re.sub(r"\[(space|parameters|define|constraints|velocities|forces|functions|bodies|contacts|joints|inputs)\](?! \|)", r"`\1=`", text)
    fix, asked = said(error.fix), re.match(r"`([^`]+)` is not a space", error.summary)
    if asked and asked[1].lower() in _CIRCLES | _LINES:
        fix = f"did you mean `{'S1' if asked[1].lower() in _CIRCLES else 'R'}`?"
    head, mark, rest = error.text.partition("  fix: ")
    behind = rest.partition("\n")
    return type(error)(error.slug, error.summary, said(error.why), fix, error.places,
                       head + mark + fix + behind[1] + said(behind[2]) if mark else error.text)


_CIRCLES = {"angle", "circle", "so(2)", "so2", "u(1)", "s^1", "t1"}
_LINES = {"real", "reals", "line", "r1", "length", "float"}


def timeout(seconds: float) -> Timeout:
    return Timeout("timeout", f"the time limit of {seconds:g} s is over", "the computation was stopped",
                   "give it more time with timeout=, or numbers for parameters with set()")


def exhausted(limit: str) -> LimitError:
    return LimitError("budget", limit, "", "simplify the model, or give parameters numbers with set()")


def bug(message: str) -> InternalError:
    return InternalError("bug", message, "", "please report it with the model and the call")


def misspelt(what: str, name: Any, known: Iterable[str], slug: str = "usage") -> UnknownName:
    """`name` is none of these; what it may mean."""
    names = list(known)
    near = _core.nearest(str(name), names)
    fix = f"did you mean {' or '.join(repr(n) for n in near)}?" if near else f"choose from {', '.join(names)}"
    return UnknownName(slug, f"{name!r} is {what}", "", fix)
