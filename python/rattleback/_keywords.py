"""Keywords of calls: misspelt ones are refused with a suggestion, limits of time are positive."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

from . import _core
from ._text import positive

# Keywords of other packages, and what they are here.
_ELSEWHERE = {"until": ("t_span", "tspan", "t_end", "tend", "t_final", "tf", "tmax", "t_max", "time", "duration", "T"),
              "initial": ("ic", "init", "initial_conditions", "initial_state", "x0", "q0", "start"),
              "params": ("parameters", "args", "p", "constants", "values"), "step": ("dt", "h", "max_step", "first_step"),
              "rtol": ("tol", "tolerance", "reltol"), "atol": ("abstol",), "method": ("solver", "integrator", "stepper"),
              "samples": ("num", "n", "steps", "n_samples"), "points": ("n", "num", "count"), "t_eval": ("ts", "times", "saveat", "t")}


def known_keywords(keywords: Mapping[str, Any], known: Sequence[str], call: str) -> None:
    """Refuses misspelt keywords, and those of other packages, with a suggestion."""
    for name in keywords:
        near = [own for own, others in _ELSEWHERE.items() if own in known and name in others] or _core.nearest(name, list(known))
        fix = f"did you mean {near[0]}=?" if near else f"it takes {', '.join(known)}"
        raise TypeError(f"{call} has no keyword {name!r}; {fix}")


def time_limit(timeout: Any) -> Optional[float]:
    """Seconds, or None for no limit."""
    return None if timeout is None else positive(timeout, "timeout")


def several(given: Any) -> list[Any]:
    """One thing, a list of things or None, as a list."""
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]
