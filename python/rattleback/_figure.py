"""Figures: what `--plot` of the command line draws, saved as SVG, PDF or PNG, shown in a notebook, or drawn by matplotlib."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError, misspelt
from ._text import ending, number


class Curve(NamedTuple):
    """A curve of a panel; `dots` are single points. `colour` is a number in the palette, None for its place in the panel."""

    name: str
    x: Any
    y: Any
    dots: bool = False
    smooth: bool = False
    dashed: bool = False
    colour: Optional[int] = None

    def __repr__(self) -> str:
        return f"<Curve {self.name or 'without a name'}: {len(self.x)} points>"


class Panel(NamedTuple):
    """One panel of a figure: labels as the model names quantities, curves, ranges of the axes (None: all that there is)."""

    title: str
    x_label: str
    y_label: str
    curves: list[Curve]
    equal_aspect: bool = False
    log_x: bool = False
    log_y: bool = False
    x_range: Optional[tuple[float, float]] = None
    y_range: Optional[tuple[float, float]] = None

    def __repr__(self) -> str:
        shown = self.y_label or ", ".join(c.name for c in self.curves if c.name)
        return f"<Panel {self.title or shown} over {self.x_label}: {len(self.curves)} curves>"


class Figure:
    """A figure as the command line draws it, to the last byte: `save` it, look at it in a notebook, or have `matplotlib()` draw it.

    `size` is the width in millimetres, or width and height; letters then have 8 points. `style` is 'light' or 'dark'.

    >>> import rattleback as rb
    >>> run = rb.zoo("chaplygin-sleigh").simulate(until=20)
    >>> figure = run.figure("x:y", "u, omega", title="A sleigh", size=170)
    >>> figure
    <Figure A sleigh: y over x; u, omega over t>
    >>> figure.svg.startswith("<svg"), figure.pdf[:5], figure.png[1:4]
    (True, b'%PDF-', b'PNG')
    >>> figure.panels[1].curves[0].name
    'u'
    """

    panels: list[Panel]

    def __init__(self, title: str, panels: Sequence[Any], size: Any = None, style: str = "light") -> None:
        self.title, self.size, self.style = str(title), _size(size), style
        if style not in ("light", "dark"):
            raise misspelt("no style", style, ["light", "dark"])
        self.panels = [Panel._make([*p[:3], [Curve._make(c) for c in p[3]], *p[4:]]) for p in panels]

    @property
    def svg(self) -> str:
        """The text of an SVG file, with its font embedded."""
        return self._written(".svg").decode()

    @property
    def pdf(self) -> bytes:
        """A page of vector graphics with its font embedded."""
        return self._written(".pdf")

    @property
    def png(self) -> bytes:
        """A picture of dots: 300 to the inch where a size is given."""
        return self._written(".png")

    def save(self, path: Any) -> None:
        """Writes the file: .svg, .pdf or .png."""
        kind = ending(path, [".svg", ".pdf", ".png"])
        content = self._written(kind)
        with open(os.fspath(path), "wb") as file:
            file.write(content)

    def _style(self) -> tuple[float, float, bool]:
        return (*self.size, self.style == "dark")

    def _written(self, kind: str) -> bytes:
        return bytes(_core.panels_picture(self.title, [tuple(p) for p in self.panels], self._style(), kind))

    def _repr_svg_(self) -> str:
        return self.svg

    def matplotlib(self, figure: Any = None) -> Any:
        """The same panels by matplotlib: curves, labels, colours, ranges. Returns its figure, whose `axes` are the panels.

        >>> import matplotlib; matplotlib.use("agg")
        >>> import rattleback as rb
        >>> drawn = rb.zoo("chaplygin-sleigh").simulate(until=20).figure("x:y", "u, omega").matplotlib()
        >>> [ax.get_xlabel() for ax in drawn.axes]
        ['x', 't']
        """
        colours = _core.figure_colours(self.style == "dark")
        figure, axes = self._axes(figure, len(self.panels), colours)
        for ax, panel in zip(axes, self.panels):
            _draw_panel(ax, panel, colours)
        return figure

    def _axes(self, figure: Any, count: int, colours: Mapping[str, Any]) -> tuple[Any, list[Any]]:
        columns = 1 if count < 2 or 0 < self.size[0] < 120 else 2
        rows = (max(count, 1) + columns - 1) // columns
        if figure is None:
            from matplotlib import pyplot
            width = self.size[0] / 25.4 or columns * 560 / 96
            height = self.size[1] / 25.4 or rows * width / columns * 340 / 560
            figure = pyplot.figure(figsize=(width, height), layout="constrained")
        figure.set_facecolor(colours["paper"])
        if self.title:
            figure.suptitle(self.title, x=0.02, ha="left", color=colours["ink"])
        axes = [figure.add_subplot(rows, columns, k + 1) for k in range(count)]
        for ax in axes:
            ax.set_facecolor(colours["paper"])
            ax.grid(True, color=colours["pale"], linewidth=0.6)
            ax.set_axisbelow(True)
            ax.tick_params(colors=colours["ink"], length=0)
            for spine in ax.spines.values():
                spine.set_color(colours["grey"])
        return figure, axes

    def _shown(self) -> str:
        return "; ".join(f"{p.y_label or ', '.join(c.name for c in p.curves if c.name) or p.title} over {p.x_label}"
                         for p in self.panels)

    def __repr__(self) -> str:
        shown = self._shown()
        return f"<Figure{' ' + self.title if self.title else ''}{': ' + shown if shown else ''}>"

    def __reduce__(self) -> Any:
        return type(self), (self.title, [tuple(p) for p in self.panels], self.size, self.style)


class SweptFigure(Figure):
    """The figure of a sweep: curves over one axis, maps over two. `panels` is empty; the numbers are those of the sweep."""

    def __init__(self, title: str, axes: Sequence[Any], quantities: Sequence[Any], size: Any = None, style: str = "light") -> None:
        super().__init__(title, [], size, style)
        self._over, self._quantities = list(axes), list(quantities)

    def _written(self, kind: str) -> bytes:
        return bytes(_core.swept_picture(self.title, self._over, self._quantities, self._style(), kind))

    def matplotlib(self, figure: Any = None) -> Any:
        """The same by matplotlib. Returns its figure."""
        colours = _core.figure_colours(self.style == "dark")
        figure, axes = self._axes(figure, len(self._quantities), colours)
        for ax, quantity in zip(axes, self._quantities):
            _draw_swept(ax, self._over, quantity, colours)
        return figure

    def _shown(self) -> str:
        return f"{', '.join(q[0] for q in self._quantities)} over {', '.join(a[0] for a in self._over[:2])}"

    def __reduce__(self) -> Any:
        return SweptFigure, (self.title, self._over, self._quantities, self.size, self.style)


def _size(given: Any) -> tuple[float, float]:
    """Width and height in millimetres; 0 where nothing is said."""
    if given is None or given == (0.0, 0.0):
        return (0.0, 0.0)
    both = given if isinstance(given, (tuple, list)) else (given, None)
    if len(both) != 2:
        raise ArgumentError("usage", f"{given!r} is no size of a figure", "", "write size=85 or size=(170, 110), in millimetres")
    values = [0.0 if x is None or (k == 1 and x == 0) else number(x, "size") for k, x in enumerate(both)]
    if not 20 <= values[0] <= 2000 or not (values[1] == 0 or 20 <= values[1] <= 2000):
        raise ArgumentError("usage", f"{given!r} is no size of a figure", "", "write millimetres from 20 to 2000: 85 or (170, 110)")
    return values[0], values[1]


def _draw_panel(ax: Any, panel: Panel, colours: Mapping[str, Any]) -> None:
    named = len(panel.curves) > 1 and any(c.name for c in panel.curves)
    for k, curve in enumerate(panel.curves):
        colour = colours["curves"][(k if curve.colour is None else curve.colour) % len(colours["curves"])]
        many = len(curve.x)
        dots = {"linestyle": "none", "marker": "o", "markeredgewidth": 0,
                "markersize": 1 if many > 5000 else 1.6 if many > 500 else 2.4 if many > 50 else 4.4}
        line = {"linestyle": "--" if curve.dashed else "-", "linewidth": 1.5}
        label = {"label": _core.label(curve.name)} if curve.name and named else {}
        ax.plot(curve.x, curve.y, color=colour, **(dots if curve.dots else line), **label)
    if panel.log_x:
        ax.set_xscale("log", nonpositive="mask")
    if panel.log_y:
        ax.set_yscale("log", nonpositive="mask")
    if panel.equal_aspect and panel.x_range is None and panel.y_range is None:
        ax.set_aspect("equal", adjustable="datalim")
    elif not any(c.dots for c in panel.curves) and all((np.diff(c.x) >= 0).all() for c in panel.curves):
        ax.margins(x=0)
    if panel.x_range is not None:
        ax.set_xlim(panel.x_range)
    if panel.y_range is not None:
        ax.set_ylim(panel.y_range)
    _label(ax, panel.title, panel.x_label, panel.y_label, colours)
    if named:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, labelcolor=colours["ink"])


def _draw_swept(ax: Any, over: Sequence[Any], quantity: Any, colours: Mapping[str, Any]) -> None:
    name, values, _ = quantity
    x = np.asarray(over[0][1])
    if len(over) == 1:
        order = np.argsort(x, kind="stable")
        ax.plot(x[order], values[order], color=colours["curves"][0], linewidth=1.5)
        return _label(ax, "", over[0][0], name, colours)
    from matplotlib.colors import ListedColormap
    shades = ListedColormap(colours["shades"])
    y = np.asarray(over[1][1])
    across, up = np.unique(x), np.unique(y)
    if len(across) * len(up) <= 2 * len(values):
        grid = np.full((len(up), len(across)), np.nan)
        grid[np.searchsorted(up, y), np.searchsorted(across, x)] = values
        picture = ax.pcolormesh(across, up, grid, shading="nearest", cmap=shades)
    else:
        picture = ax.scatter(x, y, c=values, s=6, cmap=shades)
    bar = ax.figure.colorbar(picture, ax=ax)
    bar.ax.tick_params(colors=colours["ink"])
    return _label(ax, name, over[0][0], over[1][0], colours)


def _label(ax: Any, title: str, x: str, y: str, colours: Mapping[str, Any]) -> None:
    if title:
        ax.set_title(_core.label(title), loc="left", fontweight="bold", fontsize="medium", color=colours["ink"])
    ax.set_xlabel(_core.label(x), color=colours["ink"])
    ax.set_ylabel(_core.label(y), color=colours["ink"])


def ranges_of(given: Any) -> list[tuple[str, tuple[float, float]]]:
    """{"theta": (-1, 1)} as pairs."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ArgumentError("usage", f"ranges is no mapping: {given!r}", "", "write ranges={'theta': (-1, 1)}")
    found = []
    for name, pair in given.items():
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ArgumentError("usage", f"the range of {name} is no pair: {pair!r}", "", "write ranges={'theta': (-1, 1)}")
        low, high = (number(x, f"ranges[{name!r}]") for x in pair)
        if not low < high:
            raise ArgumentError("usage", f"the range of {name} is empty", f"it goes from {low:g} to {high:g}", "write the smaller number first")
        found.append((str(name), (low, high)))
    return found
