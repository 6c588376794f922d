#pragma once
/// Stability of rest from the potential alone, where its second variation is degenerate: V = x⁴/4 has a strict minimum.

#include <cstdint>

#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

enum class PotentialAtRest : std::uint8_t { strict_minimum, no_minimum, unknown };

/// V near a state of rest, at the model's parameter values, as a function of the coordinates that matter. Let its second variation be
/// nonnegative with kernel K; V is split into forms V_2 + V_3 + … of the degrees named. On K, with the other directions y at their best,
///     g_3(s) = V_3(s),   g_4(s) = V_4(s) − ½ bᵀ(s) H⁻¹ b(s),   b(s) = ∂V_3/∂y (s),  H = ∂²V_2/∂y²:            (O.15)
/// a positive definite g_4 (with g_3 = 0) makes the minimum strict, and rest is stable where the energy does not grow (Lagrange,
/// Dirichlet). g_3 ≠ 0, or g_4 < 0 somewhere: no minimum, and rest of a natural system is unstable (Kozlov, Palamodov). Where V_2 = 0 the
/// lowest form that does not vanish takes the place of g_4. Unknown where speeds, position constraints or other coordinates interfere.
PotentialAtRest potential_at_rest(const System& system, const SteadyFamily& family);

/// L = ½ g(v, v) − V without constraints and forces.
bool is_natural(const System& system);

}  // namespace rattleback
