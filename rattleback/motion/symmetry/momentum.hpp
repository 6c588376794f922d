#pragma once
/// The nonholonomic momentum map: which momenta a symmetry leaves to a constrained system, and how they change.

#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// ⟨J(v), ξ⟩ = ∂L/∂v^i ξ^i: the momentum of a field.                                                       (N.6)
Expr momentum(const System& system, const VectorField& xi);

/// The bundle g^D: its sections ξ^q = ξ^a(q) η_a are combinations of generators that lie in D.             (N.7)
struct MomentumBundle {
  std::vector<VectorField> generators;  ///< η_a
  Matrix sections;                      ///< ξ^a_b(q): one column for each section of a basis
  std::vector<VectorField> fields;      ///< ξ_b = ξ^a_b η_a, in D ∩ T Orb
  Assumptions where;

  int rank() const { return static_cast<int>(fields.size()); }
};
MomentumBundle momentum_bundle(const System& system, const std::vector<VectorField>& generators);

/// How the momentum of a section changes, with V the velocity and η_a symmetries of L:
///     d/dt ⟨J, ξ^q⟩ = ∂L/∂v^i (V[ξ^a] η_a)^i + Q_i ξ^i.                                                     (N.8)
/// As functions of the configuration and the speeds of D.
struct MomentumEquation {
  VectorField field;
  Expr momentum, rate;
};
std::vector<MomentumEquation> momentum_equations(const System& system, const Admissible& D,
                                                 const MomentumBundle& bundle);

/// A field that is an admissible velocity everywhere, on which no force works, under which the Lagrangian is invariant at
/// admissible velocities. Its momentum is constant along the motion, because on D                         (N.9)
///     d/dt p_ξ = ξ^C L + Q(ξ) + λ_a A^a(ξ).
/// D need not be invariant. When ξ^C L = 0 at all velocities ξ is a horizontal symmetry, otherwise a gauge symmetry.
struct HorizontalSymmetry {
  VectorField field;
  Expr momentum;            ///< in the velocities of the frame
  Verdict conserved;        ///< ξ ∈ D, Q(ξ) = 0 and ξ^C L = 0 on D
  bool everywhere = false;  ///< ξ^C L = 0 at all velocities
};
/// All of them within the ansatz (N.2), coefficients linear in parameters included.
std::vector<HorizontalSymmetry> horizontal_symmetries(const System& system);

}  // namespace rattleback
