/// Reference cases worked out independently, each with the answers that `check` has to find by itself.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/energy.hpp>

#include "case_model.hpp"

using namespace rattleback;
using nlohmann::ordered_json;

namespace {

/// Are the functions found and the functions expected functions of each other? The differentials span the same space.
bool same_integrals(const System& system, const std::vector<Expr>& found, const std::vector<Expr>& expected) {
  const auto q = system.space.functions();
  std::vector<Expr> both = found;
  both.insert(both.end(), expected.begin(), expected.end());
  const int r = rank(jacobian(found, q));
  return r == static_cast<int>(expected.size()) && rank(jacobian(expected, q)) == r &&
         rank(jacobian(both, q)) == r;
}

void check_expected(const System& system, const Triage& found, const ordered_json& expected) {
  if (expected.contains("dof")) CHECK(found.degrees_of_freedom() == expected["dof"].get<int>());
  if (expected.contains("constraint_rank")) CHECK(found.rank == expected["constraint_rank"].get<int>());
  if (expected.contains("growth_vector") && expected["growth_vector"].is_array()) {
    CHECK(found.growth_vector == expected["growth_vector"].get<std::vector<int>>());
  }
  if (expected.contains("holonomic") && !found.constraints.empty()) {
    CHECK((found.holonomic_dimension == found.rank) == expected["holonomic"].get<bool>());
  }
  if (expected.contains("integrable_codim"))
    CHECK(found.holonomic_dimension == expected["integrable_codim"].get<int>());
  if (expected.contains("holonomic_integrals")) {
    std::vector<Expr> integrals;
    for (const std::string f : expected["holonomic_integrals"]) integrals.push_back(parse(f, system.scope));
    CHECK(same_integrals(system, found.integrals, integrals));
  }
  if (expected.contains("energy_conserved")) {
    const bool conserved = expected["energy_conserved"].get<bool>();
    // A motion without freedom is a statement about one curve; the energy test is about all states.
    if (found.degrees_of_freedom() > 0) CHECK(proved(conserves_energy(system)) == conserved);
  }
}

}  // namespace

TEST_CASE("reference cases") {
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/literature/cases")) {
    if (entry.path().extension() != ".json") continue;
    ++cases;
    std::ifstream file(entry.path());
    const ordered_json c = ordered_json::parse(file);
    const std::string name = entry.path().stem().string(), status = c["expected"].value("status", "ok");
    CAPTURE(name);
    std::optional<System> system;
    try {
      system = read_model(as_model(c), name + ".toml");
    } catch (const Error& error) {
      CAPTURE(error.what());
      CHECK(status == "error");
      CHECK_FALSE(error.where.empty());
      CHECK_FALSE(error.fix.empty());
      continue;
    }
    const Triage found = triage(*system);
    if (c["expected"].contains("initial")) {
      // Initial states: what the constraints determine may be left out, what contradicts them is reported.
      if (name != "initial_missing") CHECK_FALSE(found.warnings.empty());
      continue;
    }
    CHECK(found.problems.empty() == (status != "error"));
    if (status == "ok, with warning") CHECK_FALSE(found.warnings.empty());
    if (status == "ok") check_expected(*system, found, c["expected"]);
  }
  CHECK(cases >= 34);
}
