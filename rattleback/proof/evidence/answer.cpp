#include <rattleback/proof/evidence/answer.hpp>

#include <fmt/format.h>

namespace rattleback {

std::string text(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved: return "proved";
    case Outcome::refuted: return "refuted";
    case Outcome::not_found: return "not found";
    case Outcome::undecided: return "undecided";
    case Outcome::inapplicable: return "does not apply";
  }
  return {};
}

std::string Answer::evidence_text() const {
  if (!decided()) return rattleback::text(outcome);
  return evidence.exact ? "proved" : fmt::format("certain to 2^-{}", evidence.bits);
}

Answer undecided_answer(std::string obstacle, std::string next_step) {
  Answer a;
  a.obstacle = std::move(obstacle);
  a.next_step = std::move(next_step);
  return a;
}

void set_not_found(Answer& a, std::string searched, std::string next_step) {
  a.outcome = Outcome::not_found;
  a.searched = std::move(searched);
  a.next_step = std::move(next_step);
}

Answer inapplicable_answer(std::string obstacle, std::string next_step) {
  Answer a = undecided_answer(std::move(obstacle), std::move(next_step));
  a.outcome = Outcome::inapplicable;
  return a;
}

Answer answer_of(const Verdict& verdict) {
  if (const auto* open = std::get_if<Undecided>(&verdict))
    return undecided_answer(open->obstacle, open->next_step);
  Answer a;
  if (const auto* yes = std::get_if<Proved>(&verdict)) {
    a.outcome = Outcome::proved;
    a.evidence = yes->why;
    return a;
  }
  const Counterexample& at = std::get<Refuted>(verdict).at;
  a.outcome = Outcome::refuted;
  a.evidence.method = at.note;
  return a;
}

}  // namespace rattleback
