#pragma once
/// Runs that do not keep what the motion keeps: drifts that are large beside the terms of the conserved function. A function that is zero at
/// the start has terms that are not.

#include <span>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

struct GrossDrift {
  Drift drift;
  double size = 0;  ///< of the terms of the function: the larger one at the start and at the end
};

/// The drifts that are more than a thousandth of the terms of their functions, and more than 10⁻⁶ relatively. `invariants` are those of
/// the drifts, in the same order; a drift beyond them is compared with 1 and its initial value.
std::vector<GrossDrift> gross_drifts(const Flow& flow, std::span<const Invariant> invariants,
                                     std::span<const Drift> drifts, std::span<const double> start,
                                     std::span<const double> end, double until);

/// The sizes of functions at a state: |c|, |x|, the sum and the product of the sizes, the n-th power for n > 0, the root; the absolute
/// value of anything else. Rounding changes a function by a small part of its size.
std::vector<double> sizes_of_terms(const Flow& flow, std::span<const Expr> functions,
                                   std::span<const double> y, double t);

}  // namespace rattleback
