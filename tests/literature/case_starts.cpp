/// The first moment of the reference cases: accelerations, multipliers and energy, computed elsewhere with 220 bits.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/formalism.hpp>

#include "case_model.hpp"

using namespace rattleback;

namespace {

double number(const std::string& decimal) { return std::stod(decimal); }

/// Parameters, time, coordinates and velocities; nothing where the case leaves some of them to the constraints.
std::optional<Numbers> start_of(const System& system, const ordered_json& run) {
  Numbers at;
  for (const auto& [symbol, value] : parameter_values(system)) at[symbol] = evaluate(value, {});
  at[system.time] = number(run.value("t0", "0"));
  const auto place = [&](Symbol s) {
    if (!run["initial"].contains(s.name())) return false;
    at[s] = evaluate(parse(run["initial"][s.name()].get<std::string>(), system.scope), at);
    return true;
  };
  for (const Symbol q : system.space.functions())
    if (!place(q)) return std::nullopt;
  for (const Symbol v : system.space.velocities())
    if (!place(v)) return std::nullopt;
  return at;
}

bool is_close(Expr e, const Numbers& at, const ordered_json& wanted) {
  const double x = evaluate(e, at), y = number(wanted);
  return std::abs(x - y) <= 1e-12 * std::max(1.0, std::abs(y));
}

}  // namespace

TEST_CASE("reference cases: accelerations, multipliers and energy at the start") {
  int accelerations = 0, multipliers = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/literature/cases")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const ordered_json c = ordered_json::parse(file);
    if (!c.contains("trajectories")) continue;
    for (const auto& run : c["trajectories"]) {
      const std::string name = entry.path().stem().string(), tag = run["tag"];
      CAPTURE(name);
      CAPTURE(tag);
      System system = read_model(as_model(c), name + ".toml");
      if (run.contains("parameters")) {
        std::vector<std::pair<std::string, std::string>> values;
        for (const auto& [p, value] : run["parameters"].items())
          values.emplace_back(p, value.get<std::string>());
        system = with_values(std::move(system), values);
      }
      const auto at = start_of(system, run);
      if (!at || !run.contains("accelerations_t0")) continue;
      const EquationsOfMotion equations = formalism("multipliers").derive(system);
      for (const auto& [q, wanted] : run["accelerations_t0"].items()) {
        CAPTURE(q);
        CHECK(is_close(equations.rate(q + "'"), *at, wanted));
        ++accelerations;
      }
      if (run.contains("energy_t0")) CHECK(is_close(energy(system), *at, run["energy_t0"]));
      if (!run.contains("multipliers_t0")) continue;
      REQUIRE(equations.multipliers.size() == run["multipliers_t0"].size());
      for (std::size_t a = 0; a < equations.multipliers.size(); ++a) {
        CAPTURE(equations.multipliers[a].name);
        CHECK(is_close(equations.multipliers[a].value, *at, run["multipliers_t0"][a]));
        ++multipliers;
      }
    }
  }
  CHECK(accelerations >= 90);
  CHECK(multipliers >= 35);
}
