// Declared in model/system/units.hpp and model/reading/reading_inputs.hpp. Dimensional analysis: every formula of a model that gives units is checked,
// and what is not declared is inferred.
#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/reading_inputs.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/model/system/units.hpp>

namespace rattleback {
namespace {

/// A dimension times powers of dimensions that are not known yet.
struct PartlyKnown {
  PhysicalDimension known;
  std::map<int, Rational> unknown;
};

PartlyKnown operator*(PartlyKnown a, const PartlyKnown& b) {
  a.known = a.known * b.known;
  for (const auto& [k, p] : b.unknown) {
    Rational& sum = a.unknown[k];
    sum = sum + p;
    if (sum.is_zero()) a.unknown.erase(k);
  }
  return a;
}
PartlyKnown power(PartlyKnown a, const Rational& exponent) {
  if (exponent.is_zero()) return {};
  a.known = power(a.known, exponent);
  for (auto& [k, p] : a.unknown) p = p * exponent;
  return a;
}
PartlyKnown operator/(const PartlyKnown& a, const PartlyKnown& b) { return a * power(b, Rational(-1)); }

/// Two terms, or an argument, whose dimensions do not agree.
struct Mismatch {
  std::string left, right;  ///< "`m*g*y` (J)", as a sentence needs it
  std::string rule;
};

/// Linear equations between logarithms of dimensions, solved one by one.
class Dimensions {
 public:
  explicit Dimensions(const System& system) : system_(system) {
    time_.known.powers[2] = Rational(1);
    for (const Symbol q : system.space.functions()) {
      const auto moves = system.space.motion().find(q);
      if (q.role() == Role::rotation || moves == system.space.motion().end()) continue;
      if (const auto rate = of(moves->second)) equate(*rate, *of(Expr(q)) / time_);
    }
    for (const Factor& factor : system.space.factors()) {  // B' = B Ω̂
      if (factor.kind != Factor::Kind::SO3 && factor.kind != Factor::Kind::SE3) continue;
      for (int k = 0; k < 3; ++k)
        equate(*of(Expr(factor.velocities[static_cast<std::size_t>(k)])), PartlyKnown{} / time_);
    }
  }

  /// Nothing for 0, which has every dimension.
  std::optional<PartlyKnown> of(Expr e) {
    if (const auto found = memo_.find(e.id()); found != memo_.end()) return found->second;
    const std::optional<PartlyKnown> d = computed(e);
    memo_.emplace(e.id(), d);
    return d;
  }

  PartlyKnown reduced(PartlyKnown d) const {
    for (bool again = true; again;) {
      again = false;
      for (const auto& [k, p] : d.unknown) {
        const auto solved = solved_.find(k);
        if (solved == solved_.end()) continue;
        const Rational exponent = p;
        d.unknown.erase(k);
        d = d * power(solved->second, exponent);
        again = true;
        break;
      }
    }
    return d;
  }

  /// False when they contradict each other.
  bool equate(const PartlyKnown& a, const PartlyKnown& b) {
    PartlyKnown ratio = reduced(a / b);
    if (ratio.unknown.empty()) return ratio.known.is_none();
    const auto [k, p] = *ratio.unknown.begin();
    ratio.unknown.erase(k);
    solved_.emplace(k, power(ratio, Rational(-1) / p));
    return true;
  }

  /// Where it is known.
  std::optional<PhysicalDimension> known(const PartlyKnown& d) const {
    const PartlyKnown r = reduced(d);
    return r.unknown.empty() ? std::optional(r.known) : std::nullopt;
  }

  const PartlyKnown& time() const { return time_; }

  std::string described(Expr e, const PartlyKnown& d) const {
    const std::string what =
        fits(e, legible::in_a_sentence) ? fmt::format("`{}`", rattleback::text(e)) : "a long term";
    const auto dimension = known(d);
    return dimension ? fmt::format("{} ({})", what, rattleback::text(*dimension)) : what;
  }

 private:
  std::optional<PartlyKnown> computed(Expr e) {
    switch (e.kind()) {
      case Kind::constant: return e.is_zero() ? std::nullopt : std::optional(PartlyKnown{});
      case Kind::symbol: return symbol_dimension(e.symbol());
      case Kind::sum: return sum_dimension(e);
      case Kind::product: {
        PartlyKnown d;
        for (const Expr factor : e.args()) d = d * of(factor).value_or(PartlyKnown{});
        return d;
      }
      case Kind::power: return power(of(e.args()[0]).value_or(PartlyKnown{}), Rational(e.exponent()));
      case Kind::call: return call_dimension(e);
    }
    return std::nullopt;
  }

  PartlyKnown fresh() { return {{}, {{next_++, Rational(1)}}}; }

  PartlyKnown symbol_dimension(Symbol s) {
    if (s == system_.time) return time_;
    if (s.role() == Role::constant || s.role() == Role::rotation || s.role() == Role::direction) return {};
    if (const std::string unit = unit_of(system_, s.name()); !unit.empty())
      return {unit_named(unit)->dimension, {}};
    for (const Factor& factor : system_.space.factors())
      if (factor.kind == Factor::Kind::circle && factor.pieces[0].functions[0] == s) return {};
    return fresh();
  }

  std::optional<PartlyKnown> sum_dimension(Expr e) {
    std::optional<PartlyKnown> first;
    Expr first_term;
    for (const Expr term : e.args()) {
      const auto d = of(term);
      if (!d) continue;
      if (!first) {
        first = d;
        first_term = term;
        continue;
      }
      if (!equate(*first, *d))
        throw Mismatch{described(first_term, *first), described(term, *d),
                       "terms of a sum have one dimension"};
    }
    return first;
  }

  std::optional<PartlyKnown> call_dimension(Expr e) {
    const Function f = e.function();
    const Expr x = e.args()[0];
    const auto argument = of(x);
    if (f == sign_function()) return PartlyKnown{};
    if (f.is_abstract()) return abstract_dimension(e);
    if (f.kind() == Builtin::sqrt)
      return argument ? std::optional(power(*argument, Rational(1, 2))) : argument;
    if (f.kind() == Builtin::abs) return argument;
    if (argument && !equate(*argument, PartlyKnown{}))
      throw Mismatch{fmt::format("the argument of {}, {}", f.name(), described(x, *argument)), "a number",
                     "functions such as sin and exp take numbers and angles"};
    return PartlyKnown{};
  }

  /// V(x) has an unknown dimension, and so have its arguments; a derivative divides by those.
  PartlyKnown abstract_dimension(Expr e) {
    const Function f = e.function(), primitive = f.primitive();
    auto [found, is_new] = functions_.try_emplace(primitive);
    if (is_new) {
      const std::string unit = unit_of(system_, primitive.name());
      found->second.push_back(unit.empty() ? fresh() : PartlyKnown{unit_named(unit)->dimension, {}});
      for (int k = 0; k < f.arity(); ++k) found->second.push_back(fresh());
    }
    const std::vector<PartlyKnown> dimensions = found->second;
    PartlyKnown d = dimensions[0];
    for (int k = 0; k < f.arity(); ++k) {
      const auto argument = of(e.args()[static_cast<std::size_t>(k)]);
      const PartlyKnown& expected = dimensions[static_cast<std::size_t>(k) + 1];
      if (argument && !equate(*argument, expected))
        throw Mismatch{described(e.args()[static_cast<std::size_t>(k)], *argument),
                       fmt::format("the same argument of {} elsewhere", f.name()),
                       "an argument of a function has one dimension"};
      d = d / power(expected, Rational(f.orders()[static_cast<std::size_t>(k)]));
    }
    return d;
  }

  const System& system_;
  PartlyKnown time_;
  int next_ = 0;
  std::map<int, PartlyKnown> solved_;
  std::unordered_map<std::uint32_t, std::optional<PartlyKnown>> memo_;
  std::unordered_map<Function, std::vector<PartlyKnown>> functions_;
};

[[noreturn]] void fail_dimensions(const Mismatch& m, const std::string& where, const Place& place) {
  throw Error("dimension-mismatch", fmt::format("{} does not go with {}", m.left, m.right),
              fmt::format("{}; {}", m.rule, where),
              "correct the term, or the unit of a parameter or coordinate in it")
      .at(place);
}

/// The dimension of a formula of the model; an error there says in which one.
std::optional<PartlyKnown> checked(Dimensions& all, Expr e, const std::string& where, const Place& place) {
  try {
    return all.of(e);
  } catch (const Mismatch& m) {
    fail_dimensions(m, where, place);
  }
}

void check_equal(Dimensions& all, Expr e, const std::optional<PartlyKnown>& expected, const std::string& what,
                 const std::string& where, const Place& place) {
  const auto d = checked(all, e, where, place);
  if (!d || !expected || all.equate(*d, *expected)) return;
  const auto known = all.known(*expected);
  fail_dimensions({all.described(e, *d), known ? fmt::format("{} ({})", what, text(*known)) : what,
                   "both sides have one dimension"},
                  where, place);
}

/// A feedback law; tables and functions of time alone carry numbers without units.
bool depends_on_state(Expr law) {
  return std::ranges::any_of(symbols_of(law), [](Symbol s) {
    return s.role() == Role::coordinate || s.role() == Role::rotation || s.role() == Role::velocity;
  });
}

/// The line of [forces] that acts along this velocity, where there is one.
Place place_of_force(const Reading& reading, Symbol v) {
  const Toml* section = reading.section("forces");
  if (section == nullptr) return reading.system.lagrangian_place;
  for (const Toml& item : section->items)
    if (item.key == v.name() || item.key + "'" == v.name()) return reading.place(item);
  return reading.place_of_key(*section);
}

void check_initial_values(Dimensions& all, const Reading& reading) {
  const Toml* section = reading.section("simulation");
  const Toml* initial = section == nullptr ? nullptr : section->find("initial");
  if (initial == nullptr) return;
  for (const Toml& item : initial->items) {
    const auto quantity = item.is(Toml::Kind::string) ? quantity_in(item.text) : std::nullopt;
    const Value* meaning = reading.system.scope.find(item.key);
    const Expr* e = meaning == nullptr ? nullptr : std::get_if<Expr>(meaning);
    if (!quantity || e == nullptr) continue;
    const auto d = all.of(*e);
    if (!d || all.equate(*d, {quantity->dimension, {}})) continue;
    fail_dimensions({fmt::format("`{}` ({})", item.text, text(quantity->dimension)), all.described(*e, *d),
                     "a value has the dimension of its variable"},
                    "in `initial`", reading.place(item));
  }
}

/// What was found out, for those who print numbers.
void keep_units(Dimensions& all, System& system) {
  const auto keep = [&](const std::string& name, Expr e, bool angle) {
    const auto d = all.of(e);
    const auto known = d ? all.known(*d) : std::nullopt;
    if (!known) return;
    const bool turns = *known == power(all.time().known, Rational(-1));
    keep_note(system, "unit " + name,
              angle && known->is_none() ? "rad"
              : angle && turns          ? "rad/s"
                                        : text(*known));
  };
  for (const Factor& factor : system.space.factors()) {
    const bool angle = factor.kind == Factor::Kind::circle || factor.kind == Factor::Kind::SO3;
    for (const Symbol q : factor.functions())
      if (q.role() != Role::rotation) keep(q.name(), Expr(q), angle);
    for (const Symbol v : factor.velocities) keep(v.name(), Expr(v), angle);
  }
  for (const QuasiVelocity& u : system.velocities) keep(u.symbol.name(), u.expression, false);
  for (const Parameter& p : system.parameters) keep(p.symbol.name(), Expr(p.symbol), false);
  for (const AbstractFunction& input : inputs_of(system)) keep(input.function.name(), call_of(input), false);
  keep_note(system, "unit t", "s");
}

}  // namespace

Expr declared_unit(Reading& reading, const Toml& item, const std::string& name) {
  const auto unit = unit_named(reading.text(item));
  if (!unit)
    reading.fail(
        item,
        Error("unknown-unit", fmt::format("`{}` is not a unit", item.text),
              "units are kg, g, t, m, mm, cm, km, s, ms, min, h, N, kN, J, W, Pa, Hz, rad, deg, rpm, A, K, "
              "C, V, T, and products of their powers",
              "write e.g. \"kg*m^2\" or \"m/s^2\""));
  keep_note(reading.system, "unit " + name, text(unit->dimension));
  return unit->factor;
}

void check_dimensions(Reading& reading) {
  if (!gives_units(reading.root())) return;
  System& system = reading.system;
  Dimensions all(system);
  for (const Parameter& p : system.parameters)
    if (p.value && !p.value->is(Kind::constant))
      check_equal(all, *p.value, all.of(Expr(p.symbol)), fmt::format("`{}`", p.symbol.name()),
                  "in [parameters]", p.place);
  for (const Definition& d : system.definitions) {
    if (const Expr* e = std::get_if<Expr>(&d.value)) {
      checked(all, *e, fmt::format("in the definition of `{}`", d.name), d.place);
      continue;
    }
    for (const Expr e : std::get<Matrix>(d.value).entries())
      checked(all, e, fmt::format("in the definition of `{}`", d.name), d.place);
  }
  const auto energy = checked(all, system.lagrangian, "in the Lagrangian", system.lagrangian_place);
  for (const Constraint& c : system.constraints)
    checked(all, c.expression, fmt::format("in constraint `{}`", c.name), c.place);
  for (const QuasiVelocity& u : system.velocities)
    checked(all, u.expression, fmt::format("in the velocity `{}`", u.symbol.name()), u.place);
  for (std::size_t i = 0; i < system.forces.size() && energy; ++i) {
    if (system.forces[i].is_zero()) continue;
    const Symbol v = system.space.velocities()[i];
    check_equal(all, system.forces[i], *energy / all.time() / *all.of(Expr(v)),
                fmt::format("a force along `{}`", v.name()), "in [forces], rayleigh or `damping`",
                place_of_force(reading, v));
  }
  for (const AbstractFunction& input : inputs_of(system))
    if (input.value && depends_on_state(*input.value))
      check_equal(all, *input.value, all.of(call_of(input)),
                  fmt::format("the input `{}`", input.function.name()), "in [inputs]", input.place);
  check_initial_values(all, reading);
  keep_units(all, system);
}

std::optional<PhysicalDimension> dimension_of(const System& system, Expr e) {
  if (noted(system, "unit t").empty()) return std::nullopt;
  try {
    Dimensions all(system);
    const auto d = all.of(on_frame(system, e));
    return d ? all.known(*d) : std::nullopt;
  } catch (const Mismatch&) {
    return std::nullopt;
  }
}

std::string unit_of(const System& system, Expr e) {
  const auto d = dimension_of(system, e);
  return d && !d->is_none() ? text(*d) : "";
}

}  // namespace rattleback
