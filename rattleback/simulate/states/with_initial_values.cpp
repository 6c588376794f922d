#include <rattleback/simulate/states/with_initial_values.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {
namespace {

constexpr const char* command_line = "command line, ";

bool is_velocity(const System& system, const std::string& name) {
  const Value* meaning = system.scope.find(name);
  if (meaning == nullptr) return true;
  const Expr* e = std::get_if<Expr>(meaning);
  const Expr first = e != nullptr ? *e : std::get<Matrix>(*meaning).entries()[0];
  const auto functions = system.space.functions();
  return !first.is(Kind::symbol) ||
         std::find(functions.begin(), functions.end(), first.symbol()) == functions.end();
}

/// Is it one of the speeds that the program chooses, under which it prints the state?
bool is_chosen_speed(const System& system, const std::string& name) {
  try {
    return std::ranges::any_of(solved_velocities(system).speeds, [&](Symbol z) { return z.name() == name; });
  } catch (const OutOfDomain&) {
    return false;  // no speeds are chosen
  }
}

void require_state_name(const System& system, const std::string& name, const Place& place) {
  std::vector<std::string> known = system.scope.names();
  for (const QuasiVelocity& u : system.velocities) known.push_back(u.symbol.name());
  if (system.parametrization)
    for (const Symbol z : system.parametrization->speeds) known.push_back(z.name());
  for (const Symbol v : system.space.velocities()) known.push_back(v.name());
  const bool is_parameter = std::any_of(system.parameters.begin(), system.parameters.end(),
                                        [&](const Parameter& p) { return p.symbol.name() == name; });
  if (!is_parameter && std::find(known.begin(), known.end(), name) != known.end()) return;
  if (!is_parameter && scalar_named(system.scope, name)) return;
  if (!is_parameter && is_chosen_speed(system, name)) return;
  const auto close = nearest(name, known);
  throw Error("unknown-symbol", fmt::format("`{}` is not a coordinate or velocity of this model", name), "",
              is_parameter    ? fmt::format("it is a parameter: use --set {}=1", name)
              : close.empty() ? "name coordinates of [space] and velocities"
                              : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")))
      .at(place);
}

/// As many numbers as the name has components; a rotation may be 1.
void require_shape(const System& system, const InitialValue& given) {
  const Value* meaning = system.scope.find(given.name);
  const Matrix* quantity = meaning == nullptr ? nullptr : std::get_if<Matrix>(meaning);
  const Matrix* value = std::get_if<Matrix>(&given.value);
  const bool is_one = value == nullptr && std::get<Expr>(given.value).is_one();
  if (quantity == nullptr && value == nullptr) return;
  if (quantity != nullptr && value != nullptr && quantity->rows() == value->rows() &&
      quantity->columns() == value->columns())
    return;
  const bool is_rotation = quantity != nullptr && quantity->columns() == 3;
  if (is_rotation && is_one) return;
  const char* needed = quantity == nullptr ? "one number" : is_rotation ? "a rotation" : "three components";
  const std::string example = quantity == nullptr ? "1" : is_rotation ? "Rx(1/5)*Rz(1/2)" : "[a, b, c]";
  throw Error("shape-mismatch", fmt::format("`{}` needs {}", given.name, needed), "",
              fmt::format("write \"{}={}\"", given.name, example))
      .at(given.place);
}

/// Omega = [a, b, c] as Omega1 = a, Omega2 = b, Omega3 = c, so that one component can be replaced.
std::vector<InitialValue> by_components(const System& system, const InitialValue& whole) {
  const Value* meaning = system.scope.find(whole.name);
  if (meaning == nullptr || std::holds_alternative<Expr>(*meaning) || !is_velocity(system, whole.name))
    return {whole};
  const auto names = std::get<Matrix>(*meaning).entries();
  const Matrix* values = std::get_if<Matrix>(&whole.value);
  if (values == nullptr || values->entries().size() != names.size()) return {whole};
  std::vector<InitialValue> parts;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name =
        names[k].is(Kind::symbol) ? names[k].symbol().name() : fmt::format("{}{}", whole.name, k + 1);
    parts.push_back({name, values->entries()[k], whole.place});
  }
  return parts;
}

}  // namespace

bool is_from_command_line(const InitialValue& value) { return value.place.file.starts_with(command_line); }

System with_initial_values(System system, const std::vector<std::pair<std::string, std::string>>& given,
                           const std::string& option) {
  Place place;
  place.file = command_line + option;
  std::vector<InitialValue>& values = system.simulation.initial;
  const auto named = [&](const std::string& name) {
    return std::find_if(values.begin(), values.end(), [&](const InitialValue& v) { return v.name == name; });
  };
  for (const auto& [name, text] : given) require_state_name(system, name, place);
  for (const auto& [name, text] : given) {
    for (std::size_t k = 0; named(name) == values.end() && k < values.size(); ++k) {
      const std::vector<InitialValue> parts = by_components(system, values[k]);
      if (std::none_of(parts.begin(), parts.end(),
                       [&wanted = name](const InitialValue& v) { return v.name == wanted; }))
        continue;
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(k));
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(k), parts.begin(), parts.end());
    }
    if (named(name) == values.end() && is_velocity(system, name)) {
      std::erase_if(values, [&](const InitialValue& v) {
        return !is_guess(v) && !is_from_command_line(v) && is_velocity(system, v.name);
      });
      break;
    }
  }
  Scope constants;
  for (const Parameter& p : system.parameters) constants.define(p.symbol.name(), Expr(p.symbol));
  for (const auto& [name, text] : given) {
    InitialValue value{name, {}, place};
    const std::string bare = text.starts_with('~') ? text.substr(1) : text;
    value.value = placed(place.file, [&] { return parse_value(bare, constants); });
    require_shape(system, value);
    // A value replaces a guess, and a guess a value.
    std::erase_if(
        values, [&wanted = name](const InitialValue& v) { return is_guess(v) && guessed_name(v) == wanted; });
    if (bare != text) {
      std::erase_if(values, [&wanted = name](const InitialValue& v) { return v.name == wanted; });
      values.push_back(guess_of(std::move(value)));
      continue;
    }
    const auto old = named(name);
    if (old == values.end()) {
      values.push_back(std::move(value));
    } else {
      *old = std::move(value);
    }
  }
  return system;
}

}  // namespace rattleback
