#include <rattleback/algebra/signs/numbers.hpp>

#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

/// π has its value without being listed.
double number_of(Symbol s, const Numbers& at) {
  if (const auto found = at.find(s); found != at.end()) return found->second;
  if (s.role() == Role::constant && s.name() == "pi") return std::numbers::pi;
  throw NoNumber("no-value", "`" + s.name() + "` has no value here", "",
                 "give a number for every symbol of the expression");
}

class Doubles {
 public:
  using Value = double;
  Doubles(const Numbers& at, const AbstractValues& abstract) : at_(at), abstract_(abstract) {}

  double constant(const Rational& c) const { return c.to_double(); }
  double symbol(Symbol s) const { return number_of(s, at_); }
  double sum(std::span<const double> xs) const {
    double total = 0;
    for (const double x : xs) total += x;
    return total;
  }
  double product(std::span<const double> xs) const {
    double total = 1;
    for (const double x : xs) total *= x;
    return total;
  }
  double power(double x, int n) const { return n == -1 ? 1 / x : n == 2 ? x * x : std::pow(x, n); }
  double call(Function f, std::span<const double> xs) const {
    if (!f.is_abstract()) return value_of(f.kind(), xs[0]);
    if (!abstract_) {
      throw NoNumber("no-value", "the abstract function `" + f.name() + "` has no value here", "",
                     "substitute a formula for it first");
    }
    return abstract_(f, xs);
  }

 private:
  const Numbers& at_;
  const AbstractValues& abstract_;
};

/// The derivative of a builtin function at x, where it takes the value f: the column of functions.def, in doubles.
double slope_of(Builtin which, double x, double f) {
  using std::cos, std::cosh, std::pow, std::sin, std::sinh, std::sqrt, std::tan;
  const auto cot = [](double a) { return value_of(Builtin::cot, a); };
  switch (which) {
#define FUNCTION(name, parity, latex, derivative, ...) \
  case Builtin::name:                                  \
    return derivative;
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
    case Builtin::abstract: break;
  }
  throw Bug("slope of an unknown function");
}

/// a + ε a' with ε² = 0.
class Duals {
 public:
  using Value = Dual;
  Duals(const Numbers& at, const Numbers& direction) : at_(at), direction_(direction) {}

  Dual constant(const Rational& c) const { return {c.to_double(), 0}; }
  Dual symbol(Symbol s) const {
    const auto found = direction_.find(s);
    return {number_of(s, at_), found == direction_.end() ? 0 : found->second};
  }
  Dual sum(std::span<const Dual> xs) const {
    Dual total;
    for (const Dual& x : xs) total = {total.value + x.value, total.tangent + x.tangent};
    return total;
  }
  Dual product(std::span<const Dual> xs) const {
    Dual total{1, 0};
    for (const Dual& x : xs)
      total = {total.value * x.value, total.value * x.tangent + total.tangent * x.value};
    return total;
  }
  Dual power(const Dual& x, int n) const {
    return {std::pow(x.value, n), n * std::pow(x.value, n - 1) * x.tangent};
  }
  Dual call(Function f, std::span<const Dual> xs) const {
    if (f.is_abstract()) {
      throw NoNumber("no-value", "the abstract function `" + f.name() + "` has no value here", "",
                     "substitute a formula for it first");
    }
    const double value = value_of(f.kind(), xs[0].value);
    // A constant argument has tangent 0 even where the slope is infinite.
    return {value, xs[0].tangent == 0 ? 0 : slope_of(f.kind(), xs[0].value, value) * xs[0].tangent};
  }

 private:
  const Numbers& at_;
  const Numbers& direction_;
};

}  // namespace

double value_of(Builtin f, double x) {
  switch (f) {
#define FUNCTION(name, parity, latex, derivative, primitives, number) \
  case Builtin::name:                                                 \
    return number(x);
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
    case Builtin::abstract: break;
  }
  throw Bug("value of an unknown function");
}

std::vector<double> evaluate(std::span<const Expr> es, const Numbers& at, const AbstractValues& abstract) {
  Doubles in(at, abstract);
  return interpret(es, in);
}

double evaluate(Expr e, const Numbers& at, const AbstractValues& abstract) {
  return evaluate(std::span<const Expr>(&e, 1), at, abstract).front();
}

std::optional<double> typed_number(std::string_view text) {
  const auto e = try_parse(text, Scope{});
  if (!e) return std::nullopt;
  try {
    const double x = evaluate(*e, Numbers{});
    return std::isfinite(x) ? std::optional(x) : std::nullopt;
  } catch (const NoNumber&) {  // it contains the time
    return std::nullopt;
  }
}

Dual evaluate_dual(Expr e, const Numbers& at, const Numbers& direction) {
  Duals in(at, direction);
  return interpret(e, in);
}

}  // namespace rattleback
