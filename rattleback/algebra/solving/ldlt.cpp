#include <rattleback/algebra/solving/ldlt.hpp>

#include <optional>
#include <tuple>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/modular/shadow.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {
namespace {

/// What is left of the matrix, and its shadow.
class Remainder {
 public:
  explicit Remainder(const Matrix& a)
      : m_(a), shadow_(ShadowMatrix::with_free_roots(a)), used_(static_cast<std::size_t>(a.rows()), false) {}

  Expr operator()(int i, int j) const { return shadow_(i, j).is_zero() ? Expr(0) : m_(i, j); }

  /// Is the diagonal entry without zeros?
  bool is_certain(int i) const {
    const auto [known, is_new] = certain_.try_emplace(m_(i, i), false);
    if (is_new) known->second = known_nonzero(m_(i, i));
    return known->second;
  }

  /// A diagonal entry that is not zero: positive ones first, then rows with few entries, which cause little fill.
  std::optional<int> pivot() const {
    std::optional<std::tuple<bool, std::size_t, int>> best;
    for (int i = 0; i < m_.rows(); ++i) {
      if (used_[i] || shadow_(i, i).has_zero()) continue;
      std::size_t fill = 0;
      for (int j = 0; j < m_.columns(); ++j) fill += !used_[j] && !shadow_(i, j).is_zero() ? 1 : 0;
      const std::tuple candidate(!is_certain(i), fill, i);
      if (!best || candidate < *best) best = candidate;
    }
    if (!best) return std::nullopt;
    const int i = std::get<2>(*best);
    if (shadow_.has_free_roots() && !is_certain(i)) require_nonzero(m_(i, i));
    return i;
  }

  /// m_ij −= m_ip m_pj / m_pp, for the rows and columns that are left.
  void eliminate(int p) {
    used_[p] = true;
    const Expr d = m_(p, p);
    const Shadow d_shadow = shadow_(p, p);
    for (int i = 0; i < m_.rows(); ++i) {
      if (used_[i] || (*this)(i, p).is_zero()) continue;
      const Expr factor = m_(i, p) / d;
      const Shadow factor_shadow = shadow_(i, p) / d_shadow;
      for (int j = i; j < m_.columns(); ++j) {
        if (used_[j] || (*this)(p, j).is_zero()) continue;
        m_(i, j) = m_(j, i) = (*this)(i, j) - factor * m_(p, j);
        shadow_(i, j) = shadow_(j, i) = shadow_(i, j) - factor_shadow * shadow_(p, j);
      }
    }
  }

  /// Throws Exhausted where it only looks so.
  void require_nonzero_entry(int i, int j) const {
    if (shadow_.has_free_roots()) require_nonzero(m_(i, j));
  }

  std::vector<int> unused() const {
    std::vector<int> rows;
    for (int i = 0; i < m_.rows(); ++i) {
      if (!used_[i]) rows.push_back(i);
    }
    return rows;
  }

 private:
  Matrix m_;
  ShadowMatrix shadow_;
  std::vector<bool> used_;
  mutable std::unordered_map<Expr, bool> certain_;
};

void require_zero(const Remainder& m) {
  for (const int i : m.unused()) {
    for (const int j : m.unused()) {
      if (m(i, j).is_zero()) continue;
      m.require_nonzero_entry(i, j);
      throw NoDiagonalPivot("no-diagonal-pivot",
                            "a symmetric matrix is indefinite and has no LDLᵀ decomposition",
                            "all diagonal entries that are left vanish, but not the others");
    }
  }
}

}  // namespace

LDLt ldlt(const Matrix& a) {
  if (a.rows() != a.columns()) throw Bug("LDLᵀ of a matrix that is not square");
  Remainder m(a);
  LDLt result;
  std::vector<std::vector<Expr>> columns;  // by rows of A
  while (const std::optional<int> p = m.pivot()) {
    Budget::check();
    const Expr d = m(*p, *p);
    if (!m.is_certain(*p))
      result.where.push_back({d, Assumption::Kind::nonzero, "a pivot of a symmetric matrix"});
    std::vector<Expr> column(static_cast<std::size_t>(a.rows()), Expr(0));
    for (const int i : m.unused()) column[i] = i == *p ? Expr(1) : m(i, *p) / d;
    columns.push_back(std::move(column));
    result.order.push_back(*p);
    result.d.push_back(d);
    m.eliminate(*p);
  }
  require_zero(m);
  for (const int i : m.unused()) result.order.push_back(i);
  result.l = Matrix(a.rows(), static_cast<int>(columns.size()));
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = 0; k < result.l.columns(); ++k) result.l(i, k) = columns[k][result.order[i]];
  }
  return result;
}

/// L y = b forwards, D z = y, Lᵀ x = z backwards.
Matrix solve(const LDLt& a, const Matrix& b) {
  const int n = a.l.rows();
  if (static_cast<int>(a.d.size()) != n || b.rows() != n) {
    throw Singular("singular-matrix", "a symmetric matrix that has to be inverted is singular",
                   "its determinant vanishes identically", "remove the dependent rows and columns");
  }
  Matrix x(n, b.columns());
  for (int c = 0; c < b.columns(); ++c) {
    std::vector<Expr> y(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      std::vector<Expr> terms{b(a.order[i], c)};
      for (int k = 0; k < i; ++k) {
        if (!a.l(i, k).is_zero() && !y[k].is_zero()) terms.push_back(-(a.l(i, k) * y[k]));
      }
      y[i] = sum(terms);
    }
    for (int i = n - 1; i >= 0; --i) {
      std::vector<Expr> terms{y[i] / a.d[i]};
      for (int k = i + 1; k < n; ++k) {
        if (!a.l(k, i).is_zero()) terms.push_back(-(a.l(k, i) * x(a.order[k], c)));
      }
      x(a.order[i], c) = sum(terms);
    }
  }
  return x;
}

Expr determinant(const LDLt& a) {
  return static_cast<int>(a.d.size()) == a.l.rows() ? product(a.d) : Expr(0);
}

}  // namespace rattleback
