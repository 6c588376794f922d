/// Plans of a cart, whose best inputs are known: x'' = u from rest to rest over a distance.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/study/plan.hpp>

using namespace rattleback;

namespace {

Plan moved(double distance, double most) {
  const System cart = read_model(fmt::format(R"(
lagrangian = "x'^2/2"
[space]
x = "R"
[inputs]
u = {{ about = "push", range = [{}, {}] }}
[forces]
x = "u"
[simulation]
initial = {{ x = 0, "x'" = 0 }}
)",
                                             -most, most),
                                 "cart.toml");
  return plan(cart, {stated_goal(cart, "x", std::to_string(distance)), stated_goal(cart, "x'", "0")},
              {.duration = 2, .pieces = 40});
}

}  // namespace

TEST_CASE("a plan states the range of the model, and every corner lies within it") {
  // Within |u| <= most a cart moves by most*T^2/4 = most in T = 2 at the utmost; 0.9 of that needs corners at the ends.
  const Plan hard = moved(0.9, 1);
  REQUIRE(hard.found);
  CHECK(hard.ranges.front() == std::pair(-1.0, 1.0));
  const auto [least, most] = std::ranges::minmax_element(hard.corners.front());
  CHECK(*least >= -1);
  CHECK(*most <= 1);
  CHECK(*most == doctest::Approx(1).epsilon(1e-5));
  CHECK(hard.reached[0] == doctest::Approx(0.9).epsilon(1e-6));
}

TEST_CASE("what no input within the range reaches is not found") {
  CHECK_FALSE(moved(1.01, 1).found);
  CHECK(moved(1.01, 2).found);
}

TEST_CASE("without ends in its way the effort is the least: 12 d^2/T^3 for a distance d in the time T") {
  const Plan easy = moved(0.5, 10);
  REQUIRE(easy.found);
  CHECK(easy.effort == doctest::Approx(12 * 0.25 / 8).epsilon(2e-3));
}
