#include <rattleback/proof/evidence/exceptional_parameters.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/positions.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/proof/evidence/parameter_locus.hpp>

namespace rattleback {
namespace {

// Work, not time: the same answer on every machine. Systems that come apart at all do so with a tenth of it.
constexpr std::size_t longest = 20'000;

/// Without the factors that never vanish.
Expr essential(Expr e) {
  const Assumptions factors = simplified({{e, Assumption::Kind::nonzero, ""}});
  return factors.size() == 1 ? factors.front().expression : e;
}

/// A component solved for one parameter after the other, each time for one that enters linearly. Empty when there is none.
SymbolMap solved_linearly(const System& system, const Locus& component) {
  SymbolMap solution;
  for (const Expr equation : component) {
    const Expr e = essential(substitute(equation, solution));
    if (vanishes_at_random_points(e)) continue;
    std::optional<Symbol> linear;
    for (const Symbol p : parameters_in(system, std::span(&e, 1))) {
      if (!contains(derivative(e, p), p)) linear = p;
    }
    if (!linear) return {};
    try {
      const Expr value = short_form(-substitute(e, {{*linear, Expr(0)}}) / derivative(e, *linear));
      for (auto& [earlier, formula] : solution) formula = short_form(substitute(formula, {{*linear, value}}));
      solution.emplace(*linear, value);
    } catch (const OutOfDomain&) {
      return {};  // a formula divides by what this equation makes zero
    }
  }
  return solution;
}

ParameterLocus locus_of(const System& system, std::span<const Expr> residuals) {
  const Budget for_equations(work_limits::exceptional_equations);
  return vanishing_locus(system, residuals);
}

}  // namespace

Exceptions exceptional_parameters(const System& system, std::span<const Expr> residuals,
                                  const std::function<bool(const System&)>& holds) {
  Exceptions found;
  std::size_t size = 0;
  for (const Expr e : residuals) size += std::min(written_size(e), longest);
  if (size >= longest && !parameters_in(system, residuals).empty()) {
    found.complete = false;
    return found;
  }
  try {
    const Budget budget(work_limits::exceptional_parameters);
    const ParameterLocus locus = locus_of(system, residuals);
    found.complete = locus.complete;
    for (std::size_t k = 0; k < locus.components.size(); ++k) {
      const auto component = tidied(locus.components[k]);
      if (!component) continue;
      SymbolMap solution = locus.solutions[k];
      if (solution.empty()) solution = solved_linearly(system, *component);
      if (solution.empty()) {
        found.complete = false;
        continue;
      }
      try {
        const System special = substituted(system, solution);
        const OnPositions there(special);
        if (holds(special)) found.components.push_back(*component);
      } catch (const OutOfDomain&) {
        continue;  // the constraints or the metric degenerate there
      }
    }
  } catch (const Exhausted&) {
    found.complete = false;
  }
  return found;
}

}  // namespace rattleback
