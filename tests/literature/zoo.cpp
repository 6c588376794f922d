/// The zoo tests itself: what a model's [known] table publishes is what the program finds.
#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

std::optional<std::string> known(const System& system, const std::string& key) {
  const Toml* value = system.known.find(key);
  return value == nullptr ? std::nullopt : std::optional(value->text);
}

}  // namespace

TEST_CASE("every model of the zoo is what its [known] table says") {
  const std::vector<std::string> names = zoo();
  CHECK(names.size() >= 80);
  int dofs = 0, growths = 0, integrabilities = 0, energies = 0;
  for (const std::string& name : names) {
    CAPTURE(name);
    const System system = load_model(name);
    const Triage found = triage(system);
    CHECK(found.problems.empty());
    CHECK_FALSE(system.title.empty());
    CHECK_FALSE(system.references.empty());
    if (const auto dof = known(system, "dof")) {
      ++dofs;
      CHECK(std::to_string(found.degrees_of_freedom()) == *dof);
    }
    if (const Toml* growth = system.known.find("growth_vector"); growth != nullptr) {
      ++growths;
      std::vector<int> published;
      for (const Toml& item : growth->items) published.push_back(std::stoi(item.text));
      CHECK(found.growth_vector == published);
    }
    if (const auto integrability = known(system, "integrability");
        integrability && !found.growth_vector.empty()) {
      ++integrabilities;
      CHECK((found.holonomic_dimension == found.rank) == (*integrability == "proved"));
    }
    if (const auto energy = known(system, "energy"); energy && found.degrees_of_freedom() > 0) {
      ++energies;
      const Outcome outcome = asked(question("energy"), system, 60).outcome;
      CHECK((outcome == Outcome::proved) == (*energy == "proved"));
      CHECK((outcome == Outcome::refuted) == energy->starts_with("refuted"));
    }
  }
  CHECK(dofs >= 75);
  CHECK(growths >= 60);
  CHECK(integrabilities >= 60);
  CHECK(energies >= 60);
}

namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return parts;
}

/// "I11 = I22 and I13 = I23 = 0" as expressions that vanish.
Locus locus_of(const System& system, const std::string& text) {
  Locus equations;
  for (const std::string& chain : split(text, " and ")) {
    const std::vector<std::string> sides = split(chain, "=");
    const Expr last = parse(sides.back(), system.scope);
    for (std::size_t k = 0; k + 1 < sides.size(); ++k)
      equations.push_back(parse(sides[k], system.scope) - last);
  }
  return equations;
}

/// Each a combination of the others with numbers: enough for the equations between parameters that are published.
bool same(const Locus& a, const Locus& b) {
  const auto within = [](const Locus& small, const Locus& large) {
    SymbolMap solved;
    for (const Expr e : large) {
      const Expr left = substitute(e, solved);
      for (const Symbol s : symbols_of(left)) {
        const Expr slope = derivative(left, s);
        if (!slope.is(Kind::constant)) continue;
        const Expr value = substitute(left, {{s, Expr(0)}}) / -slope;
        for (auto& [key, old] : solved) old = substitute(old, {{s, value}});
        solved.emplace(s, value);
        break;
      }
    }
    return std::all_of(small.begin(), small.end(),
                       [&](Expr e) { return vanishes_at_random_points(substitute(e, solved)); });
  };
  return a.size() == b.size() && within(a, b) && within(b, a);
}

void check_known(const System& system, const std::string& name, const std::string& published) {
  CAPTURE(name);
  CAPTURE(published);
  const Answer answer = asked(question(name), system, 120);
  const std::vector<std::string> parts = split(published, " unless ");
  CHECK(text(answer.outcome) == parts[0]);
  std::vector<Locus> loci;
  if (parts.size() > 1) {
    for (const std::string& part : split(parts[1], ", or ")) loci.push_back(locus_of(system, part));
  }
  CAPTURE(text(answer.unless));
  // What is published is listed; further components were asked again on them and beside them.
  CHECK(answer.unless.size() >= loci.size());
  for (const Locus& locus : loci) {
    CHECK(std::any_of(answer.unless.begin(), answer.unless.end(),
                      [&](const Locus& l) { return same(l, locus); }));
  }
}

int check_zoo(const std::string& name) {
  int checked = 0;
  for (const std::string& model : zoo()) {
    const System system = load_model(model);
    const auto published = known(system, name);
    if (!published) continue;
    CAPTURE(model);
    check_known(system, name, *published);
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("energy is conserved where it is published, and else for the parameters published") {
  CHECK(check_zoo("energy") >= 60);
}
TEST_CASE("invariant measures exist where they are published, and else for the parameters published") {
  CHECK(check_zoo("invariant-measure") >= 60);
}
TEST_CASE("brackets are Poisson where it is published") { CHECK(check_zoo("jacobi") >= 60); }
