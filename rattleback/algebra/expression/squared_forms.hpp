#pragma once
/// Energies are written in squares of velocities that have a meaning: (ψ̇ + φ̇ sin θ)².

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
