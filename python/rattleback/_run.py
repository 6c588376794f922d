"""Runs: motions as arrays, with the names of SciPy's solve_ivp and the names of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from ._errors import ArgumentError, misspelt
from ._samples import _Samples

if TYPE_CHECKING:
    from ._figure import Figure
    from ._model import Model


class Drift(NamedTuple):
    """How well a run keeps what is constant: its first value, the largest change, and that relative to max(1, |first|)."""

    initial: float
    largest: float
    relative: float


class Phase(NamedTuple):
    """A phase of a motion with flight, from one change of contacts to the next: names of contacts that roll, slide and are open, and the
    energy at both ends."""

    start: float
    end: float
    closed: list[str]
    sliding: list[str]
    open: list[str]
    energy_start: float
    energy_end: float

    def __repr__(self) -> str:
        parts = [f"{what} {', '.join(names)}" for what, names in (("closed", self.closed), ("sliding", self.sliding), ("open", self.open)) if names]
        return f"<Phase from {self.start:.6g} to {self.end:.6g}: {'; '.join(parts)}>"


class Impact(NamedTuple):
    """An impact of a motion with flight: normal velocities before and after it, slip of the point of contact before and after, impulses,
    the energy that is lost, and what the contact does then: it bounces, rolls, slides or stays."""

    time: float
    contact: str
    approach: float
    rebound: float
    slip_before: float
    slip_after: float
    normal_impulse: float
    tangential_impulse: float
    lost: float
    outcome: str

    def __repr__(self) -> str:
        return f"<Impact of {self.contact} at t = {self.time:.6g}: {self.outcome}, {self.lost:.4g} lost>"


class Solution:
    """The state at any time within a run: `sol(t)` has the shape (n,), or (n, k) for k times.

    >>> import rattleback as rb
    >>> run = rb.zoo("chaplygin-sleigh").simulate(until=5)
    >>> run.sol(0.0)[:3]
    array([0., 0., 0.])
    >>> run.sol([0.0, 1.0, 2.5]).shape
    (5, 3)
    """

    def __init__(self, run: "Run", dense: Any) -> None:
        self._run, self._dense, self._names = run, dense, run.names
        self.t_min, self.t_max = min(0.0, run.end), max(0.0, run.end)

    def __call__(self, t: Any) -> Any:
        times = np.asarray(t, dtype=float)
        if times.ndim > 1 or not np.isfinite(times).all():
            raise ArgumentError("usage", "t must be a finite number or a row of them", "", "write sol(1.5)")
        if times.size and (times.min() < self.t_min or times.max() > self.t_max):
            raise ArgumentError("usage", f"t leaves the run, which goes from 0 to {self._run.end:g}", "",
                                "run longer, with until=")
        values = self._dense(np.atleast_1d(times))
        return values[:, 0] if times.ndim == 0 else values

    def __repr__(self) -> str:
        return f"<Solution from 0 to {self._run.end:g}: {', '.join(self._names)}>"

    def __reduce__(self) -> Any:
        return _solution, (self._run,)


def _solution(run: "Run") -> Solution:
    return run.sol


class Run(_Samples):
    """A motion: `t`, `y` of shape (n, samples), events and success as SciPy's solve_ivp returns them, columns by name.

    >>> import rattleback as rb
    >>> run = rb.zoo("chaplygin-sleigh").simulate(until=20)
    >>> run
    <Run of Chaplygin sleigh from 0 to 20: 1001 samples of x, y, theta, u, omega>
    >>> run["omega"].shape, run.y.shape, run.success
    ((1001,), (5, 1001), True)
    >>> run.drift["energy"].relative < 1e-12
    True
    """

    def __init__(self, model: "Model", request: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        self._request, self._data = dict(request), dict(data)
        self._set(model, data["state_names"], data["t"], data["y"], data["names"], data["columns"], data["parts"])
        self._dense: Optional[Any] = None

    @property
    def end(self) -> float:
        """The time reached."""
        return float(self._data["end"])

    @property
    def y0(self) -> Any:
        """The first state."""
        return np.array(self._data["y0"])

    @property
    def final(self) -> dict[str, float]:
        """The last value of every column."""
        return dict(zip(self._labels, self._data["final_row"]))

    @property
    def y_final(self) -> Any:
        """The last state."""
        return np.array(self._data["final_state"])

    @property
    def params(self) -> dict[str, float]:
        """The values of the parameters."""
        return dict(self._data["params"])

    @property
    def success(self) -> bool:
        """Whether the motion reached its end or an event that ends it."""
        return self._data["failure"] is None

    @property
    def status(self) -> int:
        """0: reached the end; 1: an event ended the motion; -1: it could not go on."""
        if not self.success:
            return -1
        return int(abs(self.end) < abs(self._data["until"]))

    @property
    def message(self) -> str:
        """Why it ended, in words."""
        if self._data["timed_out"]:
            return f"the time limit was reached at t = {self.end:.10g}"
        if not self.success:
            return f"the motion ends at t = {self.end:.10g}, before {self._data['until']:g}: {self._data['failure']}"
        if self.status == 1:
            return f"an event ended the motion at t = {self.end:.10g}"
        return "the motion reached its end"

    @property
    def drift(self) -> dict[str, Drift]:
        """What should be constant, and how far it moved over all steps."""
        return {name: Drift(*rest) for name, *rest in self._data["drift"]}

    @property
    def t_events(self) -> list[Any]:
        """When each event happened."""
        return [np.array([c[1] for c in self._data["crossings"] if c[0] == k])
                for k in range(self._data["event_count"])]

    @property
    def y_events(self) -> list[Any]:
        """The states at the events, (events, n) for each."""
        n = len(self.names)
        return [np.array([c[3] for c in self._data["crossings"] if c[0] == k]).reshape(-1, n)
                for k in range(self._data["event_count"])]

    @property
    def lift_off(self) -> Optional[tuple[float, str]]:
        """When a contact would first have to pull, and which; None when none does."""
        when = self._data["lift_off"]
        return None if when is None else (float(when), str(self._data["lift_off_contact"]))

    @property
    def phases(self) -> list[Phase]:
        """The phases of a motion with flight, one after the other; empty without `fly`.

        >>> import rattleback as rb
        >>> rb.zoo("ball-in-cylinder").simulate(until=2, fly=True).phases
        [<Phase from 0 to 2: closed wall>]
        """
        return [Phase(*phase) for phase in self._data.get("phases", [])]

    @property
    def impacts(self) -> list[Impact]:
        """The impacts of a motion with flight, in the order of time."""
        return [Impact(*impact) for impact in self._data.get("impacts", [])]

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self._data["steps"])

    @property
    def notes(self) -> list[str]:
        """What happened on the way: where other speeds took over, positions between which the constraints do not choose."""
        return list(self._data["notes"])

    @property
    def nfev(self) -> int:
        """Evaluations of the right-hand side, or of its Taylor series."""
        return int(self._data["evaluations"])

    @property
    def sol(self) -> Solution:
        """The state at any time. The run is repeated once, with every step kept, when first asked for."""
        if self._dense is None:
            self._dense = self.model._dense(self._request, self._data)
        return Solution(self, self._dense)

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """One name: over time. Two: the second over the first. None: every variable of the state over time. Returns the axes.

        >>> import matplotlib; matplotlib.use("agg")
        >>> import rattleback as rb
        >>> ax = rb.zoo("chaplygin-sleigh").simulate(until=5).plot("x", "y")
        >>> ax.get_xlabel(), ax.get_ylabel()
        ('x', 'y')
        """
        return _plotted(self, names, ax, style, points=False)

    def figure(self, *panels: str, ranges: Optional[Mapping[str, Any]] = None, log: Any = (), title: Optional[str] = None,
               size: Any = None, style: str = "light", timeout: Optional[float] = None, progress: bool = False,
               **unknown: Any) -> "Figure":
        """The figure that `rattleback simulate --plot` draws, with the same words: "lean, steer" over time, "x:y" for y over x,
        expressions of the model; without panels those that the program chooses.

        `ranges` = {"theta": (-1, 1)} and `log` = ["t"] are about axes; `size` is in millimetres.

        >>> import rattleback as rb
        >>> run = rb.zoo("cart-pendulum").simulate()
        >>> run.figure("theta:theta'", ranges={"theta": (-1, 1)}, title="")
        <Figure: theta' over theta>
        """
        return self.model._figure(self._request, self._data, None, panels, ranges, log, title, size, style, timeout, progress, unknown)

    def animate(self, frames: Optional[int] = None, height: int = 420) -> "Animation":
        """The film of the motion, shown inside a notebook's cell: no widget, no network.

        >>> import rattleback as rb
        >>> film = rb.zoo("chaplygin-sleigh").simulate(until=2).animate(frames=20)
        >>> "canvas" in film.html
        True
        """
        return Animation(self.model._film(self._request, self._data, frames), height)

    def __repr__(self) -> str:
        return (f"<Run of {self.model.title} from 0 to {self.end:g}: {len(self)} samples of {', '.join(self.names)}"
                + ("" if self.success else f"; {self.message}") + ">")

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Run) and self.model == other.model and np.array_equal(self.t, other.t)
                and np.array_equal(self.y, other.y))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Run, (self.model, self._request, self._data)


class Section(_Samples):
    """Points of a Poincaré section: the states at which an expression crosses zero.

    >>> import rattleback as rb
    >>> points = rb.zoo("contact-oscillator").section("y = 0", points=20)
    >>> points
    <Section of Contact oscillator at y = 0: 20 points>
    >>> points.y.shape[1], abs(points["y"]).max() < 1e-9
    (20, True)
    """

    def __init__(self, model: "Model", at: str, data: Mapping[str, Any]) -> None:
        self.at, self._data = at, dict(data)
        self._set(model, data["state_names"], data["section_t"], data["section_y"], data["names"],
                  data["section_columns"], data["parts"])

    @property
    def drift(self) -> dict[str, Drift]:
        """What should be constant, and how far it moved over all steps."""
        return {name: Drift(*rest) for name, *rest in self._data["drift"]}

    def _head(self) -> dict[str, Any]:
        ways = {1: " upwards", -1: " downwards", 0: ""}
        at = self.at if "=" in self.at else self.at + " = 0"
        head = super()._head()
        # The section is the last of the events that the motion was watched for.
        return {**head, "events": [*head["events"], self.at], "section": at + ways[self._data["direction"]]}

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """Dots in the plane of two names. Returns the axes."""
        return _plotted(self, names, ax, style, points=True)

    def figure(self, *panels: str, ranges: Optional[Mapping[str, Any]] = None, log: Any = (), title: Optional[str] = None,
               size: Any = None, style: str = "light", timeout: Optional[float] = None, progress: bool = False,
               **unknown: Any) -> "Figure":
        """The figure that `rattleback simulate --section … --plot` draws: see `Run.figure`."""
        made = self._data["made"]
        return self.model._figure(made["request"], {"y0": made["y0"]}, made["section"], panels, ranges, log, title, size, style, timeout,
                                  progress, unknown)

    def __repr__(self) -> str:
        return f"<Section of {self.model.title} at {self.at}: {len(self)} points>"

    def __reduce__(self) -> Any:
        return Section, (self.model, self.at, self._data)


class PreciseRun:
    """A motion in more digits than float has. `run["u"]` are floats, `run.digits["u"]` texts with all digits.

    >>> import rattleback as rb
    >>> run = rb.zoo("chaplygin-sleigh").simulate(until=2, samples=3, precision=200)
    >>> run
    <PreciseRun of Chaplygin sleigh from 0 to 2, 200 bits: 3 samples>
    >>> len(run.final["u"]) > 50, run["u"].shape
    (True, (3,))
    >>> run.drift["energy"].relative < 1e-50
    True
    """

    def __init__(self, model: "Model", precision: str, data: Mapping[str, Any]) -> None:
        self.model, self.precision, self._data = model, precision, dict(data)
        self.t = np.array(data["t"])
        rows = data["rows"]
        self.digits: dict[str, list[str]] = {name: [row[k] for row in rows] for k, name in enumerate(data["names"])}
        self.final: dict[str, str] = dict(zip(data["names"], data["final_row"]))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return ("t", *self.digits)

    def __getitem__(self, name: str) -> Any:
        """A column by its name, rounded to floats; 't' is the time."""
        if name == "t":
            return self.t
        if name not in self.digits:
            raise misspelt("no column of this run", name, self.columns, "unknown-symbol")
        return np.array([float(text) for text in self.digits[name]])

    def mpmath(self, name: str) -> list[Any]:
        """A column as numbers of mpmath, with all digits."""
        self[name]
        import mpmath
        with mpmath.workdps(max(15, *(len(text) for text in self.digits[name]))):
            return [mpmath.mpf(text) for text in self.digits[name]]

    @property
    def end(self) -> float:
        """The time reached."""
        return float(self._data["end"])

    @property
    def success(self) -> bool:
        """Whether the motion reached its end."""
        return self._data["failure"] is None

    @property
    def message(self) -> str:
        """Why it ended, in words."""
        return "the motion reached its end" if self.success else str(self._data["failure"])

    @property
    def drift(self) -> dict[str, Drift]:
        """What should be constant, and how far it moved over all steps, computed in that precision."""
        return {name: Drift(*rest) for name, *rest in self._data["drift"]}

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self._data["steps"])

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        bits = f"{self.precision} bits" if self.precision.isdigit() else self.precision
        return f"<PreciseRun of {self.model.title} from 0 to {self.end:g}, {bits}: {len(self)} samples>"

    def __reduce__(self) -> Any:
        return PreciseRun, (self.model, self.precision, self._data)


class Animation:
    """A film that a notebook shows. `html` is a page that needs nothing else; `save` writes it."""

    def __init__(self, html: str, height: int = 420) -> None:
        self.html, self.height = html, height

    def save(self, path: Any) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        from html import escape
        return (f'<iframe srcdoc="{escape(self.html, quote=True)}" style="width:100%;height:{self.height}px;border:0" '
                'sandbox="allow-scripts" title="animation of the mechanism"></iframe>')

    def __repr__(self) -> str:
        return f"<Animation: {len(self.html) // 1000} kB of HTML>"


def _plotted(samples: Union[Run, Section], names: tuple[str, ...], ax: Any, style: Mapping[str, Any],
             points: bool) -> Any:
    from matplotlib import pyplot
    if len(names) > 2:
        raise ArgumentError("usage", "a plot has one or two names", f"there are {len(names)}",
                            "plot one over time, or the second over the first")
    if ax is None:
        ax = pyplot.figure(layout="constrained").add_subplot()
    options: dict[str, Any] = dict(style)
    if points:
        options = {"linestyle": "none", "marker": ".", "markersize": 3, **style}
    if not names and points:
        names = tuple(samples.names[:2])
    if len(names) == 2:
        ax.plot(samples[names[0]], samples[names[1]], **options)
        ax.set(xlabel=names[0], ylabel=names[1])
        if {samples.model._kind_of(n) for n in names} == {"line"}:
            ax.set_aspect("equal", adjustable="datalim")
        return ax
    for name in names or samples.names:
        ax.plot(samples.t, samples[name], **{"label": name, **options})
    ax.set(xlabel="t")
    if len(names) == 1:
        ax.set_ylabel(names[0])
    else:
        ax.legend()
    return ax
