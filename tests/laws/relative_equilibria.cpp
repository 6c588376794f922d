/// Relative equilibria: solved in closed form, fixed points in the frame that moves with the group, with the right small motions.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/steady/equation_solutions.hpp>
#include <rattleback/proof/steady/relative_equilibria.hpp>
#include <rattleback/proof/steady/spectral_stability.hpp>

using namespace rattleback;

namespace {

Answer equilibria(const System& system) { return asked(question("equilibria"), system, 60); }

const Data* family_with(const Answer& a, const std::string& point) {
  for (const Data& f : *a.answer.find("families")->list()) {
    if (*f.find("point")->text() == point) return &f;
  }
  return nullptr;
}

bool is_complete(const Answer& a) { return *a.answer.find("complete")->get_if<bool>(); }

System one_degree(const std::string& lagrangian, const std::string& force) {
  return read_model("title = \"t\"\nlagrangian = \"" + lagrangian +
                        "\"\n[space]\nx = \"R\"\n[forces]\nx = \"" + force + "\"\n",
                    "t.toml");
}

}  // namespace

TEST_CASE("algebraic equations fall into cases, each solved by linear and quadratic steps") {
  const Expr x = Symbol::make("x"), y = Symbol::make("y"), a = Symbol::make("a"), q = Symbol::make("q");
  struct Row {
    std::vector<Expr> equations, unknowns;
    std::size_t components;
  };
  for (const Row& row :
       {Row{{x * (y - 1), y * (x - 2)}, {x, y}, 2}, Row{{x * x - a * a}, {x}, 2}, Row{{x * y}, {x, y}, 2},
        Row{{x * x + y * y - 1, x - y}, {x, y}, 2}, Row{{x * x + 1}, {x}, 0},
        // A bead on a hoop: on the axis, or where cos q = a/x², for x > √a and on both sides.
        Row{{sin(q) * (x * x * cos(q) - a)}, {x, cos(q), sin(q)}, 4},
        // A pendulum that a torque holds aside, measured from a slope: on both sides of it.
        Row{{a * sin(q) + x * cos(q) - y}, {cos(q), sin(q)}, 2}}) {
    const EquationSolutions solved = equation_solutions(row.equations, row.unknowns);
    CHECK(solved.complete);
    CHECK(solved.components.size() == row.components);
    for (const EquationSolution& s : solved.components) {
      for (const Expr e : row.equations) {
        CHECK(vanishes_at_random_points(s.at(e)));
        CHECK(!vanishes_at_random_points(s.at(e) + 1));  // a mutant
      }
      const Expr c = s.at(cos(q)), t = s.at(sin(q));
      CHECK(vanishes_at_random_points(c * c + t * t - 1));
    }
  }
  CHECK(!equation_solutions({x * x * x - a}, std::vector<Expr>{x}).complete);  // a cubic is left alone
  // Nor is anything said about unknowns within a root: y = -1/√(1 + x²) has solutions beside x = 0.
  CHECK(!equation_solutions({x * (1 + y * sqrt(1 + x * x))}, std::vector<Expr>{x}).complete);
}

TEST_CASE("a torque holds a pendulum aside on a slope, and a skate rests wherever its blade is level") {
  const Answer pendulum = equilibria(read_model(R"toml(title = "t"
lagrangian = "1/2*a'^2 + 1/2*b'^2 + k*cos(a + be) + f*b"
rayleigh = "1/2*c*(a' - b')^2"
[space]
b = "R"
a = "S1"
[parameters]
k = 2
f = 1
c = 1
be = "1/20"
)toml",
                                                "t.toml"));
  CHECK(pendulum.outcome == Outcome::proved);
  CHECK(pendulum.answer.find("families")->list()->size() == 2);
  // On z = x y it rests at every point, across the slope: a family that the roots of the metric hide.
  CHECK_FALSE(is_complete(equilibria(read_model(R"toml(title = "t"
lagrangian = "1/2*(x'^2 + y'^2 + (y*x' + x*y')^2) + 1/2*al'^2 - g*x*y"
[space]
x = "R"
y = "R"
al = "S1"
[parameters]
g = 1
[constraints]
blade = "x'*(1 + y^2)*sin(al) + x*y*y'*sin(al) = sqrt(1 + x^2 + y^2)*y'*cos(al)"
)toml",
                                                "t.toml"))));
}

TEST_CASE("what a parameter of value 0 leaves out is told apart from parameters in general position") {
  const Answer a = equilibria(read_model(R"toml(title = "t"
lagrangian = "1/2*(x'^2 + y'^2) + 1/2*J*th'^2 - 1/2*k*(x^2 + y^2) - q*th"
[space]
x = "R"
y = "R"
th = "R"
[parameters]
J = 2
k = -1
q = 0
[constraints]
blade = "x'*sin(th) = y'*cos(th)"
)toml",
                                         "t.toml"));
  CHECK(a.outcome == Outcome::refuted);
  REQUIRE(a.unless.size() == 1);
  CHECK(a.why.back().find("where q = 0") == 0);
}

TEST_CASE("a body that an affine constraint moves is not called at rest") {
  const auto points = [](const std::string& drift) {
    const Answer a = equilibria(read_model(R"toml(title = "t"
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - 1/2*k*(x^2 + y^2)"
[space]
x = "R"
y = "R"
z = "R"
[parameters]
k = 1
W = "1/2"
[constraints]
c = "z' = W*(x*y' - y*x') + )toml" + drift + "\"\n",
                                           "t.toml"));
    return *a.answer.find("families")->list()->front().find("point")->text();
  };
  CHECK(points("0*W").find("at rest") == 0);
  CHECK(points("W").find("at rest") == std::string::npos);
}

TEST_CASE("a coordinate that stands within a root only is free") {
  const Answer a = equilibria(read_model(R"toml(title = "t"
lagrangian = "1/2*(x'^2 + y'^2) + 1/2*J*th'^2 + k/sqrt(x^2 + y^2)"
[space]
x = "R"
y = "R"
th = "S1"
[parameters]
J = 2
k = 1
[constraints]
blade = "x'*sin(th) = y'*cos(th)"
)toml",
                                         "t.toml"));
  CHECK(a.outcome == Outcome::undecided);  // and so the list is not complete
  CHECK_FALSE(is_complete(a));
}

TEST_CASE("a ball in a bowl rolls round it at every height, or spins at the bottom (O.10)") {
  const System bowl = load_model("ball-in-bowl");
  const SolvedVelocities v = solved_velocities(bowl);
  const SteadyMotions found = relative_equilibria(bowl, v);
  CHECK(found.complete);
  int circles = 0, bottom = 0;
  for (const SteadyFamily& f : found.families) {
    const auto at = [&](const std::string& e) { return substitute(parse(e, bowl.scope), f.point.values); };
    if (at("x^2 + y^2").is_zero()) {
      ++bottom;
      continue;
    }
    ++circles;
    CHECK(f.free.size() == 2);
    // (I + m r²) w² − r I k s w = m r² g k for the rate w = vx/y, from the balance of torques about the contact.
    const std::string law = "(I + m*r^2)*(vx/y)^2 - r*I*k*spin*(vx/y) - m*r^2*g*k";
    CHECK(vanishes_at_random_points(at(law)));
    CHECK(!vanishes_at_random_points(at(law + " + m")));  // a mutant
    // det(λ − A) = λ² (λ² + a) of the motion seen from axes that turn with the ball, by SymPy (O.11).
    const SpectralStability spectrum = spectral_stability(state_matrix(f.small));
    REQUIRE(spectrum.coefficients.size() == 3);
    CHECK(spectrum.zeros == 2);
    SymbolMap values;
    for (const auto& [name, value] : std::vector<std::pair<std::string, Rational>>{{"m", 2},
                                                                                   {"r", Rational(1, 3)},
                                                                                   {"k", Rational(3, 2)},
                                                                                   {"g", 5},
                                                                                   {"I", Rational(1, 7)},
                                                                                   {"y", Rational(5, 4)},
                                                                                   {"vx", Rational(2, 3)}})
      values.emplace(parse(name, bowl.scope).symbol(), Expr(value));
    CHECK(evaluate(substitute(spectrum.coefficients[0], values), {}) ==
          doctest::Approx(57605934976.0 / 9941087025.0).epsilon(1e-12));
  }
  CHECK(circles == 1);
  CHECK(bottom == 1);
}

TEST_CASE("the small motions (O.11) are those of the coordinates that stand still (O.2)") {
  // Where a model's own coordinates do, both ways give the same polynomial, up to zeros.
  for (const std::string name : {"chaplygin-sleigh", "falling-disk", "cart-pendulum"}) {
    const System system = load_model(name);
    CAPTURE(name);
    const SolvedVelocities v = solved_velocities(system);
    const SteadyMotions all = relative_equilibria(system, v);
    int compared = 0;
    for (const SteadyFamily& f : all.families) {
      try {
        const SpectralStability one = spectral_stability(state_matrix(f.small)),
                                two = spectral_stability(state_matrix(linearisation(system, v, f.point)));
        REQUIRE(one.coefficients.size() == two.coefficients.size());
        for (std::size_t k = 0; k < one.coefficients.size(); ++k)
          CHECK(vanishes_at_random_points(one.coefficients[k] - two.coefficients[k]));
        ++compared;
      } catch (const Error&) {
        continue;
      }
    }
    CHECK(compared > 0);
  }
}

TEST_CASE("Neumann's system rests at the ends of its axes") {
  const Answer a = equilibria(load_model("neumann"));
  const Data* end = family_with(a, "at rest, q1 = 1, q2 = 0, q3 = 0");
  REQUIRE(end != nullptr);
  CHECK(*end->find("conditions")->list()->at(0).text() == "a3 - a1 > 0");
  CHECK(is_complete(a));  // where q1 = 0 other speeds take over
  CHECK(a.answer.find("families")->list()->size() == 6);
}

TEST_CASE("balls: on a turntable a circle about no centre, on a plane every motion is steady") {
  const Answer table = equilibria(load_model("ball-on-turntable"));
  CHECK(table.outcome == Outcome::proved);
  CHECK(is_complete(table));
  REQUIRE(family_with(table, "vx = 0, vy = m*r^2*ga/(I*rate), spin free") != nullptr);
  const Answer plane = equilibria(load_model("homogeneous-ball"));
  const Data* all = family_with(plane, "vx, vy, spin free");
  REQUIRE(all != nullptr);
  CHECK(*all->find("kind")->text() == "stable: every state near it is steady");
}

TEST_CASE(
    "speeds within functions are unknown by their cosines: a particle of constant speed falls steadily") {
  const Answer a = equilibria(load_model("constant-speed-particle"));
  CHECK(a.outcome == Outcome::proved);
  CHECK(is_complete(a));
  REQUIRE(family_with(a, "alpha = -pi/2") != nullptr);
  CHECK(*family_with(a, "alpha = -pi/2")->find("kind")->text() == "asymptotically stable");
  REQUIRE(family_with(a, "alpha = pi/2") != nullptr);
  CHECK(*family_with(a, "alpha = pi/2")->find("stable")->get_if<bool>() == false);
}

TEST_CASE("no steady motion is an answer: a particle in a uniform field") {
  const Answer a = equilibria(one_degree("x'^2/2 - x", "0"));
  CHECK(a.outcome == Outcome::refuted);
  CHECK(is_complete(a));
}
