#pragma once
/// Live motion for web pages: the functions of a motion as JavaScript, and the data that the page needs to integrate it.

#include <span>
#include <string>

#include <rattleback/model/system/scene.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

struct Live {
  std::string
      json;  ///< parameters, state with its values, shapes, quantities that are constant; see web/live.js
  std::string script;  ///< an expression: an object with rhs, energy, … of the state in quaternions
};

/// The motion of a flow from y. Attitudes are unit quaternions, as in Flow. Abstract functions are replaced by their formulas.
Live live_motion(const Flow& flow, std::span<const double> y, const RunOptions& options, const Scene& scene);

}  // namespace rattleback
