#include <rattleback/native/factored.hpp>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

namespace rattleback {
namespace {

/// ± size Π base^exponent: the size is a constant of the code, the bases move.
struct Term {
  bool negative = false;
  Expr size = 1;
  std::vector<std::pair<Expr, int>> powers;

  Term(Expr e, const Moves& moves) {
    if (e.is(Kind::product)) {
      for (const Expr x : e.args()) add(x, moves);
    } else {
      add(e, moves);
    }
    std::sort(powers.begin(), powers.end(),
              [](const auto& a, const auto& b) { return a.first.hash() < b.first.hash(); });
    merge();
  }
  /// A product may have a base twice: of x·(√x)² the square has become x after the product was put in order.
  void merge() {
    std::vector<std::pair<Expr, int>> once;
    for (const auto& [base, e] : powers) {
      const auto same =
          std::find_if(once.begin(), once.end(), [&](const auto& p) { return p.first == base; });
      if (same == once.end())
        once.emplace_back(base, e);
      else
        same->second += e;
    }
    std::erase_if(once, [](const auto& p) { return p.second == 0; });
    powers = std::move(once);
  }
  void add(Expr x, const Moves& moves) {
    if (x.is(Kind::constant)) {
      negative = negative != (x.value().sign() < 0);
      size = size * Expr(x.value().sign() < 0 ? -x.value() : x.value());
    } else if (!moves(x)) {
      size = size * x;
    } else if (x.is(Kind::power)) {
      powers.emplace_back(x.args()[0], x.exponent());
    } else {
      powers.emplace_back(x, 1);
    }
  }
  int exponent(Expr base) const {
    const auto found =
        std::find_if(powers.begin(), powers.end(), [&](const auto& p) { return p.first == base; });
    return found == powers.end() ? 0 : found->second;
  }
  void divide(Expr base, int exponent) {
    for (auto& [b, e] : powers)
      if (b == base) e -= exponent;
    std::erase_if(powers, [](const auto& p) { return p.second == 0; });
  }
  Expr coefficient() const { return negative ? -size : size; }
  Expr value() const {
    std::vector<Expr> factors{coefficient()};
    for (const auto& [base, e] : powers) factors.push_back(pow(base, e));
    return product(factors);
  }
  /// A sign costs nothing.
  std::size_t factors() const { return powers.size() + (size.is_one() ? 0 : 1); }
};

/// Terms that differ in constants only become one.
std::vector<Term> collected(const std::vector<Term>& terms) {
  std::vector<Term> result;
  for (const Term& t : terms) {
    const auto same = std::find_if(result.begin(), result.end(),
                                   [&](const Term& u) { return !t.powers.empty() && u.powers == t.powers; });
    if (same == result.end()) {
      result.push_back(t);
    } else {
      same->size = same->coefficient() + t.coefficient();
      same->negative = false;
    }
  }
  std::erase_if(result, [](const Term& t) { return t.size.is_zero(); });
  return result;
}

/// The factor of all terms, which are divided by it.
Expr content(std::vector<Term>& terms) {
  std::vector<Expr> common;
  const auto powers = terms.front().powers;
  for (const auto& [base, exponent] : powers) {
    int least = exponent;
    for (const Term& t : terms) {
      const int e = t.exponent(base);
      least = (e < 0) != (least < 0) ? 0 : std::abs(e) < std::abs(least) ? e : least;
    }
    if (least == 0) continue;
    common.push_back(pow(base, least));
    for (Term& t : terms) t.divide(base, least);
  }
  const Expr size = terms.front().size;
  if (std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return t.size == size; })) {
    common.push_back(size);
    for (Term& t : terms) t.size = 1;
  }
  return product(common);
}

bool has(const Term& t, Expr factor) {
  return t.factors() >= 3 && (t.size == factor || t.exponent(factor) > 0);
}

/// The factor that most terms of three and more factors have, if two of them do.
std::optional<Expr> most_common_factor(const std::vector<Term>& terms) {
  std::optional<Expr> best;
  std::ptrdiff_t most = 1;
  const auto consider = [&](Expr factor) {
    const auto count =
        std::count_if(terms.begin(), terms.end(), [&](const Term& t) { return has(t, factor); });
    if (count <= most) return;
    best = factor;
    most = count;
  };
  for (const Term& t : terms) {
    if (t.factors() < 3) continue;
    if (!t.size.is_one()) consider(t.size);
    for (const auto& [base, exponent] : t.powers)
      if (exponent > 0) consider(base);
  }
  return best;
}

Expr sum_of(std::vector<Term> terms) {
  if (terms.size() > 1) {
    const Expr common = content(terms);
    if (!common.is_one()) return common * sum_of(std::move(terms));
    if (const std::optional<Expr> factor = most_common_factor(terms)) {
      std::vector<Term> with, without;
      for (Term& t : terms) (has(t, *factor) ? with : without).push_back(std::move(t));
      for (Term& t : with) t.size == *factor ? void(t.size = 1) : t.divide(*factor, 1);
      return *factor * sum_of(std::move(with)) + sum_of(std::move(without));
    }
  }
  std::vector<Expr> all;
  for (const Term& t : terms) all.push_back(t.value());
  return sum(all);
}

}  // namespace

bool Moves::operator()(Expr e) const {
  allow_recursion();
  if (e.is(Kind::constant)) return false;
  if (e.is(Kind::symbol)) return std::find(inputs_.begin(), inputs_.end(), e.symbol()) != inputs_.end();
  const auto known = known_.find(e.id());
  if (known != known_.end()) return known->second;
  const auto args = e.args();
  const bool result = std::any_of(args.begin(), args.end(), [&](Expr x) { return (*this)(x); });
  known_.emplace(e.id(), result);
  return result;
}

Expr factored(std::span<const Expr> terms, const Moves& moves) {
  std::vector<Term> all;
  for (const Expr e : terms) all.emplace_back(e, moves);
  return sum_of(collected(all));
}

SharedProducts::SharedProducts(std::vector<std::vector<std::uint32_t>> products, std::uint32_t operands)
    : products_(std::move(products)), first_pair_(operands) {
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Key, int> count;
  const auto key = [](std::uint32_t a, std::uint32_t b) { return Key(std::min(a, b), std::max(a, b)); };
  const auto add_all = [&](const std::vector<std::uint32_t>& p, int by) {
    if (p.size() > search_limits::factors_of_shared_products.count) return;
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = i + 1; j < p.size(); ++j) count[key(p[i], p[j])] += by;
  };
  for (const auto& p : products_) add_all(p, 1);
  for (;;) {
    const auto best = std::max_element(count.begin(), count.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == count.end() || best->second < 2) return;
    const auto [a, b] = best->first;
    const auto made = static_cast<std::uint32_t>(first_pair_ + pairs_.size());
    pairs_.push_back({a, b});
    for (auto& p : products_) {
      if (p.size() > search_limits::factors_of_shared_products.count) continue;
      const auto first = std::find(p.begin(), p.end(), a), second = std::find(p.begin(), p.end(), b);
      if (first == p.end() || second == p.end()) continue;
      add_all(p, -1);
      *first = made;
      p.erase(second);
      add_all(p, 1);
    }
    count.erase({a, b});
  }
}

}  // namespace rattleback
