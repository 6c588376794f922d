#pragma once
/// Verifies certificates with the algebra alone: nothing that searches or derives is used here.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// One thing that was recomputed.
struct CheckedStep {
  std::string what;
  Verdict verdict;
};

/// (1) The structure coefficients belong to the frame, [X_i, X_j] = C_ij^k X_k, and it keeps rotations rotations.
/// (2) The velocities v = ψ(q, z) satisfy the constraints, and by the ranks of ∂ψ/∂z and ∂C/∂v all that do are such.
/// (3) Where the claim is about the motion: it obeys d'Alembert's principle, and a regular metric on D leaves no other,
///     (d/dt ∂L/∂v^i − X_i L + C_il^m v^l ∂L/∂v^m − Q_i) ∂ψ^i/∂z^α = 0.                                       (M.8)
/// (4) The claim itself, a row for each kind in checker.cpp: motion_claims.hpp, growth_claim.hpp, hamiltonian_claims.hpp,
///     control_claim.hpp, refutation_claims.hpp.
/// Throws Error[bad-certificate] for data that is not a certificate.
std::vector<CheckedStep> check_certificate(const Data& certificate);

/// Every step is proved, none of them only at random points. False where that takes too long, or there is no certificate.
bool is_confirmed_exactly(const Data& certificate);

/// What the certificate is about, a line each: claim, configuration, speeds, Lagrangian, constraints, forces. A proof of
/// something else proves nothing, so a reader compares these with what he asked.
std::vector<std::string> stated_in(const Data& certificate);

}  // namespace rattleback
