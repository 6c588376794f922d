/// `unless`: for every question the parameters at which the answer is the other one, asked again there, complete or not.
#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/parameter_samples.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/view/results/verdicts.hpp>

using namespace rattleback;

namespace {

System model(const std::string& text) { return read_model(text, "model.toml"); }

std::string first_line(const System& system, const char* name) {
  const std::string all = as_text(name, asked(question(name), system, 60));
  return all.substr(0, all.find('\n'));
}

const char* const contact = R"toml(
lagrangian = "m/2*(x'^2 + y'^2 + z'^2)"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = a*x*y' + b*y*x'" }
[parameters]
m = { value = 1, positive = true }
a = 1
b = 2
)toml";

const char* const particle = R"toml(
lagrangian = "m*(x'^2 + y'^2)/2 - a*x - b*x^2 - c*y"
space = { x = "R", y = "R" }
[parameters]
m = { value = 1, positive = true }
a = 1
b = 2
c = 3
)toml";

/// Decides by which parameters are not zero; depends on the functions given.
Decide by_parameters(std::vector<std::vector<const char*>> lists,
                     std::function<bool(const std::function<bool(const char*)>&)> holds) {
  return [lists, holds](const System& special) {
    Answer a;
    Dependence dependence = on_nothing();
    const auto is_present = [&](const char* p) { return !parse(p, special.scope).is_zero(); };
    a.outcome = holds(is_present) ? Outcome::proved : Outcome::refuted;
    for (const auto& list : lists) {
      std::vector<Expr> functions;
      for (const char* f : list) functions.push_back(parse(f, special.scope));
      dependence.on.push_back(std::move(functions));
    }
    state_dependence(std::move(dependence));
    return a;
  };
}

Answer examined(const System& s, const Decide& decide) {
  const DependenceScope dependence;
  Answer a = decide(s);
  add_exceptions(s, decide, dependence.stated(), {}, {}, a);
  return a;
}

}  // namespace

TEST_CASE("integrability and jacobi: z' = a x y' + b y x' is integrable at a = b") {
  const System s = model(contact);
  CHECK(first_line(s, "integrability") == "integrability: refuted unless a = b");
  CHECK(first_line(s, "jacobi") == "jacobi: refuted unless a = b");
  CHECK(locus_is_complete(asked(question("integrability"), s, 60)));
  CHECK(first_line(with_values(s, {{"a", "2"}, {"b", "2"}}), "integrability") == "integrability: proved");
}

TEST_CASE("regularity: a metric degenerates where its determinant vanishes, and a definite one nowhere") {
  const System s = model(R"toml(
lagrangian = "(x'^2 + a*y'^2 + b*x'*y')/2"
space = { x = "R", y = "R" }
[parameters]
a = 1
b = 1
)toml");
  CHECK(first_line(s, "regularity") == "regularity: proved unless 4*a = b^2");
  CHECK(locus_is_complete(asked(question("regularity"), s, 60)));
  const Answer definite = asked(question("regularity"), model(particle), 60);
  CHECK(definite.unless.empty());
  CHECK(locus_is_complete(definite));
}

TEST_CASE(
    "a component is listed where the question, asked again, has the other answer; one within it is not") {
  const System s = model(particle);
  const auto without_a = [](const auto& has) { return !has("a"); };
  CHECK(text(examined(s, by_parameters({{"a*b*x"}}, without_a)).unless) == "a = 0");
  const auto never = [](const auto&) { return false; };
  CHECK(examined(s, by_parameters({{"a*b*x"}}, never)).unless.empty());
}

TEST_CASE("a search for special parameters that runs out of time keeps what it found") {
  const System s = model(particle);
  int asked_so_far = 0;
  const Decide other_without_one = by_parameters({{"a*x"}, {"b*x"}, {"c*x"}}, [&](const auto& has) {
    if (!has("c") && ++asked_so_far == 1) {  // the last component takes all the time
      const auto start = ProcessorTime::now();
      while (ProcessorTime::now() - start < std::chrono::milliseconds(700)) {
      }
    }
    return !has("a") || !has("b") || !has("c");
  });
  const DependenceScope dependence;
  Answer a = other_without_one(s);
  const Budget question({.time = std::chrono::duration<double>(60)});
  add_exceptions(s, other_without_one, dependence.stated(), {}, {}, a, std::chrono::duration<double>(0.5));
  CHECK(a.outcome == Outcome::refuted);
  CHECK(text(a.unless) == "a = 0, or b = 0");
  CHECK_FALSE(locus_is_complete(a));
}

TEST_CASE("where the answer stays on a component, it may change further within") {
  const System s = model(particle);
  const auto without_both = [](const auto& has) { return !has("a") && !has("c"); };
  const Answer a = examined(s, by_parameters({{"a*x"}, {"c*y"}}, without_both));
  CHECK(text(a.unless) == "a = 0 and c = 0");
  INFO(locus_gap(a));
  CHECK(locus_is_complete(a));
}

TEST_CASE("components without points where masses are positive are not listed") {
  const System s = model(particle);
  const auto always_other = [](const auto& has) { return !has("a"); };
  const Answer a = examined(s, by_parameters({{"m + a^2"}, {"m*b^2 + m^2"}}, always_other));
  CHECK(a.unless.empty());
  CHECK(locus_is_complete(a));
}

TEST_CASE("what could not be asked again leaves the list open, and the text says so") {
  const System s = model(particle);
  const Decide decide = [](const System& special) {
    Answer a;
    const bool here = !parse("a", special.scope).is_zero();
    a.outcome = here ? Outcome::refuted : Outcome::undecided;
    state_dependence({{{parse("a", special.scope)}}, true, false});
    return a;
  };
  const Answer a = examined(s, decide);
  CHECK(a.unless.empty());
  CHECK_FALSE(locus_is_complete(a));
  CHECK(as_text("q", a).find("locus: not complete, ") != std::string::npos);
  CHECK(as_json(s, "q", a).find("\"unless_complete\": false") != std::string::npos);
}

TEST_CASE("points on a component: exact, of the declared signs, with roots where there is no rational one") {
  const System s = model(particle);
  const auto symbol_of = [&](const char* p) { return parse(p, s.scope).symbol(); };
  const Component circle{{parse("a^2 + b^2 - m", s.scope)}, {symbol_of("a")}, {}};
  const auto on = point_on(circle, free_parameters(s), 1);
  REQUIRE(on);
  CHECK(holds_at(circle.equations, *on));
  const auto beside = point_beside(circle, *on);
  REQUIRE(beside);
  CHECK_FALSE(holds_at(circle.equations, *beside));
  const Component nowhere{
      {parse("m + a^2", s.scope)}, {symbol_of("m")}, {{symbol_of("m"), parse("-a^2", s.scope)}}};
  CHECK_FALSE(point_on(nowhere, free_parameters(s), 1));
}

TEST_CASE("values reach the brackets of an algebra: Bianchi VII_h at h = 0 is unimodular") {
  const System s = model(R"toml(
lagrangian = "(xi1^2 + xi2^2 + xi3^2)/2"
[parameters]
h = 1
[algebra]
basis = ["e1", "e2", "e3"]
brackets = { "e1,e3" = "h*e1 - e2", "e2,e3" = "e1 + h*e2" }
)toml");
  CHECK(first_line(s, "invariant-measure") == "invariant-measure: refuted unless h = 0");
  const System flat = with_values(s, {{"h", "0"}});
  CHECK(flat.space.c()(0, 2, 0).is_zero());
  CHECK(first_line(flat, "invariant-measure") == "invariant-measure: proved");
}

TEST_CASE("what fails at special parameters does not take the answer with it") {
  const System blade = model(R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*J*phi'^2 + m*g*x"
space = { x = "R", y = "R", phi = "S1" }
constraints = { blade = "x'*sin(phi) = y'*cos(phi)" }
forces = { x = "-c*(x' - W)", y = "-c*y'", phi = "-k*phi'*sqrt(1 + phi'^2)" }
parameters = { m = { value = 1, positive = true }, J = { value = 2, positive = true }, g = 9, c = 1, k = 2, W = 2 }
)toml");
  CHECK(first_line(blade, "invariant-measure") == "invariant-measure: refuted unless c = 0 and k = 0");
  const Decide fails_at_zero = [](const System& special) {
    Answer a;
    if (parse("a", special.scope).is_zero()) throw OutOfDomain("domain", "a pole");
    a.outcome = Outcome::proved;
    state_dependence({{{parse("a", special.scope)}}, true, false});
    return a;
  };
  CHECK(examined(model(particle), fails_at_zero).outcome == Outcome::proved);
}
