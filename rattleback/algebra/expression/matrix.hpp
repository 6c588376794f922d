#pragma once
/// Matrices of expressions, row by row; a vector is a matrix with one column.

#include <initializer_list>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

class Matrix {
 public:
  Matrix() = default;
  Matrix(int rows, int columns)
      : rows_(rows), columns_(columns), entries_(static_cast<std::size_t>(rows * columns)) {}
  Matrix(std::initializer_list<std::initializer_list<Expr>> rows);
  static Matrix identity(int n);
  static Matrix column(std::span<const Expr> entries);
  static Matrix row(std::span<const Expr> entries);
  static Matrix diagonal(std::span<const Expr> entries);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  bool is_column() const { return columns_ == 1; }
  Expr& operator()(int i, int j) { return entries_[index(i, j)]; }
  Expr operator()(int i, int j) const { return entries_[index(i, j)]; }
  Expr& operator[](int i) { return entries_[static_cast<std::size_t>(i)]; }  ///< of a vector
  Expr operator[](int i) const { return entries_[static_cast<std::size_t>(i)]; }
  std::span<const Expr> entries() const& { return entries_; }
  std::span<Expr> entries() & { return entries_; }
  std::vector<Expr> entries() && { return std::move(entries_); }  ///< of a temporary: safe in a range-for
  Matrix row(int i) const;
  Matrix column(int j) const;
  bool operator==(const Matrix&) const = default;

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j);
  }
  int rows_ = 0, columns_ = 0;
  std::vector<Expr> entries_;
};

Matrix operator+(const Matrix& a, const Matrix& b);
Matrix operator-(const Matrix& a, const Matrix& b);
Matrix operator-(const Matrix& a);
Matrix operator*(const Matrix& a, const Matrix& b);
Matrix operator*(Expr k, const Matrix& a);
Matrix transpose(const Matrix& a);
Expr dot(const Matrix& u, const Matrix& v);
Matrix cross(const Matrix& u, const Matrix& v);
/// e_k of R³, k = 0, 1, 2.
Matrix unit_vector(int k);
/// û with û v = u × v.
Matrix hat(const Matrix& u);
/// Rotations by angle a about axes 1, 2, 3.
Matrix rotation_x(Expr a);
Matrix rotation_y(Expr a);
Matrix rotation_z(Expr a);
/// J(i, j) = ∂f_i/∂x_j.
Matrix jacobian(std::span<const Expr> f, std::span<const Symbol> x);
Matrix substitute(const Matrix& a, const SymbolMap& replacement);
Matrix derivative(const Matrix& a, Symbol x);
Matrix derivative_along(const Matrix& a, const SymbolMap& v);

}  // namespace rattleback
