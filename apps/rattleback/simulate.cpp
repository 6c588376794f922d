/// rattleback simulate MODEL: one motion.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/numbers.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/initial_values.hpp>
#include <rattleback/simulate/trajectory.hpp>
#include <rattleback/view/order_table.hpp>
#include <rattleback/view/plot.hpp>
#include <rattleback/view/trajectory.hpp>

#include "model_argument.hpp"
#include "output_file.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

/// A number on the command line: an exact expression of the parameters.
double number(const Flow& flow, const std::string& option, const std::string& given) {
  Scope scope;
  Numbers values;
  const std::vector<double> numbers = flow.parameter_values<double>();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    scope.define(flow.parameters()[k].name(), Expr(flow.parameters()[k]));
    values.emplace(flow.parameters()[k], numbers[k]);
  }
  const double x = evaluate(parse(given, scope), values);
  if (std::isfinite(x)) return x;
  throw Error("usage", fmt::format("{} {} is not a finite number", option, given), "", "write a number")
      .at(command_line(option));
}

double positive(const Flow& flow, const Arguments& args, const std::string& option, double otherwise) {
  if (!args.has(option)) return otherwise;
  const double x = number(flow, option, args.get(option));
  if (x > 0) return x;
  throw Error("usage", fmt::format("{} must be positive", option), fmt::format("it is {:g}", x),
              "write a positive number")
      .at(command_line(option));
}

double duration(const Flow& flow, const Arguments& args) {
  if (args.has("--until")) return positive(flow, args, "--until", 0);
  if (const auto& until = flow.system().simulation.until) return number(flow, "until", text(*until));
  return 10;
}

/// Expressions that may use every name of the model, quasi-velocities included.
std::vector<Event> events(const System& system, const Arguments& args) {
  std::vector<Event> found;
  for (const bool stops : {false, true}) {
    for (const std::string& given : args.all(stops ? "--stop" : "--events"))
      found.push_back({given, parse(given, system.scope), stops});
  }
  return found;
}

/// A bar on a terminal, and only for runs that take longer than a second.
std::function<void(double)> progress_bar(double until) {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [until, begin = std::time(nullptr), last = std::time(nullptr)](double t) mutable {
    const std::time_t now = std::time(nullptr);
    if (now - begin < 2 || now == last) return;
    last = now;
    const double part = t / until, left = static_cast<double>(now - begin) * (1 - part) / part;
    fmt::print(stderr, "\r  t = {:.4g} of {:.4g}  [{:<30}]  {:.0f} s left \r", t, until,
               std::string(static_cast<std::size_t>(30 * part), '='), left);
  };
}

RunHead head_of(const Flow& flow, const RunOptions& options) {
  RunHead head;
  head.model = flow.system().name;
  head.method = options.method;
  head.rtol = options.settings.rtol;
  head.atol = options.settings.atol;
  const std::vector<double> values = flow.parameter_values<double>();
  for (std::size_t k = 0; k < values.size(); ++k)
    head.parameters.emplace_back(flow.parameters()[k].name(), values[k]);
  for (const Event& e : options.events) head.events.push_back(e.name);
  return head;
}

void write_output(const std::string& path, const RunHead& head, const Trajectory& run) {
  const std::string extension = std::filesystem::path(path).extension();
  write_file(path, extension == ".json" ? as_json(head, run) : as_csv(head, run));
}

void require_known_output(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (path.empty() || extension == ".csv" || extension == ".json") return;
  throw Error("usage", fmt::format("`{}` has no format that can be written", path),
              "the ending says the format", "end the name in .csv or .json")
      .at(command_line("--output"));
}

RunOptions options_of(const Flow& flow, const Arguments& args) {
  RunOptions options;
  const StepperRow& row = stepper_named(args.get("--method"));
  options.method = row.name;
  options.until = duration(flow, args);
  options.settings.rtol = positive(flow, args, "--rtol", row.rtol);
  options.settings.atol = positive(flow, args, "--atol", options.settings.rtol / 100);
  options.settings.step = positive(flow, args, "--step", 0);
  options.events = events(flow.system(), args);
  options.progress = progress_bar(options.until);
  if (args.has("--samples")) {
    options.samples = static_cast<std::size_t>(positive(flow, args, "--samples", 0));
    if (options.samples < 2) options.samples = 2;
  } else if (args.has("--output") || args.has("--plot")) {
    options.samples = 1001;
  }
  return options;
}

/// What is known to be constant and what a search of some seconds finds besides; false when its time was up.
bool find_invariants(const Flow& flow, const Arguments& args, RunOptions& options) {
  options.invariants = known_invariants(flow.system());
  if (args.get("--search") == "0") return true;
  const FoundInvariants found =
      found_invariants(flow, options.invariants, positive(flow, args, "--search", 2));
  options.invariants.insert(options.invariants.end(), found.invariants.begin(), found.invariants.end());
  return found.complete;
}

/// --orders: every method of constant step on this motion.
int orders(const Flow& flow, const Arguments& args, const RunOptions& options, std::span<const double> y) {
  const double step = options.settings.step > 0 ? options.settings.step : options.until / 100;
  const std::vector<MeasuredOrder> table = measured_orders(flow, y, options.until, step);
  fmt::print("{}", args.get("--format") == "json" ? as_json(flow.system().name, options.until, table)
                                                  : as_text(table));
  return Exit::done;
}

int simulate(const Arguments& args) {
  require_known_output(args.get("--output"));
  const Flow flow(with_initial_values(model_argument(args), initial_values(args)));
  RunOptions options = options_of(flow, args);
  const std::vector<double> y = initial_state(flow, {args.has("--project"), 0});
  if (args.has("--orders")) return orders(flow, args, options, y);
  const bool all_found = find_invariants(flow, args, options);
  const Trajectory run = trajectory(flow, y, options);
  RunHead head = head_of(flow, options);
  if (!all_found) head.search = args.get("--search");
  fmt::print("{}", args.get("--format") == "json" ? as_json(head, run) : as_text(head, run));
  if (args.has("--output")) write_output(args.get("--output"), head, run);
  if (args.has("--plot")) write_file(args.get("--plot"), as_svg(flow.system().title, panels_of(flow, run)));
  if (!run.failure) return Exit::done;
  std::fflush(stdout);
  throw Error("motion-ends",
              fmt::format("the motion ends at t = {:.10g}, before {:g}", run.end, options.until),
              *run.failure, "what was computed before is printed and written; look at the state there");
}

Option method_option() {
  std::vector<std::string> described;
  for (const StepperRow& row : all_steppers())
    described.push_back(fmt::format("{} ({})", row.name, row.title));
  return {"--method", "M", fmt::format("the stepper: {}", fmt::join(described, ", ")), "taylor"};
}

}  // namespace

Verb simulate_verb() {
  return {"simulate",
          "run the motion",
          "MODEL",
          "",
          {{"--until", "T", "how long; otherwise as the model says, or 10"},
           {"--initial",
            "NAME=VALUE,...",
            "coordinates, velocities x', quasi-velocities; what is left out comes from the model or from the "
            "constraints",
            "",
            {},
            true},
           {"--project", "", "drop the part of the initial velocity that the constraints forbid"},
           method_option(),
           {"--rtol", "R",
            "relative tolerance of a step, for adaptive methods (default: near the best of double, 1e-15 for "
            "taylor)"},
           {"--atol", "A", "absolute tolerance (default rtol/100)"},
           {"--step", "H", "length of a step, for methods of constant step"},
           {"--orders", "",
            "instead of one run, the error of every method of constant step with --step and half of it, and "
            "the order that "
            "shows"},
           {"--samples", "N", "record N equally spaced states (default 1001 when there is an output)"},
           {"--output", "FILE", "write the samples: .csv or .json"},
           {"--plot", "FILE.svg", "draw path, configuration, speeds, phase portrait and drift"},
           {"--events", "EXPR", "report when the expression crosses or touches zero", "", {}, true},
           {"--stop", "EXPR", "end the motion when the expression reaches zero", "", {}, true},
           {"--search", "S",
            "seconds to look for integrals whose drift is then printed, besides what the model declares; 0 "
            "for none",
            "2"},
           format_option({"text", "json"}),
           set_option()},
          {"rattleback simulate chaplygin-sleigh",
           "rattleback simulate chaplygin-sleigh --initial u=2,omega=-1 --until 40 --output sleigh.csv",
           "rattleback simulate contact-oscillator --orders --step 0.05 --until 5",
           "rattleback simulate cart-pendulum --events theta --method gauss6 --step 0.01"},
          simulate};
}

}  // namespace rattleback::app
