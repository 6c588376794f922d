#include <rattleback/proof/variational/helmholtz.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/rational_combination.hpp>

namespace rattleback {
namespace {

/// ∂f^i/∂v^j.
Matrix slopes(const SecondOrderSystem& s) { return jacobian(s.f, s.v); }

Matrix connection(const SecondOrderSystem& s) { return Expr(Rational(-1, 2)) * slopes(s); }

/// Position of g_ij among the unknowns g_11, g_12, …, g_nn.
int unknown(int n, int i, int j) {
  if (i > j) std::swap(i, j);
  return i * n - i * (i - 1) / 2 + (j - i);
}

/// (g T)_ij = (g T)_ji as rows for the unknowns.
void add_symmetry(const Matrix& T, std::vector<std::vector<Expr>>& rows) {
  const int n = T.rows();
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      std::vector<Expr> row(static_cast<std::size_t>(n) * (n + 1) / 2, Expr(0));
      for (int k = 0; k < n; ++k) {
        row[static_cast<std::size_t>(unknown(n, i, k))] += T(k, j);
        row[static_cast<std::size_t>(unknown(n, j, k))] -= T(k, i);
      }
      rows.push_back(std::move(row));
    }
  }
}

/// g_ij R^j_kl + g_lj R^j_ik + g_kj R^j_li = 0.
void add_curvature(const SecondOrderSystem& s, const Matrix& T, std::vector<std::vector<Expr>>& rows) {
  const int n = T.rows();
  std::vector<Matrix> R;
  for (int k = 0; k < n; ++k) R.push_back(curvature_of(s, T, k));
  const auto r = [&](int j, int k, int l) { return R[static_cast<std::size_t>(k)](j, l); };
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      for (int l = k + 1; l < n; ++l) {
        std::vector<Expr> row(static_cast<std::size_t>(n) * (n + 1) / 2, Expr(0));
        for (int j = 0; j < n; ++j) {
          row[static_cast<std::size_t>(unknown(n, i, j))] += r(j, k, l);
          row[static_cast<std::size_t>(unknown(n, l, j))] += r(j, i, k);
          row[static_cast<std::size_t>(unknown(n, k, j))] += r(j, l, i);
        }
        rows.push_back(std::move(row));
      }
    }
  }
}

/// A^ij g_ij = 0 along Γ, where Γ(g) = g N + (g N)ᵀ: it must stay zero.
std::vector<Expr> carried(const SecondOrderSystem& s, const Matrix& N, const std::vector<Expr>& row) {
  const int n = s.dimension();
  std::vector<Expr> next = derivative_along(row, s.gamma());
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      const Expr A = row[static_cast<std::size_t>(unknown(n, i, j))];
      if (A.is_zero()) continue;
      for (int k = 0; k < n; ++k) {
        next[static_cast<std::size_t>(unknown(n, i, k))] += A * N(k, j);
        next[static_cast<std::size_t>(unknown(n, j, k))] += A * N(k, i);
      }
    }
  }
  return next;
}

Matrix as_matrix(const std::vector<std::vector<Expr>>& rows, int columns) {
  Matrix m(static_cast<int>(rows.size()), columns);
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < columns; ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return m;
}

Matrix symmetric(const Matrix& column, int n) {
  Matrix g(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) g(i, j) = column[unknown(n, i, j)];
  }
  return g;
}

}  // namespace

SymbolMap SecondOrderSystem::gamma() const {
  SymbolMap rates;
  for (std::size_t i = 0; i < q.size(); ++i) {
    rates.emplace(q[i], Expr(v[i]));
    rates.emplace(v[i], f[i]);
  }
  if (time) rates.emplace(*time, Expr(1));
  return rates;
}

std::vector<Expr> euler_lagrange(const SecondOrderSystem& s, Expr lagrangian) {
  std::vector<Expr> E = derivative_along(gradient(lagrangian, s.v), s.gamma());
  const std::vector<Expr> pull = gradient(lagrangian, s.q);
  for (std::size_t i = 0; i < E.size(); ++i) E[i] -= pull[i];
  return E;
}

Verdict is_lagrangian(const SecondOrderSystem& s, Expr lagrangian) {
  Verdict verdict = is_zero(euler_lagrange(s, lagrangian));
  if (proved(verdict) && rank(jacobian(gradient(lagrangian, s.v), s.v)) < s.dimension())
    return Refuted{{{}, "0", "the Hessian of the Lagrangian is singular"}};
  return verdict;
}

Matrix jacobi_endomorphism(const SecondOrderSystem& s) {
  const Matrix A = slopes(s);
  return derivative_along(A, s.gamma()) - Expr(2) * jacobian(s.f, s.q) - Expr(Rational(1, 2)) * (A * A);
}

Matrix nabla(const SecondOrderSystem& s, const Matrix& T) {
  const Matrix N = connection(s);
  return derivative_along(T, s.gamma()) + N * T - T * N;
}

Matrix curvature_of(const SecondOrderSystem& s, const Matrix& Phi, int k) {
  const int n = s.dimension();
  Matrix R(n, n);
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < n; ++l)
      R(j, l) = derivative(Phi(j, k), s.v[static_cast<std::size_t>(l)]) -
                derivative(Phi(j, l), s.v[static_cast<std::size_t>(k)]);
  }
  return R;
}

std::vector<HelmholtzCondition> helmholtz_conditions(const SecondOrderSystem& s, const Matrix& g) {
  const int n = s.dimension();
  const Matrix N = connection(s), gPhi = g * jacobi_endomorphism(s);
  const Matrix along = derivative_along(g, s.gamma()) - g * N - transpose(N) * transpose(g);
  HelmholtzCondition symmetric{"it is symmetric", {}},
      hessian{"its derivatives by the velocities are symmetric", {}},
      carried{"Gamma(g) = g N + (g N)^T", {along.entries().begin(), along.entries().end()}},
      algebraic{"g Phi is symmetric", {}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      symmetric.residuals.push_back(g(i, j) - g(j, i));
      algebraic.residuals.push_back(gPhi(i, j) - gPhi(j, i));
      for (int k = 0; k < n; ++k)
        hessian.residuals.push_back(derivative(g(i, j), s.v[static_cast<std::size_t>(k)]) -
                                    derivative(g(i, k), s.v[static_cast<std::size_t>(j)]));
    }
  }
  return {symmetric, hessian, carried, algebraic};
}

Verdict satisfies_helmholtz(const SecondOrderSystem& s, const Matrix& g) {
  if (rank(g) < s.dimension()) return Refuted{{{}, "0", "the multiplier is singular"}};
  std::vector<Expr> all;
  for (const HelmholtzCondition& condition : helmholtz_conditions(s, g))
    all.insert(all.end(), condition.residuals.begin(), condition.residuals.end());
  return is_zero(all);
}

AlgebraicMultipliers algebraic_multipliers(const SecondOrderSystem& s) {
  const int n = s.dimension(), unknowns = n * (n + 1) / 2;
  constexpr int most_derivatives = search_limits::helmholtz_derivatives.count;
  AlgebraicMultipliers x;
  std::vector<std::vector<Expr>> rows, curved;  // curved: of R, and carried along
  const Matrix N = connection(s);
  Matrix T = jacobi_endomorphism(s);
  for (x.order = 0; x.order < most_derivatives; ++x.order) {
    add_symmetry(T, rows);
    for (auto& row : curved) row = carried(s, N, row);
    add_curvature(s, T, curved);
    rows.insert(rows.end(), curved.begin(), curved.end());
    const Matrix all = as_matrix(rows, unknowns);
    const std::vector<int> independent = independent_columns(transpose(all));
    std::vector<std::vector<Expr>> kept;
    for (const int i : independent) kept.push_back(rows[static_cast<std::size_t>(i)]);
    rows = std::move(kept);
    const int now = static_cast<int>(rows.size());
    if (x.order > 0 && now == x.conditions) break;
    x.conditions = now;
    T = nabla(s, T);
  }
  const Matrix equations = as_matrix(rows, unknowns);
  const Matrix solutions = rows.empty() ? Matrix::identity(unknowns) : kernel(equations).basis;
  Matrix general(n, n);
  for (int c = 0; c < solutions.columns(); ++c) {
    x.basis.push_back(symmetric(solutions.column(c), n));
    general = general + Expr(Symbol::make(fmt::format("c{}_", c + 1))) * x.basis.back();
  }
  if (solutions.columns() > 0 && rank(general) == n)
    x.singular = Refuted{{{}, "", "a generic solution of the algebraic conditions is regular"}};
  else
    x.singular = is_zero(determinant(general));
  return x;
}

std::optional<Expr> lagrangian_in_ansatz(const SecondOrderSystem& s, const std::vector<Expr>& terms) {
  // The first coefficient that can be 1: Σ c_k E(terms_k) = −E(terms_first).
  std::vector<std::vector<Expr>> columns;
  for (const Expr t : terms) columns.push_back(euler_lagrange(s, t));
  for (std::size_t first = 0; first < terms.size(); ++first) {
    std::vector<std::vector<Expr>> others;
    std::vector<Expr> right = columns[first];
    for (Expr& e : right) e = -e;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (k != first) others.push_back(columns[k]);
    }
    const auto c = rational_combination(others, right);
    if (!c) continue;
    std::vector<Expr> sum_of{terms[first]};
    for (std::size_t k = 0, at = 0; k < terms.size(); ++k) {
      if (k != first) sum_of.push_back(Expr((*c)[at++]) * terms[k]);
    }
    if (const Expr L = sum(sum_of); proved(is_lagrangian(s, L))) return L;
  }
  return std::nullopt;
}

}  // namespace rattleback
