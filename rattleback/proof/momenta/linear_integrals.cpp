#include <rattleback/proof/momenta/linear_integrals.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/momenta/integral_ansatz.hpp>
#include <rattleback/proof/momenta/integral_search.hpp>

namespace rattleback {
namespace {

bool is_of_first_degree(const IntegralSearch& search, Expr f) {
  return std::ranges::all_of(search.motion.speeds, [&](Symbol z) {
    return !contains(f, z) || std::ranges::all_of(search.motion.speeds, [&](Symbol w) {
      return derivative(derivative(f, z), w).is_zero();
    });
  });
}

bool depends_on_speeds(const IntegralSearch& search, Expr f) {
  return std::ranges::any_of(search.motion.speeds, [&](Symbol z) {
    return contains(f, z) && !vanishes_at_random_points(derivative(f, z));
  });
}

/// One speed z and an energy ½ g z² that is nothing else: √g z is constant where it is.
std::optional<Expr> root_of_energy(const IntegralSearch& search) {
  if (search.motion.speeds.size() != 1) return std::nullopt;
  const Symbol z = search.motion.speeds.front();
  const Expr E = substitute(energy(search.system), search.motion.velocities);
  const Expr g = derivative(derivative(E, z), z);
  if (g.is_zero() || !vanishes_at_random_points(E - g * pow(Expr(z), 2) * Expr(Rational(1, 2))))
    return std::nullopt;
  return pow(short_form(g), Expr(Rational(1, 2))) * z;
}

}  // namespace

std::vector<LinearIntegral> linear_integrals(const System& system, const EquationsOfMotion& motion) {
  std::vector<LinearIntegral> all;
  try {
    const Budget budget(work_limits::linear_integrals);
    IntegralSearch search(system, motion, integral_ansatz(system, motion));
    const auto keep_constant = [&](Expr f) {
      const Verdict constant = is_zero(derivative_along(f, search.rates));
      const auto* yes = std::get_if<Proved>(&constant);
      if (yes != nullptr) all.push_back({shortest(f), yes->why});
      return yes != nullptr;
    };
    if (const auto root = root_of_energy(search); root && keep_constant(*root)) return all;
    std::erase_if(search.ansatz, [&](Expr f) { return !is_of_first_degree(search, f); });
    constexpr std::size_t most = search_limits::functions_of_first_degree.count;  // simplest first
    if (search.ansatz.size() > most) search.ansatz.resize(most);
    search.known = position_relations(system);
    for (const Expr f : holonomic_integrals(system)) search.known.push_back(f);
    const auto found = independent_combinations(search);
    for (const Residues& x : found.value_or(std::vector<Residues>{})) {
      const auto f = system.parameters.empty() ? with_numbers(search, x) : with_parameters(search, x);
      if (!f || !depends_on_speeds(search, *f)) continue;
      keep_constant(*f);
    }
  } catch (const Exhausted&) {
    Budget::check();
  }
  return all;
}

}  // namespace rattleback
