#pragma once
/// Values of expressions of state and time along a recorded motion.

#include <string>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// Code for expressions of the model, with the columns of a recorded row (the state) and time as inputs.
Code code_along(const Flow& flow, std::vector<Expr> expressions);
/// Its values in the first `most` rows.
std::vector<std::vector<double>> values_along(const Flow& flow, const Code& code,
                                              const std::vector<double>& times,
                                              const std::vector<std::vector<double>>& rows,
                                              std::size_t most = SIZE_MAX);

/// One row of values for each recorded row; the rows begin with the state, as those of a Trajectory do.
std::vector<std::vector<double>> values_along(const Flow& flow, const std::vector<double>& times,
                                              const std::vector<std::vector<double>>& rows,
                                              std::vector<Expr> expressions);

/// Is this function of the configuration an angle, of period 2π?
bool is_angle(const Flow& flow, Symbol q);

}  // namespace rattleback
