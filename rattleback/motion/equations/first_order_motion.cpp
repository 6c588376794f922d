#include <rattleback/motion/equations/first_order_motion.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

/// F and the right-hand side: Lagrange's b = r − F q̇ without accelerations.
std::vector<Step> steps_of(const System& system, const Matrix& F, const Matrix& right) {
  Step form{"the two-form F_ij = d_i a_j - d_j a_i of L = a_i v^i - H", "", {}};
  Step sides{"F_ij v^j = r_i", "", {}};
  for (int i = 0; i < F.rows(); ++i) {
    const std::string name = system.space.coordinate(i)->name();
    for (int j = i + 1; j < F.columns(); ++j)
      if (!F(i, j).is_zero())
        form.lines.push_back({fmt::format("F_{}{}", name, system.space.coordinate(j)->name()), F(i, j)});
    sides.lines.push_back({"r_" + name, right[i]});
  }
  return {form, sides};
}

}  // namespace

EquationsOfMotion first_order_equations(const System& system) {
  const auto form = first_order_form(system);
  if (!form)
    throw Inapplicable("form-does-not-apply", "the form `first-order` does not apply to this model",
                       "its Lagrangian is not linear in the velocities, or it has constraints",
                       "leave out --form");
  SymbolMap at_rest;
  for (const Symbol s : system.space.velocities()) at_rest.emplace(s, Expr(0));
  const Matrix F = short_form(*form);
  const Matrix right = short_form(-substitute(lagrange_equations(system).force, at_rest));
  const auto v = unique_solution(F, right);
  if (!v)
    throw Degenerate("degenerate-energy",
                     "the Lagrangian is linear in the velocities, and its two-form is degenerate",
                     "det F = 0: the equations do not determine every velocity",
                     "add the missing terms, or leave out the coordinates that have no motion of their own");
  EquationsOfMotion equations;
  equations.form = "first-order";
  equations.where = simplified(v->where);
  for (int i = 0; i < F.rows(); ++i)
    equations.velocities.emplace(system.space.velocities()[static_cast<std::size_t>(i)],
                                 short_form(v->x(i, 0)));
  for (const Symbol q : system.space.functions()) {
    equations.configuration.push_back(q);
    equations.configuration_rates.push_back(substitute(system.space.motion().at(q), equations.velocities));
  }
  equations.notes.emplace_back(
      "the Lagrangian is linear in the velocities: the equations are of first order, and the initial state "
      "is a position");
  equations.steps = steps_of(system, F, right);
  return equations;
}

}  // namespace rattleback
