#pragma once
/// How many infinitesimal symmetries a system has at most: Killing's equations, prolonged at one configuration.

#include <optional>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

/// Symmetries of L = ½ g(v, v) + A(v) − V under constraints a(v) = 0 satisfy linear equations in ξ and its first derivatives,
///     L_ξ g = 0,   (L_ξ dA)(·, e) = 0,   ξ[V] = 0,   (L_ξ a)(e) = 0 for e in D,                            (N.13)
/// and with a regular metric g a solution is determined by its value and its first derivatives at one configuration. The equations
/// and their derivatives up to an order d, at a random configuration modulo the prime, are linear equations for the derivatives of
/// ξ up to order d + 1 there; the dimension of their solutions bounds that of all symmetries, also of
/// those that are defined near a general configuration only. No ansatz, and the same in all coordinates. Position constraints: the same
/// on N, whose dependent coordinates are functions of the free ones.
///
/// Nothing is said where the space is not a chart, the metric is singular, or a position constraint is a product.
std::optional<int> most_symmetries(const System& system);

/// Where that is 0: on which parameters it depends. Not exhaustive on N, and where the equations that show it are many.
Dependence dependence_of_no_symmetry(const System& system);

/// What a field keeps: L and the forces, or the metric, the constraints and on D all forces, −dV among them, so that it carries motions to motions
/// as a shift along gravity does.
enum class Keeps { lagrangian, motion };
/// The same number for finding out whether there may be more: where N has parts it is the largest of some of them, and no bound for others.
std::optional<int> room_for_symmetries(const System& system, Keeps what);

}  // namespace rattleback
