#pragma once
/// Expressions as LaTeX, as a paper sets them.

#include <string>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

std::string latex(Expr e);
std::string latex(const Matrix& m);
/// `theta` → \theta, `x'` → \dot{x}, `I11` → I_{11}, `contact_1` → \mathrm{contact}_{1}, `A^x_theta` → A^{x}_{\theta},
/// `{p_u, p_w}` → \{p_{u}, p_{w}\}.
std::string latex_name(std::string_view name);

}  // namespace rattleback
