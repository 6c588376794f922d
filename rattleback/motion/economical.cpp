#include <rattleback/motion/economical.hpp>

#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/exact_ring.hpp>
#include <rattleback/algebra/operation_count.hpp>

namespace rattleback {
namespace {

/// Longer expressions have no short form that would be found with little work.
constexpr std::size_t worth_shortening = 600;

Expr shortened(Expr e) { return graph_size(std::span(&e, 1)) <= worth_shortening ? short_form(e) : e; }

/// Replaces one formula after the other by its short form, where all together then need fewer operations.
void shorten_rates(EquationsOfMotion& equations) {
  std::size_t best = operations_of(equations);
  for (std::vector<Expr>* rates : {&equations.configuration_rates, &equations.speed_rates}) {
    for (Expr& rate : *rates) {
      const Expr as_built = rate;
      rate = shortened(rate);
      const std::size_t now = operations_of(equations);
      if (now < best) {
        best = now;
      } else {
        rate = as_built;
      }
    }
  }
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
  std::vector<Expr> rates = equations.configuration_rates;
  rates.insert(rates.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  return operation_count(rates).operations;
}

EquationsOfMotion economical_motion(const System& system, std::size_t work) {
  return economical_motion(system, projected_motion(system), work);
}

EquationsOfMotion economical_motion(const System& system, const ProjectedMotion& motion, std::size_t work) {
  EquationsOfMotion best = solved_motion(system, motion);
  const WorkLimit limit(work);
  EquationsOfMotion other = solved_motion(system, with_short_coefficients(motion));
  for (EquationsOfMotion* candidate : {&best, &other}) shorten_rates(*candidate);
  return operations_of(other) < operations_of(best) ? other : best;
}

}  // namespace rattleback
