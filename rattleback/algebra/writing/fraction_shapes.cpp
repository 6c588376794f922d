#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/writing/fraction_shapes.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace rattleback {
namespace {

using Powers = std::vector<ulong>;

bool is_velocity(Expr generator) {
  return generator.is(Kind::symbol) && generator.symbol().role() >= Role::velocity;
}

}  // namespace

std::optional<Expr> by_velocities(const Field& field, PolynomialWriter& writer, const Element& x, int bound) {
  if (x.denominator().is_constant()) return std::nullopt;
  std::map<std::vector<ulong>, Polynomial> groups;
  const Polynomial& n = x.numerator();
  for (std::size_t i = 0; i < n.terms(); ++i) {
    std::vector<ulong> e = n.exponents(i), key(e.size(), 0);
    for (std::size_t g = 0; g < e.size(); ++g) {
      if (is_velocity(field.generators()[g])) std::swap(key[g], e[g]);
    }
    groups.try_emplace(std::move(key), n.ring()).first->second.add_term(n.coefficient(i), e);
  }
  if (groups.size() < 2) return std::nullopt;
  std::vector<Expr> terms;
  for (auto& [key, coefficient] : groups) {
    coefficient.collect();
    Polynomial monomial(n.ring());
    monomial.add_term(1, key);
    const Element part(coefficient * monomial, x.denominator());
    terms.push_back(writer.quotient(part.numerator(), part.denominator()));
    bound -= writer.cost(terms.back());
    if (bound < 0) return std::nullopt;
  }
  return sum(terms);
}

std::optional<Expr> with_polynomial_part(PolynomialWriter& writer, const Polynomial& n, const Polynomial& d) {
  if (d.is_constant()) return std::nullopt;
  Polynomial q(n.ring()), r(n.ring());
  fmpz_mpoly_divrem(q.raw(), r.raw(), n.raw(), d.raw(), n.ring().context());
  if (q.is_zero() || r.is_zero() || q.terms() + r.terms() > n.terms()) return std::nullopt;
  Polynomial below = d;
  cancel(r, below);
  return writer.written(q) + writer.quotient(r, below);
}

namespace {

/// The terms of p with a power of g that is `degree`, divided by g^degree.
Polynomial coefficient_in(const Polynomial& p, int g, ulong degree) {
  Polynomial c(p.ring());
  for (std::size_t i = 0; i < p.terms(); ++i) {
    Powers e = p.exponents(i);
    if (e[static_cast<std::size_t>(g)] != degree) continue;
    e[static_cast<std::size_t>(g)] = 0;
    c.add_term(p.coefficient(i), e);
  }
  c.collect();
  return c;
}

Polynomial generator_power(const Ring& ring, int g, ulong n) {
  Powers e(static_cast<std::size_t>(ring.size()), 0);
  e[static_cast<std::size_t>(g)] = n;
  Polynomial p(ring);
  p.add_term(1, e);
  p.collect();
  return p;
}

struct Division {
  Polynomial quotient, remainder;
};

/// n = q f + r with deg_g r < deg_g f, where the leading coefficient of f in g is 1 or −1.
std::optional<Division> divided_in(const Polynomial& n, const Polynomial& f, int g) {
  const long degree = f.degree(g);
  if (degree < 1) return std::nullopt;
  const Polynomial lead = coefficient_in(f, g, static_cast<ulong>(degree));
  if (!lead.is_one() && !(-lead).is_one()) return std::nullopt;
  Division division{Polynomial(n.ring()), n};
  while (division.remainder.degree(g) >= degree) {
    const auto top = static_cast<ulong>(division.remainder.degree(g));
    const Polynomial q = lead * coefficient_in(division.remainder, g, top) *
                         generator_power(n.ring(), g, top - static_cast<ulong>(degree));
    division.quotient = division.quotient + q;
    division.remainder = division.remainder - q * f;
  }
  if (division.quotient.is_zero() || division.remainder.is_zero()) return std::nullopt;
  return division;
}

/// The powers of generators that all terms of both have.
Powers common_powers(const Polynomial& p, const Polynomial& q) {
  Powers common = p.exponents(0);
  for (const Polynomial* each : {&p, &q}) {
    for (std::size_t i = 0; i < each->terms(); ++i) {
      const Powers e = each->exponents(i);
      for (std::size_t g = 0; g < e.size(); ++g) common[g] = std::min(common[g], e[g]);
    }
  }
  return common;
}

Polynomial without(const Polynomial& p, const Powers& powers) {
  Polynomial out(p.ring());
  for (std::size_t i = 0; i < p.terms(); ++i) {
    Powers e = p.exponents(i);
    for (std::size_t g = 0; g < e.size(); ++g) e[g] -= powers[g];
    out.add_term(p.coefficient(i), e);
  }
  out.collect();
  return out;
}

Polynomial monomial(const Ring& ring, const Powers& powers) {
  Polynomial p(ring);
  p.add_term(1, powers);
  p.collect();
  return p;
}

Expr fraction(PolynomialWriter& writer, Polynomial n, Polynomial d) {
  cancel(n, d);
  return writer.quotient(n, d);
}

}  // namespace

std::vector<Expr> in_partial_fractions(PolynomialWriter& writer, const Element& x) {
  std::vector<Expr> found;
  constexpr std::size_t few = search_limits::partial_fractions.count;
  const Polynomial &n = x.numerator(), &d = x.denominator();
  if (d.is_constant() || x.terms() > few) return found;
  for (const auto& [base, exponent] : writer.factors_of(d).factors) {
    if (base.terms() < 2 || exponent != 1) continue;
    Polynomial rest(d.ring());
    if (fmpz_mpoly_divides(rest.raw(), d.raw(), base.raw(), d.ring().context()) == 0) continue;
    for (int g = 0; g < d.ring().size(); ++g) {
      const auto division = divided_in(n, base, g);
      if (!division || division->quotient.terms() + division->remainder.terms() >= n.terms()) continue;
      const Powers common = common_powers(division->quotient, division->remainder);
      const Expr q = fraction(writer, without(division->quotient, common), rest);
      const Expr r = fraction(writer, without(division->remainder, common), d);
      found.push_back(writer.written(monomial(n.ring(), common)) * (q + r));
    }
  }
  return found;
}

namespace {

/// Generators that stand in most terms of a sum and not in all, with their highest powers: those of all terms together, written
/// under the terms, are fewer.
Powers denominators_within(const Field& field, const Polynomial& d) {
  Powers highest(static_cast<std::size_t>(d.ring().size()), 0), in(highest);
  for (std::size_t i = 0; i < d.terms(); ++i) {
    const Powers e = d.exponents(i);
    for (std::size_t g = 0; g < e.size(); ++g) {
      highest[g] = std::max(highest[g], e[g]);
      in[g] += e[g] > 0 ? 1 : 0;
    }
  }
  for (std::size_t g = 0; g < in.size(); ++g) {
    const Expr generator = field.generators()[g];
    const bool in_most = 2 * in[g] > d.terms() && in[g] < d.terms();
    if (!in_most || !generator.is(Kind::symbol) || is_velocity(generator)) highest[g] = 0;
  }
  return highest;
}

/// Is some term divisible by all the powers, which may be none?
bool has_multiple(const Polynomial& d, const Powers& powers) {
  for (std::size_t i = 0; i < d.terms(); ++i)
    if (std::ranges::equal(d.exponents(i), powers, std::greater_equal())) return true;
  return false;
}

/// p divided by the powers: what does not cancel stands under the terms, those with the same below together.
Expr written_over(PolynomialWriter& writer, const Polynomial& p, const Powers& powers) {
  std::map<Powers, Polynomial> by_denominator;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    Powers e = p.exponents(i), below(e.size(), 0);
    for (std::size_t g = 0; g < e.size(); ++g) {
      const ulong cancelled = std::min(e[g], powers[g]);
      e[g] -= cancelled;
      below[g] = powers[g] - cancelled;
    }
    by_denominator.try_emplace(std::move(below), p.ring()).first->second.add_term(p.coefficient(i), e);
  }
  std::vector<Expr> terms;
  for (auto& [below, above] : by_denominator) {
    above.collect();
    terms.push_back(fraction(writer, above, monomial(p.ring(), below)));
  }
  return sum(terms);
}

}  // namespace

std::optional<Expr> over_reciprocals(const Field& field, PolynomialWriter& writer, const Element& x) {
  constexpr std::size_t few = search_limits::fraction_of_reciprocals.count;
  const Polynomial &n = x.numerator(), &d = x.denominator();
  if (d.terms() < 3 || x.terms() > few) return std::nullopt;
  const Powers powers = denominators_within(field, d);
  if (has_multiple(d, powers)) return std::nullopt;
  return written_over(writer, n, powers) / written_over(writer, d, powers);
}

}  // namespace rattleback
