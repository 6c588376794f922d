#include <rattleback/model/system/inputs.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/model/system/input_law.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/model/system/table_law.hpp>
#include <rattleback/model/system/units.hpp>

namespace rattleback {

bool is_input(const System& system, const AbstractFunction& function) {
  return !function.arguments.empty() && function.arguments[0] == system.time;
}

Expr call_of(const AbstractFunction& input) {
  const std::vector<Expr> arguments(input.arguments.begin(), input.arguments.end());
  return call(input.function, arguments);
}

std::vector<AbstractFunction> inputs_of(const System& system) {
  std::vector<AbstractFunction> found;
  for (const AbstractFunction& f : system.functions)
    if (is_input(system, f)) found.push_back(f);
  return found;
}

void declare_sign(System& system) {
  const auto is_sign = [](const AbstractFunction& f) { return f.function == sign_function(); };
  if (sign_calls(system.forces).empty() || std::ranges::any_of(system.functions, is_sign)) return;
  const Symbol x = Symbol::make("x");
  AbstractFunction sign{sign_function(), {x}, sign_formula(x), "sign of a number: -1, 0 or 1", {}};
  system.functions.insert(system.functions.begin(), std::move(sign));
}

bool calls_function(Expr e, Function f) {
  std::set<std::uint32_t> seen;
  const auto found = [&](const auto& self, Expr part) -> bool {
    if (!seen.insert(part.id()).second) return false;
    if (part.is(Kind::call) && part.function().primitive() == f) return true;
    return std::ranges::any_of(part.args(), [&](Expr argument) { return self(self, argument); });
  };
  return found(found, e);
}

namespace {

/// min(max(law, least), most).
Expr within_range(const System& system, const std::string& input, Expr law) {
  const Value* range = system.scope.find("#range " + input);
  if (range == nullptr) return law;
  const Matrix& ends = std::get<Matrix>(*range);
  return -larger(-larger(law, ends[0]), -ends[1]);
}

}  // namespace

System with_laws_of_inputs(System system) {
  System laws = system;
  std::erase_if(laws.functions, [&](const AbstractFunction& f) { return !is_input(system, f); });
  if (laws.functions.empty()) return system;
  for (const AbstractFunction& f : laws.functions) {
    const bool is_used =
        std::ranges::any_of(system.forces, [&](Expr e) { return calls_function(e, f.function); });
    if (f.value || !is_used) continue;
    throw Error("no-value", fmt::format("the input `{}` has no law", f.function.name()),
                "a run needs the value of every input",
                fmt::format("give --input \"{0}=sin(t)\" or --input {0}=table.csv, or a `law` in [inputs]",
                            f.function.name()))
        .at(f.place);
  }
  const std::vector<AbstractFunction> others = [&] {
    std::vector<AbstractFunction> kept;
    for (const AbstractFunction& f : system.functions)
      if (!is_input(system, f)) kept.push_back(f);
    return kept;
  }();
  for (AbstractFunction& f : laws.functions)
    if (f.value) f.value = within_range(system, f.function.name(), *f.value);
  System bound = with_formulas(std::move(laws));
  bound.functions = others;
  declare_sign(bound);
  return bound;
}

System with_inputs(System system, const std::vector<std::pair<std::string, std::string>>& laws) {
  std::vector<std::string> names;
  for (const AbstractFunction& f : inputs_of(system)) names.push_back(f.function.name());
  for (const auto& [name, given] : laws) {
    Place place;
    place.file = fmt::format("command line, --input \"{}={}\"", name, given);
    const auto input = std::ranges::find_if(system.functions, [&, &wanted = name](const AbstractFunction& f) {
      return is_input(system, f) && f.function.name() == wanted;
    });
    if (input == system.functions.end()) {
      const auto close = nearest(name, names);
      throw Error("unknown-symbol", fmt::format("`{}` is not an input of this model", name), "",
                  names.empty()   ? "declare inputs in [inputs], such as tau = { about = \"torque\" }"
                  : close.empty() ? fmt::format("its inputs are {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")))
          .at(place);
    }
    if (given.ends_with(".csv")) {
      const auto unit =
          unit_of(system, "t").empty() ? std::nullopt : std::optional(unit_of(system, std::string(name)));
      const LawTable table = read_table(given, has_column(given, name) ? name : "");
      input->value = interpolated(in_base_units(table, given, unit), Interpolation::linear, system.time);
      continue;
    }
    Scope scope = system.scope;
    scope.declare(std::string(switches_allowed), 1);
    const Expr law = placed(place.file, [&, &text = given] { return parse(text, scope); });
    input->value = on_frame(system, law);
    require_law(system, *input, place);
  }
  return system;
}

void require_law(const System& system, const AbstractFunction& input, const Place& place) {
  for (const AbstractFunction& other : inputs_of(system)) {
    if (!calls_function(*input.value, other.function)) continue;
    throw Error("wrong-type",
                fmt::format("the law of `{}` depends on the input `{}`", input.function.name(),
                            other.function.name()),
                "a law is an expression of time, state and parameters",
                "write the law of the other input out")
        .at(place);
  }
}

}  // namespace rattleback
