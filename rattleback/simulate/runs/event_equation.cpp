#include <rattleback/simulate/runs/event_equation.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>

namespace rattleback {

Expr event_equation(const System& system, const std::string& given, const std::string& where) {
  const auto read = [&](const std::string& side) {
    return placed(where, [&] { return parse(side, system.scope); });
  };
  const std::size_t equals = given.find('=');
  const Expr e = equals == std::string::npos ? read(given)
                                             : read(given.substr(0, equals)) - read(given.substr(equals + 1));
  const std::vector<Symbol> all = symbols_of(e);
  const bool moves = std::ranges::any_of(
      all, [](Symbol s) { return s.role() != Role::parameter && s.role() != Role::constant; });
  if (moves) return e;
  Place place;
  place.file = where;
  throw Error("usage", fmt::format("`{}` does not change along the motion", given),
              "it contains no coordinate, velocity or time", "name the quantity that crosses a value: x = 1")
      .at(place);
}

}  // namespace rattleback
