#pragma once
/// Search for better quasi-velocities: a frame of the constraint without poles, in which the equations take few operations.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// Lines for [velocities], and what they save.
struct SpeedSuggestion {
  std::vector<Statement> lines;  ///< u = x'*cos(th) + y'*sin(th)
  /// Of Hamel's equations in these speeds; of the conditions only those that a state may violate.
  std::size_t conditions = 0, operations = 0;
  std::size_t conditions_now = 0, operations_now = 0;
};

/// Candidates are velocities of the frame, velocities along and across every heading, angular velocities in body and in space axes, and
/// their parts along vectors that the model defines. Equations are derived for the few choices with the shortest formulas whose velocities follow
/// without a division by something that may vanish; parameters have the signs of their values. The one with fewest operations is taken, where it
/// has fewer conditions than `now`, Hamel's equations of the system, and not more operations, or as many conditions and less than half of the
/// operations. Nothing where `now` has no condition that a state may violate.
std::optional<SpeedSuggestion> suggested_speeds(const System& system, const EquationsOfMotion& now);

/// "suggestion: ..." with the lines as a model file has them.
std::string as_text(const SpeedSuggestion& suggestion);

}  // namespace rattleback
