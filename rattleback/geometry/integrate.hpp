#pragma once
/// Symbolic integration of one-forms: potentials of closed ones, integrating factors of integrable ones.
///
/// An answer is proved by differentiation before it is given; no answer means only that none was found.

#include <optional>
#include <vector>

#include <rattleback/geometry/distribution.hpp>

namespace rattleback {

/// f with df = α, for a closed α. Coordinates by successive integration; entries of rotation matrices when α is
/// linear in them.
std::optional<Expr> potential(const OneForm& alpha);

/// df = factor · α, so f is constant along every motion with α = 0.
struct Integral {
  Expr function, factor;
  Verdict proof;  ///< of df = factor · α
};
/// For one integrable one-form: exact; 1/α(X) for a symmetry X among translations, scalings and rotations (Lie);
/// a factor of one coordinate; a product of powers of the factors of its coefficients.
std::optional<Integral> integral(const OneForm& alpha);

/// Functions constant along D, independent of each other, as many as could be found; at most
/// holonomic_dimension(D).
std::vector<Expr> integrals(const Distribution& D);

}  // namespace rattleback
