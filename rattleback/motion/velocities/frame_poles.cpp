#include <rattleback/motion/velocities/frame_poles.hpp>

#include <rattleback/algebra/conditions/assumptions.hpp>

namespace rattleback {

Assumptions poles_of(const Admissible& D) {
  std::vector<Expr> entries(D.psi.entries().begin(), D.psi.entries().end());
  entries.insert(entries.end(), D.drift.entries().begin(), D.drift.entries().end());
  return denominators(entries);
}

}  // namespace rattleback
