#pragma once
/// Rational points at which a Coq theorem shows that something does not vanish.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// Rational values for symbols, and rational points (c, s) of the circle for angles.
struct CoqPoint {
  std::vector<std::pair<Symbol, Rational>> plain;
  std::vector<std::pair<Symbol, std::pair<Rational, Rational>>> turned;
};

/// The value of an expression there; nothing where it has no rational one, or divides by zero.
std::optional<Rational> value_at(const CoqPoint& point, Expr e);
/// The same for every entry.
std::optional<Matrix> values_at(const CoqPoint& point, const Matrix& m);

/// √r of the square of a rational number.
std::optional<Rational> rational_root(const Rational& r);

/// A rational number in the syntax of Coq.
std::string rational_text(const Rational& r);

}  // namespace rattleback
