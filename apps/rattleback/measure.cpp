/// rattleback measure MODEL: order and chaos, covariant vectors, phase volume.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/event_equation.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/with_initial_values.hpp>
#include <rattleback/study/reduced_motion.hpp>
#include <rattleback/view/measures.hpp>

#include "figure_options.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "run_options.hpp"

namespace rattleback::app {
namespace {

/// States at equal times after a transient.
std::vector<std::vector<double>> sampled(const Flow& flow, std::vector<double> y, double transient,
                                         double until, std::size_t samples) {
  const auto stepper = stepper_named("dop853").make(flow, {1e-11, 1e-13, 0});
  stepper->start(0, y);
  std::vector<std::vector<double>> states;
  const double interval = until / static_cast<double>(samples);
  try {
    while (stepper->time() < transient) stepper->step(transient);
    std::size_t k = 1;
    while (k <= samples) {
      Budget::check();
      stepper->step(transient + until);
      for (; k <= samples && transient + static_cast<double>(k) * interval <= stepper->time() * (1 + 1e-15);
           ++k) {
        stepper->at(std::min(stepper->time(), transient + static_cast<double>(k) * interval), y);
        states.push_back(y);
      }
    }
  } catch (const StepFailure& failure) {
    throw Error("motion-ends",
                fmt::format("the motion ends at t = {:.10g}, before {:g}", failure.time, transient + until),
                failure.reason, "measure a shorter time with --until");
  }
  return states;
}

/// The numbers on which the motion depends, angles as points of circles; at most 4000 of them.
Eigen::MatrixXd points_of(const ReducedMotion& motion, const std::vector<std::vector<double>>& states) {
  const std::size_t stride = std::max<std::size_t>(1, states.size() / 4000);
  std::vector<Eigen::Index> angles;
  for (Eigen::Index i = 0; i < motion.size(); ++i)
    if (motion.is_angle(i)) angles.push_back(i);
  const Eigen::Index rows = motion.size() + static_cast<Eigen::Index>(angles.size());
  Eigen::MatrixXd points(rows, static_cast<Eigen::Index>((states.size() + stride - 1) / stride));
  for (Eigen::Index c = 0; c < points.cols(); ++c) {
    const Eigen::VectorXd y = motion.kept_of(states[static_cast<std::size_t>(c) * stride]);
    points.col(c).head(motion.size()) = y;
    for (std::size_t a = 0; a < angles.size(); ++a) {
      points(angles[a], c) = std::cos(y[angles[a]]);
      points(motion.size() + static_cast<Eigen::Index>(a), c) = std::sin(y[angles[a]]);
    }
  }
  return points;
}

Window window_of(const Arguments& args) {
  const std::string name = args.get("--window");
  return name == "none" ? Window::none : name == "hann" ? Window::hann : Window::blackman_harris;
}

void measure_series(const Flow& flow, const std::vector<double>& y, const Arguments& args, Measures& all) {
  const Expr e = event_equation(flow.system(), args.get("--of"), command_line("--of").file);
  all.observed = args.get("--of");
  all.samples = std::max<std::size_t>(500, whole(flow, args, "--samples", 8192));
  all.interval = all.until / static_cast<double>(all.samples);
  const double transient = positive(flow, args, "--transient", 0);
  const std::vector<std::vector<double>> states = sampled(flow, y, transient, all.until, all.samples);
  Observer observer(flow, {all.observed}, std::span(&e, 1));
  std::vector<double> x;
  for (std::size_t k = 0; k < states.size(); ++k)
    x.push_back(observer(transient + static_cast<double>(k + 1) * all.interval, states[k])[0]);
  all.spectrum = power_spectrum(x, all.interval, window_of(args));
  all.zero_one = zero_one_test(decorrelated(x));
  const ReducedMotion motion(flow.system(), y, {}, {});
  const Eigen::MatrixXd points = points_of(motion, states);
  // Neighbours in time do not count: twice the correlation time.
  const std::size_t theiler = 2 * x.size() / std::max<std::size_t>(1, decorrelated(x).size()) *
                                  static_cast<std::size_t>(points.cols()) / x.size() +
                              1;
  all.dimension = correlation_dimension(points, theiler);
  const Eigen::Index some = std::min<Eigen::Index>(points.cols(), 2000);
  all.recurrence = recurrence(points.leftCols(some), theiler);
}

int measure(const Arguments& args) {
  if (args.has("--plot")) require_figure(args, args.get("--plot"));
  if (!args.has("--of") && !args.has("--covariant") && !args.has("--volume"))
    throw Error("usage", "nothing is measured", "", "add --of EXPR, --covariant N or --volume N");
  if (args.has("--density") && !args.has("--volume"))
    throw Error("usage", "--density is of no use here", "it is compared with the phase volume",
                "add --volume N")
        .at(command_line("--density"));
  const Budget budget(time_limits(args));
  const System system = with_initial_values(model_argument(args), initial_assignments(args));
  const Flow flow(system);
  const std::vector<double> y = initial_state(flow, {.project = true});
  Measures all;
  all.model = system.name;
  all.until = positive(flow, args, "--until", 100);
  if (args.has("--of")) measure_series(flow, y, args, all);
  if (args.has("--covariant"))
    all.covariant = covariant_vectors(
        flow, y, all.until, args.get("--covariant") == "all" ? 0 : whole(flow, args, "--covariant", 2));
  if (args.has("--volume")) {
    VolumeQuestion question;
    question.until = all.until;
    question.motions = whole(flow, args, "--volume", 100);
    question.width = positive(flow, args, "--width", 0.1);
    if (args.has("--density"))
      question.density =
          placed(command_line("--density").file, [&] { return parse(args.get("--density"), system.scope); });
    all.volume = phase_volume(flow, y, question);
  }
  fmt::print("{}", args.get("--format") == "json" ? as_json(all) : as_text(all));
  if (args.has("--plot"))
    write_figure(args.get("--plot"),
                 drawn(figure_title(args, system.title), panels_of(all), figure_style(args)));
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
               {"--initial", "NAME=VALUE,...", "in place of the model's initial state", "", {}, true},
               {"--plot", "FILE", "spectrum, correlation sum, volume over time: .svg, .pdf or .png"},
               format_option({"text", "json"}),
               timeout_option("seconds of computing"),
               set_option()}),
          {"rattleback measure chaotic-oscillator --of z1 --until 2000 --plot spectrum.svg",
           "rattleback measure chaplygin-sleigh --volume 50 --until 20",
           "rattleback measure contact-oscillator --covariant all --until 500"},
          measure};
}

}  // namespace rattleback::app
