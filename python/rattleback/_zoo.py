"""Models from files and from the zoo that comes with the package."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Optional, Union

from . import _core
from ._errors import ArgumentError, misspelt
from ._model import Model


def load(path: Union[str, "os.PathLike[str]"], params: Optional[Mapping[str, Any]] = None) -> Model:
    """The model of a file, or of the zoo by its name.

    >>> import rattleback as rb
    >>> rb.load("chaplygin-sleigh").title
    'Chaplygin sleigh'
    """
    name = os.fspath(path)
    if not isinstance(name, str) or name == "-":
        raise ArgumentError("unknown-model", f"{path!r} is no path of a model", "", "give a file or a name of the zoo")
    found, text = _core.source_text(name)
    return Model(text, str(found)[:-5] if str(found).endswith(".toml") else str(found), params)


class Zoo(Mapping[str, str]):
    """The models that come with Rattleback: `rb.zoo("chaplygin-sleigh")` loads one, iterating gives their names.

    >>> import rattleback as rb
    >>> rb.zoo("suslov").title
    'Suslov problem'
    >>> "rattleback" in rb.zoo
    True
    """

    def __call__(self, name: str, params: Optional[Mapping[str, Any]] = None) -> Model:
        """The model of that name."""
        if not isinstance(name, str) or "/" in name or name.endswith(".toml") or name == "-":
            raise misspelt("no model of the zoo", name, self, "unknown-model")
        if name not in self._titles():
            near = _core.nearest(name, list(self._titles()))
            raise ArgumentError("unknown-model", f"there is no model `{name}`", "no model of the zoo has this name",
                                f"did you mean `{'`, `'.join(near)}`?" if near else "list(rb.zoo) lists them")
        return load(name, params)

    def _titles(self) -> dict[str, str]:
        return {name: title for name, title, _ in _core.zoo()}

    def __getitem__(self, name: str) -> str:
        """The title of a model."""
        return self._titles()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._titles())

    def __len__(self) -> int:
        return len(self._titles())

    def __repr__(self) -> str:
        return f"<zoo of {len(self)} models: {', '.join(list(self)[:4])}, …>"


zoo = Zoo()
