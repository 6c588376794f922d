#pragma once
/// Sherman-Morrison solution of systems whose matrix is constant plus a dyad.

#include <optional>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// A + s f fᵀ, where A and s depend on parameters only.
struct ConstantAndDyad {
  Matrix constant;
  Expr scale;
  std::vector<Expr> f;
};

/// G taken apart, where it is written that way: each entry is a sum of terms of which at most one moves, and the moving ones are
/// the products s f_a f_b as they stand. Nothing is searched for.
std::optional<ConstantAndDyad> constant_and_dyad(const Matrix& G);

/// Solves (A + s f fᵀ) x = b for a column b [Sherman and Morrison 1950]:
///     x = k − h s (f·k)/(1 + s f·h),   A k = b,  A h = f.                                                   (H.8)
/// One division for each evaluation, however many rows there are.
Matrix solve(const ConstantAndDyad& G, const Matrix& b);
/// The same as A x = b − f s (f·k)/(1 + s f·h): a few operations more, and shorter to write.
Matrix readable_solution(const ConstantAndDyad& G, const Matrix& b);

}  // namespace rattleback
