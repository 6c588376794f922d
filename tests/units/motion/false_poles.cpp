/// Equations of motion have no poles that the mechanics does not have: a snakeboard with two free trucks, at opposite angles.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>

using namespace rattleback;

namespace {

const char* const two_trucks = R"(
kinetic = "3*m/2*(x'^2 + y'^2) + J/2*th'^2 + J/9*(th' + a')^2 + J/9*(th' + c')^2"
[space]
x = "R"
y = "R"
th = "S1"
a = "S1"
c = "S1"
[parameters]
m = { value = 1, positive = true }
J = { value = 0.3, positive = true }
l = { value = 0.7, positive = true }
[define]
F = "[x + l*cos(th), y + l*sin(th)]"
B = "[x - l*cos(th), y - l*sin(th)]"
[constraints]
front = "dot(ddt(F), [-sin(th + a), cos(th + a)]) = 0"
back = "dot(ddt(B), [-sin(th + c), cos(th + c)]) = 0"
[velocities]
v = "th'"
w1 = "a'"
w2 = "c'"
)";

}  // namespace

TEST_CASE("trucks at opposite angles: the rates have values, and only sin(a - c) must not vanish") {
  const System s = read_model(two_trucks, "trucks.toml");
  const EquationsOfMotion motion = formalism("hamel").derive(s);
  std::vector<std::string> conditions;
  for (const Assumption& condition : motion.where) conditions.push_back(text(condition.expression));
  CHECK(conditions == std::vector<std::string>{"sin(a - c)"});
  const Symbol a = parse("a", s.scope).symbol();
  for (const std::vector<Expr>& rates : {motion.configuration_rates, motion.speed_rates}) {
    for (const Expr rate : rates) {
      INFO(text(rate));
      CHECK_NOTHROW(substitute(rate, {{a, parse("-c", s.scope)}}));
    }
  }
}
