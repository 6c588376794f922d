#pragma once
/// Functions of an angle b with the period π, rewritten in cos 2b and sin 2b.

#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {

/// x in terms of cos 2b, sin 2b for the base angle b of a pair, when x contains b and does not change under
/// b → b + π.
std::optional<Expr> in_double_angle(const Field& field, const Element& x, const Relation& pair);

}  // namespace rattleback
