#pragma once
/// Position constraints that are products: N falls into the parts on which a factor vanishes, and each part alone is a model.

#include <string>
#include <vector>

#include <rattleback/proof/questions/question.hpp>
#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// The text with one factor = 0 in place of a position constraint "(f)*(g) = 0", for each factor; none without such a constraint.
std::vector<std::string> models_of_parts(const std::string& text);

/// What holds at every point of N holds on each part, and what fails on N fails on one of them. Questions about functions or fields that exist
/// are left alone: these may vanish on a part.
Findings try_parts(const std::string& text, const Question& question, const Answer& answer, double seconds);

}  // namespace rattleback
