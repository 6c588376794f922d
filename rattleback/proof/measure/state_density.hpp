#pragma once
/// Densities that depend on the whole state, where none of the configuration alone is invariant.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

struct StateDensity {
  Expr rho;                            ///< with respect to dq dz
  std::vector<std::string> variables;  ///< q and z
  Certificate evidence;
};

/// ρ = Π f_i^{k_i} exp(Σ c_j q_j + Σ d_a z_a + c V) with Γ[log ρ] = −div Γ for the motion Γ on (q, z), f_i among the functions that the rates
/// divide by or take roots of, q_j coordinates of lines, z_a the speeds and V the potential energy: ρ is positive and smooth wherever the motion is
/// defined.                                                                                                  (M.10)
/// Nothing when no such product satisfies the equation.
std::optional<StateDensity> state_density(const System& system);

}  // namespace rattleback
