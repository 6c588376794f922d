#pragma once
/// One way to write the position constraints: without factors that have no zero, denominators and roots, so that no answer depends on it.

#include <optional>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// An equation with the same solutions as φ = 0: √(x² + y²) − l becomes x² + y² − l² when l > 0, since −√(x² + y²) − l has no zero; factors
/// without zeros are left out, and denominators that do not vanish where φ does. Nothing where φ is free of them, or where that is not seen.
std::optional<Expr> normal_position(Expr phi);

/// The system with every position constraint in this form; those of contacts are left as they are. Nothing where none is changed.
std::optional<System> with_normal_positions(const System& system);

}  // namespace rattleback
