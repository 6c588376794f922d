// Conditions that `derive` states are necessary: where one fails, alone, the implicit equations are singular, the speeds are no coordinates or
// the rates are infinite.
#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/trial/condition_trial.hpp>
#include <rattleback/trial/random_model.hpp>

using namespace rattleback;

namespace {

constexpr double seconds = 5;

/// How many conditions stood; every one that is contradicted fails the test.
int necessary(const System& model, const std::string& name) {
  const auto rest = overconstrained(model);
  const System& system = rest ? rest->system : model;
  const Derivation found = derivation(system, {usual_formalism(system)}, false, seconds);
  int stood = 0;
  for (const EquationsOfMotion& equations : found.forms) {
    for (const Finding& f : try_conditions(system, equations)) {
      INFO(name << ": " << f.statement << ": " << f.detail);
      CHECK(f.result != Finding::Result::contradicted);
      stood += f.result == Finding::Result::stands ? 1 : 0;
    }
  }
  return stood;
}

}  // namespace

TEST_CASE("conditions on models of the zoo are necessary") {
  int stood = 0;
  for (const char* name : {"appell-hamel",
                           "ball-on-surface-of-revolution",
                           "cardan-gyroscope",
                           "chaplygin-sphere-euler",
                           "fake-exact",
                           "falling-disk",
                           "falling-disk-contact",
                           "iliyev",
                           "kapitza-pendulum",
                           "neumann",
                           "planar-pendulum",
                           "pursuit",
                           "quadratic-cone-particle",
                           "rolling-cone",
                           "rolling-disk-euler",
                           "slider-crank",

                           "snakeboard",
                           "suslov-euler",
                           "two-points-parallel",
                           "veselova-euler"})
    stood += necessary(load_model(name), name);
  CHECK(stood >= 10);
}

TEST_CASE("parallel trucks of a skateboard are no singular state") {
  const System system = load_model("skateboard");
  const Derivation found = derivation(system, {usual_formalism(system)}, false);
  const Expr parallel = parse("sin(front - rear)", system.scope);
  for (const Assumption& a : found.forms.front().where) CHECK(a.expression != parallel);
}

TEST_CASE("conditions on generated models are necessary") {
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const std::string text = random_model(random);
    try {
      necessary(read_model(text, "generated"), text);
    } catch (const Error&) {  // refused, as it should be
    }
  }
}
