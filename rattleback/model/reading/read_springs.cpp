// Declared in model/reading/reading_inputs.hpp. [springs]: springs and dampers between points of bodies; friction at [contacts].
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/reading/reading_inputs.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

/// A point of a body, or of the ground, in space axes.
Matrix point_in_space(const Reading& reading, const Toml* body, const Toml* at) {
  const Matrix r = at == nullptr ? Matrix(3, 1) : reading.vector(*at, 3);
  if (body == nullptr || reading.text(*body) == ground) return r;
  const auto pose = reading.poses.find(body->text);
  if (pose != reading.poses.end()) return pose->second.at(r);
  std::vector<std::string> names{ground};
  for (const RigidBody& b : reading.system.bodies) names.push_back(b.name);
  const auto close = nearest(body->text, names);
  reading.fail(*body, Error("unknown-body", fmt::format("there is no body `{}`", body->text),
                            "a spring joins points of two bodies, or of a body and \"ground\"",
                            close.empty() ? fmt::format("add a section [bodies.{}]", body->text)
                                          : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
}

/// −∂R/∂v for a dissipation function R.
void add_dissipation(System& system, Expr R) {
  const std::vector<Expr> dR = gradient(R, system.space.velocities());
  for (std::size_t i = 0; i < dR.size(); ++i) system.forces[i] -= dR[i];
}

void require_constant(const Reading& reading, const Toml& item, Expr e) {
  if (has_velocities(e))
    reading.fail(item, Error("velocity-not-allowed", fmt::format("`{}` depends on velocities", item.key), "",
                             "use numbers, parameters and positions"));
}

}  // namespace

/// k/2 (l − l₀)², l the distance of the two points, and −c l' along their line.
void read_springs(Reading& reading) {
  const Toml* section = reading.section("springs");
  if (section == nullptr) return;
  System& system = reading.system;
  for (const Toml& item : section->items) {
    reading.require(item, Toml::Kind::table, fmt::format("a section [springs.{}]", item.key));
    require_known_keys(reading.source(), item, "springs.*");
    const Matrix d = point_in_space(reading, item.find("to"), item.find("to_at")) -
                     point_in_space(reading, &reading.required(item, "from", "\"arm\""), item.find("at"));
    const Toml *stiffness = item.find("stiffness"), *rest = item.find("rest"),
               *damping = item.find("damping");
    if (stiffness == nullptr && damping == nullptr)
      reading.fail_at_key(item, Error("missing-key", fmt::format("the spring `{}` does nothing", item.key),
                                      "", "add stiffness = \"k\" or damping = \"c\""));
    const Expr squared = dot(d, d);
    if (stiffness != nullptr) {
      const Expr k = reading.scalar(*stiffness), l0 = rest == nullptr ? Expr(0) : reading.scalar(*rest);
      require_constant(reading, *stiffness, k);
      const Expr energy = l0.is_zero() ? k / 2 * squared : k / 2 * pow(sqrt(squared) - l0, 2);
      system.potential = system.potential.value_or(0) + energy;
    }
    if (damping != nullptr) {
      const Expr c = reading.scalar(*damping), rate = system.space.rate(squared) / 2;  // l l'
      require_constant(reading, *damping, c);
      add_dissipation(system, c / 2 * pow(rate, 2) / squared);
    }
  }
}

/// Constants of Zhuravlev's approximation for a pressure: T = μN v/(|v| + a|u|), M = μN ε k u/(|u| + b|v|), with u = ε ω the speed at the border of a
/// patch of radius ε. They are exact to first order in v for small v/u and in u for small u/v.
struct PatchPressure {
  const char* name;
  Expr a, b, k;
};
PatchPressure pressure_named(const Reading& reading, const Toml* item) {
  const Expr pi(Symbol::make("pi"));
  if (item == nullptr || reading.text(*item) == "hertz")
    return {"hertz", 8 / (3 * pi), 15 * pi / 16, 3 * pi / 16};
  if (item->text == "uniform") return {"uniform", 1, Expr(8) / 3, Expr(2) / 3};
  reading.fail(*item,
               Error("wrong-type", fmt::format("`{}` is not a pressure", item->text),
                     "it says how the load is spread over the patch", "write \"hertz\" or \"uniform\""));
}

/// Dry friction against slipping and spinning together, of a load on a round patch [Contensou 1963; Zhuravlev 1998].
void add_dry_friction(const Reading& reading, System& system, const Contact& contact, const Toml& item) {
  const Toml& coulomb = *item.find("coulomb");
  const Toml *load = item.find("load"), *patch = item.find("patch"), *rolls = item.find("rolls");
  if (rolls == nullptr || reading.truth(*rolls))
    reading.fail_at_key(coulomb,
                        Error("conflicting-keys", fmt::format("`coulomb` of `{}`, which rolls", contact.name),
                              "dry friction acts while the contact slips",
                              "add rolls = false; `friction` is the coefficient for `--stop slip`"));
  if (load == nullptr)
    reading.fail_at_key(coulomb, Error("missing-key", "`coulomb` needs the normal force", "",
                                       "add load = \"m*g\", a number or an expression of the state"));
  const Expr limit = reading.scalar(coulomb) * reading.scalar(*load);
  const Expr radius = patch == nullptr ? Expr(0) : reading.scalar(*patch);
  const PatchPressure p = pressure_named(reading, item.find("pressure"));
  const Expr v = sqrt(pow(contact.slip_along, 2) + pow(contact.slip_across, 2)), u = radius * contact.spin,
             size_u = radius.is_zero() ? Expr(0) : sqrt(radius * radius) * sqrt(pow(contact.spin, 2));
  const Expr force = limit / (v + p.a * size_u);
  const Expr torque = radius.is_zero() ? Expr(0) : limit * radius * p.k * u / (size_u + p.b * v);
  const std::vector<Symbol> velocities(system.space.velocities().begin(), system.space.velocities().end());
  const std::vector<Expr> along = gradient(contact.slip_along, velocities),
                          across = gradient(contact.slip_across, velocities),
                          spin = gradient(contact.spin, velocities);
  for (std::size_t i = 0; i < velocities.size(); ++i)
    system.forces[i] -=
        force * (contact.slip_along * along[i] + contact.slip_across * across[i]) + torque * spin[i];
}

/// Viscous friction against slipping and spinning, the coefficient μ of dry friction and that of restitution.
void read_contact_friction(Reading& reading) {
  const Toml* section = reading.section("contacts");
  if (section == nullptr) return;
  System& system = reading.system;
  for (const Contact& contact : system.contacts) {
    const Toml* item = section->find(contact.name);
    if (item == nullptr) continue;
    if (const Toml* viscous = item->find("viscous")) {
      const Expr c = reading.scalar(*viscous);
      require_constant(reading, *viscous, c);
      add_dissipation(system, c / 2 * (pow(contact.slip_along, 2) + pow(contact.slip_across, 2)));
    }
    if (const Toml* spinning = item->find("spinning")) {
      const Expr c = reading.scalar(*spinning);
      require_constant(reading, *spinning, c);
      add_dissipation(system, c / 2 * pow(contact.spin, 2));
    }
    if (item->find("coulomb") != nullptr) add_dry_friction(reading, system, contact, *item);
    if (const Toml* friction = item->find("friction")) {
      const Expr mu = reading.scalar(*friction);
      require_constant(reading, *friction, mu);
      system.scope.define("#friction " + contact.name, mu);
    }
    if (const Toml* restitution = item->find("restitution")) {
      const Expr e = reading.scalar(*restitution);
      require_constant(reading, *restitution, e);
      system.scope.define("#restitution " + contact.name, e);
    }
  }
}

}  // namespace rattleback
