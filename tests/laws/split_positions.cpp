// Position constraints whose set N falls into parts (w*(w - 1) = 0: two planes; a parallelogram linkage: parallel and crossed). What is
// proved holds on every part, what is refuted has its counterexample on one of them, and each part by itself says the same.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>

using namespace rattleback;

namespace {

constexpr double seconds = 20;

/// Coordinates a and b are angles, the others lie on lines.
System model(const std::string& lagrangian, const std::string& space, const std::string& constraints,
             const std::string& further = "") {
  std::string text = "lagrangian = \"" + lagrangian + "\"\n[space]\n";
  for (const char q : space) text += fmt::format("{} = \"{}\"\n", q, q == 'a' || q == 'b' ? "S1" : "R");
  return read_model(text + "[constraints]\n" + constraints + further, "split");
}

Outcome outcome(const System& system, const char* name) {
  return asked(question(name), system, seconds).outcome;
}

Outcome claim(const System& system, const char* kind, const std::string& claim) {
  return stated_conjecture(system, kind, claim, "split").outcome;
}

const std::string in_space = "1/2*(x'^2 + y'^2 + w'^2)", two_planes = "n = \"w*(w - 1) = 0\"\n";

}  // namespace

TEST_CASE("parts of N are told apart by factors, also of resultants") {
  const auto parts = [](const System& system) {
    return variety_of(position_relations(system))->parts().size();
  };
  CHECK(parts(model(in_space, "xyw", two_planes)) == 2);
  CHECK(parts(model(in_space, "xyw", "n = \"w^3 = w\"\n")) == 3);
  CHECK(parts(model("1/2*(a'^2 + b'^2)", "ab", "n = \"sin(a - b) = 0\"\n")) == 2);
  CHECK(parts(model(in_space, "xyw", "n = \"x^2 + y^2 + w^2 = 1\"\n")) == 0);
  // A parallelogram: both equations are irreducible.
  const System linkage =
      model("1/2*(a'^2 + b'^2 + c'^2)", "abc",
            "n = \"cos(a) + 2*cos(b) = 2 + cos(c)\"\nm = \"sin(a) + 2*sin(b) = sin(c)\"\n");
  CHECK(parts(linkage) >= 2);
}

TEST_CASE("a function that vanishes on one part of N alone is no zero") {
  for (const std::string relation : {"w*(w - 1)", "w^3 - w", "(w - 1)*w*(w + 2)*(w - 3)"}) {
    const System system = model(in_space, "xyw", "n = \"" + relation + " = 0\"\n");
    const OnPositions here(system);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Expr f = parse("x*(w - 1)", system.scope);
      CHECK_FALSE(vanishes_at_random_points(f, seed));
      CHECK(refuted(is_zero(f, {.seed = seed})));
      CHECK(refuted(is_zero(parse("w*y", system.scope), {.seed = seed})));
    }
  }
}

TEST_CASE("a field that vanishes on N is no symmetry") {
  const System linkage =
      read_model(  // friction on the crossed part; the conditions leave two fields, both 0 on N
          "lagrangian = \"(a'^2 + b'^2 + c'^2)/2\"\n"
          "space = { a = \"S1\", b = \"S1\", c = \"S1\" }\nforces = { a = \"-sin(b)^2*a'\" }\n"
          "[constraints]\nn = \"cos(a) + 2*cos(b) = 2 + cos(c)\"\nm = \"sin(a) + 2*sin(b) = sin(c)\"\n",
          "linkage");
  CHECK(outcome(linkage, "symmetries") != Outcome::proved);
  const OnPositions here(linkage);
  for (const Generator& g : found_symmetries(linkage).generators) {
    const auto xi = g.field.coefficients();
    CHECK_FALSE(std::ranges::all_of(xi, [](Expr e) { return vanishes_at_random_points(e); }));
  }
}

TEST_CASE("friction on one part of N spoils density and action, whichever part it is") {
  for (const std::string force : {"-w*x'", "-(1 - w)*x'"}) {
    const System system = model("1/2*(x'^2 + w'^2)", "xw", two_planes, "[forces]\nx = \"" + force + "\"\n");
    CHECK(outcome(system, "energy") == Outcome::refuted);
    CHECK(outcome(system, "invariant-measure") != Outcome::proved);
    CHECK(outcome(system, "conditionally-variational") != Outcome::proved);
    CHECK(outcome(system, "chaplygin-multiplier") != Outcome::proved);
    CHECK(outcome(system, "optimal-control") != Outcome::proved);
    CHECK(claim(system, "measure", "1") == Outcome::refuted);
  }
}

TEST_CASE("a pendulum on one part of N keeps no momentum there") {
  const std::string lagrangian = "1/2*(a'^2 + b'^2) + cos(a) + cos(b)";
  for (const std::string relation : {"sin(a - b) = 0", "sin(a)*cos(b) = cos(a)*sin(b)"}) {
    const System system = model(lagrangian, "ab", "n = \"" + relation + "\"\n");
    CHECK(claim(system, "conserved", "a'") == Outcome::refuted);
    CHECK(claim(system, "conserved", "a' + b'") == Outcome::refuted);
    CHECK(claim(system, "conserved", "a' - b'") == Outcome::proved);
    const Answer a = asked(question("momenta"), system, seconds);
    CHECK(std::none_of(a.why.begin(), a.why.end(), [](const std::string& line) {
      return line.starts_with("a' is") || line.starts_with("sqrt(2)*a' is");
    }));
  }
}

TEST_CASE("what is constant on parallel positions of a parallelogram is not so on the crossed ones") {
  const System linkage =
      model("1/2*(a'^2 + b'^2 + c'^2) - sin(a) - sin(b)", "abc",
            "n = \"cos(a) + 2*cos(b) = 2 + cos(c)\"\nm = \"sin(a) + 2*sin(b) = sin(c)\"\n");
  CHECK(claim(linkage, "zero", "sin(b)") == Outcome::refuted);
  CHECK(claim(linkage, "conserved", "cos(c) - cos(a)") == Outcome::refuted);
  CHECK(claim(linkage, "conserved", "cos(b)") == Outcome::refuted);
}

TEST_CASE("a part at which tan(a/2) has no value counts, too") {
  for (const char* sign : {"+", "-"}) {
    const System system =
        model(fmt::format("1/2*(x'^2 + a'^2) - (1 {} cos(a))*x", sign), "xa", "n = \"sin(a) = 0\"\n");
    CHECK(claim(system, "conserved", "x'") == Outcome::refuted);
    // On one part a shift of x is a symmetry: times a function that vanishes on the other it is one of N.
    CHECK(claim(system, "symmetry", fmt::format("x = 1 {} cos(a)", sign[0] == '+' ? '-' : '+')) ==
          Outcome::proved);
    CHECK(outcome(system, "symmetries") != Outcome::refuted);
    CHECK(outcome(system, "momenta") != Outcome::refuted);
  }
}

TEST_CASE("brackets span less on one part of N") {
  for (const std::string blade : {"z' = w*y*x'", "z' = (1 - w)*y*x'"}) {
    const System system =
        model("1/2*(x'^2 + y'^2 + z'^2 + w'^2)", "xyzw", two_planes + "c = \"" + blade + "\"\n");
    const Answer a = asked(question("integrability"), system, seconds);
    CHECK(a.outcome == Outcome::refuted);
    CHECK(std::none_of(a.why.begin(), a.why.end(), [](const std::string& line) {
      return line.find("at every configuration") != std::string::npos;
    }));
  }
}
