#pragma once
/// Jacobian matrix of the rates, as a function of exported programs: for implicit steppers, continuation and linear stability.

#include <rattleback/view/programs/motion_module.hpp>

namespace rattleback {

/// The module with the function `jacobian`: ∂(rate of state i)/∂(state j), row by row. Left out, with a note that says so, where functions without
/// a formula occur in the rates or the matrix would be a program of its own length: more than 40000 operations.
MotionModule with_jacobian(MotionModule module);

}  // namespace rattleback
