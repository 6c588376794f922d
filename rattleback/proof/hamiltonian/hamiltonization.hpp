#pragma once
/// Overview of Hamiltonization: which method succeeds, which fails, which does not apply.

#include <string>
#include <vector>

#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// The questions that it sums up, in the order of its table.
const std::vector<std::string>& hamiltonization_methods();

/// Proved: a method succeeds. Refuted: every method applies and is refuted. Otherwise not found, or undecided. Answer {exists, methods}.
Answer hamiltonization_overview(const std::vector<Answer>& of_methods);

}  // namespace rattleback
