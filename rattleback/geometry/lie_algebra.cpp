#include <rattleback/geometry/lie_algebra.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

Matrix basis_vector(int n, int a) {
  Matrix e(n, 1);
  e[a] = 1;
  return e;
}

Matrix bracket_of_columns(const StructureCoefficients& c, const Matrix& x, const Matrix& y) {
  const int n = c.dimension();
  Matrix z(n, 1);
  for (int d = 0; d < n; ++d) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (!c(a, b, d).is_zero() && !x[a].is_zero() && !y[b].is_zero())
          terms.push_back(c(a, b, d) * x[a] * y[b]);
      }
    }
    z[d] = sum(terms);
  }
  return z;
}

void require_antisymmetry(const std::vector<std::string>& basis, const StructureCoefficients& c) {
  const int n = c.dimension();
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      for (int d = 0; d < n; ++d) {
        const Expr rest = c(a, b, d) + c(b, a, d);
        if (vanishes_at_random_points(rest)) continue;
        throw Error("not-antisymmetric",
                    "the bracket [" + basis[a] + ", " + basis[b] + "] is not antisymmetric",
                    "[" + basis[a] + ", " + basis[b] + "] + [" + basis[b] + ", " + basis[a] +
                        "] has the component " + text(rest) + " along " + basis[d],
                    "give each bracket once, in one order");
      }
    }
  }
}

void require_jacobi(const std::vector<std::string>& basis, const StructureCoefficients& c) {
  const int n = c.dimension();
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      for (int d = b + 1; d < n; ++d) {
        const Matrix rest = jacobiator(c, a, b, d);
        for (int f = 0; f < n; ++f) {
          if (vanishes_at_random_points(rest[f])) continue;
          throw Error(
              "not-a-lie-algebra",
              "the brackets violate the Jacobi identity for " + basis[a] + ", " + basis[b] + ", " + basis[d],
              "[" + basis[a] + ", [" + basis[b] + ", " + basis[d] + "]] + cyclic has the component " +
                  text(rest[f]) + " along " + basis[f],
              "check the brackets of these three elements");
        }
      }
    }
  }
}

template <class Next>
std::vector<int> series(const LieAlgebra& g, Next next) {
  Matrix v = Matrix::identity(g.dimension());
  std::vector<int> dimensions{g.dimension()};
  while (true) {
    v = next(v);
    if (v.columns() == dimensions.back()) return dimensions;
    dimensions.push_back(v.columns());
  }
}

}  // namespace

LieAlgebra::LieAlgebra(std::vector<std::string> basis, StructureCoefficients c)
    : basis_(std::move(basis)), c_(std::move(c)) {
  if (static_cast<int>(basis_.size()) != c_.dimension())
    throw Bug("a Lie algebra needs one name per basis element");
  require_antisymmetry(basis_, c_);
  require_jacobi(basis_, c_);
}

Matrix bracket(const LieAlgebra& g, const Matrix& x, const Matrix& y) {
  return bracket_of_columns(g.c(), x, y);
}

Matrix jacobiator(const StructureCoefficients& c, int a, int b, int d) {
  const int n = c.dimension();
  const Matrix x = basis_vector(n, a), y = basis_vector(n, b), z = basis_vector(n, d);
  return bracket_of_columns(c, x, bracket_of_columns(c, y, z)) +
         bracket_of_columns(c, y, bracket_of_columns(c, z, x)) +
         bracket_of_columns(c, z, bracket_of_columns(c, x, y));
}

Matrix ad(const LieAlgebra& g, const Matrix& x) {
  const int n = g.dimension();
  Matrix m(n, n);
  for (int d = 0; d < n; ++d) {
    for (int b = 0; b < n; ++b) {
      for (int a = 0; a < n; ++a) m(d, b) += g.c(a, b, d) * x[a];
    }
  }
  return m;
}

Matrix ad_star(const LieAlgebra& g, const Matrix& x, const Matrix& mu) { return transpose(ad(g, x)) * mu; }

Matrix killing_form(const LieAlgebra& g) {
  const int n = g.dimension();
  Matrix kappa(n, n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      for (int d = 0; d < n; ++d) {
        for (int f = 0; f < n; ++f) kappa(a, b) += g.c(a, d, f) * g.c(b, f, d);
      }
    }
  }
  return kappa;
}

Matrix trace_form(const LieAlgebra& g) {
  Matrix t(1, g.dimension());
  for (int a = 0; a < g.dimension(); ++a) {
    for (int b = 0; b < g.dimension(); ++b) t(0, a) += g.c(a, b, b);
  }
  return t;
}

Verdict is_unimodular(const LieAlgebra& g) { return is_zero(trace_form(g).entries()); }

Matrix bracket_of_subspaces(const LieAlgebra& g, const Matrix& v, const Matrix& w) {
  Matrix all(g.dimension(), 0);
  for (int i = 0; i < v.columns(); ++i) {
    for (int j = 0; j < w.columns(); ++j) all = beside(all, bracket(g, v.column(i), w.column(j)));
  }
  return columns_of(all, independent_columns(all));
}

/// x is central iff c_ab^d x^a = 0 for all b, d.
Matrix centre(const LieAlgebra& g) {
  const int n = g.dimension();
  Matrix equations(n * n, n);
  for (int b = 0; b < n; ++b) {
    for (int d = 0; d < n; ++d) {
      for (int a = 0; a < n; ++a) equations(b * n + d, a) = g.c(a, b, d);
    }
  }
  return kernel(equations).basis;
}

std::vector<int> derived_series(const LieAlgebra& g) {
  return series(g, [&](const Matrix& v) { return bracket_of_subspaces(g, v, v); });
}

std::vector<int> lower_central_series(const LieAlgebra& g) {
  return series(g,
                [&](const Matrix& v) { return bracket_of_subspaces(g, Matrix::identity(g.dimension()), v); });
}

LieAlgebra direct_sum(const LieAlgebra& g, const LieAlgebra& h) {
  const int n = g.dimension(), m = h.dimension();
  std::vector<std::string> basis = g.basis();
  basis.insert(basis.end(), h.basis().begin(), h.basis().end());
  StructureCoefficients c(n + m);
  c.copy_block(0, g.c());
  c.copy_block(n, h.c());
  return {std::move(basis), std::move(c)};
}

}  // namespace rattleback
