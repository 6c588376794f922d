#pragma once
/// Forward-mode differentiation of straight-line code: values and Jacobian as one code, compiled like any other.

#include <optional>

#include <rattleback/native/code.hpp>

namespace rattleback {

/// The outputs of the code, then ∂y_i/∂x_j for the first `columns` inputs at j·outputs + i, by the chain rule forwards; what
/// vanishes identically is not computed. Nothing where a slope may be infinite or jump (roots, absolute values, arcs), and
/// where the result would have more than `longest` instructions: there dual numbers are used.
std::optional<Code> tangent_code(const Code& code, std::size_t columns, std::size_t longest = 20'000);

}  // namespace rattleback
