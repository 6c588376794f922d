"""Reference cases of systems in coordinates, worked out without the program: Lagrange's equations with multipliers by
SymPy, motions by extrapolation in 30 digits, brackets at a random rational point.

    reference_cases.py FOLDER [NAME ...]

writes FOLDER/NAME.json for the systems below. d/dt dL/dq' - dL/dq = Q + sum_a lambda_a dC_a/dq'; constraints are C = 0,
those without velocities are differentiated. Nothing here knows how the program parametrises a constraint: all velocities
are integrated.
"""

import json
import random
import re
import sys

import mpmath as mp
import sympy as sp

mp.mp.dps = 34
TIME = sp.Symbol("t")

SYSTEMS = {
    "charge_of_constant_speed": dict(
        title="Heavy charged particle of constant speed",
        coordinates=["x", "y", "z"],
        parameters={"m": "1", "g": "1", "b": "63/100", "c": "2"},
        lagrangian="1/2*m*(x'^2+y'^2+z'^2) - m*g*z + b*(x*y' - y*x')/2",
        constraints=[("x'^2+y'^2+z'^2 - c^2", "nonlinear")],
        trajectories=[("over the top", "5", {"x": "0", "y": "0", "z": "0", "x'": "6/5", "y'": "8/5", "z'": "0"})],
        expected={"energy_conserved": False, "constraint_type": "nonlinear", "conserved": [{"expr": "x'^2+y'^2+z'^2"}],
                  "not_conserved": ["z'", "1/2*m*(x'^2+y'^2+z'^2) + m*g*z"]},
        notes="z' = 0 at the start and negative afterwards: no branch of the solved constraint holds the motion."),
    "crossed_velocities": dict(
        title="Two particles with velocities of equal size at right angles, joined by a spring",
        coordinates=["x1", "y1", "x2", "y2"],
        parameters={"M": "2", "k": "1/2"},
        lagrangian="1/2*(x1'^2+y1'^2) + 1/2*M*(x2'^2+y2'^2) - k/2*((x1-x2)^2 + (y1-y2)^2)",
        constraints=[("x1'*x2' + y1'*y2'", "nonlinear"), ("x1'^2 + y1'^2 - x2'^2 - y2'^2", "nonlinear")],
        trajectories=[("run", "2", {"x1": "0", "y1": "0", "x2": "1", "y2": "3/10",
                                    "x1'": "1", "y1'": "1/5", "x2'": "-1/5", "y2'": "1"})],
        expected={"energy_conserved": True, "constraint_type": "nonlinear"},
        notes="Two quadratic constraints, homogeneous: Chetaev's forces do no work."),
    "relativistic_bead": dict(
        title="Relativistic oscillator on a parabola, by a velocity constraint that is exact",
        coordinates=["x", "y"],
        parameters={"m": "1", "c": "3", "k": "1"},
        lagrangian="-m*c^2*sqrt(1 - (x'^2+y'^2)/c^2) - k*x^2/2",
        constraints=[("y' - x*x'", "linear")],
        trajectories=[("run", "3", {"x": "1/2", "y": "0", "x'": "2/5", "y'": "1/5"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": True, "integrable_codim": 1,
                  "holonomic_integrals": ["y - x^2/2"], "growth_vector": [1]},
        notes="The Lagrangian is not quadratic in the velocities."),
    "tractor_two_trailers_off_axle": dict(
        title="Driven tractor with two trailers hitched behind their axles",
        coordinates=["a2", "a1", "a0", "x", "y"],
        parameters={"m0": "2", "J0": "1/2", "m1": "1", "J1": "1/5", "m2": "7/10", "J2": "1/10", "h": "3/10", "L": "1"},
        definitions={"vx1": "x' + h*a0'*sin(a0) + L*a1'*sin(a1)", "vy1": "y' - h*a0'*cos(a0) - L*a1'*cos(a1)",
                     "vx2": "vx1 + h*a1'*sin(a1) + L*a2'*sin(a2)", "vy2": "vy1 - h*a1'*cos(a1) - L*a2'*cos(a2)"},
        lagrangian="1/2*m0*(x'^2+y'^2) + 1/2*J0*a0'^2 + 1/2*m1*(vx1^2+vy1^2) + 1/2*J1*a1'^2 + 1/2*m2*(vx2^2+vy2^2)"
                   " + 1/2*J2*a2'^2",
        constraints=[("x'*sin(a0) - y'*cos(a0)", "linear"), ("vx1*sin(a1) - vy1*cos(a1)", "linear"),
                     ("vx2*sin(a2) - vy2*cos(a2)", "linear")],
        forces={"a0": "1/10*cos(t)"},
        trajectories=[("run", "6", {"a2": "0", "a1": "1/10", "a0": "1/5", "x": "0", "y": "0",
                                    "a0'": "2/5", "x'": "1"})],
        expected={"energy_conserved": False, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3, 5]},
        notes="With hitches on the axles the growth vector is (2, 3, 4, 5); behind them it is (2, 3, 5)."),
    "three_link_snake": dict(
        title="Three links on passive wheels with springs in the joints",
        coordinates=["x", "y", "a", "b", "c"],
        parameters={"m": "1", "J": "1/10", "k": "1/2", "l": "1", "s": "7/10"},
        definitions={"b1": "a' + b'", "c1": "a' + c'", "vx1": "x' - l*a'*sin(a) - s*b1*sin(a+b)",
                     "vy1": "y' + l*a'*cos(a) + s*b1*cos(a+b)", "vx2": "x' + l*a'*sin(a) + l*c1*sin(a+c)",
                     "vy2": "y' - l*a'*cos(a) - l*c1*cos(a+c)"},
        lagrangian="1/2*m*(x'^2+y'^2+vx1^2+vy1^2+vx2^2+vy2^2) + 1/2*J*(a'^2 + b1^2 + c1^2) - k/2*(b^2 + c^2)",
        constraints=[("x'*sin(a) - y'*cos(a)", "linear"), ("vx1*sin(a+b) - vy1*cos(a+b)", "linear"),
                     ("vx2*sin(a+c) - vy2*cos(a+c)", "linear")],
        trajectories=[("run", "1", {"x": "0", "y": "0", "a": "0", "b": "3/5", "c": "2/5", "a'": "1/5", "b'": "3/10"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3, 5]},
        notes="The links at the ends have different lengths."),
    "rolling_torus": dict(
        title="Torus rolling on a plane",
        coordinates=["x", "y", "phi", "theta", "psi"],
        parameters={"m": "1", "A": "1", "b": "1/5", "I1": "11/20", "I3": "21/20", "g": "49/5"},
        definitions={"spin": "psi' + phi'*sin(theta)", "w1": "theta'*cos(phi) - psi'*cos(theta)*sin(phi)",
                     "w2": "theta'*sin(phi) + psi'*cos(theta)*cos(phi)",
                     "r1": "-A*sin(phi)*sin(theta)", "r2": "A*cos(phi)*sin(theta)", "r3": "-A*cos(theta) - b",
                     "w3": "phi' + psi'*sin(theta)"},
        lagrangian="1/2*m*(x'^2+y'^2+A^2*sin(theta)^2*theta'^2) + 1/2*(I1*(theta'^2 + phi'^2*cos(theta)^2) + I3*spin^2)"
                   " - m*g*A*cos(theta)",
        constraints=[("x' + w2*r3 - w3*r2", "linear"), ("y' + w3*r1 - w1*r3", "linear")],
        trajectories=[("run", "4", {"x": "0", "y": "0", "phi": "0", "theta": "3/10", "psi": "0", "phi'": "1",
                                    "theta'": "0", "psi'": "3"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [3, 5], "invariant_measure": {"exists": True}},
        notes="theta is the lean, the tube has the radius b; with b = 0 the growth vector is (3, 4, 5)."),
    "screw_between_moving_walls": dict(
        title="Particle on a widening cylinder with a screw motion that is fed in",
        coordinates=["x", "y", "z"],
        parameters={"v": "1/10", "q": "1"},
        lagrangian="1/2*(x'^2+y'^2+z'^2) - y",
        constraints=[("x^2 + y^2 - (1 + v*t)^2", "holonomic"), ("z' - x*y' + y*x' - q*exp(-t)", "affine")],
        trajectories=[("run", "4", {"x": "3/5", "y": "4/5", "z": "0", "y'": "1/2"})],
        expected={"energy_conserved": False, "constraint_type": "affine", "holonomic": False, "integrable_codim": 1},
        notes="A constraint on positions that depends on time, beside an affine one that does."),
    "pursuit_with_drag": dict(
        title="Pursuit of a target on a circle, with drag",
        coordinates=["y", "x"],
        parameters={"m": "2", "w": "7/10", "c": "1/10"},
        lagrangian="1/2*m*(x'^2+y'^2)",
        constraints=[("x'*(sin(w*t) - y) - y'*(cos(w*t) - x)", "linear")],
        rayleigh="1/2*c*(x'^2 + y'^2)",
        trajectories=[("run", "2", {"y": "1", "x": "3", "x'": "-1"})],
        expected={"energy_conserved": False, "constraint_type": "linear", "holonomic": False},
        notes="A linear constraint that moves: D at a fixed time is integrable, and the motion is not confined."),
    "skate_on_turntable": dict(
        title="Skate on a turning plate, seen from outside",
        coordinates=["x", "y", "theta"],
        parameters={"m": "1", "J": "1/2", "W": "2/5"},
        lagrangian="1/2*m*(x'^2+y'^2) + 1/2*J*theta'^2",
        constraints=[("(x' + W*y)*sin(theta) - (y' - W*x)*cos(theta)", "affine")],
        trajectories=[("through theta = pi", "4", {"x": "1", "y": "0", "theta": "5/2", "x'": "1/2", "theta'": "3/10"})],
        expected={"energy_conserved": False, "constraint_type": "affine", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3], "conserved": [{"expr": "theta'"}], "not_conserved": ["x'^2 + y'^2"],
                  "invariant_measure": {"exists": True}},
        notes="The frame along and across the blade has no pole, although x' solved for has one at theta = pi."),
    "programmed_direction": dict(
        title="Heavy particle on a blade whose direction is prescribed",
        coordinates=["x", "y"],
        parameters={"m": "1", "g": "1", "w": "2/3"},
        lagrangian="1/2*m*(x'^2+y'^2) - m*g*y",
        constraints=[("x'*sin(w*t) - y'*cos(w*t)", "linear")],
        trajectories=[("run", "3", {"x": "0", "y": "0", "x'": "1", "y'": "0"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False,
                  "not_conserved": ["x'", "x'^2 + y'^2"]},
        notes="The constraint moves but is homogeneous, so its force does no work; the curvature has a part dA/dt."),
    "martinet_particle_in_a_well": dict(
        title="Martinet's distribution with springs",
        coordinates=["x", "y", "z"],
        parameters={"m": "3/2", "k": "2"},
        lagrangian="1/2*m*(x'^2+y'^2+z'^2) - 1/2*k*(x^2+y^2)",
        constraints=[("z' - y^2*x'/2", "linear")],
        trajectories=[("across y = 0", "4", {"x": "1", "y": "-1/2", "z": "0", "x'": "1/3", "y'": "1"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3], "conserved": [{"expr": "m*y'^2 + k*y^2"}], "not_conserved": ["x'^2 + z'^2"],
                  "invariant_measure": {"exists": True}, "conditionally_variational": {"answer": False}},
        notes="On the surface y = 0 the growth vector is (2, 2, 3)."),
    "engel_particle": dict(
        title="Engel's distribution, free motion",
        coordinates=["x", "y", "z", "w"],
        parameters={"m": "1", "a": "2"},
        lagrangian="1/2*m*(x'^2+y'^2+z'^2+a*w'^2)",
        constraints=[("z' - x*y'", "linear"), ("w' - x^2*y'/2", "linear")],
        trajectories=[("run", "3", {"x": "1/3", "y": "0", "z": "0", "w": "0", "x'": "1/2", "y'": "1"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3, 4], "growth_vector_everywhere": True,
                  "conserved": [{"expr": "x'"}, {"expr": "y'*sqrt(1 + x^2 + a*x^4/4)"}], "not_conserved": ["y'"],
                  "invariant_measure": {"exists": True}},
        notes="Both gauge momenta are known."),
    "parallel_velocities": dict(
        title="Two heavy particles with parallel velocities, joined by a spring",
        coordinates=["x1", "y1", "x2", "y2"],
        parameters={"m1": "1", "m2": "3", "g": "1", "k": "1/2"},
        lagrangian="1/2*m1*(x1'^2+y1'^2) + 1/2*m2*(x2'^2+y2'^2) - g*(m1*y1 + m2*y2) - k/2*((x1-x2)^2 + (y1-y2)^2)",
        constraints=[("x1'*y2' - y1'*x2'", "nonlinear")],
        trajectories=[("run", "1", {"x1": "0", "y1": "0", "x2": "1", "y2": "1/2",
                                    "x1'": "1", "y1'": "1/2", "x2'": "2", "y2'": "1"})],
        expected={"energy_conserved": True, "constraint_type": "nonlinear", "not_conserved": ["x1'", "m1*x1' + m2*x2'"],
                  "conserved": [{"expr": "m1*x1'^2 + m2*x2'^2 + k*(x1 - x2)^2"}]},
        notes="The energies along and across gravity are conserved apart: Chetaev's force has no power in either."),
    "cubic_velocities": dict(
        title="A constraint of third degree",
        coordinates=["x", "y", "z"],
        parameters={"k": "1"},
        lagrangian="1/2*(x'^2+y'^2+z'^2) - k*x*z",
        constraints=[("z'*(x'^2+y'^2) - y*x'^3", "nonlinear")],
        trajectories=[("run", "1", {"x": "1", "y": "1/2", "z": "0", "x'": "1", "y'": "1/2", "z'": "2/5"})],
        expected={"energy_conserved": True, "constraint_type": "nonlinear", "not_conserved": ["x'", "z'"]},
        notes="Homogeneous, so the energy is conserved; no symmetry is left."),
    "roller_racer_with_spring": dict(
        title="Roller racer with a spring in the joint",
        coordinates=["x", "y", "th", "ph"],
        parameters={"m": "2", "I1": "1/2", "I2": "1/5", "d1": "1", "d2": "2/5", "k": "1/3"},
        lagrangian="1/2*m*(x'^2+y'^2) + 1/2*I1*th'^2 + 1/2*I2*(th'+ph')^2 - 1/2*k*ph^2",
        constraints=[("y'*cos(th) - x'*sin(th)", "linear"),
                     ("y'*cos(th+ph) - x'*sin(th+ph) - (d1*cos(ph)+d2)*th' - d2*ph'", "linear")],
        trajectories=[("run", "2", {"x": "0", "y": "0", "th": "1/10", "ph": "3/5", "x'": "cos(1/10)", "y'": "sin(1/10)",
                                    "ph'": "1/4"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3, 4], "not_conserved": ["th'", "ph'"], "invariant_measure": {"exists": False},
                  "conditionally_variational": {"answer": False}},
        notes="I1 d2 = I2 d1: straight rolling is neither attracting nor repelling."),
    "ball_on_uneven_turntable": dict(
        title="Ball on a tilted turntable whose speed changes",
        coordinates=["x", "y", "a", "b", "c"],
        parameters={"m": "1", "r": "1/2", "I": "1/10", "W": "2/5", "ga": "1/3"},
        definitions={"wx": "b'*cos(a) + c'*sin(a)*sin(b)", "wy": "b'*sin(a) - c'*cos(a)*sin(b)", "wz": "a' + c'*cos(b)",
                     "turn": "W*(1 + sin(t)/2)"},
        lagrangian="1/2*m*(x'^2+y'^2) + 1/2*I*(wx^2+wy^2+wz^2) + m*ga*x",
        constraints=[("x' - r*wy + turn*y", "affine"), ("y' + r*wx - turn*x", "affine")],
        trajectories=[("run", "3", {"x": "1/2", "y": "0", "a": "0", "b": "1", "c": "0", "a'": "1/2", "b'": "1/3",
                                    "c'": "1"})],
        expected={"energy_conserved": False, "constraint_type": "affine", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [3, 5], "conserved": [{"expr": "wz"}], "not_conserved": ["wx", "x'"]},
        notes="No torque acts about the vertical through the contact, whatever the table does."),
    "skate_on_a_sphere": dict(
        title="Heavy skate on a sphere, its direction against the parallels given by an angle",
        coordinates=["x", "y", "z", "th"],
        parameters={"g": "1", "J": "1/3"},
        lagrangian="1/2*(x'^2+y'^2+z'^2) + J/2*th'^2 - g*z",
        constraints=[("x^2 + y^2 + z^2 - 1", "holonomic"), ("(x*y' - y*x')*cos(th) - z'*sin(th)", "linear")],
        trajectories=[("run", "2", {"x": "3/5", "y": "0", "z": "4/5", "th": "1", "th'": "1/2", "z'": "1/4"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 1,
                  "growth_vector": [2, 3], "holonomic_integrals": ["x^2 + y^2 + z^2"], "conserved": [{"expr": "th'"}],
                  "not_conserved": ["x*y' - y*x'"]},
        notes="A constraint on positions and one on velocities: leaves of dimension three."),
    "suslov_with_a_swinging_axis": dict(
        title="Heavy body that must not turn about an axis which swings in it",
        coordinates=["a", "b", "c"],
        parameters={"I1": "1", "I2": "2", "I3": "3", "I13": "1/4", "g": "1"},
        definitions={"w1": "a'*sin(b)*sin(c) + b'*cos(c)", "w2": "a'*sin(b)*cos(c) - b'*sin(c)", "w3": "a'*cos(b) + c'"},
        lagrangian="1/2*(I1*w1^2 + I2*w2^2 + I3*w3^2 + 2*I13*w1*w3) - g*cos(b)",
        constraints=[("w3 - 1/3*w1*cos(t)", "linear")],
        trajectories=[("run", "3", {"a": "0", "b": "1", "c": "0", "a'": "1/2", "b'": "1/3"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False,
                  "not_conserved": ["w1", "I1*w1^2 + I2*w2^2"]},
        notes="The constraint moves and is homogeneous: no work is done."),
    "branching_velocities": dict(
        title="A quadratic constraint that a linear one splits into two branches",
        coordinates=["x", "y", "z", "w"],
        parameters={"k": "1"},
        lagrangian="1/2*(x'^2+y'^2+z'^2+w'^2) - k/2*(x^2 + w)",
        constraints=[("x'*w' - y'*z'", "nonlinear"), ("w' - x*y'", "linear")],
        trajectories=[("run", "1", {"x": "1", "y": "0", "z": "1/2", "w": "0", "x'": "1", "y'": "1/2", "z'": "1",
                                    "w'": "1/2"}),
                      ("the other branch", "0.5", {"x": "1", "y": "0", "z": "0", "w": "0", "x'": "1", "y'": "0",
                                                 "z'": "1/3", "w'": "0"})],
        expected={"energy_conserved": True, "constraint_type": "nonlinear"},
        notes="y' (x x' - z') = 0: on the first branch x^2 - 2 z is constant, on the second y and w are, until x x' = z' where they meet."),
    "hoop_with_a_pendulum": dict(
        title="Hoop rolling down a slope with a pendulum on its axle that rubs",
        coordinates=["x", "phi", "al"],
        parameters={"M": "2", "m": "1", "R": "1/2", "l": "2/5", "g": "49/5", "be": "1/20", "c": "1/10"},
        lagrangian="1/2*M*(x'^2 + R^2*phi'^2) + 1/2*m*((x' + l*al'*cos(al))^2 + (l*al'*sin(al))^2)"
                   " + (M+m)*g*sin(be)*x + m*g*l*cos(al+be)",
        constraints=[("x' - R*phi'", "linear")],
        rayleigh="1/2*c*(al'-phi')^2",
        trajectories=[("run", "2", {"x": "0", "phi": "0", "al": "1", "x'": "0", "al'": "0"})],
        expected={"energy_conserved": False, "constraint_type": "linear", "holonomic": True, "integrable_codim": 1,
                  "holonomic_integrals": ["x - R*phi"], "growth_vector": [2]},
        notes="It ends at a constant speed, the pendulum at sin(al + be) = (M + m)*R*sin(be)/(m*l)."),
    "sleigh_with_a_sprung_mass": dict(
        title="Sleigh with a mass on a spring along its blade",
        coordinates=["x", "y", "th", "s"],
        parameters={"M": "1", "m": "1/3", "J": "1/4", "k": "5", "s0": "1/2"},
        definitions={"px": "x' + s'*cos(th) - s*th'*sin(th)", "py": "y' + s'*sin(th) + s*th'*cos(th)"},
        lagrangian="1/2*M*(x'^2+y'^2) + 1/2*J*th'^2 + 1/2*m*(px^2+py^2) - 1/2*k*(s-s0)^2",
        constraints=[("x'*sin(th) - y'*cos(th)", "linear")],
        trajectories=[("run", "3", {"x": "0", "y": "0", "th": "0", "s": "1/2", "x'": "1", "th'": "1/2", "s'": "0"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [3, 4], "growth_vector_everywhere": True, "not_conserved": ["th'", "px^2 + py^2"],
                  "invariant_measure": {"exists": False}, "conditionally_variational": {"answer": False}},
        notes="Straight sliding attracts when the mass rests ahead of the blade, so there is no smooth density on D/G."),
    "skate_on_the_hyperbolic_plane": dict(
        title="Skate on the hyperbolic plane",
        coordinates=["x", "y", "th"],
        parameters={"m": "1", "J": "1/2"},
        lagrangian="1/2*m*(x'^2+y'^2)/y^2 + 1/2*J*(th' + x'/y)^2",
        constraints=[("x'*sin(th) - y'*cos(th)", "linear")],
        trajectories=[("run", "3", {"x": "0", "y": "1", "th": "1/3", "x'": "1/2", "th'": "-1/2"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3], "growth_vector_everywhere": True,
                  "conserved": [{"expr": "th' + x'/y"}, {"expr": "(x'^2 + y'^2)/y^2"}], "not_conserved": ["th'", "x'/y^2"],
                  "invariant_measure": {"exists": True}, "conditionally_variational": {"answer": False}},
        notes="The turning rate against the parallel transport and the speed are constant: curves of constant curvature."),
    "sleigh_that_loses_sand": dict(
        title="Sleigh whose mass decreases with the time",
        coordinates=["x", "y", "th"],
        parameters={"m0": "2", "m1": "1", "c": "1/2", "J": "1", "a": "1/4"},
        lagrangian="1/2*(m0*exp(-c*t)+m1)*(x'^2+y'^2) + 1/2*J*th'^2 + m1*a*th'*(cos(th)*y' - sin(th)*x')",
        constraints=[("x'*sin(th) - y'*cos(th)", "linear")],
        trajectories=[("run", "3", {"x": "0", "y": "0", "th": "0", "x'": "1", "th'": "1/2"})],
        expected={"energy_conserved": False, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3], "not_conserved": ["th'", "x'^2 + y'^2"]},
        notes="As the Lagrangian says, what is lost takes its momentum along only in part."),
    "massless_steering": dict(
        title="Wheel without inertia that steers by what it has rolled",
        coordinates=["x", "y", "th", "p"],
        parameters={"m": "1", "r": "1/2", "V0": "1/4"},
        lagrangian="1/2*m*(x'^2+y'^2) - V0*cos(th)*p",
        constraints=[("x'*sin(th) - y'*cos(th)", "linear"), ("x'*cos(th)+y'*sin(th) - r*p'", "linear"),
                     ("th' - p'/3 - y'/2", "linear")],
        trajectories=[("run", "3", {"x": "0", "y": "0", "th": "1/5", "p": "0", "p'": "1"})],
        expected={"energy_conserved": True, "constraint_type": "linear", "holonomic": True, "integrable_codim": 3,
                  "growth_vector": [1], "invariant_measure": {"exists": True}},
        notes="Two coordinates have no mass. One integral is th - y/2 - p/3, another takes atan of a root of parameters."),
    "blade_in_the_wind": dict(
        title="Knife edge on a slope in the wind, with drag that is no polynomial",
        coordinates=["x", "y", "phi"],
        parameters={"m": "1", "J": "1/2", "g": "49/5", "sa": "1/2", "c": "1/4", "W": "2", "k": "3/10"},
        lagrangian="1/2*m*(x'^2+y'^2)+1/2*J*phi'^2+m*g*sa*x",
        constraints=[("x'*sin(phi) - y'*cos(phi)", "linear")],
        forces={"x": "-c*(x'-W)", "y": "-c*y'", "phi": "-k*phi'*sqrt(1+phi'^2)"},
        trajectories=[("run", "3", {"x": "0", "y": "0", "phi": "0", "x'": "1", "phi'": "3"})],
        expected={"energy_conserved": False, "constraint_type": "linear", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3], "growth_vector_everywhere": True, "invariant_measure": {"exists": False}},
        notes="At rest across the slope the divergence is -(c/m + k/J): no density at all."),
    "disk_on_a_turntable": dict(
        title="Vertical disk on a turning table, seen from outside",
        coordinates=["x", "y", "ph", "ps"],
        parameters={"m": "1", "R": "1/2", "I": "1/16", "K": "1/8", "W": "3/4"},
        lagrangian="1/2*m*(x'^2+y'^2) + 1/2*I*ph'^2 + 1/2*K*ps'^2",
        constraints=[("x' + W*y - R*ps'*cos(ph)", "affine"), ("y' - W*x - R*ps'*sin(ph)", "affine")],
        trajectories=[("run", "3", {"x": "1", "y": "0", "ph": "0", "ps": "0", "ph'": "1/2", "ps'": "2"})],
        expected={"energy_conserved": False, "constraint_type": "affine", "holonomic": False, "integrable_codim": 0,
                  "growth_vector": [2, 3, 4],
                  "conserved": [{"expr": "ph'"}, {"expr": "m*W^2*(x^2 + y^2) - ps'^2*(K + m*R^2)"},
                                {"expr": "ps'*(K + m*R^2)*(ph' - W) + m*R*W^2*(y*cos(ph) - x*sin(ph))"}],
                  "not_conserved": ["ps'", "x'^2 + y'^2"], "invariant_measure": {"exists": True}},
        notes="Three integrals beside each other, none of them the energy."),
}


def exact(text, names):
    """Text of the model language as a SymPy expression."""
    text = re.sub(r"([A-Za-z_]\w*)'", r"\1__v", text.replace("^", "**"))
    text = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"Integer(\1)", text)
    known = {"Integer": sp.Integer, "sqrt": sp.sqrt, "sin": sp.sin, "cos": sp.cos, "exp": sp.exp}
    return sp.sympify(eval(text, known, names))


class System:
    """M q'' = F + A^T lambda and A q'' = b, as functions of t, q, q'."""

    def __init__(self, case):
        self.q = [sp.Symbol(n) for n in case["coordinates"]]
        self.v = [sp.Symbol(n + "__v") for n in case["coordinates"]]
        names = {s.name: s for s in self.q + self.v} | {"t": TIME}
        names |= {n: sp.Rational(value) for n, value in case["parameters"].items()}
        for n, text in case.get("definitions", {}).items():
            names[n] = exact(text, names)
        self.names = names
        q, v, n = self.q, self.v, len(self.q)
        L = exact(case["lagrangian"], names)
        forces = [exact(case.get("forces", {}).get(c, "0"), names) for c in case["coordinates"]]
        R = exact(case.get("rayleigh", "0"), names)
        p = [sp.diff(L, s) for s in v]
        M = sp.Matrix(n, n, lambda i, j: sp.diff(p[i], v[j]))
        F = [sp.diff(L, q[i]) + forces[i] - sp.diff(R, v[i]) - sp.diff(p[i], TIME)
             - sum(sp.diff(p[i], q[j]) * v[j] for j in range(n)) for i in range(n)]
        ahead = lambda e: sp.diff(e, TIME) + sum(sp.diff(e, q[j]) * v[j] for j in range(n))
        given = [exact(text, names) for text, _ in case["constraints"]]
        self.positions = [c for c in given if not c.free_symbols & set(v)]
        self.rows = [c if c.free_symbols & set(v) else ahead(c) for c in given]
        A = sp.Matrix([[sp.diff(c, s) for s in v] for c in self.rows])
        b = [-ahead(c) for c in self.rows]
        self.A, self.n, self.k = A, n, len(self.rows)
        E = sum(p[i] * v[i] for i in range(n)) - L
        self.numbers = sp.lambdify([TIME, *q, *v], [list(M), F, list(A), b, self.rows, E], "mpmath", cse=True)

    def motion(self, t, y):
        """q', q'' and lambda from one linear system."""
        n, k = self.n, self.k
        M, F, A, b, _, _ = self.numbers(t, *y)
        K = mp.matrix(n + k, n + k)
        for i in range(n):
            for j in range(n):
                K[i, j] = M[i * n + j]
            for a in range(k):
                K[i, n + a] = -A[a * n + i]
                K[n + a, i] = A[a * n + i]
        x = mp.lu_solve(K, mp.matrix(list(F) + list(b)))
        return [*y[n:], *x[:n]], list(x[n:])

    def start(self, given):
        """Velocities that are left out follow from the constraints, which are linear in them."""
        values = {s: exact(given[c], self.names) for s, c in zip(self.q, [s.name for s in self.q])}
        values[TIME] = sp.Integer(0)
        velocities = {s: exact(given[s.name[:-3] + "'"], self.names) for s in self.v if s.name[:-3] + "'" in given}
        missing = [s for s in self.v if s not in velocities]
        rows = [c.subs(values).subs(velocities) for c in self.rows]
        if missing:
            velocities |= sp.solve(rows, missing, dict=True)[0]
        for c in [*self.positions, *self.rows]:
            assert abs(sp.N(c.subs(values).subs(velocities), 30)) < 1e-25, c
        return [mp.mpf(sp.N(values[s], 40)) for s in self.q] + [mp.mpf(sp.N(velocities[s], 40)) for s in self.v]

    def end(self, y, until, tolerance):
        """Gragg's method with extrapolation in h^2 (Hairer, Norsett and Wanner, II.9)."""
        f = lambda t, y: self.motion(t, y)[0]
        t, h, size = mp.mpf(0), mp.mpf(1) / 8, len(y)
        while t < until:
            h = min(h, until - t)
            table, start = [], f(t, y)
            for j in range(1, 19):
                n = 2 * j
                step = h / n
                before, now = y, [y[i] + step * start[i] for i in range(size)]
                for m in range(1, n):
                    rate = f(t + m * step, now)
                    before, now = now, [before[i] + 2 * step * rate[i] for i in range(size)]
                row = [now]
                for m in range(1, j):
                    ratio = mp.mpf(n) / (2 * (j - m))
                    last, above = row[-1], table[-1][m - 1]
                    row.append([last[i] + (last[i] - above[i]) / (ratio * ratio - 1) for i in range(size)])
                table.append(row)
                if j > 2 and max(abs(row[-1][i] - row[-2][i]) / (1 + abs(row[-1][i])) for i in range(size)) < tolerance:
                    t, y = t + h, row[-1]
                    h *= mp.mpf(2) if j < 10 else 1
                    break
            else:
                h /= 2
        return y


def growth_vector(system, seed=1):
    """Ranks of brackets of D = ker A at a random rational point, D solved for at that point's pivots."""
    rng, n = random.Random(seed), system.n
    point = {s: sp.Rational(rng.randint(20, 90), 97) for s in system.q}
    A = system.A
    zero = lambda e: abs(e) < 1e-20
    at_point = lambda rows: sp.Matrix([[sp.N(sp.sympify(e).subs(point), 30) for e in row] for row in rows])
    pivots = at_point([list(A.row(i)) for i in range(A.rows)]).rref(iszerofunc=zero)[1]
    free = [j for j in range(n) if j not in pivots]
    S = A[:, list(pivots)].inv() * A[:, free]
    fields = []
    for j, leg in enumerate(free):
        X = [sp.Integer(0)] * n
        X[leg] = sp.Integer(1)
        for i, pivot in enumerate(pivots):
            X[pivot] = -S[i, j]
        fields.append(X)
    along = lambda X, f: sum(X[j] * sp.diff(f, system.q[j]) for j in range(n))
    bracket = lambda X, Y: [along(X, Y[i]) - along(Y, X[i]) for i in range(n)]
    everything, last = list(fields), list(fields)
    growth = [len(fields)]
    while growth[-1] < n:
        last = [bracket(X, Y) for X in fields for Y in last]
        everything += last
        r = at_point(everything).rank(iszerofunc=zero)
        if r == growth[-1]:
            break
        growth.append(r)
    return growth


def text(x):
    return mp.nstr(x, 24)


def worked_out(name, case):
    system = System(case)
    n, runs = system.n, []
    for tag, until, initial in case["trajectories"]:
        y = system.start(initial)
        rates, multipliers = system.motion(mp.mpf(0), y)
        final = system.end(y, mp.mpf(until), mp.mpf(10) ** -26)
        coarse = system.end(y, mp.mpf(until), mp.mpf(10) ** -22)
        apart = max(abs(a - b) / (1 + abs(a)) for a, b in zip(final, coarse))
        assert apart < 1e-19, apart
        residual = max(abs(c) for c in system.numbers(mp.mpf(until), *final)[4])
        assert residual < 1e-18, residual
        names = case["coordinates"]
        runs.append({"tag": tag, "t0": "0", "T": until, "initial": initial,
                     "final": dict(zip(names + [c + "'" for c in names], map(text, final))),
                     "multipliers_t0": list(map(text, multipliers)),
                     "accelerations_t0": dict(zip(names, map(text, rates[n:]))),
                     "energy_t0": text(system.numbers(mp.mpf(0), *y)[5]),
                     "energy_T": text(system.numbers(mp.mpf(until), *final)[5])})
        if case["expected"]["energy_conserved"]:
            assert abs(mp.mpf(runs[-1]["energy_T"]) - mp.mpf(runs[-1]["energy_t0"])) < 1e-18
    if "growth_vector" in case["expected"]:
        assert growth_vector(system) == case["expected"]["growth_vector"], growth_vector(system)
    rank = sp.Matrix(system.A).rank() if case["constraints"][0][1] != "nonlinear" else system.k
    expected = {"status": "ok", "dof": n - rank, "constraint_rank": rank} | case["expected"]
    out = {"name": name, "title": case["title"], "coordinates": case["coordinates"], "parameters": case["parameters"]}
    out |= {key: case[key] for key in ("definitions", "lagrangian", "rayleigh", "forces") if key in case}
    out["constraints"] = [{"expr": expr, "type": kind} for expr, kind in case["constraints"]]
    if any(kind == "nonlinear" for _, kind in case["constraints"]):
        out["constraint_rule"] = "Chetaev"
    out |= {"trajectories": runs, "expected": expected, "source": "tests/oracles/reference_cases.py",
            "notes": case["notes"], "status": "verified"}
    return out


if __name__ == "__main__":
    folder, wanted = sys.argv[1], sys.argv[2:] or list(SYSTEMS)
    for name in wanted:
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(worked_out(name, SYSTEMS[name]), file, indent=1)
            file.write("\n")
        print(name, flush=True)
