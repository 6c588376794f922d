#pragma once
/// Schwartz-Zippel bounds: the probability that a nonzero expression vanishes at a random point.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// A nonzero function of degree d vanishes at a random point with probability at most d/q' (Schwartz, Zippel); every
/// root doubles the degree, and again the chance, because only points with square radicands are kept. Bits
/// −log2 of that bound, at least 1.
///
/// The degree is that of the numerator over a common denominator, counted along the graph: exact for sums, products
/// and quotients; a trigonometric function of Σ n_i x_i counts Σ |n_i| twice. For arguments that are not linear the
/// count is a heuristic.
int bits_per_point(Expr e, std::size_t roots);

}  // namespace rattleback
