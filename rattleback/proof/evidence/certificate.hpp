#pragma once
/// Writers of certificates: the data from which the checker recomputes a proof.

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/geometry/structure_coefficients.hpp>
#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/evidence/no_symmetries.hpp>

namespace rattleback {

/// The Lagrangian is invariant under the field at all velocities, and not only at those tangent to N: the checker asks for that.
bool keeps_lagrangian_beside_positions(const System& system, const VectorField& xi);

/// The system (frame, structure coefficients, L, Q, C), the motion claimed for it, and a function constant along it.
Data conservation_certificate(const System& system, const EquationsOfMotion& motion, Expr function);
/// The same with several functions, at least one.
Data conservation_certificate(const System& system, const EquationsOfMotion& motion,
                              const std::vector<Expr>& constants);
/// A function that is not constant, and a state at which its rate shows it.
/// That the energy is constant, by the work of reactions and forces: it states no motion. Null where they do work.
Data energy_balance_certificate(const System& system);
Data not_conserved_certificate(const System& system, const EquationsOfMotion& motion, Expr function,
                               Expr rate);
/// A function on D that is zero; or is not, and a state.
Data zero_certificate(const System& system, const EquationsOfMotion& motion, Expr function, bool zero);
/// Forms of the equations that describe the motion: their speeds by the velocities, the velocities by them, and their rates.
Data agreement_certificate(const System& system, const EquationsOfMotion& motion,
                           const std::vector<EquationsOfMotion>& forms);
/// Constraints of that rank, on which the Lagrangian is regular.
Data regular_certificate(const System& system, int rank);
/// Fields that the system does not notice; or one that it does.
Data symmetry_certificate(const System& system, const std::vector<VectorField>& fields, bool holds);
/// No field is a symmetry: functions that all of them leave alone (N.10), or none of the isometries of a constant metric is (N.12).
Data no_symmetries_certificate(const System& system, const NoSymmetries& proof);
/// A density of dq dz that is not invariant, and a state at which (M.7) fails.
Data not_a_density_certificate(const System& system, const EquationsOfMotion& motion, Expr density,
                               Expr residual);
/// The same with a density ρ of dq dz.
Data measure_certificate(const System& system, const EquationsOfMotion& motion, Expr density);

/// What (C.33) asks for: a multiplier f(q), the components of Θ, constant momenta J_i with their λ_i, and the closed two-forms
/// S⁰, S^1, … on Q; none of the last when all of them vanish.
struct HamiltonianClaim {
  Expr f;
  std::vector<Expr> theta, momenta, rates;
  std::vector<Matrix> twist;
};
/// The same with a change of time after which the motion is Hamiltonian; `kind` is the question it answers.
Data hamiltonian_certificate(const System& system, const EquationsOfMotion& motion, const char* kind,
                             const HamiltonianClaim& claim);
/// The same with momenta p_α, their rates ζ^α = ∂E/∂p_α, and the brackets S of (C.34).
Data lie_poisson_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& momenta, const std::vector<Expr>& rates,
                             const StructureCoefficients& S);
/// The same with a Lagrangian ℒ(q, v) that has the motion among its own, without constraints.
Data lagrangian_certificate(const System& system, const EquationsOfMotion& motion, Expr lagrangian);
/// The same with multipliers μ_a(q, z), one for each constraint, that make the motion variational.
Data variational_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& mu);

}  // namespace rattleback
