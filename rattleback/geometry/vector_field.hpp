#pragma once
/// Vector fields on a space, by their coefficients in its frame: X = X^i X_i.

#include <vector>

#include <rattleback/geometry/space.hpp>

namespace rattleback {

class VectorField {
 public:
  explicit VectorField(Space space) : space_(std::move(space)), x_(space_.dimension()) {}
  VectorField(Space space, std::vector<Expr> coefficients);
  /// X_i of the space's own frame.
  static VectorField leg(const Space& space, int i);

  const Space& space() const { return space_; }
  Expr& operator[](int i) { return x_[i]; }
  Expr operator[](int i) const { return x_[i]; }
  const std::vector<Expr>& coefficients() const& { return x_; }
  std::vector<Expr> coefficients() && { return std::move(x_); }

  /// X(f) = X^i X_i f, in one sweep over f.
  Expr operator()(Expr f) const;

 private:
  Space space_;
  std::vector<Expr> x_;
};

VectorField operator+(const VectorField& X, const VectorField& Y);
VectorField operator-(const VectorField& X, const VectorField& Y);
VectorField operator*(Expr f, const VectorField& X);

/// [X, Y]^i = X(Y^i) − Y(X^i) + C_jk^i X^j Y^k in the frame shared by X and Y; C = 0 in coordinates.  (F.2)
VectorField bracket(const VectorField& X, const VectorField& Y);

/// The fields side by side, as the columns of a matrix; and back.
Matrix as_columns(const Space& space, const std::vector<VectorField>& fields);
std::vector<VectorField> from_columns(const Space& space, const Matrix& columns);

}  // namespace rattleback
