#pragma once
/// Modular image of a matrix of functions at random points: decides pivots and ranks.

#include <array>
#include <optional>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// One function at two points. Arithmetic with shadows follows arithmetic with functions, so after an elimination
/// step the new shadows need no new evaluation.
struct Shadow {
  std::array<ModP, 2> at{};

  Shadow() = default;
  Shadow(int integer) : at{ModP(integer), ModP(integer)} {}  // NOLINT: integers are functions
  bool is_zero() const { return at[0].is_zero() && at[1].is_zero(); }
  /// A zero at one of the points only: dividing there is impossible although the function is not zero.
  bool has_zero() const { return at[0].is_zero() || at[1].is_zero(); }
  friend Shadow operator+(Shadow a, Shadow b) {
    return combine(a, b, [](ModP x, ModP y) { return x + y; });
  }
  friend Shadow operator-(Shadow a, Shadow b) {
    return combine(a, b, [](ModP x, ModP y) { return x - y; });
  }
  friend Shadow operator*(Shadow a, Shadow b) {
    return combine(a, b, [](ModP x, ModP y) { return x * y; });
  }
  friend Shadow operator/(Shadow a, Shadow b) {
    return combine(a, b, [](ModP x, ModP y) { return x / y; });
  }

 private:
  template <class Op>
  static Shadow combine(Shadow a, Shadow b, Op op) {
    a.at = {op(a.at[0], b.at[0]), op(a.at[1], b.at[1])};
    return a;
  }
};

class ShadowMatrix {
 public:
  /// Throws Exhausted when no random point can be found (a root of a number that is no square modulo the prime).
  explicit ShadowMatrix(const Matrix& a);
  /// The same; where no such point is found because of many roots, with a free symbol in place of every root. What vanishes then, vanishes
  /// whatever the roots are; what does not, may vanish all the same: see require_nonzero.
  static ShadowMatrix with_free_roots(const Matrix& a);
  bool has_free_roots() const { return has_free_roots_; }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  Shadow& operator()(int i, int j) { return entries_[static_cast<std::size_t>(i) * columns_ + j]; }
  Shadow operator()(int i, int j) const { return entries_[static_cast<std::size_t>(i) * columns_ + j]; }
  /// The matrix at one of the points.
  ModularMatrix at(std::size_t point) const;

 private:
  int rows_, columns_;
  bool has_free_roots_ = false;
  std::vector<Shadow> entries_;
};

/// Throws Exhausted unless balls show at a real point that e does not vanish: for what shadows with free roots say.
void require_nonzero(Expr e);

/// Wrong with probability below 2^−this, when zero at both points is taken for zero: degree/p per point, for
/// degrees up to a few thousand.
inline constexpr int shadow_bits = 100;

}  // namespace rattleback
