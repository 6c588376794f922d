#pragma once
/// Singular states: conditions under which the metric or the constraints of a motion lose rank, stated with its equations.

#include <string>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// One condition for each family of singular states {f_1 = … = f_m = 0}: f_1² + … + f_m² ≠ 0. Families on which a known
/// condition already fails are left out.
Assumptions full_rank_conditions(const Matrix& a, const Assumptions& known, const std::string& why);

}  // namespace rattleback
