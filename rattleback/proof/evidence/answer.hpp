#pragma once
/// What a question returns: an outcome with its evidence, for people and as data that a checker verifies.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/evidence/locus.hpp>

namespace rattleback {

/// Five answers. proved: the statement holds. refuted: its negation is proved, or a counterexample is given. not_found: a search
/// for something that would prove it has ended without one, which excludes only what was searched. undecided: a computation met
/// an obstacle. inapplicable: the statement is about systems of another kind.
enum class Outcome : std::uint8_t { proved, refuted, not_found, undecided, inapplicable };

struct Answer {
  Outcome outcome = Outcome::undecided;
  std::string statement;         ///< what is proved or refuted, exactly; empty: the question's own line
  Data answer;                   ///< the keys of the schema, e.g. {exists, density, variables}
  std::vector<Locus> unless;     ///< parameters at which the outcome is the other one
  std::vector<std::string> why;  ///< lines for a person: the decisive formula, what was found
  Certificate evidence;          ///< how a decided outcome was established
  std::vector<std::string> assumptions;
  Data certificate;      ///< what `prove --certificate` checks; null when there is nothing to recompute
  std::string searched;  ///< of what was not found: where it was looked for
  std::string obstacle, next_step;  ///< when there is no decision

  bool decided() const { return outcome == Outcome::proved || outcome == Outcome::refuted; }
  /// "proved", "certain to 2^-180", "not found", "undecided" or "does not apply".
  std::string evidence_text() const;
};

/// "proved", "refuted", "not found", "undecided", "does not apply".
std::string text(Outcome outcome);

/// Undecided, with the reason and what to do about it.
Answer undecided_answer(std::string obstacle, std::string next_step);
/// `a` as a search that ended without success: where it looked, and what to do next.
void set_not_found(Answer& a, std::string searched, std::string next_step);
/// The system is not of the kind that the question is about: what it lacks, and what to ask or write instead.
Answer inapplicable_answer(std::string obstacle, std::string next_step);

/// The outcome and evidence of a verdict; a counterexample becomes a line of `why`.
Answer answer_of(const Verdict& verdict);

}  // namespace rattleback
