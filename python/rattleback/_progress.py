"""A line that shows how far a long call has come: in a terminal and in a notebook, nowhere else."""

from __future__ import annotations

import sys
import time
from typing import Any, Optional


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and "IPKernelApp" in getattr(running, "config", {})


class Line:
    """`  42 % [========            ] invariant-measure, 3 s left`, written over and over; called with fraction and stage."""

    def __init__(self, wanted: bool) -> None:
        self._begin = time.monotonic()
        self._last = 0.0
        self._shown = False
        self._display: Any = None
        self.notebook = wanted and _in_notebook()
        self.terminal = wanted and not self.notebook and sys.stderr is not None and sys.stderr.isatty()

    def callback(self) -> Optional["Line"]:
        """Itself where there is somewhere to show it, otherwise None."""
        return self if self.notebook or self.terminal else None

    def text(self, fraction: float, stage: str) -> str:
        """The line itself."""
        fraction = min(max(fraction, 0.0), 1.0)
        left = ""
        if 0.01 < fraction < 1:
            seconds = (time.monotonic() - self._begin) * (1 - fraction) / fraction
            left = f", {seconds:.0f} s left"
        if fraction == 0:  # how far it has come is not known
            return f"{stage or 'computing'}, {time.monotonic() - self._begin:.0f} s"
        bar = "=" * int(20 * fraction)
        return f"{100 * fraction:4.0f} % [{bar:<20}] {stage}{left}"

    def __call__(self, fraction: float, stage: str) -> None:
        now = time.monotonic()
        done = fraction >= 1
        if not self._shown and (done or now - self._begin < 0.3):
            return
        if not done and now - self._last < 0.1:
            return
        self._last, self._shown = now, True
        if self.notebook:
            self._in_cell("" if done else self.text(fraction, stage))
        else:
            sys.stderr.write("\r\033[K" + ("" if done else self.text(fraction, stage)))
            sys.stderr.flush()

    def _in_cell(self, text: str) -> None:
        from IPython.display import display
        data = {"text/plain": text}
        if self._display is None:
            self._display = display(data, raw=True, display_id=True)
        else:
            self._display.update(data, raw=True)
