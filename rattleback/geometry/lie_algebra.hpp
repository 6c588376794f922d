#pragma once
/// Lie algebras by structure constants, checked at construction.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/geometry/structure_coefficients.hpp>

namespace rattleback {

class LieAlgebra {
 public:
  /// Throws Error[not-antisymmetric] or Error[not-a-lie-algebra] naming the basis elements that fail.
  LieAlgebra(std::vector<std::string> basis, StructureCoefficients c);

  int dimension() const { return c_.dimension(); }
  const std::vector<std::string>& basis() const { return basis_; }
  const StructureCoefficients& c() const { return c_; }
  Expr c(int a, int b, int d) const { return c_(a, b, d); }

 private:
  std::vector<std::string> basis_;
  StructureCoefficients c_;
};

/// [x, y]^d = c_ab^d x^a y^b, of column vectors.                                                     (L.1)
Matrix bracket(const LieAlgebra& g, const Matrix& x, const Matrix& y);
/// [x, [y, z]] + [y, [z, x]] + [z, [x, y]], which vanishes in a Lie algebra.                         (L.2)
Matrix jacobiator(const StructureCoefficients& c, int a, int b, int d);
/// (ad_x)^d_b = c_ab^d x^a: ad_x y = [x, y].                                                         (L.3)
Matrix ad(const LieAlgebra& g, const Matrix& x);
/// ⟨ad*_x μ, y⟩ = ⟨μ, [x, y]⟩: the transpose of ad_x. (Texts with a minus mean its dual representation.)  (L.4)
Matrix ad_star(const LieAlgebra& g, const Matrix& x, const Matrix& mu);
/// κ_ab = tr(ad_a ad_b) = c_ad^f c_bf^d.                                                             (L.5)
Matrix killing_form(const LieAlgebra& g);
/// t_a = tr ad_a = c_ab^b, a row. The algebra is unimodular iff it vanishes.                         (L.6)
Matrix trace_form(const LieAlgebra& g);
Verdict is_unimodular(const LieAlgebra& g);

/// Bases of [V, W] = span{[v, w]}, of the centre, and of the whole algebra, as columns.
Matrix bracket_of_subspaces(const LieAlgebra& g, const Matrix& v, const Matrix& w);
Matrix centre(const LieAlgebra& g);
/// dim g ⊇ [g,g] ⊇ [[g,g],[g,g]] ⊇ …, until it is stationary.
std::vector<int> derived_series(const LieAlgebra& g);
/// dim g ⊇ [g,g] ⊇ [g,[g,g]] ⊇ …
std::vector<int> lower_central_series(const LieAlgebra& g);

LieAlgebra direct_sum(const LieAlgebra& g, const LieAlgebra& h);

}  // namespace rattleback
