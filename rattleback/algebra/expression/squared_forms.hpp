#pragma once
/// Sums of squares of linear forms in the velocities: (ψ̇ + φ̇ sin θ)² instead of its expansion.

#include <optional>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

/// An expression with a name for every sum that it squares.
struct InSquaredForms {
  Expr expression;
  SymbolMap back;
};

/// Sums of velocities or momenta under a square, as e is written, as variables of their own: what multiplies their squares can
/// then be collected without writing them out. Nothing where e has none, or more than a person would name.
std::optional<InSquaredForms> in_squared_forms(Expr e);

}  // namespace rattleback
