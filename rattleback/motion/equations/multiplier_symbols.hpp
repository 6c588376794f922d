#pragma once
/// Placeholder symbols x'', lambda_NAME for accelerations and multipliers in equations that are printed before they are solved.

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/geometry/space.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {

/// v̇^i as symbols: x'' for x'.
Matrix acceleration_symbols(const Space& space);
/// λ_s as symbols, under the names of their constraints: lambda_blade.
Matrix multiplier_symbols(const System& system, const ConstraintRows& rows);

}  // namespace rattleback
