#pragma once
/// Normal forces of contacts that the coordinates keep closed, from Newton's law.

#include <optional>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {

/// The one contact that has no constraint on its gap, because the coordinates keep it closed; null unless there is exactly one.
const Contact* contact_without_normal(const System& system);

/// The weight of a unit of mass, upwards, where nothing acts but weight and contacts: g with V = ⟨g, Σ m_b r_b⟩.
std::optional<Matrix> weight_alone(const System& system);

/// For a contact whose gap vanishes identically, with n its normal, b running over the bodies that it places (over all bodies where it places none)
/// and C over the other contacts of these:
///     N = Σ_b m_b ⟨n, a_b + g⟩ − Σ_C ⟨n, F_C⟩,                                                          (A.9)
/// −g the acceleration of free fall, a_b the accelerations of the mass centres along the equations, F_C the forces already known. Every other
/// force is internal and cancels. Nothing where the normal force of another of these contacts is not known (only the sum is determined
/// so), or when something besides weight and contacts acts: forces, further constraints, energies beside the bodies'.
std::vector<Statement> implied_normal_reaction(const System& system, const EquationsOfMotion& equations,
                                               const Reactions& known);

}  // namespace rattleback
