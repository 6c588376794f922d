// Declared in model/reading/reading.hpp. [parameters], [functions] and [define]: the names of a model and what they stand for.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/reading_inputs.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
void require_declared_sign(const Parameter& parameter, Expr value, const Place& place) {
  if (!parameter.positive) return;
  for (const Symbol s : symbols_of(value)) {
    if (s.role() != Role::constant) return;  // depends on a parameter without value
  }
  const double number = evaluate(value, {});
  if (number > 0) return;
  throw Error("not-positive",
              fmt::format("`{}` is declared positive, but its value is {}", parameter.symbol.name(), number),
              "proofs use the declared sign", "give a positive value, or drop positive = true")
      .at(place);
}

namespace {

/// What `read()` returns. A name that is unknown because it stands further down, or is the one that is being explained,
/// needs another advice than to declare it.
template <class Read>
auto read_in_order(const Toml& section, const Toml& item, Read read) {
  try {
    return read();
  } catch (UnknownSymbol& error) {
    const auto later = std::ranges::find(section.items, error.name, &Toml::key);
    if (later == section.items.end()) throw;
    const bool itself = later->key == item.key;
    error.summary = itself ? fmt::format("`{}` is explained by itself", item.key)
                           : fmt::format("`{}` is explained only further down", later->key);
    error.why = fmt::format("[{}] is read from top to bottom", section.key);
    error.fix = itself ? "give its value without it"
                       : fmt::format("put the line of `{}` above that of `{}`", later->key, item.key);
    throw;
  }
}

/// 1e400 is exact, and no run can be computed with it.
void warn_about_size(System& system, const Parameter& parameter, Expr value, const Place& place) {
  if (!value.is(Kind::constant) || value.is_zero()) return;
  const double number = evaluate(value, {});
  if (std::isfinite(number) && number != 0) return;
  Error warning("number-too-large",
                fmt::format("the value of `{}` is {} every double", parameter.symbol.name(),
                            number == 0 ? "smaller than" : "larger than"),
                number == 0 ? "doubles end at 2.2e-308, and runs would take 0 for it"
                            : "doubles end at 1.8e308, and no run can be computed with it",
                "check the exponent, or choose units in which it is of ordinary size");
  system.warnings.push_back(warning.at(place));
}

/// Of a function: it knows its arguments, the parameters and the functions before it.
Expr formula(Reading& reading, const Toml& item, const std::vector<Symbol>& arguments) {
  const Scope outside = reading.system.scope;
  for (const Symbol s : arguments) reading.system.scope.define(s.name(), Expr(s));
  const Expr value = reading.scalar(item);
  reading.system.scope = outside;
  return value;
}

}  // namespace

void read_parameters(Reading& reading) {
  const Toml* section = reading.section("parameters");
  if (section == nullptr) return;
  System& system = reading.system;
  SymbolMap values;  // of the parameters so far
  for (const Toml& item : section->items) {
    reading.declare(item.key, reading.place_of_key(item));
    const Toml* value = &item;
    bool positive = false;
    std::string about;
    if (item.is(Toml::Kind::table)) {
      require_known_keys(reading.source(), item, "parameters.*");
      value = item.find("value");
      if (const Toml* p = item.find("positive")) positive = reading.truth(*p);
      if (const Toml* a = item.find("about")) about = reading.text(*a);
    }
    const int order = static_cast<int>(system.parameters.size());
    const Symbol symbol = Symbol::make(
        item.key, {.role = Role::parameter, .sign = positive ? Sign::positive : Sign::any, .order = order});
    Parameter parameter{symbol, std::nullopt, positive, about, reading.place_of_key(item)};
    Expr unit = 1;
    if (const Toml* given = item.is(Toml::Kind::table) ? item.find("unit") : nullptr)
      unit = declared_unit(reading, *given, item.key);
    if (value != nullptr) {
      parameter.value = unit * read_in_order(*section, item, [&] { return reading.scalar(*value); });
      const auto quantity = value->is(Toml::Kind::string) ? quantity_in(value->text) : std::nullopt;
      if (quantity && gives_units(reading.root()))
        keep_note(system, "unit " + item.key, text(quantity->dimension));
      const Expr resolved = substitute(*parameter.value, values);
      require_declared_sign(parameter, resolved, reading.place(*value));
      values.emplace(symbol, resolved);
      warn_about_size(system, parameter, resolved, reading.place(*value));
    }
    system.parameters.push_back(std::move(parameter));
    system.scope.define(item.key, Expr(symbol));
  }
}

void read_functions(Reading& reading) {
  const Toml* section = reading.section("functions");
  if (section == nullptr) return;
  for (const Toml& item : section->items) {
    reading.declare(item.key, reading.place_of_key(item));
    const Toml *names = &item, *value = nullptr, *about = nullptr;
    if (item.is(Toml::Kind::table)) {
      require_known_keys(reading.source(), item, "functions.*");
      names = item.find("of");
      value = item.find("value");
      about = item.find("about");
      if (names == nullptr)
        reading.fail(item, Error("missing-key", fmt::format("the function `{}` has no arguments", item.key),
                                 "", "name them: of = [\"x\"]"));
    }
    const std::vector<std::string> arguments = reading.texts(*names);
    if (arguments.empty() || arguments.size() > 16) {
      reading.fail(item,
                   Error("wrong-count", fmt::format("`{}` has {} arguments", item.key, arguments.size()),
                         "a function has 1 to 16 arguments", "a quantity without arguments is a parameter"));
    }
    const int arity = static_cast<int>(arguments.size());
    AbstractFunction function{Function::abstract(item.key, arity), {}, {}, {}, reading.place_of_key(item)};
    for (const std::string& name : arguments) function.arguments.push_back(Symbol::make(name));
    if (about != nullptr) function.about = reading.text(*about);
    if (value != nullptr) function.value = formula(reading, *value, function.arguments);
    reading.system.scope.declare(item.key, arity);
    reading.system.functions.push_back(std::move(function));
  }
}

void read_definitions(Reading& reading) {
  const Toml* section = reading.section("define");
  if (section == nullptr) return;
  System& system = reading.system;
  for (const Toml& item : section->items) {
    reading.declare(item.key, reading.place_of_key(item));
    Value value = read_in_order(*section, item, [&] { return reading.value(item); });
    if (item.is(Toml::Kind::string) && std::holds_alternative<Matrix>(value)) {
      if (auto product =
              attitude_of_product(reading.syntax(item), system.scope, system.space, reading.attitudes)) {
        reading.attitudes.emplace(item.key, std::move(*product));
      }
    }
    system.scope.define(item.key, value);
    system.definitions.push_back({item.key, std::move(value), reading.place_of_key(item)});
  }
}

}  // namespace rattleback
