#include <rattleback/algebra/arithmetic/exact_element.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/common_factor.hpp>

namespace rattleback {

void cancel(Polynomial& n, Polynomial& d) {
  if (!n.is_zero() && !d.is_one()) allow_factoring(n.terms() + d.terms());
  divide_by_gcd(n, d);
}

Element::Element(const Ring& ring, const Rational& constant) : numerator_(ring), denominator_(ring, 1) {
  fmpz_mpoly_set_fmpz(numerator_.raw(), fmpq_numref(constant.raw()), ring.context());
  fmpz_mpoly_set_fmpz(denominator_.raw(), fmpq_denref(constant.raw()), ring.context());
}

Element::Element(Polynomial numerator)
    : numerator_(std::move(numerator)), denominator_(numerator_.ring(), 1) {
  reduce(numerator_);
}

Element::Element(Polynomial numerator, Polynomial denominator)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  if (denominator_.is_zero()) throw NoExactForm("division by an expression that vanishes identically");
  cancel(numerator_, denominator_);
  normalise();
}

/// n/d = n d̄/(d d̄), where d d̄ is free of the generator; from the top of the tower to its bottom.
void Element::normalise() {
  if (terms() > Budget::max_terms())
    throw Exhausted("the limit on the size of exact polynomials was reached");
  const bool fraction = !denominator_.is_constant();
  bool changed = reduce(numerator_);
  if (fraction) changed = reduce(denominator_) || changed;
  if (denominator_.is_zero()) throw NoExactForm("division by an expression that vanishes identically");
  if (changed && !denominator_.is_one()) cancel(numerator_, denominator_);
  if (!fraction) return;
  for (const Relation& r : ring().relations()) {
    if (denominator_.degree(r.generator) <= 0) continue;
    const Polynomial bar = conjugate(denominator_, r.generator);
    numerator_ = numerator_ * bar;
    denominator_ = denominator_ * bar;
    reduce(numerator_);
    reduce(denominator_);
    if (denominator_.is_zero()) throw NoExactForm("the roots in this expression depend on each other");
    cancel(numerator_, denominator_);
  }
}

Element Element::operator-() const {
  Element r(*this);
  r.numerator_ = -r.numerator_;
  return r;
}

namespace {

/// The product; the caller has asked the Budget.
Polynomial multiplied(const Polynomial& a, const Polynomial& b) {
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  Polynomial r(a.ring());
  fmpz_mpoly_mul(r.raw(), a.raw(), b.raw(), a.ring().context());
  return r;
}

/// The longest coefficient, in words.
std::size_t words(const Element& x) { return std::max(x.numerator().words(), x.denominator().words()); }

/// Refuses what would take too long. In large products those of coefficients count by their words.
void allow_operation(const Element& a, const Element& b) {
  constexpr std::size_t large = 1000;
  allow_product(a.terms(), b.terms());
  const std::size_t products = a.terms() * b.terms();
  if (products < large) return;
  if (const std::size_t longer = words(a) * words(b); longer > 1)
    Budget::charge_work(products * (longer - 1));
}

}  // namespace

/// a/b + c/d = (a d/g + c b/g)/(b d/g) with g = gcd(b, d); what still cancels divides g.
Element operator+(const Element& x, const Element& y) {
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  allow_operation(x, y);
  if (x.denominator_.is_one() && y.denominator_.is_one())
    return Element(Element::Parts{x.numerator_ + y.numerator_, x.denominator_});
  Polynomial b = x.denominator_, d = y.denominator_, g(x.ring(), 1);
  if (b == d) {
    g = std::exchange(b, Polynomial(x.ring(), 1));
    d = b;
  } else {
    divide_by_gcd(b, d);
    if (d != y.denominator_) fmpz_mpoly_divides(g.raw(), y.denominator_.raw(), d.raw(), x.ring().context());
  }
  Polynomial above = multiplied(x.numerator_, d) + multiplied(y.numerator_, b);
  if (above.is_zero()) return Element(x.ring());
  divide_by_gcd(above, g);
  Element r(Element::Parts{std::move(above), multiplied(multiplied(b, d), g)});
  if (!r.denominator_.is_one()) r.normalise();
  return r;
}

Element operator-(const Element& a, const Element& b) { return a + (-b); }

namespace {

/// Two polynomials without their common factors; nothing is copied where one of them is 1.
struct Reduced {
  std::optional<Polynomial> n_left, d_left;
  const Polynomial *n, *d;
  Reduced(const Polynomial& above, const Polynomial& below) : n(&above), d(&below) {
    if (d->is_one() || (n->is_one() && d->coefficient(0).sign() > 0)) return;
    divide_by_gcd(n_left.emplace(above), d_left.emplace(below));
    n = &*n_left;
    d = &*d_left;
  }
};

}  // namespace

/// (n/d)·(m/e), where only n and e, m and d may have common factors.
Element::Parts Element::product_of_fractions(const Polynomial& n, const Polynomial& d, const Polynomial& m,
                                             const Polynomial& e) {
  const Reduced first(n, e), second(m, d);
  return {multiplied(*first.n, *second.n), multiplied(*second.d, *first.d)};
}

Element operator*(const Element& a, const Element& b) {
  allow_operation(a, b);
  Element r(Element::product_of_fractions(a.numerator_, a.denominator_, b.numerator_, b.denominator_));
  r.normalise();
  return r;
}

Element operator/(const Element& a, const Element& b) {
  if (b.is_zero()) throw NoExactForm("division by an expression that vanishes identically");
  allow_operation(a, b);
  Element r(Element::product_of_fractions(a.numerator_, a.denominator_, b.denominator_, b.numerator_));
  r.normalise();
  return r;
}

Element power(const Element& base, long exponent) {
  if (exponent < 0) return Element(base.ring(), 1) / power(base, -exponent);
  Element result(base.ring(), 1), square = base;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * square;
    if (exponent > 1) square = square * square;
  }
  return result;
}

}  // namespace rattleback
