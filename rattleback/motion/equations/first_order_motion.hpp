#pragma once
/// Equations of a Lagrangian that is linear in the velocities: the coordinates are their own phase space.

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// q̇ from F_ij q̇^j = ∂_i H + ∂_t a_i − Q_i; no speeds. See model/system/first_order_form.hpp. Throws Error[form-does-not-apply] for other systems.
EquationsOfMotion first_order_equations(const System& system);

}  // namespace rattleback
