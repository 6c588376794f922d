#pragma once
/// A section of a paper: what the system is, and its equations of motion.

#include <string>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// Title, configuration, parameters, Lagrangian, constraints, quasi-velocities, equations, conditions, references;
/// compiles with amsmath and amssymb.
std::string as_latex_section(const System& system, const EquationsOfMotion& equations);

}  // namespace rattleback
