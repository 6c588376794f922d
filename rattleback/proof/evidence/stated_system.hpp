#pragma once
/// A model as data: what a certificate states about its system, and what the digest of a model is made from.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// Symbols with their roles, functions, velocities, frame, brackets, Lagrangian, forces, constraints. Parameters that occur in none of
/// the formulas are among the symbols.
Data stated_system(const System& system);

}  // namespace rattleback
