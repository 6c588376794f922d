#pragma once
/// Derivatives of code as code: what they share with the values is computed once, and they are compiled like everything else.

#include <optional>

#include <rattleback/native/code.hpp>

namespace rattleback {

/// The outputs of the code, then ∂y_i/∂x_j for the first `columns` inputs at j·outputs + i, by the chain rule forwards; what
/// vanishes identically is not computed. Nothing where a slope may be infinite or jump (roots, absolute values, arcs), and
/// where the result would have more than `longest` instructions: there duals have to do.
std::optional<Code> tangent_code(const Code& code, std::size_t columns, std::size_t longest = 20'000);

}  // namespace rattleback
