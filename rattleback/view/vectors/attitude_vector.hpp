#pragma once
/// Vectors that depend on the attitude of a body through one axis of space, written in that axis γ: s γ + c, D γ + c, or
/// D γ/√⟨γ, D γ⟩ + c, as the vector to the lowest point of a sphere, an ellipsoid or a disk.

#include <optional>

#include <rattleback/view/vectors/body_motion.hpp>
#include <rattleback/view/vectors/vector_names.hpp>

namespace rattleback {

/// Exact values of m at simple attitudes, at these velocities Ω, all other coordinates 0; nothing at a pole.
std::optional<Matrix> value_at(const System& system, const BodyMotion& body, const Matrix& m,
                               const Matrix& attitude, const Matrix& Omega);
/// Rotations that carry axes to axes.
const std::vector<Matrix>& simple_attitudes();

/// `rows` are the space axes in the body, e.g. γ = Bᵀe_3, on which m depends. Nothing when it is of none of these shapes.
/// At random states; the caller proves it.
std::optional<CovariantTerm> attitude_vector(const System& system, const BodyMotion& body, const Matrix& m,
                                             const std::vector<std::pair<int, CovariantTerm>>& rows,
                                             VectorNames& names);

}  // namespace rattleback
