#pragma once
/// Routh's reduction, classical and nonholonomic: conserved momenta take the place of their velocities.

#include <string>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// D = span{X_A, Y_i} with the momenta of the Y_i conserved, v = y + w^A X_A + s^i Y_i.                        (Q.1)
struct Routh {
  Admissible D;                   ///< the frame (X_A, Y_i) and its speeds (w^A, s^i)
  int free = 0;                   ///< how many X_A
  std::vector<Symbol> momenta;    ///< μ_i
  std::vector<Expr> definitions;  ///< μ_i = ∂L/∂v^k Y_i^k, in the velocities of the frame
  std::vector<Expr> eliminated;   ///< s^i(q, w, μ)
  std::vector<Expr> velocities;   ///< v^i(q, w, μ)
  Expr routhian;  ///< R = [l_c − μ_i s^i] at ∂l_c/∂s^i = μ_i                               (Q.2)
  std::string algebra;  ///< of the Y_i, when their brackets close; empty otherwise
  int isotropy = 0;     ///< dim h_μ for μ in general position
  bool gauge = false;   ///< some Y_i leave L invariant on D only: "nonholonomic cyclic"
  Assumptions where;

  int cyclic() const { return static_cast<int>(momenta.size()); }
};

/// Throws Error[form-does-not-apply] when no momentum is conserved, or L is not quadratic in the velocities.
Routh routh(const System& system);

/// d/dt ∂R/∂w^A = X_A[R] − ⟨∂L/∂v, [X_A, V + ∂_t]⟩ + Q_A,   μ̇_i = 0.                                            (Q.3)
/// The state has the momenta μ_i in place of the speeds s^i.
EquationsOfMotion routh_equations(const System& system);

}  // namespace rattleback
