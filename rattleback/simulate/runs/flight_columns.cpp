#include <rattleback/simulate/runs/flight_columns.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {

using Touches = ContactPhases::Touches;

FlightColumns::FlightColumns(ContactPhases& phases, bool energy_is_kept) : phases_(phases) {
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
  for (const ReactionForces::Named& n :
       phases.phase(Touches(phases.contacts().size(), Touch::closed)).forces.names())
    names.push_back((n.is_multiplier ? "lambda " : "reaction ") + n.name);
}

std::vector<double> FlightColumns::row(double t, std::span<const double> y, const Touches& touches) {
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
void FlightColumns::set(std::vector<double>& values, const std::string& name, double x) const {
  const auto found = std::find(names.begin() + static_cast<std::ptrdiff_t>(first_force_), names.end(), name);
  if (found != names.end()) values[static_cast<std::size_t>(found - names.begin())] = x;
}
/// The force of a contact that slides: −μ N s/|s|.
void FlightColumns::add_friction(std::vector<double>& values, std::size_t k, double t,
                                 std::span<const double> y) {
  const OpeningContact& c = phases_.contacts()[k];
  const ContactMechanics now = phases_.mechanics(t, y);
  double speed = 0, N = 0;
  for (const std::size_t s : c.slipping) speed = std::hypot(speed, now.values[static_cast<Eigen::Index>(s)]);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == "reaction " + c.contact.name + ".normal") N = values[i];
  for (const std::size_t s : c.slipping) {
    const Constraint& constraint = phases_.system().constraints[s];
    if (!constraint.reaction || speed == 0) continue;
    set(values, "reaction " + name_of(*constraint.reaction),
        -*c.law.friction * N * now.values[static_cast<Eigen::Index>(s)] / speed);
  }
}

}  // namespace rattleback
