#pragma once
/// What a model states about its mechanism beyond formulas: joints, and the loops that they close.

#include <string>
#include <vector>

namespace rattleback {

/// A joint as `check` describes it.
struct JointSummary {
  std::string name, kind, parent, child;
  std::vector<std::string> coordinates;  ///< of a joint in the tree
  bool closes_loop = false;
  std::vector<std::string> conditions;  ///< position constraints of a closing joint
  int satisfied = 0;                    ///< its conditions that hold in every position, and are left out
};

struct Machine {
  std::string description;  ///< a paragraph for people
  std::vector<JointSummary> joints;
};

/// What the model of this name or file states; see load_model().
Machine load_machine(const std::string& name);
Machine read_machine(std::string text, const std::string& file);

}  // namespace rattleback
