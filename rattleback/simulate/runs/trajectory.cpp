#include <rattleback/simulate/runs/detailed_trajectory.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/contact_limits.hpp>
#include <rattleback/simulate/runs/singular_crossing.hpp>
#include <rattleback/simulate/runs/stalled_motion.hpp>
#include <rattleback/simulate/runs/switching_motion.hpp>
#include <rattleback/simulate/states/local_chart.hpp>

namespace rattleback {
namespace {

/// Made once for a flow and its copies.
struct LimitsOfContacts {
  explicit LimitsOfContacts(const Flow& flow) : all(contact_limits(flow.system())) {}
  std::vector<ContactLimit> all;
};
struct CodeOfPoles {
  explicit CodeOfPoles(const Flow& flow) : code(flow.code_of(flow.poles())) {}
  Code code;
};

class Recording {
 public:
  Recording(const Flow& flow, const RunOptions& options, const SwitchingMotion* switching)
      : options_(options), switching_(switching) {
    observe(flow);
    for (const Observer* part : {&*state_, &*velocity_, &*invariant_})
      result.names.insert(result.names.end(), part->names().begin(), part->names().end());
    result.states = state_->size();
    result.velocities = velocity_->size();
    result.kept = invariant_->size();
    if (reactions_)
      for (const auto& named : reactions_->names())
        result.names.push_back(named.is_multiplier ? "lambda " + named.name : "reaction " + named.name);
  }

  /// From now on the states are those of a flow that took over; what is recorded goes on under the same names.
  void go_on(const Flow& given, const Flow& successor) {
    observe(successor);
    state_.emplace(state_observer(successor, given));
    velocity_.emplace(velocity_observer(successor, given));
    told_speeds_.emplace(speed_observer(successor, given));
    first_speed_ = successor.first_speed();
  }

  /// A state of the flow that is observed, as one of the flow that the motion began with.
  std::vector<double> reported(double t, std::span<const double> y) {
    if (!told_speeds_) return {y.begin(), y.end()};
    std::vector<double> state(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(first_speed_));
    const std::vector<double>& speeds = (*told_speeds_)(t, y);
    state.insert(state.end(), speeds.begin(), speeds.end());
    return state;
  }

  /// The states are those of this flow.
  void observe(const Flow& flow) {
    state_.emplace(state_observer(flow));
    velocity_.emplace(velocity_observer(flow));
    invariant_.emplace(flow, names_of(options_.invariants), expressions_of(options_.invariants));
    reactions_.reset();
    if (options_.reactions) reactions_.emplace(flow);
    normals_.clear();
    for (std::size_t k = 0; reactions_ && k < reactions_->names().size(); ++k)
      if (reactions_->names()[k].is_normal) normals_.push_back(k);
    limits_ = flow.derived<LimitsOfContacts>()->all;
    limit_.reset();
    if (!limits_.empty())
      limit_.emplace(flow, std::vector<std::string>(limits_.size()), positives_of(limits_));
    event_.clear();
    for (const Event& e : options_.events)
      event_.emplace_back(flow, std::vector<std::string>{e.name}, std::vector{present(e.expression)});
  }

  std::vector<double> row(double t, std::span<const double> y) {
    std::vector<double> values;
    values.reserve(result.names.size());
    for (Observer* part : {&*state_, &*velocity_, &*invariant_}) {
      const std::vector<double>& observed = (*part)(t, y);
      values.insert(values.end(), observed.begin(), observed.end());
    }
    values.resize(result.names.size());
    if (reactions_) (*reactions_)(t, y, values.data() + values.size() - reactions_->names().size());
    return values;
  }

  void watch(double t, std::span<const double> y) {
    const std::vector<double>& now = (*invariant_)(t, y);
    if (result.drift.empty()) {
      for (std::size_t k = 0; k < now.size(); ++k)
        result.drift.push_back({invariant_->names()[k], now[k], 0});
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
        section_states.push_back(reported(c.time, c.state));
        if (result.section_t.size() == options.section_points) return end_at(std::move(c));
        continue;
      }
      result.crossings.push_back({c.event, c.time, c.direction, reported(c.time, c.state)});
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

  /// When a contact first ceases to be what the model says, within the last step: the body is below its support, or hollow where
  /// it touches. The motion ends there.
  std::optional<std::string> contact_broken(const Stepper& stepper, double before) {
    if (limits_.empty()) return std::nullopt;
    const std::vector<double> now = (*limit_)(stepper.time(), stepper.state());
    for (std::size_t k = 0; k < limits_.size(); ++k) {
      if (now[k] > 0) continue;
      Crossing end{.time = stepper.time(), .state = {stepper.state().begin(), stepper.state().end()}};
      for (Crossing& c :
           crossings(stepper, [&](double t, std::span<const double> y) { return (*limit_)(t, y)[k]; })) {
        if (c.direction > 0) continue;
        end = std::move(c);
        break;
      }
      if (end.time > before) continue;
      end_at(std::move(end));
      return fmt::format("contact `{}`: {} from here on", limits_[k].contact, limits_[k].broken);
    }
    return std::nullopt;
  }

  Trajectory result;
  std::vector<std::vector<double>> section_states;

 private:
  static std::vector<std::string> names_of(const std::vector<Invariant>& invariants) {
    std::vector<std::string> names;
    for (const Invariant& i : invariants) names.push_back(i.name);
    return names;
  }
  static std::vector<Expr> positives_of(const std::vector<ContactLimit>& limits) {
    std::vector<Expr> values;
    for (const ContactLimit& limit : limits) values.push_back(limit.positive);
    return values;
  }
  static std::vector<Expr> expressions_of(const std::vector<Invariant>& invariants) {
    std::vector<Expr> values;
    for (const Invariant& i : invariants) values.push_back(i.value);
    return values;
  }

  Expr present(Expr e) const { return switching_ == nullptr ? e : switching_->in_present_signs(e); }

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

  const RunOptions& options_;
  const SwitchingMotion* switching_;  ///< null where no force switches
  std::optional<Observer> state_, velocity_, invariant_;
  std::optional<ReactionForces> reactions_;
  std::vector<std::size_t> normals_;  ///< which reactions press a contact
  std::vector<double> forces_;
  std::vector<Observer> event_;
  std::vector<ContactLimit> limits_;
  std::optional<Observer> limit_;  ///< their values
  std::optional<Observer>
      told_speeds_;  ///< those of the flow that the motion began with, where another took over
  std::size_t first_speed_ = 0;
  std::optional<Crossing> ending_;
};

/// Watches how near the speeds come to a pole: a twentieth of the farthest they have been is near. For a method of second order whose
/// error grows towards the pole, and which may change its speeds often, a third is.
class PoleWatch {
 public:
  PoleWatch(const Flow& flow, const std::string& method)
      : near_(needs_independent_speeds(method) ? 1.0 / 3 : 0.05) {
    if (flow.poles().empty()) return;
    code_ = flow.derived<CodeOfPoles>();
    f_.emplace(code_->code, flow.parameter_values<double>());
    now_.resize(flow.poles().size());
    farthest_.resize(now_.size());
  }
  bool is_near(double t, std::span<const double> y) {
    if (!f_) return false;
    x_.assign(y.begin(), y.end());
    x_.push_back(t);
    (*f_)(x_.data(), now_.data());
    bool found = false;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      farthest_[k] = std::max(farthest_[k], std::abs(now_[k]));
      found = found || std::abs(now_[k]) < near_ * farthest_[k];
    }
    return found;
  }

 private:
  double near_;
  std::shared_ptr<const CodeOfPoles> code_;
  std::optional<Evaluator<double>> f_;
  std::vector<double> x_, now_, farthest_;
};

/// The same motion in other speeds, with a stepper that goes on where the other stands.
struct Successor {
  Flow flow;
  std::unique_ptr<Stepper> stepper;
  std::string speeds;  ///< what takes over

  Successor(ChartedState start, const RunOptions& options, const Stepper& before, std::string told)
      : flow(std::move(start.flow)), speeds(std::move(told)) {
    StepperSettings settings = options.settings;
    settings.step = before.step_length();  // a constant step stays as it is
    stepper = stepper_named(options.method).make(flow, settings);
    stepper->start(before.time(), start.state);
  }
};

ChartedState in_all_velocities(const Flow& before, double t, std::span<const double> y) {
  Flow all(before.system(), Flow::Effort::quick, Flow::Speeds::all);
  all.set_parameters(before.parameter_values<double>());
  if (before.runs_backwards()) all.reverse_time();
  std::vector<double> state = state_in(all, before, t, y);
  return {std::move(all), std::move(state)};
}

/// Null where the present speeds are the best for a method that needs independent ones.
std::unique_ptr<Successor> succeeding(const Flow& flow, const RunOptions& options, const Stepper& stepper) {
  const double t = stepper.time();
  try {
    if (!needs_independent_speeds(options.method))
      return std::make_unique<Successor>(in_all_velocities(flow, t, stepper.state()), options, stepper,
                                         "all velocities");
    auto chart = in_local_chart(flow, t, stepper.state());
    if (!chart) return nullptr;
    std::string speeds = speeds_told(chart->flow);
    return std::make_unique<Successor>(*std::move(chart), options, stepper, std::move(speeds));
  } catch (const Error& error) {
    throw StepFailure(
        stepper.time(),
        fmt::format("the speeds of the model come near a pole, and in other speeds {}", error.summary));
  }
}

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
      if (auto next_one = succeeding(successor ? successor->flow : flow, options, *stepper)) {
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
  result.final_state = recording.reported(result.end, result.final_state);
  result.counts = stepper->counts();
  result.counts.steps += counts_before.steps;
  result.counts.rejected += counts_before.rejected;
  result.evaluations = stepper->evaluations() + evaluations_before;
  result.step = stepper->step_length();
  return {std::move(result), std::move(states), std::move(recording.section_states)};
}

}  // namespace rattleback
