#pragma once
/// Terms of a Lagrangian that are linear in the velocities: gyroscopic and magnetic ones, and total derivatives.

#include <optional>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Is ∂L/∂v at v = 0 something else than 0? Nothing for a Lagrangian that is singular at rest.
std::optional<bool> has_linear_terms(const System& system);

}  // namespace rattleback
