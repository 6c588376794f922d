"""Return maps of Poincaré sections: orbits on a level, cycles with multipliers, invariant curves, rotation numbers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence

from . import _core
from ._errors import ArgumentError, from_error, misspelt
from ._text import assignments, ending, expression_text, positive, whole

if TYPE_CHECKING:
    from ._figure import Figure
    from ._model import Model


class _States:
    """States with names: `y` has the shape (n, points), `it["theta"]` is a row of it."""

    y: Any
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> Any:
        """A variable of the state by its name."""
        if name not in self.names:
            raise misspelt("no variable of the state", name, self.names, "unknown-symbol")
        return self.y[self.names.index(name)]

    def __len__(self) -> int:
        return int(self.y.shape[1])


class MapOrbit(_States):
    """The returns of one start, which comes first: times `t`, states `y` of shape (n, points), `orbit["theta"]`."""

    def __init__(self, names: Sequence[str], t: Any, y: Any) -> None:
        self.names, self.t, self.y = tuple(names), t, y

    def __repr__(self) -> str:
        return f"<MapOrbit of {len(self)} points until t = {self.t[-1]:g}>"

    def __reduce__(self) -> Any:
        return MapOrbit, (self.names, self.t, self.y)


class RotationProfile(NamedTuple):
    """Rotation numbers of orbits at growing `distance` from an elliptic cycle; `at_centre` is that of its multipliers.

    `change` is the difference of the averages over both halves: small on an invariant curve. `twist` is d(rotation)/d(distance²).
    """

    at_centre: float
    twist: float
    distance: Any
    rotation: Any
    change: Any

    def __repr__(self) -> str:
        return f"<RotationProfile: {self.at_centre:.6g} at the centre, twist {self.twist:.4g}, {len(self.distance)} orbits>"


class Cycle(_States):
    """A cycle of `period` returns, which closes after the time `time` up to `residual`; its states are `y`, (n, period).

    `kind` is "elliptic", "saddle", "inverse saddle", "attracting", …; `multipliers` are those on the section where integrals keep their
    values, symmetries divided out; `rotation` are turns per return around an elliptic cycle, otherwise None; `profile` the rotation
    numbers around it, where they were asked for.
    """

    def __init__(self, names: Sequence[str], data: Mapping[str, Any]) -> None:
        self.names, self._data = tuple(names), dict(data)
        self.period: int = data["period"]
        self.kind: str = data["kind"]
        self.time: float = data["time"]
        self.residual: float = data["residual"]
        self.multipliers = data["multipliers"]
        self.rotation: Optional[float] = data["rotation"]
        self.y = data["y"]
        self.profile: Optional[RotationProfile] = None if data["profile"] is None else RotationProfile(*data["profile"])

    def __repr__(self) -> str:
        return f"<Cycle of period {self.period}, {self.kind}, closes after t = {self.time:.6g}>"

    def __reduce__(self) -> Any:
        return Cycle, (self.names, self._data)


class InvariantCurve(_States):
    """One side of a stable or unstable curve of a saddle: states `y` in their order along it, and its `length` in the plane."""

    def __init__(self, names: Sequence[str], stable: bool, length: float, y: Any) -> None:
        self.names, self.stable, self.length, self.y = tuple(names), bool(stable), float(length), y

    def __repr__(self) -> str:
        return f"<InvariantCurve, {'stable' if self.stable else 'unstable'}: {len(self)} points, length {self.length:.4g}>"

    def __reduce__(self) -> Any:
        return InvariantCurve, (self.names, self.stable, self.length, self.y)


class ReturnMap(Sequence[MapOrbit]):
    """What `Model.map` found: the orbits of its starts; `cycles` and `curves` where they were asked for. `str` is the text of the
    command line.

    >>> import rattleback as rb
    >>> found = rb.zoo("cart-pendulum").map("theta = 0", cycle=1, points=20)
    >>> found
    <ReturnMap of Cart and pendulum at theta = 0 upwards: 1 orbit, 21 points; 1 cycle>
    >>> found[0]["theta'"].shape, found.cycles[0].period
    ((21,), 1)
    """

    def __init__(self, model: "Model", data: Mapping[str, Any]) -> None:
        self.model, self._data = model, dict(data)
        self.section: str = data["section"]
        self.levels: tuple[str, ...] = tuple(data["levels"])
        self.names: tuple[str, ...] = tuple(data["names"])
        self.reduced: tuple[str, ...] = tuple(data["reduced"])
        self.symmetries: tuple[str, ...] = tuple(data["symmetries"])
        self._orbits = [MapOrbit(self.names, *orbit) for orbit in data["orbits"]]
        self.cycles = [Cycle(self.names, cycle) for cycle in data["cycles"]]
        self.curves = [InvariantCurve(self.names, *curve) for curve in data["curves"]]

    def __getitem__(self, index: Any) -> Any:
        return self._orbits[index]

    def __len__(self) -> int:
        return len(self._orbits)

    def save(self, path: Any) -> None:
        """Writes all points, as `rattleback map --output` does: .csv or .json."""
        kind = ending(path, [".csv", ".json"])
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self._data[kind[1:]])

    def figure(self, *, title: Optional[str] = None, size: Any = None, style: str = "light") -> "Figure":
        """The section as `rattleback map --plot` draws it, in the plane that `map` was given, or in that in which the points differ."""
        if self._data["no_panels"] is not None:
            raise from_error(*self._data["no_panels"])
        from ._figure import Figure
        return Figure(self.model._heading if title is None else title, self._data["panels"], size, style)

    def plot(self, x: str, y: str, ax: Any = None, **style: Any) -> Any:
        """Dots in the plane of two variables of the state, each orbit in its colour; curves as lines, cycles as large dots."""
        from matplotlib import pyplot
        if ax is None:
            ax = pyplot.figure(layout="constrained").add_subplot()
        for orbit in self._orbits:
            ax.plot(orbit[x], orbit[y], **{"linestyle": "none", "marker": ".", "markersize": 2, **style})
        for curve in self.curves:
            ax.plot(curve[x], curve[y], "-", linewidth=0.8, color="C0" if curve.stable else "C3")
        for cycle in self.cycles:
            ax.plot(cycle[x], cycle[y], "o", color="black", markersize=4)
        ax.set(xlabel=x, ylabel=y)
        return ax

    def __str__(self) -> str:
        return str(self._data["text"])

    def __repr__(self) -> str:
        def count(n: int, what: str) -> str:
            return f"{n} {what}{'' if n == 1 else 's'}"
        more = f"; {count(len(self.cycles), 'cycle')}" if self._data["sought"] else ""
        return (f"<ReturnMap of {self.model.title} at {self.section}: {count(len(self), 'orbit')}, "
                f"{count(sum(map(len, self._orbits)), 'point')}{more}>")

    def __reduce__(self) -> Any:
        return ReturnMap, (self.model, self._data)


def question(section: Any, direction: str, level: Any, starts: Any, within: Any, points: Any, cycle: Any, manifolds: Any, rotation: Any,
             longest: Any, rtol: Any, plane: Any, ranges: Any) -> Any:
    """What `Model.map` asks, as the library takes it."""
    from ._figure import ranges_of
    ways = {"up": 1, "down": -1, "both": 0}
    if direction not in ways:
        raise misspelt("no direction", direction, ways)
    q = _core.MapQuestion()
    q.section, q.direction, q.levels = expression_text(section, "section"), ways[direction], _levels(level)
    q.starts, q.points, q.within = whole(starts, "starts"), whole(points, "points"), ranges_of(within)
    q.longest, q.rtol = positive(longest, "longest"), positive(rtol, "rtol")
    if cycle is None:
        for name, given in (("manifolds", manifolds), ("rotation", rotation)):
            if given not in (None, False):
                raise ArgumentError("usage", f"{name} is of no use here", "it belongs to cycles, and none are looked for", "add cycle=1")
    else:
        q.cycle = whole(cycle, "cycle")
        if q.cycle > 10**6:
            raise ArgumentError("usage", f"a cycle of {q.cycle} returns is too long", "", "look for a shorter one")
        q.manifolds = manifolds not in (None, False)
        q.manifold_length = positive(manifolds, "manifolds") if q.manifolds and manifolds is not True else 0.0
        q.rotation = 0.0 if rotation is None else positive(rotation, "rotation")
    q.draw_in([] if plane is None else [expression_text(plane, "plane")], ranges_of(ranges))
    return q


def _levels(level: Any) -> list[str]:
    """{"energy": 2}, "energy", "energy = 2", or several."""
    if level is None:
        return []
    if isinstance(level, Mapping):
        return [f"{name} = {value}" for name, value in assignments(level, "level")]
    several = level if isinstance(level, (list, tuple)) else [level]
    return [expression_text(one, "level") for one in several]
