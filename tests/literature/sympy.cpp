// SymPy's own LagrangesMethod and KanesMethod as oracles, on systems written there by hand: tests/oracles/.
#include <cstdio>
#include <memory>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/motion/forms/multipliers.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

nlohmann::json references() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(RATTLEBACK_PYTHON " tests/oracles/sympy_mechanics.py 7", "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return nlohmann::json::parse(text);
}

/// The state of a reference; its coordinates must be those of the model, in order.
Numbers state_of(const System& system, const nlohmann::json& reference) {
  Numbers at;
  for (const Parameter& p : system.parameters)
    at.emplace(p.symbol, reference["parameters"].at(p.symbol.name()).get<double>());
  const auto q = system.space.functions(), v = system.space.velocities();
  REQUIRE(q.size() == reference["names"].size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    REQUIRE(q[i].name() == reference["names"][i].get<std::string>());
    at.emplace(q[i], reference["q"][i].get<double>());
    at.emplace(v[i], reference["v"][i].get<double>());
  }
  return at;
}

}  // namespace

TEST_CASE("SymPy's LagrangesMethod and KanesMethod give the same accelerations and multipliers") {
  std::map<std::string, std::pair<System, ConstrainedMotion>> derived;
  int by_lagrange = 0, by_kane = 0;
  for (const nlohmann::json& reference : references()) {
    const std::string model = reference["model"];
    CAPTURE(model);
    if (!derived.contains(model)) {
      System system = load_model(model);
      ConstrainedMotion motion = constrained_motion(system);
      derived.emplace(model, std::pair(std::move(system), std::move(motion)));
    }
    const auto& [system, motion] = derived.at(model);
    const Numbers at = state_of(system, reference);
    const auto near = [](double expected) { return doctest::Approx(expected).epsilon(1e-10).scale(1); };
    for (int i = 0; i < motion.accelerations.rows(); ++i)
      CHECK(evaluate(motion.accelerations[i], at) == near(reference["accelerations"][i].get<double>()));
    for (std::size_t s = 0; s < motion.rows.independent.size() && !reference["multipliers"].empty(); ++s) {
      const std::string name = system.constraints[static_cast<std::size_t>(motion.rows.independent[s])].name;
      CHECK(evaluate(motion.multipliers[static_cast<int>(s)], at) ==
            near(reference["multipliers"].at(name).get<double>()));
    }
    ++(reference["multipliers"].empty() ? by_kane : by_lagrange);
  }
  CHECK(derived.size() >= 12);
  CHECK(by_lagrange >= 36);
  CHECK(by_kane >= 12);
}
