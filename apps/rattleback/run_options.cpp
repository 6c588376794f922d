/// Options of a run, from the command line to RunOptions.
#include "run_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/simulate/runs/slip_events.hpp>
#include <rattleback/simulate/states/number_in_parameters.hpp>

#include "output_file.hpp"

namespace rattleback::app {
namespace {

/// Negative: backwards in time.
double duration(const Flow& flow, const Arguments& args) {
  if (!args.has("--until")) {
    const auto& until = flow.system().simulation.until;
    return until ? number_in_parameters(flow, "until", text(*until)) : 10;
  }
  const double until = number_in_parameters(flow, "--until", args.get("--until"));
  if (until != 0) return until;
  throw Error("usage", "--until 0 is no duration", "a motion starts at t = 0",
              "write a positive number, or a negative one to run backwards in time")
      .at(command_line("--until"));
}

constexpr const char *lift_off = "lift-off", *slip = "slip";  // what --stop takes besides expressions

/// Options that another one makes use of, or that another method does.
void require_use(const StepperRow& row, const Arguments& args) {
  const auto idle = [&](const std::string& option, const std::string& why, const std::string& fix) {
    if (args.has(option))
      throw Error("usage", fmt::format("{} is of no use here", option), why, fix).at(command_line(option));
  };
  if (!args.has("--lyapunov"))
    idle("--transient", "no exponents are asked for", "add --lyapunov N, or leave it out");
  if (!args.has("--section")) idle("--points", "there is no section", "add --section EXPR, or leave it out");
  const std::string fix = "leave it out, or choose another --method";
  if (args.has("--orders")) return;
  if (row.adaptive) {
    idle("--step", fmt::format("{} finds the length of its steps", row.name), fix);
  } else {
    for (const char* option : {"--rtol", "--atol"})
      idle(option, fmt::format("{} makes steps of constant length", row.name), fix);
  }
}

int direction(const Arguments& args) {
  const std::string way = args.get("--direction");
  return way == "up" ? 1 : way == "down" ? -1 : 0;
}

std::vector<Event> events(const Flow& flow, const Arguments& args) {
  const System& system = flow.system();
  std::vector<Event> found;
  for (const std::string option : {"--events", "--stop"})
    for (const std::string& given : args.all(option))
      if (given == slip) {
        const std::vector<Event> slips = slip_events(flow, option == "--stop");
        found.insert(found.end(), slips.begin(), slips.end());
      } else if (given != lift_off)
        found.push_back(
            {given, event_equation(system, given, command_line(option).file), option == "--stop"});
  if (args.has("--section")) {
    const std::string given = args.get("--section");
    found.push_back(
        {given, event_equation(system, given, command_line("--section").file), false, direction(args), true});
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

}  // namespace

double positive(const Flow& flow, const Arguments& args, const std::string& option, double otherwise) {
  if (!args.has(option)) return otherwise;
  const double x = number_in_parameters(flow, option, args.get(option));
  if (x > 0) return x;
  throw Error("usage", fmt::format("{} must be positive", option), fmt::format("it is {:g}", x),
              "write a positive number")
      .at(command_line(option));
}

std::size_t whole(const Flow& flow, const Arguments& args, const std::string& option, std::size_t otherwise) {
  constexpr double most_numbers = input_limits::recorded_numbers.count;
  const double x = positive(flow, args, option, static_cast<double>(otherwise));
  if (option == "--samples" && x * static_cast<double>(flow.dimension()) > most_numbers)
    throw Error("usage", fmt::format("--samples {} is more than memory holds", args.get(option)),
                fmt::format("each sample has at least {} numbers, and all of them are kept until the end",
                            flow.dimension()),
                fmt::format("record at most {:.0f}", most_numbers / static_cast<double>(flow.dimension())))
        .at(command_line(option));
  if (x == std::floor(x) && x < 1e15) return static_cast<std::size_t>(x);
  throw Error("usage", fmt::format("{} {} is not a whole number", option, args.get(option)), "",
              "write a whole number")
      .at(command_line(option));
}

RunOptions run_options(const Flow& flow, const Arguments& args) {
  RunOptions options;
  const StepperRow& row = stepper_named(args.get("--method"));
  options.method = row.name;
  require_use(row, args);
  options.until = duration(flow, args);
  options.settings.rtol = positive(flow, args, "--rtol", row.rtol);
  options.settings.atol = positive(flow, args, "--atol", options.settings.rtol / 100);
  options.settings.step = positive(flow, args, "--step", 0);
  options.events = events(flow, args);
  const std::vector<std::string> stops = args.all("--stop");
  options.stop_at_lift_off = std::find(stops.begin(), stops.end(), lift_off) != stops.end();
  if (options.stop_at_lift_off && flow.system().contacts.empty())
    throw Error("usage", "nothing in this model can lift off",
                "it has no [contacts], whose normal forces would say so",
                "describe the bodies in [bodies] and what they touch in [contacts]")
        .at(command_line("--stop"));
  options.progress = progress_bar(std::abs(options.until));
  options.section_points = whole(flow, args, "--points", 0);
  if (args.has("--samples")) {
    options.samples = std::max<std::size_t>(2, whole(flow, args, "--samples", 0));
  } else if (args.has("--show")) {
    options.samples = 11;
  } else if (args.has("--output") && !args.has("--section")) {
    options.samples = 1001;
  } else if (args.has("--plot") && !args.has("--section")) {
    options.samples = 4001;  // curves are drawn through them without corners
  }
  return options;
}

RunHead run_head(const Flow& flow, const RunOptions& options, const Arguments& args) {
  RunHead head;
  head.formulas = written_formulas(flow.system());
  head.model = flow.system().name;
  head.units = column_units(flow, options);
  head.method = options.method;
  head.rtol = options.settings.rtol;
  head.atol = options.settings.atol;
  const std::vector<double> values = flow.parameter_values<double>();
  for (std::size_t k = 0; k < values.size(); ++k)
    head.parameters.emplace_back(flow.parameters()[k].name(), values[k]);
  head.stops_at_lift_off = options.stop_at_lift_off;
  for (const Event& e : options.events) head.events.push_back(e.name);
  if (args.has("--section")) {
    const std::string given = args.get("--section"), way = args.get("--direction");
    head.section = given + (given.find('=') == std::string::npos ? " = 0" : "") +
                   (way == "up"     ? " upwards"
                    : way == "down" ? " downwards"
                                    : "");
  }
  if (args.has("--precision")) head.precision = args.get("--precision");
  return head;
}

}  // namespace rattleback::app
