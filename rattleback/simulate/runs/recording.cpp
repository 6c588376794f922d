#include <rattleback/simulate/runs/recording.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/simulate/runs/switching_motion.hpp>

namespace rattleback {
namespace {

/// Made once for a flow and its copies.
struct LimitsOfContacts {
  explicit LimitsOfContacts(const Flow& flow) : all(contact_limits(flow.system())) {}
  std::vector<ContactLimit> all;
};

std::vector<std::string> names_of(const std::vector<Invariant>& invariants) {
  std::vector<std::string> names;
  for (const Invariant& i : invariants) names.push_back(i.name);
  return names;
}

std::vector<Expr> positives_of(const std::vector<ContactLimit>& limits) {
  std::vector<Expr> values;
  for (const ContactLimit& limit : limits) values.push_back(limit.positive);
  return values;
}

std::vector<Expr> expressions_of(const std::vector<Invariant>& invariants) {
  std::vector<Expr> values;
  for (const Invariant& i : invariants) values.push_back(i.value);
  return values;
}

}  // namespace

Recording::Recording(const Flow& flow, const RunOptions& options, const SwitchingMotion* switching)
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

void Recording::go_on(const Flow& given, const Flow& successor) {
  observe(successor);
  state_.emplace(state_observer(successor, given));
  velocity_.emplace(velocity_observer(successor, given));
  told_speeds_.emplace(speed_observer(successor, given));
  first_speed_ = successor.first_speed();
}

std::vector<double> Recording::reported(double t, std::span<const double> y) {
  if (!told_speeds_) return {y.begin(), y.end()};
  std::vector<double> state(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(first_speed_));
  const std::vector<double>& speeds = (*told_speeds_)(t, y);
  state.insert(state.end(), speeds.begin(), speeds.end());
  return state;
}

void Recording::observe(const Flow& flow) {
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
  if (!limits_.empty()) limit_.emplace(flow, std::vector<std::string>(limits_.size()), positives_of(limits_));
  event_.clear();
  for (const Event& e : options_.events)
    event_.emplace_back(flow, std::vector<std::string>{e.name}, std::vector{present(e.expression)});
}

std::vector<double> Recording::row(double t, std::span<const double> y) {
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

void Recording::watch(double t, std::span<const double> y) {
  const std::vector<double>& now = (*invariant_)(t, y);
  if (result.drift.empty()) {
    for (std::size_t k = 0; k < now.size(); ++k) result.drift.push_back({invariant_->names()[k], now[k], 0});
  }
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double gap = std::abs(now[k] - result.drift[k].initial);
    if (!(gap <= result.drift[k].largest)) result.drift[k].largest = gap;
  }
}

bool Recording::happened(const Stepper& stepper, const RunOptions& options) {
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

void Recording::watch_contacts(double t, std::span<const double> y) {
  for (std::size_t k = 0; k < normals_.size() && !result.lift_off; ++k)
    if (normal(k, t, y) < 0) lift_off(k, t);
}

bool Recording::contact_lost(const Stepper& stepper, double before, bool ends) {
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

std::optional<std::string> Recording::contact_broken(const Stepper& stepper, double before) {
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

Expr Recording::present(Expr e) const { return switching_ == nullptr ? e : switching_->in_present_signs(e); }

double Recording::normal(std::size_t k, double t, std::span<const double> y) {
  forces_.resize(reactions_->names().size());
  (*reactions_)(t, y, forces_.data());
  return forces_[normals_[k]];
}

void Recording::lift_off(std::size_t k, double t) {
  result.lift_off = t;
  result.lift_off_contact = reactions_->names()[normals_[k]].name;
}

bool Recording::end_at(Crossing c) {
  ending_ = std::move(c);
  return true;
}

}  // namespace rattleback
