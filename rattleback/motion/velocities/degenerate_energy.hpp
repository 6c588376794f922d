#pragma once
/// The error of a Lagrangian that does not determine the accelerations: its metric on the admissible velocities is singular.

#include <string>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

/// Error[degenerate-energy]; `why` names the matrix that a formalism found to be singular.
Degenerate degenerate_energy(std::string why = "the metric on the admissible velocities is singular");

}  // namespace rattleback
