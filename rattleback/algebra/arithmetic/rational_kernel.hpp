#pragma once
/// Rational reconstruction: exact solutions of linear equations from their solutions modulo the prime.

#include <optional>
#include <vector>

#include <rattleback/algebra/arithmetic/modular_field.hpp>

namespace rattleback {

/// The fraction n/d ≡ a with |n|, d < 2^30, when there is one; it is then the only one.
std::optional<Rational> reconstructed(ModP a);

/// Rational vectors that span {x : a·x = 0}, scaled to integers without common factor, their first entry positive.
/// Nothing when an entry is not the residue of a small fraction. An answer is a conjecture until it is verified.
std::optional<std::vector<std::vector<Rational>>> rational_kernel(const ModularMatrix& a);

}  // namespace rattleback
