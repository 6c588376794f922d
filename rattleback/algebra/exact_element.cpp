#include <rattleback/algebra/exact_element.hpp>

#include <rattleback/algebra/budget.hpp>

namespace rattleback {

void cancel(Polynomial& n, Polynomial& d) {
  const auto* context = n.ring().context();
  if (n.is_zero()) {
    d = Polynomial(n.ring(), 1);
    return;
  }
  if (!d.is_one()) {
    allow_factoring(n.terms() + d.terms());
    Polynomial gcd(n.ring()), n_left(n.ring()), d_left(n.ring());
    if (fmpz_mpoly_gcd_cofactors(gcd.raw(), n_left.raw(), d_left.raw(), n.raw(), d.raw(), context) == 0) {
      throw Exhausted("a common factor could not be computed");
    }
    n = std::move(n_left);
    d = std::move(d_left);
  }
  if (d.coefficient(0).sign() < 0) {
    n = -n;
    d = -d;
  }
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

Element operator+(const Element& a, const Element& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  allow_product(a.terms(), b.terms());
  Element r(a.ring());
  _fmpz_mpoly_q_add(r.numerator_.raw(), r.denominator_.raw(), a.numerator_.raw(), a.denominator_.raw(),
                    b.numerator_.raw(), b.denominator_.raw(), a.ring().context());
  if (!r.denominator_.is_one()) r.normalise();
  return r;
}

Element operator-(const Element& a, const Element& b) { return a + (-b); }

Element operator*(const Element& a, const Element& b) {
  allow_product(a.terms(), b.terms());
  Element r(a.ring());
  _fmpz_mpoly_q_mul(r.numerator_.raw(), r.denominator_.raw(), a.numerator_.raw(), a.denominator_.raw(),
                    b.numerator_.raw(), b.denominator_.raw(), a.ring().context());
  r.normalise();
  return r;
}

Element operator/(const Element& a, const Element& b) {
  if (b.is_zero()) throw NoExactForm("division by an expression that vanishes identically");
  allow_product(a.terms(), b.terms());
  Element r(a.ring());
  _fmpz_mpoly_q_div(r.numerator_.raw(), r.denominator_.raw(), a.numerator_.raw(), a.denominator_.raw(),
                    b.numerator_.raw(), b.denominator_.raw(), a.ring().context());
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
