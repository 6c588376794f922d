/// The zoo tests itself: what a model's [known] table publishes is what the program finds.
#include <doctest/doctest.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/model/triage.hpp>
#include <rattleback/motion/energy.hpp>

using namespace rattleback;

namespace {

std::optional<std::string> known(const System& system, const std::string& key) {
  const Toml* value = system.known.find(key);
  return value == nullptr ? std::nullopt : std::optional(value->text);
}

}  // namespace

TEST_CASE("every model of the zoo is what its [known] table says") {
  const std::vector<std::string> names = zoo();
  CHECK(names.size() >= 80);
  int dofs = 0, growths = 0, integrabilities = 0, energies = 0;
  for (const std::string& name : names) {
    CAPTURE(name);
    const System system = load_model(name);
    const Triage found = triage(system);
    CHECK(found.problems.empty());
    CHECK_FALSE(system.title.empty());
    CHECK_FALSE(system.references.empty());
    if (const auto dof = known(system, "dof")) {
      ++dofs;
      CHECK(std::to_string(found.degrees_of_freedom()) == *dof);
    }
    if (const Toml* growth = system.known.find("growth_vector"); growth != nullptr) {
      ++growths;
      std::vector<int> published;
      for (const Toml& item : growth->items) published.push_back(std::stoi(item.text));
      CHECK(found.growth_vector == published);
    }
    if (const auto integrability = known(system, "integrability");
        integrability && !found.growth_vector.empty()) {
      ++integrabilities;
      CHECK((found.holonomic_dimension == found.rank) == (*integrability == "proved"));
    }
    if (const auto energy = known(system, "energy"); energy && found.degrees_of_freedom() > 0) {
      ++energies;
      const Verdict verdict = conserves_energy(system);
      CHECK(proved(verdict) == (*energy == "proved"));
      CHECK(refuted(verdict) == energy->starts_with("refuted"));
    }
  }
  CHECK(dofs >= 75);
  CHECK(growths >= 60);
  CHECK(integrabilities >= 60);
  CHECK(energies >= 60);
}
