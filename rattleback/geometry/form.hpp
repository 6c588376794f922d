#pragma once
/// Differential forms on a space, in the coframe θ^i dual to its frame: exterior calculus with structure terms.

#include <vector>

#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

/// ω = Σ_{i<j<…} ω_{ij…} θ^i∧θ^j∧…, with (α∧β)(X, Y) = α(X)β(Y) − α(Y)β(X): ω_{ij…} = ω(X_i, X_j, …).
class Form {
 public:
  Form(Space space, int degree);
  Form(Space space, Expr function);  ///< of degree 0
  explicit Form(const OneForm& alpha);

  const Space& space() const { return space_; }
  int degree() const { return degree_; }
  /// The strictly increasing index lists, in lexicographic order, and the coefficients that belong to them.
  const std::vector<std::vector<int>>& indices() const { return indices_; }
  Expr& operator[](std::size_t k) { return w_[k]; }
  Expr operator[](std::size_t k) const { return w_[k]; }
  const std::vector<Expr>& coefficients() const& { return w_; }
  std::vector<Expr> coefficients() && { return std::move(w_); }
  /// ω(X_i, X_j, …) for indices in any order.
  Expr at(std::vector<int> legs) const;
  /// ω(Y_1, …, Y_k).
  Expr operator()(const std::vector<VectorField>& fields) const;

 private:
  Space space_;
  int degree_;
  std::vector<std::vector<int>> indices_;
  std::vector<Expr> w_;
};

Form operator+(const Form& a, const Form& b);
Form operator-(const Form& a, const Form& b);
Form operator*(Expr f, const Form& a);

Form wedge(const Form& a, const Form& b);

/// dω(X_0, …, X_k) = Σ_i (−1)^i X_i(ω(… X̂_i …)) + Σ_{i<j} (−1)^{i+j} ω([X_i, X_j], … X̂_i … X̂_j …).  (F.11)
Form d(const Form& w);
/// dα(X, Y) = X(α(Y)) − Y(α(X)) − α([X, Y]).
Form d(const OneForm& alpha);

/// (i_X ω)(Y, …) = ω(X, Y, …).                                                                      (F.12)
Form interior_product(const VectorField& X, const Form& w);

/// L_X ω = i_X dω + d i_X ω.                                                                        (F.13)
Form lie_derivative(const VectorField& X, const Form& w);
/// (L_X α)(Y) = X(α(Y)) − α([X, Y]).
OneForm lie_derivative(const VectorField& X, const OneForm& alpha);

}  // namespace rattleback
