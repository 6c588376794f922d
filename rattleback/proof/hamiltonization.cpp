#include <rattleback/proof/hamiltonization.hpp>

#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/proof/question.hpp>

namespace rattleback {
namespace {

constexpr std::array methods{"chaplygin-multiplier",   "conditionally-variational", "routh-hamiltonization",
                             "suslov-hamiltonization", "inverse-problem",           "optimal-control"};
constexpr double seconds_each = 15;

struct Attempt {
  Answer answer;
  bool applies = true;

  std::string verdict() const { return applies ? text(answer.outcome) : "does not apply"; }
  /// The first reason, or the obstacle.
  std::string reason() const {
    if (answer.outcome == Outcome::undecided) return answer.obstacle;
    return answer.why.empty() ? std::string() : answer.why.front();
  }
};

/// A method needs a kind of system; one of another kind is no failure.
Attempt attempt(const std::string& method, const System& system) {
  try {
    const Budget budget({.time = std::chrono::duration<double>(seconds_each)});
    return {question(method).decide(system)};
  } catch (const Exhausted&) {
    return {undecided_answer(fmt::format("it takes longer than {} s", seconds_each),
                             "ask the question by itself")};
  } catch (const Error& error) {
    if (error.slug != "form-does-not-apply" && error.slug != "nonlinear-constraint") throw;
    return {undecided_answer(error.why.empty() ? error.summary : error.why, error.fix), false};
  }
}

}  // namespace

Answer hamiltonization_answer(const System& system) {
  Answer overview;
  Data table;
  bool any = false, failed = false, open = false;
  for (const char* name : methods) {
    const Attempt tried = attempt(name, system);
    const Answer& a = tried.answer;
    table[name]["verdict"] = tried.verdict();
    table[name]["why"] = tried.reason();
    if (const Data* group = a.answer.find("group")) table[name]["group"] = *group;
    overview.why.push_back(fmt::format("{}: {}: {}", name, tried.verdict(), tried.reason()));
    if (a.outcome == Outcome::proved) {
      any = true;
      if (overview.evidence.method.empty()) overview.evidence = a.evidence;
    }
    failed = failed || a.outcome == Outcome::refuted;
    open = open || (tried.applies && a.outcome == Outcome::undecided);
  }
  if (any) {
    overview.outcome = Outcome::proved;
  } else if (failed && !open) {
    overview.outcome = Outcome::refuted;
  } else {
    overview.obstacle = open ? "a method that applies was not decided" : "no method applies";
    overview.next_step = "see the reason of each method";
  }
  overview.answer["exists"] = overview.outcome == Outcome::undecided ? Data() : Data(any);
  overview.answer["methods"] = table;
  return overview;
}

}  // namespace rattleback
