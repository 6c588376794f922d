#include <rattleback/algebra/modular/modular_arguments.hpp>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>

#include <algorithm>
#include <bit>

namespace rattleback {
namespace {

bool is_call(Expr e, Builtin which) { return e.is(Kind::call) && e.function().kind() == which; }

}  // namespace

LinearSplit::LinearSplit(const Tape& tape, Builtin f) : f_(f) {
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const Expr e = tape.node(i);
    if (is_call(e, f) ||
        (!with_f_.empty() && std::ranges::any_of(e.args(), [&](Expr a) { return contains(a); }))) {
      with_f_.insert(e.id());
    }
  }
}

LinearParts LinearSplit::operator()(Expr u) const {
  allow_recursion();
  if (!contains(u)) return {{}, u};
  if (is_call(u, f_)) return {{{Expr(1), u.args()[0]}}, Expr(0)};
  if (u.is(Kind::sum)) return of_sum(u);
  if (u.is(Kind::product)) return of_product(u);
  return {{}, u};
}

LinearParts LinearSplit::of_sum(Expr u) const {
  LinearParts all;
  std::vector<Expr> rests;
  for (const Expr term : u.args()) {
    LinearParts one = (*this)(term);
    std::move(one.parts.begin(), one.parts.end(), std::back_inserter(all.parts));
    rests.push_back(one.rest);
  }
  all.rest = sum(rests);
  return all;
}

/// Linear when a single factor contains f.
LinearParts LinearSplit::of_product(Expr u) const {
  std::vector<Expr> with, without;
  for (const Expr factor : u.args()) (contains(factor) ? with : without).push_back(factor);
  if (with.size() != 1) return {{}, u};
  LinearParts inner = (*this)(with[0]);
  const Expr scale = product(without);
  for (auto& part : inner.parts) part.coefficient *= scale;
  inner.rest *= scale;
  return inner;
}

namespace {

/// Rational numbers v + ε d, with ε for π and 0 for every other symbol and every call.
class AtTheOrigin {
 public:
  struct Value {
    Rational value, slope;
  };
  bool pole = false;

  Value constant(const Rational& c) const { return {c, 0}; }
  Value symbol(Symbol s) const { return {0, Expr(s) == pi() ? 1 : 0}; }
  Value sum(std::span<const Value> xs) const {
    Value total;
    for (const Value& x : xs) total = {total.value + x.value, total.slope + x.slope};
    return total;
  }
  Value product(std::span<const Value> xs) const {
    Value total{1, 0};
    for (const Value& x : xs) total = {total.value * x.value, total.value * x.slope + total.slope * x.value};
    return total;
  }
  Value power(const Value& x, int n) {
    pole = pole || (x.value.is_zero() && n < 0);
    if (x.value.is_zero()) return {};
    return {rattleback::power(x.value, n), Rational(n) * rattleback::power(x.value, n - 1) * x.slope};
  }
  Value call(Function, std::span<const Value>) const { return {}; }
};

}  // namespace

std::optional<Rational> coefficient_of_pi(Expr u) {
  AtTheOrigin in;
  const Rational k = interpret(u, in).slope;
  if (in.pole) return std::nullopt;
  return k;
}

std::optional<std::pair<long, int>> dyadic(Expr c) {
  if (!c.is(Kind::constant)) return std::nullopt;
  const long n = c.value().numerator().to_long(0), d = c.value().denominator().to_long(0);
  constexpr long most = search_limits::dyadic_multiple.count;
  if (n == 0 || n > most || n < -most || d <= 0 || d > most || (d & (d - 1)) != 0) return std::nullopt;
  return std::pair(n, std::countr_zero(static_cast<unsigned long>(d)));
}

}  // namespace rattleback
