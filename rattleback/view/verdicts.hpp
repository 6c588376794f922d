#pragma once
/// Answers for people and for other programs.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/proof/question.hpp>

namespace rattleback {

/// "invariant-measure: refuted unless a = 0", the reasons, the evidence.
std::string as_text(const std::string& question, const Answer& answer);

/// Schema rattleback.analyze/1.
std::string as_json(const System& system, const std::vector<std::pair<std::string, Answer>>& answers);

/// The data as JSON, indented.
std::string as_json(const Data& data);

}  // namespace rattleback
