#include <rattleback/motion/programs/economical.hpp>

#include <numeric>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/operation_count.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// Longer expressions have no short form that would be found with little work.
constexpr std::size_t worth_shortening = search_limits::rates_for_programs.count;

Expr shortened(Expr e) { return graph_size(std::span(&e, 1)) <= worth_shortening ? short_form(e) : e; }

std::vector<Expr> all_rates(const EquationsOfMotion& equations) {
  std::vector<Expr> rates = equations.configuration_rates;
  rates.insert(rates.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  return rates;
}

/// A search takes no more work than what it may save is worth. Where nearly all of a formula is shared its short form, which is not,
/// saves nothing.
Expr shortened(Expr e, std::size_t unshared) {
  constexpr std::size_t work_per_operation = 10'000, nearly_all = 8;
  if (operation_count(std::span(&e, 1)).operations > nearly_all * unshared) return e;
  const Budget limit({.work = work_per_operation * unshared});
  return shortened(e);
}

/// Replaces one formula after the other by its short form, where all together then need fewer operations.
void shorten_rates(EquationsOfMotion& equations) {
  std::size_t best = operations_of(equations), at = 0;
  std::vector<std::size_t> unshared = unshared_operations(all_rates(equations));
  for (std::vector<Expr>* rates : {&equations.configuration_rates, &equations.speed_rates}) {
    for (Expr& rate : *rates) {
      const Expr as_built = rate;
      rate = shortened(rate, unshared[at++]);
      if (rate == as_built) continue;
      if (const std::size_t now = operations_of(equations); now < best) {
        best = now;
        unshared = unshared_operations(all_rates(equations));
      } else {
        rate = as_built;
      }
    }
  }
}

/// Fewer operations than these are out of reach for shorter rates: what several rates share stays.
std::size_t shared_operations(const EquationsOfMotion& equations) {
  const std::vector<std::size_t> unshared = unshared_operations(all_rates(equations));
  return operations_of(equations) - std::accumulate(unshared.begin(), unshared.end(), std::size_t{0});
}

ProjectedMotion with_short_coefficients(ProjectedMotion motion) {
  for (Expr& e : motion.configuration_rates) e = shortened(e);
  for (int a = 0; a < motion.metric.rows(); ++a) {
    motion.force[a] = shortened(motion.force[a]);
    for (int b = a; b < motion.metric.rows(); ++b)
      motion.metric(a, b) = motion.metric(b, a) = shortened(motion.metric(a, b));
  }
  return motion;
}

}  // namespace

std::size_t operations_of(const EquationsOfMotion& equations) {
  return operation_count(all_rates(equations)).operations;
}

EquationsOfMotion economical_motion(const System& system, std::size_t work) {
  return economical_motion(system, projected_motion(system), work);
}

EquationsOfMotion economical_motion(const System& system, const ProjectedMotion& motion, std::size_t work) {
  EquationsOfMotion best = solved_motion(system, motion);
  const Budget limit({.work = work});
  EquationsOfMotion other = solved_motion(system, with_short_coefficients(motion));
  if (operations_of(other) < operations_of(best)) std::swap(best, other);
  shorten_rates(best);
  if (shared_operations(other) >= operations_of(best)) return best;
  shorten_rates(other);
  return operations_of(other) < operations_of(best) ? other : best;
}

}  // namespace rattleback
