#pragma once
// Random functions, fields and forms on spaces of every kind, the same in every run.

#include <random>

#include <rattleback/geometry/bivector.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/frame.hpp>

namespace rattleback::inline tests {

class RandomGeometry {
 public:
  explicit RandomGeometry(unsigned seed) : engine_(seed) {}

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  /// A short function of the space's functions: c₁ f g + c₂ h, with now and then a sine.
  Expr function(const Space& space) {
    return Expr(nonzero()) * atom(space) * atom(space) + nonzero() * atom(space);
  }

  VectorField field(const Space& space) {
    VectorField X(space);
    for (int i = 0; i < space.dimension(); ++i) X[i] = integer(0, 3) == 0 ? Expr(nonzero()) : function(space);
    return X;
  }
  OneForm one_form(const Space& space) { return {space, field(space).coefficients()}; }
  Form form(const Space& space, int degree) {
    Form w(space, degree);
    for (std::size_t k = 0; k < w.indices().size(); ++k) w[k] = function(space);
    return w;
  }
  Bivector bivector(const Space& space) {
    Bivector pi(space);
    for (int i = 0; i < space.dimension(); ++i) {
      for (int j = i + 1; j < space.dimension(); ++j) pi.set(i, j, function(space));
    }
    return pi;
  }
  /// Triangular with ones on the diagonal, so independent everywhere.
  Frame frame(const Space& space) {
    std::vector<VectorField> fields;
    for (int a = 0; a < space.dimension(); ++a) {
      VectorField X = VectorField::leg(space, a);
      for (int i = a + 1; i < space.dimension(); ++i) X[i] = function(space);
      fields.push_back(std::move(X));
    }
    return Frame(std::move(fields));
  }

 private:
  int nonzero() { return integer(0, 1) == 0 ? integer(1, 3) : -integer(1, 3); }
  Expr atom(const Space& space) {
    const Symbol q = space.functions()[static_cast<std::size_t>(
        integer(0, static_cast<int>(space.functions().size()) - 1))];
    if (q.role() == Role::rotation) return Expr(q);
    switch (integer(0, 3)) {
      case 0: return sin(Expr(q));
      case 1: return cos(Expr(q));
      default: return Expr(q);
    }
  }
  std::mt19937 engine_;
};

/// One space of every kind: coordinates, groups, products.
inline std::vector<Space> spaces() {
  return {Space({line("x"), line("y"), circle("phi")}),
          Space({special_euclidean_2("x", "y", "theta"), line("s")}), Space({special_orthogonal_3("B")}),
          Space({heisenberg("x", "y", "z")})};
}

/// The larger ones as well.
inline std::vector<Space> more_spaces() {
  std::vector<Space> all = spaces();
  all.push_back(Space({special_euclidean_3("B", "r")}));
  all.push_back(Space({special_orthogonal_3("B"), line("x"), circle("phi")}));
  return all;
}

}  // namespace rattleback::inline tests
