// Declared in model/reading/reading.hpp. [simulation]: an initial state and a duration, kept exact.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

/// How many of these symbols stand below a node, at most 1.
class Containment {
 public:
  using Value = int;
  explicit Containment(std::span<const Symbol> symbols) : symbols_(symbols.begin(), symbols.end()) {}
  int constant(const Rational& /*c*/) const { return 0; }
  int symbol(Symbol s) const { return symbols_.contains(s) ? 1 : 0; }
  int sum(std::span<const int> xs) const { return xs.empty() ? 0 : std::ranges::max(xs); }
  int product(std::span<const int> xs) const { return sum(xs); }
  int power(int x, int /*n*/) const { return x; }
  int call(Function /*f*/, std::span<const int> xs) const { return sum(xs); }

 private:
  std::unordered_set<Symbol> symbols_;
};

/// The names that are made from velocities, like the angular velocity in space axes. One pass over all definitions, each of which
/// may contain the others.
std::unordered_set<std::string> made_from_velocities(const System& system) {
  std::vector<Expr> entries;
  std::vector<std::string> owners;
  for (const std::string& name : system.scope.names()) {
    const Value* value = system.scope.find(name);
    if (value == nullptr) continue;  // a function
    const Expr* e = std::get_if<Expr>(value);
    const std::span<const Expr> own = e != nullptr ? std::span(e, 1) : std::get<Matrix>(*value).entries();
    entries.insert(entries.end(), own.begin(), own.end());
    owners.resize(entries.size(), name);
  }
  Containment velocities(system.space.velocities());
  const std::vector<int> found = interpret(entries, velocities);
  std::unordered_set<std::string> names;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k] > 0) names.insert(owners[k]);
  return names;
}

/// The names of a state: functions, velocities, vectors and matrices of the space and what is made from velocities,
/// quasi-velocities and speeds.
std::vector<std::string> names_of_state(const System& system) {
  std::vector<std::string> names;
  std::unordered_set<std::string> listed;
  const auto add = [&](const std::string& name) {
    if (listed.insert(name).second) names.push_back(name);
  };
  const std::unordered_set<std::string> moving = made_from_velocities(system);
  for (const std::string& name : system.scope.names()) {
    if (moving.contains(name) || !symbols_named(system.scope, system.space, name).empty()) add(name);
  }
  for (const Symbol q : system.space.functions()) {
    const std::string v = q.name() + "'";
    if (system.scope.find(v) != nullptr) add(v);
  }
  for (const QuasiVelocity& u : system.velocities) add(u.symbol.name());
  if (system.parametrization) {
    for (const Symbol z : system.parametrization->speeds) add(z.name());
  }
  return names;
}

/// Only parameters and numbers: an initial state does not refer to itself.
Scope constants(const System& system) {
  Scope scope;
  for (const Parameter& p : system.parameters) scope.define(p.symbol.name(), Expr(p.symbol));
  return scope;
}

bool is_orthogonal(const Matrix& R, const SymbolMap& values) {
  const Matrix rest = substitute(transpose(R) * R - Matrix::identity(3), values);
  for (const Expr e : rest.entries()) {
    bool known = true;
    for (const Symbol s : symbols_of(e)) known = known && s.role() == Role::constant;
    if (known && !(std::abs(evaluate(e, {})) < 1e-9)) return false;
  }
  return true;
}

Value read_initial(const Reading& reading, const Toml& item, const Scope& scope) {
  Value value = reading.value(item, scope);
  const Value* meaning = reading.system.scope.find(item.key);
  const auto* shape = meaning == nullptr ? nullptr : std::get_if<Matrix>(meaning);
  if (shape == nullptr) return reading.scalar(item, scope);
  const Expr* number = std::get_if<Expr>(&value);
  if (shape->columns() == 3 && number != nullptr && number->is_one()) return Matrix::identity(3);  // B = "1"
  const auto* m = std::get_if<Matrix>(&value);
  if (m == nullptr || m->rows() != shape->rows() || m->columns() != shape->columns()) {
    const bool rotation = shape->columns() == 3;
    reading.fail(
        item, Error("shape-mismatch",
                    fmt::format("`{}` needs {}", item.key, rotation ? "a rotation" : "three components"), "",
                    rotation ? "write \"1\" or e.g. \"Rx(1/5)*Rz(1/2)\"" : "write [a, b, c]"));
  }
  if (shape->columns() == 3 && !is_orthogonal(*m, parameter_values(reading.system))) {
    reading.fail(item,
                 Error("not-a-rotation", fmt::format("the initial value of `{}` is not a rotation", item.key),
                       "its columns are not orthonormal", "write a product of Rx, Ry and Rz"));
  }
  return value;
}

/// A motion runs forwards, or backwards for a negative time; how far is known where all parameters have values.
void require_duration(const Reading& reading, const Toml& item) {
  const Expr until = substitute(*reading.system.simulation.until, parameter_values(reading.system));
  for (const Symbol s : symbols_of(until)) {
    if (s.role() != Role::constant) return;
  }
  const double number = evaluate(until, {});
  if (number != 0 && std::isfinite(number)) return;
  reading.fail(item, Error("not-positive", fmt::format("`until` is {:g}", number), "a motion starts at t = 0",
                           "give a positive time, or a negative one to run backwards"));
}

/// "~0.5" is a guess.
bool is_marked(const Toml& item) { return item.is(Toml::Kind::string) && item.text.starts_with('~'); }

/// The rotation matrix of a group.
bool is_rotation(const System& system, const std::string& name) {
  const Value* meaning = system.scope.find(name);
  const Matrix* m = meaning == nullptr ? nullptr : std::get_if<Matrix>(meaning);
  return m != nullptr && m->entries().size() == 9 && std::ranges::all_of(m->entries(), [](Expr e) {
           return e.is(Kind::symbol) && e.symbol().role() == Role::rotation;
         });
}

/// A guess is for one coordinate, or one rotation, that is not given.
InitialValue read_guess(const Reading& reading, const Toml& item, const Scope& scope) {
  Toml bare = item;
  if (is_marked(item)) bare.text.erase(0, 1);
  const auto functions = reading.system.space.functions();
  const bool is_coordinate =
      std::any_of(functions.begin(), functions.end(), [&](Symbol q) { return q.name() == item.key; });
  if (!is_coordinate && !is_rotation(reading.system, item.key))
    reading.fail_at_key(
        item, Error("unknown-symbol", fmt::format("`{}` cannot be guessed", item.key),
                    "a guess is for one coordinate or a rotation, which the constraints then correct",
                    "give its value in `initial`"));
  for (const InitialValue& given : reading.system.simulation.initial)
    if (guessed_name(given) == item.key)
      reading.fail_at_key(
          item, Error("duplicate-name", fmt::format("`{}` is given twice", item.key),
                      "what is given stays fixed, what is guessed is corrected", "keep one of them"));
  return guess_of({item.key, read_initial(reading, bare, scope), reading.place_of_key(item)});
}

void read_values(Reading& reading, const Toml& table, const Scope& scope, bool guesses) {
  System& system = reading.system;
  reading.require(table, Toml::Kind::table, "{ x = 0, u = 1 }");
  const std::vector<std::string> known = names_of_state(system);
  for (const Toml& item : table.items) {
    const auto component = scalar_named(system.scope, item.key);
    const bool moves = component && has_velocities(*component);
    if (!moves && std::find(known.begin(), known.end(), item.key) == known.end()) {
      const auto close = nearest(item.key, known);
      reading.fail_at_key(
          item, Error("unknown-symbol",
                      fmt::format("`{}` is not a coordinate or velocity of this model", item.key), "",
                      close.empty() ? fmt::format("known here: {}", fmt::join(known, ", "))
                                    : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
    }
    system.simulation.initial.push_back(
        guesses || is_marked(item)
            ? read_guess(reading, item, scope)
            : InitialValue{item.key, read_initial(reading, item, scope), reading.place_of_key(item)});
  }
}

}  // namespace

void read_simulation(Reading& reading) {
  const Toml* section = reading.section("simulation");
  if (section == nullptr) return;
  require_known_keys(reading.source(), *section, "simulation");
  System& system = reading.system;
  system.simulation.place = reading.place_of_key(*section);
  const Scope scope = constants(system);
  if (const Toml* until = section->find("until")) {
    system.simulation.until = reading.scalar(*until, scope);
    require_duration(reading, *until);
  }
  if (const Toml* initial = section->find("initial")) read_values(reading, *initial, scope, false);
  if (const Toml* guess = section->find("guess")) read_values(reading, *guess, scope, true);
}

}  // namespace rattleback
