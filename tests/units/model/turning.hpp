#pragma once
// A motion over SE(2) whose variational multipliers turn with the group.

#include <rattleback/model/reading/load.hpp>

namespace rattleback::inline tests {

/// The curvature is (-r1^2 r2, 2 r1 - 1 + r2^2, -1), and the multipliers are chosen orthogonal to it: strict, by construction.
inline System turning() {
  return read_model(R"toml(
lagrangian = "r1'^2 + r2'^2 + 1/2*(a1^2 + a2^2 + a3^2) + r1'*a1 + r2'*a2 + (-r1^2*r2*r1' + (2*r1 - 1 + r2^2)*r2')*a3"
[define]
a1 = "v1 - r1' - r2*r2'"
a2 = "v2 - r1^2*r2'"
a3 = "w - r2' - r2*r1'"
[constraints]
a = "v1 = r1' + r2*r2'"
b = "v2 = r1^2*r2'"
c = "w = r2' + r2*r1'"
[space]
r1 = "R"
r2 = "R"
g = { group = "SE(2)", coordinates = ["x", "y", "th"], velocities = ["v1", "v2", "w"] }
)toml",
                    "turning.toml");
}

}  // namespace rattleback::inline tests
