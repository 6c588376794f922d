#include <rattleback/geometry/frame.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {

Frame::Frame(std::vector<VectorField> fields) : e_(std::move(fields)) {
  if (e_.empty() || dimension() != e_[0].space().dimension())
    throw Bug("a frame needs as many fields as dimensions");
  const std::optional<Solution> inverse = solve(as_columns(space(), e_), Matrix::identity(dimension()));
  if (!inverse) {
    throw Degenerate("dependent-frame", "the vector fields are not independent, so they are no frame",
                     "their determinant vanishes identically",
                     "replace the fields that are combinations of the others");
  }
  dual_ = inverse->x;
  where_ = inverse->where;
}

Coframe dual(const Frame& e) { return from_rows(e.space(), e.dual_matrix()); }

Frame dual_frame(const Coframe& theta) {
  if (theta.empty()) throw Bug("a coframe without forms");
  const Space& space = theta[0].space();
  return Frame(from_columns(space, inverse(as_rows(space, theta)).x));
}

/// With θ^d the dual coframe, θ^d(e_a) = δ^d_a, the definition (F.3) solves to
///     c_ab^d = θ^d([e_a, e_b]).                                                                     (F.4)
///
/// They are what Hamel's equations add to Lagrange's [Hamel 1904; Bloch–Marsden–Zenkov 2009]. A coordinate
/// frame has c = 0, a left-invariant frame has the structure constants of its group; D = span{e_a : a < r} is
/// integrable iff c_ab^d = 0 whenever a, b < r ≤ d.
///
/// Sign: c_ab^d = −dθ^d(e_a, e_b) (F.6). Texts that define the symbols from dθ carry the opposite sign.
StructureCoefficients structure_coefficients(const Frame& e) {
  const int n = e.dimension();
  const Coframe theta = dual(e);

  StructureCoefficients c(n);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {  // c_ba^d = −c_ab^d, so half the brackets suffice
      const VectorField X = bracket(e[a], e[b]);
      for (int d = 0; d < n; ++d) {
        c(a, b, d) = theta[d](X);
        c(b, a, d) = -c(a, b, d);
      }
    }
  }
  return c;
}

namespace {

/// [e_a, [e_b, e_d]]^f = e_a(c_bd^f) + c_bd^g c_ag^f.
Expr double_bracket(const Frame& e, const StructureCoefficients& c, int a, int b, int d, int f) {
  std::vector<Expr> terms{e[a](c(b, d, f))};
  for (int g = 0; g < e.dimension(); ++g) terms.push_back(c(b, d, g) * c(a, g, f));
  return sum(terms);
}

}  // namespace

std::vector<Expr> jacobiator(const Frame& e, const StructureCoefficients& c) {
  const int n = e.dimension();
  std::vector<Expr> all;
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      for (int d = b + 1; d < n; ++d) {
        for (int f = 0; f < n; ++f) {
          all.push_back(double_bracket(e, c, a, b, d, f) + double_bracket(e, c, b, d, a, f) +
                        double_bracket(e, c, d, a, b, f));
        }
      }
    }
  }
  return all;
}

Space in_frame(const Frame& e, const std::vector<Symbol>& velocities) {
  std::vector<SymbolMap> legs;
  for (const VectorField& X : e.fields()) {
    SymbolMap leg;
    for (const Symbol q : e.space().functions()) {
      if (const Expr image = X(Expr(q)); !image.is_zero()) leg.emplace(q, image);
    }
    legs.push_back(std::move(leg));
  }
  return e.space().in_frame(legs, structure_coefficients(e), velocities);
}

VectorField in_frame(const Space& adapted, const Frame& e, const VectorField& X) {
  VectorField Y(adapted);
  const Coframe theta = dual(e);
  for (int a = 0; a < e.dimension(); ++a) Y[a] = theta[a](X);
  return Y;
}

}  // namespace rattleback
