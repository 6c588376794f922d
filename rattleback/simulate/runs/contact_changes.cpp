#include <rattleback/simulate/runs/contact_changes.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/states/rates.hpp>

namespace rattleback {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using Touches = ContactPhases::Touches;

constexpr double capture = 1e-6;  // rebounds that are slower, by the fastest approach of the contact
constexpr double still = 1e-9;    // slipping that ends, by the speed of the motion

const char* outcome_of(Touch touch, bool can_roll) {
  if (touch == Touch::open) return "bounces";
  if (touch == Touch::sliding) return "slides";
  return can_roll ? "rolls" : "stays";
}

}  // namespace

ContactChanges::ContactChanges(ContactPhases& phases, std::span<const double> start, bool in_flight)
    : y(start.begin(), start.end()),
      touches(phases.contacts().size(), in_flight ? Touch::open : Touch::closed),
      phases_(phases),
      fastest_(touches.size()),
      lowest_(touches.size()) {}

// What acts at a contact.

ContactChanges::Force ContactChanges::force(std::size_t k, double at, std::span<const double> state) {
  ReactionForces& forces = phase().forces;
  found_.resize(forces.names().size());
  forces(at, state, found_.data());
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

double ContactChanges::slip(std::size_t k, double at, std::span<const double> state) {
  const ContactMechanics now = phases_.mechanics(at, state);
  double speed = 0;
  for (const std::size_t s : contact(k).slipping)
    speed = std::hypot(speed, now.values[static_cast<Index>(s)]);
  return speed;
}

double ContactChanges::slow() const {
  double fastest = 1e-3;
  for (std::size_t i = first_speed(); i < y.size(); ++i) fastest = std::max(fastest, std::abs(y[i]));
  return still * fastest;
}

/// Of a gap that is zero.
double ContactChanges::rounding() const {
  double size = 1;
  for (const double x : y) size = std::max(size, std::abs(x));
  return 1e-15 * size;
}

// Opening.

void ContactChanges::start_in_flight() {
  const ContactMechanics now = phases_.mechanics(0, y);
  for (std::size_t k = 0; k < contacts(); ++k) {
    const double gap = phases_.gap(k, 0, y), leaving = now.leaving_values[static_cast<Index>(k)];
    if (gap < -1e-9)
      throw Error("below-support",
                  fmt::format("contact `{}` begins below its support", contact(k).contact.name),
                  fmt::format("its gap is {:g}", gap), "begin above it");
    lowest_[k] = std::min(gap, 0.0) - rounding();
    const bool rolls = contact(k).slipping.empty() || slip(k, 0, y) <= slow();
    if (std::abs(gap) < 1e-12 && std::abs(leaving) <= slow() && (rolls || can_slip(k)))
      touches[k] = rolls ? Touch::closed : Touch::sliding;
  }
}

void ContactChanges::open(std::size_t k) {
  touches[k] = Touch::open;
  lowest_[k] = phases_.gap(k, time, y) - rounding();  // landing is below what rounding makes of zero
}

/// Would the contact close again as soon as it is open? Its velocity of leaving decreases.
bool ContactChanges::falls_back(std::size_t k) {
  constexpr double h = 1e-6;
  Rates rates(phase().flow);
  std::vector<double> f(y.size()), before = y, after = y;
  rates(time, y.data(), f.data());
  double fastest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    before[i] -= h * f[i];
    after[i] += h * f[i];
    if (i >= first_speed()) fastest = std::max(fastest, std::abs(f[i]));
  }
  const auto leaving = [&](double t, const std::vector<double>& state) {
    return phases_.mechanics(t, state).leaving_values[static_cast<Index>(k)];
  };
  return (leaving(time + h, after) - leaving(time - h, before)) / (2 * h) < -1e-6 * fastest;
}

/// A contact that holds without limit may have to slip first: its normal force is zero, the force within the plane is not, and without it
/// the body would fall back at once. How it slips takes a coefficient of friction.
void ContactChanges::lift_off(std::size_t k) {
  open(k);
  if (contact(k).law.friction || contact(k).slipping.empty() || !falls_back(k)) return;
  throw StepFailure(
      time,
      fmt::format("the normal force of contact `{0}` vanishes while it still holds against slipping: it "
                  "slips before it lifts off, and how takes friction = \"mu\" in [contacts.{0}]",
                  contact(k).contact.name));
}

void ContactChanges::settle() {
  for (std::size_t tries = 0; tries < 2 * contacts() + 2; ++tries) {
    bool changed = false;
    for (std::size_t k = 0; k < contacts() && !changed; ++k) {
      if (touches[k] == Touch::open) continue;
      const Force f = force(k, time, y);
      if (f.normal < 0) {
        lift_off(k);
        changed = true;
      } else if (touches[k] == Touch::closed && can_slip(k) &&
                 f.tangential > (1 + 1e-9) * *contact(k).law.friction * f.normal) {
        begin_to_slip(k);
        changed = true;
      }
    }
    if (!changed) return;
  }
}

// Slipping and sticking.

/// The rows by which contact k meets an impulse: leaving, then slipping.
MatrixXd ContactChanges::rows_of(std::size_t k, const ContactMechanics& now) const {
  MatrixXd C(static_cast<Index>(contact(k).slipping.size()) + 1, now.mass.cols());
  C.row(0) = now.leaving.row(static_cast<Index>(k));
  for (std::size_t j = 0; j < contact(k).slipping.size(); ++j)
    C.row(static_cast<Index>(j) + 1) = now.rows.row(static_cast<Index>(contact(k).slipping[j]));
  return C;
}

VectorXd ContactChanges::velocity_of(std::size_t k, const ContactMechanics& now) const {
  VectorXd gamma(static_cast<Index>(contact(k).slipping.size()) + 1);
  gamma[0] = now.leaving_values[static_cast<Index>(k)];
  for (std::size_t j = 0; j < contact(k).slipping.size(); ++j)
    gamma[static_cast<Index>(j) + 1] = now.values[static_cast<Index>(contact(k).slipping[j])];
  return gamma;
}

MatrixXd ContactChanges::kept_rows(const Touches& which, const ContactMechanics& now) const {
  const std::vector<std::size_t> kept = phases_.constraints(which);
  MatrixXd A(static_cast<Index>(kept.size()), now.mass.cols());
  for (std::size_t i = 0; i < kept.size(); ++i)
    A.row(static_cast<Index>(i)) = now.rows.row(static_cast<Index>(kept[i]));
  return A;
}

void ContactChanges::begin_to_slip(std::size_t k) {
  const Force f = force(k, time, y);
  touches[k] = Touch::sliding;
  const ContactMechanics now = phases_.mechanics(time, y);
  Touches others = touches;
  others[k] = Touch::open;
  const MatrixXd C = rows_of(k, now), K = RestrictedInertia(now.mass, kept_rows(others, now)).K,
                 G = C * K * C.transpose();
  VectorXd wanted = VectorXd::Zero(C.rows());
  wanted.tail(C.rows() - 1) = -2 * slow() * f.direction / f.tangential;
  add_to_velocity(K * C.transpose() * dense::least_norm(G, wanted).x);
}

void ContactChanges::end_slipping(std::size_t k) {
  touches[k] = Touch::closed;
  project();
}

void ContactChanges::add_to_velocity(const VectorXd& dv) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(dv.size()); ++i)
    y[first_speed() + i] += dv[static_cast<Index>(i)];
}

/// Removes what rounding left of the constraints that have just closed.
void ContactChanges::project() { Manifold<double>(phase().flow)(time, y.data()); }

// Landing.

/// Contacts that the impulse would have to pull open; true when one did.
bool ContactChanges::release(Touches& which, const VectorXd& impulses) const {
  const std::vector<std::size_t> kept = phases_.constraints(which);
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t k = 0; k < contacts(); ++k)
      if (contact(k).gap == kept[i] &&
          contact(k).side * impulses[static_cast<Index>(i)] < -1e-12 * impulses.norm()) {
        which[k] = Touch::open;
        return true;
      }
  return false;
}

/// The impulse at contact k, and what it does to the velocities; contacts that it would have to pull open do. `closes` where the rebound is too
/// slow to be one: the impulse is then that of e = 0.
ContactImpulse ContactChanges::struck(std::size_t k, const ContactMechanics& now, const VectorXd& gamma,
                                      bool& closes) {
  Touches others = touches;
  for (;;) {
    const MatrixXd C = rows_of(k, now), A = kept_rows(others, now);
    const RestrictedInertia inertia(now.mass, A);
    const MatrixXd G = C * inertia.K * C.transpose();
    ContactImpulse done = contact_impulse(G, gamma, contact(k).law);
    closes = done.velocity[0] <= capture * fastest_[k];
    if (closes) done = contact_impulse(G, gamma, {0, contact(k).law.friction});
    const VectorXd generalised = C.transpose() * done.impulse;
    if (release(others, inertia.kept_impulse * generalised)) continue;
    add_to_velocity(inertia.K * generalised);
    for (std::size_t i = 0; i < contacts(); ++i)
      if (others[i] == Touch::open && touches[i] != Touch::open) open(i);
    return done;
  }
}

ContactImpact ContactChanges::land(std::size_t k) {
  const ContactMechanics now = phases_.mechanics(time, y);
  const VectorXd gamma = velocity_of(k, now);
  fastest_[k] = std::max(fastest_[k], -gamma[0]);
  bool closes = true;
  const ContactImpulse done = gamma[0] < 0 ? struck(k, now, gamma, closes)
                                           : ContactImpulse{VectorXd::Zero(gamma.size()), gamma, false};
  const double slipping = done.velocity.tail(gamma.size() - 1).norm();
  if (closes) {
    touches[k] = can_slip(k) && !done.sticks && slipping > slow() ? Touch::sliding : Touch::closed;
    project();
  } else {
    open(k);
  }
  ContactImpact impact;
  impact.time = time;
  impact.contact = contact(k).contact.name;
  impact.approach = -gamma[0];
  impact.rebound = closes ? 0 : done.velocity[0];
  impact.slip_before = gamma.tail(gamma.size() - 1).norm();
  impact.slip_after = slipping;
  impact.normal_impulse = done.impulse[0];
  impact.tangential_impulse = done.impulse.tail(gamma.size() - 1).norm();
  if (impact.tangential_impulse < 1e-14 * impact.normal_impulse) impact.tangential_impulse = 0;  // rounding
  impact.outcome = outcome_of(touches[k], !contact(k).slipping.empty());
  return impact;
}

}  // namespace rattleback
