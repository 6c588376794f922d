// Machines of the zoo against Newton and Euler's equations in maximal coordinates: tests/oracles/newton_euler.py has worked out the
// tables [known.state] from the same files, without generalised coordinates.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

using namespace rattleback;

namespace {

/// Of the numbers of a state; angles count modulo a turn.
double difference(double a, double b, bool angle) {
  return angle ? std::abs(std::remainder(a - b, 2 * std::numbers::pi)) : std::abs(a - b);
}

}  // namespace

TEST_CASE("machines arrive where Newton and Euler take them") {
  int compared = 0;
  for (const std::string& name : zoo()) {
    const System system = load_model(name);
    const Toml* known = system.known.find("state");
    if (known == nullptr) continue;
    CAPTURE(name);
    const Flow flow(system);
    RunOptions options;
    options.until = std::stod(known->find("t")->text);
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    CHECK_FALSE(run.failure);
    const auto check = [&](const std::string& quantity, const Toml& value) {
      CAPTURE(quantity);
      const auto found = std::find(run.names.begin(), run.names.end(), quantity);
      REQUIRE(found != run.names.end());
      const double ours = run.final_row[static_cast<std::size_t>(found - run.names.begin())];
      bool angle = false;
      for (const Factor& factor : system.space.factors())
        angle = angle || (factor.name == quantity && factor.pieces[0].carrier == Carrier::angle);
      CHECK(difference(ours, std::stod(value.text), angle) < 2e-8);
      ++compared;
    };
    for (const Toml& item : known->items) {
      if (item.key == "t") continue;
      if (item.is(Toml::Kind::number)) {
        check(item.key, item);
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          check(item.key + std::to_string(i + 1) + std::to_string(j + 1), item.items[i].items[j]);
    }
  }
  CHECK(compared >= 30);
}
