/// Densities and multipliers are smooth and positive, or say where they are not; functions on circles come back after a turn.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

System leaf() {
  return read_model(R"toml(title = "t"
lagrangian = "1/2*(x'^2 + y'^2 + (z' - z*x*y')^2)"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c = "z' = z*x*y'"
)toml",
                    "t.toml");
}

System free_motion(const std::string& space, const std::string& lagrangian) {
  return read_model("title = \"t\"\nlagrangian = \"" + lagrangian + "\"\n[space]\n" + space, "t.toml");
}

bool says(const Answer& a, const std::string& words) {
  return std::any_of(a.why.begin(), a.why.end(),
                     [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

bool warns(const System& system, const std::string& slug) {
  const Triage found = triage(system);
  return std::any_of(found.warnings.begin(), found.warnings.end(),
                     [&](const Error& e) { return e.slug == slug; });
}

}  // namespace

TEST_CASE("signs, zeros and poles of a function") {
  const System line = free_motion("x = \"R\"\n", "x'^2/2");
  const auto of = [&](const char* f) { return positivity(line, parse(f, line.scope)); };
  CHECK(of("1 + x^2").zeros.empty());
  CHECK(!of("1 + x^2").negative);
  CHECK(of("x").changes_sign());
  CHECK(of("-1 - x^2").negative);
  CHECK(!of("-1 - x^2").positive);
  CHECK(of("x^2").zeros.size() == 1);
  CHECK(of("1/(x - 1)^2").zeros.size() == 1);
  CHECK(of("exp(x)").zeros.empty());
  CHECK(!of("log(-1 - x^2)").is_real());
}

TEST_CASE("a density that a leaf makes singular is none: z' = z*x*y'") {
  const System system = leaf();
  const Answer measure = asked(question("invariant-measure"), system, 60);
  CHECK(measure.outcome != Outcome::proved);
  CHECK(says(measure, "z != 0"));
  const Answer reach = asked(question("integrability"), system, 60);
  CHECK(!says(reach, "any two configurations can be joined"));
  CHECK(says(reach, "off z = 0"));
}

TEST_CASE("claims of densities: negative ones are refuted, zeros and poles are named") {
  const System line = free_motion("x = \"R\"\n", "x'^2/2");
  const auto claim = [&](const char* f) { return measure_conjecture(line, parse(f, line.scope)); };
  CHECK(claim("1").outcome == Outcome::proved);
  CHECK(claim("1 + x'^2").outcome == Outcome::proved);
  CHECK(claim("-1").outcome == Outcome::refuted);
  CHECK(claim("x'").outcome == Outcome::refuted);
  CHECK(says(claim("x'^2"), "only where x' != 0"));
}

TEST_CASE("circles are circles") {
  const std::string cylinder = "x = \"R\"\ntheta = \"S1\"\n", plane = "x = \"R\"\ntheta = \"R\"\n";
  const char* energy = "1/2*(x'^2 + theta'^2)";
  const System circle = free_motion(cylinder, energy), lines = free_motion(plane, energy);
  CHECK(symmetry_conjecture(lines, field_of_conjecture(lines, "x = -theta, theta = x")).outcome ==
        Outcome::proved);
  CHECK(symmetry_conjecture(circle, field_of_conjecture(circle, "x = -theta, theta = x")).outcome ==
        Outcome::refuted);
  CHECK(symmetry_conjecture(circle, field_of_conjecture(circle, "theta = 1")).outcome == Outcome::proved);
  CHECK(warns(free_motion(cylinder, "1/2*(x'^2 + theta'^2) - 3*theta"), "not-periodic"));
  CHECK(warns(free_motion(cylinder, "1/2*(x'^2 + theta'^2) - theta^2"), "not-periodic"));
  CHECK(!warns(free_motion(cylinder, "1/2*(x'^2 + theta'^2) - cos(theta)"), "not-periodic"));
  CHECK(!warns(free_motion(plane, "1/2*(x'^2 + theta'^2) - theta^2"), "not-periodic"));
}
