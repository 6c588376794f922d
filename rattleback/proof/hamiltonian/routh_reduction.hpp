#pragma once
/// Routh's reduction of a Chaplygin system by symmetries with constant momenta.

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>
#include <vector>

namespace rattleback {

/// With legs W_a of D that complete commuting Y_i, z = w^a W_a + s^i Y_i, [W_a, W_b] = c_ab^d W_d + c_ab^i Y_i + …, and the
/// Routhian R = [ℓ_c − μ_i s^i] at p_i = μ_i,
///     d/dt ∂R/∂w^a = W_a[R] − c_ab^d w^b ∂R/∂w^d + Φ_a,   Φ_a = Λ_aβ z^β − c_ab^i w^b μ_i = Λ'_ab w^b,         (C.16)
/// a Chaplygin system again, with the *effective* gyroscopic form Λ' and terms linear in μ.
struct RouthReduction {
  std::vector<VectorField> fields;  ///< Y_i
  Matrix components;                ///< Y_i^α, m × k
  std::vector<int> legs;            ///< W_a = X_α for these α
  std::vector<Symbol> mu;           ///< the constants, named as the momenta they are
  std::vector<Symbol> speeds;       ///< w^a
  std::vector<Expr> definitions;    ///< w^a(q, z)
  Expr routhian;                    ///< R(q, w; μ)
  std::vector<Expr> force;          ///< Φ_a
  ChaplyginBundle shape;  ///< the w-system over the quotient: frame (W, Y, ξ), Lagrangian R, K' and Λ'
  Verdict reduces;        ///< (C.32), and (C.16) along the constrained motion

  int free() const { return static_cast<int>(legs.size()); }
};
/// Throws Error[form-does-not-apply] when the momenta do not determine the velocities along the fields.
RouthReduction routh_reduction(const ChaplyginBundle& bundle, const std::vector<VectorField>& fields);

/// (C.32), constant momenta, and (C.16) along the constrained motion.
Verdict reduces(const ChaplyginBundle& bundle, const RouthReduction& reduction);

}  // namespace rattleback
