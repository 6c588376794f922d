#pragma once
/// The bracket of the motion that a certificate is about, formed again from the claimed system, on D* and after reduction.

#include <array>
#include <map>
#include <vector>

#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// The bracket on D* in the frame (X_i, ∂/∂p_α).
struct ClaimedBracket {
  const ClaimedSystem* claim;
  std::vector<Symbol> p;
  Matrix pi;
  std::vector<Expr> legendre;  ///< p_α(q, z(q, p)) − p_α

  int n() const { return static_cast<int>(claim->velocities.size()); }
  int dimension() const { return pi.rows(); }
  /// e_l[f].
  Expr slope(int l, Expr f) const;
  Matrix differential(Expr f) const;
  /// A[f] for a field A = A^l e_l.
  Expr along(const Matrix& A, Expr f) const;
  /// [A, B]^l = A[B^l] − B[A^l] + C_jk^l A^j B^k: the ∂/∂p_α commute with everything.
  Matrix bracket(const Matrix& A, const Matrix& B) const;
};
/// From `momentum_names` and `speeds_by_momenta`. Throws Error[bad-certificate].
ClaimedBracket claimed_bracket(const ClaimedSystem& claim, const Data& certificate);

/// Formulas on D*: of configuration, momenta and time. A speed would count as a constant. Throws Error[bad-certificate].
std::vector<Expr> formulas_on(const ClaimedBracket& b, const Data& list, std::size_t count);

/// J^{ijk} for i < j < k, where it is not zero as written.                                                 (W.3)
std::map<std::array<int, 3>, Expr> jacobiator_of(const ClaimedBracket& b);

/// One space with a bracket, D* or D*/G: covectors that vanish along the orbits.
struct ClaimedQuotient {
  std::vector<Matrix> orbits, covectors;
  Matrix raised;  ///< π γ_a as columns, Y_a in the frame
  Matrix tensor;  ///< π(γ_a, γ_b)

  int dimension() const { return static_cast<int>(covectors.size()); }
  /// The Y_a, then the orbits: what a Casimir is constant along.
  std::vector<Matrix> fields() const;
};
ClaimedQuotient quotient_of(const ClaimedBracket& b, std::vector<Matrix> orbits,
                            std::vector<Matrix> covectors);

/// J(γ_a, γ_b, γ_c) for a < b < c.
std::vector<Expr> jacobiator_on(const std::map<std::array<int, 3>, Expr>& J, const ClaimedQuotient& q);

/// The fields with the brackets [field i, field j] of earlier ones that `brackets` names.
std::vector<Matrix> with_brackets(const ClaimedBracket& b, std::vector<Matrix> fields, const Data& d);

}  // namespace rattleback
