#pragma once
/// Bivectors on a space, in its frame, and the almost-Poisson brackets they define.

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

/// π = ½ π^{ij} X_i ∧ X_j with {f, g} = π(df, dg) = π^{ij} X_i(f) X_j(g).                            (B.1)
class Bivector {
 public:
  explicit Bivector(Space space) : space_(std::move(space)), pi_(space_.dimension(), space_.dimension()) {}
  /// Throws Bug unless the matrix is antisymmetric.
  Bivector(Space space, Matrix components);

  const Space& space() const { return space_; }
  Expr operator()(int i, int j) const { return pi_(i, j); }
  /// π^{ij} = value and π^{ji} = −value.
  void set(int i, int j, Expr value) {
    pi_(i, j) = value;
    pi_(j, i) = -value;
  }
  const Matrix& components() const { return pi_; }

 private:
  Space space_;
  Matrix pi_;
};

/// {f, g} = π^{ij} X_i(f) X_j(g).
Expr bracket(const Bivector& pi, Expr f, Expr g);

/// X_f with X_f[g] = {g, f}: (X_f)^i = π^{ij} X_j(f).                                                (B.2)
/// Sign: motion is ḟ = {f, H}, so the Hamiltonian vector field of H moves the system.
VectorField hamiltonian_vector_field(const Bivector& pi, Expr f);

/// Components of a trivector for i < j < k, in lexicographic order.
using Trivector = std::vector<Expr>;

/// J^{ijk} θ's for {{f, g}, h} + {{g, h}, f} + {{h, f}, g} = J(df, dg, dh):                           (B.3)
///     J^{ijk} = π^{lk} X_l(π^{ij}) − C_lm^k π^{li} π^{mj} + cyclic in i, j, k.
Trivector jacobiator(const Bivector& pi);

/// The Schouten bracket, normalised by polarisation: [P, P] = 2 J(P).                                (B.4)
Trivector schouten_bracket(const Bivector& P, const Bivector& Q);

/// Is π Poisson: does the Jacobi identity hold?
Verdict satisfies_jacobi(const Bivector& pi);

/// The generic rank, an even number.
int rank(const Bivector& pi);
/// One-forms α with π(α, ·) = 0: differentials of Casimirs, when they are exact.
std::vector<OneForm> null_forms(const Bivector& pi);

}  // namespace rattleback
