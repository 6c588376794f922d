/// Reference trajectories, computed elsewhere with 220 bits: the program must arrive at the same states.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

#include "case_model.hpp"

using namespace rattleback;

namespace {

using Assignments = std::vector<std::pair<std::string, std::string>>;

Assignments pairs(const ordered_json& table) {
  Assignments out;
  for (const auto& [name, value] : table.items()) out.emplace_back(name, value.get<std::string>());
  return out;
}

/// name ↦ value at the end, velocities and reactions included.
std::map<std::string, double> final_values(const Trajectory& run) {
  std::map<std::string, double> values;
  for (std::size_t k = 0; k < run.names.size(); ++k) values[run.names[k]] = run.final_row[k];
  return values;
}

/// By how much a disturbance on the way has grown at the end: the largest of all directions and of some moments. Of an
/// autonomous motion.
double sensitivity(const Flow& flow, const std::vector<double>& y, RunOptions options) {
  options.invariants.clear();
  options.reactions = false;
  const double until = options.until;
  constexpr double apart = 1e-8;
  constexpr int moments = 10;
  double growth = 0;
  for (int m = 0; m < moments; ++m) {
    options.until = until * m / moments;
    const std::vector<double> from = m == 0 ? y : trajectory(flow, y, options).final_state;
    options.until = until - options.until;
    const std::vector<double> end = trajectory(flow, from, options).final_state;
    for (std::size_t k = 0; k < y.size(); ++k) {
      std::vector<double> beside = from;
      beside[k] += apart;
      const std::vector<double> there = trajectory(flow, beside, options).final_state;
      for (std::size_t i = 0; i < end.size(); ++i)
        growth = std::max(growth, std::abs(there[i] - end[i]) / apart / std::max(1.0, std::abs(end[i])));
    }
  }
  return growth;
}

double number(const std::string& decimal) { return std::stod(decimal); }

}  // namespace

TEST_CASE("reference trajectories, by both adaptive methods") {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/literature/cases")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const ordered_json c = ordered_json::parse(file);
    if (!c.contains("trajectories")) continue;
    for (const auto& wanted : c["trajectories"]) {
      const std::string name = entry.path().stem().string(), tag = wanted["tag"];
      CAPTURE(name);
      CAPTURE(tag);
      System system = read_model(as_model(c), name + ".toml");
      if (wanted.contains("parameters")) system = with_values(std::move(system), pairs(wanted["parameters"]));
      const Flow flow(with_initial_values(system, pairs(wanted["initial"])));
      const std::vector<double> y = initial_state(flow);
      for (const std::string method : {"taylor", "dop853"}) {
        CAPTURE(method);
        RunOptions options;
        options.until = number(wanted["T"]);
        options.method = method;
        options.settings.rtol = stepper_named(method).rtol;
        options.settings.atol = options.settings.rtol / 100;
        options.invariants = known_invariants(system);
        const Trajectory run = trajectory(flow, y, options);
        CHECK_FALSE(run.failure);
        if (c["expected"].value("energy_conserved", false)) {
          REQUIRE_FALSE(run.drift.empty());
          CHECK(run.drift[0].relative() < 1e-12);
        }
        const auto found = final_values(run);
        double worst = 0;
        for (const auto& [quantity, text] : wanted["final"].items()) {
          const double value = number(text);
          worst = std::max(worst, std::abs(found.at(quantity) - value) / std::max(1.0, std::abs(value)));
          ++compared;
        }
        const double allowed = method == "taylor" ? 1e-13 : 2e-12;
        if (worst < allowed) continue;
        // Euler angles near their pole: what is rounded at the start, or left out of a step, has grown by then. Anything else
        // must reach the digits of double.
        CHECK(name == "ball_turntable");
        const double growth = sensitivity(flow, y, options);
        CAPTURE(growth);
        CHECK(growth > 100);
        CHECK(worst < std::min(5e-10, allowed * growth));
      }
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("initial states that are incomplete, singular or impossible") {
  const auto start = [](const std::string& name, const Assignments& change = {}, bool project = false) {
    std::ifstream file("tests/literature/cases/" + name + ".json");
    const System system = read_model(as_model(ordered_json::parse(file)), name + ".toml");
    return initial_state(Flow(with_initial_values(system, change)), {project, 0});
  };
  const auto slug = [&](const std::string& name, const Assignments& change = {}) -> std::string {
    try {
      start(name, change);
    } catch (const Error& error) {
      CHECK_FALSE(error.fix.empty());
      CHECK_FALSE(error.where.empty());
      return error.slug;
    }
    return "";
  };
  CHECK(slug("initial_missing") == "");  // completed: y' = x'
  CHECK(start("initial_missing").back() == doctest::Approx(1));
  CHECK(slug("initial_singular") == "singular-state");
  CHECK(slug("initial_violates_constraint") == "off-constraint");
  CHECK(slug("initial_violates_constraint", {{"z'", "0"}}) == "");
  // z' = y x' = 0 is dropped, the metric being Euclidean: x' = 1 and y' = 0 stay.
  const std::vector<double> projected = start("initial_violates_constraint", {}, true);
  CHECK(projected.size() == 5);
  CHECK(std::abs(projected[3]) + std::abs(projected[4]) == doctest::Approx(1));
}
