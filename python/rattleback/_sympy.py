"""Expressions of the library as SymPy's, and SymPy's as text of the model language."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.vector import dynamicsymbols
from sympy.printing.str import StrPrinter

from . import _core
from ._errors import ArgumentError

_FUNCTIONS = {"abs": sympy.Abs, **{name: getattr(sympy, name) for name in (
    "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "exp", "log", "sqrt", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh")}}
_MOVING = {"coordinate", "rotation", "direction", "momentum", "multiplier"}


def time() -> sympy.Symbol:
    """The symbol of time that `dynamicsymbols` use."""
    return dynamicsymbols._t  # type: ignore[attr-defined]


def symbol(name: str, role: str, positive: bool) -> Any:
    """A name of the model: constants as symbols, what moves as functions of time, x' as a derivative."""
    t = time()
    if role == "constant":
        return sympy.pi
    if role == "time":
        return t
    if role in ("parameter", "plain"):
        return sympy.Symbol(name, positive=True) if positive else sympy.Symbol(name, real=True)
    primes = len(name) - len(name.rstrip("'"))
    if primes:
        return sympy.Function(name[:-primes])(t).diff(t, primes)
    return sympy.Function(name)(t)


def _call(name: str, abstract: bool, orders: Sequence[int], args: Sequence[Any]) -> Any:
    if not abstract:
        return _FUNCTIONS[name](*args)
    f = sympy.Function(name)
    if not any(orders):
        return f(*args)
    dummies = [sympy.Dummy(f"x{k}") for k in range(len(args))]
    slope = f(*dummies).diff(*((x, n) for x, n in zip(dummies, orders) if n))
    return sympy.Subs(slope, dummies, list(args))


def from_handles(handles: Iterable[Any]) -> list[Any]:
    """Expressions of SymPy; shared parts are made once."""
    nodes, outputs = _core.nodes(list(handles))
    values: list[Any] = []
    for node in nodes:
        kind = node[0]
        if kind == "number":
            value = sympy.Rational(int(node[1]), int(node[2]))
        elif kind == "symbol":
            value = symbol(*node[1:])
        elif kind == "sum":
            value = sympy.Add(*(values[k] for k in node[1]))
        elif kind == "product":
            value = sympy.Mul(*(values[k] for k in node[1]))
        elif kind == "power":
            value = sympy.Pow(values[node[1][0]], node[2])
        else:
            value = _call(node[2], node[3], node[4], [values[k] for k in node[1]])
        values.append(value)
    return [values[k] for k in outputs]


class _Printer(StrPrinter):
    """The syntax of model files: x' for a derivative in time, ^ for powers."""

    def __init__(self) -> None:
        super().__init__({"order": "none", "sympy_integers": False})

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        from sympy.printing.precedence import PRECEDENCE
        base, exponent = expr.as_base_exp()
        if exponent == sympy.S.Half:
            return f"sqrt({self._print(base)})"
        if exponent == -sympy.S.Half:
            return f"1/sqrt({self._print(base)})"
        left = self.parenthesize(base, PRECEDENCE["Pow"] + 1)
        if exponent.is_Integer and exponent < 0:
            return f"1/{left}" if exponent == -1 else f"1/{left}^{-exponent}"
        if expr.base == sympy.E:
            return f"exp({self._print(exponent)})"
        return f"{left}^{self.parenthesize(exponent, PRECEDENCE['Pow'] + 1)}"

    def _print_Mul(self, expr: Any) -> str:
        return super()._print_Mul(expr).replace("**", "^")

    def _print_Rational(self, expr: Any) -> str:
        return f"{expr.p}/{expr.q}"

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Derivative(self, expr: Any) -> str:
        t = time()
        inner = expr.expr
        if isinstance(inner, AppliedUndef) and inner.args == (t,) and all(v == t for v, _ in expr.variable_count):
            order = sum(int(n) for _, n in expr.variable_count)
            return inner.func.__name__ + "'" * order
        raise ArgumentError("unknown-function", f"{expr} has no counterpart in the model language",
                            "only derivatives in time are written there", "carry out the derivative with .doit()")

    def _print_Function(self, expr: Any) -> str:
        name = expr.func.__name__
        if isinstance(expr, AppliedUndef):
            if expr.args == (time(),):
                return name
            return f"{name}({', '.join(self._print(a) for a in expr.args)})"
        known = {"Abs": "abs", **{k: k for k in _FUNCTIONS}, "ln": "log"}
        if name not in known:
            raise ArgumentError("unknown-function", f"the model language has no function {name}",
                                "", "choose from " + ", ".join(sorted(_FUNCTIONS)))
        return f"{known[name]}({', '.join(self._print(a) for a in expr.args)})"

    def _print_Abs(self, expr: Any) -> str:
        return f"abs({self._print(expr.args[0])})"

    def _print_exp(self, expr: Any) -> str:
        return f"exp({self._print(expr.args[0])})"

    def _print_Exp1(self, expr: Any) -> str:
        return "exp(1)"

    def _print_Symbol(self, expr: Any) -> str:
        return str(expr.name)

    def _print_MatrixBase(self, expr: Any) -> str:
        rows = [[self._print(e) for e in expr.row(i)] for i in range(expr.rows)]
        if expr.cols == 1:
            return "[" + ", ".join(row[0] for row in rows) + "]"
        return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"

    _print_ImmutableDenseMatrix = _print_MutableDenseMatrix = _print_MatrixBase

    def emptyPrinter(self, expr: Any) -> str:
        raise ArgumentError("unknown-function", f"{expr} has no counterpart in the model language", "",
                            "write it with elementary functions")


def to_text(expression: Any) -> str:
    """An expression of SymPy in the syntax of model files.

    >>> import sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> x = dynamicsymbols("x")
    >>> to_text(x.diff()**2/2 + sympy.cos(x))
    "x'^2/2 + cos(x)"
    """
    bad = [s for s in getattr(expression, "atoms", lambda *_: [])(sympy.zoo.func, sympy.nan.func, sympy.I.func)]
    if bad or (hasattr(expression, "has") and expression.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.I)):
        raise ArgumentError("wrong-value", f"{expression} is no real expression", "", "give finite real expressions")
    return _Printer().doprint(expression)
