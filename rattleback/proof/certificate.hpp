#pragma once
/// Certificates: everything a sceptic needs to recompute a proof, as data.

#include <rattleback/model/system.hpp>
#include <rattleback/motion/equations.hpp>
#include <rattleback/proof/data.hpp>

namespace rattleback {

/// The system (frame, structure coefficients, L, Q, C), the motion claimed for it, and a function constant along it.
Data conservation_certificate(const System& system, const EquationsOfMotion& motion, Expr function);
/// The same with a density ρ of dq dz.
Data measure_certificate(const System& system, const EquationsOfMotion& motion, Expr density);

/// The same with a multiplier f(q) and the components of the one-form Θ of (C.30).
Data multiplier_certificate(const System& system, const EquationsOfMotion& motion, Expr f,
                            const std::vector<Expr>& theta);
/// The same with multipliers μ_a(q, z), one for each constraint, that make the motion variational.
Data variational_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& mu);

}  // namespace rattleback
