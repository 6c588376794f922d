#pragma once
/// Primitive part of a vector of functions: common factors removed.

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// The vector divided by a common factor of its entries and multiplied by their denominators, where both are
/// found cheaply: (−2r cos²φ cos θ, −2r cos²φ sin θ, −sin 2φ) becomes (r cos φ cos θ, r cos φ sin θ, sin φ).
/// Always a nonzero multiple of v, so it spans the same line wherever the factor does not vanish.
Matrix primitive(const Matrix& v);

}  // namespace rattleback
