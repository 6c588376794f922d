#pragma once
/// Forces without potential, potential energy and control inputs as a model states them: for reports, LaTeX sections and notebooks.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Q_i ≠ 0 and, for a machine of [bodies], V with gravity and springs: left sides in LaTeX, and formulas.
std::vector<std::pair<std::string, Expr>> stated_forces(const System& system);

/// One control input in words: "tau, steering torque, between -1 and 1, in N*m; in runs tau = -k*theta".
std::string described(const System& system, const AbstractFunction& input);

/// Sentences with formulas in LaTeX, each displayed by `display`; empty for a model without forces, potential and inputs.
std::string forces_in_latex(
    const System& system,
    const std::function<std::string(const std::vector<std::pair<std::string, Expr>>&)>& display);

}  // namespace rattleback
