#include "model_argument.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/pieces.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/text/source.hpp>

namespace rattleback::app {
namespace {

/// Where messages say that a list of assignments stands.
Place place_of(const std::string& option, const std::string& list) {
  Place place;
  place.file = fmt::format("command line, {} \"{}\"", option, list);
  return place;
}

}  // namespace

std::vector<Assignment> assignments(const std::string& list, const std::string& option,
                                    const std::string& example) {
  std::vector<Assignment> pairs;
  for (const std::string& item : pieces(list, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0) {
      const bool is_decimal = !pairs.empty() && !item.empty() &&
                              item.find_first_not_of("0123456789") == std::string::npos &&
                              !pairs.back().second.empty() && std::isdigit(pairs.back().second.back()) != 0;
      if (is_decimal)
        throw Error("usage", fmt::format("`{},{}` is not a number", pairs.back().second, item),
                    "decimals have a point, and commas stand between assignments",
                    fmt::format("write {}={}.{}", pairs.back().first, pairs.back().second, item))
            .at(place_of(option, list));
      throw Error("usage",
                  fmt::format("`{}` does not give a {} a value", item,
                              option == "--set" ? "parameter" : "coordinate or velocity"),
                  "", fmt::format("write {} {}", option, example))
          .at(place_of(option, list));
    }
    const std::string name = item.substr(0, equals);
    if (std::ranges::find(pairs, name, &Assignment::first) != pairs.end()) {
      throw Error("usage", fmt::format("{} gives `{}` two values", option, name), "", "give it one")
          .at(place_of(option, list));
    }
    pairs.emplace_back(name, item.substr(equals + 1));
  }
  return pairs;
}

namespace {

/// Parameters that keep their letters although they have a value (with_values).
void tell_kept_letters(const System& system, const std::vector<Assignment>& values) {
  for (const auto& [name, value] : values) {
    const Value* meaning = system.scope.find(name);
    const Expr* e = meaning == nullptr ? nullptr : std::get_if<Expr>(meaning);
    if (e == nullptr || !e->is(Kind::symbol) || e->symbol().name() != name) continue;
    fmt::print(
        stderr,
        "note: `{}` stays a letter in formulas and proofs, and has the value {} in numbers: with it the "
        "model has a root that the zero tests cannot take\n",
        name, value);
  }
}

}  // namespace

System stated_model(const Arguments& args) {
  System system = load_model(*args.positional());
  // Of several --set the later ones win.
  std::vector<Assignment> values;
  for (const std::string& list : args.all("--set")) {
    for (Assignment& given : assignments(list, "--set", "m=2,J=1/3")) {
      std::erase_if(values, [&](const Assignment& earlier) { return earlier.first == given.first; });
      values.push_back(std::move(given));
    }
  }
  if (!values.empty()) {
    system = with_values(std::move(system), values);
    tell_kept_letters(system, values);
  }
  std::vector<Assignment> laws;
  for (const std::string& given : args.all("--input")) {
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error("usage", fmt::format("`{}` does not give an input a law", given), "",
                  "write --input \"tau=sin(t)\" or --input tau=table.csv")
          .at(place_of("--input", given));
    laws.emplace_back(given.substr(0, equals), given.substr(equals + 1));
  }
  return laws.empty() ? system : with_inputs(std::move(system), laws);
}

namespace {

System possible_model(const Arguments& args, bool independent) {
  std::optional<Budget> budget;
  if (const auto limits = limits_of_a_foundation(args)) budget.emplace(*limits);
  System system = stated_model(args);
  require_possible_constraints(system);
  if (!independent) return system;
  if (std::optional<System> fewer = without_dependent_constraints(system)) return *std::move(fewer);
  return system;
}

}  // namespace

System model_argument(const Arguments& args) { return possible_model(args, true); }

System model_in_motion(const Arguments& args) { return possible_model(args, false); }

std::string model_text(const std::string& name) { return read_source(find_model(name)).text(); }

std::vector<Assignment> initial_assignments(const Arguments& args) {
  std::vector<Assignment> pairs;
  for (const std::string& list : args.all("--initial"))
    for (Assignment& pair : assignments(list, "--initial", "x=0,u=1")) pairs.push_back(std::move(pair));
  return pairs;
}

}  // namespace rattleback::app
