#pragma once
/// Simplification by the orthonormality of rotation matrices, BᵀB = BBᵀ = 1: products from two rows are replaced by the third row.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Another entry of the matrix that `known` belongs to; 3·row + column, from 0.
Symbol rotation_entry(Symbol known, int entry);

/// A sum in which k·R·(B_ia B_ib + B_ja B_jb) has become k·R·(δ_ab − B_ca B_cb), with c the third row, as often as that is
/// possible; the same for columns; anything else unchanged. The pair may be a factor of a term; deeper subexpressions stay.
Expr with_third_row(Expr e);

}  // namespace rattleback
