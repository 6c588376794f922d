#include <rattleback/simulate/states/number_in_parameters.hpp>

#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

namespace rattleback {

double number_in_parameters(const Flow& flow, const std::string& option, const std::string& given) {
  Scope scope;
  Numbers values;
  const std::vector<double> numbers = flow.parameter_values<double>();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    scope.define(flow.parameters()[k].name(), Expr(flow.parameters()[k]));
    values.emplace(flow.parameters()[k], numbers[k]);
  }
  Place place;
  place.file = "command line, " + option;
  const double x = evaluate(placed(place.file, [&] { return parse(given, scope); }), values);
  if (std::isfinite(x)) return x;
  throw Error("usage", fmt::format("{} {} is not a finite number", option, given), "", "write a number")
      .at(place);
}

}  // namespace rattleback
