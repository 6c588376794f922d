#pragma once
/// The inverse problem of the calculus of variations: which second-order equations come from a Lagrangian?

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// q̈^i = f^i(q, q̇), and Γ = ∂_t + q̇ ∂_q + f ∂_q̇: Lagrangians and multipliers may depend on time.
struct SecondOrderSystem {
  std::vector<Symbol> q, v;
  std::vector<Expr> f;
  std::optional<Symbol> time = std::nullopt;

  int dimension() const { return static_cast<int>(q.size()); }
  SymbolMap gamma() const;
};

/// E_i(L) = Γ(∂L/∂q̇^i) − ∂L/∂q^i.                                                                     (C.18)
std::vector<Expr> euler_lagrange(const SecondOrderSystem& s, Expr lagrangian);
/// L is a regular Lagrangian of the system: E_i(L) = 0, and the Hessian is not singular.
Verdict is_lagrangian(const SecondOrderSystem& s, Expr lagrangian);

/// Φ^k_j = Γ(∂f^k/∂v^j) − 2 ∂f^k/∂q^j − ½ ∂f^l/∂v^j ∂f^k/∂v^l: twice the usual Jacobi endomorphism.       (C.19)
Matrix jacobi_endomorphism(const SecondOrderSystem& s);
/// ∇T = Γ(T) + N T − T N, N^i_j = −½ ∂f^i/∂v^j.                                                         (C.20)
Matrix nabla(const SecondOrderSystem& s, const Matrix& T);
/// R^j_kl = ∂Φ^j_k/∂v^l − ∂Φ^j_l/∂v^k, stored as row j of the matrix of (k, l).                            (C.21)
Matrix curvature_of(const SecondOrderSystem& s, const Matrix& Phi, int k);

/// Helmholtz' conditions on a multiplier g = ∂²L/∂v∂v: symmetric, ∂g_ij/∂v^k symmetric, ∇g = 0, g Φ symmetric.  (C.22)
struct HelmholtzCondition {
  std::string what;
  std::vector<Expr> residuals;
};
std::vector<HelmholtzCondition> helmholtz_conditions(const SecondOrderSystem& s, const Matrix& g);
Verdict satisfies_helmholtz(const SecondOrderSystem& s, const Matrix& g);

/// What g Φ, g ∇Φ, g ∇²Φ, … being symmetric, and the cyclic sums g R with their derivatives along Γ, leave of g: linear equations
/// over functions, taken until nothing new follows. No regular Lagrangian exists when every matrix left is singular.
struct AlgebraicMultipliers {
  std::vector<Matrix> basis;  ///< symmetric matrices that span what is left at a generic point
  int conditions = 0;         ///< independent equations
  int order = 0;              ///< how many ∇ were needed
  Verdict singular;  ///< det Σ c_k g_k = 0 for all c: proved means that there is no regular Lagrangian
};
AlgebraicMultipliers algebraic_multipliers(const SecondOrderSystem& s);

/// Σ c_k terms_k with numbers c_k that is a regular Lagrangian of the system, when there is one.
std::optional<Expr> lagrangian_in_ansatz(const SecondOrderSystem& s, const std::vector<Expr>& terms);

}  // namespace rattleback
