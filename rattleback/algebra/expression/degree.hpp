#pragma once
/// Schwartz-Zippel bounds: the probability that a nonzero expression vanishes at a random point.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Returns −log2 of the bound, at least 1. A nonzero function of degree d vanishes at a random point modulo a prime q with
/// probability at most d/q (Schwartz, Zippel). Every square root multiplies the bound by 4: it doubles the degree, and only
/// points with square radicands are kept, half of all.
///
/// The degree is that of the numerator over a common denominator, counted along the graph. A sine or cosine counts 2; the
/// whole degree is then multiplied by the largest Σ |n_i| of an argument Σ n_i x_i. For arguments that are not linear the
/// count is a heuristic.
int bits_per_point(Expr e, std::size_t roots);

}  // namespace rattleback
