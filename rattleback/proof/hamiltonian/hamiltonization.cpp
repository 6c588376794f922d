#include <rattleback/proof/hamiltonian/hamiltonization.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/locus_order.hpp>

namespace rattleback {
namespace {

/// The first reason, or the obstacle.
std::string reason(const Answer& answer) {
  if (answer.outcome == Outcome::not_found) return "searched " + answer.searched;
  if (!answer.decided()) return answer.obstacle;
  return answer.why.empty() ? std::string() : answer.why.front();
}

/// What became of the methods, counted.
struct Tally {
  int failed = 0, missing = 0, open = 0, foreign = 0;

  /// "no method succeeds: 3 fail, 1 is not decided, 2 do not apply to the system as it is written".
  std::string text() const {
    std::vector<std::string> parts;
    const auto add = [&](int n, const char* one, const char* many) {
      if (n > 0) parts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
    };
    add(failed, "fails", "fail");
    add(missing, "finds nothing", "find nothing");
    add(open, "is not decided", "are not decided");
    add(foreign, "does not apply to the system as it is written",
        "do not apply to the system as it is written");
    return fmt::format("no method succeeds: {}", fmt::join(parts, ", "));
  }
};

}  // namespace

const std::vector<std::string>& hamiltonization_methods() {
  static const std::vector<std::string> methods{"chaplygin-multiplier",  "conditionally-variational",
                                                "routh-hamiltonization", "suslov-hamiltonization",
                                                "inverse-problem",       "optimal-control"};
  return methods;
}

namespace {

/// One way that succeeds for all parameters is enough. Where none succeeds in general, each of them may at parameters of its own.
void add_locus(const std::vector<Answer>& of_methods, Answer& overview) {
  if (!overview.decided() && overview.outcome != Outcome::not_found) return;
  const bool complete = std::ranges::any_of(of_methods, [](const Answer& a) {
    return a.outcome == Outcome::proved && a.unless.empty() && locus_is_complete(a);
  });
  if (overview.outcome != Outcome::proved) {
    for (const Answer& a : of_methods) {
      for (const Locus& component : a.unless) {
        if (std::ranges::find(overview.unless, component) == overview.unless.end())
          overview.unless.push_back(component);
      }
    }
    overview.unless = in_canonical_order(std::move(overview.unless));
  }
  set_locus(overview, complete, "each of the ways has a locus of its own");
}

}  // namespace

Answer hamiltonization_overview(const std::vector<Answer>& of_methods) {
  Answer overview;
  Data table;
  Tally tally;
  bool any = false;
  Certificate failure;
  for (std::size_t i = 0; i < of_methods.size(); ++i) {
    const Answer& a = of_methods[i];
    const std::string& name = hamiltonization_methods()[i];
    table[name]["verdict"] = text(a.outcome);
    table[name]["why"] = reason(a);
    for (const char* key : {"group", "subgroups"}) {
      if (const Data* known = a.answer.find(key)) table[name][key] = *known;
    }
    overview.why.push_back(fmt::format("{}: {}: {}", name, text(a.outcome), reason(a)));
    if (a.outcome == Outcome::proved && !any) {
      overview.evidence = a.evidence;
      overview.certificate = a.certificate;
    }
    any = any || a.outcome == Outcome::proved;
    if (a.outcome == Outcome::refuted) {
      if (tally.failed == 0 || !a.evidence.exact) failure = a.evidence;
      ++tally.failed;
    } else if (!a.decided()) {
      ++(a.outcome == Outcome::not_found   ? tally.missing
         : a.outcome == Outcome::undecided ? tally.open
                                           : tally.foreign);
    }
  }
  if (any) {
    overview.outcome = Outcome::proved;
  } else if (tally.open + tally.foreign + tally.missing == 0) {
    overview.outcome = Outcome::refuted;
    overview.evidence = failure;
  } else if (tally.open == 0) {
    set_not_found(overview, tally.text(),
                  tally.foreign > 0
                      ? "name a group in [symmetry], or write the system in coordinates adapted to one"
                      : "write the system in other coordinates");
  } else {
    overview.obstacle = tally.text();
    overview.next_step = "ask the undecided method by itself, with more time";
  }
  add_locus(of_methods, overview);
  overview.answer["exists"] = overview.decided() ? Data(any) : Data();
  overview.answer["methods"] = table;
  return overview;
}

}  // namespace rattleback
