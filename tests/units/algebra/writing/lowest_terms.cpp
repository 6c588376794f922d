/// Formulas that are printed, proved with and run divide by nothing that vanishes where the function has no pole.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/lowest_terms.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

using namespace rattleback;

namespace {

const Symbol a = Symbol::make("a", {.role = Role::coordinate}),
             b = Symbol::make("b", {.role = Role::coordinate}),
             m = Symbol::make("m", {.role = Role::parameter});

/// 1/sin(a − b), its denominator rationalised: 0/0 where sin(a + b) = 0.
Expr rationalised() { return (sin(a) * cos(b) + cos(a) * sin(b)) / (pow(cos(b), 2) - pow(cos(a), 2)); }

}  // namespace

TEST_CASE("a denominator that is rationalised vanishes where the function has no pole") {
  CHECK(has_removable_pole(rationalised()));
  CHECK_FALSE(has_removable_pole(1 / sin(Expr(a) - Expr(b))));
  CHECK(has_removable_pole((1 - cos(a)) / pow(sin(a), 2) * sin(a)));  // sin a/(1 + cos a)
  CHECK_FALSE(has_removable_pole(sin(a) / (1 + cos(a))));
  CHECK_FALSE(has_removable_pole(sin(a) / (2 + cos(a))));
}

TEST_CASE("in lowest terms the value is the same, and finite there") {
  for (const Expr e : {rationalised(), Expr(m) * rationalised() + pow(rationalised(), 2),
                       (1 - cos(a)) / pow(sin(a), 2) * sin(a), (1 + cos(a)) / sin(a)}) {
    CAPTURE(text(e));
    const auto lowest = in_lowest_terms(e);
    REQUIRE(lowest);
    CHECK(vanishes_at_random_points(*lowest - e));
    CHECK_FALSE(vanishes_at_random_points(*lowest - 2 * e));  // a mutant
    CHECK_FALSE(has_removable_pole(*lowest));
  }
  CHECK(std::abs(evaluate(*in_lowest_terms(rationalised()), {{a, 0.7}, {b, -0.7}}) - 1 / std::sin(1.4)) <
        1e-12);
  CHECK(std::abs(evaluate(short_form(rationalised()), {{a, 0.7}, {b, -0.7}}) - 1 / std::sin(1.4)) < 1e-12);
}

TEST_CASE("a snakeboard with two free trucks has velocities where the trucks turn against each other") {
  const System board = read_model(R"toml(title = "t"
lagrangian = "1/2*m*(q1'^2 + q2'^2) + 1/2*J*q3'^2 + 1/2*J*(q3' + q4')^2 + 1/2*J*(q3' + q5')^2"
[space]
q1 = "R"
q2 = "R"
q3 = "S1"
q4 = "S1"
q5 = "S1"
[parameters]
l = { value = 0.7, positive = true }
J = { value = 0.1, positive = true }
m = { value = 1, positive = true }
[constraints]
front = "-q1'*sin(q3 + q4) + q2'*cos(q3 + q4) + l/2*q3'*cos(q4) = 0"
back = "-q1'*sin(q3 + q5) + q2'*cos(q3 + q5) - l/2*q3'*cos(q5) = 0"
[velocities]
u3 = "l*q3'/2"
u4 = "q4'"
u5 = "q5'"
)toml",
                                  "t.toml");
  const SolvedVelocities v = solved_velocities(board);
  Numbers at;
  for (const Symbol s : board.space.functions()) at[s] = 0.2;
  for (const Parameter& p : board.parameters) at[p.symbol] = 0.9;
  for (const Symbol z : v.speeds) at[z] = 1;
  for (const Symbol s : board.space.functions()) {
    if (s.name() == "q5") at[s] = -0.2;  // where sin(q4 + q5) = 0
  }
  for (const Expr e : v.psi) CHECK(std::isfinite(evaluate(e, at)));
  for (const Assumption& w : v.where) CHECK(std::abs(evaluate(w.expression, at)) > 1e-3);
}
