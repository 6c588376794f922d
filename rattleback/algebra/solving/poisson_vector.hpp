#pragma once
/// Functions of a rotation matrix that depend on one row or column only: Poisson's vector γ = Bᵀe_k.

#include <optional>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

/// An expression with every rotation matrix replaced by the unit vector that it depends on.
struct InDirections {
  Expr expression;
  SymbolMap back;  ///< each component of a direction is an entry of a rotation matrix
};

/// e does not change when B is turned about the space axis k (B' = ê_k B) or the body axis k (B' = B ê_k): then it is a function
/// of the row or column k alone. What else of B occurs is replaced by its value in a matrix B(γ) with that row,
///     (b₁, b₂) = ((γ₂, −γ₁, 0), (γ₁γ₃, γ₂γ₃, −ρ²))/ρ,   ρ² = γ₁² + γ₂²,
/// from which ρ drops out, since B can also be turned by a half turn. Nothing when no matrix of e is of this kind, or the
/// exact form is out of reach.
std::optional<InDirections> in_directions(Expr e);

/// e with each rotation matrix on whose value it does not depend taken as the unit: of a uniform ball the attitude drops out,
/// but only after long calculations with all nine entries.
Expr without_idle_rotations(Expr e);

}  // namespace rattleback
