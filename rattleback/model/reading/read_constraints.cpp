// Declared in model/reading/reading.hpp. [constraints], [velocities] and [parametrization]: which velocities are admissible, and how they are named.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/system/components.hpp>

namespace rattleback {
namespace {

bool is_affine(Expr e, std::span<const Symbol> velocities) {
  for (const Expr slope : gradient(e, velocities)) {
    if (!has_velocities(slope)) continue;
    for (const Expr second : gradient(slope, velocities)) {
      if (!second.is_zero() && !vanishes_at_random_points(second)) return false;
    }
  }
  return true;
}

void add_constraint(Reading& reading, const Toml& item, const std::string& name, Expr e) {
  System& system = reading.system;
  const std::span<const Symbol> functions = system.space.functions();
  const std::vector<Symbol> symbols = symbols_of(e);
  const auto occurs = [&](auto what) { return std::any_of(symbols.begin(), symbols.end(), what); };
  const bool moves = occurs([&](Symbol s) { return s.role() == Role::velocity; });
  const bool places =
      occurs([&](Symbol s) { return std::find(functions.begin(), functions.end(), s) != functions.end(); });
  // 0 = 0 is harmless and often a slip: the triage warns of it.
  if (!moves && !places && !e.is_zero()) {
    reading.fail(item,
                 Error("empty-constraint",
                       fmt::format("constraint `{}` contains neither a coordinate nor a velocity", name),
                       "it restricts nothing that moves", "check the equation, or delete it"));
  }
  if (moves && !is_affine(e, system.space.velocities())) e = without_factors_that_never_vanish(e);
  Constraint constraint{name, e, std::nullopt, reading.place(item), std::nullopt};
  if (!moves && places) {
    e = without_odd_power(e);
    constraint.position = e;
    constraint.expression = system.space.rate(e);
  }
  system.constraints.push_back(std::move(constraint));
}

}  // namespace

void read_constraints(Reading& reading) {
  const Toml* section = reading.section("constraints");
  if (section == nullptr) return;
  for (const Toml& item : section->items) {
    reading.require_name(item.key, reading.place_of_key(item));
    const Value equation = reading.equation(item);
    if (const Expr* e = std::get_if<Expr>(&equation)) {
      add_constraint(reading, item, item.key, *e);
      continue;
    }
    int k = 0;
    for (const Expr e : std::get<Matrix>(equation).entries()) {
      ++k;
      if (!e.is_zero()) add_constraint(reading, item, fmt::format("{}_{}", item.key, k), e);
    }
  }
}

/// Until the model is read the names stand for their expressions, so that other sections may use them.
void read_velocities(Reading& reading) {
  const Toml* section = reading.section("velocities");
  if (section == nullptr) return;
  System& system = reading.system;
  for (const Toml& item : section->items) {
    reading.declare(item.key, reading.place_of_key(item));
    const Expr e = reading.scalar(item);
    if (!has_velocities(e)) {
      reading.fail(
          item,
          Error("velocities-not-linear", fmt::format("`{}` does not depend on the velocities", item.key),
                "a quasi-velocity is a combination of velocities", "name functions of position in [define]"));
    }
    if (!is_affine(e, system.space.velocities())) {
      reading.fail(
          item, Error("velocities-not-linear", fmt::format("`{}` is not linear in the velocities", item.key),
                      "quasi-velocities are linear (or affine) in x', y', …",
                      "name nonlinear quantities in [define], or use [parametrization]"));
    }
    const int order = static_cast<int>(system.velocities.size());
    system.velocities.push_back(
        {Symbol::make(item.key, {.role = Role::velocity, .order = order}), e, reading.place_of_key(item)});
    system.scope.define(item.key, e);
  }
}

void read_parametrization(Reading& reading) {
  const Toml* section = reading.section("parametrization");
  if (section == nullptr) return;
  System& system = reading.system;
  const Space& space = system.space;
  Parametrization p;
  p.place = reading.place_of_key(*section);
  const Toml& speeds = reading.required(*section, "speeds", "[\"u\", \"omega\"]");
  reading.texts(speeds);
  for (const Toml& name : speeds.items) {
    reading.declare(name.text, reading.place(name));
    p.speeds.push_back(
        Symbol::make(name.text, {.role = Role::velocity, .order = static_cast<int>(p.speeds.size())}));
    system.scope.define(name.text, Expr(p.speeds.back()));
  }

  SymbolMap rates;                                                                      // of functions
  std::vector<std::optional<Expr>> given(static_cast<std::size_t>(space.dimension()));  // of velocities
  const auto assign = [&](const Toml& item, Symbol target, Expr e) {
    for (const Symbol s : symbols_of(e)) {
      if (s.role() == Role::velocity && std::find(p.speeds.begin(), p.speeds.end(), s) == p.speeds.end()) {
        reading.fail(item, Error("velocity-not-allowed",
                                 fmt::format("`{}` is given by another velocity, `{}`", item.key, s.name()),
                                 "a parametrization gives velocities by the speeds",
                                 "use the names listed in speeds"));
      }
    }
    if (const int i = leg_of(space, target); i >= 0) {
      given[static_cast<std::size_t>(i)] = e;
    } else {
      rates.insert_or_assign(target, e);
    }
  };
  for (const Toml& item : section->items) {
    if (item.key == "speeds") continue;
    const auto [base, primes] = split_primes(item.key);
    const std::vector<Symbol> targets =
        symbols_named(system.scope, space, primes == 1 ? std::string(base) : item.key);
    if (targets.empty() || targets.size() == 9) {
      reading.fail_at_key(
          item,
          Error("unknown-coordinate",
                fmt::format("`{}` is not a coordinate or velocity of this model", item.key),
                "a parametrization gives the velocity of every coordinate", "name a coordinate of [space]"));
    }
    if (targets.size() == 1) {
      assign(item, targets[0], reading.scalar(item));
    } else {
      const Matrix v = reading.vector(item, static_cast<int>(targets.size()));
      for (std::size_t k = 0; k < targets.size(); ++k) assign(item, targets[k], v[static_cast<int>(k)]);
    }
  }

  p.psi = components(space, rates);
  for (std::size_t i = 0; i < p.psi.size(); ++i) {
    if (given[i]) p.psi[i] = *given[i];
  }
  for (const Factor& factor : space.factors()) {
    const int first = first_leg(space, factor);
    const std::vector<Symbol> functions = factor.functions();
    const bool by_rates =
        factor.kind != Factor::Kind::SO3 && factor.kind != Factor::Kind::SE3 && !functions.empty() &&
        std::all_of(functions.begin(), functions.end(), [&](Symbol q) { return rates.contains(q); });
    for (int i = first; i < first + factor.dimension() && !by_rates; ++i) {
      const bool linear = factor.kind == Factor::Kind::SE3 && i >= first + 3 && rates.contains(functions[9]);
      if (given[static_cast<std::size_t>(i)] || linear) continue;
      const std::string missing = space.coordinate(i)
                                      ? space.coordinate(i)->name()
                                      : space.velocities()[static_cast<std::size_t>(i)].name();
      reading.fail_at_key(*section,
                          Error("missing-key", fmt::format("the parametrization does not give `{}`", missing),
                                "every coordinate needs its velocity",
                                fmt::format("add {} = \"…\" (\"0\" when it rests)", missing)));
    }
  }
  system.parametrization = std::move(p);
}

}  // namespace rattleback
