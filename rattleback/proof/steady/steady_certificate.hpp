#pragma once
/// Certificates of steady motions: their values, the factors of the characteristic polynomial, and signs at one point.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/steady/energy_momentum.hpp>
#include <rattleback/proof/steady/spectral_stability.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// A family as a person calls it, with symbols for the parameters.
struct SteadyClaim {
  const SteadyFamily* family;
  std::string point;
  std::vector<std::vector<Expr>> factors;  ///< of det(λ − A), lowest coefficient first, last 1
  std::vector<Inequality> conditions;
  std::optional<EnergyMomentum> extremum = {};  ///< at the model's parameter values
};

/// Left out: families along the group, families in other speeds than the equations have, and families on which a variable of the configuration
/// that occurs in the rates is not constant. Without the factors where an attitude is not in the spectrum. The point is that of the model's
/// parameter values, everything free being 1, or another simple number where 1 decides nothing. Null when nothing is left, the formulas
/// are too long or take too much work.
Data steady_certificate(const System& system, const std::vector<SteadyClaim>& claims);

}  // namespace rattleback
