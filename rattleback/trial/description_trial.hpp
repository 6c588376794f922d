#pragma once
/// Asks a question of the same system in another description: an answer is a property of the system.

#include <functional>

#include <rattleback/proof/questions/question.hpp>
#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// A change of the text of a model that leaves the system the same.
struct Redescription {
  std::string name;
  std::function<std::string(const std::string& text)> apply;  ///< the text unchanged where it does not apply
};
/// Coordinates in reverse order; constraints multiplied by a function without zeros; a total derivative added to the Lagrangian;
/// [velocities] left out, where no initial state is given in them.
const std::vector<Redescription>& redescriptions();

/// The outcome must not be the opposite one in any of these descriptions.
Findings try_descriptions(const std::string& text, const Question& question, const Answer& answer,
                          double seconds);

}  // namespace rattleback
