"""Motion planning: inputs within their ranges that bring a system to a goal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Union

from ._text import ending

if TYPE_CHECKING:
    from ._model import Model


class Plan:
    """What `Model.plan` found: corners of polygons in time, `plan.t` and `plan["tau"]`; `str` is the text of the command line.

    `found` says whether a run with these inputs reached the goals; `reached` are their values in that run, `effort` is the integral of
    the sum of the squares of the inputs. Where nothing was found, `nearest` is the largest miss of the best of `guesses` guesses: it
    shows nothing about plans that were not tried.
    """

    def __init__(self, model: "Model", data: Mapping[str, Any]) -> None:
        self.model, self._data = model, dict(data)
        self.found: bool = data["found"]
        self.t = data["t"]
        self.inputs: dict[str, Any] = dict(data["inputs"]) if self.found else {}
        self.reached: dict[str, float] = dict(data["reached"]) if self.found else {}
        self.effort: float = data["effort"]
        self.guesses: int = data["guesses"]
        self.nearest: float = data["nearest"]

    def __getitem__(self, name: str) -> Any:
        """The corners of an input by its name."""
        if name not in self.inputs:
            from ._errors import misspelt
            raise misspelt("no input of the plan", name, tuple(self.inputs), "unknown-symbol")
        return self.inputs[name]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the inputs: .csv, a table for `Model.with_inputs(tau=path)`, or .json, as `rattleback plan --format json` prints."""
        kind = ending(path, [".csv", ".json"])
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._data["csv" if kind == ".csv" else "json"])

    def __str__(self) -> str:
        return str(self._data["text"])

    def __repr__(self) -> str:
        if not self.found:
            return f"<Plan of {self.model.name}: not found, {self.guesses} guesses, nearest {self.nearest:.3g}>"
        return f"<Plan of {self.model.name}: {', '.join(self.inputs)}, effort {self.effort:.4g}>"

    def __reduce__(self) -> Any:
        return Plan, (self.model, self._data)
