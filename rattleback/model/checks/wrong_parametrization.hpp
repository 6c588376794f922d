#pragma once
/// Checks that [parametrization] parametrises all admissible velocities, each once.

#include <optional>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// v = ψ(q, z) has to satisfy every constraint, ∂ψ/∂z to have full rank, and there must be as many speeds as degrees of
/// freedom. Error[bad-parametrization] says which of these fails; nothing when all hold, or there is no parametrization.
std::optional<Error> wrong_parametrization(const System& system);

}  // namespace rattleback
