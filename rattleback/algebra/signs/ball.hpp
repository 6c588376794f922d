#pragma once
/// Ball arithmetic (Arb): rigorous enclosures of values at rational points.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/arithmetic/flint.hpp>
#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

class Variety;
struct RealVarietyPoint;

/// An interval midpoint ± radius that certainly contains the number it stands for.
class Ball {
 public:
  Ball() { arb_init(value_); }
  Ball(const Rational& r, long bits) : Ball() { arb_set_fmpq(value_, r.raw(), bits); }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  bool contains_zero() const { return arb_contains_zero(value_) != 0; }
  bool is_positive() const { return arb_is_positive(value_) != 0; }  ///< certainly
  bool is_negative() const { return arb_is_negative(value_) != 0; }  ///< certainly
  bool is_finite() const { return arb_is_finite(value_) != 0; }
  double midpoint() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }
  double radius() const { return mag_get_d(arb_radref(value_)); }
  std::string text() const;  ///< "0.3127 ± 1e-17"

  const arb_struct* raw() const { return value_; }
  arb_struct* raw() { return value_; }

 private:
  arb_t value_;
};

/// A real point of the manifold with rational coordinates, drawn from the seed and the symbol alone: short decimals,
/// rotation matrices of integer quaternions, rational points of the sphere, positive values for positive symbols.
/// An abstract function is a sum of exponentials of its arguments, the same for all its derivatives. While an OnVariety lives
/// (variety.hpp), the point lies on that variety, unless coordinates of it are set.
class BallPoint {
 public:
  explicit BallPoint(std::uint64_t seed);
  std::uint64_t seed() const { return seed_; }
  Rational value(
      Symbol s) const;  ///< of any symbol but π; on a variety, some coordinates are rounded to 35 digits
  void set(Symbol s, const Rational& value);
  /// True when no point of the variety was found: then values of the coordinates that it binds mean nothing.
  bool is_lost() const;
  /// Is the value of s known by an enclosure only?
  bool is_enclosed(Symbol s) const;
  /// That enclosure; false where there is none with so many bits. Entries of matrices are left to their charts.
  bool enclosure(Symbol s, long bits, arb_struct* into) const;

  /// The same point as it was drawn or set, on no variety.
  BallPoint in_ambient_space() const;
  Rational drawn(Symbol s) const;
  /// A coordinate that is known by an enclosure only.
  void enclose(Symbol s, const Ball& b) { enclosures_[s] = b; }
  void forget_enclosures() { enclosures_.clear(); }
  /// A short decimal with a sign, or a positive one.
  Rational decimal(std::uint64_t key, bool positive) const;

 private:
  std::uint64_t seed_;
  const RealVarietyPoint* on_variety() const;

  std::unordered_map<Symbol, Rational> given_;
  std::unordered_map<Symbol, Ball> enclosures_;
  std::shared_ptr<const Variety> variety_;
  struct Solved;  ///< the point of the variety, and enclosures at several precisions
  mutable std::shared_ptr<Solved> solved_;
};

/// The values at a point, computed with that many bits. Nothing outside the real domain (a negative radicand, the
/// logarithm of a number that is not positive, a pole), or where the bits do not suffice to tell.
std::optional<std::vector<Ball>> evaluate_ball(std::span<const Expr> es, const BallPoint& at, long bits);
std::optional<Ball> evaluate_ball(Expr e, const BallPoint& at, long bits);

/// The value with 64, 128, … up to `most` bits until it excludes 0; then, and for a value that still contains 0, the
/// last one. Nothing outside the domain.
std::optional<Ball> evaluate_until_nonzero(Expr e, const BallPoint& at, long most = 1024);

}  // namespace rattleback
