#pragma once
/// Proves that several forms of the equations describe one motion, and that the energy balances.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct Agreement {
  std::vector<std::string> forms;
  /// At every admissible state all forms give the same q' and the same accelerations v̇.                    (A.7)
  Verdict motion;
  std::string difference;  ///< when they do not: "theta'' of hamel and gibbs-appell"
  /// dE/dt = Q_i v^i + λ_a v^i ∂C^a/∂v^i − ∂L/∂t along the first form.                                    (A.8)
  Verdict balance;
  std::string
      balance_of;  ///< in words: "the energy is conserved", "…forces, reactions and time account for it"
};

/// The forms are compared as functions of the state of one of them: v = ψ(q, z) there, and the speeds of the others by
/// their definitions. Random states modulo a prime decide; where the exact field is small it makes a proof.
Agreement agreement(const System& system, const std::vector<EquationsOfMotion>& forms);

}  // namespace rattleback
