#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/variational/driven_lagrangian.hpp>

using namespace rattleback;

namespace {

/// Coordinates x, y, z with these accelerations.
SecondOrderSystem system_with(const std::vector<std::string>& accelerations) {
  SecondOrderSystem s;
  Scope scope;
  for (const char* name : {"x", "y", "z"}) {
    s.q.push_back(Symbol::make(name, {.role = Role::coordinate}));
    s.v.push_back(Symbol::make(std::string("v") + name));
    scope.define(name, Expr(s.q.back()));
    scope.define(std::string("v") + name, Expr(s.v.back()));
  }
  for (const std::string& f : accelerations) s.f.push_back(parse(f, scope));
  return s;
}

}  // namespace

TEST_CASE("coordinates that a clock drives have a Lagrangian with a logarithm (C.41)") {
  for (const char* Xi : {"-2*x", "1", "1/(1 + x^2)", "cos(x)"}) {
    CAPTURE(Xi);
    const std::string f = std::string("(") + Xi + ")*vx*vy";
    const SecondOrderSystem s = system_with({f, "0", "3*" + f});
    const auto L = driven_lagrangian(s);
    REQUIRE(L);
    CHECK(proved(L->is_lagrangian));
    CHECK(refuted(is_lagrangian(s, L->lagrangian + Expr(s.q[0]) * Expr(s.v[1]))));  // the mutant
  }
}

TEST_CASE("other systems are not taken for driven ones") {
  CHECK_FALSE(driven_lagrangian(system_with({"y*vx*vy", "0", "0"})));
  CHECK_FALSE(
      driven_lagrangian(system_with({"x*vx*vy", "0", "vx*vy"})));  // z does not follow x at a constant rate
  CHECK_FALSE(
      driven_lagrangian(system_with({"x*vx*vy", "-y", "0"})));  // but z'' = 0, and x'' has no factor z'
}
