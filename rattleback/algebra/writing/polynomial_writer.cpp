#include <rattleback/algebra/writing/polynomial_writer.hpp>

#include <flint/mpoly.h>

#include <algorithm>
#include <bit>
#include <limits>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/few.hpp>
#include <rattleback/algebra/arithmetic/packed_terms.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/trig_shapes.hpp>

namespace rattleback {
namespace {

std::size_t index(int g) { return static_cast<std::size_t>(g); }

long negative_terms(const Polynomial& p) {
  long count = 0;
  for (std::size_t i = 0; i < p.terms(); ++i) count += p.coefficient(i).sign() < 0 ? 1 : 0;
  return count;
}

/// More minuses than pluses; of as many, a minus before the term with fewest cosines, sines and roots.
bool reads_negative(const Polynomial& p) {
  const long excess = 2 * negative_terms(p) - static_cast<long>(p.terms());
  if (excess != 0) return excess > 0;
  std::optional<ulong> lowest;
  bool negative = false;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const std::vector<ulong> e = p.exponents(i);
    ulong degree = 0;
    for (const Relation& r : p.ring().relations()) {
      degree += e[index(r.generator)] + (r.partner >= 0 ? e[index(r.partner)] : 0);
    }
    if (lowest && degree >= *lowest) continue;
    lowest = degree;
    negative = p.coefficient(i).sign() < 0;
  }
  return negative;
}

}  // namespace

std::string key_of(const Polynomial& p) {
  const auto* raw = p.raw();
  const slong words = mpoly_words_per_exp(raw->bits, p.ring().context()->minfo);
  std::string key;
  const auto put = [&](const void* data, std::size_t bytes) {
    key.append(static_cast<const char*>(data), bytes);
  };
  const auto length = static_cast<std::size_t>(raw->length);
  const std::size_t monomials = length * static_cast<std::size_t>(words) * sizeof(ulong);
  key.reserve(sizeof raw->bits + monomials + length * sizeof(fmpz));
  put(&raw->bits, sizeof raw->bits);
  put(raw->exps, monomials);
  for (std::size_t i = 0; i < length; ++i) {
    const fmpz c = raw->coeffs[i];
    if (COEFF_IS_MPZ(c)) {
      key += p.coefficient(i).text();
    } else {
      put(&c, sizeof c);
    }
  }
  return key;
}

namespace {

/// The sum of some terms without some generators, in whose powers the terms agree: they are in order without them, too.
Polynomial coefficient_of(const PackedTerms& p, std::span<const std::size_t> terms,
                          const std::vector<ulong>& without) {
  Polynomial sum = p.empty(terms.size());
  for (const std::size_t i : terms) p.append(sum, i, without);
  return sum;
}

Polynomial divided(const Polynomial& p, const Rational& k) {
  Polynomial q(p);
  fmpz_mpoly_scalar_divexact_fmpz(q.raw(), p.raw(), fmpq_numref(k.raw()), p.ring().context());
  return q;
}

}  // namespace

PolynomialWriter::PolynomialWriter(const Field& field, int bound)
    : field_(field), pairs_(pairs_of(field.ring())), bound_(static_cast<std::size_t>(bound)) {
  for (int g = 0; g < field.ring().size(); ++g) {
    widths_.push_back(cost_(field.power_of(g, 1)));
    const Expr e = field.generators()[index(g)];
    if (e.is(Kind::symbol) && e.symbol().role() >= Role::velocity) velocities_.push_back(g);
  }
}

/// No way to write the sum of these terms without some generators is shorter: each of the other generators stands there, though a
/// sine may do for a cosine. −1 for a number.
int PolynomialWriter::least_width(const Exponents& exponents, std::span<const std::size_t> terms,
                                  const std::vector<int>& in) const {
  const auto words = exponents.generators_of(terms[0]);
  Few<std::uint64_t, 4> occurs(words.begin(), words.end());
  for (const std::size_t i : terms.subspan(1)) {
    const auto bits = exponents.generators_of(i);
    for (std::size_t w = 0; w < bits.size(); ++w) occurs[w] |= bits[w];
  }
  const auto has = [&](int g) { return (occurs[index(g) / 64] >> index(g) % 64 & 1U) != 0; };
  const auto remove = [&](int g) { occurs[index(g) / 64] &= ~(std::uint64_t{1} << index(g) % 64); };
  for (const int g : in) remove(g);
  for (const Relation* pair : pairs_)
    if (has(pair->partner)) remove(pair->generator);
  int width = terms.size() > 1 ? 2 : -1;  // a plus and its spaces, without the star before the first
  for (std::size_t w = 0; w < occurs.size(); ++w) {
    for (std::uint64_t left = occurs[w]; left != 0; left &= left - 1)
      width += widths_[64 * w + index(std::countr_zero(left))] + 1;
  }
  return width;
}

/// Eliminating the sine of one angle touches no other: which squares occur is seen once for all.
NormalForm::NormalForm(const Polynomial& p, std::span<const Relation* const> pairs) : form_(&p) {
  if (pairs.empty()) return;
  const PackedTerms terms(p, 0);
  const std::vector<ulong> used = terms.used();
  for (const Relation* pair : pairs) {
    const bool is_squared = terms.field(used, terms.place(pair->generator)) > 1;
    if (is_squared) form_ = &changed_.emplace(without_sin_squared(*form_, *pair));
  }
}

namespace {

/// Those with fewest terms, of as many those with fewest minuses; none with half as many terms again as another.
std::vector<Polynomial> fewest_terms(std::vector<Polynomial> shapes, std::size_t keep) {
  std::vector<std::pair<std::pair<std::size_t, long>, std::size_t>> order;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    order.push_back({{shapes[k].terms(), negative_terms(shapes[k])}, k});
  std::ranges::sort(order);
  std::vector<Polynomial> best;
  for (std::size_t k = 0; k < std::min(keep, order.size()); ++k) {
    const bool has_many = 2 * order[k].first.first > 3 * order[0].first.first;
    if (!has_many) best.push_back(std::move(shapes[order[k].second]));
  }
  return best;
}

}  // namespace

/// The few shapes of a normal form with fewest terms, that form among them if it is one of these.
const std::vector<Polynomial>& PolynomialWriter::shapes(const Polynomial& normal_form,
                                                        const std::string& key) {
  constexpr std::size_t keep = search_limits::shapes_of_a_polynomial.count;
  const auto [found, fresh] = known_shapes_.try_emplace(key);
  std::vector<Polynomial>& best = found->second;
  if (!fresh) return best;
  best.push_back(normal_form);
  if (normal_form.terms() > writer_limit) return best;
  for (const Relation* pair : pairs_) {
    // A normal form without cos² has no shape with fewer terms.
    if (normal_form.degree(pair->partner) < 2) continue;
    std::vector<Polynomial> next;
    const auto consider = [&](Polynomial shape) {
      if (std::ranges::find(next, shape) == next.end()) next.push_back(std::move(shape));
    };
    for (Polynomial& b : best) {
      Polynomial by_monomial = shaped_by_monomial(b, *pair), in_sines = without_cos_squared(b, *pair),
                 both = homogenised(b, *pair);
      for (Polynomial* shape : {&b, &by_monomial, &in_sines, &both}) consider(std::move(*shape));
    }
    best = fewest_terms(std::move(next), keep);
  }
  return best;
}

std::vector<int> PolynomialWriter::velocities(const Exponents& exponents) const {
  std::vector<int> out;
  for (const int g : velocities_) {
    if (exponents.contain(g)) out.push_back(g);
  }
  return out;
}

std::vector<int> PolynomialWriter::circular(const Exponents& exponents) const {
  std::vector<int> out;
  for (const Relation* pair : pairs_) {
    if (!exponents.contain(pair->generator) && !exponents.contain(pair->partner)) continue;
    out.push_back(pair->partner);
    out.push_back(pair->generator);
  }
  return out;
}

Expr PolynomialWriter::expanded(const Polynomial& p) {
  const Exponents exponents(p);
  std::vector<Expr> terms, factors;
  terms.reserve(p.terms());
  for (std::size_t i = 0; i < p.terms(); ++i) {
    factors.assign(1, Expr(p.coefficient(i)));
    const std::span<const ulong> e = exponents[i];
    for (std::size_t g = 0; g < e.size(); ++g) {
      if (e[g] != 0) factors.push_back(generator_power(static_cast<int>(g), static_cast<long>(e[g])));
    }
    terms.push_back(product(factors));
  }
  return sum(terms);
}

/// Σ monomial·coefficient over the monomials in some generators, when that joins terms and is not longer than `bound`.
std::optional<Expr> PolynomialWriter::collected(const Polynomial& p, const Exponents& exponents,
                                                const std::vector<int>& in, int depth, int bound) {
  if (in.empty()) return std::nullopt;
  const std::vector<std::size_t> order = grouped(exponents, in);
  struct Group {
    std::span<const std::size_t> terms;
    int least;  ///< width
  };
  std::vector<Group> groups;
  int width = -3;  // of " + "
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && same_powers(exponents, in, order[from], order[to])) ++to;
    Group group{std::span(order).subspan(from, to - from), 0};
    group.least = least_width(exponents, group.terms, in);
    for (const int g : in) group.least += exponents[order[from]][index(g)] != 0 ? widths_[index(g)] + 1 : 0;
    width += group.least + 3;
    groups.push_back(group);
  }
  if (groups.size() == 1 || groups.size() == p.terms()) return std::nullopt;
  std::vector<Expr> terms;
  if (width > bound) return std::nullopt;
  const PackedTerms packed(p, 0);
  const std::vector<ulong> without = packed.bits_of(in);
  for (const Group& group : groups) {
    if (width > bound) return std::nullopt;
    width -= group.least;
    std::vector<Expr> factors{written(coefficient_of(packed, group.terms, without), depth + 1)};
    for (const int g : in) {
      const ulong n = exponents[group.terms[0]][index(g)];
      if (n != 0) factors.push_back(generator_power(g, static_cast<long>(n)));
    }
    terms.push_back(product(factors));
    width += cost_(terms.back());
  }
  return sum(terms);
}

bool PolynomialWriter::worth_a_search(const Polynomial& p) {
  constexpr std::size_t most_effort = search_limits::searched_polynomials.count, work_per_term = 20;
  effort_ += p.terms();
  Budget::charge_work(work_per_term * p.terms());
  return p.terms() <= writer_limit && letters_per_term * p.terms() <= bound_ && effort_ <= most_effort;
}

/// The shortest way to write p; something longer when all are longer than `bound`.
Expr PolynomialWriter::shortest_sum(const Polynomial& p, int depth, int bound) {
  Expr best = expanded(p);
  if (depth > 1 || !worth_a_search(p)) return best;
  const Exponents exponents(p);
  const auto consider_collected = [&](const std::vector<int>& in) {
    const auto candidate = collected(p, exponents, in, depth, std::min(bound, cost_(best)));
    if (candidate) best = shorter(best, *candidate);
  };
  consider_collected(velocities(exponents));
  consider_collected(circular(exponents));
  const std::size_t small = depth == 0 ? 12 : 6;
  if (p.terms() > small) return best;
  // Generators that come and go together are collected together: their powers are common factors of the parts.
  std::vector<std::vector<ulong>> seen;
  for (int g = 0; g < p.ring().size(); ++g) {
    if (!exponents.contain(g)) continue;
    std::vector<ulong> powers = pattern(exponents, g);
    if (!joins_terms(powers) || std::ranges::find(seen, powers) != seen.end()) continue;
    consider_collected({g});
    seen.push_back(std::move(powers));
  }
  return best;
}

Expr PolynomialWriter::written_sum(const Polynomial& p, int depth) {
  return remembered(known_sums_[depth], p, depth, &PolynomialWriter::shortest_shape_of_sum);
}

/// Ways to write the same are asked for again as they are written; only others need their normal form.
Expr PolynomialWriter::remembered(Memory& known, const Polynomial& p, int depth, Search search) {
  std::string as_written = key_of(p);
  if (const auto found = known.find(as_written); found != known.end()) return found->second;
  const NormalForm normal_form(p, pairs_);
  if (&*normal_form == &p) {
    const Expr best = (this->*search)(p, as_written, depth);
    return known.emplace(std::move(as_written), best).first->second;
  }
  std::string key = key_of(*normal_form);
  auto found = known.find(key);
  if (found == known.end()) {
    const Expr best = (this->*search)(*normal_form, key, depth);
    found = known.emplace(std::move(key), best).first;
  }
  return known.emplace(std::move(as_written), found->second).first->second;
}

Expr PolynomialWriter::shortest_shape_of_sum(const Polynomial& normal_form, const std::string& key,
                                             int depth) {
  std::optional<Expr> best;
  for (const Polynomial& shape : shapes(normal_form, key)) {
    const int bound = best ? cost_(*best) : std::numeric_limits<int>::max();
    const Expr candidate = shortest_sum(shape, depth, bound);
    best = best ? shorter(*best, candidate) : candidate;
  }
  return *best;
}

Expr PolynomialWriter::written(const Polynomial& p, int depth) {
  if (p.is_zero()) return Expr(0);
  return remembered(known_[depth], p, depth, &PolynomialWriter::shortest_product);
}

Expr PolynomialWriter::shortest_product(const Polynomial& normal_form, const std::string& key, int depth) {
  std::optional<Expr> best;
  std::size_t tried = 0;
  for (const Polynomial& shape : shapes(normal_form, key)) {
    constexpr std::size_t of_a_coefficient = 2;  // more of them cost more than they shorten
    if (depth > 0 && ++tried > of_a_coefficient) break;
    Pieces pieces;
    pieces.exponents.resize(index(normal_form.ring().size()));
    take(pieces, shape, 1);
    const Expr candidate = assembled(std::move(pieces), depth);
    best = best ? shorter(*best, candidate) : candidate;
  }
  return *best;
}

/// Larger polynomials than those worth a search are still factored; the largest only lose their content.
const Factored& PolynomialWriter::factors_of(const Polynomial& p) {
  const auto [found, fresh] = known_factors_.try_emplace(key_of(p));
  Factored& f = found->second;
  if (!fresh) return f;
  if (p.terms() <= 10 * writer_limit) {
    f = factored(p);
  } else {
    f.constant = content(p);
    f.factors.push_back({divided(p, f.constant), 1});
  }
  return f;
}

namespace {

/// The pieces times (the only term of p)^n.
void take_term(Pieces& pieces, const Polynomial& p, long n) {
  const std::vector<ulong> e = p.exponents(0);
  for (std::size_t g = 0; g < e.size(); ++g) pieces.exponents[g] += n * static_cast<long>(e[g]);
}

}  // namespace

/// Multiplies p^direction into the pieces.
void PolynomialWriter::take(Pieces& pieces, const Polynomial& p, int direction) {
  if (p.terms() == 1) {
    const Rational c = p.coefficient(0);
    pieces.constant = direction > 0 ? pieces.constant * c : pieces.constant / c;
    take_term(pieces, p, direction);
    return;
  }
  const Factored& f = factors_of(p);
  pieces.constant = direction > 0 ? pieces.constant * f.constant : pieces.constant / f.constant;
  for (const auto& [base, exponent] : f.factors) {
    const long n = direction * exponent;
    if (base.terms() == 1) {
      take_term(pieces, base, n);
      if (base.coefficient(0).sign() < 0 && n % 2 != 0) pieces.constant = -pieces.constant;
      continue;
    }
    const bool flip = reads_negative(base);
    if (flip && n % 2 != 0) pieces.constant = -pieces.constant;
    pieces.sums.emplace_back(flip ? -base : base, n);
  }
}

bool PolynomialWriter::is_hopeless(const Polynomial& n, const Polynomial& d) {
  Pieces pieces;
  pieces.exponents.resize(index(n.ring().size()));
  take(pieces, n, 1);
  take(pieces, d, -1);
  return letters_per_term * terms_of(pieces) > bound_;
}

std::size_t PolynomialWriter::terms_of(const Pieces& pieces) const {
  std::size_t terms = 0;
  for (const auto& [base, exponent] : pieces.sums) terms += base.terms();
  return terms;
}

}  // namespace rattleback
