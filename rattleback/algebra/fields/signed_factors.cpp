#include <rattleback/algebra/fields/signed_factors.hpp>

#include <algorithm>

#include <rattleback/algebra/fields/trig_shapes.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {

int sign_of(const Field& field, const Polynomial& p) {
  std::vector<Polynomial> shapes{p};
  for (const Relation* pair : pairs_of(p.ring())) {
    if (!involves(p, *pair)) continue;
    shapes.push_back(without_cos_squared(p, *pair));
    shapes.push_back(homogenised(p, *pair));
  }
  for (const Polynomial& shape : shapes) {
    switch (known_sign(field.expression(shape))) {
      case KnownSign::positive:
      case KnownSign::nonnegative: return 1;
      case KnownSign::negative:
      case KnownSign::nonpositive: return -1;
      default: break;
    }
  }
  return 0;
}

namespace {

SignedFactors signed_factors_of(const Field& field, const Polynomial& n, const Polynomial& d) {
  SignedFactors out{1, {}};
  const auto take = [&](const Polynomial& p, long direction) {
    const Factored f = factored(p);
    out.constant = direction > 0 ? out.constant * f.constant : out.constant / f.constant;
    for (const auto& [base, exponent] : f.factors) {
      const int sign = sign_of(field, base);
      if (sign < 0 && exponent % 2 != 0) out.constant = -out.constant;
      out.factors.push_back({sign < 0 ? -base : base, direction * exponent, sign != 0});
    }
  };
  take(n, 1);
  take(d, -1);
  return out;
}

/// Odd powers of doubtful sign weigh most.
std::pair<long, long> difficulty(const SignedFactors& f) {
  const auto odd = [](const auto& x) { return x.exponent % 2 != 0; };
  return {std::ranges::count_if(f.factors, [&](const auto& x) { return odd(x) && !x.nonnegative; }),
          std::ranges::count_if(f.factors, odd)};
}

}  // namespace

SignedFactors signed_factors(const Field& field, const Element& x) {
  SignedFactors best = signed_factors_of(field, x.numerator(), x.denominator());
  for (const Relation* pair : pairs_of(x.ring())) {
    if (!involves(x.numerator(), *pair) && !involves(x.denominator(), *pair)) continue;
    Polynomial n = without_cos_squared(x.numerator(), *pair), d = without_cos_squared(x.denominator(), *pair);
    cancel(n, d);
    SignedFactors other = signed_factors_of(field, n, d);
    if (difficulty(other) < difficulty(best)) best = std::move(other);
  }
  return best;
}

}  // namespace rattleback
