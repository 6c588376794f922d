// Declared in algebra/expression/expr.hpp. Elementary and abstract functions: construction rules, derivatives and primitives, from functions.def.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/graph.hpp>

namespace rattleback {
namespace {

enum class Parity : std::uint8_t { none, even, odd };

struct Row {
  const char* name;
  Parity parity;
};

constexpr std::array rows{
#define FUNCTION(name, parity, ...) Row{#name, Parity::parity},
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
};

const Row& row(Builtin which) { return rows[static_cast<std::size_t>(which)]; }

/// sin(k·π/12) for k = 0..6 where it is a root of rationals that people write: k = 0, 2, 3, 4, 6.
std::optional<Expr> sine_of_twelfth(long k) {
  k = ((k % 24) + 24) % 24;
  if (k > 12) {
    const auto s = sine_of_twelfth(k - 12);
    return s ? std::optional(-*s) : std::nullopt;
  }
  if (k > 6) k = 12 - k;
  switch (k) {
    case 0: return Expr(0);
    case 2: return Expr(Rational(1, 2));
    case 3: return sqrt(Expr(2)) / 2;
    case 4: return sqrt(Expr(3)) / 2;
    case 6: return Expr(1);
    default: return std::nullopt;
  }
}

/// k when x = k·π/12.
std::optional<long> twelfths_of_pi(Expr x) {
  if (x.is_zero()) return 0;
  const Scaled s = split_coefficient(x);
  if (s.rest != pi()) return std::nullopt;
  const Rational k = s.coefficient * Rational(12);
  constexpr long none = 1L << 40;
  const long twelfths = k.to_long(none);
  if (!k.is_integer() || twelfths >= none || twelfths <= -none) return std::nullopt;
  return twelfths % 24;
}

std::optional<Expr> trigonometric_value(Builtin which, Expr x) {
  const auto k = twelfths_of_pi(x);
  if (!k) return std::nullopt;
  const auto s = sine_of_twelfth(*k), c = sine_of_twelfth(*k + 6);
  if (!s || !c) return std::nullopt;
  const auto quotient = [&](Expr n, Expr d) { return d.is_zero() ? std::nullopt : std::optional(n / d); };
  switch (which) {
    case Builtin::sin: return s;
    case Builtin::cos: return c;
    case Builtin::tan: return quotient(*s, *c);
    case Builtin::cot: return quotient(*c, *s);
    case Builtin::sec: return quotient(Expr(1), *c);
    case Builtin::csc: return quotient(Expr(1), *s);
    default: return std::nullopt;
  }
}

bool is_trigonometric(Builtin which) { return which <= Builtin::csc; }

/// √(k·Π f_i): squares of the number and of positive symbols leave the root.
Expr square_root(Expr x) {
  const Scaled s = split_coefficient(x);
  const auto [outer, inner] = square_part(s.coefficient);
  std::vector<Expr> outside{Expr(outer)}, inside{Expr(s.coefficient.sign() < 0 ? -inner : inner)};
  const auto take = [&](Expr f) {
    if (f.is(Kind::power) && f.args()[0].is(Kind::symbol) && f.args()[0].symbol().is_positive()) {
      const int half = f.exponent() / 2;  // rounds towards 0, so the rest has exponent −1, 0 or 1
      outside.push_back(pow(f.args()[0], half));
      inside.push_back(pow(f.args()[0], f.exponent() - 2 * half));
    } else {
      inside.push_back(f);
    }
  };
  if (s.rest.is(Kind::product)) {
    for (const Expr f : s.rest.args()) take(f);
  } else {
    take(s.rest);
  }
  const Expr radicand = product(inside);
  if (radicand.is_zero()) return Expr(0);
  const Expr root =
      radicand.is_one() ? Expr(1) : Graph::call(Function::builtin(Builtin::sqrt), std::array{radicand});
  outside.push_back(root);
  return product(outside);
}

/// What people look at first in a term: the symbol that is declared first.
auto reading_order(Expr term) {
  std::tuple<int, int, std::string> first{1000, 0, {}};
  for (const Symbol s : symbols_of(term)) {
    first = std::min(first, {static_cast<int>(s.role()), s.attributes().order, s.name()});
  }
  return std::make_tuple(first, term.hash());
}

/// Odd functions give a leading minus to the front, even ones drop it. Of a sum and its negative one has to count as
/// negative: the one whose first term to be read is, so that sin(x − y) stays and sin(y − x) becomes −sin(x − y).
bool leads_with_minus(Expr e) {
  allow_recursion();
  if (e.is(Kind::constant)) return e.value().sign() < 0;
  if (e.is(Kind::product)) return split_coefficient(e).coefficient.sign() < 0;
  if (!e.is(Kind::sum)) return false;
  const auto first = std::min_element(e.args().begin(), e.args().end(), [](Expr a, Expr b) {
    return reading_order(split_coefficient(a).rest) < reading_order(split_coefficient(b).rest);
  });
  return split_coefficient(*first).coefficient.sign() < 0;
}

Expr negated(Expr e) {
  if (!e.is(Kind::sum)) return -e;
  std::vector<Expr> terms;
  for (const Expr term : e.args()) terms.push_back(-term);
  return sum(terms);
}

/// Nonnegative by its outermost nodes alone: numbers, positive symbols, even powers, roots, exponentials, and sums and products of
/// them. Four levels are looked at, so that building a node costs no search; known_sign() looks at the whole formula.
bool is_visibly_nonnegative(Expr e, int levels = 4) {
  if (levels == 0) return false;
  const auto each_argument = [&] {
    return std::all_of(e.args().begin(), e.args().end(),
                       [&](Expr x) { return is_visibly_nonnegative(x, levels - 1); });
  };
  switch (e.kind()) {
    case Kind::constant: return e.value().sign() >= 0;
    case Kind::symbol: return e.symbol().is_positive() || e == pi();
    case Kind::power: return e.exponent() % 2 == 0 || each_argument();
    case Kind::sum:
    case Kind::product: return each_argument();
    case Kind::call: break;
  }
  const Builtin f = e.function().kind();
  return f == Builtin::sqrt || f == Builtin::exp || f == Builtin::cosh || f == Builtin::abs;
}

Expr elementary(Builtin which, Expr x) {
  if (is_trigonometric(which)) {
    if (const auto value = trigonometric_value(which, x)) return *value;
  }
  const auto inside = [&](Builtin inner) { return x.is(Kind::call) && x.function().kind() == inner; };
  switch (which) {
    case Builtin::sqrt: return square_root(x);
    case Builtin::exp:
      if (x.is_zero()) return Expr(1);
      if (inside(Builtin::log)) return x.args()[0];
      break;
    case Builtin::log:
      if (x.is_one()) return Expr(0);
      if (inside(Builtin::exp)) return x.args()[0];
      break;
    case Builtin::tan:
      if (inside(Builtin::atan)) return x.args()[0];
      break;
    case Builtin::sin:
      if (inside(Builtin::asin)) return x.args()[0];
      break;
    case Builtin::cos:
      if (inside(Builtin::acos)) return x.args()[0];
      break;
    case Builtin::cosh:
      if (x.is_zero()) return Expr(1);
      break;
    case Builtin::abs:
      if (is_visibly_nonnegative(x)) return x;
      break;
    default: break;
  }
  const Function f = Function::builtin(which);
  if (row(which).parity == Parity::odd && x.is_zero()) return Expr(0);
  if (row(which).parity != Parity::none && leads_with_minus(x)) {
    const Expr value = Graph::call(f, std::array{negated(x)});
    return row(which).parity == Parity::odd ? -value : value;
  }
  return Graph::call(f, std::array{x});
}

}  // namespace

Function Function::builtin(Builtin which) {
  static const auto all = [] {
    std::vector<Function> functions;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      functions.push_back(Graph::intern(FunctionData{static_cast<Builtin>(i), rows[i].name, {0}, 0}));
    }
    return functions;
  }();
  return all[static_cast<std::size_t>(which)];
}

Function Function::abstract(std::string_view name, int arity) {
  return Graph::intern(FunctionData{Builtin::abstract, std::string(name),
                                    std::vector<int>(static_cast<std::size_t>(arity), 0), 0});
}

std::optional<Function> Function::find_builtin(std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (name == rows[i].name) return builtin(static_cast<Builtin>(i));
  }
  return std::nullopt;
}

Builtin Function::kind() const { return data_->kind; }
const std::string& Function::name() const { return data_->name; }
int Function::arity() const { return static_cast<int>(data_->orders.size()); }
std::span<const int> Function::orders() const { return data_->orders; }
std::uint64_t Function::hash() const { return data_->hash; }

Function Function::differentiated(int argument) const {
  if (!is_abstract()) throw Bug("differentiated() of the builtin " + name());
  FunctionData data = *data_;
  ++data.orders[static_cast<std::size_t>(argument)];
  return Graph::intern(std::move(data));
}

Function Function::primitive() const { return is_abstract() ? abstract(name(), arity()) : *this; }

Expr call(Function f, std::span<const Expr> args) {
  if (static_cast<int>(args.size()) != f.arity()) {
    throw Bug("call of " + f.name() + " with " + std::to_string(args.size()) + " arguments");
  }
  return f.is_abstract() ? Graph::call(f, args) : elementary(f.kind(), args[0]);
}

#define FUNCTION(name, ...) \
  Expr name(Expr x) { return elementary(Builtin::name, x); }
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION

Expr pi() {
  static const Expr number(Symbol::make("pi"));
  return number;
}

Expr partial(Expr f, int argument) {
  const Function function = f.function();
  if (function.is_abstract()) return call(function.differentiated(argument), f.args());
  const Expr x = f.args()[0];
  switch (function.kind()) {
#define FUNCTION(name, parity, latex, derivative, ...) \
  case Builtin::name:                                  \
    return derivative;
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
    case Builtin::abstract: break;
  }
  throw Bug("partial() of an unknown function");
}

Expr in_primitives(Expr f) {
  if (!f.is(Kind::call) || f.function().is_abstract()) return f;
  const Expr x = f.args()[0];
  switch (f.function().kind()) {
#define FUNCTION(name, parity, latex, derivative, primitives, ...) \
  case Builtin::name:                                              \
    return primitives;
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
    case Builtin::abstract: break;
  }
  return f;
}

}  // namespace rattleback
