#pragma once
/// One-forms on a space, by their coefficients in the coframe dual to its frame: α = α_i θ^i, θ^i(X_j) = δ^i_j.

#include <vector>

#include <rattleback/geometry/vector_field.hpp>

namespace rattleback {

class OneForm {
 public:
  explicit OneForm(Space space) : space_(std::move(space)), a_(space_.dimension()) {}
  OneForm(Space space, std::vector<Expr> coefficients);

  const Space& space() const { return space_; }
  Expr& operator[](int i) { return a_[i]; }
  Expr operator[](int i) const { return a_[i]; }
  const std::vector<Expr>& coefficients() const& { return a_; }
  std::vector<Expr> coefficients() && { return std::move(a_); }

  /// α(X) = α_i X^i.
  Expr operator()(const VectorField& X) const;

 private:
  Space space_;
  std::vector<Expr> a_;
};

OneForm operator+(const OneForm& a, const OneForm& b);
OneForm operator*(Expr f, const OneForm& a);

/// (df)_i = X_i f.
OneForm differential(const Space& space, Expr f);

/// The one-form whose value on the velocity is `linear`, a homogeneous linear function of the velocities:
/// α_i = ∂(linear)/∂v^i. Nothing is checked but what differentiation sees.
OneForm one_form_of_velocities(const Space& space, Expr linear);

/// The forms one below the other, as the rows of a matrix; and back.
Matrix as_rows(const Space& space, const std::vector<OneForm>& forms);
std::vector<OneForm> from_rows(const Space& space, const Matrix& rows);

}  // namespace rattleback
