/// rattleback plan MODEL --to ...: inputs that bring the system to a goal.
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/results/plans.hpp>

#include "model_argument.hpp"
#include "output_file.hpp"
#include "plan_verb.hpp"

namespace rattleback::app {
namespace {

double number(const std::string& text, const std::string& option, const System& system) {
  const std::string where = fmt::format("command line, {} {}", option, text);
  const Expr e =
      placed(where, [&] { return substitute(parse(text, system.scope), parameter_values(system)); });
  try {
    return evaluate(e, Numbers{});
  } catch (const NoValue&) {
    Place place;
    place.file = where;
    throw Error("usage", fmt::format("`{}` is not a number", text),
                "a goal is a number at the end of the motion", "use numbers, pi and parameters with values")
        .at(place);
  }
}

std::vector<Goal> goals_of(const System& system, const Arguments& args) {
  std::vector<Goal> goals;
  for (const auto& [name, value] : assignments(args.get("--to"), "--to", "x=1,y=0"))
    goals.push_back(placed(fmt::format("command line, --to {}={}", name, value),
                           [&, &n = name, &v = value] { return stated_goal(system, n, v); }));
  return goals;
}

int whole_number(const Arguments& args, const std::string& option, int least, const System& system) {
  const double x = number(args.get(option), option, system);
  if (x != static_cast<int>(x) || x < least || x > 10'000)
    throw Error("usage", fmt::format("{} is a whole number from {} to 10000", option, least), "",
                fmt::format("write {} 20", option));
  return static_cast<int>(x);
}

int run_plan(const Arguments& args) {
  const Budget budget(time_limits(args));
  System system = model_in_motion(args);
  if (args.has("--initial")) system = with_initial_values(std::move(system), initial_assignments(args));
  if (!args.has("--to"))
    throw Error("usage", "a plan needs a goal", "", "add --to \"x=1,y=0\": values at the end of the motion");
  PlanOptions options;
  options.duration = number(args.get("--duration"), "--duration", system);
  if (!(options.duration > 0))
    throw Error("usage", "--duration is a positive time", "", "write --duration 5");
  options.pieces = whole_number(args, "--pieces", 1, system);
  options.starts = whole_number(args, "--guesses", 1, system);
  const std::vector<Goal> goals = goals_of(system, args);
  const Plan found = plan(system, goals, options);
  if (found.found && args.has("--output")) write_file(args.get("--output"), as_csv(system, found));
  fmt::print("{}",
             args.get("--format") == "json" ? as_json(found, goals) : as_text(system, found, goals, options));
  if (found.found && args.has("--output") && args.get("--format") != "json") {
    std::string inputs;
    for (const std::string& name : found.inputs)
      inputs += fmt::format(" --input {}={}", name, args.get("--output"));
    fmt::print("  {} written: rattleback simulate {}{}\n", args.get("--output"), *args.positional(), inputs);
  }
  return found.found ? Exit::done : Exit::undecided;
}

}  // namespace

Verb plan_verb() {
  return {
      "plan",
      "inputs within their ranges that bring the system to a goal",
      "MODEL",
      "  Inputs of [inputs] become polygons in time whose effort, the integral of the sum of their squares, "
      "is\n"
      "  locally least. What is printed was reached by a run of its own, with the polygons as laws of the "
      "inputs.\n"
      "  A search that ends without a plan says so (exit code 3): it shows nothing about plans that it did "
      "not try.",
      {{"--to", "NAME=VALUE,...",
        "values at the end: coordinates, velocities, speeds, or expressions of them; the others are free"},
       {"--duration", "T", "how long the motion takes", "5"},
       {"--pieces", "N", "pieces of each polygon", "20"},
       {"--guesses", "N", "guesses from which the search starts; the first is no input at all", "12"},
       {"--initial",
        "NAME=VALUE,...",
        "where the motion starts, in place of the model's initial state",
        "",
        {},
        true},
       {"--output", "FILE", "write the inputs there, a CSV table for `simulate --input NAME=FILE`"},
       timeout_option("seconds of computing"),
       format_option({"text", "json"}),
       set_option()},
      {"rattleback plan cart.toml --to \"x=1,theta=0,x'=0,theta'=0\" --duration 3 --output swing.csv"},
      run_plan};
}

}  // namespace rattleback::app
