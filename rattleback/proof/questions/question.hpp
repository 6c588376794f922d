#pragma once
/// What can be asked of a system, one row each. A new question is one file and one row.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

struct Question {
  std::string name;   ///< what --question takes
  std::string about;  ///< one line: the statement that is proved or refuted
  Answer (*decide)(const System&) = nullptr;
  std::vector<std::string> parts = {};  ///< of an overview: questions that it sums up
  Answer (*sum_up)(const std::vector<Answer>& of_parts) = nullptr;  ///< in place of `decide`
};

const std::vector<Question>& all_questions();
/// The row of that name. Throws Error[unknown-question] with a suggestion.
const Question& question(const std::string& name);

/// The answer within a budget: what runs out of time is undecided, what is about systems of another kind does not apply.
/// Errors of the model itself (contradictory constraints, a degenerate Lagrangian) are thrown.
Answer asked(const Question& question, const System& system, double seconds);

/// Several questions to one system, each of them asked once: an overview uses the answers that are there already. They are about the
/// set N of the position constraints, which are taken in their normal form (model/checks/normal_positions.hpp).
class QuestionSession {
 public:
  QuestionSession(const System& system, double seconds);

  const Answer& answer(const Question& question);
  /// For each question from now on.
  void allow(double seconds) { seconds_ = seconds; }

 private:
  const System& system() const { return normal_ ? *normal_ : *system_; }

  const System* system_;
  std::optional<System> normal_;  ///< where it is not the one that was given
  double seconds_;
  std::map<std::string, Answer> known_;
};

}  // namespace rattleback
