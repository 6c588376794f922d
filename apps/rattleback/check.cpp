/// rattleback check MODEL: what was understood.
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/machine.hpp>
#include <rattleback/simulate/full_triage.hpp>
#include <rattleback/view/triage.hpp>

#include "model_argument.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

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
    fmt::print("{}", as_text(system, found, load_machine(*args.positional())));
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
