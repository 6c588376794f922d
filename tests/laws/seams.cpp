// Small systems at the seams where statements were once too strong: poles of chosen formulas, roots of velocities, ranks that drop, tails
// without a zero, products of constraints, symmetries of position constraints, steady motions of other parameters and of other groups.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>

using namespace rattleback;

namespace {

constexpr double seconds = 20;

struct Sketch {
  std::string lagrangian, space, constraints, further = "";

  System system() const {
    std::string text = "lagrangian = \"" + lagrangian + "\"\n[space]\n";
    for (const char q : space) text += fmt::format("{} = \"{}\"\n", q, q == 'a' ? "S1" : "R");  // a: an angle
    if (!constraints.empty()) text += "[constraints]\nc = \"" + constraints + "\"\n";
    return read_model(text + further, "seam");
  }
};

Answer ask(const Sketch& s, const char* name) { return asked(question(name), s.system(), seconds); }

std::vector<std::string> where(const Answer& a) { return domain_in(a.answer).where; }

bool says(const Answer& a, const std::string& part) {
  return std::any_of(a.why.begin(), a.why.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

using Conditions = std::vector<std::string>;

/// Where a claim holds that is proved; {"refuted"} and the like where it is not.
Conditions proved_where(const Sketch& s, const char* kind, const char* claim) {
  const Answer a = stated_conjecture(s.system(), kind, claim, "seam");
  return a.outcome == Outcome::proved ? where(a) : Conditions{text(a.outcome)};
}

const std::string plane = "1/2*(x'^2 + y'^2)", space = "1/2*(x'^2 + y'^2 + z'^2)";

}  // namespace

TEST_CASE("roots of velocities limit the domain") {
  const Answer a = ask({"-sqrt(1 - x'^2 - y'^2)", "xy", ""}, "energy");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a) == Conditions{"1 - x'^2 - y'^2 > 0"});
  CHECK(where(ask({plane, "xy", ""}, "energy")).empty());
}

TEST_CASE("where the kinetic energy degenerates is printed as a condition") {
  CHECK(where(ask({"1/2*x*x'^2", "x", ""}, "energy")) == Conditions{"x != 0"});
  const Answer a = ask({"1/2*(x' + y')^2 + 1/2*z'^2", "xyz", "y' = z*x'"}, "regularity");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a) == Conditions{"1 + z != 0"});
}

TEST_CASE("where the rank of the constraints drops nothing is said of motions or of leaves") {
  CHECK(where(ask({space, "xyz", "x*z' = x*y*x'"}, "energy")) == Conditions{"x != 0"});
  CHECK(where(ask({space, "xyz", "x*z' = y*x'"}, "integrability")).size() == 1);
  CHECK(where(ask({space, "xyz", "x*x' + y*y' + z*z' = 0"}, "integrability")).size() == 1);
  CHECK(where(ask({space, "xyz", "z' = y*x'"}, "integrability")).empty());
}

TEST_CASE("a root that was taken to solve for a velocity is no condition of the statement") {
  CHECK(where(ask({plane, "xy", "x'^2 + y'^2 = 1"}, "energy")).empty());
  CHECK(where(ask({plane, "xy", "x'*y' = 1"}, "energy")).empty());
}

TEST_CASE("reactions that may work are not said to do none") {
  CHECK(says(ask({plane, "xy", "x'^2 + y'^2 = 1"}, "energy"), "adds up to 0"));
  CHECK(says(ask({space + " - z", "xyz", "x'^2 + y'^2 = z'^2"}, "energy"), "reactions do no work"));
  CHECK(ask({plane + " - y", "xy", "x'^2 + y'^2 = 1"}, "energy").outcome == Outcome::refuted);
}

TEST_CASE("an integral has no pole that its reciprocal has not") {
  const Answer a = ask({"1/2*(x'^2 + z'^2)", "xz", "z' = z*x'"}, "integrability");
  CHECK(a.outcome == Outcome::proved);
  CHECK(says(a, "z*exp(-x) is constant"));
}

TEST_CASE("a density is printed with the sign that makes it positive") {
  const Answer a = ask({"1/2*x*x'^2", "x", ""}, "invariant-measure");
  CHECK(says(a, "abs(x) dx dx' is invariant"));
}

TEST_CASE("tails that tend to 0 are no equilibria") {
  const Answer none = ask({"1/2*x'^2 - exp(x)", "x", ""}, "equilibria");
  CHECK(none.outcome != Outcome::proved);
  CHECK_FALSE(says(none, "Newton"));
  CHECK(ask({"1/2*x'^2 - exp(-x^2)", "x", ""}, "equilibria").outcome == Outcome::proved);
  CHECK(ask({"1/2*x'^2 - x^4", "x", ""}, "equilibria").outcome == Outcome::proved);
}

TEST_CASE("what is unstable for all parameters is not compared with the model's values") {
  const Answer a = ask({"1/2*x'^2 + x^2", "x", ""}, "equilibria");
  CHECK(says(a, "unstable"));
  CHECK_FALSE(says(a, "the model's values"));
  CHECK_FALSE(says(a, "general position"));
}

TEST_CASE("a product of velocity constraints states several systems") {
  const auto problem = [](const std::string& constraint) {
    const Triage found = triage(Sketch{plane + " - x^2", "xy", constraint}.system());
    return found.problems.empty() ? std::string() : found.problems.front().slug;
  };
  CHECK(problem("(x' - 1)*(y' - 1) = 0") == "singular-constraint");
  CHECK(problem("x'^2 - 3*x' + 2 = 0") == "singular-constraint");
  CHECK(problem("x'^2 + y'^2 = 1").empty());
  CHECK(problem("x'*y' = 1").empty());
}

TEST_CASE("a potential on a curve or a surface may leave no symmetry") {
  const auto outcome = [](const Sketch& s) { return ask(s, "symmetries").outcome; };
  CHECK(outcome({plane + " - x", "xy", "x^2 + y^2 = 1"}) == Outcome::refuted);
  CHECK(outcome({plane, "xy", "x^2 + y^2 = 1"}) == Outcome::proved);
  CHECK(outcome({space + " - x - 2*y^2 - 3*z^3", "xyz", "x^2 + y^2 + z^2 = 1"}) == Outcome::refuted);
  CHECK(outcome({space + " - z", "xyz", "x^2 + y^2 + z^2 = 1"}) == Outcome::proved);
  CHECK(outcome({plane + " - y", "xy", "x*y = 0"}) != Outcome::refuted);  // free along one of the lines
}

TEST_CASE("formulas of constraints have a domain, on Q and on D") {
  const auto both = [](const std::string& constraint) {
    const Sketch s{space, "xyz", constraint};
    CHECK(where(ask(s, "integrability")) == where(ask(s, "energy")));
    return where(ask(s, "symmetries"));
  };
  CHECK(both("z' = sqrt(x)*y'") == Conditions{"x > 0"});
  CHECK(both("z' = log(x)*y'") == Conditions{"x > 0"});
  CHECK(both("z' = y'/x") == Conditions{"x != 0"});
  CHECK(both("z' = tan(x)*y'") == Conditions{"cos(x) != 0"});
  CHECK(both("z' = y*x'").empty());
  CHECK(both("y*z*x' + x*z*y' + x*y*z' = 0").empty());
  CHECK(where(ask({space, "xyz", "y*z*x' + x*z*y' + x*y*z' = 0"}, "energy")) ==
        Conditions{"not (y*z = 0 and x*z = 0 and x*y = 0)"});
}

TEST_CASE("configurations are joined within connected parts of the domain alone") {
  CHECK(says(ask({space, "xyz", "z' = y'/x"}, "integrability"), "in one connected part of it"));
  CHECK(says(ask({space, "xyz", "z' = y*x'"}, "integrability"), "any two configurations can be joined"));
}

TEST_CASE("corners and poles of a potential limit the domain") {
  const auto of = [](const std::string& potential) {
    return where(ask({plane + " - " + potential, "xy", ""}, "energy"));
  };
  CHECK(of("abs(x)") == Conditions{"x != 0"});
  CHECK(of("sqrt(x^2 + y^2)") == Conditions{"x^2 + y^2 != 0"});
  CHECK(of("tan(x)") == Conditions{"cos(x) != 0"});
  CHECK(of("asin(x)") == Conditions{"1 - x^2 > 0"});
  CHECK(of("sqrt(1 + x^2)").empty());
  CHECK(where(ask({"1/2*(x'^2 + y'^2)/y^2", "xy", ""}, "symmetries")) == Conditions{"y != 0"});
}

TEST_CASE("the rank of constraints drops where a common factor of an angle vanishes") {
  const Sketch blade{"1/2*(x'^2 + y'^2 + a'^2)", "xya", "sin(2*a)*x' = sin(a)*y'"};
  CHECK(where(ask(blade, "energy")) == Conditions{"sin(a) != 0"});
  CHECK(where(ask(blade, "integrability")) == Conditions{"sin(a) != 0"});
  CHECK_FALSE(
      says(ask(blade, "integrability"), "growth vector (2, 2, 3)"));  // there is no constraint at a = 0
}

TEST_CASE("one excluded set is printed once") {
  CHECK(where(ask({plane, "xy", "x*y' = y*x'"}, "invariant-measure")).size() == 1);
  CHECK(where(ask({plane, "xy", "x^4 = x^2 - y^2"}, "invariant-measure")).size() == 1);
  CHECK(where(ask({plane + " - y", "xy", "y^2 = x^3"}, "invariant-measure")) ==
        Conditions{"not (x = 0 and y = 0)"});
}

TEST_CASE("integrals are constant where they are defined") {
  CHECK(says(ask({space, "xyz", "x*y' = y*x'"}, "integrability"), "x/y is constant where y != 0"));
  CHECK(
      says(ask({space, "xyz", "x*y' = y*x' + (x^2 + y^2)*z'"}, "integrability"), "is constant where y != 0"));
  CHECK(says(ask({plane, "xy", "x*y' + 2*y*x' = 0"}, "integrability"), "x^2*y is constant"));
  CHECK_FALSE(says(ask({plane, "xy", "x*y' + 2*y*x' = 0"}, "integrability"), "constant where"));
}

TEST_CASE("a claim holds where its functions are defined") {
  const Sketch free{plane, "xy", ""}, radial{plane, "xy", "x*y' = y*x'"},
      half{"1/2*(x'^2/x + y'^2)", "xy", ""};
  CHECK(proved_where(free, "conserved", "y - x*y'/x'") == Conditions{"x' != 0"});
  CHECK(proved_where(free, "conserved", "sqrt(x'*y')") == Conditions{"x'*y' > 0"});
  CHECK(proved_where(free, "conserved", "x'*y'").empty());
  CHECK(proved_where(free, "symmetry", "x = y, y = -x").empty());
  CHECK(proved_where(half, "symmetry", "x = sqrt(x)") == Conditions{"x > 0"});
  CHECK(proved_where(radial, "integral-of", "x/y") == Conditions{"y != 0", "not (y = 0 and x = 0)"});
  CHECK(proved_where(radial, "integral-of", "x*y") == Conditions{"refuted"});
  CHECK(proved_where(free, "lagrangian", "x'*y'").empty());
  CHECK(proved_where(free, "lagrangian", "x'^2*y'^2") == Conditions{"y' != 0", "x' != 0"});
  CHECK(proved_where(free, "lagrangian", "sqrt(x'^2 + y'^2)") == Conditions{"x'^2 + y'^2 != 0"});
}

TEST_CASE("steady states of other parameters are named where a list is called complete") {
  const std::string b = "[parameters]\nb = 1\n";
  const Answer quartic = ask({"1/2*x'^2 - x^4/4 - b*x^2/2", "x", "", b}, "equilibria");
  CHECK(quartic.outcome == Outcome::proved);
  CHECK(says(quartic, "x = sqrt(-b), where -b > 0: not at the model's values"));
  const Answer cubic = ask({"1/2*x'^2 - x^3/3 - b*x", "x", "", b}, "equilibria");
  CHECK(cubic.outcome == Outcome::undecided);
  CHECK(says(cubic, "x = sqrt(-b), where -b > 0"));
  CHECK(ask({"1/2*x'^2 - x^3/3 - x", "x", ""}, "equilibria").outcome == Outcome::refuted);
  const std::string positive = "[parameters]\nb = { value = 1, positive = true }\n";
  CHECK(ask({"1/2*x'^2 - x^3/3 - b*x", "x", "", positive}, "equilibria").outcome == Outcome::refuted);
}

TEST_CASE("what is steady under a part of the symmetries is not called all") {
  const std::string field = "[forces]\nx = \"y'\"\ny = \"-x'\"\n";
  CHECK(says(ask({plane, "xy", "", field}, "equilibria"),
             "steady under R^2"));  // circles are, under turns about their centres
  CHECK(says(ask({plane + " + x*y'", "xy", ""}, "equilibria"), "steady under R"));
  CHECK(says(ask({plane + " - x^2 - y^2", "xy", ""}, "equilibria"),
             "every relative equilibrium is among these"));
}

TEST_CASE("a magnetic field has the same symmetries and momenta in every gauge") {
  const std::string gauge = " + x*y*x' + x^2*y'/2";  // d/dt (x^2*y/2)
  for (const std::string& field : {plane + " + x*y'", plane + " + x*y'" + gauge}) {
    const Answer all = ask({field, "xy", ""}, "symmetries");
    CHECK(all.outcome == Outcome::proved);
    CHECK(says(all, "3 generators, the algebra se(2)"));
    const Answer kept = ask({field, "xy", ""}, "momenta");
    CHECK(kept.outcome == Outcome::proved);
    CHECK(says(kept, "x' - y is conserved"));
    CHECK(says(kept, "y' + x is conserved"));
    CHECK(says(kept, "x*y' - y*x' + x^2/2 + y^2/2 is conserved"));
    CHECK(proved_where({field, "xy", ""}, "symmetry", "x = 1").empty());
    CHECK(proved_where({field, "xy", ""}, "symmetry", "x = x") == Conditions{"refuted"});
    CHECK(ask({field + " - x - 2*y^2 - 3*y^3", "xy", ""}, "symmetries").outcome == Outcome::refuted);
    CHECK(ask({field + " - x - 2*y^2 - 3*y^3", "xy", ""}, "momenta").outcome == Outcome::refuted);
  }
  CHECK(ask({plane + " - x - 2*y^2 - 3*y^3", "xy", ""}, "symmetries").outcome == Outcome::refuted);
}

TEST_CASE("a momentum that changes with every turn of an angle is no function of the state") {
  const Sketch circle{"1/2*(x'^2 + a'^2) + x*a'", "xa", ""}, line{"1/2*(x'^2 + y'^2) + x*y'", "xy", ""};
  CHECK_FALSE(says(ask(circle, "momenta"), "x' - a is conserved"));
  CHECK(says(ask(circle, "momenta"), "a' + x is conserved"));
  CHECK(says(ask(line, "momenta"), "x' - y is conserved"));
}

TEST_CASE("factors that never vanish state nothing") {
  const auto equation = [](const std::string& constraint) {
    return text(Sketch{space, "xyz", constraint}.system().constraints.front().expression);
  };
  const std::string plain = equation("z' = x*y'");
  const auto is_plain = [&](const std::string& e) { return e == plain || e == equation("x*y' - z' = 0"); };
  CHECK(is_plain(equation("(2 + x'^2)*(z' - x*y') = 0")));
  CHECK(is_plain(equation("exp(x*y')*(z' - x*y')/(1 + y'^2) = 0")));
  CHECK(is_plain(equation("(z' - x*y')^3 = 0")));
  CHECK_FALSE(is_plain(equation("x'*(z' - x*y') = 0")));
  CHECK_FALSE(is_plain(equation("(x'^2 - 2)*(z' - x*y') = 0")));
  CHECK_FALSE(is_plain(equation("(z' - x*y')/x' = 0")));  // nowhere at rest
}

TEST_CASE(
    "position constraints whose slopes do not determine their set are refused, and odd powers are their "
    "base") {
  const auto problem = [](const std::string& space_of, const std::string& first, const std::string& second) {
    const Sketch s{space_of.size() == 2 ? plane : space, space_of, first,
                   second.empty() ? "" : "d = \"" + second + "\"\n"};
    const Triage found = triage(s.system());
    return found.problems.empty() ? std::string() : found.problems.front().slug;
  };
  CHECK(problem("xy", "y = 0", "y = x^2") == "singular-constraint");
  CHECK(problem("xyz", "x^2 + y^2 + z^2 = 1", "z = 1") == "singular-constraint");
  CHECK(problem("xyz", "z = x^2", "z = -y^2") == "singular-constraint");
  CHECK(problem("xy", "sqrt(1 + (y - x)^2) = 1", "") == "singular-constraint");
  CHECK(problem("xy", "sin(y - x) = y - x", "") == "singular-constraint");
  CHECK(problem("xyz", "x^2 + y^2 = 1", "x^2 + z^2 = 1").empty());
  CHECK(problem("xyz", "x^2 + y^2 = z^2", "").empty());
  CHECK(problem("xyz", "x^2 = y^2*z", "").empty());
  CHECK(problem("xyz", "x = 0", "x*y = 0").empty());
  // Slopes that vanish on N are harmless where the other constraints determine N, and only there.
  const std::string straight = "cos(x)*cos(y) = 1";  // two universal joints in line
  CHECK(problem("xyz", straight, "") == "singular-constraint");
  CHECK(problem("xyz", straight, "sin(x) = 0") == "singular-constraint");
  CHECK(problem("xyz", straight, "sin(x) = 0\"\ne = \"cos(x)*sin(y) = 0").empty());
  CHECK(problem("xyz", "x^2 + y^2 = 0", "x = 0\"\ne = \"y = 0").empty());
  CHECK(problem("xyz", "x^2 + y^2 = 0", "2*x^2 + 2*y^2 = 0") == "singular-constraint");
  const Sketch cube{plane + " - y", "xy", "(1 + x^2)*(y - x^2)^3 = 0"};
  CHECK(triage(cube.system()).problems.empty());
  CHECK(triage(cube.system()).rank == 1);
  CHECK(ask(cube, "symmetries").outcome == Outcome::refuted);  // free motion has some
}

TEST_CASE("symmetries on N that no polynomial ansatz finds are counted") {
  CHECK(ask({plane, "xy", "x^2/4 + y^2 = 1"}, "equilibria").outcome == Outcome::undecided);
  CHECK(ask({"1/2*(4*sin(a)^2 + cos(a)^2)*a'^2", "a", ""}, "equilibria").outcome == Outcome::proved);
  CHECK(ask({plane + " - y", "xy", "y = x^2"}, "equilibria").outcome == Outcome::proved);
  CHECK(ask({space, "xyz", "x^2 + y^2/4 + z^2/9 = 1"}, "symmetries").outcome == Outcome::refuted);
  CHECK(ask({space, "xyz", "x^2 + y^2 + z^2/9 = 1"}, "symmetries").outcome == Outcome::proved);
  CHECK(ask({plane, "xy", "x^2/4 + y^2 = 1"}, "symmetries").outcome ==
        Outcome::proved);  // the unit tangent (N.18)
}

TEST_CASE("Casimirs are functions over N, with their poles and turns") {
  CHECK(says(ask({plane, "xy", "y = x^2"}, "jacobi"), "rank 2, no Casimirs"));
  CHECK(says(ask({space, "xyz", "z = 0"}, "jacobi"), "rank 4, no Casimirs"));
  CHECK(says(ask({plane, "xy", "x' = x^2*y'"}, "jacobi"), "1 Casimir: 1/x + y where x != 0"));
  CHECK(says(ask({"1/2*(x'^2 + a'^2)", "xa", "x' = a'"}, "jacobi"), "on the cover"));
  CHECK(says(ask({plane, "xy", "x' = y'"}, "jacobi"), "1 Casimir: x - y"));
  const Sketch floor{space, "xyz", "z' = y*x'", "d = \"z = 0\"\n"};
  CHECK_FALSE(says(ask(floor, "jacobi"), "the shifts of x, z"));  // they move the floor
}

TEST_CASE("a density on D/G has no poles") {
  const Answer a = ask({plane, "xy", "x' = x^2*y'"}, "invariant-measure");
  CHECK_FALSE(says(a, "on D/G with R: proved"));
  CHECK(says(ask({plane, "xy", "x' = y'"}, "invariant-measure"), "on D/G with R^2: likewise proved"));
}

TEST_CASE("symmetries hold where the rank of the constraints does not drop") {
  CHECK(where(ask({space, "xyz", "x*z' = x*y*x'"}, "symmetries")) == Conditions{"x != 0"});
  CHECK(where(ask({space, "xyz", "z' = y*x'"}, "symmetries")).empty());
  CHECK(proved_where({space, "xyz", "x*z' = x*y*x'"}, "symmetry", "x = 1") == Conditions{"x != 0"});
}

TEST_CASE("gyroscopic terms add a function of the shape to a gauge momentum") {
  CHECK(says(ask({space + " + x*y'", "xyz", "z' = x*y'"}, "momenta"), "f^b J_b + f^0 over"));
  CHECK(says(ask({space, "xyz", "z' = x*y'"}, "momenta"), "f^b J_b over"));
  CHECK(proved_where({space + " + x*y'", "xyz", "z' = x*y'"}, "conserved",
                     "(y' + x^2*y' + x)/sqrt(1 + x^2)") == Conditions{"refuted"});
}

TEST_CASE("steady motions in a magnetic field are the same in every gauge") {
  for (const std::string gauge : {"", " + 2*x*y^3*x' + 3*x^2*y^2*y'"}) {
    const Answer a = ask({plane + " + x*y'" + gauge, "xy", ""}, "equilibria");
    CHECK(a.outcome == Outcome::proved);
    CHECK(says(a, "every motion that is steady under R^2 is among these"));
    CHECK_FALSE(says(a, "2*pi"));
  }
}

TEST_CASE("constants of a proof are in no locus") {
  const std::string parameters = "[parameters]\np = 2\nq = 1\n";
  const Answer a = ask({"1/2*(x'^2 + y'^2 + 10*a'^2) + (p - q)*(p + 2*q)*a'*(cos(a)*y' - sin(a)*x')", "xya",
                        "x'*sin(a) = y'*cos(a)", parameters},
                       "chaplygin-multiplier");
  CHECK(a.outcome == Outcome::refuted);
  CHECK(text(a.unless) == "p + 2*q = 0, or p = q");
}

TEST_CASE("a Lagrangian of a linear motion is found for letters as for numbers") {
  const std::string letters = "[parameters]\np = 1\nq = 2\n[forces]\nx = \"p*y\"\ny = \"q*x\"\n";
  const std::string numbers = "[forces]\nx = \"y\"\ny = \"2*x\"\n";
  CHECK(ask({plane, "xy", "", letters}, "inverse-problem").outcome == Outcome::proved);
  CHECK(ask({plane, "xy", "", numbers}, "inverse-problem").outcome == Outcome::proved);
}

TEST_CASE("momenta are refuted for all fields in D, symmetries or not, in all coordinates") {
  const auto outcome = [](const Sketch& s) { return ask(s, "momenta").outcome; };
  const std::string forced = "[forces]\nx = \"1 + y\"\n";
  const Sketch field{space + " - x^2 - x*(z - x*y) - (z - x*y)^2 - (z - x*y)^3", "xyz", "z' = x*y'"};
  CHECK(proved_where(field, "conserved", "(y' + x*z')/sqrt(1 + x^2)").empty());
  CHECK(outcome(field) != Outcome::refuted);
  CHECK(ask(field, "symmetries").outcome == Outcome::refuted);
  const Sketch balanced{plane + " - x - y^2 - y^3 - x*y", "xy", "", forced};
  CHECK(proved_where(balanced, "conserved", "x'").empty());
  CHECK(outcome(balanced) != Outcome::refuted);
  const Sketch falling{"1/2*((1 + 3*w^2)^2*w'^2 + y'^2 + z'^2) - z", "wyz", "z' = (w + w^3)*y'"};
  CHECK(proved_where(falling, "conserved", "(1 + 3*w^2)*w'").empty());  // x' of x = w + w^3
  CHECK(outcome(falling) != Outcome::refuted);
  const Sketch none{space + " - x^2 - 2*y^2 - 3*z^4 - x*y*z", "xyz", "z' = x*y'"};
  CHECK(outcome(none) == Outcome::refuted);
  CHECK(outcome({plane + " - x^2 - 2*y^4 - x*y", "xy", "", "[forces]\nx = \"-x'\"\n"}) == Outcome::refuted);
  CHECK(outcome({plane + " - x*y", "xy", "", "[forces]\nx = \"-x'\"\ny = \"-y'\"\n"}) == Outcome::refuted);
  CHECK(outcome({plane, "xy", "", "[forces]\nx = \"-x'\"\ny = \"-y'\"\n"}) != Outcome::refuted);  // x' + x
}

TEST_CASE("no density is said to exist along leaves on which brackets span less somewhere") {
  const std::string floor = "d = \"w = 0\"\n";
  const Sketch leaf{"1/2*(x'^2 + y'^2 + (z' - z*x*y')^2)", "xyz", "z' = z*x*y'"},
      pinned{"1/2*(x'^2 + y'^2 + (z' - z*x*y')^2 + w'^2)", "xyzw", "z' = z*x*y'", floor};
  CHECK(ask(leaf, "invariant-measure").outcome == Outcome::refuted);
  CHECK(ask(pinned, "invariant-measure").outcome != Outcome::proved);
  const Sketch flat{space + " + w'^2/2", "xyzw", "z' = x*y'", floor};
  CHECK(ask(flat, "invariant-measure").outcome == Outcome::proved);
}

TEST_CASE("poles at degenerate zeros are found in oblique coordinates") {
  const auto of = [](const std::string& potential, const std::string& constraint = "") {
    return where(ask({plane + " + 1/sqrt(" + potential + ")", "xy", constraint}, "energy"));
  };
  CHECK(of("y^2 + (x + 2*y)^2").size() == 1);
  CHECK(of("x^2 + 4*x*y + 5*y^2").size() == 1);
  CHECK(of("1 + x^2 + 4*x*y + 5*y^2").empty());
  CHECK(of("(x - y)^2 + (x^2 + y^2 - 2)^2").size() == 1);
  CHECK_FALSE(
      where(ask({space + " + 1/sqrt((x - z)^2 + 9*(x + z)^2)", "xyz", "x^2 + y^2 + z^2 = 1"}, "energy"))
          .empty());
}

TEST_CASE("steady motions under forces are the same in curved coordinates") {
  const std::string drag = "[forces]\nx = \"-x'\"\ny = \"-y'\"\n",
                    curved = "[forces]\nw = \"-(w' + 2*y*y')\"\ny = \"-2*y*(w' + 2*y*y') - y'\"\n";
  CHECK(ask({plane + " - y", "xy", "", drag}, "equilibria").outcome == Outcome::proved);
  CHECK(ask({"1/2*((w' + 2*y*y')^2 + y'^2) - y", "wy", "", curved}, "equilibria").outcome ==
        Outcome::undecided);  // it falls at a constant speed, along a shift that is none of w or y
}

TEST_CASE("a factor that never vanishes hides no symmetry of a curve") {
  for (const std::string factor : {"", "(1 + x^2)*"})
    CHECK(ask({plane, "xy", factor + "(x*y - 1) = 0"}, "equilibria").outcome == Outcome::undecided);
  for (const std::string lines : {"x^2 = 4*y^2", "(x + 2*y)^2 = 4*y^2"})
    CHECK(ask({plane, "xy", lines}, "equilibria").outcome == Outcome::undecided);
}

TEST_CASE("corners of constraints and forces limit the domain") {
  CHECK(where(ask({space, "xyz", "z' = abs(x)*y'"}, "energy")) == Conditions{"x != 0"});
  CHECK(where(ask({plane, "xy", "", "[forces]\nx = \"-abs(y)\"\n"}, "regularity")) == Conditions{"y != 0"});
}

TEST_CASE("densities on D/G depend neither on the equation of N nor on fields beside it") {
  const std::string four = "1/2*(x'^2 + y'^2 + z'^2 + w'^2)";
  for (const std::string factor : {"", "(1 + x^2)*"}) {
    const Sketch rod{four, "xyzw", factor + "((x - z)^2 + (y - w)^2 - 4) = 0",
                     "d = \"" + factor + "((x' + z')*(y - w) - (y' + w')*(x - z)) = 0\"\n"};
    const Answer a = ask(rod, "invariant-measure");
    CHECK(a.outcome == Outcome::proved);
    CHECK(says(a, "on D/G with se(2): likewise proved"));
  }
}

TEST_CASE("zeros and poles of a density that are those of the speeds are no limits of its domain") {
  const Sketch on_sphere{space + " - z", "xyz", "x^2 + y^2 + z^2 = 1"};
  const Answer a = ask(on_sphere, "invariant-measure");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a).empty());
  CHECK(says(a, "where the speeds degenerate the density does not"));
  // A density that vanishes where the motion is regular still does: no measure is smooth and positive there.
  const Answer vanishing =
      ask({"1/2*(x'^2 + y'^2 + (z' - z*x*y')^2)", "xyz", "z' = z*x*y'"}, "invariant-measure");
  CHECK(vanishing.outcome != Outcome::proved);
}

TEST_CASE("conditions on N are reduced by its equations") {
  const Sketch blade_on_cylinder{"1/2*(x'^2 + y'^2 + z'^2 + a'^2)", "xyza", "x^2 + y^2 = 4",
                                 "d = \"2*z'*cos(a) = (x*y' - y*x')*sin(a)\"\n"};
  const Answer a = ask(blade_on_cylinder, "invariant-measure");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a).empty());
  CHECK(says(a, "1 dx dy dz da"));
  const auto drop = triage(blade_on_cylinder.system()).rank_drop;
  REQUIRE(drop);
  CHECK(drop->loci.empty());
}

TEST_CASE("steady motions on a sphere are all found, whatever the speeds") {
  const std::string sphere = "x^2 + y^2 + z^2 = 1", pendulum = space + " - z";
  for (const std::string speeds : {"", "[velocities]\nu = \"x'\"\nv = \"y'\"\n"}) {
    const Answer a = ask({pendulum, "xyz", sphere, speeds}, "equilibria");
    CHECK(a.outcome == Outcome::proved);
    CHECK(where(a).empty());
    CHECK(says(a, "z = -1/turn1^2"));  // conical pendulums
    CHECK_FALSE(says(a, "Newton"));
  }
}

TEST_CASE("an answer carries no certificate that the checker rejects") {
  const Sketch quartic{"1/4*x'^4 + 1/2*y'^2", "xy", ""},
      invariant_on_positions{"1/2*(x'^2 + y'^2 + z'^2) + x*y'*z'", "xyz", "z = 1"};
  for (const Answer& a : {ask(quartic, "momenta"), ask(invariant_on_positions, "symmetries")}) {
    CHECK(a.outcome == Outcome::proved);
    if (a.certificate.is_null()) continue;
    for (const CheckedStep& step : check_certificate(a.certificate)) CHECK_FALSE(refuted(step.verdict));
  }
}

TEST_CASE("a reduction is about states at which the group moves out of D") {
  const Sketch leaf{"1/2*(x'^2 + y'^2 + (z' - z*x*y')^2)", "xyz", "z' = z*x*y'"};
  const Answer a = ask(leaf, "chaplygin-multiplier");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a) == Conditions{"z != 0", "x != 0"});  // where z = 0 the shifts of y lie in D
  const Answer j = ask(leaf, "jacobi");
  CHECK(says(j, "1/x times the reduced bracket is Poisson where x != 0"));
}

TEST_CASE("a reduced Hamiltonian is one where it has no pole") {
  const Answer a = ask({space, "xyz", "x*x' + y*y' = z'"}, "routh-hamiltonization");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a) == Conditions{"x^2 + y^2 != 0"});  // about the axis nothing turns
}

TEST_CASE("a Casimir of a function of momenta says where it is one") {
  const System spiral = read_model(
      "lagrangian = \"1/2*(w1^2 + 2*w2^2 + 3*w3^2)\"\n[algebra]\nbasis = [\"e1\", \"e2\", \"e3\"]\n"
      "velocities = [\"w1\", \"w2\", \"w3\"]\nbrackets = { \"e1,e3\" = \"e1 - e2\", \"e2,e3\" = \"e1 + e2\" "
      "}\n",
      "spiral");
  CHECK(says(asked(question("jacobi"), spiral, seconds), "where w2 != 0"));
}

TEST_CASE("letters have an answer where the values of the model have no motion") {
  const System massless = read_model(
      "lagrangian = \"x'^2/2 + a*x*y' + b*y'^2/2\"\nspace = { x = \"R\", y = \"R\" }\nparameters = { a = 1, "
      "b = 0 }\n",
      "massless");
  CHECK(asked(question("integrals"), massless, seconds).outcome == Outcome::proved);
  CHECK(asked(question("equilibria"), massless, seconds).outcome !=
        Outcome::refuted);  // every state of rest is one
}

TEST_CASE("a system without freedom is Hamiltonian in no way") {
  const Sketch fixed{plane, "xy", "x = 0", "d = \"y = 0\"\n"};
  for (const char* name :
       {"chaplygin-multiplier", "routh-hamiltonization", "inverse-problem", "optimal-control"})
    CHECK(ask(fixed, name).outcome == Outcome::inapplicable);
  CHECK(ask(fixed, "energy").outcome == Outcome::proved);
}

TEST_CASE("a density is one where it is real") {
  const Sketch indefinite{"1/2*(x'^2 - y'^2 + z'^2)", "xyz", "z' = x*y'"};
  const Answer a = ask(indefinite, "invariant-measure");
  CHECK(a.outcome == Outcome::proved);
  CHECK((says(a, "abs(") || where(a) == Conditions{"x^2 - 1 > 0"}));
  CHECK(proved_where(indefinite, "measure", "sqrt(x^2 - 1)") == Conditions{"x^2 - 1 > 0"});
  CHECK(proved_where(indefinite, "measure", "sqrt(abs(x^2 - 1))") == Conditions{"x^2 - 1 != 0"});
}
