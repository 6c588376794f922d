#pragma once
/// Frames of vector fields, their dual coframes and structure coefficients.

#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

/// As many independent fields as dimensions. Construction proves det ≢ 0 and keeps {det = 0} as an assumption.
class Frame {
 public:
  /// Throws Error[dependent-frame] when the determinant vanishes identically, Bug for a wrong number of fields.
  explicit Frame(std::vector<VectorField> fields);

  int dimension() const { return static_cast<int>(e_.size()); }
  const Space& space() const { return e_[0].space(); }
  const VectorField& operator[](int a) const { return e_[a]; }
  const std::vector<VectorField>& fields() const { return e_; }
  /// Row a: the coefficients of θ^a, θ^a(e_b) = δ^a_b.
  const Matrix& dual_matrix() const { return dual_; }
  const Assumptions& where() const { return where_; }

 private:
  std::vector<VectorField> e_;
  Matrix dual_;
  Assumptions where_;
};

using Coframe = std::vector<OneForm>;

/// θ^a(e_b) = δ^a_b.
Coframe dual(const Frame& e);
/// The frame dual to n independent one-forms.
Frame dual_frame(const Coframe& theta);

/// Structure coefficients of a frame: [e_a, e_b] = c_ab^d e_d, stored as c(a, b, d).                 (F.3)
StructureCoefficients structure_coefficients(const Frame& e);

/// e_a(c_bd^f) + c_bd^g c_ag^f + cyclic in a, b, d: zero by the Jacobi identity of the fields.        (F.5)
std::vector<Expr> jacobiator(const Frame& e, const StructureCoefficients& c);

/// The same space with e as its frame: legs e_a, structure coefficients c, quasi-velocities w^a = θ^a(v).
Space in_frame(const Frame& e, const std::vector<Symbol>& velocities);

/// X in the space whose frame is e, made by in_frame: components θ^a(X).
VectorField in_frame(const Space& adapted, const Frame& e, const VectorField& X);

}  // namespace rattleback
