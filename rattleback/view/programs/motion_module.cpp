#include <rattleback/view/programs/motion_module.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/operation_count.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/programs/code_names.hpp>

namespace rattleback {
namespace {

std::vector<MotionModule::Parameter> parameters_of(const System& system) {
  const SymbolMap values = parameter_values(system);
  std::vector<MotionModule::Parameter> parameters;
  for (const Parameter& p : system.parameters) {
    const auto found = values.find(p.symbol);
    std::optional<double> value;
    if (found != values.end()) value = evaluate(found->second, {});
    if (value && !std::isfinite(*value)) {
      throw located(
          TooLarge(
              "number-too-large",
              fmt::format("the value of `{}` is no number that a program can compute with", p.symbol.name()),
              std::isnan(*value) ? "it is not a number" : "it is larger than every double, 1.8e308",
              "choose units in which it is smaller"),
          p.place);
    }
    parameters.push_back({p.symbol, value, p.about});
  }
  return parameters;
}

/// In its short form, where that has fewer operations. Longer ones have none that would be found with little work.
Expr economical(Expr e) {
  constexpr std::size_t worth_shortening = search_limits::exported_formula.count;
  if (graph_size(std::span(&e, 1)) > worth_shortening) return e;
  const Expr brief = short_form(e);
  const auto operations = [](Expr x) { return operation_count(std::span(&x, 1)).operations; };
  return operations(brief) < operations(e) ? brief : e;
}

ModuleFunction rates(const EquationsOfMotion& equations) {
  ModuleFunction rhs{"rhs", "time derivative of the state", ModuleFunction::Of::state, {}};
  for (std::size_t i = 0; i < equations.configuration.size(); ++i)
    rhs.outputs.push_back({equations.configuration[i].name() + "'", equations.configuration_rates[i]});
  for (std::size_t a = 0; a < equations.speeds.size(); ++a)
    rhs.outputs.push_back({equations.speeds[a].name() + "'", equations.speed_rates[a]});
  return rhs;
}

ModuleFunction velocities(const System& system, const EquationsOfMotion& equations) {
  ModuleFunction f{"velocities", "velocities of the frame at a state", ModuleFunction::Of::state, {}};
  for (const Symbol v : system.space.velocities())
    f.outputs.push_back({v.name(), equations.velocities.at(v)});
  return f;
}

/// C^a(q, v, t) for every constraint, then f(q, t) for those that were given for positions.
ModuleFunction constraints(const System& system) {
  ModuleFunction f{
      "constraints", "zero where the constraints hold", ModuleFunction::Of::configuration_and_velocities, {}};
  for (const Constraint& c : system.constraints) f.outputs.push_back({c.name, c.expression});
  for (const Constraint& c : system.constraints) {
    if (c.position) f.outputs.push_back({c.name + ", position", *c.position});
  }
  return f;
}

ModuleFunction speeds(const EquationsOfMotion& equations) {
  ModuleFunction f{"speeds",
                   "speeds of the state that belong to admissible velocities",
                   ModuleFunction::Of::configuration_and_velocities,
                   {}};
  for (std::size_t a = 0; a < equations.speed_definitions.size(); ++a) {
    if (equations.speeds[a].role() != Role::multiplier)
      f.outputs.push_back({equations.speeds[a].name(), equations.speed_definitions[a]});
  }
  return f;
}

std::vector<Function> functions_to_supply(const std::vector<ModuleFunction>& members) {
  std::vector<Expr> roots;
  for (const ModuleFunction& f : members) {
    for (const Statement& s : f.outputs) roots.push_back(s.value);
  }
  std::vector<Function> functions = abstract_functions(roots);
  std::sort(functions.begin(), functions.end(), [](Function a, Function b) { return text(a) < text(b); });
  return functions;
}

/// sign is no function for a reader to supply.
Expr with_sign(const System& system, Expr e) {
  for (const AbstractFunction& f : system.functions)
    if (f.value && f.function == sign_function()) e = substitute(e, f.function, f.arguments, *f.value);
  return e;
}

void write_known_functions(const System& system, OpenFunctions open, std::vector<ModuleFunction>& members) {
  if (system.functions.empty()) return;
  for (ModuleFunction& f : members)
    for (Statement& s : f.outputs)
      s.value =
          open == OpenFunctions::parameters ? with_sign(system, s.value) : with_formulas(system, s.value);
}

}  // namespace

OpenFunctions open_functions_in(std::string_view language) {
  return language == "modelica" || language == "auto" ? OpenFunctions::formulas_of_the_model
                                                      : OpenFunctions::parameters;
}

MotionModule motion_module(const System& system, EquationsOfMotion equations, OpenFunctions open) {
  const Formalism& form = formalism(equations.form);
  if (form.agrees && equations.multipliers.empty()) {
    Reactions found = reactions_along(system, equations);
    equations.multipliers = std::move(found.multipliers);
    equations.reactions = std::move(found.reactions);
  }
  MotionModule module{as_identifier(system.name),
                      system.title.empty() ? system.name : system.title,
                      form.title,
                      system.time,
                      equations.configuration,
                      equations.speeds,
                      {system.space.velocities().begin(), system.space.velocities().end()},
                      {},
                      parameters_of(system),
                      {},
                      {},
                      equations.notes,
                      {}};
  for (const Expr definition : equations.speed_definitions)
    module.speed_texts.push_back(fits(definition, legible::in_a_sentence) ? text(definition)
                                                                          : "see speeds()");
  for (const Assumption& a : equations.where) {
    if (fits(a.expression, legible::in_a_sentence))
      module.where.push_back(text(a.expression) + (a.kind == Assumption::Kind::positive ? " > 0" : " != 0"));
  }
  module.members = {rates(equations), velocities(system, equations)};
  module.members.push_back({"energy",
                            "v dL/dv - L at a state",
                            ModuleFunction::Of::state,
                            {{"energy", economical(substitute(energy(system), equations.velocities))}},
                            true});
  if (!equations.multipliers.empty())
    module.members.push_back({"multipliers", "multipliers of the constraints at a state",
                              ModuleFunction::Of::state, equations.multipliers});
  if (!equations.reactions.empty())
    module.members.push_back({"reactions", "forces that the constraints exert, along each velocity",
                              ModuleFunction::Of::state, equations.reactions});
  for (ModuleFunction f : {speeds(equations), constraints(system)}) {
    if (!f.outputs.empty()) module.members.push_back(std::move(f));
  }
  write_known_functions(system, open, module.members);
  module.functions = functions_to_supply(module.members);
  return module;
}

}  // namespace rattleback
