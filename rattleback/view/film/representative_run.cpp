#include <rattleback/view/film/representative_run.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/view/film/scene.hpp>

namespace rattleback {
namespace {

/// 30 frames a second, at least 400 and at most 1200.
std::size_t frames(double until) {
  return static_cast<std::size_t>(std::clamp(30 * until, 400.0, 1200.0)) + 1;
}

/// Symbolic work, done once for a flow and its copies.
struct KnownConstants {
  explicit KnownConstants(const Flow& flow) : all(known_invariants(flow.system())) {}
  std::vector<Invariant> all;
};

Trajectory limited_trajectory(const Flow& flow, std::span<const double> y, const RunOptions& options,
                              std::optional<double> seconds) {
  Limits limits;
  if (seconds) limits.time = std::chrono::duration<double>(*seconds);
  const Budget budget(limits);
  return trajectory(flow, y, options);
}

}  // namespace

RunOptions film_options(const Flow& flow, double until, const std::string& method, RunQuality quality) {
  constexpr std::size_t draft_frames = 240;
  const System& system = flow.system();
  RunOptions options;
  options.method = method;
  if (const auto& stated = system.simulation.until) {
    Numbers values;
    const std::vector<double> numbers = flow.parameter_values<double>();
    for (std::size_t k = 0; k < numbers.size(); ++k) values.emplace(flow.parameters()[k], numbers[k]);
    options.until = std::abs(evaluate(*stated, values));  // films run forwards
  }
  if (until > 0) options.until = until;
  options.samples = frames(options.until);
  options.invariants = flow.derived<KnownConstants>()->all;
  options.reactions = !system.contacts.empty();
  if (quality == RunQuality::draft) {
    options.samples = std::min(options.samples, draft_frames);
    options.settings.rtol = 1e-6;
    options.settings.atol = 1e-8;
    options.reactions = false;  // the page takes them from the exact film
  }
  return options;
}

RepresentativeRun::RepresentativeRun(const System& system, double until, const std::string& method)
    : RepresentativeRun(started_motion(system), until, method) {}

RepresentativeRun::RepresentativeRun(StartedMotion started, double until, const std::string& method,
                                     std::optional<double> seconds, RunQuality quality)
    : flow(std::move(started.flow)),
      initial(std::move(started.state)),
      options(film_options(flow, until, method, quality)),
      run(limited_trajectory(flow, initial, options, seconds)) {}

Film RepresentativeRun::film(Neighbours neighbours) const {
  Film made = film_of(flow, initial, run, neighbours);
  made.can_fly = run.lift_off.has_value();
  return made;
}
Live RepresentativeRun::live() const { return live_motion(flow, initial, options, scene()); }
Scene RepresentativeRun::scene() const { return scene_of(flow.system()); }

std::string RepresentativeRun::summary() const {
  const std::string unit = unit_of(flow.system(), "t"), second = unit.empty() ? "" : " " + unit;
  std::string s =
      fmt::format("From the initial state of the model until t = {:.6g}{}, in {} steps. Method: {}.", run.end,
                  second, run.counts.steps, stepper_named(options.method).title);
  for (const auto& [call, formula] : written_formulas(flow.system()))
    s += fmt::format(" The run takes {} = {}.", call, formula);
  if (run.failure) s += fmt::format(" The motion ends there: {}.", *run.failure);
  std::vector<std::string> kept;
  for (const Drift& d : run.drift)
    kept.push_back(d.relative() > 0 ? fmt::format("{} to {:.1e}", d.name, d.relative())
                                    : fmt::format("{} exactly", d.name));
  if (!kept.empty()) s += fmt::format(" Kept: {}.", fmt::join(kept, ", "));
  if (run.lift_off)
    s += fmt::format(" At t = {:.4g}{} the contact {} would lift off.", *run.lift_off, second,
                     run.lift_off_contact);
  return s;
}

}  // namespace rattleback
