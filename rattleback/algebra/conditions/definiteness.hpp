#pragma once
/// Definiteness of a symmetric matrix of functions: definite, semidefinite, indefinite, or it depends.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// The matrix is a sum of squares, Σ pivot_k (linear form)², and the signs of the pivots are its signature.
struct Definiteness {
  enum class Kind : std::uint8_t {
    positive_definite,  ///< everywhere: every pivot is positive
    negative_definite,
    positive_semidefinite,  ///< no pivot is negative, some vanish: identically (see `kernel`) or somewhere
    negative_semidefinite,
    indefinite,  ///< everywhere: pivots of both signs
    varies,      ///< the signature differs from place to place; `at` is a place where it is not positive
    unknown,
  };
  Kind kind = Kind::unknown;
  std::vector<Expr> pivots;  ///< simplified; minor_k = pivot_1 … pivot_k in the order chosen
  std::vector<int> order;    ///< the row each pivot belongs to
  Matrix kernel;             ///< columns: where the form vanishes identically
  std::optional<Counterexample> at;
};
Definiteness definiteness(const Matrix& a);

/// det of the first k rows and columns, k = 1, …, n.
std::vector<Expr> leading_principal_minors(const Matrix& a);

/// "positive definite", …
std::string text(Definiteness::Kind kind);

}  // namespace rattleback
