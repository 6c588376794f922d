#pragma once
/// Certificates that motions are not variational, have no Lagrangian or no control problem, and of extremals. Each is null when its
/// formulas are too long or take too much work.

#include <string>
#include <vector>

#include <rattleback/proof/variational/helmholtz.hpp>
#include <rattleback/proof/variational/optimal_control.hpp>

namespace rattleback {

/// After so many rounds of differentiation the conditions on multipliers contradict each other. (C.38)
Data not_variational_certificate(const System& system, int rounds);

/// A second-order system without a regular Lagrangian: by the algebraic conditions on Φ, ∇Φ, …, so many of them; or by none, when
/// on the constraint it is not the motion.
struct RefutedSystem {
  std::string type;
  SecondOrderSystem equations;
  int derivatives = 0;
};
Data no_lagrangian_certificate(const System& system, const std::vector<RefutedSystem>& systems);

/// The motions are not variational, and none of these systems decouples; those without derivatives are not the motion.
Data no_control_certificate(const System& system, int rounds, const std::vector<RefutedSystem>& systems);

/// The motions of the system are extremals of the control problem that belongs to a Lagrangian. (C.39)
Data control_certificate(const System& system, const SecondOrderSystem& s, const DecoupledLagrangian& L,
                         const AssociatedControl& control);

}  // namespace rattleback
