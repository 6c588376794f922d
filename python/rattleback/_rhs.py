"""The right-hand side of a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import _core

if TYPE_CHECKING:
    from ._model import Model


class Rhs(_core.Rhs):
    """y' = f(t, y), compiled. `f(t, y)` takes (n,) or (n, k), as SciPy's solve_ivp calls it.

    >>> import numpy as np, rattleback as rb
    >>> m = rb.zoo("chaplygin-sleigh")
    >>> f = m.rhs()
    >>> f
    <Rhs of Chaplygin sleigh: x, y, theta, u, omega>
    >>> f(0, np.zeros((5, 1000))).shape
    (5, 1000)
    """

    def __init__(self, model: "Model", params: Optional[Mapping[str, Any]] = None,
                 initial: Optional[Mapping[str, Any]] = None) -> None:
        flow = model._flow(initial, params)
        super().__init__(flow)
        self.model = model
        self.names = tuple(flow.names)
        self._made = params, initial

    @property
    def params(self) -> dict[str, float]:
        """The values of the parameters."""
        return dict(self.model._flow(self._made[1], self._made[0]).parameters)

    def __repr__(self) -> str:
        return f"<Rhs of {self.model.title}: {', '.join(self.names)}>"

    def __reduce__(self) -> Any:
        return Rhs, (self.model, *self._made)
