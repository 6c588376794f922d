// Short forms on the variety of position constraints.
#include <rattleback/algebra/writing/form_on_variety.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

using namespace rattleback;

namespace {

Expr read(const char* text) {
  Scope scope;
  const auto declare = [&](const char* name, Role role, Sign sign = Sign::any) {
    scope.define(name, Value(Expr(Symbol::make(name, {.role = role, .sign = sign}))));
  };
  for (const char* q : {"x", "y", "th"}) declare(q, Role::coordinate);
  declare("l", Role::parameter, Sign::positive);
  declare("a", Role::parameter);
  return parse(text, scope);
}

std::string on(const std::vector<const char*>& relations, const char* e) {
  std::vector<Expr> phi;
  for (const char* r : relations) phi.push_back(read(r));
  const OnVariety here(variety_of(phi));
  return text(short_form_on_variety(read(e)));
}

}  // namespace

TEST_CASE("relations make forms shorter") {
  CHECK(on({"x^2 + y^2 - l^2"}, "x^2 + y^2") == "l^2");
  CHECK(on({"x^2 + y^2 - l^2"}, "(l^2*cos(th)^2 + sin(th)^2*(x^2 + y^2))*(x^2 + y^2)") == "l^4");
  CHECK(on({"x^2 + y^2 - l^2"}, "sqrt(x^2 + y^2)*abs(x)") == "l*abs(x)");
  CHECK(on({"sqrt(x^2 + y^2) - l"}, "l^2*sin(th)^2 + cos(th)^2*(x^2 + y^2)") == "l^2");
  CHECK(on({"x - l*cos(th)", "y - l*sin(th)"}, "x^2 + y^2") == "l^2");
  CHECK(on({"x - l*cos(th)", "y - l*sin(th)"}, "x*cos(th) + y*sin(th)") == "l");
}

TEST_CASE("what no relation makes shorter stays") {
  CHECK(on({"x^2 + y^2 - l^2"}, "x*y") == "x*y");
  CHECK(on({"x^2 + y^2 - l^2"}, "th^2 + a") == on({}, "th^2 + a"));
  CHECK(on({}, "x^2 + y^2") == "x^2 + y^2");
}

TEST_CASE("nothing is divided by what may vanish") {
  CHECK(on({"a*x^2 + y^2 - l^2"}, "a*x^2 + y^2") == "l^2");  // y^2 is eliminated, or a*x^2 as it stands
  const std::string form = on({"a*x - y"}, "x + y");
  CHECK(form.find("/a") == std::string::npos);
}

TEST_CASE("the form is equal on the variety, and not on another one") {
  const Expr e = read("(x^2 + y^2)*(x - y)^2");
  Expr form;
  {
    const OnVariety here(variety_of({read("x^2 + y^2 - l^2")}));
    form = short_form_on_variety(e);
    CHECK(vanishes_at_random_points(form - e));
  }
  const OnVariety other(variety_of({read("x^2 + y^2 - 2*l^2")}));
  CHECK_FALSE(vanishes_at_random_points(form - e));
}
