// [joints] and shapes: trees against positions written by hand, loops by their count of freedoms, springs, dampers, drives.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/joint_kind.hpp>
#include <rattleback/model/system/machine.hpp>
#include <rattleback/motion/forms/formalism.hpp>

using namespace rattleback;

namespace {

System model(const std::string& text) { return read_model(text, "machine.toml"); }

bool same(const System& s, Expr e, const std::string& expected) {
  return proved(are_equal(e, parse(expected, s.scope)));
}

std::string slug_of(const std::string& text) {
  try {
    model(text);
  } catch (const Error& error) {
    CHECK_FALSE(error.where.empty());
    CHECK_FALSE(error.fix.empty());
    return error.slug;
  }
  return "read";
}

const std::string arms = R"toml(
gravity = "g"
[parameters]
g = {}
l = { positive = true }
m = { positive = true }
[bodies.upper]
mass = "m"
shape = { rod = "l", axis = "e3" }
[bodies.lower]
mass = "m"
shape = { rod = "l", axis = "e3" }
)toml";

const std::string shoulder = R"toml(
[joints.a]
kind = "revolute"
child = "upper"
axis = "e2"
child_at = "[0, 0, l/2]"
)toml";

const std::string elbow = R"toml(
[joints.b]
kind = "revolute"
parent = "upper"
child = "lower"
axis = "e2"
at = "[0, 0, -l/2]"
child_at = "[0, 0, l/2]"
)toml";

}  // namespace

TEST_CASE("a chain of joints has the Lagrangian of its written positions") {
  const System s = model(arms + shoulder + elbow);
  CHECK(s.space.dimension() == 2);
  CHECK(s.constraints.empty());
  CHECK(same(
      s, s.lagrangian,
      "m*l^2*(2/3*a'^2 + 1/6*(a' + b')^2 + 1/2*a'*(a' + b')*cos(b)) + m*g*l*(3/2*cos(a) + 1/2*cos(a + b))"));
}

TEST_CASE("a joint may be written from either of its bodies") {
  std::string swapped = R"toml(
[joints.b]
kind = "revolute"
parent = "lower"
child = "upper"
axis = "e2"
child_at = "[0, 0, -l/2]"
at = "[0, 0, l/2]"
)toml";
  const System forward = model(arms + shoulder + elbow), backward = model(arms + shoulder + swapped);
  const Symbol b = parse("b", backward.scope).symbol(), rate = parse("b'", backward.scope).symbol();
  const Expr turned = substitute(backward.lagrangian, {{b, -Expr(b)}, {rate, -Expr(rate)}});
  CHECK(proved(are_equal(turned, parse("m*l^2*(2/3*a'^2 + 1/6*(a' + b')^2 + 1/2*a'*(a' + b')*cos(b))"
                                       " + m*g*l*(3/2*cos(a) + 1/2*cos(a + b))",
                                       backward.scope))));
  CHECK_FALSE(proved(are_equal(backward.lagrangian, forward.lagrangian)));
}

TEST_CASE("a joint turns about any axis, in any axes of its two bodies") {
  const std::string top =
      "[parameters]\np = {}\nI = {}\nJ = {}\n[bodies.top]\nmass = 1\ninertia = \"[I, I, J]\"\n";
  const std::string joint = "[joints.q]\nkind = \"revolute\"\nchild = \"top\"\n";
  // The axis (0, 3/5, 4/5) leaned into the body: I sin² + J cos².
  const System axis = model(top + joint + "axis = [0, \"3/5\", \"4/5\"]\n");
  CHECK(same(axis, axis.lagrangian, "q'^2/2*(9*I/25 + 16*J/25)"));
  const System turned = model(top + joint + "child_rotation = \"Rx(p)\"\n");
  CHECK(same(turned, turned.lagrangian, "q'^2/2*(I*sin(p)^2 + J*cos(p)^2)"));
  const System parent = model(top + joint + "rotation = \"Rx(p)\"\n");
  CHECK(same(parent, parent.lagrangian, "q'^2/2*J"));
}

TEST_CASE("every kind of joint leaves as many freedoms in a loop as in a tree") {
  for (const JointKind& kind : joint_kinds()) {
    CAPTURE(kind.name);
    const std::string body = "[bodies.stone]\nmass = 2\ninertia = [3, 4, 5]\n";
    const std::string joint =
        "[joints.j]\nkind = \"" + std::string(kind.name) +
        "\"\nchild = \"stone\"\nat = [1, 2, 3]\nchild_at = [0.5, 0, 0.25]\nrotation = \"Rx(1)\"\n";
    const std::string loose =
        "[joints.loose]\nkind = \"free\"\nchild = \"stone\"\ncoordinates = [\"x\", \"y\", \"z\", \"B\"]\n";
    if (kind.degrees() > 0) CHECK(model(body + joint).space.dimension() == kind.degrees());
    const System loop = model(body + loose + joint);
    CHECK(loop.space.dimension() == 6);
    CHECK(triage(loop).degrees_of_freedom() == kind.degrees());
    const Machine machine = read_machine(body + loose + joint, "loop.toml");
    CHECK(machine.joints[1].closes_loop);
    CHECK(machine.joints[1].conditions.size() == static_cast<std::size_t>(6 - kind.degrees()));
  }
}

TEST_CASE("a planar loop has two conditions, and the others of its joint always hold") {
  const Machine machine = load_machine("four-bar");
  REQUIRE(machine.joints.size() == 4);
  CHECK(machine.joints[3].conditions == std::vector<std::string>{"wrist_x", "wrist_y"});
  CHECK(machine.joints[3].satisfied == 3);
  const System s = load_model("four-bar");
  CHECK(triage(s).degrees_of_freedom() == 1);
  CHECK(same(s, *s.constraints[0].position, "d + c*cos(gamma) - a*cos(alpha) - b*cos(alpha + beta)"));
}

TEST_CASE("a loop is cut where no coordinate is named, and where it leaves the fewest coordinates") {
  const std::string two =
      "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n";
  const auto joint = [](const std::string& name, const std::string& kind, const std::string& parent,
                        const std::string& child, const std::string& more = "") {
    return "[joints." + name + "]\nkind = \"" + kind + "\"\nparent = \"" + parent + "\"\nchild = \"" + child +
           "\"\n" + more;
  };
  const Machine ball =
      read_machine(two + joint("s", "spherical", "ground", "a") + joint("q", "revolute", "a", "b") +
                       joint("u", "revolute", "ground", "b", "at = [1, 0, 0]\nchild_at = [1, 0, 0]\n"),
                   "loop.toml");
  CHECK(ball.joints[0].closes_loop);
  const Machine named =
      read_machine(two + joint("s", "spherical", "ground", "a", "coordinates = \"B\"\n") +
                       joint("q", "revolute", "a", "b") +
                       joint("u", "revolute", "ground", "b", "at = [1, 0, 0]\nchild_at = [1, 0, 0]\n"),
                   "loop.toml");
  CHECK_FALSE(named.joints[0].closes_loop);
  CHECK(named.joints[2].closes_loop);
}

TEST_CASE("springs, dampers and drives of joints") {
  const std::string cart =
      "[bodies.cart]\nmass = 2\n[joints.x]\nkind = \"prismatic\"\nchild = \"cart\"\naxis = \"e1\"\n";
  const System spring = model(cart + "stiffness = 3\nrest = \"1/2\"\ndamping = 5\n");
  CHECK(same(spring, spring.lagrangian, "x'^2 - 3/2*(x - 1/2)^2"));
  CHECK(same(spring, spring.forces[0], "-5*x'"));
  const System driven = model(cart + "drive = \"sin(3*t)\"\n");
  REQUIRE(driven.constraints.size() == 1);
  CHECK(driven.constraints[0].name == "x_drive");
  CHECK(same(driven, *driven.constraints[0].position, "x - sin(3*t)"));
  CHECK(same(driven, driven.constraints[0].expression, "x' - 3*cos(3*t)"));
  const System ball = model(
      "[bodies.ball]\nmass = 1\ninertia = [1, 2, 3]\n[joints.B]\nkind = \"spherical\"\nchild = "
      "\"ball\"\nbody_rate = "
      "\"Omega\"\nstiffness = 4\ndamping = 5\n");
  CHECK(same(ball, ball.lagrangian, "1/2*(Omega1^2 + 2*Omega2^2 + 3*Omega3^2) - 2*(3 - B11 - B22 - B33)"));
  CHECK(same(ball, ball.forces[2], "-5*Omega3"));
}

TEST_CASE("mass and inertia of shapes") {
  const auto body = [](const std::string& text) {
    return model("[parameters]\na = { positive = true }\nr = { positive = true }\n[bodies.x]\n" + text +
                 "[joints.j]\nkind = \"free\"\nchild = \"x\"\n");
  };
  const System ball = body("density = \"r\"\nshape = { ball = \"a\" }\n");
  CHECK(same(ball, ball.bodies[0].mass, "4*pi/3*r*a^3"));
  CHECK(same(ball, ball.bodies[0].inertia[4], "8*pi/15*r*a^5"));
  const System rod = body("mass = \"r\"\nshape = { rod = \"a\" }\n");
  CHECK(vanishes_at_random_points(rod.bodies[0].inertia[0]));
  CHECK(same(rod, rod.bodies[0].inertia[8], "r*a^2/12"));
  const auto inertia = [&](const std::string& text) { return body(text).bodies[0].inertia; };
  const auto equal = [](const Matrix& x, const Matrix& y) {
    for (int i = 0; i < 9; ++i) {
      if (!vanishes_at_random_points(x[i] - y[i])) return false;
    }
    return true;
  };
  // A whole is the sum of its halves, a tube the difference of two cylinders, a cube turns as a ball does.
  CHECK(equal(inertia("shape = [{ box = [1, 2, 3], at = [0.5, 1, 1], density = 3 }, "
                      "{ box = [1, 2, 3], at = [1.5, 1, 1], density = 3 }]\n"),
              inertia("density = 3\nshape = { box = [2, 2, 3] }\n")));
  CHECK(equal(inertia("density = 1\nshape = { tube = [1, 2, 3], axis = \"e1\" }\n"),
              inertia("density = 1\nshape = { cylinder = [2, 3], axis = \"e1\" }\n") -
                  inertia("density = 1\nshape = { cylinder = [1, 3], axis = \"e1\" }\n")));
  CHECK(equal(inertia("mass = 6\nshape = { box = [1, 1, 1], rotation = \"Rx(1)*Rz(2)\" }\n"),
              Matrix::identity(3)));
  CHECK(equal(inertia("mass = 5\nshape = { ellipsoid = [1, 2, 3] }\n"),
              Matrix::diagonal(std::vector<Expr>{Expr(13), Expr(10), Expr(5)})));
  CHECK(equal(inertia("mass = 80\nshape = { cone = [1, 2] }\n"),
              Matrix::diagonal(std::vector<Expr>{Expr(24), Expr(24), Expr(24)})));
}

TEST_CASE("a body's origin need not be its mass centre") {
  const std::string head = "gravity = 1\n[bodies.bob]\n";
  const std::string tail = "[joints.a]\nkind = \"revolute\"\nchild = \"bob\"\naxis = \"e2\"\n";
  const System at_hinge = model(head + "mass = 2\ninertia = [1, 1, 1]\ncenter = [0, 0, -3]\n" + tail);
  const System at_center = model(head + "mass = 2\ninertia = [1, 1, 1]\n" + tail + "child_at = [0, 0, 3]\n");
  CHECK(at_hinge.lagrangian == at_center.lagrangian);
  const System parts = model(
      head +
      "shape = [{ point = true, mass = 1, at = [0, 0, -2] }, { point = true, mass = 1, at = [0, 0, -4] }]\n" +
      tail);
  CHECK(same(parts, parts.lagrangian, "10*a'^2 + 6*cos(a)"));
}

TEST_CASE("mistakes in joints are told apart") {
  const std::string body = "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n";
  const std::string joint = "[joints.j]\nchild = \"a\"\n";
  CHECK(slug_of(body + joint) == "missing-key");
  CHECK(slug_of(body + joint + "kind = \"revolut\"\n") == "unknown-joint");
  CHECK(slug_of(body + joint + "kind = \"revolute\"\nparent = \"b\"\n") == "unknown-body");
  CHECK(slug_of(body + joint + "kind = \"revolute\"\nparent = \"a\"\n") == "conflicting-keys");
  CHECK(slug_of(body + joint + "kind = \"revolute\"\naxis = [1, 1, 0]\n") == "wrong-direction");
  CHECK(slug_of(body + joint + "kind = \"spherical\"\naxis = \"e1\"\n") == "conflicting-keys");
  CHECK(slug_of(body + joint + "kind = \"universal\"\naxis = \"e1\"\nsecond_axis = \"e1\"\n") ==
        "wrong-direction");
  CHECK(slug_of(body + joint + "kind = \"planar\"\ncoordinates = [\"x\", \"y\"]\n") == "wrong-count");
  CHECK(slug_of(body + joint + "kind = \"revolute\"\nrest = 1\n") == "conflicting-keys");
  CHECK(slug_of(body + joint + "kind = \"planar\"\nstiffness = [1, 2]\n") == "wrong-count");
  CHECK(slug_of(body + joint + "kind = \"revolute\"\ndrive = \"j'\"\n") == "wrong-type");
  CHECK(slug_of(body + joint + "kind = \"revolute\"\nat = [\"j\", 0, 0]\n") == "wrong-direction");
  CHECK(slug_of(body + "[bodies.b]\nmass = 1\n" + joint + "kind = \"revolute\"\n") == "unplaced-body");
  CHECK(slug_of("[bodies.ground]\nmass = 1\n[joints.j]\nkind = \"free\"\nchild = \"ground\"\n") ==
        "reserved-name");
  const std::string loop =
      body + joint + "kind = \"revolute\"\n[joints.k]\nchild = \"a\"\nkind = \"revolute\"\n";
  CHECK(slug_of(loop + "at = [0, 0, 1]\n") == "open-loop");
  CHECK(slug_of(loop) == "read");
  CHECK(slug_of(body + joint +
                "kind = \"revolute\"\ndamping = 1\n[joints.k]\nchild = \"a\"\nkind = \"revolute\"\ndamping = "
                "1\n") == "no-joint-coordinate");
  const std::string shape = joint + "kind = \"free\"\n[bodies.a]\n";
  CHECK(slug_of(shape + "shape = { ball = 1 }\n") == "missing-key");
  CHECK(slug_of(shape + "shape = { cylinder = { radius = 1, length = 2 } }\n") == "wrong-type");
  CHECK(slug_of(shape + "mass = 1\ndensity = 1\nshape = { ball = 1 }\n") == "conflicting-keys");
  CHECK(slug_of(shape + "mass = 1\nshape = { ball = 1, box = [1, 1, 1] }\n") == "conflicting-keys");
  CHECK(slug_of(shape + "mass = 1\nshape = { axis = \"e1\" }\n") == "missing-key");
  CHECK(slug_of(shape + "mass = 1\nshape = { ball = 1, axis = \"e1\" }\n") == "conflicting-keys");
  CHECK(slug_of(shape + "mass = 1\ninertia = [1, 1, 1]\nshape = { ball = 1 }\n") == "conflicting-keys");
  CHECK(slug_of(shape + "mass = 1\ndensity = 1\n") == "conflicting-keys");
  CHECK(slug_of(shape + "mass = 1\nshape = [{ ball = 1, mass = 1 }]\n") == "conflicting-keys");
}

TEST_CASE("a constraint that follows from the others on the position constraints does not stop the motion") {
  const System car = load_model("ackermann-car");
  const Triage found = triage(car);
  CHECK(found.degrees_of_freedom() == 2);
  const EquationsOfMotion hamel = formalism("hamel").derive(car),
                          multipliers = formalism("multipliers").derive(car);
  CHECK(hamel.speeds.size() == 2);
  CHECK_FALSE(hamel.rate("x").is_zero());
  CHECK(multipliers.speeds.size() == 9);
}

TEST_CASE("a joint of several coordinates has a range for each, and none where it is empty") {
  const auto stopped = [](const std::string& kind, const std::string& limits) {
    return read_model("[bodies.b]\nmass = 1\nshape = { ball = 1 }\n[joints.c]\nkind = \"" + kind +
                          "\"\nchild = \"b\"\nlimits = " + limits + "\nstop = 100\n",
                      "stops.toml");
  };
  const auto forces = [&](const System& s, double first, double second) {
    const auto q = s.space.functions();
    std::vector<double> all;
    for (const Expr e : s.forces)
      all.push_back(evaluate(with_formulas(s, e), Numbers{{q[0], first}, {q[1], second}}));
    return all;
  };
  const System one = stopped("cylindrical", "[[-1, 2], []]");
  CHECK(forces(one, 3, 50) == std::vector<double>{-100, 0});
  CHECK(forces(one, -3, -50) == std::vector<double>{200, 0});
  const std::vector<double> both = forces(stopped("universal", "[[-1, 1], [0, 1]]"), 0, 1.5);
  CHECK(std::abs(both[0]) < 1e-12);
  CHECK(both[1] == doctest::Approx(-50));
  for (const char* wrong : {"[-1, 1]", "[[-1, 1]]", "[[-1, 1], [2, 1]]", "[[-1, 1], 1]"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(stopped("universal", wrong), Error);
  }
  CHECK_THROWS_AS(stopped("spherical", "[0, 1]"), Error);
}
