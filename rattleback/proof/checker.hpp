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

/// (1) The structure coefficients belong to the frame, [X_i, X_j] = C_ij^k X_k, and it keeps rotations rotations.
/// (2) The velocities v = ψ(q, z) satisfy the constraints, and by the ranks of ∂ψ/∂z and ∂C/∂v all that do are such.
/// (3) The motion obeys d'Alembert's principle, and a regular metric on D leaves no other,
///     (d/dt ∂L/∂v^i − X_i L + C_il^m v^l ∂L/∂v^m − Q_i) ∂ψ^i/∂z^α = 0.                                       (M.8)
/// (4) The function is constant along it; or the density satisfies (M.7); or a multiplier, at fixed momenta or not, (C.33); or
///     momenta (C.34); or a Lagrangian has the motion among its own; or multipliers make it variational; or it is extremal for a
///     cost (C.39). Or there is no multiplier (C.36), no Lie bracket (C.37), no regular Lagrangian, no multipliers (C.38).
/// Throws Error[bad-certificate] for data that is not a certificate.
std::vector<CheckedStep> check_certificate(const Data& certificate);

/// What the certificate is about, a line each: claim, configuration, speeds, Lagrangian, constraints, forces. A proof of
/// something else proves nothing, so a reader compares these with what he asked.
std::vector<std::string> stated_in(const Data& certificate);

}  // namespace rattleback
