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
from typing import TYPE_CHECKING, Any

from . import _core

_FOLDER = _os.path.dirname(_os.path.abspath(__file__))
_core.set_folders(_os.path.join(_FOLDER, "models"), _os.path.join(_FOLDER, "extensions"))

from ._equations import Assumption, Equations, SmallMotions, Step  # noqa: E402
from ._errors import (ArgumentError, DoesNotApply, Error, InternalError, Issue, LimitError, ModelError,  # noqa: E402
                      Place, StateError, Timeout, Unavailable, UnknownName)
from ._expression import Expression, Named  # noqa: E402
from ._model import Exponents, Findings, Model, Parameter, Zoo, load, zoo  # noqa: E402
from ._verdict import CheckedStep, Doubt, Verdict, Verdicts  # noqa: E402

if TYPE_CHECKING:
    from ._builder import Body, Contact, System, from_sympy
    from ._rhs import Rhs
    from ._run import Animation, Columns, Drift, PreciseRun, Run, Section, Solution
    from ._sweep import Sweep

__version__: str = _core.version

# Parts that need NumPy or SymPy are imported when they are first asked for.
_LATER = {"Run": "_run", "Section": "_run", "Solution": "_run", "Drift": "_run", "Animation": "_run", "Columns": "_run",
          "PreciseRun": "_run",
          "Rhs": "_rhs", "Sweep": "_sweep", "System": "_builder", "Body": "_builder", "Contact": "_builder",
          "from_sympy": "_builder"}

__all__ = ["Animation", "ArgumentError", "Assumption", "Body", "CheckedStep", "Columns", "Contact", "DoesNotApply", "Doubt",
           "Drift",
           "Equations", "Error", "Exponents", "Expression", "Findings", "InternalError", "Issue", "LimitError", "Model",
           "ModelError", "Named", "Parameter", "Place", "PreciseRun", "Rhs", "Run", "Section", "SmallMotions", "Solution", "StateError", "Step",
           "Sweep", "System", "Timeout", "Unavailable", "UnknownName", "Verdict", "Verdicts", "Zoo", "check_certificate", "explain", "forms", "from_sympy",
           "load", "methods", "native", "questions", "zoo"]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module
        value = getattr(import_module("." + _LATER[name], __name__), name)
        globals()[name] = value
        return value
    if name in ("questions", "forms", "methods"):
        value = {"questions": lambda: {q: about for q, about in _core.questions()},
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


def explain(slug: str) -> str:
    """The page about an error, by its slug, or what a question decides.

    >>> import rattleback as rb
    >>> "constraint" in rb.explain("off-constraint")
    True
    >>> rb.explain("energy")
    'the energy v dL/dv - L is constant along every motion'
    """
    about = {name: text for name, text in _core.questions()}
    if slug in about:
        return about[slug]
    folder = _os.path.join(_FOLDER, "errors")
    known = sorted(name[:-3] for name in _os.listdir(folder) if name.endswith(".md") and name != "README.md")
    if slug not in known:
        from ._errors import misspelt
        raise misspelt("no slug of an error and no question", slug, [*known, *about])
    with open(_os.path.join(folder, slug + ".md"), encoding="utf-8") as page:
        return page.read()


def check_certificate(certificate: Any) -> list[CheckedStep]:
    """Verifies a certificate, as JSON text or as `Verdict.certificate` holds it, by algebra alone.

    >>> import rattleback as rb
    >>> v = rb.zoo("chaplygin-sleigh").prove(conserved="m*u^2 + (J + m*a^2)*omega^2")
    >>> {step.outcome for step in rb.check_certificate(v.certificate)}
    {'proved'}
    """
    import json
    text = certificate if isinstance(certificate, str) else json.dumps(certificate)
    return [CheckedStep(*step) for step in _core.check_certificate(text, None)]
