#include <rattleback/simulate/runs/flight.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/model/system/contact_limits.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/opening_contacts.hpp>
#include <rattleback/simulate/runs/contact_changes.hpp>
#include <rattleback/simulate/runs/flight_columns.hpp>
#include <rattleback/simulate/runs/stalled_motion.hpp>
#include <rattleback/simulate/runs/switching_motion.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_changes = search_limits::changes_of_contacts.count;
constexpr std::size_t most_at_once = search_limits::changes_of_contacts_at_once.count;

/// What ends a phase.
struct Change {
  enum class Kind : std::uint8_t { none, lift_off, landing, slips, sticks };
  Kind kind = Kind::none;
  std::size_t contact = 0;
  Crossing at;
};

/// One run, phase by phase.
class Flight {
 public:
  Flight(ContactPhases& phases, const RunOptions& options, const std::vector<double>& times,
         std::span<const double> y, bool in_flight)
      : options_(options),
        times_(times),
        kept_(proved(conserves_energy(phases.system()))),
        columns_(phases, kept_),
        now_(phases, y, in_flight),
        in_flight_(in_flight),
        limits_(contact_limits(phases.system())) {
    result.names = columns_.names;
    result.states = columns_.states;
    result.velocities = columns_.velocities;
    result.kept = 1;
    for (const Event& e : options.events)
      events_.emplace_back(phases.free(), std::vector<std::string>{e.name}, std::span(&e.expression, 1));
    std::vector<Expr> positive;
    for (const ContactLimit& limit : limits_) positive.push_back(limit.positive);
    limit_.emplace(phases.free(), std::vector<std::string>(positive.size()), positive);
  }

  Trajectory whole() {
    stop_ = options_.until;
    try {
      if (in_flight_) now_.start_in_flight();
      now_.settle();
      begin_phase();
      sample_until(0);
      while (now_.time < stop_) step();
    } catch (const StepFailure& failure) {
      result.failure = failure.reason;
    }
    finish();
    return std::move(result);
  }

  Trajectory result;
  std::vector<std::vector<double>> states, section_states;  ///< of the rows, as free flight has them

 private:
  Stepper& stepper() {
    ContactPhases::Phase& now = now_.phase();
    if (!now.stepper) now.stepper = stepper_named(options_.method).make(now.flow, options_.settings);
    return *now.stepper;
  }

  // One step.

  void step() {
    require_limits();
    Stepper& s = stepper();
    s.step(options_.until);
    const Change change = first_change(s);
    double end = change.kind == Change::Kind::none ? s.time() : change.at.time;
    if (const auto broken = broken_limit(s, end)) {
      end = broken->first.time;
      happened(s, end);
      sample_until(std::min(end, stop_), &s);
      if (end < stop_) {
        now_.time = end;
        now_.y = broken->first.state;
        throw StepFailure(end, broken->second);
      }
    }
    happened(s, end);
    sample_until(std::min(end, stop_), &s);
    if (stop_ < end || (stop_ == end && ended_)) {
      now_.time = stop_;
      now_.y = *ended_;
    } else if (change.kind == Change::Kind::none) {
      now_.time = s.time();
      now_.y.assign(s.state().begin(), s.state().end());
    } else {
      now_.time = end;
      now_.y = change.at.state;
      apply(change);
      return;
    }
    watch_energy();
    if (options_.progress) options_.progress(now_.time);
  }

  void require_limits() {
    if (result.counts.steps + stepper().counts().steps >= options_.most_steps)
      throw StepFailure(now_.time, "too many steps: the motion is too fast for this duration");
    progress_.require(stepper());
    if (options_.interrupted != nullptr && *options_.interrupted) throw StepFailure(now_.time, "interrupted");
    require_time(stepper());
  }

  /// The first of what ends the phase within the last step.
  Change first_change(const Stepper& s) {
    Change first;
    const auto look = [&](Change::Kind kind, std::size_t k,
                          const std::function<double(double, std::span<const double>)>& g) {
      for (Crossing& c : crossings(s, g)) {
        if (c.direction >= 0) continue;
        if (first.kind == Change::Kind::none || c.time < first.at.time) first = {kind, k, std::move(c)};
        return;
      }
    };
    for (std::size_t k = 0; k < now_.contacts(); ++k) {
      if (now_.touches[k] == Touch::open) {
        look(Change::Kind::landing, k,
             [&, k](double t, std::span<const double> y) { return now_.height(k, t, y); });
        continue;
      }
      look(Change::Kind::lift_off, k,
           [&, k](double t, std::span<const double> y) { return now_.force(k, t, y).normal; });
      if (now_.touches[k] == Touch::closed && now_.can_slip(k)) {
        const double mu = *now_.contact(k).law.friction;
        look(Change::Kind::slips, k, [&, k, mu](double t, std::span<const double> y) {
          const ContactChanges::Force f = now_.force(k, t, y);
          return mu * f.normal - f.tangential;
        });
      }
      if (now_.touches[k] == Touch::sliding) {
        const double least = now_.slow();
        look(Change::Kind::sticks, k,
             [&, k, least](double t, std::span<const double> y) { return now_.slip(k, t, y) - least; });
      }
    }
    return first;
  }

  std::optional<std::pair<Crossing, std::string>> broken_limit(const Stepper& s, double before) {
    if (limits_.empty()) return std::nullopt;
    const std::vector<double> now = (*limit_)(s.time(), s.state());
    for (std::size_t k = 0; k < limits_.size(); ++k) {
      if (now[k] > 0) continue;
      for (Crossing& c :
           crossings(s, [&](double t, std::span<const double> y) { return (*limit_)(t, y)[k]; })) {
        if (c.direction > 0 || c.time > before) continue;
        return std::pair{std::move(c),
                         fmt::format("contact `{}`: {} from here on", limits_[k].contact, limits_[k].broken)};
      }
    }
    return std::nullopt;
  }

  /// Events of the user within the last step, up to the end of the phase.
  void happened(const Stepper& s, double end) {
    std::vector<Crossing> now;
    for (std::size_t e = 0; e < events_.size(); ++e)
      for (Crossing& c :
           crossings(s, [&](double t, std::span<const double> y) { return events_[e](t, y)[0]; })) {
        c.event = e;
        if (c.time <= end) now.push_back(std::move(c));
      }
    std::ranges::stable_sort(now, {}, &Crossing::time);
    for (Crossing& c : now) {
      const Event& event = options_.events[c.event];
      if (event.direction != 0 && c.direction != event.direction) continue;
      bool ends = event.stops;
      if (event.records) {
        result.section_t.push_back(c.time);
        result.section_rows.push_back(columns_.row(c.time, c.state, now_.touches));
        section_states.push_back(c.state);
        ends = result.section_t.size() == options_.section_points;
      } else {
        result.crossings.push_back(c);
      }
      if (!ends) continue;
      stop_ = c.time;
      ended_ = c.state;
      return;
    }
  }

  // Samples, at equal distances or at given times.

  std::size_t samples() const { return times_.empty() ? options_.samples : times_.size(); }
  double sample_time(std::size_t k) const {
    if (!times_.empty()) return times_[k];
    return k + 1 == options_.samples
               ? options_.until
               : options_.until * static_cast<double>(k) / static_cast<double>(options_.samples - 1);
  }
  void sample_until(double t, const Stepper* s = nullptr) {
    std::vector<double> between(now_.y.size());
    for (; (!times_.empty() || options_.samples > 1) && next_ < samples() && sample_time(next_) <= t;
         ++next_) {
      if (s == nullptr)
        between = now_.y;
      else if (sample_time(next_) == s->time())
        between.assign(s->state().begin(), s->state().end());
      else
        s->at(sample_time(next_), between);
      record(sample_time(next_), between);
    }
  }
  void record(double t, std::span<const double> y) {
    result.t.push_back(t);
    result.rows.push_back(columns_.row(t, y, now_.touches));
    states.emplace_back(y.begin(), y.end());
  }

  // Changes of phase.

  void apply(const Change& change) {
    watch_energy();
    if (now_.time == last_change_ ? ++at_once_ > most_at_once : (at_once_ = 0, false))
      throw StepFailure(now_.time, "contacts open and close without end at this time");
    last_change_ = now_.time;
    if (++changes_ > most_changes)
      throw StepFailure(now_.time, fmt::format("contacts open and close more than {} times", most_changes));
    end_phase();
    between_ = true;
    const std::size_t k = change.contact;
    switch (change.kind) {
      case Change::Kind::lift_off: now_.lift_off(k); break;
      case Change::Kind::slips: now_.begin_to_slip(k); break;
      case Change::Kind::sticks: now_.end_slipping(k); break;
      case Change::Kind::landing: land(k); break;
      case Change::Kind::none: break;
    }
    now_.settle();
    begin_phase();
    between_ = false;
  }
  void land(std::size_t k) {
    const double before = columns_.energy_at(now_.time, now_.y);
    ContactImpact impact = now_.land(k);
    impact.lost = before - columns_.energy_at(now_.time, now_.y);
    result.impacts.push_back(std::move(impact));
  }

  // Books of phases and of the energy.

  void begin_phase() {
    stepper().start(now_.time, now_.y);
    counted_ = stepper().counts();
    evaluated_ = stepper().evaluations();
    ContactPhase phase;
    phase.from = phase.to = now_.time;
    for (std::size_t k = 0; k < now_.contacts(); ++k) {
      const std::string& name = now_.contact(k).contact.name;
      (now_.touches[k] == Touch::open      ? phase.open
       : now_.touches[k] == Touch::sliding ? phase.sliding
                                           : phase.closed)
          .push_back(name);
    }
    phase.energy_from = phase.energy_to = columns_.energy_at(now_.time, now_.y);
    if (result.drift.empty() && kept_) result.drift.push_back({"energy within phases", phase.energy_from, 0});
    result.phases.push_back(std::move(phase));
  }
  void end_phase() {
    ContactPhase& phase = result.phases.back();
    phase.to = now_.time;
    phase.energy_to = columns_.energy_at(now_.time, now_.y);
    const Stepper& s = stepper();
    result.counts.steps += s.counts().steps - counted_.steps;
    result.counts.rejected += s.counts().rejected - counted_.rejected;
    result.evaluations += s.evaluations() - evaluated_;
    result.step = s.step_length();
    if (phase.to == phase.from && result.phases.size() > 1) result.phases.pop_back();
  }
  void watch_energy() {
    if (!kept_ || result.phases.empty() || !result.phases.back().sliding.empty()) return;
    const double change = std::abs(columns_.energy_at(now_.time, now_.y) - result.phases.back().energy_from);
    if (!(change <= result.drift.front().largest)) result.drift.front().largest = change;
  }
  void finish() {
    if (!result.phases.empty() && !between_) end_phase();
    result.end = now_.time;
    result.final_state = now_.y;
    result.final_row = columns_.row(now_.time, now_.y, now_.touches);
    if (times_.empty() && options_.samples > 1 && (result.t.empty() || result.t.back() < now_.time))
      record(now_.time, now_.y);
  }

  const RunOptions& options_;
  Progress progress_{options_.until};
  const std::vector<double>& times_;  ///< of the samples; empty: equally spaced
  bool kept_;
  FlightColumns columns_;
  ContactChanges now_;
  bool in_flight_, between_ = false;  ///< between phases
  std::vector<ContactLimit> limits_;
  std::optional<Observer> limit_;
  std::vector<Observer> events_;
  double stop_ = 0, last_change_ = -1;
  std::optional<std::vector<double>> ended_;
  std::size_t next_ = 0, changes_ = 0, at_once_ = 0;
  Stepper::Counts counted_;
  std::size_t evaluated_ = 0;
};

}  // namespace

FlyingMotion::FlyingMotion(const System& model,
                           const std::vector<std::pair<std::string, std::string>>& initial, Start start)
    : in_flight_(start.in_flight) {
  System lifted = with_gap_coordinate(model);
  if (in_flight_) {
    phases_ = std::make_unique<ContactPhases>(std::move(lifted));
    const System given = with_initial_values(phases_->free().system(), initial);
    state_ =
        initial_state(phases_->free(),
                      {.project = start.project, .given = &given.simulation.initial, .branches = &branches_});
  } else {
    StartedMotion started = started_motion(with_initial_values(model, initial), {.project = start.project});
    branches_ = std::move(started.branches);
    std::vector<Expr> velocities;
    for (const Symbol v : model.space.velocities()) velocities.emplace_back(v);
    Observer velocity(started.flow, std::vector<std::string>(velocities.size()), velocities);
    const std::vector<double>& v = velocity(0, started.state);
    const auto more = static_cast<std::size_t>(lifted.space.dimension() - model.space.dimension());
    phases_ = std::make_unique<ContactPhases>(std::move(lifted));
    state_.assign(started.state.begin(),
                  started.state.begin() + static_cast<std::ptrdiff_t>(started.flow.first_speed()));
    state_.resize(state_.size() + more);
    state_.insert(state_.end(), v.begin(), v.end());
    state_.resize(state_.size() + more);
  }
  phases_->choose_sides(state_);
}

Trajectory FlyingMotion::run(const RunOptions& options) { return detailed({options}).run; }

DetailedTrajectory FlyingMotion::detailed(const DetailedOptions& detailed) {
  const RunOptions& options = detailed.run;
  if (options.until < 0)
    throw Error("usage", "flight runs forwards only",
                "impacts lose energy, so that the past is not determined", "give a positive --until");
  require_reversible(options.method);
  if (SwitchingMotion::of(phases_->free(), options.method))
    throw Error("cannot-fly", "forces that switch and contacts that open do not go together",
                "sign, min, max or piecewise stands in the forces",
                "write the forces without them, or leave --after out");
  Flight flight(*phases_, options, detailed.times, state_, in_flight_);
  Trajectory made = flight.whole();
  return {std::move(made), std::move(flight.states), std::move(flight.section_states)};
}

}  // namespace rattleback
