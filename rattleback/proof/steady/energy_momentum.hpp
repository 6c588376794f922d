#pragma once
/// The energy-momentum method: stability from a combination of integrals that has a strict extremum.

#include <optional>
#include <vector>

#include <rattleback/proof/evidence/inequality.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// G = λ_i F_i, the energy F_0 among them, with dG = 0 at the steady motion. When its second variation is definite on
/// W = {δ : dF_i(δ) = 0}, then G ± K Σ (F_i − F_i°)² has a strict extremum for large K, and motions that start near stay
/// near.                                                                                                    (O.8)
struct EnergyMomentum {
  std::vector<Expr> integrals,
      multipliers;  ///< F_i, λ_i; those with λ_i = 0 only restrict W; the energy is the first
  std::vector<Inequality> conditions;  ///< all hold: the second variation is definite
  std::vector<Expr> nonzero;           ///< and none of these vanishes
};

/// At the model's parameter values, functions of the free symbols of the family. The integrals are functions of the
/// configuration and of the velocities; those with variables of the configuration that occur neither in the energy nor in the
/// rates are left out.
/// Nothing when no combination is stationary, or its second variation is not definite for any value.
std::optional<EnergyMomentum> energy_momentum(const System& system, const SolvedVelocities& v,
                                              const SteadyFamily& family, const std::vector<Expr>& integrals);

/// True when the motion rests, V depends on the coordinates of the small motions only, and its second derivatives and the mass matrix are
/// positive definite there. Whether the energy is conserved is not asked.                                     (O.7)
bool energy_has_minimum(const System& system, const SteadyFamily& family);

}  // namespace rattleback
