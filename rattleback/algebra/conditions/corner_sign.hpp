#pragma once
/// Signs of functions that are monotone in each cosine or rotation entry, from their values at the corners of the domain.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// cos²x and sin²x are weights with the sum 1, and so are the squares of a row or a column of a rotation matrix; a function that
/// is linear in each such set of weights lies between its values at the corners, where one weight of each set is 1. The same holds
/// for a function that is linear in cos x, or in a single entry, between −1 and 1. True when all corners are proved to have one
/// sign and that linearity is proved: J sin²x + m cos²x, and also J + (m − J) cos²x; terms that are not negative may be left out.
bool is_of_one_sign(Expr e);

}  // namespace rattleback
