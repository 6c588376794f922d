#pragma once
/// Parametrised surfaces that bodies touch: point, unit normal towards the body and unit tangent over the coordinates of the contact.
///
/// Each function completes a support whose coordinates, sizes and side are known. The centre is added to its points.

#include <span>

#include <rattleback/model/system/contact.hpp>

namespace rattleback {

/// sphere, cylinder, cone and torus
void set_round_patch(Support& s);
void set_plane_patch(Support& s);
void set_graph_patch(Support& s, Expr h);
void set_revolution_patch(Support& s, const Matrix& profile);
void set_parametric_patch(Support& s, const Matrix& X);
void set_curve_patch(Support& s, const Matrix& X);
void set_implicit_patch(Support& s, std::span<const Symbol> xyz);

}  // namespace rattleback
