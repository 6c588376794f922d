// Declared in model/reading/reading_inputs.hpp. [inputs]: control inputs, their ranges, and the laws that runs put in their place.
#include <rattleback/model/reading/reading_inputs.hpp>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/system/input_law.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/model/system/table_law.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/model/text/keys.hpp>
#include <rattleback/model/text/source.hpp>

namespace rattleback {
namespace {

std::vector<const Toml*> input_items(const Reading& reading) {
  std::vector<const Toml*> items;
  if (const Toml* section = reading.section("inputs"))
    for (const Toml& item : section->items) items.push_back(&item);
  return items;
}

/// [a, b] with a < b; kept in the scope under a name that no expression can contain.
void read_range(Reading& reading, const Toml& item, AbstractFunction& input) {
  const Toml* range = item.find("range");
  if (range == nullptr) return;
  const Matrix ends = reading.vector(*range, 2);
  for (const Expr e : ends.entries())
    for (const Symbol s : symbols_of(e))
      if (s.role() != Role::parameter && s.role() != Role::constant)
        reading.fail(*range, Error("wrong-type", fmt::format("a range that depends on `{}`", s.name()), "",
                                   "use numbers and parameters"));
  const Expr width = substitute(ends[1] - ends[0], parameter_values(reading.system));
  if (width.is(Kind::constant) && width.value().sign() <= 0)
    reading.fail(*range,
                 Error("not-positive", "a range whose ends do not ascend", "", "write [least, most]"));
  reading.system.scope.define("#range " + item.key, ends);
  for (const Toml& end : range->items) {  // "2 N" says what the input is measured in
    const auto quantity = end.is(Toml::Kind::string) ? quantity_in(end.text) : std::nullopt;
    if (quantity && gives_units(reading.root()) && unit_of(reading.system, item.key).empty())
      keep_note(reading.system, "unit " + item.key, text(quantity->dimension));
  }
  input.about +=
      fmt::format("{}between {} and {}", input.about.empty() ? "" : ", ", text(ends[0]), text(ends[1]));
}

std::string beside_model(const Reading& reading, const std::string& file) {
  namespace fs = std::filesystem;
  const std::string& model = reading.source().name();
  if (fs::path(file).is_absolute() || model == standard_input) return file;
  return (fs::path(model).parent_path() / file).string();
}

Interpolation interpolation_of(const Reading& reading, const Toml& item) {
  const Toml* how = item.find("interpolation");
  if (how == nullptr || reading.text(*how) == "linear") return Interpolation::linear;
  if (reading.text(*how) == "cubic") return Interpolation::cubic;
  reading.fail(*how, Error("wrong-type", fmt::format("`{}` is no interpolation", how->text), "",
                           "write \"linear\" or \"cubic\""));
}

Expr table_law(Reading& reading, const Toml& item, const Toml& csv) {
  const Toml* column = item.find("column");
  try {
    const std::string path = beside_model(reading, reading.text(csv));
    const std::string name = column != nullptr            ? reading.text(*column)
                             : has_column(path, item.key) ? item.key
                                                          : "";
    LawTable table = read_table(path, name);
    std::optional<std::string> unit;
    if (gives_units(reading.root())) unit = unit_of(reading.system, item.key);
    table = in_base_units(std::move(table), path, unit);
    if (unit && unit->empty() && !table.value_unit.empty())  // formulas with this input are then checked
      keep_note(reading.system, "unit " + item.key, text(unit_named(table.value_unit)->dimension));
    return interpolated(table, interpolation_of(reading, item), reading.system.time);
  } catch (Error& error) {
    if (error.where.empty()) error.at(reading.place(csv));
    throw;
  }
}

/// An expression of time, state and parameters; inputs are no part of the state.
Expr read_law(Reading& reading, const Toml& item, const Toml& law) {
  const SwitchesAllowed switches(reading.system);
  const Expr value = reading.scalar(law);
  for (const AbstractFunction& other : inputs_of(reading.system))
    if (calls_function(value, other.function))
      reading.fail(law, Error("wrong-type",
                              fmt::format("the law of `{}` depends on the input `{}`", item.key,
                                          other.function.name()),
                              "a law is an expression of time, state and parameters",
                              "write the law of the other input out"));
  return value;
}

/// Variables of the state in the law are arguments of the input: what is proved for every function of time would not hold for feedback.
void add_feedback(AbstractFunction& input) {
  for (const Symbol s : symbols_of(*input.value)) {
    const Role role = s.role();
    if (role == Role::coordinate || role == Role::rotation || role == Role::direction ||
        role == Role::velocity)
      input.arguments.push_back(s);
  }
  input.function = Function::abstract(input.function.name(), static_cast<int>(input.arguments.size()));
}

}  // namespace

SwitchesAllowed::SwitchesAllowed(System& system) : system_(system), outside_(system.scope) {
  if (system.scope.find_function("sign") == nullptr) system.scope.declare(std::string(switches_allowed), 1);
}
SwitchesAllowed::~SwitchesAllowed() { system_.scope = std::move(outside_); }

void read_inputs(Reading& reading) {
  System& system = reading.system;
  for (const Toml* item : input_items(reading)) {
    reading.declare(item->key, reading.place_of_key(*item));
    const bool is_table = item->is(Toml::Kind::table);
    AbstractFunction input{
        Function::abstract(item->key, 1), {system.time}, {}, {}, reading.place_of_key(*item)};
    const Toml *law = is_table ? item->find("law") : item, *csv = is_table ? item->find("csv") : nullptr;
    if (law != nullptr && csv != nullptr)
      reading.fail_at_key(*csv, Error("conflicting-keys", "both `law` and `csv` are given",
                                      "a run takes the input from one of them", "keep one of them"));
    if (is_table) {
      require_known_keys(reading.source(), *item, "inputs.*");
      if (const Toml* about = item->find("about")) input.about = reading.text(*about);
      if (const Toml* unit = item->find("unit")) declared_unit(reading, *unit, item->key);
      read_range(reading, *item, input);
    }
    if (csv != nullptr) input.value = table_law(reading, *item, *csv);
    if (law != nullptr) input.value = read_law(reading, *item, *law);
    if (input.value) add_feedback(input);
    system.scope.define(item->key, call_of(input));
    system.functions.push_back(std::move(input));
  }
}

void require_inputs_in_forces(const Reading& reading) {
  const System& system = reading.system;
  for (const AbstractFunction& input : inputs_of(system)) {
    const auto refuse = [&](Expr e, const Place& place, const char* where) {
      if (!calls_function(e, input.function)) return;
      throw Error("wrong-type", fmt::format("the input `{}` stands in {}", input.function.name(), where),
                  "an input is a force or torque that a controller may choose",
                  "use it in [forces]; prescribe a motion by `drive`, or by a constraint with t")
          .at(place);
    };
    refuse(system.lagrangian, system.lagrangian_place, "the Lagrangian");
    for (const Constraint& c : system.constraints) refuse(c.expression, c.place, "a constraint");
  }
}

}  // namespace rattleback
