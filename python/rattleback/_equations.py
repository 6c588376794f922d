"""Equations of motion and small motions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence

from . import _core
from ._errors import ArgumentError
from ._expression import Expression, Named, named
from ._progress import Line

if TYPE_CHECKING:
    from ._figure import Figure
    from ._model import Model


class Step(NamedTuple):
    """One step of a derivation: its title, a remark, and the lines that it writes down."""

    title: str
    remark: str
    lines: Named


class Assumption(NamedTuple):
    """A condition under which the equations hold: `expression` `relation`, e.g. x != 0, and why it is needed."""

    expression: Expression
    relation: str
    why: str

    def __str__(self) -> str:
        return f"{self.expression} {self.relation}"


class Equations:
    """Equations of motion in one classical form. `str` is what the command line prints; notebooks typeset it.

    >>> import rattleback as rb
    >>> eq = rb.zoo("chaplygin-sleigh").derive("hamel")
    >>> eq
    <Equations of Chaplygin sleigh, hamel: x, y, theta, u, omega>
    >>> eq.rates["omega"]
    -m*a*u*omega/(J + m*a^2)
    """

    def __init__(self, model: "Model", handle: Any) -> None:
        self._model, self._handle = model, handle
        self._complete: Any = None

    @property
    def form(self) -> str:
        """The classical form, e.g. 'hamel'."""
        return str(self._handle.form)

    @property
    def model(self) -> "Model":
        """The model they belong to."""
        return self._model

    @property
    def state(self) -> tuple[str, ...]:
        """Names of the state: functions of the configuration, then speeds."""
        return self.configuration + self.speeds

    @property
    def configuration(self) -> tuple[str, ...]:
        """Names of the functions of the configuration."""
        return tuple(name for _, name, _ in self._handle.configuration)

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of the speeds, which parametrise the admissible velocities."""
        return tuple(name for _, name, _ in self._handle.speeds)

    @property
    def rates(self) -> Named:
        """The rate of each variable of the state."""
        return named((name, rate) for _, name, rate in [*self._handle.configuration, *self._handle.speeds])

    @property
    def definitions(self) -> Named:
        """What each speed is, as a function of the velocities."""
        return named(zip(self.speeds, self._handle.speed_definitions))

    @property
    def velocities(self) -> Named:
        """The velocities as functions of configuration and speeds."""
        return named(self._handle.velocities)

    def _with_reactions(self) -> Any:
        if self._complete is None:
            complete = self._handle
            if not complete.multipliers and not complete.reactions:
                complete = _core.derive(self._model._asked, self.form, True, None, None)
            self._complete = complete
        return self._complete

    @property
    def multipliers(self) -> Named:
        """Lagrange's multiplier of each constraint, as a function of the state."""
        return named(self._with_reactions().multipliers)

    @property
    def reactions(self) -> Named:
        """The forces that the constraints exert, by coordinate or by contact and direction."""
        return named(self._with_reactions().reactions)

    @property
    def steps(self) -> list[Step]:
        """The derivation, step by step."""
        return [Step(title, remark, named(lines)) for title, remark, lines in self._handle.steps()]

    @property
    def assumptions(self) -> list[Assumption]:
        """Conditions under which the equations hold."""
        return [Assumption(Expression(e), relation, why) for e, relation, why in self._handle.assumptions]

    @property
    def notes(self) -> list[str]:
        """What a reader must know: a rule, a branch, a reaction that is not unique."""
        return list(self._handle.notes)

    def __str__(self) -> str:
        return str(self._handle.text(self._model._asked, False))

    def text(self, steps: bool = False) -> str:
        """What the command line prints; with `steps`, the derivation before it."""
        return str(self._handle.text(self._model._asked, steps))

    def latex(self, steps: bool = False) -> str:
        """The equations for a paper; needs amsmath."""
        return str(self._handle.latex(self._model._asked, steps))

    def _repr_latex_(self) -> str:
        left = [(latex_of(name), Expression(rate).latex) for _, name, rate in
                [*self._handle.configuration, *self._handle.speeds]]
        rows = " \\\\ ".join(f"\\dot{{{name}}} &= {rate}" for name, rate in left)
        return f"$\\displaystyle \\begin{{aligned}}{rows}\\end{{aligned}}$"

    def __repr__(self) -> str:
        return f"<Equations of {self._model.title}, {self.form}: {', '.join(self.state)}>"

    def sympy(self) -> dict[Any, Any]:
        """The equations as SymPy's: {x(t): its rate, …}, with positive symbols where the model declares them.

        >>> import rattleback as rb
        >>> eq = rb.zoo("chaplygin-sleigh").derive("hamel").sympy()
        >>> {str(left): right for left, right in eq.items()}["u(t)"]
        a*omega(t)**2
        """
        from ._sympy import from_handles
        rows = [*self._handle.configuration, *self._handle.speeds]
        values = from_handles([h for row in rows for h in (row[0], row[2])])
        return dict(zip(values[::2], values[1::2]))

    def export(self, to: str = "latex") -> str:
        """The motion as a program or a section of a paper: 'latex', 'json', or one of `rb.languages`."""
        system = self._model._asked
        if to == "latex":
            return str(self._handle.section(system))
        if to == "json":
            return str(self._handle.json(system))
        languages = _core.languages()
        if to not in languages:
            from ._errors import misspelt
            raise misspelt("no language of export", to, ["latex", "json", "ipynb", *languages])
        return str(self._handle.program(system, to))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equations) and self.form == other.form and self._model == other._model

    def __hash__(self) -> int:
        return hash((self.form, self._model))

    def __reduce__(self) -> Any:
        return _again, (self._model, self.form)


def _again(model: "Model", form: str) -> Equations:
    return model.derive(form)


def latex_of(name: str) -> str:
    """A name as LaTeX sets it."""
    return str(_core.latex_name(name))


class SmallMotions:
    """Small motions about an equilibrium or a steady motion: d' = A d to first order.

    >>> import rattleback as rb
    >>> pendulum = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + 9*cos(theta)")
    >>> small = pendulum.linearise({"theta": 0})
    >>> sorted(small.eigenvalues.imag)
    [-3.0, 3.0]
    """

    def __init__(self, model: "Model", at: Mapping[str, Any], handle: Any) -> None:
        self._model, self._at, self._handle = model, dict(at), handle

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that take part: configuration, then speeds."""
        return tuple(self._handle.names)

    @property
    def at(self) -> dict[str, Any]:
        """The steady motion, as it was given."""
        return dict(self._at)

    def _matrix(self, name: str) -> list[list[Expression]]:
        return [[Expression(e) for e in row] for row in getattr(self._handle, name)]

    @property
    def A(self) -> list[list[Expression]]:
        """The matrix of the first-order equations."""
        return self._matrix("A")

    @property
    def M(self) -> list[list[Expression]]:
        """The mass matrix: M dz' + C dz + K dq = 0."""
        return self._matrix("M")

    @property
    def C(self) -> list[list[Expression]]:
        """Damping and gyroscopic terms."""
        return self._matrix("C")

    @property
    def K(self) -> list[list[Expression]]:
        """Stiffness."""
        return self._matrix("K")

    @property
    def free(self) -> tuple[str, ...]:
        """Letters in A that have no value: speeds of the steady motion."""
        return tuple(self._handle.free)

    @property
    def notes(self) -> list[str]:
        """What a reader must know."""
        return list(self._handle.notes)

    @property
    def eigenvalues(self) -> Any:
        """The eigenvalues of A at the model's values, as an array."""
        import numpy as np
        if self.free:
            raise ArgumentError("no-value", f"{', '.join(self.free)} has no value",
                                "the steady motion contains a letter",
                                f"use along({self.free[0]!r}, values), or give it a number")
        return np.array(self._handle.eigenvalues(), dtype=complex)

    def along(self, name: str, values: Any, timeout: Optional[float] = None, progress: bool = False) -> Any:
        """Eigenvalues against a parameter or a letter of the steady motion: an array (eigenvalues, values)."""
        return self._along(name, values, timeout, progress)[0]

    def figure(self, name: str, values: Any, *, title: Optional[str] = None, size: Any = None, style: str = "light",
               timeout: Optional[float] = None, progress: bool = False) -> "Figure":
        """The eigenvalues over a parameter, as `rattleback derive --linearise … --vary … --plot` draws them.

        >>> import numpy as np, rattleback as rb
        >>> rb.zoo("bicycle").linearise({"rear_rate": "v/rR"}).figure("v", np.linspace(0.5, 10, 20), title="Bicycle")
        <Figure Bicycle: 1/s over v; 1/s over v>
        """
        from ._figure import Figure
        panels = self._along(name, values, timeout, progress)[2]
        return Figure(self._model._heading if title is None else title, panels, size, style)

    def _along(self, name: str, values: Any, timeout: Optional[float], progress: bool) -> Any:
        import numpy as np
        from ._text import name_of, positive
        name = name_of(name, "along")
        limit = None if timeout is None else positive(timeout, "timeout")
        grid = np.asarray(values)
        if grid.dtype.kind in "fiu":
            grid = grid.astype(float)
        if grid.dtype.kind != "f" or grid.size == 0 or grid.ndim != 1 or not np.isfinite(grid).all():
            raise ArgumentError("usage", "values must be a row of finite numbers",
                                f"their shape is {grid.shape}", "write np.linspace(0, 10, 101)")
        return self._handle.along(name, grid.tolist(), limit, Line(progress).callback())

    def sympy(self) -> Any:
        """The matrix A as SymPy's."""
        import sympy
        from ._sympy import from_handles
        rows = self._handle.A
        flat = from_handles([e for row in rows for e in row])
        return sympy.Matrix(len(rows), len(rows[0]) if rows else 0, flat)

    def __str__(self) -> str:
        return str(self._handle.text())

    def __repr__(self) -> str:
        return f"<SmallMotions of {self._model.title}: {', '.join(self.names)}>"

    def _repr_latex_(self) -> str:
        rows = " \\\\ ".join(" & ".join(e.latex for e in row) for row in self.A)
        return f"$\\displaystyle A = \\begin{{pmatrix}}{rows}\\end{{pmatrix}}$"

    def __reduce__(self) -> Any:
        return _small_again, (self._model, self._at)


def _small_again(model: "Model", at: Mapping[str, Any]) -> SmallMotions:
    return model.linearise(at)


__all__: Sequence[str] = ("Assumption", "Equations", "SmallMotions", "Step")
