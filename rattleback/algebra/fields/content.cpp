#include <rattleback/algebra/fields/content.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/common_factor.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {
namespace {

using Exponents = std::unordered_map<Expr, int>;

void count_factors(Expr e, Exponents& exponents) {
  allow_recursion();
  if (e.is(Kind::product)) {
    for (const Expr f : e.args()) count_factors(f, exponents);
  } else if (e.is(Kind::power)) {
    exponents[e.args()[0]] += e.exponent();
  } else if (!e.is(Kind::constant)) {
    exponents[e] += 1;
  }
}

/// Factors that stand in every entry, with their least exponent; denominators have negative ones.
Exponents common_factors(const Matrix& v) {
  Exponents least;
  bool first = true;
  for (const Expr e : v.entries()) {
    if (e.is_zero()) continue;
    Exponents here;
    count_factors(e, here);
    for (auto& [base, n] : least) {
      const auto found = here.find(base);
      n = std::min(n, found == here.end() ? 0 : found->second);
    }
    for (const auto& [base, n] : here) {
      if (first)
        least.emplace(base, n);
      else if (!least.contains(base))
        least.emplace(base, std::min(n, 0));
    }
    first = false;
  }
  return least;
}

/// The common numeric factor, with the sign of the first entry.
Rational common_number(const Matrix& v) {
  std::optional<Rational> least;
  for (const Expr e : v.entries()) {
    if (e.is_zero()) continue;
    const Rational c = split_coefficient(e).coefficient;
    if (!least) {
      least = c;
    } else if (!(c / *least).is_integer()) {
      least = (*least / c).is_integer() ? c : Rational(1);
    }
  }
  return least.value_or(Rational(1));
}

Matrix divided_by_common_factors(const Matrix& v) {
  std::vector<std::pair<Expr, int>> factors;
  for (const auto& [base, n] : common_factors(v)) {
    if (n != 0) factors.emplace_back(base, n);
  }
  std::sort(factors.begin(), factors.end(),
            [](const auto& a, const auto& b) { return a.first.hash() < b.first.hash(); });
  Matrix w = v;
  for (Expr& e : w.entries()) {
    if (e.is_zero()) continue;
    std::vector<Expr> all{e};
    for (const auto& [base, n] : factors) all.push_back(pow(base, -n));
    e = product(all);
  }
  return Expr(Rational(1) / common_number(w)) * w;
}

Polynomial allowed_gcd(const Polynomial& a, const Polynomial& b) {
  allow_factoring(a.terms() + b.terms());
  return gcd(a, b);
}

Polynomial quotient(const Polynomial& a, const Polynomial& b) {
  Polynomial q(a.ring());
  if (fmpz_mpoly_divides(q.raw(), a.raw(), b.raw(), a.ring().context()) == 0)
    throw Bug("a gcd that does not divide");
  return q;
}

Polynomial common_divisor(const std::vector<Polynomial>& ps) {
  Polynomial g(ps[0].ring());
  for (const Polynomial& p : ps) g = allowed_gcd(g, p);
  return g;
}

/// The factors of a denominator that might vanish; factors that cannot vanish stay in the denominator.
Polynomial uncertain_part(const Field& field, const Polynomial& denominator) {
  Polynomial part(field.ring(), 1);
  for (const Factored::Factor& f : factored(denominator).factors) {
    if (!known_nonzero(field.expression(f.base)))
      part = part * power(f.base, static_cast<unsigned>(f.exponent));
  }
  return part;
}

/// Divides all by a common factor, looked for in both normal forms of each pair: s² = 1 − c² hides a factor s, and
/// c² = 1 − s² hides a factor c. False when there is none.
bool divide_by_common_factor(std::vector<Polynomial>& ps) {
  const Ring& ring = ps[0].ring();
  bool divided = false;
  const auto attempt = [&] {
    const Polynomial g = common_divisor(ps);
    if (g.is_constant()) return;
    for (Polynomial& p : ps) p = quotient(p, g);
    divided = true;
  };
  attempt();
  for (const Relation& relation : ring.relations()) {
    if (relation.partner < 0) continue;
    const Polynomial s = Polynomial::generator(ring, relation.generator);
    const Polynomial square = Polynomial(ring, 1) - (relation.sigma > 0 ? s * s : -(s * s));
    for (Polynomial& p : ps) reduce(p, relation.partner, square);
    attempt();
    for (Polynomial& p : ps) reduce(p);
  }
  return divided;
}

/// In the exact field of the entries: nothing when nothing could be divided out or multiplied away.
std::optional<Matrix> primitive_in_field(const Matrix& v) {
  const Generators generators(v.entries(), {});
  const Field field(generators.forms());
  std::vector<Element> elements;
  Polynomial denominator(field.ring(), 1);
  for (const Expr form : generators.forms()) {
    elements.push_back(field.element(form));
    const Polynomial part = uncertain_part(field, elements.back().denominator());
    denominator = denominator * quotient(part, allowed_gcd(part, denominator));
  }
  bool changed = !denominator.is_constant();
  std::vector<Polynomial> numerators, denominators;
  for (const Element& e : elements) {
    const Element cleared = e * Element(denominator);
    numerators.push_back(cleared.numerator());
    denominators.push_back(cleared.denominator());
  }
  changed = divide_by_common_factor(numerators) || changed;
  if (!changed) return std::nullopt;
  Matrix w = v;
  for (std::size_t k = 0; k < numerators.size(); ++k) {
    w.entries()[k] = field.expression(Element(numerators[k], denominators[k]));
  }
  return w;
}

/// Among v and −v the one with fewer minus signs in front.
Matrix with_natural_sign(const Matrix& v) {
  int balance = 0;
  for (const Expr e : v.entries()) {
    if (!e.is_zero()) balance += split_coefficient(e).coefficient.sign();
  }
  return balance < 0 ? -v : v;
}

bool is_free(Expr e) {
  return e.is(Kind::symbol) && e.symbol().role() != Role::rotation && e.symbol().role() != Role::direction;
}

/// x, cos x or sin x with a symbol x, or a positive power of one: two of them have no common factor unless their bases are equal.
bool is_prime_power(Expr e) {
  const Expr base = e.is(Kind::power) ? e.args()[0] : e;
  if (e.is(Kind::power) && e.exponent() < 0) return false;
  return is_free(base) ||
         ((is_call_of(base, Builtin::cos) || is_call_of(base, Builtin::sin)) && is_free(base.args()[0]));
}

/// Of monomials all common factors are visible. cos and sin have none, because of 1 = cos² + sin².
bool is_monomial(Expr e) {
  if (!e.is(Kind::product)) return e.is(Kind::constant) || is_prime_power(e);
  return std::ranges::all_of(e.args(), [](Expr f) { return f.is(Kind::constant) || is_prime_power(f); });
}

}  // namespace

Matrix primitive(const Matrix& v) {
  constexpr std::size_t small = search_limits::common_factors_of_entries.count;
  const Matrix plain = divided_by_common_factors(v);
  if (std::ranges::all_of(plain.entries(), is_monomial)) return with_natural_sign(plain);
  const auto is_atomic = [](Expr e) { return e.is(Kind::constant) || e.is(Kind::symbol); };
  if (std::any_of(plain.entries().begin(), plain.entries().end(), [](Expr e) { return e.is_one(); }) &&
      std::all_of(plain.entries().begin(), plain.entries().end(), is_atomic)) {
    return plain;
  }
  if (graph_size(plain.entries()) > small) return with_natural_sign(plain);
  try {
    const Budget budget(work_limits::definite_content);
    if (const std::optional<Matrix> w = primitive_in_field(plain)) {
      return with_natural_sign(divided_by_common_factors(*w));
    }
  } catch (const Exhausted&) {  // keep `plain`: correct, only longer
  } catch (const NoExactForm&) {
  }
  return with_natural_sign(plain);
}

}  // namespace rattleback
