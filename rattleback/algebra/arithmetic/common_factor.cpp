#include <rattleback/algebra/arithmetic/common_factor.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/common_term.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/interruptible.hpp>
#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/arithmetic/packed_terms.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>

namespace rattleback {
namespace {

/// A fixed random word for every generator.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// Some terms of a polynomial, which outlives them. What all of them use is unpacked once: where the exponents of the generators
/// that occur stand, and the coefficients modulo p.
class FactorTerms {
 public:
  explicit FactorTerms(const Polynomial& p) : of_(std::make_shared<Source>(p)), places_(p.terms()) {
    std::iota(places_.begin(), places_.end(), std::size_t{0});
  }

  std::size_t size() const { return places_.size(); }
  std::size_t width() const { return of_->places.size(); }
  ModP coefficient(std::size_t i) const { return of_->coefficients[places_[i]]; }
  /// Which term of the polynomial it is.
  std::size_t place(std::size_t i) const { return places_[i]; }
  /// The generators that occur in the polynomial.
  std::span<const std::size_t> generators() const { return of_->generators; }
  ulong exponent(std::size_t i, std::size_t g) const {
    return of_->packed.exponent(places_[i], of_->places[g]);
  }

  /// The difference of the largest and the least exponent of each generator.
  std::vector<ulong> ranges() const {
    std::vector<ulong> most(width(), 0);
    for (const std::size_t g : generators()) {
      ulong least = exponent(0, g);
      most[g] = least;
      for (std::size_t i = 1; i < size(); ++i) {
        const ulong e = exponent(i, g);
        least = std::min(least, e);
        most[g] = std::max(most[g], e);
      }
      most[g] -= least;
    }
    return most;
  }

  /// A hash of the monomial of each term in the generators that are not marked.
  std::vector<std::uint64_t> keys(const std::vector<bool>& marked) const {
    std::vector<int> inside;
    for (const std::size_t g : generators()) {
      if (marked[g]) inside.push_back(static_cast<int>(g));
    }
    const std::vector<ulong> bits = of_->packed.bits_of(inside);
    std::vector<std::uint64_t> keys(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      const std::span<const ulong> words = of_->packed.words(places_[i]);
      for (std::size_t w = 0; w < words.size(); ++w)
        keys[i] = (keys[i] ^ (words[w] & ~bits[w])) * 0x9E3779B97F4A7C15U + (keys[i] >> 29U);
    }
    return keys;
  }

  FactorTerms only(std::span<const std::size_t> chosen) const {
    FactorTerms part(*this, chosen.size());
    for (const std::size_t i : chosen) part.places_.push_back(places_[i]);
    return part;
  }

 private:
  struct Source {
    explicit Source(const Polynomial& p) : packed(p, 0), places(static_cast<std::size_t>(p.ring().size())) {
      const std::vector<ulong> used = packed.used();
      for (std::size_t g = 0; g < places.size(); ++g) {
        places[g] = packed.place(static_cast<int>(g));
        if (packed.field(used, places[g]) != 0) generators.push_back(g);
      }
      coefficients.reserve(p.terms());
      for (std::size_t i = 0; i < p.terms(); ++i)
        coefficients.emplace_back(static_cast<long>(fmpz_fdiv_ui(p.raw()->coeffs + i, modulus_of_numbers)));
    }
    PackedTerms packed;
    std::vector<PackedTerms::Place> places;
    std::vector<std::size_t> generators;
    std::vector<ModP> coefficients;
  };
  FactorTerms(const FactorTerms& other, std::size_t room) : of_(other.of_) { places_.reserve(room); }

  std::shared_ptr<const Source> of_;
  std::vector<std::size_t> places_;
};

/// The terms of p by the monomial that they have in the generators that are not `inside`. Monomials are told apart by a hash:
/// where two should coincide a coefficient is taken for larger than it is.
std::vector<std::pair<std::uint64_t, std::size_t>> by_monomial(const FactorTerms& p,
                                                               const std::vector<bool>& inside) {
  const std::vector<std::uint64_t> keys = p.keys(inside);
  std::vector<std::pair<std::uint64_t, std::size_t>> keyed(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) keyed[i] = {keys[i], i};
  std::sort(keyed.begin(), keyed.end());
  return keyed;
}

/// The coefficient with fewest terms when p is written as a polynomial in the generators that are not `inside`.
FactorTerms smallest_coefficient(const FactorTerms& p, const std::vector<bool>& inside) {
  const auto keyed = by_monomial(p, inside);
  std::size_t best = 0, length = p.size();
  for (std::size_t from = 0, to = 0; from < p.size(); from = to) {
    while (to < p.size() && keyed[to].first == keyed[from].first) ++to;
    if (to - from >= length) continue;
    best = from;
    length = to - from;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t k = best; k < best + length; ++k) chosen.push_back(keyed[k].second);
  return p.only(chosen);
}

/// All of them, those with fewest terms first.
std::vector<FactorTerms> coefficients_outside(const FactorTerms& p, const std::vector<bool>& inside) {
  const auto keyed = by_monomial(p, inside);
  std::vector<FactorTerms> all;
  for (std::size_t from = 0, to = 0; from < p.size(); from = to) {
    std::vector<std::size_t> chosen;
    for (; to < p.size() && keyed[to].first == keyed[from].first; ++to) chosen.push_back(keyed[to].second);
    all.push_back(p.only(chosen));
  }
  std::ranges::stable_sort(all, {}, &FactorTerms::size);
  return all;
}

/// p, divided by the largest power of x in all its terms, at a point modulo the prime in all other generators: its
/// coefficients, the constant one first.
std::vector<ModP> image(const FactorTerms& p, std::size_t x, std::uint64_t point) {
  std::vector<ModP> out, at;
  ulong least = p.exponent(0, x);
  for (std::size_t i = 1; i < p.size(); ++i) least = std::min(least, p.exponent(i, x));
  at.reserve(p.generators().size());
  for (const std::size_t g : p.generators()) at.push_back(ModP::from_hash(scrambled(point + g)));
  for (std::size_t i = 0; i < p.size(); ++i) {
    ModP value = p.coefficient(i);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const std::size_t g = p.generators()[k];
      const ulong e = g == x ? 0 : p.exponent(i, g);
      if (e != 0) value *= e == 1 ? at[k] : e == 2 ? at[k] * at[k] : power(at[k], e);
    }
    const ulong k = p.exponent(i, x) - least;
    if (out.size() <= k) out.resize(k + 1);
    out[k] += value;
  }
  return out;
}

/// Euclid's algorithm, with pseudo-remainders: there is nothing to invert.
bool are_coprime(std::vector<ModP> a, std::vector<ModP> b) {
  while (b.size() > 1) {
    while (a.size() >= b.size()) {
      const ModP above = a.back(), below = b.back();
      const std::size_t shift = a.size() - b.size();
      for (ModP& c : a) c *= below;
      for (std::size_t k = 0; k < b.size(); ++k) a[k + shift] -= above * b[k];
      while (!a.empty() && a.back().is_zero()) a.pop_back();
    }
    std::swap(a, b);
  }
  return !b.empty();
}

/// Certainly no common factor, but monomials, contains x. Its leading coefficient divides those of a and b, so its image keeps
/// its degree.
bool separate(const FactorTerms& a, const FactorTerms& b, std::size_t x) {
  constexpr std::uint64_t point = 1000;
  std::vector<ModP> p = image(a, x, point), q = image(b, x, point);
  if (p.back().is_zero() || q.back().is_zero()) return false;
  return are_coprime(std::move(p), std::move(q));
}

/// What two polynomials may have in common beside terms divides these parts of theirs; nothing where that is excluded.
struct CommonParts {
  FactorTerms a, b;
};
std::optional<CommonParts> common_parts(FactorTerms a, FactorTerms b) {
  std::vector<bool> excluded(a.width(), false);
  for (;;) {
    const std::vector<ulong> in_a = a.ranges(), in_b = b.ranges();
    std::vector<bool> shared(a.width());
    std::size_t x = a.width();
    ulong degree = 0;
    for (std::size_t g = 0; g < a.width(); ++g) {
      const ulong here = std::min(in_a[g], in_b[g]);
      shared[g] = here > 0 && !excluded[g];
      if (!shared[g] || (x < a.width() && here >= degree)) continue;
      x = g;
      degree = here;
    }
    constexpr ulong large = 1000;
    if (x == a.width()) return std::nullopt;
    if (std::max(in_a[x], in_b[x]) > large) return CommonParts{std::move(a), std::move(b)};
    FactorTerms a_part = smallest_coefficient(a, shared), b_part = smallest_coefficient(b, shared);
    if (a_part.size() == 1 || b_part.size() == 1) return std::nullopt;
    if (a_part.size() < a.size() || b_part.size() < b.size()) {
      a = std::move(a_part);
      b = std::move(b_part);
      continue;
    }
    if (!separate(a, b, x)) return CommonParts{std::move(a), std::move(b)};
    excluded[x] = true;
  }
}

std::optional<CommonParts> common_parts(const Polynomial& a, const Polynomial& b) {
  if (a.terms() == 1 || b.terms() == 1) return std::nullopt;
  return common_parts(FactorTerms(a), FactorTerms(b));
}

/// The coefficients of 1, x, x².
std::vector<FactorTerms> coefficients_in(const FactorTerms& p, std::size_t x) {
  std::vector<FactorTerms> out;
  for (ulong k = 0; k <= 2; ++k) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p.exponent(i, x) == k) chosen.push_back(i);
    }
    out.push_back(p.only(chosen));
  }
  return out;
}

/// gcd(a, b, c) = 1 for a x² + b x + c, which has no monomial factor?
bool is_primitive(const std::vector<FactorTerms>& coefficients) {
  if (std::ranges::any_of(coefficients, [](const FactorTerms& c) { return c.size() == 1; })) return true;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (coefficients[i].size() == 0 || coefficients[j].size() == 0) continue;
      if (!common_parts(coefficients[i], coefficients[j])) return true;
    }
  }
  return false;
}

/// Is b² − 4ac certainly no square? At a point each of the two answers has even chances.
bool has_no_root(const FactorTerms& p, std::size_t x) {
  constexpr std::uint64_t points = search_limits::square_roots_modulo_p.count, stride = 1000;
  for (std::uint64_t k = 1; k <= points; ++k) {
    std::vector<ModP> at = image(p, x, k * stride);
    at.resize(3);
    if (!root(at[1] * at[1] - ModP(4) * at[0] * at[2])) return true;
  }
  return false;
}

}  // namespace

bool share_only_terms(const Polynomial& a, const Polynomial& b) { return !common_parts(a, b); }

bool is_irreducible_in_squares(const Polynomial& p, int x) {
  constexpr std::uint64_t points = search_limits::square_roots_modulo_p.count, stride = 1000;
  const FactorTerms terms(p);
  for (std::uint64_t k = 1; k <= points; ++k) {
    const std::vector<ModP> at = image(terms, static_cast<std::size_t>(x), k * stride);
    if (!root(at.front() * at.back() * ModP(at.size() % 2 == 0 ? -1 : 1))) return true;
  }
  return false;
}

bool is_irreducible_quadratic(const Polynomial& p) {
  const FactorTerms terms(p);
  const std::vector<ulong> degrees = terms.ranges();
  for (std::size_t x = 0; x < terms.width(); ++x) {
    if (degrees[x] != 2) continue;
    if (!has_no_root(terms, x)) return false;
    if (is_primitive(coefficients_in(terms, x))) return true;
  }
  return false;
}

namespace {

/// a/b, where b divides a: often so, and sooner seen than a common factor.
std::optional<Polynomial> quotient(const Polynomial& a, const Polynomial& b) {
  ScratchPolynomial scratch(a.ring());
  const bool divides =
      interruptible([&] { return fmpz_mpoly_divides(scratch.raw(), a.raw(), b.raw(), a.ring().context()); });
  Polynomial q(a.ring());
  scratch.give_to(q);
  if (!divides) return std::nullopt;
  return q;
}

[[noreturn]] void give_up() { throw Exhausted("a common factor could not be computed"); }

Polynomial gcd_by_flint(const Polynomial& a, const Polynomial& b) {
  ScratchPolynomial scratch(a.ring());
  const bool found =
      interruptible([&] { return fmpz_mpoly_gcd(scratch.raw(), a.raw(), b.raw(), a.ring().context()); });
  Polynomial g(a.ring());
  scratch.give_to(g);
  if (!found) give_up();
  return g;
}

/// Some terms of p, divided by what all of them have in common.
Polynomial without_content(const Polynomial& p, const FactorTerms& chosen) {
  const PackedTerms terms(p, 0);
  const std::vector<ulong> none = terms.bits_of({});
  Polynomial part = terms.empty(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) terms.append(part, chosen.place(i), none);
  return divided_by_term(part, common_term(part));
}

/// A common factor of a and b, and what is left of them.
struct Split {
  Polynomial factor, a, b;
};

/// What `factor`, which contains no monomial, has in common with p. It divides every coefficient of p as a polynomial in the
/// generators that the factor does not have; the first ones, which are small, mostly leave nothing of it.
Polynomial common_divisor(Polynomial factor, const Polynomial& p) {
  if (factor.is_constant() || quotient(p, factor)) return factor;
  std::vector<bool> inside;
  for (int g = 0; g < p.ring().size(); ++g) inside.push_back(factor.degree(g) > 0);
  for (const FactorTerms& c : coefficients_outside(FactorTerms(p), inside)) {
    const Polynomial coefficient = without_content(p, c);
    if (!quotient(coefficient, factor)) factor = gcd(factor, coefficient);
    if (factor.is_constant()) break;
  }
  return factor;
}

/// By the greatest common divisor of their parts, which are smaller. Nothing where the parts are all of them.
std::optional<Split> split(const Polynomial& a, const Polynomial& b, const CommonParts& parts) {
  if (parts.a.size() == a.terms() && parts.b.size() == b.terms()) return std::nullopt;
  Polynomial factor = gcd(without_content(a, parts.a), without_content(b, parts.b));
  factor = common_divisor(common_divisor(std::move(factor), a), b);
  auto a_left = quotient(a, factor), b_left = quotient(b, factor);
  if (!a_left || !b_left) throw Bug("a common factor does not divide");
  return Split{std::move(factor), *std::move(a_left), *std::move(b_left)};
}

/// Divides by what all terms have in common.
void divide_by_common_term(Polynomial& n, Polynomial& d) {
  const Polynomial common = common_term(n, d);
  if (common.is_one()) return;
  n = divided_by_term(n, common);
  d = divided_by_term(d, common);
}

}  // namespace

Polynomial gcd(const Polynomial& a, const Polynomial& b) {
  allow_recursion();
  if (a.is_zero() || b.is_zero()) return gcd_by_flint(a, b);
  const auto parts = common_parts(a, b);
  if (!parts) return common_term(a, b);
  const Polynomial &small = a.terms() <= b.terms() ? a : b, &large = a.terms() <= b.terms() ? b : a;
  if (quotient(large, small)) return small.coefficient(0).sign() < 0 ? -small : small;
  const auto found = split(a, b, *parts);
  if (!found) return gcd_by_flint(a, b);
  const Polynomial common = common_term(found->a, found->b);
  Polynomial g(a.ring());
  fmpz_mpoly_mul(g.raw(), found->factor.raw(), common.raw(), a.ring().context());
  return g.coefficient(0).sign() < 0 ? -g : g;
}

void divide_by_gcd(Polynomial& n, Polynomial& d) {
  if (n.is_zero()) {
    d = Polynomial(n.ring(), 1);
    return;
  }
  if (d.is_one()) return;
  if (const auto parts = common_parts(n, d); !parts) {
    divide_by_common_term(n, d);
  } else if (auto whole = quotient(n, d)) {
    n = *std::move(whole);
    d = Polynomial(n.ring(), 1);
  } else if (auto inverse = n.terms() <= d.terms() ? quotient(d, n) : std::nullopt) {
    d = *std::move(inverse);
    n = Polynomial(d.ring(), 1);
  } else if (auto found = split(n, d, *parts)) {
    n = std::move(found->a);
    d = std::move(found->b);
    divide_by_common_term(n, d);
  } else {
    ScratchPolynomial common(n.ring()), n_left(n.ring()), d_left(n.ring());
    const bool is_found = interruptible([&] {
      return fmpz_mpoly_gcd_cofactors(common.raw(), n_left.raw(), d_left.raw(), n.raw(), d.raw(),
                                      n.ring().context());
    });
    common.call_returned();
    n_left.call_returned();
    d_left.call_returned();
    if (!is_found) give_up();
    n_left.give_to(n);
    d_left.give_to(d);
  }
  if (d.coefficient(0).sign() < 0) {
    n = -n;
    d = -d;
  }
}

}  // namespace rattleback
