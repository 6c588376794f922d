#include <rattleback/simulate/detailed_trajectory.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/simulate/stalled_motion.hpp>

namespace rattleback {
namespace {

class Recording {
 public:
  Recording(const Flow& flow, const RunOptions& options)
      : state_(state_observer(flow)),
        velocity_(velocity_observer(flow)),
        invariant_(flow, names_of(options.invariants), expressions_of(options.invariants)) {
    if (options.reactions) reactions_.emplace(flow);
    for (std::size_t k = 0; reactions_ && k < reactions_->names().size(); ++k)
      if (reactions_->names()[k].is_normal) normals_.push_back(k);
    for (const Observer* part : {&state_, &velocity_, &invariant_})
      result.names.insert(result.names.end(), part->names().begin(), part->names().end());
    result.states = state_.size();
    result.velocities = velocity_.size();
    result.kept = invariant_.size();
    if (reactions_)
      for (const auto& named : reactions_->names())
        result.names.push_back(named.is_multiplier ? "lambda " + named.name : "reaction " + named.name);
    for (std::size_t e = 0; e < options.events.size(); ++e)
      event_.emplace_back(flow, std::vector<std::string>{options.events[e].name},
                          std::span(&options.events[e].expression, 1));
  }

  std::vector<double> row(double t, std::span<const double> y) {
    std::vector<double> values;
    values.reserve(result.names.size());
    for (Observer* part : {&state_, &velocity_, &invariant_}) {
      const std::vector<double>& observed = (*part)(t, y);
      values.insert(values.end(), observed.begin(), observed.end());
    }
    values.resize(result.names.size());
    if (reactions_) (*reactions_)(t, y, values.data() + values.size() - reactions_->names().size());
    return values;
  }

  void watch(double t, std::span<const double> y) {
    const std::vector<double>& now = invariant_(t, y);
    if (result.drift.empty()) {
      for (std::size_t k = 0; k < now.size(); ++k) result.drift.push_back({invariant_.names()[k], now[k], 0});
    }
    for (std::size_t k = 0; k < now.size(); ++k) {
      const double gap = std::abs(now[k] - result.drift[k].initial);
      if (!(gap <= result.drift[k].largest)) result.drift[k].largest = gap;
    }
  }

  /// Events of the last step, in the order of time; true when one of them ends the motion.
  bool happened(const Stepper& stepper, const RunOptions& options) {
    std::vector<Crossing> now;
    for (std::size_t e = 0; e < event_.size(); ++e) {
      for (Crossing& c :
           crossings(stepper, [&](double t, std::span<const double> y) { return event_[e](t, y)[0]; })) {
        c.event = e;
        now.push_back(std::move(c));
      }
    }
    std::stable_sort(now.begin(), now.end(),
                     [](const Crossing& a, const Crossing& b) { return a.time < b.time; });
    for (Crossing& c : now) {
      const Event& event = options.events[c.event];
      if (event.direction != 0 && c.direction != event.direction) continue;
      if (event.records) {
        result.section_t.push_back(c.time);
        result.section_rows.push_back(row(c.time, c.state));
        section_states.push_back(c.state);
        if (result.section_t.size() == options.section_points) return end_at(std::move(c));
        continue;
      }
      result.crossings.push_back(c);
      if (event.stops) return end_at(std::move(c));
    }
    return false;
  }
  /// Where an event ended the motion.
  const std::optional<Crossing>& ending() const { return ending_; }

  /// Does a contact pull at the start? What is not a number, where the force has a removable singularity, does not.
  void watch_contacts(double t, std::span<const double> y) {
    for (std::size_t k = 0; k < normals_.size() && !result.lift_off; ++k)
      if (normal(k, t, y) < 0) lift_off(k, t);
  }
  /// When a contact first pulls, within the last step; true when that ends the motion, which has not ended before.
  bool contact_lost(const Stepper& stepper, double before, bool ends) {
    if (result.lift_off) return false;
    std::optional<Crossing> first;
    std::size_t which = 0;
    for (std::size_t k = 0; k < normals_.size(); ++k) {
      if (!(normal(k, stepper.time(), stepper.state()) < 0)) continue;
      for (Crossing& c :
           crossings(stepper, [&](double t, std::span<const double> y) { return normal(k, t, y); })) {
        if (c.direction > 0 || (first && first->time <= c.time)) continue;
        first = std::move(c);
        which = k;
        break;
      }
    }
    if (!first || first->time > before) return false;
    lift_off(which, first->time);
    return ends && end_at(std::move(*first));
  }

  Trajectory result;
  std::vector<std::vector<double>> section_states;

 private:
  static std::vector<std::string> names_of(const std::vector<Invariant>& invariants) {
    std::vector<std::string> names;
    for (const Invariant& i : invariants) names.push_back(i.name);
    return names;
  }
  static std::vector<Expr> expressions_of(const std::vector<Invariant>& invariants) {
    std::vector<Expr> values;
    for (const Invariant& i : invariants) values.push_back(i.value);
    return values;
  }

  double normal(std::size_t k, double t, std::span<const double> y) {
    forces_.resize(reactions_->names().size());
    (*reactions_)(t, y, forces_.data());
    return forces_[normals_[k]];
  }
  void lift_off(std::size_t k, double t) {
    result.lift_off = t;
    result.lift_off_contact = reactions_->names()[normals_[k]].name;
  }
  bool end_at(Crossing c) {
    ending_ = std::move(c);
    return true;
  }

  Observer state_, velocity_, invariant_;
  std::optional<ReactionForces> reactions_;
  std::vector<std::size_t> normals_;  ///< which reactions press a contact
  std::vector<double> forces_;
  std::vector<Observer> event_;
  std::optional<Crossing> ending_;
};

}  // namespace

double Drift::relative() const { return largest / std::max(1.0, std::abs(initial)); }

Trajectory trajectory(const Flow& flow, std::span<const double> y, const RunOptions& options) {
  return detailed_trajectory(flow, y, {options}).run;
}

DetailedTrajectory detailed_trajectory(const Flow& flow, std::span<const double> y,
                                       const DetailedOptions& detailed) {
  const RunOptions& options = detailed.run;
  Recording recording(flow, options);
  Trajectory& result = recording.result;
  std::vector<std::vector<double>> states;
  const auto stepper = stepper_named(options.method).make(flow, options.settings);
  stepper->start(0, y);
  recording.watch(0, y);
  recording.watch_contacts(0, y);
  const auto record = [&](double t, std::span<const double> state) {
    result.t.push_back(t);
    result.rows.push_back(recording.row(t, state));
    states.emplace_back(state.begin(), state.end());
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
  double stop = result.lift_off && options.stop_at_lift_off ? 0 : options.until;
  try {
    while (stepper->time() < stop) {
      if (stepper->counts().steps >= options.most_steps)
        throw StepFailure(stepper->time(), "too many steps: the motion is too fast for this duration");
      require_progress(*stepper, options.until);
      if (options.interrupted != nullptr && *options.interrupted)
        throw StepFailure(stepper->time(), "interrupted");
      stepper->step(options.until);
      recording.watch(stepper->time(), stepper->state());
      if (recording.happened(*stepper, options)) stop = recording.ending()->time;
      if (recording.contact_lost(*stepper, stop, options.stop_at_lift_off)) stop = recording.ending()->time;
      for (; next < samples && sample_time(next) <= std::min(stepper->time(), stop); ++next) {
        if (sample_time(next) == stepper->time()) {
          record(stepper->time(), stepper->state());
        } else {
          stepper->at(sample_time(next), between);
          record(sample_time(next), between);
        }
      }
      if (options.progress) options.progress(stepper->time());
      if (detailed.after_step) detailed.after_step(*stepper);
    }
  } catch (const StepFailure& failure) {
    result.failure = failure.reason;
  }
  result.end = std::min(stepper->time(), stop);
  if (stop < stepper->time()) {
    result.final_state = recording.ending()->state;
  } else {
    result.final_state.assign(stepper->state().begin(), stepper->state().end());
  }
  result.final_row = recording.row(result.end, result.final_state);
  if (detailed.times.empty() && samples > 1 && result.t.back() < result.end)
    record(result.end, result.final_state);
  result.counts = stepper->counts();
  result.evaluations = stepper->evaluations();
  result.step = stepper->step_length();
  return {std::move(result), std::move(states), std::move(recording.section_states)};
}

}  // namespace rattleback
