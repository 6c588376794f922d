#include <doctest/doctest.h>

#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>

using namespace rattleback;

namespace {

/// The conditions joined by `and`, or "never".
std::string stated(std::initializer_list<const char*> conditions) {
  Scope scope{Scope::Unknown::becomes_a_symbol};
  scope.define("r", Expr(Symbol::make("r", {.role = Role::parameter, .sign = Sign::positive})));
  std::vector<Expr> es;
  for (const char* c : conditions) es.push_back(parse(c, scope));
  const auto zeros = common_zeros(es);
  if (!zeros) return "never";
  std::string s;
  for (const Expr e : *zeros) s += (s.empty() ? "" : " and ") + text(e);
  return s;
}

}  // namespace

TEST_CASE("conditions that others imply are left out") {
  CHECK(stated({"l*x*y", "-2*x*y", "x*y^2"}) == "x*y");
  CHECK(stated({"x", "x*y + x^2", "y - x"}) == "x and y - x");
  CHECK(stated({"x", "y"}) == "x and y");
  CHECK(stated({"x", "y", "x^2 + y^2"}) == "x and y");
}

TEST_CASE("sine and cosine do not vanish together: what multiplies both has to") {
  CHECK(stated({"sin(a)", "cos(a)"}) == "never");
  CHECK(stated({"r*sin(a)", "-3*r*cos(a)"}) == "never");
  CHECK(stated({"l^2*sin(a)", "-l^2*cos(a)", "l*sin(b)"}) == "l");
  CHECK(stated({"sin(a)", "cos(b)"}) == "sin(a) and cos(b)");
}

TEST_CASE("where a sine vanishes the cosine is 1 or -1, and what is left may have a sign") {
  CHECK(stated({"sin(a)", "2*r*cos(a) + w*sin(a)"}) == "never");
  CHECK(stated({"cos(a)", "w*cos(a)^2 - r*sin(a)"}) == "never");
  CHECK(stated({"sin(a)", "2*l*cos(a) + w*sin(a)"}) == "sin(a) and 2*l*cos(a) + w*sin(a)");  // l may be 0
  CHECK(stated({"sin(a)", "r*cos(b) + w*sin(a)"}) == "sin(a) and r*cos(b) + w*sin(a)");
}
