#include <rattleback/motion/equations/control_affine.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/inputs.hpp>

namespace rattleback {

ControlAffine control_affine_form(const System& system, const EquationsOfMotion& equations) {
  ControlAffine form;
  std::vector<Symbol> u;
  SymbolMap without;
  std::vector<Expr> rates = equations.configuration_rates;
  rates.insert(rates.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  for (const AbstractFunction& input : inputs_of(system)) {
    form.inputs.push_back(input.function.name());
    u.push_back(Symbol::make("#" + input.function.name()));
    without.emplace(u.back(), Expr(0));
    for (Expr& e : rates) e = substitute(e, input.function, input.arguments, Expr(u.back()));
  }
  if (u.empty()) return form;
  std::vector<Symbol> state = equations.configuration;
  state.insert(state.end(), equations.speeds.begin(), equations.speeds.end());
  form.fields.resize(u.size());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    form.drift.push_back({state[i].name(), short_form(substitute(rates[i], without))});
    for (std::size_t k = 0; k < u.size(); ++k) {
      const Expr g = derivative(rates[i], u[k]);
      for (const Symbol other : u)
        form.affine = form.affine && (!contains(g, other) || vanishes_at_random_points(derivative(g, other)));
      form.fields[k].push_back({state[i].name(), short_form(substitute(g, without))});
    }
  }
  return form;
}

}  // namespace rattleback
