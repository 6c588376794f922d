#pragma once
/// Certificates that an ansatz contains no integral besides the energy.

#include <optional>
#include <vector>

#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/momenta/integral_search.hpp>

namespace rattleback {

/// Σ c_j φ_j = a E + b: a conserved combination that is a multiple of the energy, up to a constant.
struct TrivialIntegral {
  std::vector<std::pair<Expr, Rational>> terms;  ///< φ_j, c_j
  Rational energy, constant;                     ///< a, b
};

/// `constant`: a basis of the combinations that are conserved modulo the prime. Exact a and b for each of them; the exact space cannot be
/// larger, so that the ansatz contains no other integral. Nothing when one of them is not proved to be trivial, when parameters are left, when
/// ranks modulo the prime prove nothing, or when it takes too much work.                                     (W.7)
std::optional<std::vector<TrivialIntegral>> trivial_integrals(const IntegralSearch& search,
                                                              const std::vector<Residues>& constant);

/// The ansatz as products, and the trivial integrals in it.
Data no_integral_certificate(const IntegralSearch& search, const std::vector<TrivialIntegral>& trivial);

}  // namespace rattleback
