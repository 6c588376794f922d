#pragma once
/// Certificates that something does not exist, and of extremals: what `prove --certificate` recomputes. All of them are null when
/// their formulas are too long, or would take too much work.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/certificate.hpp>
#include <rattleback/proof/helmholtz.hpp>
#include <rattleback/proof/optimal_control.hpp>

namespace rattleback {

/// A group by its name and its orbits, columns in the velocities of the model.
struct GroupOrbits {
  std::string name;
  Matrix orbits;
};
/// None of these groups has a multiplier. (C.36)
Data no_multiplier_certificate(const System& system, const std::vector<GroupOrbits>& groups);

/// Fields whose momenta are fixed, under a group, both as columns in the velocities of the model; and d ln f of the one candidate, where
/// there is one.
struct FixedMomenta {
  std::string name;
  Matrix orbits, fields;
  std::optional<std::vector<Expr>> slopes;
};
/// None of them leaves a system with a multiplier. (C.40)
Data no_routh_certificate(const System& system, const std::vector<FixedMomenta>& tried);

/// The projected bracket of an invariant system, in its own frame, is not a Lie bracket. (C.37)
Data no_lie_bracket_certificate(const System& system, const Admissible& D);

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
