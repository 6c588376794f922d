#pragma once
/// Evaluation of expressions in double, and in dual numbers for directional derivatives.

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

using Numbers = std::unordered_map<Symbol, double>;
/// Values of abstract functions, by function (with its orders of differentiation) and arguments.
using AbstractValues = std::function<double(Function, std::span<const double>)>;

/// Throws Error[no-value] naming the symbol or abstract function that has none. Poles give inf or nan.
double evaluate(Expr e, const Numbers& at, const AbstractValues& abstract = {});
/// The number that a text means, such as "1/3" or "pi/10"; nothing for a text that is no finite number.
std::optional<double> typed_number(std::string_view text);
std::vector<double> evaluate(std::span<const Expr> es, const Numbers& at,
                             const AbstractValues& abstract = {});

/// Value and derivative along a direction, by dual numbers.
struct Dual {
  double value = 0, tangent = 0;
};
Dual evaluate_dual(Expr e, const Numbers& at, const Numbers& direction);

/// The value of a builtin function.
double value_of(Builtin f, double x);

}  // namespace rattleback
