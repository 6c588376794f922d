#include <rattleback/view/results/stated_forces.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>

namespace rattleback {

std::vector<std::pair<std::string, Expr>> stated_forces(const System& system) {
  std::vector<std::pair<std::string, Expr>> rows;
  if (!system.bodies.empty() && system.potential && !system.potential->is_zero())
    rows.emplace_back("V", *system.potential);
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (system.forces[i].is_zero()) continue;
    rows.emplace_back(fmt::format("Q_{{{}}}", latex_name(leg_name(system.space, static_cast<int>(i)))),
                      system.forces[i]);
  }
  return rows;
}

std::string described(const System& system, const AbstractFunction& input) {
  std::string s = input.function.name();
  if (!input.about.empty()) s += ", " + input.about;
  if (const std::string unit = unit_of(system, std::string(input.function.name()));
      !unit.empty() && unit != "1")
    s += ", in " + unit;
  if (!input.value) return s;
  return s + (fits(*input.value, legible::law_of_an_input)
                  ? fmt::format("; in runs {} = {}", input.function.name(), text(*input.value))
                  : "; in runs as the model file states it");
}

std::string forces_in_latex(
    const System& system,
    const std::function<std::string(const std::vector<std::pair<std::string, Expr>>&)>& display) {
  std::string s;
  const auto rows = stated_forces(system);
  const bool has_potential = !rows.empty() && rows.front().first == "V";
  if (has_potential) s += "The potential energy, springs included, is\n" + display({rows.front()});
  if (rows.size() > (has_potential ? 1U : 0U))
    s += "The generalised forces without potential are\n" +
         display({rows.begin() + (has_potential ? 1 : 0), rows.end()});
  std::vector<std::string> inputs;
  for (const AbstractFunction& u : inputs_of(system)) inputs.push_back(latex_text(described(system, u)));
  if (!inputs.empty()) s += fmt::format("Control inputs are {}.\n", fmt::join(inputs, "; "));
  return s;
}

}  // namespace rattleback
