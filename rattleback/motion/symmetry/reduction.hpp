#pragma once
/// Reduction by a symmetry group: D divided into what lies along the orbits and what crosses them.

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/geometry/structure_coefficients.hpp>
#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <string>
#include <vector>

namespace rattleback {

/// The invariant frame {X_ρ, X_κ | X_c, X_k}: X_ρ spans S = D ∩ V, X_ρ and X_κ span D, X_ρ and X_c span V = T Orb.  (R.5)
struct AdaptedFrame {
  std::vector<VectorField> legs;         ///< X_ρ, then X_κ, X_c, X_k
  int rho = 0, kappa = 0, c = 0, k = 0;  ///< how many of each
  std::vector<Symbol> speeds;            ///< v^ρ, v^κ
  std::vector<Expr> definitions;         ///< as functions of the velocities of the model

  int rank() const { return rho + kappa; }
  bool is_vertical(int leg) const { return leg < rho || (leg >= rank() && leg < rank() + c); }
};

/// How D lies to the orbits.
enum class ReducedKind : std::uint8_t {
  euler_poincare,     ///< no constraints, one orbit
  lagrange_poincare,  ///< no constraints
  left_invariant,     ///< one orbit: an LL system, as on a group
  purely_kinematic,   ///< D ∩ V = 0 and D + V = TQ: a generalised Chaplygin system
  horizontal,         ///< V ⊆ D: all symmetries are horizontal
  general,
};
std::string name_of(ReducedKind kind);

struct Reduction {
  std::vector<Generator> group;
  std::string algebra;  ///< its name
  ReducedKind kind = ReducedKind::general;
  int orbit = 0;      ///< dim V
  bool spans = true;  ///< the dimension assumption D + V = TQ
  Admissible D;       ///< an invariant frame of D, the model's own speeds where they serve
  AdaptedFrame frame;
  Expr lagrangian;            ///< l_c(v^ρ, v^κ), invariant
  std::vector<Expr> momenta;  ///< ∂l/∂v^m on D, for all legs of the frame
  /// [X_α, X_β] = c(α, β, m) X_m for α, β in D: C̄^r_ρσ, Υ^r_κρ, K^r_κλ and R^I_κλ, as functions of the shape.
  StructureCoefficients c;
  /// [X_α, y] = drift(m, α) X_m for affine constraints, v = y + v^α X_α with an invariant y; zero for linear ones.
  Matrix drift;
};

/// By the group of the model, or the largest of its groups that has an invariant frame, or what is found.
/// Throws Error[form-does-not-apply] when there is no symmetry, no invariant frame, or the constraints are neither linear nor affine.
Reduction reduction(const System& system);
/// By these generators; they have to be symmetries. Nothing when no invariant frame is found.
std::optional<Reduction> reduction_by(const System& system, const std::vector<Generator>& group);

/// The Lagrange–d'Alembert–Poincaré equations, in the form ṗ_α = F_α(q, v), for every leg of D:
///     ṗ_ρ = (Υ^r_κρ v^κ − C̄^r_ρσ v^σ) ∂l/∂v^r + Q_ρ,                                                       (R.6)
///     ṗ_κ = X_κ[l_c] − R^I_κλ v^λ ∂l/∂v^I − (K^r_κλ v^λ + Υ^r_κρ v^ρ) ∂l/∂v^r + Q_κ.                       (R.7)
/// Affine constraints add −⟨∂l/∂v, [X_α, y]⟩ to both.
std::vector<Expr> momentum_rates(const System& system, const Reduction& reduction);

}  // namespace rattleback
