#pragma once
/// When do all eigenvalues lie in the left half-plane, or on the imaginary axis? Exact conditions on the parameters.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/proof/evidence/inequality.hpp>

namespace rattleback {

/// det(λ − A) = λ^k (a_0 + a_1 λ + … + λ^n), k as large as possible.                                        (O.4)
struct SpectralStability {
  std::vector<Expr> coefficients;          ///< a_0, …, a_n = 1
  int zeros = 0;                           ///< k
  std::vector<std::vector<Expr>> factors;  ///< irreducible ones, as often as they occur: lowest first, last 1
  /// Some factor is even: with λ also −λ is an eigenvalue, and stability means that all λ² are real and negative.
  bool reversible = false;
  bool simple = true;  ///< no factor occurs twice
  bool semisimple =
      true;  ///< 0 and the roots of even factors have as many eigenvectors as their multiplicity: no growth
  /// All hold: Re λ < 0 for the other eigenvalues (Routh, Hurwitz), and λ² < 0 for those of even factors. One is violated
  /// strictly: some eigenvalue has a positive real part.
  std::vector<Inequality> conditions;
  bool decided = true;  ///< false: a factor is even and too long; its conditions are not given
};

/// The coefficients by Faddeev and LeVerrier in an exact field; for every irreducible factor the conditions are
///     Δ_1 > 0, …, Δ_n > 0 for the determinants of Hurwitz,                                                (O.5)
///     a_0 > 0;  or a_0 > 0, a_2 > 0, a_2² − 4 a_0 > 0;  or Hermite's for any degree in λ², when reversible.  (O.6)
/// Throws Exhausted when the thread's budget runs out.
SpectralStability spectral_stability(const Matrix& A);

/// dim ker f(A) = m deg f: the roots of f, each of multiplicity m, have m eigenvectors each. Otherwise
/// exp(tA) has terms t e^{λt}.                                                                                (O.9)
bool has_eigenvectors(const Matrix& A, const std::vector<Expr>& f, int multiplicity);

/// λ^k (λ^n + … + a_0), factored for people.
Expr characteristic_polynomial(const SpectralStability& of, Symbol lambda);

}  // namespace rattleback
