#pragma once
/// Answers to questions about a model, with reasons and evidence, as text and JSON.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/proof/questions/question.hpp>

namespace rattleback {

/// "invariant-measure: refuted unless a = 0", the reasons, the evidence.
std::string as_text(const std::string& question, const Answer& answer);

/// A reason for the terminal: a formula that runs over many lines is cut, with a note where the whole is printed.
std::string readable_reason(const std::string& reason);

/// Schema rattleback.analyze/1.
std::string as_json(const System& system, const std::vector<std::pair<std::string, Answer>>& answers);

/// Schema rattleback.prove/1: one claim.
std::string as_json(const System& system, const std::string& claim, const Answer& answer);

/// The data that a JSON text holds. Throws Error[bad-certificate] when it is none.
Data data_from_json(const std::string& text);

/// The data as JSON, indented.
std::string as_json(const Data& data);

}  // namespace rattleback
