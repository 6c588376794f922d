#include <rattleback/proof/steady/separated_roots.hpp>

#include <algorithm>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback {
namespace {

using Poly = UnivariatePolynomial;

int degree(const Poly& a) { return static_cast<int>(a.size()) - 1; }

/// Without leading zeros, and with 1 as leading coefficient.
Poly monic(Poly a) {
  while (!a.empty() && a.back().is_zero()) a.pop_back();
  if (a.empty()) return a;
  const Element last = a.back();
  for (Element& x : a) x = x / last;
  return a;
}

/// a = q b + r with deg r < deg b, b monic.
std::pair<Poly, Poly> divided(const Ring& ring, Poly a, const Poly& b) {
  Poly q(a.size() >= b.size() ? a.size() - b.size() + 1 : 0, Element(ring, 0));
  for (std::size_t k = q.size(); k-- > 0;) {
    Budget::check();
    q[k] = a[k + b.size() - 1];
    if (q[k].is_zero()) continue;
    for (std::size_t j = 0; j < b.size(); ++j) a[k + j] = a[k + j] - q[k] * b[j];
  }
  a.resize(std::min(a.size(), b.size() - 1), Element(ring, 0));
  return {std::move(q), std::move(a)};
}

Poly quotient(const Ring& ring, const Poly& a, const Poly& b) { return divided(ring, a, b).first; }

/// Euclid's algorithm; monic.
Poly common_divisor(const Ring& ring, Poly a, Poly b) {
  a = monic(std::move(a));
  b = monic(std::move(b));
  while (!b.empty()) {
    Poly rest = monic(divided(ring, std::move(a), b).second);
    a = std::exchange(b, std::move(rest));
  }
  return a;
}

Poly derivative(const Ring& ring, const Poly& a) {
  Poly d;
  for (std::size_t k = 1; k < a.size(); ++k)
    d.push_back(a[k] * Element(ring, Rational(static_cast<long>(k))));
  return d;
}

/// a(−λ).
Poly mirrored(const Ring& ring, Poly a) {
  for (std::size_t k = 1; k < a.size(); k += 2) a[k] = a[k] * Element(ring, Rational(-1));
  return a;
}

}  // namespace

std::vector<RootClass> separated_roots(const Ring& ring, const UnivariatePolynomial& a) {
  std::vector<RootClass> classes;
  // With g = gcd(a, a'), the roots of w = a/g are those of a, each once; those of gcd(w, g) occur once more.
  Poly g = common_divisor(ring, a, derivative(ring, a)), w = quotient(ring, monic(a), g);
  for (int multiplicity = 1; degree(w) > 0; ++multiplicity) {
    const Poly more = common_divisor(ring, w, g);
    const Poly here = quotient(ring, w, more);
    if (degree(here) > 0) {
      const Poly symmetric = common_divisor(ring, here, mirrored(ring, here));
      const Poly rest = quotient(ring, here, symmetric);
      for (const Poly& part : {symmetric, rest})
        if (degree(part) > 0) classes.push_back({part, multiplicity});
    }
    g = quotient(ring, g, more);
    w = more;
  }
  return classes;
}

}  // namespace rattleback
