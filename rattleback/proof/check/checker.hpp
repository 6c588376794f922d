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
/// (2) The velocities v = ψ(q, z) satisfy the constraints, and no others do: rank ∂ψ/∂z + rank ∂C/∂v = n.
/// (3) Where the claim is about the motion: it obeys d'Alembert's principle, and a regular metric on D leaves no other,
///     (d/dt ∂L/∂v^i − X_i L + C_il^m v^l ∂L/∂v^m − Q_i) ∂ψ^i/∂z^α = 0.                                       (M.8)
/// (4) The claim itself: the table in checker.cpp has a row for each kind of certificate, with the function that checks it
///     (*_claim.hpp and *_claims.hpp in this folder).
/// Throws Error[bad-certificate] for data that is not a certificate.
std::vector<CheckedStep> check_certificate(const Data& certificate);

/// Every step is proved, none of them only at random points. False where work_limits::checking is exhausted or the certificate is null.
bool is_confirmed_exactly(const Data& certificate);

/// What the certificate is about, a line each: claim, configuration, speeds, Lagrangian, constraints, forces. A proof of
/// another statement proves nothing, so these lines are to be compared with the question.
std::vector<std::string> stated_in(const Data& certificate);

}  // namespace rattleback
