#include <rattleback/algebra/display_order.hpp>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include <rattleback/algebra/tape.hpp>

namespace rattleback {
namespace {

bool moves(Role role) { return role >= Role::velocity; }

/// What a factor is, for sorting: numbers, parameters, coordinates, velocities, then functions, then sums.
struct Rank {
  int group = 0;
  int order = 0;
  std::string name;
  auto operator<=>(const Rank&) const = default;
};

bool is_root(Expr e) { return e.is(Kind::call) && e.function().kind() == Builtin::sqrt; }

/// A factor as a power of its base, with √a as half a power of a; negative below the bar.
HalfPower half_power(Expr factor) {
  const Expr base = factor.is(Kind::power) ? factor.args()[0] : factor;
  const int exponent = factor.is(Kind::power) ? factor.exponent() : 1;
  return is_root(base) ? HalfPower{base.args()[0], exponent} : HalfPower{base, 2 * exponent};
}

constexpr int functions_group = 100, sums_group = 200;

/// The smallest symbol below e: what a function or a sum is sorted by.
Rank first_symbol(Expr e) {
  Rank best{sums_group, 0, {}};
  for (const Symbol s : symbols_of(e)) {
    best = std::min(best, Rank{static_cast<int>(s.role()), s.attributes().order, s.name()});
  }
  return best;
}

Rank rank_of(const HalfPower& factor) {
  const Expr base = factor.base;
  const Rank inner = first_symbol(base);
  if (inner.group == sums_group) return {-1, 0, {}};  // a number such as √2
  if (factor.halves == 1 || base.is(Kind::call)) {
    const Builtin which = factor.halves == 1 ? Builtin::sqrt : base.function().kind();
    const std::string name = which == Builtin::abstract ? base.function().name() : std::string();
    // Functions of the same angle stand in the order of functions.def.
    return {functions_group + inner.group, inner.order,
            inner.name + '\1' + static_cast<char>('a' + static_cast<int>(which)) + name};
  }
  if (base.is(Kind::symbol)) return inner;
  return {sums_group + inner.group, inner.order, inner.name};
}

void sort_factors(std::vector<HalfPower>& factors) {
  std::vector<std::tuple<Rank, int, std::uint64_t, HalfPower>> ranked;
  for (const HalfPower& f : factors) ranked.emplace_back(rank_of(f), f.halves, f.base.hash(), f);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::get<3>(ranked[i]);
}

struct Degrees {
  int moving = 0, total = 0;
};

/// Degrees as a polynomial would have them; sums count their largest term, functions of angles count one.
Degrees degrees(Expr e, int depth = 0) {
  if (depth > 40) return {};
  switch (e.kind()) {
    case Kind::constant: return {};
    case Kind::symbol: return {moves(e.symbol().role()) ? 1 : 0, 1};
    case Kind::call: {
      return is_root(e) ? degrees(e.args()[0], depth + 1) : Degrees{0, 1};
    }
    case Kind::power: {
      const Degrees d = degrees(e.args()[0], depth + 1);
      return {d.moving * e.exponent(), d.total * e.exponent()};
    }
    case Kind::product: {
      Degrees all;
      for (const Expr f : e.args()) {
        const Degrees d = degrees(f, depth + 1);
        all.moving += d.moving;
        all.total += d.total;
      }
      return all;
    }
    case Kind::sum: {
      Degrees most;
      for (const Expr t : e.args()) {
        const Degrees d = degrees(t, depth + 1);
        most.moving = std::max(most.moving, d.moving);
        most.total = std::max(most.total, d.total);
      }
      return most;
    }
  }
  return {};
}

struct TermKey {
  int moving = 0, total = 0;
  std::vector<std::pair<Rank, int>> factors;  ///< with negated exponents: x² before x
  std::uint64_t hash = 0;
  auto operator<=>(const TermKey&) const = default;
};

TermKey key_of(Expr term) {
  const Degrees d = degrees(term);
  TermKey key{-d.moving, d.total, {}, term.hash()};
  const Fraction f = as_fraction(term);
  for (const HalfPower& factor : f.numerator) key.factors.emplace_back(rank_of(factor), -factor.halves);
  for (const HalfPower& factor : f.denominator) key.factors.emplace_back(rank_of(factor), factor.halves);
  return key;
}

}  // namespace

Fraction as_fraction(Expr e) {
  Fraction f;
  std::vector<Expr> factors;
  if (e.is(Kind::product)) {
    factors.assign(e.args().begin(), e.args().end());
  } else {
    factors.push_back(e);
  }
  std::vector<HalfPower> powers;
  for (const Expr factor : factors) {
    if (factor.is(Kind::constant)) {
      f.negative = factor.value().sign() < 0;
      f.above = f.negative ? -factor.value().numerator() : factor.value().numerator();
      f.below = factor.value().denominator();
      continue;
    }
    const HalfPower power = half_power(factor);
    const auto same =
        std::find_if(powers.begin(), powers.end(), [&](const HalfPower& p) { return p.base == power.base; });
    if (same == powers.end()) {
      powers.push_back(power);
    } else {
      same->halves += power.halves;
    }
  }
  for (const HalfPower& p : powers) {
    if (p.halves > 0) f.numerator.push_back(p);
    if (p.halves < 0) f.denominator.push_back({p.base, -p.halves});
  }
  sort_factors(f.numerator);
  sort_factors(f.denominator);
  return f;
}

std::vector<Expr> ordered_terms(Expr sum) {
  std::vector<std::pair<TermKey, Expr>> keyed;
  for (const Expr term : sum.args()) keyed.emplace_back(key_of(term), term);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Expr> terms;
  for (const auto& [key, term] : keyed) terms.push_back(term);
  const auto lead = std::find_if(terms.begin(), terms.end(),
                                 [](Expr t) { return split_coefficient(t).coefficient.sign() > 0; });
  if (lead != terms.end()) std::rotate(terms.begin(), lead, lead + 1);
  return terms;
}

std::optional<SymbolicPower> as_symbolic_power(Expr e) {
  if (!e.is(Kind::call) || e.function().kind() != Builtin::exp || !e.args()[0].is(Kind::product))
    return std::nullopt;
  const auto is_log = [](Expr f) { return f.is(Kind::call) && f.function().kind() == Builtin::log; };
  std::vector<Expr> rest;
  std::optional<Expr> base;
  for (const Expr f : e.args()[0].args()) {
    if (!base && is_log(f)) {
      base = f.args()[0];
    } else {
      rest.push_back(f);
    }
  }
  if (!base) return std::nullopt;
  const Expr exponent = product(rest);
  // exp(-log(x)) is not the node 1/x, and what is printed must be read as what it is.
  const bool other_node = exponent.is(Kind::constant) && (exponent.value() * Rational(2)).is_integer();
  if (other_node || pow(*base, exponent) != e) return std::nullopt;
  return SymbolicPower{*base, exponent};
}

std::size_t written_size(Expr e) {
  constexpr std::size_t most = std::size_t{1} << 40U;
  const Tape tape(std::span<const Expr>(&e, 1));
  std::vector<std::size_t> sizes;
  sizes.reserve(tape.size());
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    std::size_t size = 1;
    for (const std::uint32_t a : tape.args(slot)) size = std::min(most, size + sizes[a]);
    sizes.push_back(size);
  }
  return sizes.back();
}

}  // namespace rattleback
