"""Measures of order and chaos of one motion: spectrum, 0-1 test, dimensions, covariant Lyapunov vectors, phase volume."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional

from . import _core
from ._errors import ArgumentError, misspelt
from ._text import ending, expression_text, positive, whole

if TYPE_CHECKING:
    from ._figure import Figure
    from ._model import Model


class Spectrum(NamedTuple):
    """Power over frequency (cycles per unit of time), parts of the variance that add up to 1; `peaks` = (frequency, power), the highest
    first; `flatness` is near 0 for lines, towards 1 for noise."""

    frequency: Any
    power: Any
    peaks: list[tuple[float, float]]
    flatness: float

    def __repr__(self) -> str:
        at = f", highest at {self.peaks[0][0]:.6g}" if self.peaks else ""
        return f"<Spectrum of {len(self.frequency)} frequencies{at}>"


class Dimension(NamedTuple):
    """Correlation dimension of the reduced state: `value` ± `error`, the slope of ln `sum` over ln `radius` from `first` to `last`."""

    value: float
    error: float
    radius: Any
    sum: Any
    first: int
    last: int

    def __repr__(self) -> str:
        return f"<Dimension {self.value:.3g} ± {self.error:.1g}>"


class Recurrence(NamedTuple):
    """How often the motion comes back to within `threshold`: part of pairs, part of those on diagonals, the longest diagonal and the
    mean time between returns, both in units of time."""

    threshold: float
    rate: float
    determinism: float
    longest: float
    mean_return: float


class CovariantVectors(NamedTuple):
    """Covariant Lyapunov vectors: their growth `exponents`, the least and mean angles between them in radians, (vectors, vectors).

    `hyperbolicity` is the least angle between what grows and what shrinks, None where one of them is absent; `time` is how long they
    were counted.
    """

    exponents: Any
    least_angle: Any
    mean_angle: Any
    hyperbolicity: Optional[float]
    time: float

    def __repr__(self) -> str:
        return f"<CovariantVectors: exponents {', '.join(f'{x:.4g}' for x in self.exponents)}>"


class Volumes(NamedTuple):
    """ln of the phase volume along a cloud of motions: times, and the mean, least and largest value at each."""

    t: Any
    mean: Any
    least: Any
    largest: Any


class PhaseVolume(NamedTuple):
    """Phase volume along `motions` motions, forwards and from reversed speeds, with the mean rates of ln V and their errors.

    `asymmetry` is how much the rates change when all speeds are reversed: 0 for reversible motions. `violation`, with a density, is how
    far ln(density) + ln V is from constant.
    """

    motions: int
    failed: int
    forward: Volumes
    reversed: Volumes
    rate: float
    error: float
    reversed_rate: float
    reversed_error: float
    asymmetry: float
    violation: Optional[float]

    def __repr__(self) -> str:
        return f"<PhaseVolume along {self.motions} motions: rate {self.rate:.6g} ± {self.error:.1g}>"


class Measures:
    """What `Model.measure` found: of a quantity `spectrum`, `zero_one`, `dimension` and `recurrence`; `covariant`; `volume`. What was not
    asked for is None. `zero_one_doubt` says why K is not to be trusted (too few samples, oversampled), and is empty where it is. `str` is the text of the command line.

    >>> import rattleback as rb
    >>> found = rb.zoo("chaplygin-sleigh").measure(volume=10, until=5)
    >>> found
    <Measures of Chaplygin sleigh until 5: volume>
    >>> found.volume.forward.mean.shape == found.volume.forward.t.shape, found.spectrum
    (True, None)
    """

    def __init__(self, model: "Model", data: Mapping[str, Any]) -> None:
        self.model, self._data = model, dict(data)
        series, covariant, volume = data["series"], data["covariant"], data["volume"]
        self.until: float = data["until"]
        self.of: Optional[str] = series and series["of"]
        self.interval: Optional[float] = series and series["interval"]
        self.spectrum = Spectrum(*series["spectrum"]) if series else None
        self.zero_one: Optional[float] = series and series["zero_one"]
        self.zero_one_doubt: Optional[str] = series and series["zero_one_doubt"]
        self.dimension = Dimension(*series["dimension"]) if series else None
        self.recurrence = Recurrence(*series["recurrence"]) if series else None
        self.covariant = CovariantVectors(*covariant[:5]) if covariant else None
        self.volume = PhaseVolume._make([*volume[:2], Volumes(*volume[2]), Volumes(*volume[3]), *volume[4:]]) if volume else None

    def save(self, path: Any) -> None:
        """Writes the numbers, as `rattleback measure --format json` prints them: .json."""
        ending(path, [".json"])
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self._data["json"])

    def figure(self, *, title: Optional[str] = None, size: Any = None, style: str = "light") -> "Figure":
        """Spectrum, correlation sum and volume over time, as `rattleback measure --plot` draws them."""
        from ._figure import Figure
        if not self._data["panels"]:
            raise ArgumentError("usage", "there is nothing to draw", "covariant vectors have no figure", "measure a quantity or the volume")
        return Figure(self.model._heading if title is None else title, self._data["panels"], size, style)

    def __str__(self) -> str:
        return str(self._data["text"])

    def __repr__(self) -> str:
        parts = [*([f"spectrum of {self.of}, 0-1 test {self.zero_one:.3f}{' (' + self.zero_one_doubt.split(':')[0] + ')' if self.zero_one_doubt else ''}"] if self.of else []),
                 *(["covariant vectors"] if self.covariant else []), *(["volume"] if self.volume else [])]
        return f"<Measures of {self.model.title} until {self.until:g}: {', '.join(parts)}>"

    def __reduce__(self) -> Any:
        return Measures, (self.model, self._data)


_WINDOWS = ("blackman-harris", "hann", "none")


def measuring(of: Any, until: Any, transient: Any, samples: Any, window: str, covariant: Any, volume: Any, width: Any, density: Any) -> Any:
    """What `Model.measure` asks, as the library takes it."""
    if of is None and covariant is None and volume is None:
        raise ArgumentError("usage", "nothing is measured", "", 'give a quantity such as "theta", covariant= or volume=')
    if density is not None and volume is None:
        raise ArgumentError("usage", "density is of no use here", "it is compared with the phase volume", "add volume=50")
    if window not in _WINDOWS:
        raise misspelt("no window", window, _WINDOWS)
    q = _core.Measuring()
    q.until, q.window, q.samples, q.width = positive(until, "until"), window, whole(samples, "samples"), positive(width, "width")
    q.transient = 0.0 if transient == 0 else positive(transient, "transient")
    if q.samples > 10**7:
        raise ArgumentError("usage", f"{q.samples} samples are too many", "their spectrum is computed at once", "keep at most ten millions")
    q.of = "" if of is None else expression_text(of, "of")
    if covariant is not None:
        q.covariant = 0 if isinstance(covariant, str) and covariant == "all" else whole(covariant, "covariant")
    if volume is not None:
        q.volume = whole(volume, "volume")
    q.density = "" if density is None else expression_text(density, "density")
    return q
