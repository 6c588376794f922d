// `derive --format json` for every model: it parses, and its expressions are expressions of the model language again.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/view/results/equations.hpp>

using namespace rattleback;

namespace {

/// Names of the model, of the state and of the named parts, which may use earlier ones.
Scope scope_of(const System& system, const EquationsOfMotion& equations, const nlohmann::ordered_json& form) {
  Scope scope = system.scope;
  for (const Symbol s : equations.speeds) scope.define(s.name(), Expr(s));
  if (form.contains("parts")) {
    for (const auto& [name, value] : form["parts"].items())
      scope.define(name, parse(value.get<std::string>(), scope));
  }
  return scope;
}

}  // namespace

TEST_CASE("every model's JSON says what was derived, in the model language") {
  int models = 0;
  for (const std::string& name : zoo()) {
    CAPTURE(name);
    const System system = load_model(name);
    const EquationsOfMotion equations = straight_line_equations(system);
    const auto out = nlohmann::ordered_json::parse(as_json(system, {equations}));
    CHECK(out["schema"] == "rattleback.derive/1");
    CHECK(out["tensors"]["metric"].size() == static_cast<std::size_t>(system.space.dimension()));
    const auto& form = out["forms"][equations.form];
    CHECK(form["state"].size() == equations.configuration.size() + equations.speeds.size());
    const Scope scope = scope_of(system, equations, form);
    bool equal = true;
    for (const auto& [variable, rate] : form["rates"].items())
      equal = equal &&
              vanishes_at_random_points(parse(rate.get<std::string>(), scope) - equations.rate(variable));
    CHECK(equal);
    ++models;
  }
  CHECK(models >= 80);
}

TEST_CASE(
    "the derivation is in the JSON: frame, brackets, connection, curvature, bracket matrix, Gibbs' "
    "function") {
  const System system = load_model("vertical-disk");
  std::vector<EquationsOfMotion> forms;
  for (const char* form : {"hamel", "voronets", "bracket", "gibbs-appell"})
    forms.push_back(formalism(form).derive(system));
  const auto out = nlohmann::ordered_json::parse(as_json(system, forms));
  for (const EquationsOfMotion& equations : forms) {
    CAPTURE(equations.form);
    const auto& derivation = out["forms"][equations.form]["derivation"];
    REQUIRE(derivation.size() == equations.steps.size());
    for (std::size_t i = 0; i < equations.steps.size(); ++i) {
      CHECK(derivation[i]["title"] == equations.steps[i].title);
      CHECK(derivation[i]["lines"].size() == equations.steps[i].lines.size());
    }
  }
  CHECK(out["forms"]["gibbs-appell"].contains("gibbs_function"));
}
