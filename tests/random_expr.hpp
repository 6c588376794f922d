#pragma once
/// Random expressions for the laws: deterministic from a seed, small enough to read when a law fails.

#include <array>
#include <random>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback::testing {

class RandomExpr {
 public:
  explicit RandomExpr(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  /// Rational numbers, symbols x y z, parameters, sin and cos of angles; roots and exponentials when asked.
  Expr operator()(int depth, bool roots = false) {
    if (depth == 0) return leaf();
    switch (below(roots ? 8 : 6)) {
      case 0:
      case 1: return (*this)(depth - 1, roots) + (*this)(depth - 1, roots);
      case 2:
      case 3: return (*this)(depth - 1, roots) * (*this)(depth - 1, roots);
      case 4: return pow((*this)(depth - 1, roots), 1 + below(3));
      case 5: return angle();
      case 6: return sqrt(1 + pow((*this)(depth - 1, false), 2));
      default: return exp(symbol("y") * (1 + below(2)));
    }
  }

 private:
  Expr leaf() {
    static const std::array names{"x", "y", "z", "m", "a"};
    if (below(4) == 0) return Expr(Rational(below(9) - 4, 1 + below(3)));
    return symbol(names[static_cast<std::size_t>(below(5))]);
  }
  Expr angle() {
    const Expr theta = symbol(below(2) == 0 ? "theta" : "phi");
    const Expr argument = below(3) == 0 ? theta + symbol("phi") : theta * (1 + below(2));
    return below(2) == 0 ? sin(argument) : cos(argument);
  }
  std::mt19937 random_;
};

}  // namespace rattleback::testing
