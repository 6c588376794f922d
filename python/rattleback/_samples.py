"""Samples of a run or a section as arrays: columns by name, tables of pandas and xarray, files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional

from . import _core
from ._errors import misspelt
from ._text import ending

if TYPE_CHECKING:
    from ._model import Model


class Columns:
    """Named rows of numbers over the samples of a run."""

    def __init__(self, names: list[str], values: Any) -> None:
        self._names, self._values = list(names), values
        self._index = {name: k for k, name in enumerate(self._names)}

    def __getitem__(self, name: str) -> Any:
        if name not in self._index:
            raise misspelt("no column", name, self._names, "unknown-symbol")
        return self._values[self._index[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def keys(self) -> tuple[str, ...]:
        """The names."""
        return tuple(self._names)

    def __repr__(self) -> str:
        return f"<{len(self._names)} columns: {', '.join(self._names)}>"


class _Samples:
    """What a run and a section have in common: times, states, columns by name."""

    t: Any
    y: Any
    model: "Model"
    names: tuple[str, ...]
    _columns: Any
    _labels: list[str]
    _found: Optional[Columns]

    def _set(self, model: "Model", flow: Any, t: Any, y: Any, labels: list[str], columns: Any,
             parts: tuple[int, int, int]) -> None:
        self.model, self.names = model, tuple(flow)
        self.t, self.y = t, y
        self._labels, self._columns, self._parts = labels, columns, parts
        self._found: Optional[Columns] = None

    @property
    def _named(self) -> Columns:
        if self._found is None:
            self._found = Columns(self._labels, self._columns)
        return self._found

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns: state, other velocities, invariants, reactions."""
        return ("t", *self._labels)

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns by name, where the model gives units; of a number without dimension there is none."""
        return dict(self._data["units"])

    @property
    def reactions(self) -> Columns:
        """Multipliers (`lambda blade`) and forces (`reaction x`) along the motion."""
        first = sum(self._parts)
        return Columns(self._labels[first:], self._columns[first:])

    @property
    def invariants(self) -> Columns:
        """What should be constant, along the motion."""
        first, end = self._parts[0] + self._parts[1], sum(self._parts)
        return Columns(self._labels[first:end], self._columns[first:end])

    def __getitem__(self, name: str) -> Any:
        """A column by its name; 't' is the time."""
        if name == "t":
            return self.t
        if name in self._named:
            return self._named[name]
        if name in self.names:
            return self.y[self.names.index(name)]
        raise misspelt("no column of this run", name, dict.fromkeys([*self.columns, *self.names]), "unknown-symbol")

    def __len__(self) -> int:
        return len(self.t)

    def to_pandas(self) -> Any:
        """A table of pandas with the time as its index."""
        import pandas
        frame = pandas.DataFrame(dict(zip(self._labels, self._columns)), index=self.t)
        frame.index.name = "t"
        return frame

    def to_xarray(self) -> Any:
        """A Dataset of xarray over the time."""
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray needs the package xarray (python3-xarray)") from None
        return xarray.Dataset({name: ("t", column) for name, column in zip(self._labels, self._columns)}, {"t": self.t})

    _data: dict[str, Any]

    def _head(self) -> dict[str, Any]:
        return {"model": self.model.name, "section": "", **self._data["head"]}

    def save(self, path: Any) -> None:
        """Writes the samples as `rattleback simulate --output` does: .csv, .json, or .h5 with a dataset for each column."""
        kind = ending(path, [".csv", ".json", ".h5"])
        if kind == ".h5":
            _core.write_run(os.fspath(path), self._head(), self._data)
            return
        text = (_core.run_as_csv if kind == ".csv" else _core.run_as_json)(self._head(), self._data)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
