#include <rattleback/algebra/arithmetic/packed_terms.hpp>

#include <flint/mpoly.h>

#include <algorithm>
#include <bit>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback {

/// FLINT keeps the highest bit of an exponent free.
PackedTerms::PackedTerms(const Polynomial& p, ulong largest_exponent) : p_(&p) {
  const auto* context = p.ring().context();
  const auto needed = static_cast<flint_bitcnt_t>(std::bit_width(largest_exponent)) + 1;
  if (p.raw()->bits < needed) {
    p_ = &repacked_.emplace(p.ring());
    fmpz_mpoly_repack_bits(repacked_->raw(), p.raw(), mpoly_fix_bits(needed, context->minfo), context);
  }
  const flint_bitcnt_t bits = p_->raw()->bits;
  if (bits > FLINT_BITS) throw Exhausted("exponents of polynomials became too large");
  words_ = mpoly_words_per_exp_sp(bits, context->minfo);
  mask_ = ~ulong{0} >> (FLINT_BITS - bits);
}

PackedTerms::Place PackedTerms::place(int g) const {
  Place at{};
  mpoly_gen_offset_shift_sp(&at.word, &at.shift, g, p_->raw()->bits, p_->ring().context()->minfo);
  return at;
}

std::vector<ulong> PackedTerms::bits_of(std::span<const int> generators) const {
  std::vector<ulong> marked(static_cast<std::size_t>(words_));
  for (const int g : generators) {
    const Place at = place(g);
    marked[static_cast<std::size_t>(at.word)] |= mask_ << at.shift;
  }
  return marked;
}

std::vector<ulong> PackedTerms::used() const {
  std::vector<ulong> all(static_cast<std::size_t>(words_));
  for (std::size_t i = 0; i < size(); ++i) {
    const ulong* m = monomial(i);
    for (std::size_t w = 0; w < all.size(); ++w) all[w] |= m[w];
  }
  return all;
}

int PackedTerms::compared(std::size_t i, std::size_t j, const std::vector<ulong>& marked) const {
  const ulong *a = monomial(i), *b = monomial(j);
  for (std::size_t w = marked.size(); w-- > 0;) {
    const ulong x = a[w] & ~marked[w], y = b[w] & ~marked[w];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

void PackedTerms::append(Polynomial& sum, std::size_t term, const fmpz* coefficient,
                         const std::vector<ulong>& marked) const {
  auto* out = sum.raw();
  const slong at = out->length;
  fmpz_mpoly_fit_length(out, at + 1, sum.ring().context());
  fmpz_set(out->coeffs + at, coefficient);
  const ulong* from = monomial(term);
  ulong* to = out->exps + words_ * at;
  for (std::size_t w = 0; w < marked.size(); ++w) to[w] = from[w] & ~marked[w];
  out->length = at + 1;
}

void PackedTerms::put(Polynomial& sum, Place at, ulong exponent) const {
  sum.raw()->exps[words_ * (sum.raw()->length - 1) + at.word] |= exponent << at.shift;
}

Polynomial PackedTerms::empty(std::size_t terms) const {
  Polynomial sum(p_->ring());
  fmpz_mpoly_fit_length_reset_bits(sum.raw(), static_cast<slong>(terms), p_->raw()->bits,
                                   p_->ring().context());
  return sum;
}

}  // namespace rattleback
