#pragma once
/// Lagrangians that are linear in the velocities: L = a_i(q, t) q̇^i − H(q, t). Point vortices, populations, massless charges.

#include <optional>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// F_ij = ∂_i a_j − ∂_j a_i, the two-form of a Lagrangian that is linear in the velocities, less the slopes of forces that are; nothing
/// for others, for spaces that have more than coordinates, and with constraints. Where F is invertible, Lagrange's equations
///     F_ij q̇^j = ∂_i H + ∂_t a_i − Q_i
/// are of first order: Dirac's reduction, with the q themselves as phase space.
std::optional<Matrix> first_order_form(const System& system);

/// Is there such a form, invertible at generic points?
bool is_first_order(const System& system);

}  // namespace rattleback
