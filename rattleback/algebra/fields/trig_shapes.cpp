#include <rattleback/algebra/fields/trig_shapes.hpp>

#include <algorithm>
#include <array>
#include <numeric>

#include <rattleback/algebra/arithmetic/packed_terms.hpp>

namespace rattleback {
namespace {

/// k c^c s^s, of one angle.
struct Angular {
  ulong c, s;
  Rational k;
};
using Sum = std::vector<Angular>;

/// Adds k c^c s^s · Σ_b (n over b) x^b y^(n−b), where x and y are the squares c², s² or 1 with their signs.
struct Square {
  ulong c, s;  ///< exponents
  int sign;
};
template <class Add>
void expand(const Angular& term, Square x, Square y, ulong n, const Add& add) {
  if (n == 0) return add(term);
  long binomial = 1;
  for (ulong b = 0; b <= n; ++b) {
    const bool negative = (x.sign < 0 && b % 2 == 1) != (y.sign < 0 && (n - b) % 2 == 1);
    const Rational k = binomial == 1 ? term.k : term.k * Rational(binomial);
    add(Angular{term.c + b * x.c + (n - b) * y.c, term.s + b * x.s + (n - b) * y.s, negative ? -k : k});
    binomial = binomial * static_cast<long>(n - b) / static_cast<long>(b + 1);
  }
}

/// s² → σ(1 − c²).
template <class Add>
void without_sin_squared(Angular term, int sigma, const Add& add) {
  const ulong n = term.s / 2;
  term.s %= 2;
  expand(term, {2, 0, -sigma}, {0, 0, sigma}, n, add);
}

/// c² → 1 − σs².
template <class Add>
void without_cos_squared(Angular term, int sigma, const Add& add) {
  const ulong n = term.c / 2;
  term.c %= 2;
  expand(term, {0, 2, -sigma}, {0, 0, 1}, n, add);
}

/// The largest degree of each parity.
using Degrees = std::array<ulong, 2>;
void raise(Degrees& most, ulong degree) { most[degree % 2] = std::max(most[degree % 2], degree); }

/// 1 → c² + σs², up to the largest degree of the same parity.
template <class Add>
void homogenised(const Angular& term, int sigma, const Degrees& most, const Add& add) {
  const ulong degree = term.c + term.s;
  expand(term, {2, 0, 1}, {0, 2, sigma}, (most[degree % 2] - degree) / 2, add);
}

/// A polynomial term by term, with the exponents of one pair apart.
class TrigTerms {
 public:
  TrigTerms(const Polynomial& p, const Relation& pair)
      : terms_(p, largest(p, pair)),
        c_(terms_.place(pair.partner)),
        s_(terms_.place(pair.generator)),
        pair_(terms_.bits_of(std::array{pair.partner, pair.generator})),
        nothing_(pair_.size(), 0) {
    constexpr std::size_t relation = 2;  // terms of the relation
    allow_product(p.terms(), relation);
  }
  std::size_t size() const { return terms_.size(); }
  Angular angular(std::size_t i) const {
    return {terms_.exponent(i, c_), terms_.exponent(i, s_), terms_.coefficient(i)};
  }
  ulong cosines(std::size_t i) const { return terms_.exponent(i, c_); }
  ulong sines(std::size_t i) const { return terms_.exponent(i, s_); }
  Polynomial empty() const { return terms_.empty(2 * size()); }
  /// out += term i, as it is.
  void keep(Polynomial& out, std::size_t i) const { terms_.append(out, i, nothing_); }
  /// out += term · the other generators of term i.
  void add(Polynomial& out, std::size_t i, const Angular& term) const {
    terms_.append(out, i, term.k, pair_);
    terms_.put(out, c_, term.c);
    terms_.put(out, s_, term.s);
  }
  /// All terms, those with the same other generators side by side.
  std::vector<std::size_t> by_monomial() const {
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return terms_.compared(i, j, pair_) < 0; });
    return order;
  }
  bool same_monomial(std::size_t i, std::size_t j) const { return terms_.compared(i, j, pair_) == 0; }

 private:
  /// No shape has a higher degree in c and s together.
  static ulong largest(const Polynomial& p, const Relation& pair) {
    return static_cast<ulong>(p.degree(pair.partner) + p.degree(pair.generator) + 1);
  }
  PackedTerms terms_;
  PackedTerms::Place c_, s_;
  std::vector<ulong> pair_, nothing_;  ///< bits
};

/// Every term c^c s^s that does not stay replaced by what `change` adds for it.
template <class Stays, class Change>
Polynomial changed(const TrigTerms& terms, const Stays& stays, const Change& change) {
  Polynomial sum = terms.empty();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (stays(terms.cosines(i), terms.sines(i))) {
      terms.keep(sum, i);
    } else {
      change(terms.angular(i), [&](const Angular& term) { terms.add(sum, i, term); });
    }
  }
  sum.collect();
  return sum;
}

void add_to(Sum& sum, const Angular& term) {
  const auto same =
      std::ranges::find_if(sum, [&](const Angular& t) { return t.c == term.c && t.s == term.s; });
  if (same == sum.end()) {
    sum.push_back(term);
  } else {
    same->k = same->k + term.k;
  }
}

template <class Change>
Sum changed(const Sum& p, const Change& change) {
  Sum sum;
  for (const Angular& term : p) change(term, [&](const Angular& t) { add_to(sum, t); });
  std::erase_if(sum, [](const Angular& t) { return t.k.is_zero(); });
  return sum;
}

/// With sin² or cos² eliminated or combined, whichever has fewest terms; one term stays as it is.
Sum shortest_shape(const Sum& p, int sigma) {
  if (p.size() == 1 && p[0].s < 2) return p;
  Sum best = changed(p, [&](const Angular& t, const auto& add) { without_sin_squared(t, sigma, add); });
  Degrees most{0, 0};
  for (const Angular& t : best) raise(most, t.c + t.s);
  const Sum sines =
                changed(best, [&](const Angular&t, const auto&add) { without_cos_squared(t, sigma, add); }),
            both = changed(best, [&](const Angular&t, const auto&add) { homogenised(t, sigma, most, add); });
  for (const Sum* shape : {&sines, &both}) {
    if (shape->size() < best.size()) best = *shape;
  }
  return best;
}

}  // namespace

Polynomial without_sin_squared(Polynomial p, const Relation& pair) {
  if (p.degree(pair.generator) < 2) return p;
  return changed(
      TrigTerms(p, pair), [](ulong, ulong sines) { return sines < 2; },
      [&](const Angular& t, const auto& add) { without_sin_squared(t, pair.sigma, add); });
}

Polynomial without_cos_squared(Polynomial p, const Relation& pair) {
  if (p.degree(pair.partner) < 2) return p;
  return changed(
      TrigTerms(p, pair), [](ulong cosines, ulong) { return cosines < 2; },
      [&](const Angular& t, const auto& add) { without_cos_squared(t, pair.sigma, add); });
}

Polynomial homogenised(const Polynomial& p, const Relation& pair) {
  const TrigTerms terms(p, pair);
  Degrees most{0, 0};
  for (std::size_t i = 0; i < terms.size(); ++i) raise(most, terms.cosines(i) + terms.sines(i));
  return changed(
      terms, [&](ulong c, ulong s) { return c + s == most[(c + s) % 2]; },
      [&](const Angular& t, const auto& add) { homogenised(t, pair.sigma, most, add); });
}

Polynomial shaped_by_monomial(const Polynomial& p, const Relation& pair) {
  const TrigTerms terms(p, pair);
  const std::vector<std::size_t> order = terms.by_monomial();
  Polynomial sum = terms.empty();
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    const bool alone = from + 1 == order.size() || !terms.same_monomial(order[from], order[from + 1]);
    if (alone && terms.sines(order[from]) < 2) {
      terms.keep(sum, order[from]);
      to = from + 1;
      continue;
    }
    Sum group;
    for (; to < order.size() && terms.same_monomial(order[from], order[to]); ++to)
      group.push_back(terms.angular(order[to]));
    for (const Angular& term : shortest_shape(group, pair.sigma)) terms.add(sum, order[from], term);
  }
  sum.collect();
  return sum;
}

bool involves(const Polynomial& p, const Relation& pair) {
  return p.degree(pair.generator) > 0 || p.degree(pair.partner) > 0;
}

std::vector<const Relation*> pairs_of(const Ring& ring) {
  std::vector<const Relation*> pairs;
  for (const Relation& r : ring.relations()) {
    if (r.partner >= 0) pairs.push_back(&r);
  }
  return pairs;
}

}  // namespace rattleback
