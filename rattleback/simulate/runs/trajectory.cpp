#include <rattleback/simulate/runs/detailed_trajectory.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/runs/recording.hpp>
#include <rattleback/simulate/runs/singular_crossing.hpp>
#include <rattleback/simulate/runs/speed_poles.hpp>
#include <rattleback/simulate/runs/stalled_motion.hpp>
#include <rattleback/simulate/runs/switching_motion.hpp>

namespace rattleback {
namespace {

/// Times s = −t of a reversed flow, reported as t; what went up in s goes down in t.
void tell_in_time(Trajectory& run) {
  const auto reverse = [](double& t) { t = 0.0 - t; };  // no −0
  std::ranges::for_each(run.t, reverse);
  std::ranges::for_each(run.section_t, reverse);
  for (Crossing& c : run.crossings) {
    reverse(c.time);
    c.direction = -c.direction;
  }
  reverse(run.end);
  if (run.lift_off) reverse(*run.lift_off);
}

}  // namespace

double Drift::relative() const { return largest / std::max(1.0, std::abs(initial)); }

void require_reversible(const std::string& method) {
  constexpr std::array rates_alone{"dop853", "taylor", "radau5", "rk4",        "munthe-kaas",
                                   "gauss4", "gauss6", "cvode",  "cvode-adams"};
  if (std::ranges::find(rates_alone, method) != rates_alone.end()) return;
  throw Inapplicable("method-does-not-apply", fmt::format("the method `{}` runs forwards only", method),
                     "it discretises the principle of mechanics, not the rates of the state",
                     fmt::format("use one of {}, or a positive --until", fmt::join(rates_alone, ", ")));
}

Flow reversed(const Flow& flow) {
  Flow back = flow;
  back.reverse_time();
  return back;
}

Trajectory trajectory(const Flow& flow, std::span<const double> y, const RunOptions& options) {
  return detailed_trajectory(flow, y, {options}).run;
}

namespace {

/// Other speeds near a pole. Throws StepFailure where a limit, of time or of size, does not let them be derived.
std::unique_ptr<Successor> derived_successor(const Flow& flow, const RunOptions& options,
                                             const Stepper& stepper) {
  try {
    return succeeding(flow, options, stepper);
  } catch (const Exhausted& limit) {
    throw StepFailure(
        stepper.time(),
        fmt::format("the speeds come near a pole, and no others could be derived: {}", limit.what()));
  }
}

/// The same to t = −until, by the reversed flow; sections are crossed the other way.
DetailedTrajectory backwards(const Flow& flow, std::span<const double> y, DetailedOptions detailed) {
  require_reversible(detailed.run.method);
  detailed.run.until = -detailed.run.until;
  for (double& t : detailed.times) t = -t;
  for (Event& e : detailed.run.events) e.direction = -e.direction;
  DetailedTrajectory found = detailed_trajectory(reversed(flow), y, detailed);
  tell_in_time(found.run);
  return found;
}

}  // namespace

DetailedTrajectory detailed_trajectory(const Flow& flow, std::span<const double> y,
                                       const DetailedOptions& detailed) {
  if (detailed.run.until < 0) return backwards(flow, y, detailed);
  const RunOptions& options = detailed.run;
  const std::unique_ptr<SwitchingMotion> switching = SwitchingMotion::of(flow, options.method);
  if (switching) switching->start(0, y);
  Recording recording(switching ? switching->flow() : flow, options, switching.get());
  Trajectory& result = recording.result;
  std::vector<std::vector<double>> states;
  std::unique_ptr<const Successor> successor;
  auto stepper = stepper_named(options.method).make(switching ? switching->flow() : flow, options.settings);
  stepper->start(0, y);
  std::optional<PoleWatch> poles(std::in_place, flow, options.method);
  // Steps end where forces switch: at a known time, or where the last step left the present signs.
  bool leaving = false;
  double smooth_until = switching ? std::min(options.until, switching->next_time(0)) : options.until;
  std::optional<RankWatch> rank(std::in_place, flow, 0.0, y);
  Stepper::Counts counts_before;
  std::size_t evaluations_before = 0;
  recording.watch(0, y);
  recording.watch_contacts(0, y);
  const auto record = [&](double t, std::span<const double> state) {
    result.t.push_back(t);
    result.rows.push_back(recording.row(t, state));
    states.push_back(recording.reported(t, state));
  };
  const std::size_t samples = detailed.times.empty() ? options.samples : detailed.times.size();
  const auto sample_time = [&](std::size_t k) {
    if (!detailed.times.empty()) return detailed.times[k];
    return k + 1 == options.samples
               ? options.until
               : options.until * static_cast<double>(k) / static_cast<double>(options.samples - 1);
  };
  std::size_t next = 0;
  if (detailed.times.empty() ? samples > 1 : detailed.times.front() == 0) {
    record(0, y);
    next = 1;
  }
  std::vector<double> between(y.size());
  const ReportedState reported = [&](double t, std::span<const double> state) {
    return recording.reported(t, state);
  };
  double stop = result.lift_off && options.stop_at_lift_off ? 0 : options.until;
  Progress progress(options.until);
  bool is_between_speeds = false;
  try {
    while (stepper->time() < stop) {
      if (stepper->counts().steps >= options.most_steps)
        throw StepFailure(stepper->time(), "too many steps: the motion is too fast for this duration");
      progress.require(*stepper);
      if (options.interrupted != nullptr && *options.interrupted)
        throw StepFailure(stepper->time(), "interrupted");
      require_time(*stepper);
      if (switching && stepper->time() >= smooth_until) {
        const std::vector<double> there(stepper->state().begin(), stepper->state().end());
        const double now = stepper->time();
        counts_before.steps += stepper->counts().steps;
        counts_before.rejected += stepper->counts().rejected;
        evaluations_before += stepper->evaluations();
        switching->change(now, there);
        stepper = stepper_named(options.method).make(switching->flow(), options.settings);
        stepper->start(now, there);
        recording.observe(switching->flow());
        smooth_until = std::min(options.until, switching->next_time(now));
        leaving = false;
      }
      stepper->step(smooth_until);
      if (switching && !leaving) {
        if (const auto when = switching->leaves(*stepper)) {
          leaving = true;
          smooth_until = *when;
          if (*when < stepper->time()) {  // once more, up to the switch
            const std::vector<double> before(stepper->previous_state().begin(),
                                             stepper->previous_state().end());
            stepper->start(stepper->previous_time(), before);
            continue;
          }
        }
      }
      std::optional<SingularCrossing> across = rank->crossing(*stepper, options.until);
      if (across) {
        stepper->start(across->step->time(), across->step->state());
        if (!across->failure && across->at <= across->step->time())
          result.notes.push_back(fmt::format(
              "at t = {:.10g} the constraints lose their rank: the motion goes on along the smooth branch",
              flow.runs_backwards() ? -across->at : across->at));
      }
      const Stepper& last = across ? *across->step : *stepper;
      recording.watch(last.time(), last.state());
      if (recording.happened(last, options)) stop = recording.ending()->time;
      if (recording.contact_lost(last, stop, options.stop_at_lift_off)) stop = recording.ending()->time;
      if (auto broken = recording.contact_broken(last, stop)) {
        stop = recording.ending()->time;
        result.failure = std::move(broken);
      }
      for (; next < samples && sample_time(next) <= std::min(last.time(), stop); ++next) {
        if (options.interrupted != nullptr && *options.interrupted)
          throw StepFailure(last.time(), "interrupted");
        if (next % 1024 == 0) require_time(last);
        if (sample_time(next) == last.time()) {
          record(last.time(), last.state());
        } else {
          last.at(sample_time(next), between);
          record(sample_time(next), between);
        }
      }
      if (options.progress) options.progress(last.time());
      if (detailed.after_step) detailed.after_step(last, reported);
      if (across && across->failure && stop > last.time()) throw StepFailure(last.time(), *across->failure);
      if (switching || stepper->time() >= stop || !poles->is_near(stepper->time(), stepper->state()))
        continue;
      if (auto next_one = derived_successor(successor ? successor->flow : flow, options, *stepper)) {
        counts_before.steps += stepper->counts().steps;
        counts_before.rejected += stepper->counts().rejected;
        evaluations_before += stepper->evaluations();
        result.notes.push_back(fmt::format("at t = {:.10g} the speeds {}come near a pole: {} take over",
                                           flow.runs_backwards() ? -stepper->time() : stepper->time(),
                                           successor || flow.in_local_chart() ? "" : "of the model ",
                                           next_one->speeds));
        recording.go_on(flow, next_one->flow);
        stepper = std::move(next_one->stepper);
        successor = std::move(next_one);
        between.resize(successor->flow.dimension());
        poles.emplace(successor->flow, options.method);
        rank.emplace(successor->flow, stepper->time(), stepper->state());
      }
    }
  } catch (const StepFailure& failure) {
    result.failure = failure.reason;
  } catch (const Exhausted& limit) {  // as other speeds take over: what was recorded before is kept
    if (result.rows.empty()) throw;
    result.failure = limit.what();
    is_between_speeds = true;
  }
  if (is_between_speeds) {
    result.end = result.t.back();
    result.final_row = result.rows.back();
    result.final_state = states.back();
  } else {
    result.end = std::min(stepper->time(), stop);
    if (stop < stepper->time()) {
      result.final_state = recording.ending()->state;
    } else {
      result.final_state.assign(stepper->state().begin(), stepper->state().end());
    }
    result.final_row = recording.row(result.end, result.final_state);
    if (detailed.times.empty() && samples > 1 && result.t.back() < result.end)
      record(result.end, result.final_state);
    result.final_state = recording.reported(result.end, result.final_state);
  }
  result.counts = stepper->counts();
  result.counts.steps += counts_before.steps;
  result.counts.rejected += counts_before.rejected;
  result.evaluations = stepper->evaluations() + evaluations_before;
  result.step = stepper->step_length();
  return {std::move(result), std::move(states), std::move(recording.section_states)};
}

}  // namespace rattleback
