#include <rattleback/algebra/arithmetic/common_term.hpp>

#include <flint/mpoly.h>

#include <algorithm>
#include <initializer_list>

#include <rattleback/algebra/arithmetic/packed_terms.hpp>

namespace rattleback {
namespace {

/// Terms mostly have nothing in common, which shows after a few of them: then no more are looked at.
class CommonTerm {
 public:
  explicit CommonTerm(const Polynomial& first) : exponents_(first.exponents(0)), coefficient_(0) {
    for (std::size_t g = 0; g < exponents_.size(); ++g) {
      if (exponents_[g] != 0) left_.push_back(static_cast<int>(g));
    }
  }

  void take(const Polynomial& p) {
    const PackedTerms terms(p, 0);
    std::vector<PackedTerms::Place> places(exponents_.size());
    for (const int g : left_) places[static_cast<std::size_t>(g)] = terms.place(g);
    for (std::size_t i = 0; i < p.terms() && !(left_.empty() && coefficient_.is_one()); ++i) {
      std::erase_if(left_, [&](int g) {
        ulong& least = exponents_[static_cast<std::size_t>(g)];
        least = std::min(least, terms.exponent(i, places[static_cast<std::size_t>(g)]));
        return least == 0;
      });
      if (!coefficient_.is_one()) {
        fmpz* number = fmpq_numref(coefficient_.raw());
        fmpz_gcd(number, number, p.raw()->coeffs + i);
      }
    }
  }

  Polynomial term(const Ring& ring) const {
    Polynomial t(ring);
    t.add_term(coefficient_, exponents_);
    return t;
  }

 private:
  std::vector<ulong> exponents_;  ///< the least so far
  std::vector<int> left_;         ///< those that are not 0
  Rational coefficient_;
};

}  // namespace

Polynomial common_term(const Polynomial& p) {
  CommonTerm common(p);
  common.take(p);
  return common.term(p.ring());
}

Polynomial common_term(const Polynomial& a, const Polynomial& b) {
  CommonTerm common(a);
  common.take(a);
  common.take(b);
  return common.term(a.ring());
}

Polynomial divided_by_term(const Polynomial& p, const Polynomial& term) {
  if (term.is_one()) return p;
  Polynomial q(p);
  auto* raw = q.raw();
  const auto* context = p.ring().context();
  const slong words = mpoly_words_per_exp(raw->bits, context->minfo);
  std::vector<ulong> divisor(static_cast<std::size_t>(words));
  mpoly_set_monomial_ui(divisor.data(), term.exponents(0).data(), raw->bits, context->minfo);
  for (slong i = 0; i < raw->length; ++i) {
    for (slong w = 0; w < words; ++w) raw->exps[i * words + w] -= divisor[static_cast<std::size_t>(w)];
    fmpz_divexact(raw->coeffs + i, raw->coeffs + i, term.raw()->coeffs);
  }
  return q;
}

}  // namespace rattleback
