#include <rattleback/algebra/expression/printed_cost.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/text.hpp>

namespace rattleback {
namespace {

/// The cost is capped: a shared graph can be exponentially long as text.
constexpr long cap = 1L << 20U;

int length(std::string_view s) { return static_cast<int>(s.size()); }

struct SymbolicPower {
  Expr base, exponent;
};

/// exp(k·log b), which is written b^k unless k = n/2.
std::optional<SymbolicPower> as_symbolic_power(Expr e) {
  if (e.function().kind() != Builtin::exp || !e.args()[0].is(Kind::product)) return std::nullopt;
  std::vector<Expr> rest(e.args()[0].args().begin(), e.args()[0].args().end());
  const auto is_log = [](Expr f) { return f.is(Kind::call) && f.function().kind() == Builtin::log; };
  const auto log = std::ranges::find_if(rest, is_log);
  if (log == rest.end()) return std::nullopt;
  const Expr base = log->args()[0];
  rest.erase(log);
  const Expr exponent = product(rest);
  if (exponent.is(Kind::constant) && (exponent.value() * Rational(2)).is_integer()) return std::nullopt;
  return SymbolicPower{base, exponent};
}

/// Penalty for fractions among the terms of a denominator.
int fractions_within(Expr base) {
  if (!base.is(Kind::sum)) return 0;
  constexpr int each = 2;
  const auto divides = [](Expr f) { return f.is(Kind::power) && f.exponent() < 0; };
  const auto is_fraction = [&](Expr term) {
    return divides(term) || (term.is(Kind::product) && std::ranges::any_of(term.args(), divides));
  };
  return each * static_cast<int>(std::ranges::count_if(base.args(), is_fraction));
}

}  // namespace

int PrintedCost::operator()(Expr e) {
  allow_recursion();
  if (const auto found = known_.find(e); found != known_.end()) return found->second;
  const int cost = static_cast<int>(std::min<long>(cap, measured(e)));
  known_.emplace(e, cost);
  return cost;
}

/// Within a product or under a power: sums get brackets.
int PrintedCost::factor(Expr e) { return (*this)(e) + (e.is(Kind::sum) || e.is(Kind::product) ? 2 : 0); }

/// base^(halves/2), halves > 0.
int PrintedCost::half_power(Expr base, int halves) {
  if (halves == 2) return factor(base);
  if (halves == 1) return (*this)(base) + length("sqrt()");
  return factor(base) + 1 +
         (halves % 2 == 0 ? length(std::to_string(halves / 2))
                          : length(std::to_string(halves)) + length("(/2)"));
}

/// sign number*f*f/(number*f*f), where √a is half a power of a.
int PrintedCost::fraction(Expr e) {
  const std::span<const Expr> factors = e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1);
  int above = 0, below = 0, above_count = 0, below_count = 0, sign = 0;
  const auto add = [](int& side, int& count, int width) {
    side += width + (count > 0 ? 1 : 0);
    ++count;
  };
  std::vector<std::pair<Expr, int>> powers;
  for (const Expr f : factors) {
    if (f.is(Kind::constant)) {
      const Rational& k = f.value();
      sign = k.sign() < 0 ? 1 : 0;
      const Rational n = k.sign() < 0 ? -k.numerator() : k.numerator();
      if (!n.is_one()) add(above, above_count, length(n.text()));
      if (!k.is_integer()) add(below, below_count, length(k.denominator().text()));
      continue;
    }
    Expr base = f.is(Kind::power) ? f.args()[0] : f;
    int halves = f.is(Kind::power) ? 2 * f.exponent() : 2;
    if (base.is(Kind::call) && base.function().kind() == Builtin::sqrt) {
      base = base.args()[0];
      halves /= 2;
    }
    const auto same = std::ranges::find(powers, base, &std::pair<Expr, int>::first);
    if (same == powers.end()) {
      powers.emplace_back(base, halves);
    } else {
      same->second += halves;
    }
  }
  for (const auto& [base, halves] : powers) {
    if (halves > 0) add(above, above_count, half_power(base, halves));
    if (halves < 0) add(below, below_count, half_power(base, -halves) + fractions_within(base));
  }
  if (above_count == 0) above = 1;
  if (below_count == 0) return sign + above;
  return sign + above + 1 + below + (below_count > 1 ? 2 : 0);
}

int PrintedCost::measured(Expr e) {
  switch (e.kind()) {
    case Kind::symbol: return length(e.symbol().name());
    case Kind::constant:
    case Kind::product: return fraction(e);
    case Kind::power:
      if (e.exponent() < 0) return fraction(e);
      return factor(e.args()[0]) + 1 + length(std::to_string(e.exponent()));
    case Kind::call: {
      if (const auto p = as_symbolic_power(e)) {
        const int brackets = p->exponent.is(Kind::symbol) ? 0 : 2;
        return factor(p->base) + 1 + (*this)(p->exponent) + brackets;
      }
      int width = length(text(e.function())) + 2;
      for (const Expr a : e.args()) width += (*this)(a) + 2;
      return width - 2;
    }
    case Kind::sum: {
      constexpr int minus = 3;  // beyond its length
      long width = -3;          // of many terms, each of which may have the greatest length
      bool all_negative = true;
      for (const Expr term : e.args()) {
        const bool negative = split_coefficient(term).coefficient.sign() < 0;
        // " + " or " - " stands before every term but the first; the minus of a term is part of it.
        width += (*this)(term) + 3 + (negative ? minus : 0);
        all_negative = all_negative && negative;
      }
      return static_cast<int>(std::min(cap, width + (all_negative ? 1 : 0)));
    }
  }
  return 0;
}

}  // namespace rattleback
