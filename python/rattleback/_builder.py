"""Models made in Python: from text and SymPy's expressions to the text of a model file."""

from __future__ import annotations

import re
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _core
from ._errors import ArgumentError, ModelError, in_keywords, misspelt
from ._model import Model
from ._text import expression_text, is_sympy, name_of, number_text

_IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def _key(name: str) -> str:
    return name if _BARE.match(name) else _quoted(name)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _value(value: Any, what: str) -> str:
    """A value of TOML: expressions as strings, numbers as they are, tables and arrays entry by entry."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(name_of(k, what))} = {_value(v, what)}" for k, v in value.items())
        return "{ " + inside + " }" if inside else "{}"
    if hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0:
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, what) for v in value) + "]"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_text(value, what)
    return _quoted(expression_text(value, what))


def _identifier(name: Any, what: str) -> str:
    text = name_of(name, what)
    if not _IDENTIFIER.match(text):
        raise ArgumentError("usage", f"{text!r} is no name of the model language", f"in {what}",
                            "use letters, digits and underscores, a letter first")
    return text


class _Part:
    """A table of the model file: what is None is left out."""

    def _table(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if v is not None}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(" + ", ".join(f"{k}={v!r}" for k, v in self._table().items()) + ")"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class Body(_Part):
    """A rigid body: mass, inertia about the mass centre in body axes, position of its origin, rotation to space axes.

    Instead of `inertia` a homogeneous `shape`, e.g. {"cylinder": ["R", "h"], "axis": "e2"}, or a list of them; instead of `mass` a
    `density`; `center` is the mass centre in body axes. Bodies on joints need no position.

    >>> import rattleback as rb
    >>> rb.Body(mass="m", inertia="diag(I1, I1, I3)", position="[x, y, R*sin(theta)]", rotation="Rz(phi)*Rx(theta)*Ry(psi)")
    Body(mass='m', inertia='diag(I1, I1, I3)', position='[x, y, R*sin(theta)]', rotation='Rz(phi)*Rx(theta)*Ry(psi)')
    >>> rb.Body(mass="m", shape={"rod": "l"})
    Body(mass='m', shape={'rod': 'l'})
    """

    def __init__(self, mass: Any = None, inertia: Any = None, position: Any = None, rotation: Any = None, shape: Any = None,
                 density: Any = None, center: Any = None) -> None:
        self.mass, self.inertia, self.position, self.rotation = mass, inertia, position, rotation
        self.shape, self.density, self.center = shape, density, center


class Joint(_Part):
    """A joint between two bodies, or a body and the ground: 'revolute', 'prismatic', 'cylindrical', 'universal', 'spherical', 'planar',
    'free' or 'weld'. Joints that form a tree bring coordinates and place their bodies; others close loops.

    >>> import rattleback as rb
    >>> rb.Joint("revolute", child="arm", at="[0, 0, h]", axis="e2", stiffness="k")
    Joint(kind='revolute', child='arm', at='[0, 0, h]', axis='e2', stiffness='k')
    """

    def __init__(self, kind: str, child: str, parent: Optional[str] = None, at: Any = None, child_at: Any = None, axis: Any = None,
                 second_axis: Any = None, rotation: Any = None, child_rotation: Any = None, coordinates: Any = None,
                 body_rate: Optional[str] = None, space_rate: Optional[str] = None, stiffness: Any = None, rest: Any = None,
                 damping: Any = None, drive: Any = None, limits: Any = None, stop: Any = None) -> None:
        self.kind, self.child, self.parent, self.at, self.child_at = kind, child, parent, at, child_at
        self.axis, self.second_axis, self.rotation, self.child_rotation = axis, second_axis, rotation, child_rotation
        self.coordinates, self.body_rate, self.space_rate = coordinates, body_rate, space_rate
        self.stiffness, self.rest, self.damping, self.drive = stiffness, rest, damping, drive
        self.limits, self.stop = limits, stop


class Wheel(_Part):
    """A wheel that a body carries: 'rolling', 'knife-edge', 'caster', 'mecanum' or 'omni'.

    >>> import rattleback as rb
    >>> rb.Wheel("rolling", body="chassis", radius="R", at="[l, 0, R]", mass="m")
    Wheel(kind='rolling', body='chassis', radius='R', at='[l, 0, R]', mass='m')
    """

    def __init__(self, kind: str, body: str, radius: Any = None, axle: Any = None, at: Any = None, trail: Any = None,
                 roller: Any = None, mass: Any = None, inertia: Any = None, on: Any = None, coordinates: Any = None,
                 stiffness: Any = None, rest: Any = None, damping: Any = None, drive: Any = None) -> None:
        self.kind, self.body, self.radius, self.axle, self.at = kind, body, radius, axle, at
        self.trail, self.roller, self.mass, self.inertia, self.on = trail, roller, mass, inertia, on
        self.coordinates, self.stiffness, self.rest, self.damping, self.drive = coordinates, stiffness, rest, damping, drive


class Contact(_Part):
    """A contact of a body: its surface, e.g. {"sphere": "R"} or {"disk": "R", "axis": "e2"}, and whether it rolls or twists.

    `roller` is the angle of rollers on a disk's rim, instead of `rolls`. `on` is what it touches, the plane z = 0 by default, e.g.
    {"graph": "h(x, y)"} or {"body": "cart", "sphere": "R", "side": "inside"}. A body that nothing else places is where its contact is;
    `coordinates` then names the point of contact and the rotation.

    >>> import rattleback as rb
    >>> rb.Contact("ball", surface={"sphere": "R"}, rolls=True)
    Contact(body='ball', surface={'sphere': 'R'}, rolls=True)
    """

    def __init__(self, body: str, surface: Mapping[str, Any], on: Any = None, rolls: Optional[bool] = None,
                 twist: Optional[bool] = None, roller: Any = None, viscous: Any = None, spinning: Any = None,
                 friction: Any = None, coordinates: Any = None, body_rate: Optional[str] = None,
                 space_rate: Optional[str] = None, coulomb: Any = None, load: Any = None, patch: Any = None,
                 pressure: Optional[str] = None, restitution: Any = None) -> None:
        self.body, self.surface, self.on, self.rolls, self.twist = body, dict(surface), on, rolls, twist
        self.roller, self.viscous, self.spinning, self.friction = roller, viscous, spinning, friction
        self.coordinates, self.body_rate, self.space_rate = coordinates, body_rate, space_rate
        self.coulomb, self.load, self.patch, self.pressure = coulomb, load, patch, pressure
        self.restitution = restitution


def _space(space: Any) -> dict[str, Any]:
    """{name: "R", "S1" or a group}; names alone are lines."""
    if isinstance(space, Mapping):
        return {_identifier(name, "space"): kind for name, kind in space.items()}
    if isinstance(space, str):
        space = space.replace(",", " ").split()
    if is_sympy(space):
        space = list(space) if hasattr(space, "__iter__") else [space]
    return {_identifier(name, "space"): "R" for name in space}


def _equation(given: Any, what: str) -> str:
    """'left = right' from text, an equation of SymPy, or an expression that is zero."""
    if is_sympy(given) and getattr(given, "is_Equality", False):
        return f"{expression_text(given.lhs, what)} = {expression_text(given.rhs, what)}"
    return expression_text(given, what)


def _constraints(constraints: Any) -> dict[str, str]:
    if isinstance(constraints, Mapping):
        return {_identifier(name, "constraints"): _equation(e, f"constraints[{name!r}]")
                for name, e in constraints.items()}
    if isinstance(constraints, str) or (is_sympy(constraints) and not hasattr(constraints, "__iter__")):
        constraints = [constraints]
    return {f"c{k}": _equation(e, f"constraints[{k - 1}]") for k, e in enumerate(constraints, 1)}


def _free_symbols(values: Iterable[Any]) -> dict[str, Any]:
    """Symbols of SymPy in these values, by name, apart from time."""
    found: dict[str, Any] = {}
    for value in values:
        if isinstance(value, Mapping):
            found.update(_free_symbols(value.values()))
        elif isinstance(value, (list, tuple)):
            found.update(_free_symbols(value))
        elif isinstance(value, _Part):
            found.update(_free_symbols(value._table().values()))
        elif is_sympy(value) and hasattr(value, "free_symbols"):
            from ._sympy import time
            found.update({s.name: s for s in value.free_symbols if s != time() and s.name != str(time())})
    return dict(sorted(found.items()))


def _parameters(given: Any, used: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters declared, and SymPy's symbols that occur, positive where SymPy knows it."""
    declared: dict[str, Any] = {}
    if isinstance(given, Mapping):
        declared = {_identifier(name, "parameters"): value for name, value in given.items()}
        symbols = {name_of(name, "parameters"): name for name in given if is_sympy(name)}
    else:
        if isinstance(given, str):
            given = given.replace(",", " ").split()
        symbols = {name_of(name, "parameters"): name for name in given or () if is_sympy(name)}
        declared = {_identifier(name, "parameters"): {} for name in given or ()}
    for name, symbol in {**symbols, **used}.items():
        declared.setdefault(_identifier(symbol, "parameters"), {})
        value = declared[name]
        if getattr(symbol, "is_positive", None) and not (isinstance(value, Mapping) and "positive" in value):
            table = dict(value) if isinstance(value, Mapping) else {} if value is None else {"value": value}
            declared[name] = {**table, "positive": True}
    return {name: {} if value is None else value for name, value in declared.items()}


def _lines(table: Mapping[str, Any], what: str) -> list[str]:
    return [f"{_key(name_of(name, what))} = {_value(value, f'{what}[{name!r}]')}" for name, value in table.items()]


class System(Model):
    """A model made in Python; everything that a model file can say. Expressions are text or SymPy's; `text` is the file.

    `space` names the coordinates: {"x": "R", "theta": "S1", "B": {"group": "SO(3)"}}, or a list of lines. A Lagrangian of
    SymPy is accepted as `sympy.physics.mechanics` writes it, and its symbols become parameters.

    >>> import sympy, rattleback as rb
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> x, y, theta = dynamicsymbols("x y theta")
    >>> m, J = sympy.symbols("m J", positive=True)
    >>> skate = rb.System(space={x: "R", y: "R", theta: "S1"},
    ...                   lagrangian=m*(x.diff()**2 + y.diff()**2)/2 + J*theta.diff()**2/2,
    ...                   constraints={"blade": sympy.Eq(y.diff()*sympy.cos(theta), x.diff()*sympy.sin(theta))},
    ...                   parameters={m: 1, J: "1/2"}, title="Skate")
    >>> skate
    <Model model: x, y, theta; m = 1, J = 1/2>
    >>> rb.Model(skate.text) == skate
    True
    >>> skate.analyze("integrability").outcome
    'refuted'
    """

    def __init__(self, space: Any = None, lagrangian: Any = None, constraints: Any = (), parameters: Any = None, *,
                 name: str = "model", title: Optional[str] = None, references: Sequence[str] = (),
                 kinetic: Any = None, potential: Any = None, rayleigh: Any = None, gravity: Any = None, down: Any = None,
                 algebra: Optional[Mapping[str, Any]] = None, functions: Optional[Mapping[str, Any]] = None,
                 define: Optional[Mapping[str, Any]] = None, velocities: Optional[Mapping[Any, Any]] = None,
                 parametrization: Optional[Mapping[str, Any]] = None, forces: Optional[Mapping[Any, Any]] = None,
                 bodies: Optional[Mapping[str, Union[Body, Mapping[str, Any]]]] = None,
                 contacts: Optional[Mapping[str, Union[Contact, Mapping[str, Any]]]] = None,
                 joints: Optional[Mapping[str, Union[Joint, Mapping[str, Any]]]] = None,
                 wheels: Optional[Mapping[str, Union[Wheel, Mapping[str, Any]]]] = None,
                 symmetry: Optional[Mapping[str, Any]] = None, initial: Optional[Mapping[Any, Any]] = None,
                 guess: Optional[Mapping[Any, Any]] = None, until: Any = None, scene: Optional[Mapping[str, Any]] = None,
                 known: Optional[Mapping[str, Any]] = None, theme: Optional[str] = None,
                 inputs: Optional[Mapping[str, Any]] = None, springs: Optional[Mapping[str, Mapping[str, Any]]] = None,
                 description: Optional[str] = None, **unknown: Any) -> None:
        for key in unknown:
            near = _core.nearest(key, _SECTIONS)
            raise TypeError(f"System() has no keyword {key!r}"
                            + (f"; did you mean {near[0]}=?" if near else f"; it takes {', '.join(_SECTIONS)}"))
        for what, table in (("algebra", algebra), ("functions", functions), ("define", define), ("velocities", velocities),
                            ("parametrization", parametrization), ("forces", forces), ("bodies", bodies),
                            ("contacts", contacts), ("joints", joints), ("wheels", wheels), ("symmetry", symmetry),
                            ("initial", initial), ("guess", guess), ("scene", scene), ("known", known), ("inputs", inputs),
                            ("springs", springs)):
            if table is not None and not isinstance(table, Mapping):
                raise ArgumentError("usage", f"{what} is no mapping", "", f"write {what}={{'name': ...}}")
        if space is None and algebra is None and not joints:
            raise ArgumentError("usage", "a system needs a space", "", "write space={'x': 'R', 'theta': 'S1'}, or joints=")
        top: dict[str, Any] = {"title": title, "theme": theme, "description": description, "references": list(references) or None}
        energies = {"lagrangian": lagrangian, "kinetic": kinetic, "potential": potential, "rayleigh": rayleigh,
                    "gravity": gravity, "down": down}
        used = _free_symbols([*energies.values(), list(constraints.values()) if isinstance(constraints, Mapping)
                              else [constraints] if isinstance(constraints, str) or is_sympy(constraints)
                              else list(constraints), define or {}, velocities or {}, forces or {}, bodies or {},
                              contacts or {}, joints or {}, wheels or {}, list(_equation_sides(constraints))])
        lines = [f"{key} = {_quoted(value) if isinstance(value, str) else _value(value, key)}"
                 for key, value in top.items() if value is not None]
        lines += [f"{key} = {_value(value, key)}" for key, value in energies.items() if value is not None]

        def section(head: str, body: Sequence[str]) -> None:
            if body:
                lines.extend(["", f"[{head}]", *body])

        section("space", _lines(_space(space), "space") if space is not None else [])
        section("algebra", _lines(algebra or {}, "algebra"))
        names = set(_space(space)) if space is not None else set()
        made = {k: v for k, v in _parameters(parameters, used).items() if k not in names}
        section("parameters", _lines(made, "parameters"))
        section("functions", _lines(functions or {}, "functions"))
        section("define", _lines(define or {}, "define"))
        section("constraints", [f"{_key(k)} = {_quoted(v)}" for k, v in _constraints(constraints).items()])
        section("velocities", [f"{_key(_identifier(k, 'velocities'))} = {_value(v, 'velocities')}"
                               for k, v in (velocities or {}).items()])
        section("parametrization", _lines(parametrization or {}, "parametrization"))
        section("inputs", _lines(inputs or {}, "inputs"))
        section("forces", _lines(forces or {}, "forces"))
        parts: dict[str, Mapping[str, Any]] = {"bodies": bodies or {}, "joints": joints or {}, "wheels": wheels or {},
                                               "contacts": contacts or {}, "springs": springs or {}}
        for kind, members in parts.items():
            for key, member in members.items():
                fields = member._table() if isinstance(member, _Part) else member
                if not isinstance(fields, Mapping):
                    made_by = f"rb.{_PARTS[kind]}(...), or a dict" if kind in _PARTS else "a dict"
                    raise ArgumentError("usage", f"{kind}[{key!r}] is no table", "", f"write {made_by}")
                section(f"{kind}.{_key(_identifier(key, kind))}", _lines(fields, f"{kind}.{key}"))
        section("symmetry", _lines(symmetry or {}, "symmetry"))
        simulation = [f"initial = {_value(dict(initial), 'initial')}"] if initial else []
        if guess:
            simulation.append(f"guess = {_value(dict(guess), 'guess')}")
        if until is not None:
            simulation.append(f"until = {_value(until, 'until')}")
        section("simulation", simulation)
        if scene:
            section("scene", _lines({k: v for k, v in scene.items() if not isinstance(v, Mapping)}, "scene"))
            for key, shape in scene.items():
                if isinstance(shape, Mapping):
                    section(f"scene.{_key(key)}", _lines(shape, f"scene.{key}"))
        section("known", _lines(known or {}, "known"))
        try:
            super().__init__("\n".join(lines) + "\n", name)
        except ModelError as error:
            raise in_keywords(error) from None


_SECTIONS = ["space", "lagrangian", "constraints", "parameters", "name", "title", "references", "kinetic", "potential",
             "rayleigh", "gravity", "down", "algebra", "functions", "define", "velocities", "parametrization", "forces",
             "bodies", "joints", "wheels", "contacts", "symmetry", "initial", "guess", "until", "scene", "known", "theme",
             "inputs", "springs", "description"]
_PARTS = {"bodies": "Body", "joints": "Joint", "wheels": "Wheel", "contacts": "Contact"}


def _equation_sides(constraints: Any) -> Iterable[Any]:
    items = constraints.values() if isinstance(constraints, Mapping) else \
        [constraints] if isinstance(constraints, str) or is_sympy(constraints) and not hasattr(constraints, "__iter__") \
        else constraints
    for e in items:
        if is_sympy(e) and getattr(e, "is_Equality", False):
            yield e.lhs
            yield e.rhs


def from_sympy(method: Any, parameters: Any = None, *, name: str = "model", title: Optional[str] = None,
               initial: Optional[Mapping[Any, Any]] = None, until: Any = None, circles: Sequence[Any] = ()) -> System:
    """The system of a `LagrangesMethod` or `KanesMethod` of SymPy: coordinates, energy, constraints, forces.

    `circles` names the coordinates that are angles on a circle. For KanesMethod, call `kanes_equations(bodies, loads)`
    first, so that it knows its bodies.

    >>> import sympy, rattleback as rb
    >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    >>> x, y, theta = dynamicsymbols("x y theta")
    >>> m, J = sympy.symbols("m J", positive=True)
    >>> L = m*(x.diff()**2 + y.diff()**2)/2 + J*theta.diff()**2/2
    >>> blade = [x.diff()*sympy.sin(theta) - y.diff()*sympy.cos(theta)]
    >>> skate = rb.from_sympy(LagrangesMethod(L, [x, y, theta], nonhol_coneqs=blade), {m: 1, J: 2})
    >>> skate.agreement().outcome
    'proved'
    """
    kind = type(method).__name__
    if kind == "LagrangesMethod":
        parts = _from_lagrange(method)
    elif kind == "KanesMethod":
        parts = _from_kane(method)
    else:
        raise ArgumentError("usage", f"from_sympy takes a LagrangesMethod or a KanesMethod, not {kind}", "",
                            "for a Lagrangian alone use rb.System(space=..., lagrangian=...)")
    angles = {name_of(q, "circles") for q in circles}
    names = [name_of(q, "coordinates") for q in parts.pop("coordinates")]
    unknown = angles - set(names)
    if unknown:
        raise misspelt("no coordinate", sorted(unknown)[0], names)
    return System(space={q: "S1" if q in angles else "R" for q in names}, parameters=parameters, name=name, title=title,
                  initial=initial, until=until, **parts)


def from_urdf(path: Any, wheels: Sequence[str] = (), base: str = "", *, name: Optional[str] = None) -> Model:
    """The model of a robot described in URDF: links, joints, inertias and visuals. The children of the joints `wheels` roll on z = 0.

    `base` says how the root link is held: 'weld', 'planar' or 'free'; otherwise planar where there are wheels. What the file says
    and the model does not is listed in `Model.ignored`.
    """
    import os
    if isinstance(wheels, str):
        wheels = [wheels]
    if base not in ("", "weld", "planar", "free"):
        raise misspelt("no base", base, ["weld", "planar", "free"])
    text, ignored = _core.from_urdf(os.fspath(path), [str(wheel) for wheel in wheels], base)
    made = Model(text, name or os.path.splitext(os.path.basename(os.fspath(path)))[0])
    made.ignored = list(ignored)
    return made


def _generalised_forces(loads: Sequence[Any], q: Sequence[Any], frame: Any) -> list[Any]:
    """Q_i = Σ F·∂v/∂q_i' over forces at points and torques on frames."""
    import sympy
    totals = [sympy.S.Zero for _ in q]
    for where, vector in loads or ():
        velocity = where.vel(frame) if hasattr(where, "vel") else where.ang_vel_in(frame)
        for i, coordinate in enumerate(q):
            slope = velocity.diff(coordinate.diff(), frame, var_in_dcm=False)
            totals[i] += vector.dot(slope)
    return [sympy.simplify(Q) for Q in totals]


def _potential(forces: Sequence[Any], q: Sequence[Any]) -> Any:
    """V with Q_i = −∂V/∂q_i; None where there is none, or none is found."""
    import sympy
    from ._sympy import time
    t = time()
    plain = [sympy.Dummy(f"q{i}") for i in range(len(q))]
    flat = [Q.subs(dict(zip(q, plain))) for Q in forces]
    if any(Q.has(t) or Q.has(sympy.Derivative) for Q in flat):
        return None
    total = sympy.S.Zero
    for Q, s in zip(flat, plain):
        total += sympy.integrate(-Q - sympy.diff(total, s), s)
    if any(sympy.simplify(sympy.diff(total, s) + Q) != 0 for Q, s in zip(flat, plain)):
        return None
    return total.subs(dict(zip(plain, q)))


def _with_forces(parts: dict[str, Any], energy: str, forces: Sequence[Any], q: Sequence[Any]) -> dict[str, Any]:
    """Forces with a potential go into the Lagrangian, others into [forces]."""
    if not any(Q != 0 for Q in forces):
        return parts
    potential = _potential(forces, q)
    if potential is None:
        return {**parts, "forces": {c: Q for c, Q in zip(q, forces) if Q != 0}}
    return {**parts, energy: parts[energy] - potential}


def _from_lagrange(method: Any) -> dict[str, Any]:
    import sympy
    q = list(method.q)
    lagrangian = sympy.Matrix([method._L])[0]
    holonomic = [sympy.sympify(e) for e in getattr(method, "_hol_coneqs", None) or []]
    given = [sympy.sympify(e) for e in method.coneqs]
    # coneqs are the rates of the holonomic ones, then the nonholonomic ones.
    constraints = [*holonomic, *given[len(holonomic):]]
    parts = {"coordinates": q, "lagrangian": lagrangian, "constraints": constraints}
    loads = list(method.forcelist or [])
    return _with_forces(parts, "lagrangian", _generalised_forces(loads, q, method.inertial), q) if loads else parts


def _from_kane(method: Any) -> dict[str, Any]:
    import sympy
    q, u = list(method.q), list(method.u)
    bodies = getattr(method, "_bodylist", None) or getattr(method, "bodies", None)
    if not bodies:
        raise ArgumentError("usage", "this KanesMethod does not know its bodies", "the kinetic energy comes from them",
                            "call kanes_equations(bodies, loads) first")
    frame = method._inertial
    to_rates = {velocity: rate for velocity, rate in method.kindiffdict().items()}
    rates = [c.diff() for c in q]
    speeds = sympy.solve([rate - to_rates[rate] for rate in rates], u, dict=True)
    if not speeds:
        raise ArgumentError("usage", "the kinematic equations do not define the speeds", "",
                            "give kd_eqs that can be solved for the generalised speeds")
    back = speeds[0]

    def in_rates(e: Any) -> Any:
        return sympy.sympify(e).subs(back).doit()

    def kinetic(body: Any) -> Any:
        return body.kinetic_energy(frame)

    energy = sympy.simplify(in_rates(sum(kinetic(body) for body in bodies)))
    loads = list(getattr(method, "_forcelist", None) or getattr(method, "loads", None) or [])
    forces = []
    for i in range(len(q)):
        total = sympy.S.Zero
        for where, vector in loads:
            velocity = where.vel(frame) if hasattr(where, "vel") else where.ang_vel_in(frame)
            slope = sum((velocity.diff(s, frame, var_in_dcm=False).dot(vector) * back[s].diff(rates[i]) for s in u
                         if s in back), sympy.S.Zero)
            slope += velocity.diff(rates[i], frame, var_in_dcm=False).dot(vector)
            total += slope
        forces.append(sympy.simplify(in_rates(total)))
    holonomic = list(getattr(method, "_f_h", None) or [])
    rolling = [e for e in map(in_rates, _velocity_constraints(method)) if not _is_rate_of(e, holonomic, rates)]
    parts = {"coordinates": q, "lagrangian": energy, "constraints": [*holonomic, *rolling]}
    # Independent speeds of a constrained system need not parametrise its velocities everywhere: there they are names only.
    free = not rolling and not holonomic and all(s in back for s in u)
    parts["velocities" if free else "define"] = {name_of(s, "speeds"): back[s] for s in u if s in back}
    return _with_forces(parts, "lagrangian", forces, q)


def _is_rate_of(e: Any, positions: Sequence[Any], rates: Sequence[Any]) -> bool:
    """Whether the velocity constraint only repeats a constraint on positions."""
    import sympy
    from ._sympy import time
    for position in positions:
        ratio = sympy.simplify(e / position.diff(time()))
        if not any(ratio.has(rate) for rate in rates):
            return True
    return False


def _velocity_constraints(method: Any) -> list[Any]:
    """The rows of k_nh·u + f_nh = 0."""
    import sympy
    k, f = getattr(method, "_k_nh", None), getattr(method, "_f_nh", None)
    if k is None or f is None or not len(f):
        return []
    return list(sympy.Matrix(k) * sympy.Matrix(method.u) + sympy.Matrix(f))
