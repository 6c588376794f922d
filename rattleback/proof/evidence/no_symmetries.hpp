#pragma once
/// Proofs that a system has no infinitesimal symmetry at all, not only none of a certain shape.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

struct NoSymmetries {
  std::string method;  ///< of the proof
  std::string why;     ///< for a person
  /// For the certificate: the functions of (N.10), V first; without them it is (N.12).
  std::vector<std::pair<int, int>> invariants = {};
  bool on_positions = false;  ///< of N: independence was seen at random points, and there is no certificate
};

/// Two proofs are tried. Functions that every symmetry leaves alone separate the configurations (N.10). Or the metric
/// g = ∂²L/∂v∂v has constant coefficients in coordinates: ξ^C L = 0 has the part L_ξ g = 0, whose solutions are
///     ξ^i = a^i + S^i_j q^j,    g_ik S^k_j antisymmetric,    S^i_j = 0 for an angle q^j,                (N.12)
/// and no combination of these finitely many fields is a symmetry: the rank modulo a prime at random points is full, which
/// proves it.
std::optional<NoSymmetries> no_symmetries(const System& system);

/// On which parameters that depends: there are none as long as the differentials of (N.10) are independent and the metric is regular.
Dependence dependence_of(const System& system, const NoSymmetries& none);

}  // namespace rattleback
