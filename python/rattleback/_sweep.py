"""Sweeps: what many motions leave behind, as arrays over their axes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError, misspelt
from ._motions import steppers
from ._text import assignments, ending, expression_text, name_of, number, positive, whole

if TYPE_CHECKING:
    from ._figure import SweptFigure
    from ._model import Model


class Sweep:
    """The results of `Model.sweep`: `sweep["name"]` is an array over the axes, nan where a motion has no value.

    Names are those of the axes, the final state, `keep`, and fate, time, steps, energy_change. `fate` is 0 where the
    motion arrived, 1 where it stopped on the way, 2 where it has no initial state.

    >>> import numpy as np, rattleback as rb
    >>> found = rb.zoo("chaplygin-sleigh").sweep({"a": np.linspace(0.1, 1, 4)}, keep={"turn": "final(theta)"}, until=5)
    >>> found
    <Sweep of Chaplygin sleigh over a (4): turn; 4 of 4 arrived>
    >>> found["turn"].shape
    (4,)
    """

    def __init__(self, model: "Model", axes: Mapping[str, Any], shape: tuple[int, ...], dims: tuple[str, ...],
                 names: list[tuple[str, str]], rows: Any, labels: Sequence[str] = ()) -> None:
        self._labels = tuple(labels)  # quantities whose values are classes, such as attractors
        self.model, self.axes, self.shape, self.dims = model, dict(axes), tuple(shape), tuple(dims)
        self._names, self._rows = list(names), rows
        self._index = {name: k for k, (_, name) in reversed(list(enumerate(self._names)))}
        for k, (group, name) in enumerate(self._names):
            if group in ("final", "kept"):
                self._index[name] = k

    @property
    def names(self) -> tuple[str, ...]:
        """All names that can be asked for."""
        return tuple(dict.fromkeys(name for _, name in self._names))

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of `keep`."""
        return tuple(name for group, name in self._names if group == "kept")

    def __getitem__(self, name: str) -> Any:
        if name not in self._index:
            raise misspelt("no name of this sweep", name, self._index, "unknown-symbol")
        return self._rows[:, self._index[name]].reshape(self.shape)

    @property
    def arrived(self) -> Any:
        """Where the motion reached its end."""
        return self["fate"] == 0

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> Any:
        """A table of pandas, one row for each member."""
        import pandas
        labels = []
        for group, name in self._names:
            labels.append(name + "_0" if group == "axes" and ("final", name) in self._names else name)
        return pandas.DataFrame(np.array(self._rows), columns=labels)

    def to_xarray(self) -> Any:
        """A Dataset of xarray over the axes."""
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray needs the package xarray (python3-xarray)") from None
        skipped = set(self.axes)
        data = {name: (self.dims, self[name]) for group, name in self._names
                if group != "axes" and name not in skipped}
        for group, name in self._names:
            if group == "final" and name in skipped:
                data[name + "_final"] = (self.dims, self[name])
        return xarray.Dataset(data, coords={k: v for k, v in self.axes.items() if k in self.dims})

    def save(self, path: Any) -> None:
        """Writes the table of all members: .h5 or .csv, with the columns that `rattleback sweep --output` writes."""
        about = [("schema", "rattleback.sweep/1"), ("model", self.model.name), ("title", self.model.title),
                 ("axes", ", ".join(f"{d} ({n})" for d, n in zip(self.dims, self.shape)))]
        ending(path, [".h5", ".csv"])
        _core.write_sweep(os.fspath(path), self._names, self._rows, about)

    def plot(self, name: str, ax: Any = None, **style: Any) -> Any:
        """A curve over one axis, a map over two. Returns the axes."""
        from matplotlib import pyplot
        values = self[name]
        if ax is None:
            ax = pyplot.figure(layout="constrained").add_subplot()
        if values.ndim == 1:
            ax.plot(self.axes[self.dims[0]] if self.dims[0] in self.axes else np.arange(values.size), values, **style)
            ax.set(xlabel=self.dims[0], ylabel=name)
        elif values.ndim == 2:
            x, y = (self.axes.get(d, np.arange(n)) for d, n in zip(self.dims, self.shape))
            picture = ax.pcolormesh(x, y, values.T, shading="nearest", **style)
            ax.figure.colorbar(picture, ax=ax, label=name)
            ax.set(xlabel=self.dims[0], ylabel=self.dims[1])
        else:
            raise ArgumentError("usage", "a picture has one or two axes", f"this sweep has {values.ndim}",
                                "choose a slice of sweep[name]")
        return ax

    def figure(self, *names: str, title: Optional[str] = None, size: Any = None, style: str = "light") -> "SweptFigure":
        """The figure that `rattleback sweep --plot` draws: what was kept, or the final state, over the axes; or these quantities.

        >>> import numpy as np, rattleback as rb
        >>> found = rb.zoo("chaplygin-sleigh").sweep({"a": np.linspace(0.1, 1, 4)}, keep={"turn": "final(theta)"}, until=5)
        >>> found.figure()
        <Figure Chaplygin sleigh: turn over a>
        """
        from ._figure import SweptFigure
        most = 6
        column = {k: self._rows[:, k] for k in range(len(self._names))}
        axes = [(name, column[k], False) for k, (group, name) in enumerate(self._names) if group == "axes"][:most]
        for name in names:
            self[name]  # says what may be meant
        group = "kept" if self.kept else "final"
        chosen = [self._index[n] for n in names] or [k for k, (g, _) in enumerate(self._names) if g == group][:most]
        quantities = [(self._names[k][1], column[k], self._names[k][1] in self._labels) for k in chosen]
        return SweptFigure(self.model._heading if title is None else title, axes, quantities, size, style)

    def __repr__(self) -> str:
        over = ", ".join(f"{d} ({n})" for d, n in zip(self.dims, self.shape))
        return (f"<Sweep of {self.model.title} over {over}: {', '.join(self.kept) or 'final states'}; "
                f"{int(self.arrived.sum())} of {int(np.isfinite(self['fate']).sum())} arrived>")

    def __reduce__(self) -> Any:
        return Sweep, (self.model, self.axes, self.shape, self.dims, self._names, self._rows, self._labels)


def _duration(until: Any) -> float:
    length = number(until, "until")
    if length <= 0:
        raise ArgumentError("usage", "until must be positive", f"it is {length:g}",
                            "give a positive time; simulate() runs backwards, too")
    return length


def _axis(name: str, values: Any) -> Any:
    if isinstance(values, tuple) and len(values) == 3 and isinstance(values[0], str):
        if values[0] not in ("uniform", "normal"):
            raise misspelt("no distribution", values[0], ["uniform", "normal"], "wrong-axis")
        return (name, values[0], number(values[1], name), number(values[2], name))
    grid = np.asarray(values)
    if grid.dtype.kind not in "fiu" or grid.ndim != 1 or grid.size == 0 or not np.isfinite(grid).all():
        raise ArgumentError("wrong-axis", f"the axis {name!r} is no row of finite numbers",
                            f"its shape is {grid.shape}, its dtype {grid.dtype}",
                            "write np.linspace(0, 1, 101) or ('uniform', 0, 1)")
    return grid.astype(float)


def swept(model: "Model", axes: Mapping[Any, Any], keep: Any, *, until: Any, initial: Any, params: Any, samples: int,
          seed: int, method: str, rtol: float, atol: Optional[float], step: Optional[float], project: bool,
          threads: Optional[int], output: Any, resume: bool, refine: int, differ: Any, timeout: Optional[float], progress: Any) -> Any:
    """Runs the sweep."""
    if not isinstance(axes, Mapping) or not axes:
        raise ArgumentError("usage", "nothing is varied", "a sweep needs at least one axis",
                            "write {'a': np.linspace(0, 1, 101)}; simulate() runs a single motion")
    made = {name_of(name, "axes"): _axis(name_of(name, "axes"), values) for name, values in axes.items()}
    plan = _core.Plan()
    grids = {name: values for name, values in made.items() if not isinstance(values, tuple)}
    random = [values for values in made.values() if isinstance(values, tuple)]
    plan.grids = [(name, values.tolist()) for name, values in grids.items()]
    plan.random = random
    plan.samples = whole(samples, "samples")
    members = plan.samples * int(np.prod([len(values) for values in grids.values()], dtype=object))
    if members > 10**10:
        raise ArgumentError("wrong-axis", f"the sweep would have {members} members", "their table does not fit into memory",
                            "take fewer values, or fewer samples")
    plan.seed = whole(seed, "seed", 0)
    if isinstance(keep, str) or (keep is not None and not isinstance(keep, Mapping)):
        raise ArgumentError("wrong-reduction", "keep is no mapping", "", "write keep={'turn': 'final(theta)'}")
    plan.keep = [f"{name}={_kept(what, name)}" for name, what in (keep or {}).items()]
    plan.initial = assignments(initial, "initial")
    plan.until = None if until is None else _duration(until)
    rows = steppers()
    if not isinstance(method, str) or method not in rows:
        raise misspelt("no method", method, rows, "unknown-method")
    plan.method, plan.rtol = method, positive(rtol, "rtol")
    plan.atol = None if atol is None else positive(atol, "atol")
    plan.step = 0.0 if step is None else positive(step, "step")
    plan.project = bool(project)
    plan.threads = min(os.cpu_count() or 1, 1024) if threads is None else min(whole(threads, "threads"), 1024)
    if refine or differ is not None:
        grids = _refine(plan, grids, refine, differ)
    system = (model if params is None else model.set(**{name_of(k, "params"): v for k, v in params.items()}))._moving
    if output is not None:
        ending(output, [".h5", ".csv"])
        plan.output, plan.resume, plan.about = os.fspath(output), bool(resume), _about(model, plan, made, params)
    elif resume:
        raise ArgumentError("usage", "there is nothing to resume", "only a file remembers what was done",
                            "give output='results.h5'")
    found = _core.sweep(system, plan, timeout, progress)
    if found["rank"] != 0:
        return None
    shape = tuple(len(values) for values in grids.values())
    dims = tuple(grids)
    if plan.samples > 1 or not shape:
        shape, dims = (*shape, plan.samples), (*dims, "sample")
    labels = [text.partition("=")[0] for text in plan.keep if text.partition("=")[2].lstrip().startswith(("attractor", "basin"))]
    return Sweep(model, grids, shape, dims, list(found["columns"]), found["rows"], labels)


def _refine(plan: Any, grids: Mapping[str, Any], refine: Any, differ: Any) -> dict[str, Any]:
    """Asks for a refined chart; returns the axes of its finest grid."""
    plan.refine = whole(refine, "refine")
    if plan.random or plan.samples > 1:
        raise ArgumentError("usage", "a chart with random values cannot be refined", "neighbours would differ by chance",
                            "leave out samples= and distributions")
    if not plan.keep:
        raise ArgumentError("usage", "nothing is kept", "a chart is refined where neighbours differ in what is kept",
                            "write keep={'turn': 'final(theta)'}")
    if differ is not None and not isinstance(differ, Mapping):
        raise ArgumentError("usage", "differ is no mapping", "", "write differ={'turn': 0.1}")
    plan.differ = {name_of(name, "differ"): positive(by, f"differ[{name!r}]") for name, by in (differ or {}).items()}
    finest = {}
    for name, values in grids.items():
        even = np.linspace(values[0], values[-1], values.size)
        if values.size < 2 or not np.allclose(values, even, rtol=0, atol=1e-9 * abs(values[-1] - values[0])):
            raise ArgumentError("wrong-axis", f"the axis {name!r} cannot be refined", "its values are not evenly spaced",
                                "write np.linspace(0, 1, 26)")
        count = (values.size - 1 << min(plan.refine, 40)) + 1
        if count > 10**7:
            raise ArgumentError("wrong-axis", f"{name!r} would have {count} values", "", "take fewer levels of refine=")
        finest[name] = np.linspace(values[0], values[-1], count)
    return finest


def _about(model: "Model", plan: Any, axes: Mapping[str, Any], params: Any) -> list[tuple[str, str]]:
    """Everything that the numbers depend on: a file is resumed by the same sweep only."""
    import hashlib
    vary = []
    for name, values in axes.items():
        if isinstance(values, tuple):
            vary.append(f"{name}={values[1]}({values[2]!r},{values[3]!r})")
        elif len(values) <= 8:
            vary.append(f"{name}=" + ",".join(repr(v) for v in values.tolist()))
        else:
            digest = hashlib.sha256(values.tobytes()).hexdigest()[:16]
            vary.append(f"{name}={len(values)} values from {values[0]!r} to {values[-1]!r} ({digest})")
    settings = (f"method {plan.method}, rtol {plan.rtol!r}, atol {plan.atol!r}, step {plan.step!r}, until {plan.until!r}, "
                f"samples {plan.samples}, seed {plan.seed}, project {plan.project}"
                + (f", refine {plan.refine}, differ {plan.differ!r}" if plan.refine else ""))
    return [("schema", "rattleback.sweep/1"), ("model", model.name), ("title", model.title), ("vary", "; ".join(vary)),
            ("set", ", ".join(f"{k}={v}" for k, v in [*model._values, *assignments(params, "params")])),
            ("inputs", ", ".join(f"{k}={v}" for k, v in model._laws)),
            ("initial", ", ".join(f"{k}={v}" for k, v in plan.initial)), ("keep", "; ".join(plan.keep)),
            ("settings", settings),
            ("fate", "0 arrived, 1 stopped on the way (steps too short or numbers not finite), 2 no initial state")]


def _kept(what: Any, name: Any) -> str:
    """"final(theta)", or ("max", expression)."""
    if isinstance(what, tuple) and len(what) == 2 and isinstance(what[0], str):
        return f"{what[0]}({expression_text(what[1], str(name))})"
    return expression_text(what, f"keep[{name!r}]")
