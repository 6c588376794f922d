/// rattleback simulate MODEL: one motion.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/simulate/runs/flight.hpp>
#include <rattleback/simulate/runs/gross_drift.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/pictures/plot_request.hpp>
#include <rattleback/view/results/order_table.hpp>

#include "figure_options.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "native_option.hpp"
#include "output_file.hpp"
#include "printed_table.hpp"
#include "run_options.hpp"

namespace rattleback::app {
namespace {

void write_output(const std::string& path, const RunHead& head, const Trajectory& run) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".h5") {
    write_hdf5(path, head, run);
  } else {
    write_file(path, extension == ".json" ? as_json(head, run) : as_csv(head, run));
  }
}

/// Before a long run, not after it: the ending is known, and the folder can be written to.
void require_output(const Arguments& args, const std::string& option,
                    const std::vector<std::string>& endings) {
  if (!args.has(option)) return;
  const std::string path = args.get(option), extension = std::filesystem::path(path).extension();
  if (std::find(endings.begin(), endings.end(), extension) == endings.end())
    throw Error("usage", fmt::format("`{}` has no format that can be written", path),
                "the ending says the format", fmt::format("end the name in {}", fmt::join(endings, " or ")))
        .at(command_line(option));
  require_writable(path);
}

/// Options that have no meaning together.
void refuse(const Arguments& args, const std::string& option, const std::vector<std::string>& others,
            const std::string& why) {
  for (const std::string& other : others) {
    if (args.has(option) && args.has(other))
      throw Error("usage", fmt::format("{} and {} do not go together", option, other), why,
                  "leave one of them out")
          .at(command_line(option));
  }
}

/// What is known to be constant and what a search finds besides; false when more could be looked for.
bool find_invariants(const Flow& flow, const Arguments& args, RunOptions& options) {
  options.invariants = known_invariants(flow);
  if (args.get("--search") == "0") return true;
  const FoundInvariants found =
      args.has("--search") ? found_invariants(flow, options.invariants, positive(flow, args, "--search", 0))
                           : found_invariants(flow, options.invariants);
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

[[noreturn]] void ends_early(double end, double until, const std::string& why) {
  std::fflush(stdout);
  throw Error("motion-ends", fmt::format("the motion ends at t = {:.10g}, before {:g}", end, until), why,
              "what was computed before is printed and written; look at the state there");
}

/// What is constant along the motion and not along the run: a warning on stderr whatever the output.
void warn_of(std::span<const GrossDrift> drifts, const System& system, bool constant_step) {
  const auto is_position = [&](const Drift& d) {
    return std::ranges::any_of(system.constraints,
                               [&](const Constraint& c) { return c.position && c.name == d.name; });
  };
  for (const auto& [d, size] : drifts) {
    if (is_position(d)) continue;  // say_violated speaks of them
    const Error warning(
        "drifting-invariant",
        fmt::format("`{}` is constant along the motion, and this run changes it by {:.3g}", d.name,
                    d.largest),
        fmt::format(
            "it is {:.6g} at the start, and its terms are of size {:.3g}: the run is not the motion of the "
            "model",
            d.initial, size),
        constant_step ? "take a shorter --step, or --method taylor, and compare"
                      : "take a smaller --rtol or another --method, and compare; a motion that passes near a "
                        "singularity may want a shorter --until");
    fmt::print(stderr, "{}", report(warning, "warning"));
  }
}

/// The same of a run that may have used up its time: then nothing is known of the terms, and nothing is said.
void warn_of_drift(const Flow& flow, const RunOptions& options, std::span<const double> start,
                   std::span<const Drift> drift, std::span<const double> end, double until,
                   bool constant_step) {
  try {
    warn_of(gross_drifts(flow, options.invariants, drift, start, end, until), flow.system(), constant_step);
  } catch (const Exhausted&) {
  }
}

/// --precision: more digits.
int in_more_digits(const Flow& flow, const Arguments& args, const RunOptions& options,
                   std::span<const double> y) {
  const PreciseMotion run = precise_motion(flow, y, options, precision(args.get("--precision")));
  const RunHead head = run_head(flow, options, args);
  const auto written = [&](bool json) { return json ? as_json(head, run) : as_csv(head, run); };
  fmt::print("{}", args.get("--format") == "json" ? as_json(head, run) : as_text(head, run));
  if (args.has("--output"))
    write_file(args.get("--output"), written(args.get("--output").ends_with(".json")));
  warn_of_drift(flow, options, y, run.drift, run.final_state, run.end, options.method != "taylor");
  if (run.failure) ends_early(run.end, options.until, *run.failure);
  return Exit::done;
}

/// --lyapunov: exponents in place of a run.
int exponents(const Flow& flow, const Arguments& args, const RunOptions& options, std::span<const double> y) {
  LyapunovOptions how;
  how.until = options.until;
  how.count = args.get("--lyapunov") == "all" ? 0 : whole(flow, args, "--lyapunov", 1);
  if (args.has("--rtol")) how.rtol = options.settings.rtol;
  how.transient = positive(flow, args, "--transient", 0);
  how.invariants = options.invariants;
  const LyapunovExponents found = lyapunov_exponents(flow, y, how);
  const RunHead head = run_head(flow, options, args);
  fmt::print("{}", args.get("--format") == "json" ? as_json(head, found) : as_text(head, found));
  if (found.failure) ends_early(found.time, options.until, *found.failure);
  return Exit::done;
}

/// --show: columns of the samples on the terminal.
void show(const Arguments& args, const RunHead& head, const Trajectory& run) {
  std::vector<std::string> names{with_unit(head.units, "t")};
  std::vector<std::vector<double>> columns{run.t};
  for (const std::string& name : listed(args.get("--show"), run.names)) {
    const auto found = std::find(run.names.begin(), run.names.end(), name);
    if (found == run.names.end()) {
      const auto close = nearest(name, run.names);
      throw Error("usage", fmt::format("`{}` is no column of this run", name), "",
                  close.empty() ? fmt::format("its columns are {}", fmt::join(run.names, ", "))
                                : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")));
    }
    names.push_back(with_unit(head.units, name));
    columns.emplace_back();
    for (const std::vector<double>& row : run.rows)
      columns.back().push_back(row[static_cast<std::size_t>(found - run.names.begin())]);
  }
  fmt::print("{}", printed_table(names, columns));
}

/// Orders and exponents are those of the motion forwards.
void require_forwards(const Arguments& args, double until) {
  for (const char* option : {"--orders", "--lyapunov"}) {
    if (until < 0 && args.has(option))
      throw Error("usage", fmt::format("{} needs a positive duration", option),
                  fmt::format("the motion runs backwards, to t = {:g}", until), "give a positive --until")
          .at(command_line(option));
  }
}

/// --verbose: what happened on the way, beside the result.
void say(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
}

/// A motion that leaves its position constraints is not one of the model: said whatever the method.
void say_violated(const Flow& flow, const Trajectory& run) {
  constexpr double visible = 1e-6;
  for (const Constraint& c : flow.system().constraints) {
    if (!c.position) continue;
    for (const Drift& d : run.drift)
      if (d.name == c.name && !(d.relative() <= visible))
        say(
            {fmt::format("the position constraint `{}` is violated by {:.2g} on the way: shorten the steps "
                         "(--step, --rtol), or take "
                         "dla-midpoint, gni, hamel or discrete-gradient, which keep positions",
                         d.name, d.largest)});
  }
}

/// --plot takes the file and what is drawn in it: names that end as figures do are files.
std::string figure_file(const Arguments& args) {
  std::string file;
  for (const std::string& given : args.all("--plot")) {
    if (!is_figure_file(given)) continue;
    if (!file.empty())
      throw Error("usage", "two files for one figure", fmt::format("`{}` and `{}`", file, given),
                  "give one file; panels are drawn into it side by side")
          .at(command_line("--plot"));
    file = given;
  }
  return file.empty() ? "figure.svg" : file;
}

PlotRequest plot_request(const Arguments& args) {
  PlotRequest request;
  for (const std::string& given : args.all("--plot"))
    if (!is_figure_file(given)) request.panels.push_back(given);
  for (const std::string& list : args.all("--range"))
    for (const std::string& part : split_outside_brackets(list, ','))
      request.ranges.push_back(plot_range(part));
  for (const std::string& list : args.all("--log"))
    for (const std::string& part : split_outside_brackets(list, ',')) request.logarithmic.push_back(part);
  return request;
}

void check_figure(const Arguments& args) {
  for (const char* option : {"--range", "--log", "--title", "--size"})
    if (args.has(option) && !args.has("--plot"))
      throw Error("usage", fmt::format("{} is of no use here", option), "nothing is drawn",
                  "add --plot FILE.svg, or leave it out")
          .at(command_line(option));
  if (!args.has("--plot")) return;
  // A single word with another ending is a file that cannot be written, not a quantity.
  for (const std::string& given : args.all("--plot")) {
    const std::string extension = std::filesystem::path(given).extension();
    if (extension.size() > 1 && extension.find_first_of(" ,:()'*/+") == std::string::npos &&
        std::isalpha(static_cast<unsigned char>(extension[1])) != 0)
      require_figure(args, given);
  }
  require_figure(args, figure_file(args));
  const PlotRequest request = plot_request(args);
  if (request.panels.empty() && !(request.ranges.empty() && request.logarithmic.empty()))
    throw Error("usage", "--range and --log belong to chosen panels", "the panels are chosen by the program",
                "say what to draw: --plot \"x:y\"")
        .at(command_line(request.ranges.empty() ? "--log" : "--range"));
}

void draw_figure(const Flow& flow, const Arguments& args, const Trajectory& run) {
  const PlotRequest request = plot_request(args);
  const std::vector<Panel> panels =
      request.panels.empty() ? panels_of(flow, run) : requested_panels(flow, run, request);
  const std::string file = figure_file(args);
  write_figure(file, drawn(figure_title(args, flow.system().title), panels, figure_style(args)));
  if (!std::ranges::any_of(args.all("--plot"), is_figure_file))
    fmt::print(stderr, "note: drawn in {}\n", file);
}

void check_options(const Arguments& args) {
  require_output(args, "--output",
                 args.has("--precision") ? std::vector<std::string>{".csv", ".json"}
                                         : std::vector<std::string>{".csv", ".json", ".h5"});
  check_figure(args);
  refuse(args, "--precision",
         {"--plot", "--show", "--events", "--stop", "--section", "--lyapunov", "--orders", "--rtol"},
         "more digits are for the motion itself, at the tolerance that they carry");
  refuse(args, "--lyapunov", {"--plot", "--output", "--show", "--events", "--stop", "--section", "--orders"},
         "exponents are computed in place of a run");
  refuse(args, "--orders", {"--plot", "--output", "--show", "--events", "--stop", "--section"},
         "orders are measured in place of a run");
  refuse(args, "--after", {"--precision", "--lyapunov", "--orders", "--search"},
         "they are for motions with the same equations from beginning to end");
  for (const std::string& given : args.all("--stop"))
    if (args.has("--after") && (given == "lift-off" || given == "slip"))
      throw Error("usage", fmt::format("--stop {} and --after do not go together", given),
                  "a motion that flies goes on there", "leave one of them out")
          .at(command_line("--stop"));
}

/// The summary or a table on the terminal, files, a figure; then the error of a motion that ended before its time.
int report_of_run(const Flow& flow, const Arguments& args, const RunOptions& options,
                  std::span<const double> y, const Trajectory& run, bool all_found) {
  if (args.has("--verbose")) say(run.notes);
  RunHead head = run_head(flow, options, args);
  head.all_found = all_found;
  if (args.has("--show")) {
    show(args, head, run);
    for (const std::string& event : unmet_events(head, run))
      say({fmt::format("{} does not happen until t = {:.6g}", event, run.end)});
  } else
    fmt::print("{}", args.get("--format") == "json" ? as_json(head, run) : as_text(head, run));
  say_violated(flow, run);
  warn_of_drift(flow, options, y, run.drift, run.final_state, run.end, run.step > 0);
  if (args.has("--output")) write_output(args.get("--output"), head, run);
  if (args.has("--plot")) draw_figure(flow, args, run);
  if (run.failure) ends_early(run.end, options.until, *run.failure);
  return Exit::done;
}

/// --after lift-off=fly, start=fly: contacts open and close.
int flown(const Arguments& args) {
  bool in_flight = false;
  for (const std::string& given : args.all("--after")) {
    if (given != "lift-off=fly" && given != "start=fly")
      throw Error("usage", fmt::format("`{}` is nothing that --after knows", given),
                  "it says how a motion goes on that leaves a contact",
                  "write lift-off=fly, or start=fly for a motion that begins in flight")
          .at(command_line("--after"));
    in_flight = in_flight || given == "start=fly";
  }
  FlyingMotion motion(model_in_motion(args), initial_assignments(args), {args.has("--project"), in_flight});
  say(motion.branches());
  RunOptions options = run_options(motion.flow(), args);
  const GracefulInterrupt guard;
  options.interrupted = &GracefulInterrupt::asked_for();
  return report_of_run(motion.flow(), args, options, {}, motion.run(options), true);
}

int simulate(const Arguments& args) {
  check_options(args);
  choose_native(args);
  const Budget budget(time_limits(args));
  if (args.has("--after")) return flown(args);
  const StartedMotion started = started_motion(
      with_initial_values(model_in_motion(args), initial_assignments(args)), {args.has("--project"), 0},
      args.has("--lyapunov") ? Flow::Effort::thorough : Flow::Effort::quick,
      needs_independent_speeds(args.get("--method")) || args.has("--orders"));
  const Flow& flow = started.flow;
  const std::vector<double>& y = started.state;
  RunOptions options = run_options(flow, args);
  require_forwards(args, options.until);
  say(started.branches);
  if (args.has("--verbose")) say(started.notes);
  if (args.has("--orders")) return orders(flow, args, options, y);
  const bool all_found = find_invariants(flow, args, options);
  if (args.has("--lyapunov")) return exponents(flow, args, options, y);
  if (args.has("--precision")) return in_more_digits(flow, args, options, y);
  const GracefulInterrupt guard;
  options.interrupted = &GracefulInterrupt::asked_for();
  return report_of_run(flow, args, options, y, trajectory(flow, y, options), all_found);
}

Option method_option() {
  std::vector<std::string> described;
  for (const StepperRow& row : all_steppers())
    described.push_back(fmt::format("{} ({})", row.name, row.title));
  return {"--method", "M", fmt::format("the stepper: {}", fmt::join(described, ", ")), "taylor"};
}

}  // namespace

Verb simulate_verb() {
  return {
      "simulate",
      "run the motion",
      "MODEL",
      "",
      with_figure_options(
          {{"--until", "T", "how long; negative: backwards in time; otherwise as the model says, or 10"},
           {"--initial",
            "NAME=VALUE,...",
            "coordinates, velocities x', quasi-velocities; what is left out comes from the model or from the "
            "constraints; q=~0.5 is a guess that the constraints correct",
            "",
            {},
            true},
           {"--input",
            "NAME=LAW",
            "what a control input is: an expression of t and the state, such as \"tau=-k*theta\", or a "
            "table.csv of time "
            "and value",
            "",
            {},
            true},
           {"--project", "",
            "start from the nearest position and velocity that the constraints allow, in the metric of the "
            "kinetic energy"},
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
           {"--samples", "N",
            "record N equally spaced states (default 1001 when there is an output, 11 for --show)"},
           {"--show", "NAME,...",
            "instead of the summary, these columns of the samples as a table; `all` for all of them"},
           {"--output", "FILE", "write the samples, or the points of the section: .csv, .json or .h5"},
           {"--plot",
            "FILE|WHAT",
            "draw a figure: the file (.svg, .pdf or .png) and, if you choose, its panels: \"lean, steer\" "
            "over time, "
            "\"x:y\" for y over x, expressions of the model; otherwise path, configuration, speeds, phase "
            "portrait and "
            "drift, or the section",
            "",
            {},
            true},
           {"--range", "NAME=FROM:TO,...", "what an axis of --plot shows", "", {}, true},
           {"--log", "NAME,...", "logarithmic axes of --plot", "", {}, true},
           {"--events",
            "EXPR",
            "report when the expression crosses or touches zero, or when `a = b` holds",
            "",
            {},
            true},
           {"--stop",
            "EXPR",
            "end the motion when the expression reaches zero; `lift-off`: when a contact would have to pull; "
            "`slip`: when the "
            "force of a rolling contact with `friction` would exceed mu*N",
            "",
            {},
            true},
           {"--after",
            "WHAT=fly",
            "contacts may open and close: `lift-off=fly`: a contact whose normal force vanishes opens, and "
            "its "
            "gap decides when it lands, with `restitution` and `friction` of the contact; `start=fly`: the "
            "motion "
            "begins in flight, and --initial gives the state of free bodies",
            "",
            {},
            true},
           {"--section", "EXPR", "keep the states at which the expression crosses zero (a Poincaré section)"},
           {"--direction", "D", "which crossings belong to the section", "up", {"up", "down", "both"}},
           {"--points", "N", "end the motion with N points of the section"},
           {"--lyapunov", "N",
            "instead of one run, the N largest Lyapunov exponents, or `all` of them, with error bars, MEGNO "
            "and "
            "GALI; --rtol 1e-10 by default"},
           {"--transient", "T", "for --lyapunov: how long the motion runs before anything is counted"},
           {"--precision", "P",
            "for taylor, rk4, gauss4 and gauss6: long-double, dd (106 bits) or a number of bits"},
           {"--search", "S",
            "look for integrals, whose drift is then printed, for so many seconds; otherwise what takes a "
            "fraction of a "
            "second, 0 for none"},
           {"--verbose", "", "say on stderr when other speeds take over, near a pole of those of the model"},
           timeout_option("seconds of computing; the motion ends where it is when they are over"),
           native_option(),
           format_option({"text", "json"}),
           set_option()}),
      {"rattleback simulate chaplygin-sleigh",
       "rattleback simulate chaplygin-sleigh --initial u=2,omega=-1 --until 40 --output sleigh.csv",
       "rattleback simulate rattleback --until 20 --samples 6 --show Omega3",
       "rattleback simulate chaplygin-sleigh --plot path.pdf --plot x:y --plot \"u, omega\" --size 170",
       "rattleback simulate cart-pendulum --plot \"theta:theta'\" --range theta=-1:1 --plot portrait.svg",
       "rattleback simulate contact-oscillator --orders --step 0.05 --until 5",
       "rattleback simulate contact-oscillator --until 2000 --section \"y = 0\" --plot section.png",
       "rattleback simulate chaotic-oscillator --lyapunov all --until 1000",
       "rattleback simulate ball-in-cylinder --after lift-off=fly --until 2",
       "rattleback simulate chaplygin-sleigh --precision 200", "rattleback simulate cart-pendulum --until -5",
       "rattleback simulate cart-pendulum --events theta --method gauss6 --step 0.01"},
      simulate};
}

}  // namespace rattleback::app
