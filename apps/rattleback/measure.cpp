/// rattleback measure MODEL: order and chaos, covariant vectors, phase volume.
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/view/results/measures.hpp>

#include "figure_options.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "run_options.hpp"

namespace rattleback::app {
namespace {

Window window_of(const Arguments& args) {
  const std::string name = args.get("--window");
  return name == "none" ? Window::none : name == "hann" ? Window::hann : Window::blackman_harris;
}

std::optional<Expr> density_of(const Flow& flow, const Arguments& args) {
  if (!args.has("--density")) return std::nullopt;
  return placed(command_line("--density").file,
                [&] { return parse(args.get("--density"), flow.system().scope); });
}

MeasureQuestion question_of(const Flow& flow, const Arguments& args) {
  MeasureQuestion question;
  question.until = positive(flow, args, "--until", 100);
  if (args.has("--of"))
    question.series = {
        args.get("--of"), event_equation(flow.system(), args.get("--of"), command_line("--of").file),
        positive(flow, args, "--transient", 0), whole(flow, args, "--samples", 8192), window_of(args)};
  if (args.has("--covariant"))
    question.covariant = args.get("--covariant") == "all" ? 0 : whole(flow, args, "--covariant", 2);
  if (args.has("--volume")) {
    VolumeQuestion& volume = question.volume.emplace();
    volume.until = question.until;
    volume.motions = whole(flow, args, "--volume", 100);
    volume.width = positive(flow, args, "--width", 0.1);
    volume.density = density_of(flow, args);
  }
  return question;
}

/// What the map of a stepper does to volumes.
int measure_steps(const System& system, const Arguments& args) {
  const StartedMotion started = started_motion(system, {.project = true}, Flow::Effort::quick,
                                               needs_independent_speeds(args.get("--method")));
  const Flow& flow = started.flow;
  StepVolumeQuestion question;
  question.method = args.get("--method");
  question.step = positive(flow, args, "--step", 0.01);
  question.steps = whole(flow, args, "--steps", 1000);
  question.samples = std::min<std::size_t>(question.steps, 2000);
  question.density = density_of(flow, args);
  const StepVolume found = step_volume(flow, started.state, question);
  fmt::print("{}", args.get("--format") == "json" ? as_json(found) : as_text(found));
  return found.failure ? Exit::error : Exit::done;
}

int measure(const Arguments& args) {
  if (args.has("--plot")) require_figure(args, args.get("--plot"));
  if (!args.has("--of") && !args.has("--covariant") && !args.has("--volume") && !args.has("--method"))
    throw Error("usage", "nothing is measured", "", "add --of EXPR, --covariant N, --volume N or --method M");
  if (args.has("--density") && !args.has("--volume") && !args.has("--method"))
    throw Error("usage", "--density is of no use here", "it is compared with the phase volume",
                "add --volume N or --method M")
        .at(command_line("--density"));
  for (const char* of_steps : {"--step", "--steps"})
    if (args.has(of_steps) && !args.has("--method"))
      throw Error("usage", fmt::format("{} is of no use here", of_steps),
                  "the motion itself has no steps: only --method takes some", "add --method M")
          .at(command_line(of_steps));
  for (const char* other : {"--of", "--covariant", "--volume", "--plot"})
    if (args.has(other) && args.has("--method"))
      throw Error("usage", fmt::format("--method and {} do not go together", other),
                  "--method measures the steps of a stepper, the others the motion",
                  "ask one after the other")
          .at(command_line(other));
  const Budget budget(time_limits(args));
  const System system = with_initial_values(model_in_motion(args), initial_assignments(args));
  if (args.has("--method")) return measure_steps(system, args);
  const Flow flow(system);
  const std::vector<double> y = initial_state(flow, {.project = true});
  const Measures all = measured_motion(flow, y, question_of(flow, args));
  fmt::print("{}", args.get("--format") == "json" ? as_json(all) : as_text(all));
  if (args.has("--plot"))
    write_figure(args.get("--plot"), drawn(figure_title(args, system.title),
                                           with_units(panels_of(all), system), figure_style(args)));
  return Exit::done;
}

}  // namespace

Verb measure_verb() {
  return {"measure",
          "order and chaos of a motion, and the volume of phase space",
          "MODEL",
          "Of a quantity along the motion: power spectrum, 0-1 test; of the reduced state: correlation "
          "dimension and recurrence. Covariant Lyapunov "
          "vectors with their angles. Phase volume along a cloud of motions, forwards and with all speeds "
          "reversed: what contracts has no smooth "
          "invariant measure.",
          with_figure_options(
              {{"--of", "EXPR", "the quantity whose spectrum and 0-1 test are computed"},
               {"--until", "T", "how long", "100"},
               {"--transient", "T", "how long the motion runs before it is recorded"},
               {"--samples", "N", "how many states are recorded", "8192"},
               {"--window", "W", "of the spectrum", "blackman-harris", {"blackman-harris", "hann", "none"}},
               {"--covariant", "N",
                "so many covariant Lyapunov vectors, or `all`, with their exponents and angles"},
               {"--volume", "N", "phase volume along N motions near the start"},
               {"--width", "W", "how far the starts of --volume differ in each number of the state", "0.1"},
               {"--density", "EXPR",
                "compare a density with the volume: ln rho + ln V is constant where rho is that of an "
                "invariant measure"},
               {"--method", "M",
                "volume under the steps of a method of constant step, with --step and --steps; with "
                "--density, how far it keeps the measure"},
               {"--step", "H", "of --method; 0.01 where none is given"},
               {"--steps", "N", "of --method; 1000 where none are given"},
               {"--initial", "NAME=VALUE,...", "in place of the model's initial state", "", {}, true},
               {"--plot", "FILE", "spectrum, correlation sum, volume over time: .svg, .pdf or .png"},
               format_option({"text", "json"}),
               timeout_option("seconds of computing"),
               set_option()}),
          {"rattleback measure chaotic-oscillator --of z1 --until 2000 --plot spectrum.svg",
           "rattleback measure chaplygin-sleigh --volume 50 --until 20",
           "rattleback measure contact-oscillator --covariant all --until 500",
           "rattleback measure contact-oscillator --method gauss4 --step 0.1 --steps 10000"},
          measure};
}

}  // namespace rattleback::app
