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

}  // namespace rattleback
