/// Parameters at which an answer is the other one: found by factoring, verified one by one, none of them twice.
#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/locus_order.hpp>
#include <rattleback/proof/evidence/parameter_locus.hpp>
#include <rattleback/proof/measure/measure_exceptions.hpp>

using namespace rattleback;

namespace {

System particle() {
  return read_model(
      "lagrangian = \"m*(x'^2 + y'^2)/2 - a*x - b*x^2 - c*y\"\nspace = { x = \"R\", y = \"R\" }\n"
      "[parameters]\nm = { value = 1, positive = true }\na = 1\nb = 2\nc = 3\n",
      "particle");
}

Expr formula(const System& system, const char* text) { return parse(text, system.scope); }

std::string locus_of(const System& system, std::vector<const char*> formulas) {
  std::vector<Expr> es;
  for (const char* f : formulas) es.push_back(formula(system, f));
  return text(vanishing_locus(system, es).components);
}

}  // namespace

TEST_CASE("a locus is where functions vanish identically in everything but the parameters") {
  const System s = particle();
  CHECK(locus_of(s, {"a*x + b*y"}) == "a = 0 and b = 0");
  CHECK(locus_of(s, {"a - x"}).empty());  // at one point a = x has a solution, at all of them it has none
  CHECK(locus_of(s, {"a*b*x"}) == "a = 0, or b = 0");
  CHECK(locus_of(s, {"m*a*x"}) == "a = 0");  // masses are positive
  CHECK(locus_of(s, {"(m + 1)*x"}).empty());
  CHECK(locus_of(s, {"x*(a^2 + m*b^2)"}) == "a = 0 and b = 0");  // a sum of squares
  CHECK(locus_of(s, {"x*(a^2 - b^2)"}) == "a = b, or a + b = 0");
  CHECK(locus_of(s, {"a*x", "a*b*y"}) == "a = 0");
}

TEST_CASE(
    "exceptions of measures: verified, cut further where a component has conditions of its own, none within "
    "another") {
  const System s = particle();
  const Symbol a = formula(s, "a").symbol(), c = formula(s, "c").symbol();
  MeasureDecision refuted = measure_on_D(s);
  refuted.outcome = Outcome::refuted;
  refuted.closure.conditions = {{formula(s, "a*b*x"), "here"}};
  // With a or c gone there is a measure; at b = 0 alone there is none, and the condition left is a c = 0.
  const DecideMeasure decide = [&](const System& special, const SymbolMap&) {
    MeasureDecision there = refuted;
    const bool exists = !contains(special.lagrangian, a) || !contains(special.lagrangian, c);
    there.outcome = exists ? Outcome::proved : Outcome::refuted;
    there.closure.conditions = {{formula(s, "a*c*y"), "there"}};
    return there;
  };
  Answer answer;
  const ParameterLocus found = collect_exceptions(s, decide, candidates_for_a_measure(s, refuted), answer);
  CHECK(found.components == answer.unless);
  CHECK(text(answer.unless) == "a = 0, or b = 0 and c = 0");
  REQUIRE(found.solutions.size() == 2);
  CHECK(found.solutions[1].size() == 2);  // the outer equation is solved, too
}

TEST_CASE("a component is told in few words, and not at all where signs exclude it") {
  const System s = particle();
  const auto told = [&](std::vector<const char*> equations) {
    Locus locus;
    for (const char* e : equations) locus.push_back(formula(s, e));
    const auto left = tidied(locus);
    return left ? text(*left) : "nowhere";
  };
  CHECK(told({"m*a - b*c", "c"}) == "a = 0 and c = 0");
  CHECK(told({"m*a - b*c", "b - c"}) == "b = c and m*a = c^2");
  CHECK(told({"m*a*b", "m*c - b^2 - 1"}) == "a*b = 0 and m*c - 1 - b^2 = 0");
  CHECK(told({"a*b", "m + b"}) == "a = 0 and m + b = 0");  // b = 0 leaves m = 0
  CHECK(told({"a^2 + b", "c*(a^2 + b)"}) == "b + a^2 = 0");
  CHECK(told({"m", "a"}) == "nowhere");
  CHECK(told({"a", "m + a^2"}) == "nowhere");
}

TEST_CASE("equations of a component have one form and one order, however they were found") {
  const System s = read_model(
      "lagrangian = \"(A + B + C)*x'^2/2 - k*x - l*x^2 - (k^2 - l^3)*x^3\"\nspace = { x = \"R\" "
      "}\n[parameters]\n"
      "A = { value = 1, positive = true }\nB = { value = 1, positive = true }\nC = { value = 1, positive = "
      "true }\n"
      "k = 1\nl = 1\n",
      "s");
  const auto shown = [&](std::vector<const char*> equations) {
    Locus locus;
    for (const char* e : equations) locus.push_back(formula(s, e));
    return text(*tidied(locus));
  };
  CHECK(shown({"C - A", "B - C"}) == "A = B and A = C");
  CHECK(shown({"B - A", "B - C"}) == "A = B and A = C");
  CHECK(shown({"l - k", "A - B", "l"}) == "k = 0 and l = 0 and A = B");
  CHECK(text(in_canonical_order(std::vector<Locus>{{formula(s, "A - B"), formula(s, "k")},
                                                   {formula(s, "l")}})) == "l = 0, or k = 0 and A = B");
}
