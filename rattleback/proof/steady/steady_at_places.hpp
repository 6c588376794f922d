#pragma once
/// Steady motions at configurations worth trying: rest at 0, the model's initial one, quarter turns of the angles that matter, the body's
/// axes upright, one angle left free.

#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// The equations (O.3), polynomials in the speeds and in the other coordinates that matter, taken apart for generic parameters at each of
/// these configurations. `complete` is false where equations were too long or had no solution in closed form.
SteadyMotions steady_motions_at_places(const System& system, const SolvedVelocities& v);

}  // namespace rattleback
