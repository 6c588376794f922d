#pragma once
/// Verifies certificates with the algebra alone: nothing that searches or derives is used here.

#include <string>
#include <vector>

#include <rattleback/algebra/verdict.hpp>
#include <rattleback/proof/data.hpp>

namespace rattleback {

/// One thing that was recomputed.
struct CheckedStep {
  std::string what;
  Verdict verdict;
};

/// (1) The admissible velocities satisfy the constraints. (2) The motion obeys d'Alembert's principle,
///     (d/dt ∂L/∂v^i − X_i L + C_il^m v^l ∂L/∂v^m − Q_i) ∂ψ^i/∂z^α = 0.                                       (M.8)
/// (3) The function is constant along it, or the density satisfies (M.7).
/// Throws Error[bad-certificate] for data that is not a certificate.
std::vector<CheckedStep> check_certificate(const Data& certificate);

}  // namespace rattleback
