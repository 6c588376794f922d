#pragma once
/// All roots of a polynomial with real coefficients, each in a box of its own (Arb).

#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {

/// A box of the complex plane that contains one root; `is_real` is certain, and so is its contrary.
struct EnclosedRoot {
  Ball re, im;
  bool is_real = false;
};

/// The roots of c_0 + c_1 x + … + c_n x^n, real ones first, by real and then by imaginary part. Nothing when they cannot be
/// told apart with this precision: multiple roots, or a leading coefficient that may be zero.
std::optional<std::vector<EnclosedRoot>> polynomial_roots(std::span<const Ball> coefficients,
                                                          long bits = 256);

}  // namespace rattleback
