#pragma once
/// Periodicity in angles: which coordinates lie on circles, and whether a function of them is single-valued.

#include <optional>
#include <string>

#include <rattleback/geometry/space.hpp>

namespace rattleback {

/// A coordinate of a circle, or the angle of SE(2): q and q + 2π are one point.
bool is_angle(const Space& space, Symbol q);

/// The first angle in which f is no function on the space: f(q + 2π) ≠ f(q). Functions of which nothing is known are taken to be
/// periodic.
std::optional<Symbol> angle_of_several_values(const Space& space, Expr f);

/// ", on the cover: it changes with every turn of theta and is no function on the circle"; empty for a function on the space.
std::string cover_note(const Space& space, Expr f);

}  // namespace rattleback
