#pragma once
/// The first periodic motion of a family: by the first near return of a motion, or born at a steady motion (Hopf, Lyapunov centre).

#include <optional>

#include <rattleback/study/periodic_equations.hpp>

namespace rattleback {

/// The unknowns of a periodic motion near the start, with `equations` based there. Throws Error[no-periodic-motion] when there is none.
Eigen::VectorXd first_orbit(PeriodicEquations& equations, const OrbitStart& start);

}  // namespace rattleback
