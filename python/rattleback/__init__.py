"""Rattleback: describe a nonholonomic system once; derive it, prove things about it, run it.

>>> import rattleback as rb
>>> m = rb.zoo("chaplygin-sleigh")
>>> m.derive("hamel").rates["u"]
a*omega^2
>>> m.analyze("invariant-measure")
<Verdict invariant-measure: refuted unless a = 0>
>>> run = m.simulate(until=20)
>>> run.success
True
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING, Any, Optional, Sequence

from . import _core

_FOLDER = _os.path.dirname(_os.path.abspath(__file__))
_core.set_folders(_os.path.join(_FOLDER, "models"), _os.path.join(_FOLDER, "extensions"))

from ._equations import Assumption, Equations, SmallMotions, Step  # noqa: E402
from ._errors import (ArgumentError, DoesNotApply, Error, InternalError, Issue, LimitError, ModelError,  # noqa: E402
                      Place, StateError, Timeout, Unavailable, UnknownName)
from ._expression import Expression, Named  # noqa: E402
from ._findings import Findings, JointFinding, Parameter  # noqa: E402
from ._model import Model  # noqa: E402
from ._studies import Exponents, MeasuredOrder, Orders  # noqa: E402
from ._verdict import CheckedStep, Doubt, Verdict, Verdicts  # noqa: E402
from ._zoo import Zoo, load, zoo  # noqa: E402

if TYPE_CHECKING:
    from ._branches import BifurcationCurve, Branch, Branches, OrbitBranch, Orbits, SpecialPoint
    from ._builder import Body, Contact, Joint, System, Wheel, from_sympy, from_urdf
    from ._figure import Curve, Figure, Panel, SweptFigure
    from ._maps import Cycle, InvariantCurve, MapOrbit, ReturnMap, RotationProfile
    from ._measures import CovariantVectors, Dimension, Measures, PhaseVolume, Recurrence, Spectrum, Volumes
    from ._plans import Plan
    from ._rhs import Rhs
    from ._run import Animation, Drift, Impact, Phase, PreciseRun, Run, Section, Solution
    from ._samples import Columns
    from ._sweep import Sweep

__version__: str = _core.version

# Parts that need NumPy or SymPy are imported when they are first asked for.
_LATER = {**dict.fromkeys(("Cycle", "InvariantCurve", "MapOrbit", "ReturnMap", "RotationProfile"), "_maps"),
          **dict.fromkeys(("CovariantVectors", "Dimension", "Measures", "PhaseVolume", "Recurrence", "Spectrum", "Volumes"), "_measures"),
          "BifurcationCurve": "_branches", "Plan": "_plans", "Impact": "_run", "Phase": "_run",
          "Run": "_run", "Section": "_run", "Solution": "_run", "Drift": "_run", "Animation": "_run", "Columns": "_samples",
          "PreciseRun": "_run", "Branch": "_branches", "Branches": "_branches", "SpecialPoint": "_branches",
          "OrbitBranch": "_branches", "Orbits": "_branches", "Curve": "_figure", "Figure": "_figure", "Panel": "_figure",
          "SweptFigure": "_figure",
          "Joint": "_builder", "Wheel": "_builder",
          "Rhs": "_rhs", "Sweep": "_sweep", "System": "_builder", "Body": "_builder", "Contact": "_builder",
          "from_sympy": "_builder", "from_urdf": "_builder"}

__all__ = ["Animation", "ArgumentError", "Assumption", "BifurcationCurve", "Body", "Branch", "Branches",
           "CheckedStep", "Columns", "Contact", "CovariantVectors", "Curve", "Cycle", "Dimension", "DoesNotApply",
           "Doubt", "Drift", "Equations", "Error", "Exponents", "Expression", "Figure", "Findings", "Impact",
           "InternalError", "InvariantCurve", "Issue", "Joint", "JointFinding", "LimitError", "MapOrbit",
           "MeasuredOrder", "Measures", "Model", "ModelError", "Named", "OrbitBranch", "Orbits", "Orders", "Panel",
           "Parameter", "Phase", "PhaseVolume", "Place", "Plan", "PreciseRun", "Recurrence", "ReturnMap", "Rhs",
           "RotationProfile", "Run", "Section", "SmallMotions", "Solution", "SpecialPoint", "Spectrum", "StateError",
           "Step", "Sweep", "SweptFigure", "System", "Timeout", "Unavailable", "UnknownName", "Verdict", "Verdicts",
           "Volumes", "Wheel", "Zoo", "check_certificate", "doubt", "explain", "forms", "from_sympy", "from_urdf",
           "languages", "load", "methods", "native", "questions", "zoo"]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module
        value = getattr(import_module("." + _LATER[name], __name__), name)
        globals()[name] = value
        return value
    if name in ("questions", "forms", "methods", "languages"):
        value = {"languages": lambda: list(_core.languages()),
                 "questions": lambda: {q: about for q, about in _core.questions()},
                 "forms": lambda: {f: title for f, title, _ in _core.forms()},
                 "methods": lambda: {m: title for m, title, *_ in _core.steppers()}}[name]()
        globals()[name] = value
        return value
    near = _core.nearest(name, __all__)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise AttributeError(f"module 'rattleback' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def native(mode: str = "auto") -> None:
    """Whether motions are compiled to machine code: 'auto' (when it pays), 'on', 'off'. The numbers are the same.

    >>> import rattleback as rb
    >>> rb.native("auto")
    """
    if mode not in ("auto", "on", "off"):
        from ._errors import misspelt
        raise misspelt("no mode", mode, ["auto", "on", "off"])
    _core.set_native(mode)


def explain(name: str) -> str:
    """What an error (by its slug), a question, or a tag of the theory manual such as "M.3" means.

    >>> import rattleback as rb
    >>> "constraint" in rb.explain("off-constraint")
    True
    >>> rb.explain("energy").splitlines()[0]
    'energy: the energy v dL/dv - L is constant along every motion'
    >>> rb.explain("M.3").splitlines()[0]
    '(M.3) of the theory manual, measures: Brackets leave conditions without unknowns'
    """
    from ._pages import explained
    return explained(_os.path.join(_FOLDER, "docs"), name)


def check_certificate(certificate: Any, model: Optional[Model] = None) -> list[CheckedStep]:
    """Verifies a certificate by algebra alone; with a `model`, also that it was made for it and states its system.

    It is a `Verdict`, what `Verdict.certificate` holds, or JSON: of a certificate, or as the command line prints answers.

    >>> import rattleback as rb
    >>> sleigh = rb.zoo("chaplygin-sleigh")
    >>> v = sleigh.prove(conserved="m*u^2 + (J + m*a^2)*omega^2")
    >>> {step.outcome for step in rb.check_certificate(v, sleigh)}
    {'proved'}
    """
    import json
    if isinstance(certificate, Verdict):
        certificate = certificate._certificate_json()
    try:
        text = certificate if isinstance(certificate, str) else json.dumps(certificate)
    except (TypeError, ValueError) as why:
        raise ArgumentError("bad-certificate", "this is no certificate", str(why),
                            "give a verdict, its .certificate, or JSON text") from None
    if model is not None and not isinstance(model, Model):
        raise ArgumentError("usage", f"a model is expected, not {type(model).__name__}", "", "write model=rb.zoo('suslov')")
    system = None if model is None else model._system
    return [CheckedStep(*step) for step in _core.check_certificate(text, system, None)]


def doubt(questions: Optional[Sequence[str]] = None, *, seconds: float = 60, each: float = 20, seed: int = 1,
          timeout: Optional[float] = None, progress: bool = False) -> list[Doubt]:
    """Tries to break statements about random models for so many seconds; `each` is the computing time of a question.

    A result 'contradicted' is a defect of Rattleback: please report it with `Doubt.model`.

    >>> import rattleback as rb
    >>> {d.result for d in rb.doubt(["energy"], seconds=0.5)} <= {"stands", "not tried"}
    True
    """
    from ._keywords import time_limit
    from ._model import asked
    from ._progress import Line
    from ._text import positive, whole
    _, found = _core.doubt_random(asked(questions), positive(each, "each"), positive(seconds, "seconds"),
                                  whole(seed, "seed", 0), time_limit(timeout), Line(progress).callback())
    return [Doubt(*row, text) for row, text in found]
