#pragma once
/// Duplicate removal for steady motions: one that is another with some angles turned together is listed once.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

/// Directions c with c^q ∂e/∂q = 0 for all of the equations, c^q among −1, 0, 1: turning all these angles together changes nothing.
std::vector<SymbolMap> common_turns(std::span<const Expr> equations, const std::vector<Symbol>& angles);

/// The values of the angles differ by such turns, and by whole turns.
bool differ_by_turns(const SymbolMap& a, const SymbolMap& b, const std::vector<Symbol>& angles,
                     const std::vector<SymbolMap>& turns);

}  // namespace rattleback
