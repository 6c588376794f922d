#pragma once
/// Newton and Euler's equations of several bodies in vectors, without reactions: two balls, a ball on a turntable, a body with a rotor.

#include <optional>

#include <rattleback/view/vectors/vector_equations.hpp>

namespace rattleback {

/// With partial velocities v_b = Σ_a ρ_ba × ω_a + Σ_s t_bs u_s + …, w_b = ω_a + Σ_s a_bs u_s, and L_b = J_b w_b, for each rotation and each
/// other speed, in space axes:
///     Σ_b L_b' = Σ_b (m_b v_b' − F_b) × (−ρ_ba),   Σ_b ⟨a_bs, L_b'⟩ + ⟨t_bs, m_b v_b' − F_b⟩ = Q_s.                     (X.4)
/// The velocities are recognised as in body_vectors.hpp and proved equal to their components; (X.4) is compared with Lagrange's equations at
/// random states. Nothing where a velocity is not recognised.
std::optional<VectorEquations> newton_euler_vectors(const System& system);

}  // namespace rattleback
