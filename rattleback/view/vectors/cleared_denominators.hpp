#pragma once
/// Zero tests made light: functions are split by velocities, and roots that divide them are multiplied out.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// f vanishes just where all of these do: its value and slopes at rest, and its second derivatives, by the velocities that occur.
std::vector<Expr> parts_by_velocities(Expr f);

/// The functions times powers of the roots √P in them that leave no root and no P in a denominator: they vanish where the given ones do. Functions
/// that have no exact form stay as they are.
std::vector<Expr> without_roots_below(std::span<const Expr> functions);

}  // namespace rattleback
