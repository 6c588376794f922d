// Rules for the Coq kernel from position constraints: each is a combination of them, and they decide the ideal.

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/coq/coq_positions.hpp>

using namespace rattleback;

namespace {

Scope& names() {
  static Scope scope = [] {
    Scope s{Scope::Unknown::is_an_error};
    for (const char* name : {"x", "y", "z", "phi", "psi", "s"})
      s.define(name, Expr(Symbol::make(name, {.role = Role::coordinate})));
    for (const char* name : {"l", "r"})
      s.define(name, Expr(Symbol::make(name, {.role = Role::parameter, .sign = Sign::positive})));
    return s;
  }();
  return scope;
}

std::vector<Expr> formulas(std::initializer_list<const char*> texts) {
  std::vector<Expr> all;
  for (const char* text : texts) all.push_back(parse(text, names()));
  return all;
}

/// m − p − Σ c φ.
Expr remainder(const PositionRule& rule, const std::vector<Expr>& positions) {
  Expr e = rule.monomial - rule.by;
  for (std::size_t k = 0; k < positions.size(); ++k) e = e - rule.coefficients[k] * positions[k];
  return e;
}

}  // namespace

TEST_CASE("each rule is a combination of the position constraints") {
  for (const std::vector<Expr>& positions :
       {formulas({"x^2 + y^2 + z^2 - l^2"}),
        formulas({"s - r*cos(phi) - l*cos(phi + psi)", "-(r*sin(phi) + l*sin(phi + psi))"}),
        formulas({"sqrt(x^2 + y^2) - l"}), formulas({"x*y - z", "x*z - y^2"})}) {
    const std::vector<PositionRule> rules = position_rules(positions);
    CHECK(rules.size() >= positions.size());
    for (const PositionRule& rule : rules) {
      CHECK(proved(is_zero(remainder(rule, positions))));
      PositionRule mutant = rule;
      mutant.by = mutant.by + 1;
      CHECK_FALSE(proved(is_zero(remainder(mutant, positions))));
    }
  }
}

TEST_CASE("a basis decides what the constraints imply, not only what they say") {
  const std::vector<Expr> positions = formulas({"x^2 - y", "x^2 - z"});
  const Expr implied = parse("y - z", names());
  bool found = false;
  for (const PositionRule& rule : position_rules(positions)) {
    const Expr e = rule.monomial - rule.by;
    found = found || proved(is_zero(e - implied)) || proved(is_zero(e + implied));
  }
  CHECK(found);
}

TEST_CASE("what is no polynomial in coordinates, sines, cosines and roots has no rules") {
  CHECK_THROWS_AS(position_rules(formulas({"exp(x) - y"})), NoCoqForm);
  CHECK_THROWS_AS(position_rules(formulas({"x/y - z"})), NoCoqForm);
  CHECK_THROWS_AS(position_rules(formulas({"sqrt(x^4 + y) - z"})), NoCoqForm);
  CHECK(position_rules({}).empty());
}
