// Declared in model/reading/reading.hpp. The Lagrangian, kinetic and potential energy, and what has no potential.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/reading/reading_inputs.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/model/system/input_law.hpp>

namespace rattleback {
namespace {

[[noreturn]] void fail_both(const Reading& reading, const Toml& a, const Toml& b) {
  Error error("conflicting-keys", fmt::format("both `{}` and `{}` are given", a.key, b.key),
              "the Lagrangian is kinetic minus potential energy", "keep one of them");
  throw error.at(reading.place_of_key(b)).at(reading.place_of_key(a));
}

void require_function_of_position(const Reading& reading, const Toml& item, Expr e) {
  if (!has_velocities(e)) return;
  reading.fail(item, Error("velocity-not-allowed", fmt::format("`{}` depends on velocities", item.key),
                           "a potential is a function of the configuration",
                           "use lagrangian = … for terms linear in velocities"));
}

std::vector<std::string> names_for_forces(const Space& space) {
  std::vector<std::string> names;
  for (const Factor& factor : space.factors()) {
    for (const Symbol v : factor.velocities) names.push_back(v.name());
    for (const Piece& piece : factor.pieces)
      names.push_back(piece.functions.size() == 1 ? piece.functions[0].name() : factor.name);
  }
  return names;
}

/// A force along a function q does the work F q', so it has the component F X_i(q) along X_i; one along a velocity
/// v^i, or a torque in body axes, is a component already.
void add_force(System& system, Symbol along, Expr force) {
  const Space& space = system.space;
  if (const int i = leg_of(space, along); i >= 0) {
    system.forces[static_cast<std::size_t>(i)] += force;
    return;
  }
  for (int i = 0; i < space.dimension(); ++i) {
    if (const auto image = space.leg(i).find(along); image != space.leg(i).end())
      system.forces[static_cast<std::size_t>(i)] += force * image->second;
  }
}

}  // namespace

void read_energy(Reading& reading) {
  System& system = reading.system;
  const Toml &root = reading.root(), *lagrangian = root.find("lagrangian"), *kinetic = root.find("kinetic"),
             *potential = root.find("potential");
  if (lagrangian != nullptr && kinetic != nullptr) fail_both(reading, *lagrangian, *kinetic);
  if (lagrangian != nullptr && potential != nullptr) fail_both(reading, *lagrangian, *potential);
  const bool has_bodies = !system.bodies.empty();
  if (lagrangian == nullptr && kinetic == nullptr && !has_bodies) {
    Error error("missing-lagrangian", "the model has no Lagrangian",
                potential == nullptr ? "" : "a potential alone moves nothing",
                "add lagrangian = \"…\", or kinetic = \"…\" and potential = \"…\", or [bodies]");
    throw error.at(potential == nullptr ? reading.source().whole() : reading.place_of_key(*potential));
  }
  // Bodies come first: their energies stand in system.kinetic and system.potential already.
  if (kinetic != nullptr) system.kinetic = system.kinetic.value_or(0) + reading.scalar(*kinetic);
  if (potential != nullptr) {
    const Expr V = reading.scalar(*potential);
    require_function_of_position(reading, *potential, V);
    system.potential = system.potential.value_or(0) + V;
  }
  system.lagrangian = system.kinetic.value_or(0) - system.potential.value_or(0);
  if (lagrangian != nullptr) {
    system.lagrangian += reading.scalar(*lagrangian);
    system.kinetic.reset();
    system.potential.reset();
  } else if (!system.potential) {
    system.potential = Expr(0);
  }
  const Toml* stated = lagrangian != nullptr ? lagrangian : kinetic;
  system.lagrangian_place = stated != nullptr ? reading.place(*stated) : system.bodies[0].place;
}

void read_forces(Reading& reading) {
  System& system = reading.system;
  if (const Toml* item = reading.root().find("rayleigh")) {
    const std::vector<Expr> dR = gradient(reading.scalar(*item), system.space.velocities());
    for (std::size_t i = 0; i < dR.size(); ++i) system.forces[i] -= dR[i];
  }
  const Toml* section = reading.section("forces");
  if (section == nullptr) return;
  const SwitchesAllowed switches(system);
  for (const Toml& item : section->items) {
    std::vector<Symbol> along = symbols_named(system.scope, system.space, item.key);
    if (along.size() == 9) {  // a rotation: the torque, in body axes
      const std::vector<Symbol>& velocities = factor_named(system.space, item.key)->velocities;
      along.assign(velocities.begin(), velocities.begin() + 3);
    }
    if (along.empty()) {
      const auto close = nearest(item.key, names_for_forces(system.space));
      reading.fail_at_key(item,
                          Error("unknown-coordinate",
                                fmt::format("`{}` is not a coordinate or group of this model", item.key),
                                "a generalised force acts along a coordinate",
                                close.empty() ? "name a coordinate of [space]"
                                              : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
    }
    if (along.size() == 1) {
      add_force(system, along[0], reading.scalar(item));
    } else {
      const Matrix force = reading.vector(item, static_cast<int>(along.size()));
      for (std::size_t k = 0; k < along.size(); ++k) add_force(system, along[k], force[static_cast<int>(k)]);
    }
  }
  declare_sign(system);
}

}  // namespace rattleback
