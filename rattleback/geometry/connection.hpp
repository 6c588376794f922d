#pragma once
/// Ehresmann connections on a product of base and fibre, and their curvature.

#include <vector>

#include <rattleback/geometry/distribution.hpp>
#include <rattleback/geometry/vector_field.hpp>

namespace rattleback {

/// The constraints φ^a = v^a + A^a_α v^α: the legs of a space divided into base (α) and fibre (a). The fibre may
/// be a chart (s^a) or a group with its left-invariant frame (ξ^a).
class Connection {
 public:
  /// A(a, α) with a over `fibre` and α over `base`, both in the order given.
  Connection(Space space, std::vector<int> base, std::vector<int> fibre, Matrix A);
  /// From constraint one-forms that determine the fibre velocities: A = (fibre block)⁻¹ (base block).
  /// Throws Error[not-horizontal] when the fibre block is singular.
  static Connection from_constraints(const Space& space, const std::vector<OneForm>& phi,
                                     std::vector<int> fibre);

  const Space& space() const { return space_; }
  const std::vector<int>& base() const { return base_; }
  const std::vector<int>& fibre() const { return fibre_; }
  Expr A(int a, int alpha) const { return A_(a, alpha); }

  /// X_α = X_{base α} − A^a_α X_{fibre a}: the horizontal lift of the α-th base leg.                  (D.6)
  VectorField horizontal(int alpha) const;
  Distribution horizontal_distribution() const;

 private:
  Space space_;
  std::vector<int> base_, fibre_;
  Matrix A_;
};

/// B(a, α, β) = φ^a([X_α, X_β]), the vertical part of the bracket of horizontal fields. On a product of base and fibre
///     B^a_αβ = ∂_β A^a_α − ∂_α A^a_β + A^c_α X_c(A^a_β) − A^c_β X_c(A^a_α) + C_bc^a A^b_α A^c_β,       (D.7)
/// and when the base legs have brackets of their own, their part of C_ij^k X_α^i X_β^j comes in the same way.
///
/// Sign: the nonabelian term is +C for the left trivialisation ξ = g⁻¹ġ.
class Curvature {
 public:
  Curvature(int fibre, int base) : m_(fibre, base * base), base_(base) {}
  int fibre() const { return m_.rows(); }
  int base() const { return base_; }
  Expr& operator()(int a, int alpha, int beta) { return m_(a, alpha * base_ + beta); }
  Expr operator()(int a, int alpha, int beta) const { return m_(a, alpha * base_ + beta); }
  std::span<const Expr> entries() const { return m_.entries(); }

 private:
  Matrix m_;
  int base_;
};
Curvature curvature(const Connection& connection);

/// c_αβ^γ of [X_α, X_β] = c_αβ^γ X_γ + B^a_αβ X_a: zero when the base legs are coordinates.
StructureCoefficients base_coefficients(const Connection& connection);

}  // namespace rattleback
