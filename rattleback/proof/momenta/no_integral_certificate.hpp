#pragma once
/// Certificates that an ansatz contains no integral besides the energy.

#include <optional>
#include <vector>

#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/momenta/integral_search.hpp>

namespace rattleback {

/// Σ c_j φ_j = a E + b: a combination that is constant, and is none that counts.
struct TrivialIntegral {
  std::vector<std::pair<Expr, Rational>> terms;  ///< φ_j, c_j
  Rational energy, constant;                     ///< a, b
};

/// `constant` spans the combinations that are constant modulo the prime: each of them is trivial, exactly. With as many as the rank of
/// the rates leaves, that is a proof. Nothing when parameters are left, when points modulo the prime do not prove ranks, or when it takes too
/// much work.                                                                                              (W.7)
std::optional<std::vector<TrivialIntegral>> trivial_integrals(const IntegralSearch& search,
                                                              const std::vector<Residues>& constant);

/// The ansatz as products, and the trivial integrals in it.
Data no_integral_certificate(const IntegralSearch& search, const std::vector<TrivialIntegral>& trivial);

}  // namespace rattleback
