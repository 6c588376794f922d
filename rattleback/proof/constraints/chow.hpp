#pragma once
/// Chow's theorem: which configurations admissible motions can join, and where brackets of the admissible fields span less than elsewhere.

#include <string>

#include <rattleback/model/checks/triage.hpp>

namespace rattleback {

/// Of N where position constraints leave a part of Q, else of Q.
int dimension_of_configurations(const System& system);

/// Constant on N: the position constraints say so already.
bool is_constant_on_positions(const System& system, Expr F);

/// Chow's theorem, where brackets span, or the leaves that the motion cannot leave; neither holds for constraints that carry it along.
/// `dimension` is that of the configurations.
std::string reach_text(const System& system, const Triage& found, int dimension);

}  // namespace rattleback
