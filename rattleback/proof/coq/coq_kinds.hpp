#pragma once
/// One function for each kind of certificate that has a form in Coq. Each returns the theorem with its proof and sets `preamble` to the
/// definitions of the system that it uses. Throws Error[no-coq-form] where a claim of its kind has none.

#include <string>

#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// The energy is constant: d/dt (v^i ∂L/∂v^i − L) is a combination of the equations and of the constraints.
std::string coq_energy_theorem(const ClaimedSystem& claim, std::string& preamble);
/// Functions are constant along every motion.
std::string coq_conserved_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);
/// A state through which every motion changes the function.
std::string coq_not_conserved_theorem(const ClaimedSystem& claim, const Data& certificate,
                                      std::string& preamble);
/// A function vanishes on D.
std::string coq_zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);
/// A state on D at which the function does not vanish.
std::string coq_not_zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);

/// Lagrangian, constraints and forces are invariant under the fields.
std::string coq_symmetry_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);
/// A state at which the field changes the Lagrangian or a constraint.
std::string coq_not_a_symmetry_theorem(const ClaimedSystem& claim, const Data& certificate,
                                       std::string& preamble);
/// Two fields along D whose bracket leaves D.
std::string coq_nonholonomic_theorem(const ClaimedSystem& claim, std::string& preamble);
/// Fields that span D, and whose brackets stay in D.
std::string coq_holonomic_theorem(const ClaimedSystem& claim, std::string& preamble);
/// The bracket of the motion satisfies Jacobi's identity, or violates it at a point.
std::string coq_jacobi_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);

/// A density is invariant.
std::string coq_measure_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);
/// A point at which the divergence of density times field does not vanish.
std::string coq_not_a_density_theorem(const ClaimedSystem& claim, const Data& certificate,
                                      std::string& preamble);

/// With multipliers the motion makes the action stationary.
std::string coq_variational_theorem(const ClaimedSystem& claim, const Data& certificate,
                                    std::string& preamble);
/// A Lagrangian without constraints that has the motions among its own.
std::string coq_lagrangian_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble);

/// In the time dτ = f dt the motion reduced by a group is Hamiltonian.
std::string coq_multiplier_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble);
/// Two forms of the equations hold for the same curves.
std::string coq_agreement_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);
/// The metric on D is positive definite.
std::string coq_definite_theorem(const ClaimedSystem& claim, std::string& preamble);
/// Steady states, their small motions, and stability, at the values named.
std::string coq_steady_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble);
/// No multiplier under the groups named.
std::string coq_no_multiplier_theorem(const ClaimedSystem& claim, const Data& certificate,
                                      std::string& preamble);
/// A state through which no motion has multipliers.
std::string coq_not_variational_theorem(const ClaimedSystem& claim, const Data& certificate,
                                        std::string& preamble);
/// No density of the configuration has the slopes that the divergence asks for.
std::string coq_no_density_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble);

}  // namespace rattleback
