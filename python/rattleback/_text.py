"""From Python's numbers, SymPy's expressions and text to the expressions of the model language."""

from __future__ import annotations

import math
import numbers
import os
from typing import Any, Callable, Mapping, Optional, Sequence

from ._errors import ArgumentError


def is_sympy(value: object) -> bool:
    """Whether it is an expression or a matrix of SymPy; SymPy is not imported for that."""
    if type(value) in (float, int, str):
        return False
    return any((kind.__module__ or "").partition(".")[0] == "sympy" for kind in type(value).__mro__)


def number_text(value: Any, what: str) -> str:
    """A finite number as exact text: 0.1 is 1/10, as in a model file."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise ArgumentError("usage", f"{what} is a truth value", "", "give a number")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Rational):
        return f"{value.numerator}/{value.denominator}"
    try:
        x = float(value)
    except (TypeError, ValueError):
        raise ArgumentError("usage", f"{what} is no number: {value!r}", "",
                            "give a number, a text such as 'sqrt(2)/3', or an expression of SymPy") from None
    if isinstance(value, complex):
        raise ArgumentError("usage", f"{what} is complex", "", "give a real number")
    if not math.isfinite(x):
        raise ArgumentError("usage", f"{what} is {x}", "only finite numbers have a meaning here",
                            "give a finite number")
    return repr(x)


def ending(path: Any, known: Sequence[str]) -> str:
    """How a path ends, which says what is written."""
    found = os.path.splitext(os.fspath(path))[1]
    if found not in known:
        raise ArgumentError("usage", f"{os.fspath(path)!r} does not end in {' or '.join(known)}",
                            "the ending says what to write", f"write 'run{known[0]}'")
    return found


def expression_text(value: Any, what: str, printer: Optional[Callable[[Any], str]] = None) -> str:
    """Text as it is, numbers exactly, SymPy's expressions printed, sequences as vectors."""
    if isinstance(value, str):
        if not value.strip():
            raise ArgumentError("usage", f"{what} is empty", "", "write an expression")
        return value
    if is_sympy(value):
        if printer is None:
            from ._sympy import to_text
            return to_text(value)
        return printer(value)
    from ._expression import Expression
    if isinstance(value, Expression):
        return str(value)
    if hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0:
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(expression_text(v, what, printer) for v in value) + "]"
    return number_text(value, what)


def assignments(given: Optional[Mapping[str, Any]], what: str) -> list[tuple[str, str]]:
    """{name: value} as texts."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ArgumentError("usage", f"{what} is no mapping: {given!r}", "", f"write {what}={{'x': 1}}")
    pairs = []
    for name, value in given.items():
        key = name_of(name, what)
        pairs.append((key, expression_text(value, f"{what}[{key!r}]")))
    if len({name for name, _ in pairs}) < len(pairs):
        raise ArgumentError("usage", f"{what} gives a name two values", "", "give it one")
    return pairs


def name_of(name: Any, what: str) -> str:
    """A name: text, or a symbol, function of time or derivative of SymPy."""
    if isinstance(name, str):
        return name
    if is_sympy(name):
        from ._sympy import to_text
        return to_text(name)
    raise ArgumentError("usage", f"{what} has a name that is no text: {name!r}", "", "write {'x': 1}")


def positive(value: Any, what: str) -> float:
    """A finite number above 0."""
    x = float(number(value, what))
    if x <= 0:
        raise ArgumentError("usage", f"{what} must be positive", f"it is {x:g}", "give a positive number")
    return x


def number(value: Any, what: str) -> float:
    """A finite number; a text is an exact expression without names."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int:
        return float(value)
    if isinstance(value, str) or is_sympy(value):
        from . import _core
        try:
            x = float(_core.number(value) if isinstance(value, str) else value)
        except (TypeError, ValueError):
            raise ArgumentError("usage", f"{what} is no number: {value!r}", "", "give a number") from None
        if not math.isfinite(x):
            raise ArgumentError("usage", f"{what} is {x}", "only finite numbers have a meaning here", "give a finite number")
        return x
    number_text(value, what)
    return float(value)


def whole(value: Any, what: str, least: int = 1) -> int:
    """An integer, at least `least`."""
    if type(value) is int and least <= value <= 10**15:
        return value
    x = number(value, what)
    if x != int(x) or x < least or x > 1e15:
        raise ArgumentError("usage", f"{what} must be a whole number, at least {least}", f"it is {value!r}",
                            "give a whole number")
    return int(x)
