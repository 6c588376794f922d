#include <rattleback/algebra/fields/generators.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>

namespace rattleback {
namespace {

bool takes_argument_apart(Expr e) {
  return is_call_of(e, Builtin::sin) || is_call_of(e, Builtin::cos) || is_call_of(e, Builtin::exp);
}

/// Calls whose argument does not take part in the algebra, only names the generator.
bool is_opaque(Expr e) {
  return e.is(Kind::call) && !is_call_of(e, Builtin::sqrt) && !is_call_of(e, Builtin::log);
}

bool is_number(Expr e) { return symbols_of(e).empty(); }

Expr in_primitive_functions(Expr e) { return rebuild(std::span<const Expr>(&e, 1), in_primitives)[0]; }

}  // namespace

Generators::Generators(std::span<const Expr> expressions, GeneratorChoice choice)
    : choice_(std::move(choice)),
      roots_(choice_.splitting, [this](Expr e) { return form(in_primitive_functions(e)); }) {
  const std::vector<Expr> primitive = rebuild(expressions, in_primitives);
  for (const Expr e : primitive) note(e);
  angles_.emplace(angle_arguments_, choice_.angles);
  for (const LinearForm& base : bases_by_atom(exponents_)) {
    // exp(20000 x) alone is one generator, no power of exp(x); powers of y^(1/n) stay powers of one root.
    // exp(2 x) is a small power, which tanh x is recognised by.
    const Expr atom = base.terms[0].atom;
    const Rational unit = unit_of(atom, exponents_), steep(64);
    const bool is_power = is_call_of(atom, Builtin::log) || !(base.terms[0].coefficient * steep < unit);
    exponent_denominators_.emplace(atom, Rational(1) / (is_power ? base.terms[0].coefficient : unit));
  }
  for (const Expr e : primitive) forms_.push_back(form(e));
}

/// All arguments are known before the first form is made: base angles and exponents depend on them.
void Generators::note(Expr primitive) {
  allow_recursion();
  int transcendental_numbers = 0;
  for (const Expr e : nodes_until(primitive, is_opaque)) {
    if (e == pi() || (is_call_of(e, Builtin::log) && is_number(e))) ++transcendental_numbers;
    if (is_call_of(e, Builtin::atan)) independent_ = false;
    // sin x and cos x ask the same of x; exp x asks something else.
    if (!takes_argument_apart(e)) continue;
    if (!noted_.insert(is_call_of(e, Builtin::exp) ? e : cos(e.args()[0])).second) continue;
    if (is_number(e.args()[0])) ++transcendental_numbers;
    LinearForm argument = linear_form(e.args()[0]);
    if (has_fractions(argument)) independent_ = false;
    const bool circular_function = !is_call_of(e, Builtin::exp);
    if (circular_function && !is_constructible(argument.turns)) independent_ = false;
    for (const auto& [atom, coefficient] : argument.terms) {
      // What stands inside atan and log comes back into the algebra: cos(atan y), exp(log y).
      if (is_call_of(atom, Builtin::atan) || is_call_of(atom, Builtin::log))
        note(in_primitive_functions(atom.args()[0]));
    }
    LinearForm stored = argument;
    if (circular_function) {
      stored.turns = 0;
      if (!stored.terms.empty()) angle_arguments_.push_back(std::move(stored));
    } else {
      if (!stored.turns.is_zero()) stored.terms.push_back({pi(), stored.turns});
      exponents_.push_back(std::move(stored));
    }
    arguments_.emplace(e.args()[0], std::move(argument));
  }
  if (transcendental_numbers > 1) independent_ = false;  // independence of e and π is not known
}

Expr Generators::form(Expr primitive) {
  for (const Expr e : nodes_until(primitive, is_opaque)) {
    if (!known_.contains(e)) known_.emplace(e, form_of_node(e));
  }
  return known_.at(primitive);
}

Expr Generators::form_of_node(Expr e) {
  allow_recursion();
  if (e.is(Kind::symbol)) {
    // x = E^n when x^(1/n) occurs.
    const auto found = exponent_denominators_.find(log(e));
    if (found == exponent_denominators_.end() || found->second.is_one()) return e;
    return pow(exponential(log(e) / Expr(found->second)), Expr(found->second));
  }
  if (!e.is(Kind::call)) {
    std::vector<Expr> args;
    for (const Expr a : e.args()) args.push_back(known_.at(a));
    return with_args(e, args);
  }
  if (e.function().is_abstract() || e.function().kind() == Builtin::atan) {
    std::vector<Expr> args;
    for (const Expr a : e.args()) args.push_back(canonical(a));
    return call(e.function(), args);
  }
  const Expr x = e.args()[0];
  if (takes_argument_apart(e) && !arguments_.contains(x)) note(e);
  switch (e.function().kind()) {
    case Builtin::sin: return circular(arguments_.at(x)).sin;
    case Builtin::cos: return circular(arguments_.at(x)).cos;
    case Builtin::exp: return exponential_form(arguments_.at(x));
    case Builtin::log: return roots_.logarithm(known_.at(x));
    case Builtin::sqrt: return roots_.root(known_.at(x));
    default: throw NoExactForm("the function " + e.function().name() + " has no exact form");
  }
}

CosSin Generators::circular(const LinearForm& argument) {
  const CosSin value = angles_->of(
      argument, [this](Expr base) { return base_pair(base); }, [this](Expr x) { return roots_.root(x); });
  if (angles_->dependent()) independent_ = false;
  return value;
}

/// cos atan y = 1/√(1 + y²), sin atan y = y cos atan y; half of it by the half-angle formula.
CosSin Generators::base_pair(Expr base) {
  const Scaled s = split_coefficient(base);
  if (is_call_of(s.rest, Builtin::atan) && (s.coefficient.is_one() || s.coefficient == Rational(1, 2))) {
    const Expr y = form(in_primitive_functions(s.rest.args()[0]));
    const Expr c = 1 / roots_.root(1 + pow(y, 2));
    if (s.coefficient.is_one()) return {c, y * c};
    const Expr half = roots_.root((1 + c) / 2);
    return {half, y * c / (2 * half)};
  }
  if (choice_.half_angles) {
    const Expr t = call(half_angle_tangent(), {base / 2});
    const Expr one_over = pow(1 + pow(t, 2), -1);
    return {(1 - pow(t, 2)) * one_over, 2 * t * one_over};
  }
  return {cos(base), sin(base)};
}

Expr Generators::exponential_form(const LinearForm& exponent) {
  std::vector<Expr> factors;
  for (const LinearForm::Term& term : exponent.terms) factors.push_back(exponential_of(term));
  if (!exponent.turns.is_zero()) factors.push_back(exponential_of({pi(), exponent.turns}));
  return factors.empty() ? Expr(1) : product(factors);
}

/// exp(n/L·a) = E^n with E = exp(a/L); exp(n/L·log y) = y^⌊n/L⌋ E^(n mod L).
Expr Generators::exponential_of(const LinearForm::Term& term) {
  // An exponent that came up late, inside another formula: of how it depends on the others nothing is known.
  const auto [known, late] = exponent_denominators_.try_emplace(term.atom, term.coefficient.denominator());
  if (!(term.coefficient * known->second).is_integer()) throw NoExactForm("an exponent came up too late");
  if (late) independent_ = false;
  const Rational& l = known->second;
  constexpr long limit = search_limits::exponent_of_a_generator.count;
  const long n = (term.coefficient * l).to_long(limit);
  if (n >= limit || n <= -limit) throw NoExactForm("an exponent is too large");
  const Expr unit = term.atom / Expr(l);
  if (is_call_of(term.atom, Builtin::log)) {
    const Expr y = term.atom.args()[0];
    const long period = l.to_long(limit);
    if (period >= limit) throw NoExactForm("an exponent is too large");
    if (y.is(Kind::symbol) && !l.is_one()) return pow(exponential(unit), static_cast<int>(n));
    const long whole = n >= 0 ? n / period : -((-n + period - 1) / period);
    const Expr base = form(in_primitive_functions(y));
    const long rest = n - whole * period;
    if (rest == 0) return pow(base, static_cast<int>(whole));
    if (2 * rest == period) return pow(base, static_cast<int>(whole)) * roots_.root(base);
    independent_ = false;  // E^L = y is not used
    return pow(base, static_cast<int>(whole)) * pow(exponential(unit), static_cast<int>(rest));
  }
  if (!choice_.hyperbolic) return pow(exponential(unit), static_cast<int>(n));
  CosSin m{Expr(1), Expr(0)};
  const Expr c = cosh(unit), s = sinh(unit);
  for (long i = 0; i < (n < 0 ? -n : n); ++i) m = {m.cos * c + m.sin * s, m.sin * c + m.cos * s};
  return n < 0 ? m.cos - m.sin : m.cos + m.sin;
}

const Function& half_angle_tangent() {
  static const Function f = Function::abstract("\1tan", 1);
  return f;
}

Expr in_functions(Expr form) {
  return rebuild(std::span<const Expr>(&form, 1), [](Expr e) {
    if (e.is(Kind::call) && e.function() == half_angle_tangent())
      return sin(2 * e.args()[0]) / (1 + cos(2 * e.args()[0]));
    if (const auto u = exponent_of_generator(e)) return exponential_power(*u, 1);
    return e;
  })[0];
}

}  // namespace rattleback
