#include <rattleback/proof/hamiltonization.hpp>

#include <array>

#include <fmt/format.h>

#include <rattleback/proof/question.hpp>

namespace rattleback {
namespace {

constexpr std::array methods{"chaplygin-multiplier",   "conditionally-variational", "routh-hamiltonization",
                             "suslov-hamiltonization", "inverse-problem",           "optimal-control"};
constexpr double seconds_each = 15;

/// The first reason, or the obstacle.
std::string reason(const Answer& a) {
  if (a.outcome == Outcome::undecided) return a.obstacle;
  return a.why.empty() ? std::string() : a.why.front();
}

}  // namespace

Answer hamiltonization_answer(const System& system) {
  Answer overview;
  Data table;
  bool any = false, decided = false;
  for (const char* name : methods) {
    const Answer a = asked(question(name), system, seconds_each);
    table[name]["verdict"] = text(a.outcome);
    table[name]["why"] = reason(a);
    if (const Data* group = a.answer.find("group")) table[name]["group"] = *group;
    overview.why.push_back(fmt::format(
        "{}: {}: {}", name, a.outcome == Outcome::undecided ? "does not apply" : text(a.outcome), reason(a)));
    if (a.outcome == Outcome::proved) {
      any = true;
      if (overview.evidence.method.empty()) overview.evidence = a.evidence;
    }
    decided = decided || a.outcome == Outcome::refuted;
  }
  overview.answer["methods"] = table;
  overview.answer["exists"] = any ? Data(true) : decided ? Data(false) : Data();
  overview.outcome = any ? Outcome::proved : decided ? Outcome::refuted : Outcome::undecided;
  if (overview.outcome == Outcome::undecided) {
    overview.obstacle = "no method applies";
    overview.next_step = "the methods need linear constraints and symmetries; see the reasons";
  }
  return overview;
}

}  // namespace rattleback
