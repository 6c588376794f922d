// Declared in motion/forms/linearisation.hpp. A state from assignments such as `roll=4`, completed by the model's initial values.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/motion/forms/linearisation.hpp>

namespace rattleback {
namespace {

[[noreturn]] void fail(Error error, const std::string& name, const std::string& value) {
  Place place;
  place.file = fmt::format("{}={}", name, value);
  throw error.at(place);
}

/// Parameters keep their symbols, letters that the model does not know become symbols.
Scope letters(const System& system) {
  Scope scope(Scope::Unknown::becomes_a_symbol);
  for (const Parameter& p : system.parameters) scope.define(p.symbol.name(), Expr(p.symbol));
  return scope;
}

/// The symbols of the state that a name stands for: speeds by their own name, then what the space knows.
std::vector<Symbol> state_symbols(const System& system, const SolvedVelocities& v, const std::string& name) {
  for (const Symbol z : v.speeds) {
    if (z.name() == name) return {z};
  }
  for (const Symbol w : system.space.velocities()) {
    if (w.name() == name) return {w};
  }
  return symbols_named(system.scope, system.space, name);
}

[[noreturn]] void fail_unknown(const System& system, const SolvedVelocities& v, const std::string& name,
                               const std::string& value) {
  std::vector<std::string> names;
  for (const Symbol q : system.space.functions()) names.push_back(q.name());
  for (const Symbol z : v.speeds) names.push_back(z.name());
  const auto close = nearest(name, names);
  fail(Error("unknown-symbol", fmt::format("`{}` is not part of the state", name), "",
             close.empty() ? fmt::format("the state is {}", fmt::join(names, ", "))
                           : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))),
       name, value);
}

std::vector<Expr> entries_of(const Value& value) {
  if (const auto* e = std::get_if<Expr>(&value)) return {*e};
  const auto entries = std::get<Matrix>(value).entries();
  return {entries.begin(), entries.end()};
}

/// Coordinates at 0, rotations at 1, speeds at 0.
SymbolMap state_of_rest(const System& system, const SolvedVelocities& v) {
  SymbolMap rest;
  for (const Symbol q : system.space.functions()) {
    const bool diagonal = q.role() == Role::rotation && q.attributes().entry % 4 == 0;
    rest.emplace(q, Expr(diagonal ? 1 : 0));
  }
  for (const Symbol z : v.speeds) rest.emplace(z, Expr(0));
  return rest;
}

}  // namespace

StatePoint state_point(const System& system, const SolvedVelocities& v,
                       const std::vector<std::pair<std::string, std::string>>& values) {
  StatePoint point{state_of_rest(system, v), {}};
  const Scope scope = letters(system);
  SymbolMap velocities;  // given as velocities of the frame, which are no speeds
  for (const auto& [name, text] : values) {
    const std::vector<Symbol> symbols = state_symbols(system, v, name);
    if (symbols.empty()) fail_unknown(system, v, name, text);
    const std::vector<Expr> entries = entries_of(parse_value(text, scope));
    if (entries.size() != symbols.size())
      fail(Error("shape-mismatch",
                 fmt::format("`{}` has {} components, {} are given", name, symbols.size(), entries.size()),
                 "", "write [a, b, c], or a product of Rx, Ry, Rz for a rotation"),
           name, text);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const bool in_state = point.values.contains(symbols[i]);
      (in_state ? point.values : velocities).insert_or_assign(symbols[i], entries[i]);
    }
    point.given.push_back(name);
  }
  if (velocities.empty()) return point;

  SymbolMap known = point.values;
  for (const Symbol w : system.space.velocities()) known.try_emplace(w, Expr(0));
  for (const auto& [w, value] : velocities) known.insert_or_assign(w, value);
  for (std::size_t a = 0; a < v.definitions.size(); ++a) {
    const std::string& name = v.speeds[a].name();
    if (std::find(point.given.begin(), point.given.end(), name) == point.given.end())
      point.values.insert_or_assign(v.speeds[a], substitute(v.definitions[a], known));
  }
  const SymbolMap psi = v.substitution(system.space);
  for (const auto& [w, value] : velocities) {
    if (!vanishes_at_random_points(substitute(psi.at(w), point.values) - value))
      throw Inapplicable("off-constraint", fmt::format("no admissible velocity has this {}", w.name()), "",
                         "give the speeds of the motion instead");
  }
  return point;
}

}  // namespace rattleback
