#pragma once
// Random constrained systems with every structure the forms speak of, the same in every run.

#include "random_geometry.hpp"

#include <rattleback/geometry/connection.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback::inline tests {

class RandomSystems {
 public:
  explicit RandomSystems(unsigned seed) : random_(seed) {}

  /// v^a + A^a_α v^α = 0 on base × fibre, L = ½ g(v, v) − V. The functions depend on `seen` only; g is a sum of squares, so
  /// positive.
  System system(const Space& Q, int base, const Space& seen) {
    System s;
    s.space = Q;
    const int n = Q.dimension(), last = static_cast<int>(seen.functions().size()) - 1;
    std::vector<Expr> v(Q.velocities().begin(), Q.velocities().end());
    std::vector<Expr> terms{-function(seen)};
    for (int i = 0; i < n; ++i) {
      Expr w = v[static_cast<std::size_t>(i)];
      for (int j = i + 1; j < n; ++j) {
        const Expr q = seen.functions()[static_cast<std::size_t>(random_.integer(0, last))];
        w += (random_.integer(0, 1) == 0 ? Expr(random_.integer(1, 3)) : q) * v[static_cast<std::size_t>(j)];
      }
      terms.push_back(Expr(random_.integer(1, 3)) * w * w / 2);
    }
    s.lagrangian = sum(terms);
    for (int a = base; a < n; ++a) {
      Expr c = v[static_cast<std::size_t>(a)];
      for (int alpha = 0; alpha < base; ++alpha) c += coefficient(seen) * v[static_cast<std::size_t>(alpha)];
      s.constraints.push_back({.name = "c" + std::to_string(a), .expression = c});
    }
    return s;
  }
  /// A system whose functions see all coordinates.
  System voronets(int base, int fibre) {
    const Space Q = plane("r", base) * plane("s", fibre);
    return system(Q, base, Q);
  }
  /// A system whose functions see the base only: s is cyclic, or G moves the fibre.
  System chaplygin(int base, const Space& fibre) {
    const Space r = plane("r", base);
    return system(r * fibre, base, r);
  }
  static Space plane(const std::string& name, int n) {
    std::vector<Factor> lines;
    for (int i = 1; i <= n; ++i) lines.push_back(line(name + std::to_string(i), i));
    return Space(lines);
  }

 private:
  Expr function(const Space& seen) { return random_.function(seen); }
  /// Linear in every coordinate, so that curvatures do not vanish by accident.
  Expr coefficient(const Space& seen) {
    Expr f = random_.integer(1, 3);
    for (const Symbol q : seen.functions()) f += Expr(random_.integer(1, 9)) * q;
    return f;
  }
  RandomGeometry random_;
};

}  // namespace rattleback::inline tests
