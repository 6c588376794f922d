#include <rattleback/simulate/runs/slip_events.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {
namespace {

/// The force of a contact in this direction; 0 for a direction in which nothing holds it.
Expr force_of(const Reactions& forces, const std::string& contact, const char* direction) {
  const std::string name = fmt::format("{}.{}", contact, direction);
  const auto found = std::ranges::find(forces.reactions, name, &Statement::name);
  return found == forces.reactions.end() ? Expr(0) : found->value;
}

}  // namespace

std::vector<Event> slip_events(const Flow& flow, bool stops) {
  const System& system = flow.system();
  std::vector<Event> events;
  std::optional<Reactions> forces;
  for (const Contact& contact : system.contacts) {
    const Value* mu = system.scope.find("#friction " + contact.name);
    if (mu == nullptr) continue;
    if (!forces) forces = reactions_along(flow.derived_system(), flow.equations());
    const Expr N = force_of(*forces, contact.name, "normal"),
               along = force_of(*forces, contact.name, "along"),
               across = force_of(*forces, contact.name, "across"),
               roller = force_of(*forces, contact.name, "roller");
    if (N.is_zero()) continue;
    events.push_back({fmt::format("{}: mu*N = |T|", contact.name),
                      pow(std::get<Expr>(*mu) * N, 2) - pow(along, 2) - pow(across, 2) - pow(roller, 2),
                      stops, -1});
  }
  if (events.empty())
    throw Error("usage", "nothing in this model can slip",
                "no contact has a coefficient of friction and a normal force",
                "give friction = \"mu\" in [contacts.NAME]");
  return events;
}

}  // namespace rattleback
