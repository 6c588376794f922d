#pragma once
/// Fields of unit length along coordinates that the metric keeps apart: symmetries of a free motion that no polynomial ansatz contains.

#include <vector>

#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// g(q)^(−1/2) ∂/∂q for every coordinate q with q̇² g(q)/2 in the Lagrangian, where g is not constant and q̇ stands in no other product: a
/// free motion is uniform in the length along q, so that the field is one of Killing's in every coordinate of a line. On a curve N = {φ = 0}
/// the unit tangent. Empty where the Lagrangian has another form.                                            (N.18)
std::vector<VectorField> unit_fields(const System& system);

}  // namespace rattleback
