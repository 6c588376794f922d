#pragma once
/// Name lookup in a model: from a name to the coordinates, velocities or factor of the space that it stands for.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/geometry/factor.hpp>
#include <rattleback/geometry/space.hpp>

namespace rattleback {

/// The functions or velocities a name stands for: one symbol, the three of a vector, the nine of a matrix row by row;
/// empty when the name means something else.
std::vector<Symbol> symbols_named(const Scope& scope, const Space& space, const std::string& name);

/// The scalar a name stands for: its meaning in the scope, or `omega3` for the third component of a vector `omega`, which is how
/// `derive` prints it. Nothing when the name means something else.
std::optional<Expr> scalar_named(const Scope& scope, const std::string& name);

/// The leg whose velocity is v; −1 when there is none.
int leg_of(const Space& space, Symbol v);
/// The factor of this name; nullptr when there is none.
const Factor* factor_named(const Space& space, const std::string& name);

}  // namespace rattleback
