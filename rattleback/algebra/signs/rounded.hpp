#pragma once
/// Running error analysis: doubles with error bounds, a cheap filter before balls.

#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {

/// |true value − value| ≤ error; the error is inf or nan where nothing is known.
struct Rounded {
  double value = 0, error = 0;
  /// Certainly not 0.
  bool is_nonzero() const { return value > error || -value > error; }
};

/// The value at a point of rational coordinates. The bounds take every operation as exact up to four units in the last place, which
/// holds for those of the processor and is more than libraries of elementary functions are off. Nothing is known of
/// abstract functions, and outside the domain.
Rounded evaluate_rounded(Expr e, const BallPoint& at);

}  // namespace rattleback
