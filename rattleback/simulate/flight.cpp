#include <rattleback/simulate/flight.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/model/contact_limits.hpp>
#include <rattleback/motion/energy.hpp>
#include <rattleback/motion/opening_contacts.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/manifold.hpp>
#include <rattleback/simulate/rates.hpp>
#include <rattleback/simulate/stalled_motion.hpp>
#include <rattleback/simulate/switching_motion.hpp>
#include <rattleback/simulate/with_initial_values.hpp>

namespace rattleback {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using Touches = ContactPhases::Touches;

constexpr double capture = 1e-6;  // rebounds that are slower, by the fastest approach of the contact
constexpr double still = 1e-9;    // slipping that ends, by the speed of the motion
constexpr std::size_t most_changes = 300'000;  // of phases
constexpr std::size_t most_at_once = 50;       // changes at one time

/// What ends a phase.
struct Change {
  enum class Kind : std::uint8_t { none, lift_off, landing, slips, sticks };
  Kind kind = Kind::none;
  std::size_t contact = 0;
  Crossing at;
};

/// Columns of a run: state, quasi-velocities, energy; then gaps and forces.
class Columns {
 public:
  Columns(ContactPhases& phases, bool energy_is_kept) : phases_(phases) {
    const System& system = phases.system();
    std::vector<Expr> values;
    const auto add = [&](const std::string& name, Expr e) {
      names.push_back(name);
      values.push_back(e);
    };
    for (const Symbol f : phases.free().equations().configuration) add(f.name(), f);
    for (const Symbol v : phases.free().equations().speeds) add(v.name(), v);
    states = names.size();
    for (const QuasiVelocity& u : system.velocities)
      if (std::ranges::find(names, u.symbol.name()) == names.end()) add(u.symbol.name(), u.expression);
    velocities = names.size() - states;
    add(energy_is_kept ? "energy" : "energy (not constant)", energy(system));
    for (const OpeningContact& c : phases.contacts())
      add("gap " + c.contact.name, Expr(c.side > 0 ? 1 : -1) * *system.constraints[c.gap].position);
    observer_.emplace(phases.free(), names, values);
    first_force_ = names.size();
    for (const ReactionForces::Named& n : all_closed().forces.names())
      names.push_back((n.is_multiplier ? "lambda " : "reaction ") + n.name);
  }

  std::vector<double> row(double t, std::span<const double> y, const Touches& touches) {
    std::vector<double> values = (*observer_)(t, y);
    values.resize(names.size());
    ReactionForces& forces = phases_.phase(touches).forces;
    found_.resize(forces.names().size());
    forces(t, y, found_.data());
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const ReactionForces::Named& n = forces.names()[k];
      set(values, (n.is_multiplier ? "lambda " : "reaction ") + n.name, found_[k]);
    }
    for (std::size_t k = 0; k < touches.size(); ++k)
      if (touches[k] == Touch::sliding) add_friction(values, k, t, y);
    return values;
  }
  double energy_at(double t, std::span<const double> y) { return (*observer_)(t, y)[states + velocities]; }

  std::vector<std::string> names;
  std::size_t states = 0, velocities = 0;

 private:
  ContactPhases::Phase& all_closed() {
    return phases_.phase(Touches(phases_.contacts().size(), Touch::closed));
  }
  void set(std::vector<double>& values, const std::string& name, double x) {
    const auto found =
        std::find(names.begin() + static_cast<std::ptrdiff_t>(first_force_), names.end(), name);
    if (found != names.end()) values[static_cast<std::size_t>(found - names.begin())] = x;
  }
  /// The force of a contact that slides: −μ N s/|s|.
  void add_friction(std::vector<double>& values, std::size_t k, double t, std::span<const double> y) {
    const OpeningContact& c = phases_.contacts()[k];
    const ContactMechanics now = phases_.mechanics(t, y);
    double speed = 0, N = 0;
    for (const std::size_t s : c.slipping) speed = std::hypot(speed, now.values[static_cast<Index>(s)]);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == "reaction " + c.contact.name + ".normal") N = values[i];
    for (const std::size_t s : c.slipping) {
      const Constraint& constraint = phases_.system().constraints[s];
      if (!constraint.reaction || speed == 0) continue;
      const bool along = constraint.reaction->direction == ContactReaction::Direction::along;
      set(values, fmt::format("reaction {}.{}", c.contact.name, along ? "along" : "across"),
          -*c.law.friction * N * now.values[static_cast<Index>(s)] / speed);
    }
  }

  ContactPhases& phases_;
  std::optional<Observer> observer_;
  std::size_t first_force_ = 0;
  std::vector<double> found_;
};

/// One run, phase by phase.
class Flight {
 public:
  Flight(ContactPhases& phases, const RunOptions& options, std::span<const double> y, bool in_flight)
      : phases_(phases),
        options_(options),
        kept_(proved(conserves_energy(phases.system()))),
        columns_(phases, kept_),
        touches_(phases.contacts().size(), in_flight ? Touch::open : Touch::closed),
        in_flight_(in_flight),
        fastest_(phases.contacts().size()),
        lowest_(phases.contacts().size()),
        limits_(contact_limits(phases.system())),
        y_(y.begin(), y.end()) {
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
      if (in_flight_) start_in_flight();
      settle();
      begin_phase();
      sample_until(0);
      while (time_ < stop_) step();
    } catch (const StepFailure& failure) {
      result.failure = failure.reason;
    }
    finish();
    return std::move(result);
  }

  Trajectory result;

 private:
  ContactPhases::Phase& phase() { return phases_.phase(touches_); }
  std::size_t contacts() const { return touches_.size(); }
  const OpeningContact& contact(std::size_t k) const { return phases_.contacts()[k]; }

  Stepper& stepper() {
    ContactPhases::Phase& now = phase();
    if (!now.stepper) now.stepper = stepper_named(options_.method).make(now.flow, options_.settings);
    return *now.stepper;
  }

  // Forces and velocities at contacts.

  struct Force {
    double normal = 0, tangential = 0;
    VectorXd
        direction;  ///< of the force within the plane of contact, by the constraints that forbid slipping
  };
  Force force(std::size_t k, double t, std::span<const double> y) {
    ReactionForces& forces = phase().forces;
    found_.resize(forces.names().size());
    forces(t, y, found_.data());
    Force f;
    f.direction = VectorXd::Zero(static_cast<Index>(contact(k).slipping.size()));
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const ReactionForces::Named& n = forces.names()[i];
      if (!n.is_multiplier && n.name == contact(k).contact.name + ".normal") f.normal = found_[i];
      for (std::size_t j = 0; j < contact(k).slipping.size(); ++j)
        if (n.is_multiplier && n.name == phases_.system().constraints[contact(k).slipping[j]].name)
          f.direction[static_cast<Index>(j)] = found_[i];
    }
    f.tangential = f.direction.norm();
    return f;
  }
  double slip(std::size_t k, double t, std::span<const double> y) {
    const ContactMechanics now = phases_.mechanics(t, y);
    double speed = 0;
    for (const std::size_t s : contact(k).slipping)
      speed = std::hypot(speed, now.values[static_cast<Index>(s)]);
    return speed;
  }
  std::span<double> velocity() { return std::span(y_).subspan(phases_.free().first_speed()); }
  /// Slipping below this has ended.
  double slow() {
    double fastest = 1e-3;
    for (const double v : velocity()) fastest = std::max(fastest, std::abs(v));
    return still * fastest;
  }
  bool can_slip(std::size_t k) const { return contact(k).law.friction && !contact(k).slipping.empty(); }

  /// In flight: above its support; what touches and does not approach is in contact.
  void start_in_flight() {
    const ContactMechanics now = phases_.mechanics(0, y_);
    for (std::size_t k = 0; k < contacts(); ++k) {
      const double gap = phases_.gap(k, 0, y_), leaving = now.leaving_values[static_cast<Index>(k)];
      if (gap < -1e-9)
        throw Error("below-support",
                    fmt::format("contact `{}` begins below its support", contact(k).contact.name),
                    fmt::format("its gap is {:g}", gap), "begin above it");
      lowest_[k] = std::min(gap, 0.0) - rounding();
      const double slipping = slip(k, 0, y_);
      const bool rolls = contact(k).slipping.empty() || slipping <= slow();
      if (std::abs(gap) < 1e-12 && std::abs(leaving) <= slow() && (rolls || can_slip(k)))
        touches_[k] = rolls ? Touch::closed : Touch::sliding;
    }
  }
  /// Of a gap that is zero.
  double rounding() const {
    double size = 1;
    for (const double x : y_) size = std::max(size, std::abs(x));
    return 1e-15 * size;
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
        time_ = end;
        y_ = broken->first.state;
        throw StepFailure(end, broken->second);
      }
    }
    happened(s, end);
    sample_until(std::min(end, stop_), &s);
    if (stop_ < end || (stop_ == end && ended_)) {
      time_ = stop_;
      y_ = *ended_;
    } else if (change.kind == Change::Kind::none) {
      time_ = s.time();
      y_.assign(s.state().begin(), s.state().end());
    } else {
      time_ = end;
      y_ = change.at.state;
      apply(change);
      return;
    }
    watch_energy();
    if (options_.progress) options_.progress(time_);
  }

  void require_limits() {
    if (result.counts.steps + stepper().counts().steps >= options_.most_steps)
      throw StepFailure(time_, "too many steps: the motion is too fast for this duration");
    require_progress(stepper(), options_.until);
    if (options_.interrupted != nullptr && *options_.interrupted) throw StepFailure(time_, "interrupted");
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
    for (std::size_t k = 0; k < contacts(); ++k) {
      if (touches_[k] == Touch::open) {
        look(Change::Kind::landing, k,
             [&, k](double t, std::span<const double> y) { return phases_.gap(k, t, y) - lowest_[k]; });
        continue;
      }
      look(Change::Kind::lift_off, k,
           [&, k](double t, std::span<const double> y) { return force(k, t, y).normal; });
      if (touches_[k] == Touch::closed && can_slip(k)) {
        const double mu = *contact(k).law.friction;
        look(Change::Kind::slips, k, [&, k, mu](double t, std::span<const double> y) {
          const Force f = force(k, t, y);
          return mu * f.normal - f.tangential;
        });
      }
      if (touches_[k] == Touch::sliding) {
        const double least = slow();
        look(Change::Kind::sticks, k,
             [&, k, least](double t, std::span<const double> y) { return slip(k, t, y) - least; });
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
        result.section_rows.push_back(columns_.row(c.time, c.state, touches_));
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

  // Samples, at equal distances.

  double sample_time(std::size_t k) const {
    return k + 1 == options_.samples
               ? options_.until
               : options_.until * static_cast<double>(k) / static_cast<double>(options_.samples - 1);
  }
  void sample_until(double t, const Stepper* s = nullptr) {
    std::vector<double> between(y_.size());
    for (; options_.samples > 1 && next_ < options_.samples && sample_time(next_) <= t; ++next_) {
      if (s == nullptr)
        between = y_;
      else if (sample_time(next_) == s->time())
        between.assign(s->state().begin(), s->state().end());
      else
        s->at(sample_time(next_), between);
      record(sample_time(next_), between);
    }
  }
  void record(double t, std::span<const double> y) {
    result.t.push_back(t);
    result.rows.push_back(columns_.row(t, y, touches_));
  }

  // Changes of phase.

  void apply(const Change& change) {
    watch_energy();
    if (time_ == last_change_ ? ++at_once_ > most_at_once : (at_once_ = 0, false))
      throw StepFailure(time_, "contacts open and close without end at this time");
    last_change_ = time_;
    if (++changes_ > most_changes)
      throw StepFailure(time_, fmt::format("contacts open and close more than {} times", most_changes));
    end_phase();
    between_ = true;
    const std::size_t k = change.contact;
    switch (change.kind) {
      case Change::Kind::lift_off: lift_off(k); break;
      case Change::Kind::slips: begin_to_slip(k); break;
      case Change::Kind::sticks: end_slipping(k); break;
      case Change::Kind::landing: land(k); break;
      case Change::Kind::none: break;
    }
    settle();
    begin_phase();
    between_ = false;
  }

  /// A contact that holds without limit may have to slip first: its normal force is zero, the force within the plane is not, and without it
  /// the body would fall back at once. How it slips takes a coefficient of friction.
  void lift_off(std::size_t k) {
    open(k);
    if (contact(k).law.friction || contact(k).slipping.empty()) return;
    const std::size_t first = phases_.free().first_speed();
    const double h = 1e-6;
    Rates rates(phase().flow);
    std::vector<double> f(y_.size()), before = y_, after = y_;
    rates(time_, y_.data(), f.data());
    double fastest = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      before[i] -= h * f[i];
      after[i] += h * f[i];
      if (i >= first) fastest = std::max(fastest, std::abs(f[i]));
    }
    const auto leaving = [&](double t, const std::vector<double>& y) {
      return phases_.mechanics(t, y).leaving_values[static_cast<Index>(k)];
    };
    if ((leaving(time_ + h, after) - leaving(time_ - h, before)) / (2 * h) >= -1e-6 * fastest) return;
    throw StepFailure(
        time_,
        fmt::format("the normal force of contact `{0}` vanishes while it still holds against slipping: it "
                    "slips before it lifts off, and how takes friction = \"mu\" in [contacts.{0}]",
                    contact(k).contact.name));
  }

  void open(std::size_t k) {
    touches_[k] = Touch::open;
    lowest_[k] = phases_.gap(k, time_, y_) - rounding();  // landing is below what rounding makes of zero
  }

  /// Contacts that would have to pull open; those that friction does not hold slip.
  void settle() {
    for (std::size_t tries = 0; tries < 2 * contacts() + 2; ++tries) {
      bool changed = false;
      for (std::size_t k = 0; k < contacts() && !changed; ++k) {
        if (touches_[k] == Touch::open) continue;
        const Force f = force(k, time_, y_);
        if (f.normal < 0) {
          lift_off(k);
          changed = true;
        } else if (touches_[k] == Touch::closed && can_slip(k) &&
                   f.tangential > (1 + 1e-9) * *contact(k).law.friction * f.normal) {
          begin_to_slip(k);
          changed = true;
        }
      }
      if (!changed) return;
    }
  }

  /// The rows by which contact k meets an impulse: leaving, then slipping.
  MatrixXd rows_of(std::size_t k, const ContactMechanics& now) const {
    MatrixXd C(static_cast<Index>(contact(k).slipping.size()) + 1, now.mass.cols());
    C.row(0) = now.leaving.row(static_cast<Index>(k));
    for (std::size_t j = 0; j < contact(k).slipping.size(); ++j)
      C.row(static_cast<Index>(j) + 1) = now.rows.row(static_cast<Index>(contact(k).slipping[j]));
    return C;
  }
  VectorXd velocity_of(std::size_t k, const ContactMechanics& now) const {
    VectorXd gamma(static_cast<Index>(contact(k).slipping.size()) + 1);
    gamma[0] = now.leaving_values[static_cast<Index>(k)];
    for (std::size_t j = 0; j < contact(k).slipping.size(); ++j)
      gamma[static_cast<Index>(j) + 1] = now.values[static_cast<Index>(contact(k).slipping[j])];
    return gamma;
  }
  MatrixXd kept_rows(const Touches& touches, const ContactMechanics& now) const {
    const std::vector<std::size_t> kept = phases_.constraints(touches);
    MatrixXd A(static_cast<Index>(kept.size()), now.mass.cols());
    for (std::size_t i = 0; i < kept.size(); ++i)
      A.row(static_cast<Index>(i)) = now.rows.row(static_cast<Index>(kept[i]));
    return A;
  }

  /// Friction is exhausted: the contact slips against the force that held it.
  void begin_to_slip(std::size_t k) {
    const Force f = force(k, time_, y_);
    touches_[k] = Touch::sliding;
    const ContactMechanics now = phases_.mechanics(time_, y_);
    Touches others = touches_;
    others[k] = Touch::open;
    const MatrixXd C = rows_of(k, now), K = RestrictedInertia(now.mass, kept_rows(others, now)).K,
                   G = C * K * C.transpose();
    VectorXd wanted = VectorXd::Zero(C.rows());
    wanted.tail(C.rows() - 1) = -2 * slow() * f.direction / f.tangential;
    add_to_velocity(K * C.transpose() * dense::least_norm(G, wanted).x);
  }
  /// Rolling if friction holds it, otherwise in another direction; settle() decides.
  void end_slipping(std::size_t k) {
    touches_[k] = Touch::closed;
    project();
  }

  void add_to_velocity(const VectorXd& dv) {
    const std::span<double> v = velocity();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += dv[static_cast<Index>(i)];
  }
  /// What rounding left of the constraints that have just closed.
  void project() { Manifold<double>(phase().flow)(time_, y_.data()); }

  void land(std::size_t k) {
    const double before = columns_.energy_at(time_, y_);
    const ContactMechanics now = phases_.mechanics(time_, y_);
    const VectorXd gamma = velocity_of(k, now);
    fastest_[k] = std::max(fastest_[k], -gamma[0]);
    ContactImpact impact{
        time_, contact(k).contact.name, -gamma[0], 0, gamma.tail(gamma.size() - 1).norm(), 0, 0, 0, 0, {}};
    ContactImpulse done{VectorXd::Zero(gamma.size()), gamma, false};
    Touches others = touches_;
    bool closes = !(gamma[0] < 0);
    while (gamma[0] < 0) {
      const MatrixXd C = rows_of(k, now), A = kept_rows(others, now);
      const RestrictedInertia inertia(now.mass, A);
      const MatrixXd G = C * inertia.K * C.transpose();
      done = contact_impulse(G, gamma, contact(k).law);
      closes = done.velocity[0] <= capture * fastest_[k];
      if (closes) done = contact_impulse(G, gamma, {0, contact(k).law.friction});
      const VectorXd generalised = C.transpose() * done.impulse;
      if (release(others, inertia.kept_impulse * generalised)) continue;
      add_to_velocity(inertia.K * generalised);
      break;
    }
    for (std::size_t i = 0; i < contacts(); ++i)
      if (others[i] == Touch::open && touches_[i] != Touch::open) open(i);
    const double slipping = done.velocity.tail(gamma.size() - 1).norm();
    if (closes) {
      touches_[k] = can_slip(k) && !done.sticks && slipping > slow() ? Touch::sliding : Touch::closed;
      project();
    } else {
      open(k);
    }
    impact.rebound = closes ? 0 : done.velocity[0];
    impact.slip_after = slipping;
    impact.normal_impulse = done.impulse[0];
    impact.tangential_impulse = done.impulse.tail(gamma.size() - 1).norm();
    if (impact.tangential_impulse < 1e-14 * impact.normal_impulse) impact.tangential_impulse = 0;  // rounding
    impact.lost = before - columns_.energy_at(time_, y_);
    impact.outcome = touches_[k] == Touch::open      ? "bounces"
                     : touches_[k] == Touch::sliding ? "slides"
                     : contact(k).slipping.empty()   ? "stays"
                                                     : "rolls";
    result.impacts.push_back(std::move(impact));
  }

  /// Contacts that the impulse would have to pull open; true when one did.
  bool release(Touches& touches, const VectorXd& impulses) const {
    const std::vector<std::size_t> kept = phases_.constraints(touches);
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::size_t k = 0; k < contacts(); ++k)
        if (contact(k).gap == kept[i] &&
            contact(k).side * impulses[static_cast<Index>(i)] < -1e-12 * impulses.norm()) {
          touches[k] = Touch::open;
          return true;
        }
    return false;
  }

  // Books of phases and of the energy.

  void begin_phase() {
    stepper().start(time_, y_);
    counted_ = stepper().counts();
    evaluated_ = stepper().evaluations();
    ContactPhase phase;
    phase.from = phase.to = time_;
    for (std::size_t k = 0; k < contacts(); ++k) {
      const std::string& name = contact(k).contact.name;
      (touches_[k] == Touch::open      ? phase.open
       : touches_[k] == Touch::sliding ? phase.sliding
                                       : phase.closed)
          .push_back(name);
    }
    phase.energy_from = phase.energy_to = columns_.energy_at(time_, y_);
    if (result.drift.empty() && kept_) result.drift.push_back({"energy within phases", phase.energy_from, 0});
    result.phases.push_back(std::move(phase));
  }
  void end_phase() {
    ContactPhase& phase = result.phases.back();
    phase.to = time_;
    phase.energy_to = columns_.energy_at(time_, y_);
    const Stepper& s = stepper();
    result.counts.steps += s.counts().steps - counted_.steps;
    result.counts.rejected += s.counts().rejected - counted_.rejected;
    result.evaluations += s.evaluations() - evaluated_;
    result.step = s.step_length();
    if (phase.to == phase.from && result.phases.size() > 1) result.phases.pop_back();
  }
  void watch_energy() {
    if (!kept_ || result.phases.empty() || !result.phases.back().sliding.empty()) return;
    const double change = std::abs(columns_.energy_at(time_, y_) - result.phases.back().energy_from);
    if (!(change <= result.drift.front().largest)) result.drift.front().largest = change;
  }
  void finish() {
    if (!result.phases.empty() && !between_) end_phase();
    result.end = time_;
    result.final_state = y_;
    result.final_row = columns_.row(time_, y_, touches_);
    if (options_.samples > 1 && (result.t.empty() || result.t.back() < time_)) record(time_, y_);
  }

  ContactPhases& phases_;
  const RunOptions& options_;
  bool kept_;
  Columns columns_;
  Touches touches_;
  bool in_flight_, between_ = false;  ///< between phases
  std::vector<double> fastest_, lowest_, found_;
  std::vector<ContactLimit> limits_;
  std::optional<Observer> limit_;
  std::vector<Observer> events_;
  double time_ = 0, stop_ = 0, last_change_ = -1;
  std::vector<double> y_;
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

Trajectory FlyingMotion::run(const RunOptions& options) {
  if (options.until < 0)
    throw Error("usage", "flight runs forwards only",
                "impacts lose energy, so that the past is not determined", "give a positive --until");
  require_reversible(options.method);
  if (SwitchingMotion::of(phases_->free(), options.method))
    throw Error("cannot-fly", "forces that switch and contacts that open do not go together",
                "sign, min, max or piecewise stands in the forces",
                "write the forces without them, or leave --after out");
  return Flight(*phases_, options, state_, in_flight_).whole();
}

}  // namespace rattleback
