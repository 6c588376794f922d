#pragma once
/// Robots described in URDF, the XML format of ROS, as model files.

#include <string>
#include <vector>

#include <rattleback/model/text/source.hpp>

namespace rattleback {

struct UrdfOptions {
  std::vector<std::string> wheels;  ///< joints whose children roll on the plane z = 0
  std::string
      base;  ///< how the root link is held: "weld", "planar" or "free"; empty: planar with wheels, weld without
};

struct ImportedModel {
  std::string text;                  ///< a model file; numbers as the URDF writes them
  std::vector<std::string> ignored;  ///< what the file says and the model does not
};

/// Links become bodies, joints joints, visuals shapes of the scene, mimic joints constraints, and the named wheels rolling contacts. Joint
/// friction becomes a force with sign. Throws Error[bad-urdf] with the place.
ImportedModel model_from_urdf(const Source& source, const UrdfOptions& options);

}  // namespace rattleback
