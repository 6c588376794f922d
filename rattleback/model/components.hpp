#pragma once
/// Resolves names of a model to functions or velocities of its space.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/geometry/action.hpp>

namespace rattleback {

/// The functions or velocities a name stands for: one symbol, the three of a vector, the nine of a matrix row by row;
/// empty when the name means something else.
std::vector<Symbol> symbols_named(const Scope& scope, const Space& space, const std::string& name);

/// The leg whose velocity is v; −1 when there is none.
int leg_of(const Space& space, Symbol v);
/// The factor of this name; nullptr when there is none.
const Factor* factor_named(const Space& space, const std::string& name);

}  // namespace rattleback
