// Position constraints are part of the space: points, zero tests, claims and questions live on N = {φ = 0}.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

Expr coordinate(const char* name) { return Symbol::make(name, {.role = Role::coordinate}); }

Outcome outcome(const System& system, const char* name) { return asked(question(name), system, 60).outcome; }

/// The same answer, or one that is open.
bool do_not_contradict(Outcome a, Outcome b) {
  const auto open = [](Outcome o) { return o != Outcome::proved && o != Outcome::refuted; };
  return a == b || open(a) || open(b);
}

Outcome conserved(const System& system, const char* f) {
  return conserved_conjecture(system, parse(f, system.scope)).outcome;
}
Outcome zero(const System& system, const char* f) {
  return zero_conjecture(system, parse(f, system.scope)).outcome;
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), other);
}

constexpr const char* pendulum = R"model(
title = "Pendulum in Cartesian coordinates"
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[parameters]
m = { value = 1, positive = true }
g = { value = 9.81, positive = true }
l = { value = 2, positive = true }
[constraints]
rod = "x^2 + y^2 = l^2"
)model";

constexpr const char* four_bar = R"model(
title = "Four-bar linkage"
lagrangian = "J/2*(a'^2 + b'^2 + c'^2)"
[space]
a = "S1"
b = "S1"
c = "S1"
[parameters]
J = { value = 1, positive = true }
[constraints]
along = "cos(a) + 3*cos(b) - 2*cos(c) = 3"
across = "sin(a) + 3*sin(b) - 2*sin(c) = 0"
)model";

constexpr const char* rod = R"model(
title = "Two masses on a rod, midpoint moving along it"
lagrangian = "1/2*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2)"
[space]
x1 = "R"
y1 = "R"
x2 = "R"
y2 = "R"
[parameters]
m = { value = 1, positive = true }
l = { value = 2, positive = true }
[constraints]
rod = "(x1 - x2)^2 + (y1 - y2)^2 - l^2 = 0"
midpoint = "(x1' + x2')*(y1 - y2) = (y1' + y2')*(x1 - x2)"
)model";

}  // namespace

TEST_CASE("on a variety a function vanishes when it does there, with a proof") {
  const Expr x = coordinate("x"), y = coordinate("y"), z = coordinate("z");
  const Expr sphere = x * x + y * y + z * z - 1;
  CHECK(refuted(is_zero(sphere)));
  {
    const OnVariety here(variety_of({sphere}));
    const Verdict v = is_zero(sphere * x + pow(sphere, 2) * y);
    REQUIRE(proved(v));
    CHECK(std::get<Proved>(v).why.exact);
    CHECK(proved(is_zero(1 / (1 - x * x) - 1 / (y * y + z * z))));
    CHECK(refuted(is_zero(sphere - x)));
    CHECK(refuted(is_zero(z - sqrt(1 - x * x - y * y))));  // the other half of the sphere
  }
  CHECK(refuted(is_zero(sphere)));  // what was remembered there is not remembered here
}

TEST_CASE("a counterexample lies on the variety") {
  const Expr x = coordinate("x"), y = coordinate("y");
  const OnVariety here(variety_of({pow(x, 3) + pow(y, 5) - y - 2}));
  const Verdict v = is_zero(x - y);
  REQUIRE(refuted(v));
  const auto& point = std::get<Refuted>(v).at.point;
  REQUIRE(point.size() == 2);
  double at[2] = {0, 0};
  for (const auto& [symbol, value] : point) at[Expr(symbol) == x ? 0 : 1] = std::stod(value);
  CHECK(std::abs(std::pow(at[0], 3) + std::pow(at[1], 5) - at[1] - 2) < 1e-10);
}

TEST_CASE("components of a variety are told apart") {
  const Expr x = coordinate("x"), y = coordinate("y");
  const OnVariety here(variety_of({x * (y - 1)}));
  CHECK(proved(is_zero(x * (y - 1))));
  CHECK(refuted(is_zero(x)));
  CHECK(refuted(is_zero(y - 1)));
}

TEST_CASE("components of different dimension leave a question open") {
  const Expr x = coordinate("x"), y = coordinate("y"), z = coordinate("z");
  const auto variety = variety_of({x * y, x * z});  // a plane and a line
  CHECK(!variety->has_points());
  const OnVariety here(variety);
  CHECK(undecided(is_zero(x)));
  CHECK(undecided(is_zero(y + z)));
}

TEST_CASE("points of linkages modulo p: angles solved for by resultants") {
  const System system = read_model(four_bar, "four-bar.toml");
  const auto variety = variety_of(position_relations(system));
  REQUIRE(variety);
  CHECK(variety->has_points());
  const OnVariety here(variety);
  const Expr loop = position_relations(system)[0];
  CHECK(proved(is_zero(loop)));
  const Expr a = parse("a", system.scope), b = parse("b", system.scope), c = parse("c", system.scope);
  // |e(a) + 3 e(b) − 3| = 2: the coupler's end.
  CHECK(proved(is_zero(pow(cos(a) + 3 * cos(b) - 3, 2) + pow(sin(a) + 3 * sin(b), 2) - 4)));
  CHECK(refuted(is_zero(pow(cos(a) + 3 * cos(b) - 3, 2) + pow(sin(a) + 3 * sin(b), 2) - 5)));
  CHECK(refuted(is_zero(sin(a + b - c))));
}

TEST_CASE("rotation matrices with plain entries: six relations, the determinant's square is 1") {
  std::vector<Expr> r, relations;
  for (int i = 0; i < 9; ++i) r.push_back(coordinate(("r" + std::to_string(i)).c_str()));
  const auto dot_rows = [&](std::size_t i, std::size_t j) {
    Expr s;
    for (std::size_t k = 0; k < 3; ++k) s += r[3 * i + k] * r[3 * j + k];
    return s;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) relations.push_back(dot_rows(i, j) - (i == j ? 1 : 0));
  }
  const OnVariety here(variety_of(relations));
  const Expr det = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                   r[2] * (r[3] * r[7] - r[4] * r[6]);
  CHECK(proved(is_zero(pow(det, 2) - 1)));
  CHECK(refuted(is_zero(det - 1)));
  Expr columns;
  for (std::size_t k = 0; k < 3; ++k) columns += r[3 * k] * r[3 * k + 1];
  CHECK(proved(is_zero(columns)));
}

TEST_CASE("Neumann's system: Uhlenbeck's integral is proved, the sphere is no integral") {
  const System system = load_model("neumann");
  CHECK(conserved(system, "q1^2 + (q1*q2'-q2*q1')^2/(a1-a2) + (q1*q3'-q3*q1')^2/(a1-a3)") == Outcome::proved);
  CHECK(conserved(system, "q1^2 + (q1*q2'-q2*q1')^2/(a1-a2) + (q1*q3'-q3*q1')^2/(a1+a3)") ==
        Outcome::refuted);
  CHECK(zero(system, "q1^2+q2^2+q3^2-1") == Outcome::proved);
  CHECK(zero(system, "q1*q1' + q2*q2' + q3*q3'") == Outcome::proved);
  CHECK(zero(system, "q1^2+q2^2-q3^2-1") == Outcome::refuted);
}

TEST_CASE("what is proved on N has a certificate that lists N") {
  const System system = read_model(pendulum, "pendulum.toml");
  const Answer a =
      conserved_conjecture(system, parse("m/2*(x'^2+y'^2) + m*g*y + 7*(x^2 + y^2)", system.scope));
  REQUIRE(a.outcome == Outcome::proved);
  REQUIRE(a.certificate.find("positions") != nullptr);
  CHECK(is_confirmed_exactly(a.certificate));
}

TEST_CASE("a pendulum in Cartesian coordinates answers like one with an angle") {
  const System cartesian = read_model(pendulum, "pendulum.toml");
  const System angle = read_model(R"model(
title = "Pendulum"
lagrangian = "m*l^2/2*th'^2 + m*g*l*cos(th)"
[space]
th = "S1"
[parameters]
m = { value = 1, positive = true }
g = { value = 9.81, positive = true }
l = { value = 2, positive = true }
)model",
                                  "angle.toml");
  for (const char* name : {"energy", "invariant-measure", "integrals"})
    CHECK(outcome(cartesian, name) == outcome(angle, name));
  for (const char* name : {"momenta", "symmetries"}) {
    CAPTURE(std::string(name));
    CHECK(do_not_contradict(outcome(cartesian, name), outcome(angle, name)));
  }
}

TEST_CASE("how N is written does not matter: two masses on a rod") {
  const std::string text = rod;
  const System plain = read_model(text, "rod.toml");
  const std::string relation = "(x1 - x2)^2 + (y1 - y2)^2 - l^2";
  const System writings[] = {
      read_model(with(text, relation, "(1 + x1^2)*(" + relation + ")"), "multiplied.toml"),
      read_model(with(text, relation, "sqrt((x1 - x2)^2 + (y1 - y2)^2) - l"), "distance.toml"),
      read_model(with(text, "midpoint =", "again = \"(x1 - x2)^4 - (l^2 - (y1 - y2)^2)^2 = 0\"\nmidpoint ="),
                 "redundant.toml")};
  for (const char* name : {"energy", "integrals", "momenta", "invariant-measure", "integrability"}) {
    const Outcome expected = outcome(plain, name);
    for (const System& other : writings) {
      CAPTURE(std::string(name));
      CAPTURE(other.name);
      CHECK(outcome(other, name) == expected);
    }
  }
  for (const System& other : writings) {
    CAPTURE(other.name);
    CHECK(measure_conjecture(other, Expr(1)).outcome == measure_conjecture(plain, Expr(1)).outcome);
  }
}

TEST_CASE("symmetries are tangent to N") {
  const System system = read_model(R"model(
title = "A free point on a sphere"
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)/(x^2 + y^2 + z^2)"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
sphere = "x^2 + y^2 + z^2 = 1"
)model",
                                   "sphere.toml");
  CHECK(symmetry_conjecture(system, field_of_conjecture(system, "x = -y, y = x")).outcome == Outcome::proved);
  // Scaling keeps L and permutes the spheres, but not this one.
  CHECK(symmetry_conjecture(system, field_of_conjecture(system, "x = x, y = y, z = z")).outcome ==
        Outcome::refuted);
  // Equal to a rotation on the sphere, and only there.
  CHECK(symmetry_conjecture(system, field_of_conjecture(system, "x = -y*(x^2+y^2+z^2), y = x*(x^2+y^2+z^2)"))
            .outcome == Outcome::proved);
}

TEST_CASE(
    "integrals of velocity constraints are leaves, not integrals, where the model has an initial state") {
  const std::string text = R"model(
title = "A pendulum by velocities"
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[parameters]
m = { value = 1, positive = true }
g = { value = 9.81, positive = true }
[constraints]
rod = "x*x' + y*y' = 0"
)model";
  const Answer family = asked(question("integrals"), read_model(text, "family.toml"), 60);
  CHECK(family.outcome == Outcome::proved);
  const Answer leaf =
      asked(question("integrals"),
            read_model(text + "[simulation]\ninitial = { x = 3, y = 4, \"x'\" = 0, \"y'\" = 0 }\nuntil = 1\n",
                       "leaf.toml"),
            60);
  CHECK(leaf.outcome != Outcome::proved);
  const auto says = [](const Answer& a, const char* what) {
    return std::ranges::any_of(a.why,
                               [&](const std::string& s) { return s.find(what) != std::string::npos; });
  };
  CHECK(says(family, "a parameter of the family of their leaves"));
  CHECK(says(leaf, "the leaf through the initial state"));
}

TEST_CASE("isometries of the ambient space say nothing about those of N: a bead on an ellipse") {
  const System system = read_model(R"model(
title = "Bead on an ellipse"
lagrangian = "1/2*(x'^2 + y'^2)"
[space]
x = "R"
y = "R"
[constraints]
curve = "x^2/4 + y^2 = 1"
)model",
                                   "bead.toml");
  // The translation along the arc is one, with coefficients that the search does not try.
  CHECK(outcome(system, "symmetries") != Outcome::refuted);
  CHECK(symmetry_conjecture(
            system, field_of_conjecture(system, "x = -4*y/sqrt(x^2 + 16*y^2), y = x/sqrt(x^2 + 16*y^2)"))
            .outcome == Outcome::proved);
}

TEST_CASE("moving constraints with a fast frequency have points modulo p") {
  const Expr x = coordinate("x"), y = coordinate("y"), t = Symbol::make("t", {.role = Role::time});
  const auto variety = variety_of({x * x + pow(y - cos(80 * t), 2) - 1});
  REQUIRE(variety);
  CHECK(variety->has_points());
}
