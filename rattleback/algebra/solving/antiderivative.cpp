#include <rattleback/algebra/solving/antiderivative.hpp>

#include <algorithm>
#include <array>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/linear_form.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

using Answer = std::optional<Expr>;

bool free_of(Expr e, Symbol x) { return !contains(e, x) || vanishes_at_random_points(derivative(e, x)); }

/// e = constant · rest, the constant collecting every factor without x.
struct Split {
  Expr constant, rest;
};
Split split(Expr e, Symbol x) {
  if (!e.is(Kind::product)) return contains(e, x) ? Split{Expr(1), e} : Split{e, Expr(1)};
  std::vector<Expr> without{Expr(1)}, with{Expr(1)};
  for (const Expr f : e.args()) (contains(f, x) ? with : without).push_back(f);
  return {product(without), product(with)};
}

Expr over(Expr e, Expr slope) { return e / slope; }

/// ∫ u^n dx for u = slope·x + …
Expr power_rule(Expr u, int n, Expr slope) {
  return n == -1 ? over(log(u), slope) : over(pow(u, n + 1) / (n + 1), slope);
}

/// ∫ f(u) dx for u = slope·x + …
Answer function_rule(Builtin f, Expr u, Expr slope) {
  switch (f) {
    case Builtin::sin: return over(-cos(u), slope);
    case Builtin::cos: return over(sin(u), slope);
    case Builtin::tan: return over(-log(cos(u)), slope);
    case Builtin::cot: return over(log(sin(u)), slope);
    case Builtin::exp: return over(exp(u), slope);
    case Builtin::log: return over(u * log(u) - u, slope);
    case Builtin::sqrt: return over(Expr(Rational(2, 3)) * u * sqrt(u), slope);
    case Builtin::sinh: return over(cosh(u), slope);
    case Builtin::cosh: return over(sinh(u), slope);
    case Builtin::tanh: return over(log(cosh(u)), slope);
    case Builtin::atan: return over(u * atan(u) - log(1 + pow(u, 2)) / 2, slope);
    default: return std::nullopt;
  }
}

/// ∫ f(u)^n dx for the powers that have short answers.
Answer function_power_rule(Builtin f, int n, Expr u, Expr slope) {
  if (f == Builtin::cos && n == -2) return over(tan(u), slope);
  if (f == Builtin::sin && n == -2) return over(-cot(u), slope);
  if (f == Builtin::cos && n == -1) return over(log(sec(u) + tan(u)), slope);
  if (f == Builtin::sin && n == -1) return over(log(tan(u / 2)), slope);
  if (f == Builtin::cosh && n == -2) return over(tanh(u), slope);
  if (f == Builtin::sqrt && n == -1) return over(2 * sqrt(u), slope);
  return std::nullopt;
}

/// One factor whose argument is linear in x.
Answer linear_argument(Expr e, Symbol x) {
  const Expr base = e.is(Kind::power) ? e.args()[0] : e;
  const int n = e.is(Kind::power) ? e.exponent() : 1;
  if (const Expr slope = derivative(base, x); free_of(slope, x)) return power_rule(base, n, slope);
  if (!base.is(Kind::call) || base.function().is_abstract()) return std::nullopt;
  const Expr u = base.args()[0], slope = derivative(u, x);
  if (!free_of(slope, x)) return std::nullopt;
  return n == 1 ? function_rule(base.function().kind(), u, slope)
                : function_power_rule(base.function().kind(), n, u, slope);
}

/// √s for s = k·Π f^{2n}: half the exponents, whatever the signs (the results below are even in the root).
Expr half_power(Expr s) {
  const Scaled scaled = split_coefficient(s);
  std::vector<Expr> root{sqrt(Expr(scaled.coefficient))};
  const auto take = [&](Expr f) {
    const bool even = f.is(Kind::power) && f.exponent() % 2 == 0;
    root.push_back(even ? pow(f.args()[0], f.exponent() / 2) : sqrt(f));
  };
  if (scaled.rest.is(Kind::product)) {
    for (const Expr f : scaled.rest.args()) take(f);
  } else if (!scaled.rest.is_one()) {
    take(scaled.rest);
  }
  return product(root);
}

/// The value at x = 0, where it has one.
Answer at_zero(Expr e, Symbol x) {
  try {
    return substitute(e, {{x, Expr(0)}});
  } catch (const NoValue&) {  // a pole
    return std::nullopt;
  }
}

/// c_0, …, c_n with e = Σ c_k x^k; nothing when e is no polynomial of degree at most `most`.
std::optional<std::vector<Expr>> coefficients(Expr e, Symbol x, int most) {
  std::vector<Expr> c;
  Expr factorial = 1;
  for (int k = 0; k <= most; ++k) {
    if (vanishes_at_random_points(e)) return c;
    const Answer value = at_zero(e, x);
    if (!value) return std::nullopt;
    c.push_back(canonical(*value / factorial));
    e = derivative(e, x);
    factorial *= k + 1;
  }
  return vanishes_at_random_points(e) ? std::optional(c) : std::nullopt;
}

/// n = quotient·d + n afterwards, with deg n < deg d; the quotient is returned integrated.
Expr integrated_quotient(std::vector<Expr>& n, const std::vector<Expr>& d, Symbol x) {
  Expr integral = 0;
  while (n.size() >= d.size()) {
    const std::size_t shift = n.size() - d.size();
    const Expr q = n.back() / d.back();
    for (std::size_t k = 0; k + 1 < d.size(); ++k) n[shift + k] = canonical(n[shift + k] - q * d[k]);
    n.pop_back();
    const int power = static_cast<int>(shift) + 1;
    integral += q * pow(Expr(x), power) / power;
  }
  return integral;
}

/// The one factor of e that contains x and stands in the denominator, to the first power.
Answer single_denominator(Expr e, Symbol x) {
  std::vector<Expr> denominators;
  for (const Expr f : e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1)) {
    if (f.is(Kind::power) && f.exponent() < 0 && contains(f, x)) denominators.push_back(f);
  }
  if (denominators.size() != 1 || denominators[0].exponent() != -1) return std::nullopt;
  return denominators[0].args()[0];
}

/// ∫ (p x + q)/(a x² + b x + c) dx = p/(2a) log Q + (q − pb/(2a)) · (2/√Δ) atan((2ax + b)/√Δ), Δ = 4ac − b²;
/// for Δ = 0 the last term is −2 (q − pb/(2a))/(2ax + b). Larger numerators are divided by Q first.
Answer quadratic_denominator(Expr e, Symbol x) {
  const Answer Q = single_denominator(e, x);
  if (!Q) return std::nullopt;
  const auto d = coefficients(*Q, x, 2);
  auto n = coefficients(e * *Q, x, 8);
  if (!d || !n || d->size() != 3) return std::nullopt;
  const Expr whole = integrated_quotient(*n, *d, x);
  n->resize(2, Expr(0));
  const Expr c = (*d)[0], b = (*d)[1], a = (*d)[2], p = (*n)[1], q = (*n)[0] - p * b / (2 * a);
  const Expr logarithm = whole + p * log(*Q) / (2 * a);
  if (vanishes_at_random_points(q)) return logarithm;
  const Expr delta = canonical(4 * a * c - pow(b, 2));
  if (vanishes_at_random_points(delta)) return logarithm - 2 * q / (2 * a * Expr(x) + b);
  const Expr root = half_power(delta);
  return logarithm + q * 2 / root * atan((2 * a * Expr(x) + b) / root);
}

/// Every node below e, and every base and argument among them, that depends on x and is not x itself.
std::vector<Expr> inner_functions(Expr e, Symbol x) {
  std::vector<Expr> inner;
  const Tape tape(std::span<const Expr>(&e, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr g = tape.node(slot);
    if (!g.is(Kind::symbol) && g != e && contains(g, x)) inner.push_back(g);
  }
  return inner;
}

/// e = k·g'·h(g): then ∫ e = k·H(g). Tried for h a power or a function that occurs in e.
Answer derivative_divides(Expr e, Symbol x) {
  for (const Expr g : inner_functions(e, x)) {
    const Expr slope = derivative(g, x);
    if (vanishes_at_random_points(slope)) continue;
    const Expr ratio = e / slope;
    for (const int n : {0, 1, -1, -2, 2, -3, 3}) {
      const Expr k = ratio / pow(g, n);
      if (vanishes_at_random_points(derivative(k, x))) return canonical(k) * power_rule(g, n, Expr(1));
    }
    for (const Builtin f : {Builtin::exp, Builtin::sin, Builtin::cos, Builtin::log, Builtin::sqrt,
                            Builtin::sinh, Builtin::cosh}) {
      const Expr k = ratio / call(Function::builtin(f), {g});
      if (vanishes_at_random_points(derivative(k, x))) return canonical(k) * *function_rule(f, g, Expr(1));
    }
    const Expr k = ratio * sqrt(g);
    if (vanishes_at_random_points(derivative(k, x))) return canonical(k) * 2 * sqrt(g);
  }
  return std::nullopt;
}

Answer integrated(Expr e, Symbol x, int depth);

/// cos a cos b = ½(cos(a−b) + cos(a+b)) and its kin: a product of two of them becomes a sum.
Answer product_of_circular(Expr e, Symbol x, int depth) {
  std::vector<Expr> circular, others;
  const auto take = [&](Expr f) {
    const Expr base = f.is(Kind::power) ? f.args()[0] : f;
    const int n = f.is(Kind::power) ? f.exponent() : 1;
    const bool fits = base.is(Kind::call) && n > 0 && n <= 8 &&
                      (base.function().kind() == Builtin::sin || base.function().kind() == Builtin::cos) &&
                      contains(base, x);
    if (fits)
      circular.insert(circular.end(), static_cast<std::size_t>(n), base);
    else
      others.push_back(f);
  };
  if (e.is(Kind::product)) {
    for (const Expr f : e.args()) take(f);
  } else {
    take(e);
  }
  if (circular.size() < 2) return std::nullopt;
  const Expr u = circular[0].args()[0], v = circular[1].args()[0];
  const bool s = circular[0].function().kind() == Builtin::sin,
             t = circular[1].function().kind() == Builtin::sin;
  const Expr twice = s && t    ? cos(u - v) - cos(u + v)
                     : s && !t ? sin(u + v) + sin(u - v)
                     : !s && t ? sin(u + v) - sin(u - v)
                               : cos(u - v) + cos(u + v);
  others.insert(others.end(), circular.begin() + 2, circular.end());
  const Expr rest = product(others.empty() ? std::vector<Expr>{Expr(1)} : others) / 2;
  const std::span<const Expr> two = twice.is(Kind::sum) ? twice.args() : std::span<const Expr>(&twice, 1);
  std::vector<Expr> parts{Expr(0)};
  for (const Expr term : two) {
    const Answer part = integrated(term * rest, x, depth - 1);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return sum(parts);
}

/// ∫ x^n f = x^n F − n ∫ x^(n−1) F.
Answer by_parts(Expr e, Symbol x, int depth) {
  if (!e.is(Kind::product)) return std::nullopt;
  for (const Expr f : e.args()) {
    const Expr base = f.is(Kind::power) ? f.args()[0] : f;
    if (base != Expr(x) || (f.is(Kind::power) && f.exponent() < 0)) continue;
    const Expr rest = e / f;
    const Answer F = integrated(rest, x, depth - 1);
    if (!F) return std::nullopt;
    const Answer second = integrated(derivative(f, x) * *F, x, depth - 1);
    return second ? Answer(f * *F - *second) : std::nullopt;
  }
  return std::nullopt;
}

Answer termwise(std::span<const Expr> terms, Symbol x, int depth) {
  std::vector<Expr> parts{Expr(0)};
  for (const Expr term : terms) {
    const Answer part = integrated(term, x, depth - 1);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return sum(parts);
}

Answer integrated(Expr e, Symbol x, int depth) {
  if (e.is_zero()) return Expr(0);
  if (free_of(e, x)) return e * Expr(x);
  if (depth == 0) return std::nullopt;
  if (e.is(Kind::sum)) {
    if (const Answer all = termwise(e.args(), x, depth)) return all;
    return derivative_divides(e, x);
  }
  const auto [constant, rest] = split(e, x);
  Answer found = rest.is(Kind::sum) ? termwise(rest.args(), x, depth) : linear_argument(rest, x);
  if (!found) found = quadratic_denominator(rest, x);
  if (!found) found = derivative_divides(rest, x);
  if (!found) found = product_of_circular(rest, x, depth);
  if (!found) found = by_parts(rest, x, depth);
  return found ? Answer(constant * *found) : std::nullopt;
}

bool is_right(Answer F, Expr e, Symbol x) { return F && vanishes_at_random_points(derivative(*F, x) - e); }

}  // namespace

Answer antiderivative(Expr e, Symbol x) {
  const InAmbientSpace everywhere;
  constexpr int depth = search_limits::antiderivative.count;
  if (const Answer F = integrated(e, x, depth); is_right(F, e, x)) return F;
  const Expr c = canonical(e);
  if (const Answer F = integrated(c, x, depth); is_right(F, e, x)) return F;
  if (const Answer F = termwise(canonical_terms(c), x, depth); is_right(F, e, x)) return F;
  return std::nullopt;
}

}  // namespace rattleback
