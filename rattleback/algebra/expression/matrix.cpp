#include <rattleback/algebra/expression/matrix.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

void require(bool shapes_fit, const char* operation) {
  if (!shapes_fit) throw Bug(std::string("matrix shapes do not fit: ") + operation);
}

template <class Op>
Matrix entrywise(const Matrix& a, const Matrix& b, Op op, const char* name) {
  require(a.rows() == b.rows() && a.columns() == b.columns(), name);
  Matrix c(a.rows(), a.columns());
  std::transform(a.entries().begin(), a.entries().end(), b.entries().begin(), c.entries().begin(), op);
  return c;
}

template <class Op>
Matrix mapped(const Matrix& a, Op op) {
  Matrix c(a.rows(), a.columns());
  std::transform(a.entries().begin(), a.entries().end(), c.entries().begin(), op);
  return c;
}

Matrix filled(int rows, int columns, const std::vector<Expr>& entries) {
  Matrix c(rows, columns);
  std::copy(entries.begin(), entries.end(), c.entries().begin());
  return c;
}

}  // namespace

Matrix::Matrix(std::initializer_list<std::initializer_list<Expr>> rows)
    : rows_(static_cast<int>(rows.size())),
      columns_(rows.size() == 0 ? 0 : static_cast<int>(rows.begin()->size())) {
  for (const auto& r : rows) {
    require(static_cast<int>(r.size()) == columns_, "rows of different length");
    entries_.insert(entries_.end(), r.begin(), r.end());
  }
}

Matrix Matrix::identity(int n) {
  Matrix m(n, n);
  for (int i = 0; i < n; ++i) m(i, i) = 1;
  return m;
}

Matrix Matrix::column(std::span<const Expr> entries) {
  Matrix m(static_cast<int>(entries.size()), 1);
  std::copy(entries.begin(), entries.end(), m.entries().begin());
  return m;
}

Matrix Matrix::row(std::span<const Expr> entries) { return transpose(column(entries)); }

Matrix Matrix::diagonal(std::span<const Expr> entries) {
  Matrix m(static_cast<int>(entries.size()), static_cast<int>(entries.size()));
  for (int i = 0; i < m.rows(); ++i) m(i, i) = entries[static_cast<std::size_t>(i)];
  return m;
}

Matrix Matrix::row(int i) const {
  Matrix r(1, columns_);
  for (int j = 0; j < columns_; ++j) r(0, j) = (*this)(i, j);
  return r;
}

Matrix Matrix::column(int j) const {
  Matrix c(rows_, 1);
  for (int i = 0; i < rows_; ++i) c[i] = (*this)(i, j);
  return c;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  return entrywise(
      a, b, [](Expr x, Expr y) { return x + y; }, "sum");
}
Matrix operator-(const Matrix& a, const Matrix& b) {
  return entrywise(
      a, b, [](Expr x, Expr y) { return x - y; }, "difference");
}
Matrix operator-(const Matrix& a) {
  return mapped(a, [](Expr x) { return -x; });
}
Matrix operator*(Expr k, const Matrix& a) {
  return mapped(a, [k](Expr x) { return k * x; });
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  require(a.columns() == b.rows(), "product");
  Matrix c(a.rows(), b.columns());
  std::vector<Expr> terms;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < b.columns(); ++j) {
      terms.clear();
      for (int k = 0; k < a.columns(); ++k) {
        if (!a(i, k).is_zero() && !b(k, j).is_zero()) terms.push_back(a(i, k) * b(k, j));
      }
      if (!terms.empty()) c(i, j) = sum(terms);
    }
  }
  return c;
}

Matrix transpose(const Matrix& a) {
  Matrix c(a.columns(), a.rows());
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.columns(); ++j) c(j, i) = a(i, j);
  }
  return c;
}

Expr dot(const Matrix& u, const Matrix& v) {
  require(u.is_column() && v.is_column() && u.rows() == v.rows(), "dot");
  return (transpose(u) * v)(0, 0);
}

Matrix cross(const Matrix& u, const Matrix& v) { return hat(u) * v; }

Matrix unit_vector(int k) {
  Matrix e(3, 1);
  e[k] = 1;
  return e;
}

Matrix hat(const Matrix& u) {
  require(u.is_column() && u.rows() == 3, "cross");
  return {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
}

Matrix rotation_x(Expr a) { return {{1, 0, 0}, {0, cos(a), -sin(a)}, {0, sin(a), cos(a)}}; }
Matrix rotation_y(Expr a) { return {{cos(a), 0, sin(a)}, {0, 1, 0}, {-sin(a), 0, cos(a)}}; }
Matrix rotation_z(Expr a) { return {{cos(a), -sin(a), 0}, {sin(a), cos(a), 0}, {0, 0, 1}}; }

Matrix jacobian(std::span<const Expr> f, std::span<const Symbol> x) {
  Matrix j(static_cast<int>(f.size()), static_cast<int>(x.size()));
  for (int i = 0; i < j.rows(); ++i) {
    const std::vector<Expr> g = gradient(f[static_cast<std::size_t>(i)], x);
    for (int k = 0; k < j.columns(); ++k) j(i, k) = g[static_cast<std::size_t>(k)];
  }
  return j;
}

Matrix substitute(const Matrix& a, const SymbolMap& replacement) {
  return filled(a.rows(), a.columns(), substitute(a.entries(), replacement));
}
Matrix derivative(const Matrix& a, Symbol x) {
  return mapped(a, [x](Expr e) { return derivative(e, x); });
}
Matrix derivative_along(const Matrix& a, const SymbolMap& v) {
  return filled(a.rows(), a.columns(), derivative_along(a.entries(), v));
}

}  // namespace rattleback
