"""Expressions: what the library returns, printed as text and as LaTeX, and handed over to SymPy."""

from __future__ import annotations

from typing import Any

from . import _core


class Expression:
    """A formula of the library. `str` is the syntax of model files; `sympy()` is SymPy's.

    >>> import rattleback as rb
    >>> rate = rb.zoo("chaplygin-sleigh").derive("hamel").rates["u"]
    >>> rate
    a*omega^2
    >>> rate.sympy()
    a*omega(t)**2
    """

    __slots__ = ("_handle", "_text")

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._text: Any = None

    def __str__(self) -> str:
        if self._text is None:
            self._text = str(self._handle)
        return self._text

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        """The same formula; that two formulas are equal as functions is a question for `Model.prove(zero=...)`."""
        return isinstance(other, Expression) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> Any:
        raise TypeError("an expression belongs to its process: pickle str(expression), or the equations")

    def __copy__(self) -> "Expression":
        return self

    def __deepcopy__(self, memo: Any) -> "Expression":
        return self  # it never changes

    @property
    def latex(self) -> str:
        """The formula as LaTeX."""
        return str(self._handle.latex())

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def sympy(self) -> Any:
        """The formula as an expression of SymPy; coordinates and speeds are functions of `t`."""
        from ._sympy import from_handles
        return from_handles([self._handle])[0]

    def _sympy_(self) -> Any:
        return self.sympy()


class Named(dict):
    """Expressions under their names, in their order; a misspelt name says what it may mean."""

    def __missing__(self, name: str) -> Any:
        from ._errors import misspelt
        raise misspelt("no name here", name, self.keys(), "unknown-symbol")

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {value}" for name, value in self.items()) + "}"


def named(pairs: Any) -> Named:
    """Handles under their names."""
    return Named((name, Expression(handle)) for name, handle in pairs)


_ = _core  # the module that the handles come from
