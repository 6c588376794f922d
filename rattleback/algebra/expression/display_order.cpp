#include <rattleback/algebra/expression/display_order.hpp>

#include <algorithm>
#include <tuple>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

constexpr int functions_group = 100, sums_group = 200;

bool moves(Role role) { return role >= Role::velocity; }

int clamped(std::int64_t degree) {
  constexpr std::int64_t cap = 1'000'000'000;
  return static_cast<int>(std::clamp(degree, -cap, cap));
}

/// A factor as a power of its base, with √a as half a power of a; negative below the bar.
HalfPower as_half_power(const WrittenPtr& factor) {
  return factor->half_power.base ? factor->half_power : HalfPower{factor, 2};
}

SortKey sort_key(const HalfPower& factor) {
  const Written& base = *factor.base;
  const SortKey& inner = base.first;
  if (inner.group == sums_group) return {-1, 0, {}};  // a number such as √2
  if (factor.halves == 1 || base.kind == Kind::call) {
    const bool root = factor.halves == 1;
    const Builtin which = root ? Builtin::sqrt : base.function;
    // Functions of the same angle stand in the order of functions.def.
    return {functions_group + inner.group, inner.order,
            inner.name + '\1' + static_cast<char>('a' + static_cast<int>(which)) +
                (root ? std::string() : base.function_name)};
  }
  if (base.kind == Kind::symbol) return inner;
  return {sums_group + inner.group, inner.order, inner.name};
}

void sort_factors(std::vector<HalfPower>& factors) {
  std::vector<std::tuple<SortKey, int, std::uint64_t, HalfPower>> ranked;
  for (const HalfPower& f : factors) ranked.emplace_back(sort_key(f), f.halves, f.base->hash, f);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::get<3>(ranked[i]);
}

Fraction fraction_of(const Rational& number, std::span<const WrittenPtr> factors) {
  Fraction f;
  f.negative = number.sign() < 0;
  f.above = f.negative ? -number.numerator() : number.numerator();
  f.below = number.denominator();
  std::vector<HalfPower> powers;
  for (const WrittenPtr& factor : factors) {
    const HalfPower power = as_half_power(factor);
    const auto same = std::ranges::find(powers, power.base, &HalfPower::base);
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

/// Higher degree in velocities first, then lower total degree, then by the factors.
struct TermKey {
  int moving = 0, total = 0;
  std::vector<std::pair<SortKey, int>> factors;  ///< with negated exponents: x² before x
  std::uint64_t hash = 0;
  auto operator<=>(const TermKey&) const = default;
};

TermKey key_of(const WrittenPtr& term) {
  TermKey key{-term->moving, term->total, {}, term->hash};
  const bool whole = term->kind == Kind::symbol || term->kind == Kind::sum || term->kind == Kind::call ||
                     (term->kind == Kind::power && term->fraction.denominator.empty());
  const Fraction f = whole ? fraction_of(1, std::span(&term, 1)) : term->fraction;
  for (const HalfPower& factor : f.numerator) key.factors.emplace_back(sort_key(factor), -factor.halves);
  for (const HalfPower& factor : f.denominator) key.factors.emplace_back(sort_key(factor), factor.halves);
  return key;
}

/// A positive term leads when there is one.
std::vector<WrittenPtr> ordered_terms(std::span<const WrittenPtr> xs) {
  std::vector<std::pair<TermKey, WrittenPtr>> keyed;
  for (const WrittenPtr& term : xs) keyed.emplace_back(key_of(term), term);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<WrittenPtr> terms;
  for (const auto& [key, term] : keyed) terms.push_back(term);
  const auto lead =
      std::find_if(terms.begin(), terms.end(), [](const WrittenPtr& t) { return t->coefficient.sign() > 0; });
  if (lead != terms.end()) std::rotate(terms.begin(), lead, lead + 1);
  return terms;
}

/// The interpretation of a formula as what people write.
class Writing {
 public:
  using Value = WrittenPtr;
  explicit Writing(const Notation& notation) : notation_(notation) {}

  WrittenPtr constant(const Rational& c) const {
    Written w = outline(Kind::constant, constant_hash(c), {});
    w.coefficient = c;
    w.fraction = fraction_of(c, {});
    return phrased(w, notation_.fraction(w.fraction));
  }

  WrittenPtr symbol(Symbol s) const {
    Written w = outline(Kind::symbol, symbol_hash(s), {});
    w.first = {static_cast<int>(s.role()), s.attributes().order, s.name()};
    w.moving = moves(s.role()) ? 1 : 0;
    w.total = 1;
    return phrased(w, notation_.symbol(s));
  }

  WrittenPtr sum(std::span<const WrittenPtr> xs) const {
    Written w = outline(Kind::sum, nary_hash(Kind::sum), xs);
    for (const WrittenPtr& x : xs) {
      w.moving = std::max(w.moving, x->moving);
      w.total = std::max(w.total, x->total);
    }
    return phrased(w, notation_.sum(ordered_terms(xs)));
  }

  WrittenPtr product(std::span<const WrittenPtr> xs) const {
    Written w = outline(Kind::product, nary_hash(Kind::product), xs);
    for (const WrittenPtr& x : xs) {
      w.moving = clamped(std::int64_t{w.moving} + x->moving);
      w.total = clamped(std::int64_t{w.total} + x->total);
    }
    w.args.assign(xs.begin(), xs.end());
    if (xs[0]->kind == Kind::constant) w.coefficient = xs[0]->coefficient;
    w.fraction = fraction_of(w.coefficient, xs[0]->kind == Kind::constant ? xs.subspan(1) : xs);
    return phrased(w, notation_.fraction(w.fraction));
  }

  WrittenPtr power(const WrittenPtr& x, int n) const {
    Written w = outline(Kind::power, 0, std::span(&x, 1));
    w.hash = power_hash(x->hash, n);
    w.moving = clamped(std::int64_t{x->moving} * n);
    w.total = clamped(std::int64_t{x->total} * n);
    const HalfPower base = as_half_power(x);
    w.half_power = {base.base, base.halves * n};
    if (n > 0) return phrased(w, notation_.power(w.half_power));
    w.fraction.denominator = {{w.half_power.base, -w.half_power.halves}};
    return phrased(w, notation_.fraction(w.fraction));
  }

  WrittenPtr call(Function f, std::span<const WrittenPtr> xs) const {
    Written w = outline(Kind::call, call_hash(f), xs);
    w.args.assign(xs.begin(), xs.end());
    w.function = f.kind();
    if (f.is_abstract()) w.function_name = f.name();
    w.total = 1;
    if (f.kind() == Builtin::sqrt) {
      w.half_power = {xs[0], 1};
      w.moving = xs[0]->moving;
      w.total = xs[0]->total;
    }
    if (f.kind() == Builtin::exp) {
      if (auto phrase = symbolic_power(*xs[0])) return phrased(w, std::move(*phrase));
    }
    return phrased(w, notation_.call(f, xs));
  }

 private:
  /// What all kinds have in common.
  static Written outline(Kind kind, std::uint64_t hash, std::span<const WrittenPtr> xs) {
    Written w;
    w.kind = kind;
    w.first = {sums_group, 0, {}};
    w.hash = hash;
    for (const WrittenPtr& x : xs) {
      w.first = std::min(w.first, x->first);
      w.hash = mix(w.hash, x->hash);
    }
    return w;
  }

  static WrittenPtr phrased(Written& w, Phrase phrase) {
    static_cast<Phrase&>(w) = std::move(phrase);
    return std::make_shared<const Written>(std::move(w));
  }

  /// exp(k·log b): people write b^k. Not for k = n/2, because exp(-log(x)) is not the node 1/x and what is printed
  /// must be read as what it is.
  std::optional<Phrase> symbolic_power(const Written& exponent) const {
    if (exponent.kind != Kind::product) return std::nullopt;
    const auto is_log = [](const WrittenPtr& f) {
      return f->kind == Kind::call && f->function == Builtin::log;
    };
    const auto log = std::ranges::find_if(exponent.args, is_log);
    if (log == exponent.args.end()) return std::nullopt;
    std::vector<WrittenPtr> rest(exponent.args.begin(), log);
    rest.insert(rest.end(), log + 1, exponent.args.end());
    const WrittenPtr k = rest.size() == 1 ? rest[0] : product(rest);
    if (k->kind == Kind::constant && (k->coefficient * Rational(2)).is_integer()) return std::nullopt;
    return notation_.power(*(*log)->args[0], *k);
  }

  const Notation& notation_;
};

/// A Notation that prints nothing: for callers that need only the order.
struct Unwritten : Notation {
  Phrase symbol(Symbol) const override { return {}; }
  Phrase sum(std::span<const WrittenPtr>) const override { return {}; }
  Phrase fraction(const Fraction&) const override { return {}; }
  Phrase power(const HalfPower&) const override { return {}; }
  Phrase power(const Written&, const Written&) const override { return {}; }
  Phrase call(Function, std::span<const WrittenPtr>) const override { return {}; }
};

struct WrittenSize {
  using Value = std::size_t;
  static std::size_t joined(std::span<const std::size_t> xs) {
    constexpr std::size_t cap = std::size_t{1} << 40U;
    std::size_t size = 1;
    for (const std::size_t x : xs) size = std::min(cap, size + x);
    return size;
  }
  std::size_t constant(const Rational&) const { return 1; }
  std::size_t symbol(Symbol) const { return 1; }
  std::size_t sum(std::span<const std::size_t> xs) const { return joined(xs); }
  std::size_t product(std::span<const std::size_t> xs) const { return joined(xs); }
  std::size_t power(std::size_t x, int) const { return joined(std::span(&x, 1)); }
  std::size_t call(Function, std::span<const std::size_t> xs) const { return joined(xs); }
};

}  // namespace

Phrase written(Expr e, const Notation& notation) {
  if (written_size(e) > input_limits::printed_formula.count)
    throw Exhausted("the written-out formula has more than a million terms");
  Writing in(notation);
  return *interpret(e, in);
}

std::vector<Expr> ordered_terms(Expr sum) {
  const Unwritten notation;
  Writing in(notation);
  const std::vector<WrittenPtr> terms = interpret(sum.args(), in);
  std::vector<Expr> out;
  for (const WrittenPtr& term : ordered_terms(terms))
    out.push_back(sum.args()[static_cast<std::size_t>(std::ranges::find(terms, term) - terms.begin())]);
  return out;
}

std::size_t written_size(Expr e) {
  WrittenSize in;
  return interpret(e, in);
}

std::vector<std::size_t> written_sizes(const Tape& tape) {
  WrittenSize in;
  return run(tape, in);
}

}  // namespace rattleback
