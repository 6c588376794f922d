#pragma once
/// Vector fields on the configurations of a claimed system, time included, and their brackets, by the algebra alone.

#include <utility>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// Components along X_1, …, X_n and, in the last place, along ∂/∂t: a column of n + 1.
using ClaimedField = Matrix;

/// A[f].
Expr along_field(const ClaimedSystem& claim, const ClaimedField& A, Expr f);
/// [A, B]^i = A[B^i] − B[A^i] + C_jk^i A^j B^k.                                                            (F.2)
ClaimedField field_bracket(const ClaimedSystem& claim, const ClaimedField& A, const ClaimedField& B);

/// ξ^C as a map: q ↦ ξ^i X_i q, v^i ↦ ∂_t ξ^i + v^j X_j ξ^i + C_jk^i v^j ξ^k.                                  (F.15)
SymbolMap complete_lift(const ClaimedSystem& claim, const std::vector<Expr>& xi);

/// ξ^C C on D, and ξ of the position constraints, for a lift ξ^C.
std::vector<Expr> turned_constraints(const ClaimedSystem& claim, const SymbolMap& lift);
/// ξ^C L and those: they vanish when Lagrangian, constraints and position constraints are invariant under ξ; forces are checked elsewhere.  (N.3)
std::vector<Expr> invariance_residuals(const ClaimedSystem& claim, const std::vector<Expr>& xi);
/// The same for each row of a matrix: generators of a group of symmetries.
std::vector<Expr> invariance_residuals(const ClaimedSystem& claim, const Matrix& generators);

/// X_α = ∂ψ/∂z^α, and last y + ∂/∂t with y = ψ at z = 0 where ψ has such a part or depends on time. Throws Error[bad-certificate]
/// when ψ is not affine in the speeds.
std::vector<ClaimedField> legs_of_D(const ClaimedSystem& claim);

/// X_α as columns, functions on Q alone. Throws Error[bad-certificate] where the constraints are not affine or depend on time.
Matrix legs_on_Q(const ClaimedSystem& claim);

/// A pair [i, j] of indices below the bound, of two fields or two functions; throws Error[bad-certificate].
std::pair<int, int> bracket_below(const Data& item, std::size_t bound);

/// Fields built by brackets: first those given, then [field a, field j] for each pair of the list.
struct BracketTree {
  std::vector<ClaimedField> fields;
  std::vector<std::pair<int, int>> pairs;  ///< of the fields after those given
  std::vector<int> length;                 ///< how many of the given ones a bracket [given one, W_j] contains
};
/// Reads the key `brackets` of the certificate: pairs [a, j] of earlier fields.
BracketTree bracket_tree(const ClaimedSystem& claim, const Data& certificate,
                         std::vector<ClaimedField> given);

/// The first `count` fields as columns.
Matrix side_by_side(const std::vector<ClaimedField>& fields, std::size_t count);

}  // namespace rattleback
