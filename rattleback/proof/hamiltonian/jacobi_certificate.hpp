#pragma once
/// Certificates that the bracket of the motion is Poisson or is not, on D* and after reduction.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/hamiltonian/reduced_bracket.hpp>

namespace rattleback {

/// Jacobi's identity on D*/group; on D* itself when the group has no name.
struct BracketClaim {
  std::string group;
  const ReducedBracket* bracket;
  bool holds;  ///< the identity
  Casimirs casimirs;
  ConformalFactor conformal;  ///< on D* that there is none follows from D (J.5)
};

/// z(q, p), and for every space the orbits, the covectors and what is claimed (W.3), (W.5). Null when the formulas are too long or take too
/// much work.
Data jacobi_certificate(const System& system, const ConstrainedBracket& b,
                        const std::vector<BracketClaim>& claims);

}  // namespace rattleback
