// [wheels]: what a wheel stands for, against conditions written by hand.
#include <doctest/doctest.h>

#include <string>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/checks/plausibility.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/all_errors.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

namespace {

System model(const std::string& text) { return read_model(text, "wheel.toml"); }

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

/// Does the constraint of this name say the same as the text, up to a factor?
bool says(const System& s, const std::string& name, const std::string& text) {
  const Expr expected = parse(text, s.scope);
  for (const Constraint& c : s.constraints) {
    if (c.name != name) continue;
    for (const Symbol v : s.space.velocities()) {
      const Expr a = derivative(c.expression, v), b = derivative(expected, v);
      if (vanishes_at_random_points(b)) continue;
      return vanishes_at_random_points(c.expression * b - expected * a);
    }
  }
  return false;
}

const std::string cart = R"toml(
[parameters]
R = { positive = true }
l = {}
w = {}
d = { positive = true }
[bodies.cart]
mass = 2
inertia = [1, 1, 1]
[joints.floor]
kind = "planar"
child = "cart"
coordinates = ["x", "y", "theta"]
[wheels.a]
body = "cart"
)toml";

}  // namespace

TEST_CASE("a rolling wheel keeps its contact point at rest") {
  const System s = model(cart + "kind = \"rolling\"\nradius = \"R\"\nat = \"[l, w, R]\"\nmass = 3\n");
  CHECK(s.space.dimension() == 4);
  CHECK(s.constraints.size() == 2);
  CHECK(says(s, "a_1", "x'*cos(theta) + y'*sin(theta) - w*theta' - R*a'"));
  CHECK(says(s, "a_2", "-x'*sin(theta) + y'*cos(theta) + l*theta'"));
  CHECK(s.bodies[1].mass == Expr(3));
  CHECK(vanishes_at_random_points(s.bodies[1].inertia[4] - parse("3/2*R^2", s.scope)));
}

TEST_CASE("a knife edge forbids slipping along its axle only") {
  const System s = model(cart + "kind = \"knife-edge\"\nat = \"[l, w, 0]\"\n");
  CHECK(s.space.dimension() == 3);
  CHECK(s.constraints.size() == 1);
  CHECK(says(s, "a_2", "-x'*sin(theta) + y'*cos(theta) + l*theta'"));
  const System turned = model(cart + "kind = \"knife-edge\"\naxle = \"e1\"\n");
  CHECK(says(turned, "a_2", "x'*cos(theta) + y'*sin(theta)"));
}

TEST_CASE("rollers forbid slipping along their axes") {
  const std::string place = "radius = \"R\"\nat = \"[l, w, R]\"\n";
  const System omni = model(cart + "kind = \"omni\"\n" + place);
  CHECK(omni.constraints.size() == 1);
  CHECK(says(omni, "a_1", "x'*cos(theta) + y'*sin(theta) - w*theta' - R*a'"));
  const System mecanum = model(cart + "kind = \"mecanum\"\nroller = \"pi/4\"\n" + place);
  CHECK(mecanum.constraints.size() == 1);
  CHECK(says(mecanum, "a_roller",
             "x'*cos(theta) + y'*sin(theta) - w*theta' - R*a' - x'*sin(theta) + y'*cos(theta) + l*theta'"));
  CHECK_FALSE(
      says(mecanum, "a_roller",
           "x'*cos(theta) + y'*sin(theta) - w*theta' - R*a' + x'*sin(theta) - y'*cos(theta) - l*theta'"));
}

TEST_CASE("a caster trails: its swivel and its wheel follow the body") {
  const System s =
      model(cart + "kind = \"caster\"\nradius = \"R\"\ntrail = \"d\"\nat = \"[l, 0, R]\"\nmass = 1\n");
  CHECK(s.space.dimension() == 5);
  CHECK(triage(s).degrees_of_freedom() == 3);
  // Along the fork's axle: the pivot's velocity less d times the fork's rate of turn.
  CHECK(says(s, "a_2",
             "-x'*sin(theta + a_swivel) + y'*cos(theta + a_swivel) + l*theta'*cos(a_swivel)"
             " - d*(theta' + a_swivel')"));
}

TEST_CASE("a wheel's friction and its loss of energy are those of its contact") {
  const System s = model(cart +
                         "kind = \"rolling\"\nradius = \"R\"\nat = \"[l, w, R]\"\nmass = 3\nfriction = "
                         "\"2/5\"\nrestitution = \"d\"\nspinning = 1\n");
  REQUIRE(s.scope.find("#friction a") != nullptr);
  CHECK(std::get<Expr>(*s.scope.find("#friction a")) == Expr(Rational(2, 5)));
  CHECK(s.scope.find("#restitution a") != nullptr);
  // the torque of spinning works on the angle of the cart
  CHECK(vanishes_at_random_points(s.forces[2] + parse("theta'", s.scope)));
  for (const Error& warning : s.warnings) CHECK(warning.summary.find("`d`") == std::string::npos);
}

TEST_CASE("mistakes in wheels are told apart") {
  CHECK(slug_of(cart) == "missing-key");
  CHECK(slug_of(cart + "kind = \"rollin\"\n") == "unknown-wheel");
  CHECK(slug_of(cart + "kind = \"rolling\"\n") == "missing-key");
  CHECK(slug_of(cart + "kind = \"rolling\"\nradius = \"R\"\n") == "unsupported-contact");
  CHECK(slug_of(cart + "kind = \"caster\"\nradius = \"R\"\nat = \"[0, 0, R]\"\n") == "missing-key");
  CHECK(slug_of(cart + "kind = \"mecanum\"\nradius = \"R\"\nat = \"[0, 0, R]\"\n") == "missing-key");
  CHECK(slug_of(cart + "kind = \"knife-edge\"\nmass = 1\n") == "conflicting-keys");
  CHECK(slug_of(cart + "kind = \"rolling\"\nradius = \"R\"\nat = \"[0, 0, R]\"\ntrail = 1\n") ==
        "conflicting-keys");
  CHECK(slug_of(cart + "kind = \"knife-edge\"\nspokes = 7\n") == "unknown-key");
  CHECK(slug_of(cart + "kind = \"rolling\"\nradius = \"R\"\nat = \"[0, 0, R]\"\n[joints.a]\nkind = "
                       "\"weld\"\nchild = \"cart\"\n") == "duplicate-name");
}

TEST_CASE("a wheel without mass is no constraint that somebody put into the Lagrangian") {
  const System s = model(R"toml(
[space]
x = "R"
y = "R"
th = "S1"
[bodies.deck]
mass = 2
inertia = "diag(1, 1, 1)"
position = "[x, y, 1]"
rotation = "Rz(th)"
[wheels.left]
body = "deck"
radius = 1
kind = "rolling"
)toml");
  for (const Error& doubt : doubts(s, triage(s))) CHECK(doubt.slug != "substituted-constraint");
}

TEST_CASE("wheels of a body that nothing places: the error says so, alone or behind another") {
  const std::string cart =
      "[bodies.cart]\nmass = 1\ninertia = \"diag(0, 0, 1)\"\n[wheels.left]\nkind = \"rolling\"\nbody = "
      "\"cart\"\n"
      "radius = 1\nat = [0, 1, 1]\n";
  const auto errors = [](const std::string& text) {
    std::vector<std::string> slugs;
    try {
      read_model(text, "cart.toml");
    } catch (const Error& error) {
      for (const Error& e : all_errors(error)) slugs.push_back(e.slug);
    }
    return slugs;
  };
  CHECK(errors(cart) == std::vector<std::string>{"unplaced-body"});
  CHECK(errors(cart + "[joints.road]\nkind = \"planer\"\nchild = \"cart\"\n") ==
        std::vector<std::string>{"unknown-joint"});
  CHECK(errors(cart + "[joints.road]\nkind = \"planar\"\nchild = \"cart\"\n").empty());
}
