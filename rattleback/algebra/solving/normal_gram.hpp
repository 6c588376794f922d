#pragma once
/// Gram determinant of the position constraints φ: scaled by it, the volume dq/dφ of N = {φ = 0} does not depend on how N is written.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

/// The first of the relations whose differentials are independent on N; the others follow from them near general points of N.
std::vector<Expr> independent_relations(std::span<const Expr> relations, std::span<const SymbolMap> legs);

/// det(A Aᵀ) with A_si = X_i φ_s for independent φ_s, over the legs X_i that move coordinates outside of sin and cos (over all legs when
/// those do not suffice). The volume of N is dq/dφ with φ scaled so that this is 1. It is 1 without relations, and for
/// z = f(other coordinates).
Expr normal_gram(std::span<const Expr> relations, std::span<const SymbolMap> legs);

/// tr Λ on N, where φ changes by X φ = Λ φ beside it: Λ = d(X φ) Aᵀ (A Aᵀ)⁻¹ for independent φ. `rates` are those of a field X tangent to N.
/// 0 where X keeps φ beside N, too.
Expr normal_spreading(std::span<const Expr> relations, std::span<const SymbolMap> legs,
                      const SymbolMap& rates);

}  // namespace rattleback
