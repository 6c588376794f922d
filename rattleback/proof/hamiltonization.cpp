#include <rattleback/proof/hamiltonization.hpp>

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// What became of the methods, counted.
struct Tally {
  int failed = 0, open = 0, foreign = 0;

  /// "no method succeeds: 3 fail, 1 is not decided, 2 do not apply to the system as it is written".
  std::string text() const {
    std::vector<std::string> parts;
    const auto add = [&](int n, const char* one, const char* many) {
      if (n > 0) parts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
    };
    add(failed, "fails", "fail");
    add(open, "is not decided", "are not decided");
    add(foreign, "does not apply to the system as it is written",
        "do not apply to the system as it is written");
    return fmt::format("no method succeeds: {}", fmt::join(parts, ", "));
  }
};

}  // namespace

Answer hamiltonization_answer(const System& system) {
  Answer overview;
  Data table;
  Tally tally;
  bool any = false;
  Certificate failure;
  for (const char* name : methods) {
    const Attempt tried = attempt(name, system);
    const Answer& a = tried.answer;
    table[name]["verdict"] = tried.verdict();
    table[name]["why"] = tried.reason();
    for (const char* key : {"group", "subgroups"}) {
      if (const Data* known = a.answer.find(key)) table[name][key] = *known;
    }
    overview.why.push_back(fmt::format("{}: {}: {}", name, tried.verdict(), tried.reason()));
    if (a.outcome == Outcome::proved && !any) overview.evidence = a.evidence;
    any = any || a.outcome == Outcome::proved;
    if (a.outcome == Outcome::refuted) {
      if (tally.failed == 0 || !a.evidence.exact) failure = a.evidence;
      ++tally.failed;
    } else if (a.outcome == Outcome::undecided) {
      ++(tried.applies ? tally.open : tally.foreign);
    }
  }
  if (any) {
    overview.outcome = Outcome::proved;
  } else if (tally.open == 0 && tally.foreign == 0) {
    overview.outcome = Outcome::refuted;
    overview.evidence = failure;
  } else {
    overview.obstacle = tally.text();
    overview.next_step = tally.foreign > 0
                             ? "name a group in [symmetry], or write the system in coordinates adapted to one"
                             : "ask the undecided method by itself, with more time";
  }
  overview.answer["exists"] = overview.outcome == Outcome::undecided ? Data() : Data(any);
  overview.answer["methods"] = table;
  return overview;
}

}  // namespace rattleback
