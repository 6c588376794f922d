"""Branches of steady and of periodic motions: curves of them with their stability, as arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from ._errors import ArgumentError, misspelt
from ._text import ending

if TYPE_CHECKING:
    from ._figure import Figure
    from ._model import Model


class SpecialPoint(NamedTuple):
    """A fold or a change of stability on a branch: the number of its point, where it is, and what happens there."""

    point: int
    at: float
    kind: str
    what: str


class Branch:
    """One branch: `at` is what was varied, `branch["Omega3"]` a quantity along it, `growing` how many eigenvalues grow.

    `eigenvalues` has the shape (eigenvalues, points); `events` are folds and changes of stability; `ended` says why it ends.
    """

    def __init__(self, vary: str, names: Sequence[str], data: Mapping[str, Any]) -> None:
        self.vary, self.names, self._data = vary, tuple(names), dict(data)
        self.at, self.growing = data["at"], data["growing"]
        self.values, self.eigenvalues = data["values"], data["eigenvalues"]
        self.events = [SpecialPoint(*e) for e in data["events"]]
        self.ended: tuple[str, str] = (data["ended"][0], data["ended"][1])

    @property
    def stable(self) -> Any:
        """Where no eigenvalue grows."""
        return self.growing == 0

    def __getitem__(self, name: str) -> Any:
        """A quantity along the branch by its name: of the state, a rate along the group, or the parameter."""
        if name in self.names:
            return self.values[self.names.index(name)]
        if name == self.vary:
            return self.at
        raise misspelt("no quantity of this branch", name, [*self.names, self.vary], "unknown-symbol")

    def __len__(self) -> int:
        return len(self.at)

    def __repr__(self) -> str:
        what = ", ".join(f"{e.what or e.kind} at {e.at:.6g}" for e in self.events[:3])
        more = f", {len(self.events) - 3} more" if len(self.events) > 3 else ""
        return (f"<Branch over {self.vary} from {self.at.min():.6g} to {self.at.max():.6g}: {len(self)} points"
                + (f"; {what}{more}" if what else "") + ">")

    def __reduce__(self) -> Any:
        return Branch, (self.vary, self.names, self._data)


class OrbitBranch(Branch):
    """One branch of periodic motions: `period` along it, `least` and `largest` values of the state on each orbit, (states, points).

    `eigenvalues` are the Floquet multipliers without those that are 1 by integrals and symmetries; `doubled` says whether the branch is
    born where another one doubles its period.
    """

    def __init__(self, vary: str, names: Sequence[str], data: Mapping[str, Any]) -> None:
        super().__init__(vary, names, data)
        self.least, self.largest, self.doubled = data["least"], data["largest"], bool(data["doubled"])

    @property
    def period(self) -> Any:
        """How long each orbit takes."""
        return self["period"]

    @property
    def multipliers(self) -> Any:
        """The Floquet multipliers: `eigenvalues` by their own name."""
        return self.eigenvalues

    def __reduce__(self) -> Any:
        return OrbitBranch, (self.vary, self.names, self._data)


class BifurcationCurve:
    """A curve of bifurcations in two parameters: `first` is what was varied, `second` the other one, `critical` the frequency or angle of
    the critical pair. `kind` is "fold", "Hopf", "period doubling", …; `events` are special points on it; `curve["Omega3"]` a quantity.
    """

    def __init__(self, vary: str, second: str, names: Sequence[str], data: Mapping[str, Any]) -> None:
        self.axes, self.names, self._data = (vary, second), tuple(names), dict(data)
        self.kind: str = data["kind"]
        self.first, self.second, self.critical = data["first"], data["at"], data["critical"]
        self.values, self.eigenvalues = data["values"], data["eigenvalues"]
        self.events = [SpecialPoint(*e) for e in data["events"]]
        self.ended: tuple[str, str] = (data["ended"][0], data["ended"][1])

    def __getitem__(self, name: str) -> Any:
        """A quantity along the curve by its name."""
        if name in self.names:
            return self.values[self.names.index(name)]
        if name in self.axes:
            return self.first if name == self.axes[0] else self.second
        raise misspelt("no quantity of this curve", name, [*self.names, *self.axes], "unknown-symbol")

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        return (f"<BifurcationCurve, {self.kind}, in {self.axes[0]} and {self.axes[1]}: {len(self)} points, {self.axes[1]} from "
                f"{self.second.min():.6g} to {self.second.max():.6g}>")

    def __reduce__(self) -> Any:
        return BifurcationCurve, (*self.axes, self.names, self._data)


class Branches(Sequence[Branch]):
    """What `Model.branches` found: the branch through the start, then those that cross it. `str` is the text of the command line.

    >>> import rattleback as rb
    >>> found = rb.zoo("rattleback").branches("Omega3", 0, 6, start={"Omega3": 2})
    >>> [(event.kind, round(event.at, 2)) for event in found[0].events]
    [('change', 2.64)]
    """

    _kind: type[Branch] = Branch

    def __init__(self, model: "Model", data: Mapping[str, Any]) -> None:
        self.model, self._data = model, dict(data)
        self.vary: str = data["vary"]
        self.names: tuple[str, ...] = tuple(data["names"])
        self.symmetries: tuple[str, ...] = tuple(data["symmetries"])
        self.held: tuple[str, ...] = tuple(data["held"])
        self._all: list[Any] = [self._kind(self.vary, self.names, branch) for branch in data["branches"]]
        self.second: str = data["second"]
        # Points on a curve have the second parameter besides.
        self.curves = [BifurcationCurve(self.vary, self.second, self.names, curve) for curve in data["curves"]]

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def save(self, path: Any) -> None:
        """Writes all points with their eigenvalues, as `rattleback continue --output` does: .csv or .json."""
        kind = ending(path, [".csv", ".json"])
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self._data[kind[1:]])

    def plot(self, name: Optional[str] = None, ax: Any = None) -> Any:
        """The bifurcation diagram: a quantity over what was varied, stable parts in full, unstable ones dashed. Returns the axes."""
        from matplotlib import pyplot
        shown = self._drawn() if name is None else name
        if ax is None:
            ax = pyplot.figure(layout="constrained").add_subplot()
        for branch in self._all:
            y, special = branch[shown], np.zeros(len(branch), bool)
            special[[e.point for e in branch.events]] = True  # they belong to both parts, so that these meet
            ax.plot(branch.at, np.where(branch.stable | special, y, np.nan), "-", color="C0", linewidth=2)
            ax.plot(branch.at, np.where(~branch.stable | special, y, np.nan), "--", color="C3", linewidth=1.5)
            for event in branch.events:
                ax.plot(event.at, y[event.point], "o", color="C3" if event.kind == "fold" else "black", markersize=4)
        ax.plot([], [], "-", color="C0", linewidth=2, label="stable")
        ax.plot([], [], "--", color="C3", linewidth=1.5, label="unstable")
        ax.legend()
        ax.set(xlabel=self.vary, ylabel=shown)
        return ax

    def figure(self, *, title: Optional[str] = None, size: Any = None, style: str = "light") -> "Figure":
        """The bifurcation diagram as `rattleback continue --plot` draws it."""
        from ._figure import Figure
        return Figure(self.model._heading if title is None else title, self._data["panels"], size, style)

    def _drawn(self) -> str:
        """The quantity that differs most along the branches."""
        def spread(k: int) -> float:
            values = np.concatenate([b.values[k] for b in self._all])
            return float(values.max() - values.min())
        others = [k for k, n in enumerate(self.names) if n != self.vary]
        if not others:
            raise ArgumentError("usage", "there is nothing to draw", "a point has no quantity besides what is varied", "")
        return self.names[max(others, key=spread)]

    def __str__(self) -> str:
        return str(self._data["text"])

    def __repr__(self) -> str:
        return f"<Branches of {self.model.title} over {self.vary}: {len(self)}, with {sum(map(len, self._all))} points>"

    def __reduce__(self) -> Any:
        return type(self), (self.model, self._data)


class Orbits(Branches):
    """What `Model.orbits` found: branches of periodic motions, the one through the start first. `str` is the text of the command line.

    `trivial` names what makes multipliers that are 1 and not among `eigenvalues`; `forced` says whether the rates depend on time.

    >>> import rattleback as rb
    >>> found = rb.zoo("cart-pendulum").orbits("period", 1, 4, points=10)
    >>> found.vary, found.forced, bool((found[0].period > 0).all())
    ('period', False, True)
    """

    _kind = OrbitBranch

    def __init__(self, model: "Model", data: Mapping[str, Any]) -> None:
        super().__init__(model, data)
        self.trivial: tuple[str, ...] = tuple(data["trivial"])
        self.forced = bool(data["forced"])

    def _drawn(self) -> str:
        return "period" if self.vary != "period" else super()._drawn()

    def __repr__(self) -> str:
        return f"<Orbits of {self.model.title} over {self.vary}: {len(self)} branches, with {sum(map(len, self._all))} points>"
