#pragma once
/// Structure coefficients of a frame, or structure constants of a Lie algebra: c(a, b, d) is c_ab^d.

#include <algorithm>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// [e_a, e_b] = c_ab^d e_d. Indices stand as on the page, lower before upper, counted from 0.        (F.3)
class StructureCoefficients {
 public:
  explicit StructureCoefficients(int dimension = 0) : n_(dimension) {}

  int dimension() const { return n_; }
  Expr& operator()(int a, int b, int d) {
    if (c_.empty()) c_.resize(static_cast<std::size_t>(n_) * n_ * n_);
    return c_[index(a, b, d)];
  }
  Expr operator()(int a, int b, int d) const { return c_.empty() ? Expr(0) : c_[index(a, b, d)]; }
  /// c_ab^d = value and c_ba^d = −value.
  void set(int a, int b, int d, Expr value) {
    (*this)(a, b, d) = value;
    (*this)(b, a, d) = -value;
  }
  /// The coefficients of one factor of a product, whose legs begin at `first`.
  void copy_block(int first, const StructureCoefficients& part) {
    if (part.all_zero()) return;
    for (int a = 0; a < part.n_; ++a) {
      for (int b = 0; b < part.n_; ++b) {
        for (int d = 0; d < part.n_; ++d) (*this)(first + a, first + b, first + d) = part(a, b, d);
      }
    }
  }
  /// A frame of commuting fields, such as a coordinate frame.
  bool all_zero() const {
    return std::all_of(c_.begin(), c_.end(), [](Expr e) { return e.is_zero(); });
  }
  friend bool operator==(const StructureCoefficients& x, const StructureCoefficients& y) {
    return x.n_ == y.n_ && (x.c_ == y.c_ || (x.all_zero() && y.all_zero()));
  }

 private:
  std::size_t index(int a, int b, int d) const { return (static_cast<std::size_t>(a) * n_ + b) * n_ + d; }
  int n_;
  std::vector<Expr> c_;  ///< empty while all are zero, so that coordinates cost nothing
};

}  // namespace rattleback
