#pragma once
/// Conservation test: is the energy, or any function of configuration and velocity, constant along every motion?

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

struct ConservationTest {
  int points = 3;  ///< random states; many more when there are roots, whose signs each state draws anew
  std::uint64_t seed = 1;  ///< the same seed draws the same states in every run
};

/// E = v^i ∂L/∂v^i − L.
Expr energy(const System& system);

/// df/dt = 0 at every state that satisfies the constraints, along the solutions of
///     d/dt ∂L/∂v^i = X_i(L) − C_il^m v^l ∂L/∂v^m + Q_i + λ_a ∂C^a/∂v^i,   C^a(q, v, t) = 0,             (E.1)
/// with Chetaev's rule for constraints that are not linear. f is written in the velocities of the frame.
Verdict is_conserved(const System& system, Expr f, const ConservationTest& how = {});
Verdict conserves_energy(const System& system, const ConservationTest& how = {});

}  // namespace rattleback
