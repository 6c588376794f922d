/// rattleback check MODEL: what was understood.
#include <chrono>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/machine.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/suggested_speeds.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/simulate/loops/full_triage.hpp>
#include <rattleback/view/results/triage.hpp>

#include "model_argument.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

/// Lines for [velocities] where the program's own speeds have poles, within the time for a part.
std::string suggestion(const System& system, const Triage& found, double seconds) try {
  if (!found.problems.empty() || !system.velocities.empty() || system.constraints.empty()) return "";
  Limits limits;
  limits.time = std::chrono::duration<double>(seconds);
  const Budget budget(limits);
  if (admissible_velocities(system).where.empty()) return "";
  const auto speeds = suggested_speeds(system, hamel_equations(system));
  return speeds ? as_text(*speeds) : "";
} catch (const OutOfDomain&) {
  return "";  // another form, or nothing to derive: the triage says why
} catch (const Exhausted&) {
  return "";
}

int check(const Arguments& args) {
  const double limit = seconds(args.get("--timeout"));
  const System system = stated_model(args);
  Stages stages;
  const TriageLimits limits{limit, [&](const std::string& part) { stages.next(part); }};
  const Triage found = full_triage(system, limits);
  stages.clear();
  if (args.get("--format") == "json") {
    fmt::print("{}", as_json(system, found, load_machine(*args.positional())));
  } else {
    fmt::print("{}{}", as_text(system, found, load_machine(*args.positional())),
               suggestion(system, found, limit));
    std::fflush(stdout);
    for (const Error& warning : found.warnings) fmt::print(stderr, "{}", report(warning, "warning"));
    for (const Error& problem : found.problems) fmt::print(stderr, "{}", report(problem));
  }
  return found.problems.empty() ? Exit::done : Exit::error;
}

}  // namespace

Verb check_verb() {
  return {"check",
          "what a model says: dimensions, kinds of constraints, regularity, warnings",
          "MODEL",
          "",
          {{"--timeout", "S", "seconds of computing for each part; what takes longer is left open", "10"},
           format_option({"text", "json"}),
           set_option()},
          {"rattleback check chaplygin-sleigh", "rattleback check my-model.toml --format json"},
          check};
}

}  // namespace rattleback::app
