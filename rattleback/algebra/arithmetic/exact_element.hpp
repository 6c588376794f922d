#pragma once
/// Fractions of a Ring in normal form: the exact rational functions.

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// Both parts reduced by the relations, no related generator in the denominator, no common factor, the leading
/// coefficient of the denominator positive.
///
/// The ring modulo s² = 1 − c² has no unique factorisation, so gcds alone miss common factors; a denominator free
/// of s makes the form unique. Equality of forms is then equality, whenever the relations make a field.
class Element {
 public:
  explicit Element(const Ring& ring, const Rational& constant = 0);
  explicit Element(Polynomial numerator);
  /// Throws NoExactForm when the denominator is zero or divides zero.
  Element(Polynomial numerator, Polynomial denominator);

  const Ring& ring() const { return numerator_.ring(); }
  const Polynomial& numerator() const { return numerator_; }
  const Polynomial& denominator() const { return denominator_; }
  bool is_zero() const { return numerator_.is_zero(); }
  std::size_t terms() const { return numerator_.terms() + denominator_.terms(); }

  friend Element operator+(const Element& a, const Element& b);
  friend Element operator-(const Element& a, const Element& b);
  friend Element operator*(const Element& a, const Element& b);
  friend Element operator/(const Element& a, const Element& b);
  Element operator-() const;
  friend bool operator==(const Element&, const Element&) = default;

 private:
  struct Parts {
    Polynomial numerator, denominator;
  };
  explicit Element(Parts parts)
      : numerator_(std::move(parts.numerator)), denominator_(std::move(parts.denominator)) {}
  static Parts product_of_fractions(const Polynomial& n, const Polynomial& d, const Polynomial& m,
                                    const Polynomial& e);
  void normalise();
  Polynomial numerator_, denominator_;
};

Element power(const Element& base, long exponent);

/// n/d without common factors; the leading coefficient of d becomes positive. The relations are not used.
void cancel(Polynomial& n, Polynomial& d);

}  // namespace rattleback
