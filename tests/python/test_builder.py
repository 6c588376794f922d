"""Models made in Python, and taken over from SymPy."""

import pickle

import pytest
import sympy
from sympy import Eq, cos, sin
from sympy.physics import mechanics as me

import rattleback as rb

x, y, theta, phi = me.dynamicsymbols("x y theta phi")
m, J, g, R = sympy.symbols("m J g R", positive=True)


def test_text_and_sympy_make_the_same_model():
    by_text = rb.System(space={"x": "R", "y": "R", "theta": "S1"},
                        lagrangian="1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2",
                        constraints={"blade": "y'*cos(theta) = x'*sin(theta)"},
                        parameters={"m": {"value": 1, "positive": True}, "J": {"value": "1/2", "positive": True}})
    by_sympy = rb.System(space={x: "R", y: "R", theta: "S1"},
                         lagrangian=m * (x.diff()**2 + y.diff()**2) / 2 + J * theta.diff()**2 / 2,
                         constraints={"blade": Eq(y.diff() * cos(theta), x.diff() * sin(theta))},
                         parameters={m: 1, J: "1/2"})
    assert str(by_text.derive("hamel")) == str(by_sympy.derive("hamel"))
    assert rb.Model(by_sympy.text) == by_sympy
    assert by_sympy.parameters["m"].positive


def test_bodies_and_contacts():
    disk = rb.System(
        space={"x": "R", "y": "R", "phi": "S1", "theta": "S1", "psi": "S1"}, gravity="g",
        parameters={"m": {"value": 1, "positive": True}, "R": {"value": 1, "positive": True},
                    "g": {"value": 9.8, "positive": True}},
        bodies={"disk": rb.Body(mass="m", inertia="diag(m*R^2/4, m*R^2/2, m*R^2/4)",
                                position="[x, y, R*cos(theta)]", rotation="Rz(phi)*Rx(theta)*Ry(psi)")},
        contacts={"ground": rb.Contact("disk", surface={"disk": "R", "axis": "e2"}, rolls=True)})
    assert disk.check().dof == 3
    assert rb.Model(disk.text) == disk
    assert disk.analyze("energy").outcome == "proved"


def test_machines_of_joints_and_wheels():
    tricycle = rb.System(
        parameters={"R": {"value": 0.3, "positive": True}, "m": {"value": 10, "positive": True}},
        bodies={"frame": rb.Body(mass="m", inertia="diag(0, 0, 1)"), "fork": rb.Body(mass=1, inertia="diag(0, 0, 1/10)")},
        joints={"road": rb.Joint("planar", child="frame", coordinates=["x", "y", "theta"]),
                "steering": rb.Joint("revolute", parent="frame", child="fork", at=[1, 0, 0])},
        wheels={"front": rb.Wheel("rolling", body="fork", radius="R", at="[0, 0, R]"),
                "rear": rb.Wheel("knife-edge", body="frame")}, title="Tricycle")
    assert rb.Model(tricycle.text) == tricycle
    found = tricycle.check()
    assert found.ok and found.dof == 2 and [j.name for j in found.joints] == ["road", "steering", "front"]
    assert tricycle.simulate(until=1, initial={"x": 0, "y": 0, "theta": 0, "steering": 0.3, "front": 0, "front'": 1,
                                               "steering'": 0}).success


def test_loops_and_guesses():
    crank = rb.System(
        parameters={"r": {"value": 1, "positive": True}, "l": {"value": 3, "positive": True}, "m": {"value": 1, "positive": True}},
        bodies={"crank": rb.Body(mass="m", shape={"rod": "r"}), "rod": rb.Body(mass="m", shape={"rod": "l"}),
                "piston": rb.Body(mass="m")},
        joints={"shaft": rb.Joint("revolute", child="crank", child_at="[-r/2, 0, 0]"),
                "pin": rb.Joint("revolute", parent="crank", child="rod", at="[r/2, 0, 0]", child_at="[-l/2, 0, 0]"),
                "bore": rb.Joint("prismatic", child="piston", axis="e1"),
                "gudgeon": rb.Joint("revolute", parent="rod", child="piston", at="[l/2, 0, 0]")},
        initial={"shaft": 0.5, "shaft'": 1}, guess={"pin": -0.7, "bore": 3.8}, until=2)
    closing = [j for j in crank.check().joints if j.closes_loop]
    assert len(closing) == 1 and closing[0].conditions
    run = crank.simulate()
    assert run.success and run["bore"][0] == pytest.approx(float(sympy.cos(0.5) + sympy.sqrt(9 - sympy.sin(0.5)**2)), abs=1e-9)
    again = crank.simulate(initial={"pin": "~-0.7", "bore": "~3.8"})
    assert again["bore"][0] == pytest.approx(run["bore"][0], abs=1e-12)
    with pytest.raises(rb.ArgumentError, match="rb.Joint"):
        rb.System(bodies={"a": rb.Body(mass=1)}, joints={"j": 3})


def test_inputs_follow_laws(tmp_path):
    motor = rb.System(space={"theta": "S1"}, lagrangian="theta'^2/2 + 9*cos(theta)", inputs={"tau": {"about": "motor"}},
                      forces={"theta": "tau"}, initial={"theta": 1, "theta'": 0}, until=20)
    assert motor.inputs == ("tau",) and rb.Model(motor.text) == motor
    with pytest.raises(rb.Error, match="tau"):
        motor.simulate()
    damped = motor.with_inputs(tau="-3*theta'")
    assert abs(damped.simulate().final["theta"]) < 1e-6 and pickle.loads(pickle.dumps(damped)) == damped != motor
    table = tmp_path / "tau.csv"
    table.write_text("t,tau\n0,0\n20,0\n")
    free = motor.with_inputs(tau=str(table)).simulate()
    assert free.final["theta"] == pytest.approx(motor.with_inputs(tau=0).simulate().final["theta"], abs=1e-9)
    with pytest.raises(rb.Error, match="tau"):
        motor.with_inputs(tua="t")


def test_units_and_springs():
    m = rb.System(parameters={"m": "2 kg", "k": "50 N/m", "g": "9.81 m/s^2"}, space={"x": {"group": "R", "unit": "m"}},
                  lagrangian="m/2*x'^2 - k/2*x^2 - m*g*x", initial={"x": 0, "x'": 1})
    run = m.simulate(until=1)
    assert run.units["x"] == "m" and run.units["x'"] == "m/s" and run.units["t"] == "s"
    bob = rb.System(space={"x": "R", "y": "R", "z": "R"}, parameters={"k": 10, "l": 1}, gravity=9.8,
                    bodies={"bob": rb.Body(mass=1, position="[x, y, z]")},
                    springs={"cord": {"from": "bob", "stiffness": "k", "rest": "l"}}, initial={"x": 1.5, "y": 0, "z": -1, "x'": 0, "y'": 0, "z'": 0})
    assert bob.analyze("energy").outcome == "proved" and bob.simulate(until=1).drift["energy"].relative < 1e-10


ROBOT = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def test_robots_in_urdf(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    arm = rb.from_urdf(path)
    assert arm.name == "arm" and arm.check().dof == 1 and isinstance(arm.ignored, list)
    assert arm.simulate(until=1, initial={"hinge": 1, "hinge'": 0}).drift["energy"].relative < 1e-10
    path.write_text("<robot>")
    for wrong in (lambda: rb.from_urdf(path), lambda: rb.from_urdf(tmp_path / "none.urdf")):
        with pytest.raises(rb.Error):
            wrong()
    path.write_text(ROBOT)
    with pytest.raises(rb.Error, match="wheel|joint"):
        rb.from_urdf(path, wheels=["nothing"])
    with pytest.raises(rb.UnknownName, match="planar"):
        rb.from_urdf(path, base="planr")


def test_lagranges_method_is_taken_over():
    L = m * (x.diff()**2 + y.diff()**2) / 2 + J * theta.diff()**2 / 2 + m * g * x / 2
    method = me.LagrangesMethod(L, [x, y, theta], nonhol_coneqs=[x.diff() * sin(theta) - y.diff() * cos(theta)])
    skate = rb.from_sympy(method, {m: 1, J: 2, g: 10}, circles=[theta])
    assert skate.agreement().outcome == "proved"
    assert skate.prove(conserved=theta.diff()).outcome == "proved"
    method.form_lagranges_equations()
    held = rb.from_sympy(me.LagrangesMethod(L, [x, y, theta], hol_coneqs=[x - y]), {m: 1, J: 2, g: 10})
    assert held.check().dof == 2


def test_kanes_method_is_taken_over():
    u1, u2 = me.dynamicsymbols("u1 u2")
    l = sympy.Symbol("l", positive=True)
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [theta, N.z])
    A.set_ang_vel(N, u1 * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", l * A.x)
    P.v2pt_theory(O, N, A)
    bob = me.Particle("bob", P, m)
    method = me.KanesMethod(N, [theta], [u1], kd_eqs=[theta.diff() - u1])
    method.kanes_equations([bob], [(P, m * g * N.x)])
    pendulum = rb.from_sympy(method, {m: 1, g: 9.8, l: 1}, circles=[theta])
    rate = pendulum.derive("hamel").sympy()[me.dynamicsymbols("u1")]
    assert sympy.simplify(rate + g * sin(theta) / l) == 0
    assert pendulum.analyze("energy").outcome == "proved"


def test_a_rolling_kane_system_is_taken_over():
    u1, u2, u3 = me.dynamicsymbols("u1 u2 u3")
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [theta, N.z])
    A.set_ang_vel(N, u3 * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    C = O.locatenew("C", x * N.x + y * N.y)
    C.set_vel(N, u1 * N.x + u2 * N.y)
    body = me.RigidBody("sleigh", C, A, m, (me.inertia(A, 0, 0, J), C))
    blade = C.vel(N).dot(A.y)
    method = me.KanesMethod(N, [x, y, theta], [u1, u3], kd_eqs=[x.diff() - u1, y.diff() - u2, theta.diff() - u3],
                            u_dependent=[u2], velocity_constraints=[blade])
    method.kanes_equations([body], [])
    skate = rb.from_sympy(method, {m: 1, J: 1})
    assert skate.check().dof == 2
    assert skate.prove(conserved=theta.diff()).outcome == "proved"
    assert skate.prove(conserved=x.diff()).outcome == "refuted"


def test_mistakes_are_told():
    with pytest.raises(rb.ModelError, match="declare it in `parameters=`, `space=` or `define=`") as caught:
        rb.System(space=["s"], lagrangian="s'^2/2 - k*s")
    assert "`parameters=`" in caught.value.fix and caught.value.line == 1
    for group, meant in (("angle", "S1"), ("SO(2)", "S1"), ("real", "R")):
        with pytest.raises(rb.ModelError, match=f"did you mean `{meant}`"):
            rb.System(space={"s": group}, lagrangian="s'^2/2")
    with pytest.raises(TypeError, match="did you mean lagrangian="):
        rb.System(space=["x"], lagranian="x'^2")
    with pytest.raises(rb.ArgumentError, match="no name"):
        rb.System(space=["x y"], lagrangian="x'^2/2")
    with pytest.raises(rb.ArgumentError, match="no function|no counterpart"):
        rb.System(space=[x], lagrangian=sympy.gamma(x) + x.diff()**2)
    with pytest.raises(rb.ArgumentError, match="real"):
        rb.System(space=[x], lagrangian=sympy.nan * x.diff()**2)
    with pytest.raises(rb.ArgumentError, match="LagrangesMethod"):
        rb.from_sympy(3)
    with pytest.raises(rb.Error):
        rb.System(space=["x"], lagrangian="y'^2")
