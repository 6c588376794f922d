#include <rattleback/algebra/arithmetic/exact_ring.hpp>

#include <flint/mpoly.h>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/few.hpp>
#include <rattleback/algebra/arithmetic/packed_terms.hpp>

namespace rattleback {

namespace {

/// Below, a product of coefficients costs little beside that of the terms.
constexpr std::size_t few_words = 4;

constexpr const char* too_large = "the limit on the size of exact polynomials was reached";

}  // namespace

void allow_product(std::size_t a, std::size_t b) {
  Budget::check();
  constexpr std::size_t work_per_term = 64, overhead = 20;
  if (a != 0 && b > work_per_term * Budget::max_terms() / a) throw Exhausted(too_large);
  Budget::charge_work(a * b + overhead);
}

void allow_factoring(std::size_t terms) {
  Budget::check();
  constexpr std::size_t share = 8, work_per_term = 100;
  if (terms > Budget::max_terms() / share) throw Exhausted(too_large);
  Budget::charge_work(work_per_term * terms);
}

Ring::Ring(int generators) : size_(generators) {
  return_flint_memory_at_thread_end();
  fmpz_mpoly_ctx_init(context_, generators, ORD_LEX);
}

Ring::~Ring() {
  relations_.clear();
  fmpz_mpoly_ctx_clear(context_);
}

std::unique_ptr<const Ring> Ring::make(int generators, const std::function<void(Ring&)>& relate) {
  std::unique_ptr<Ring> ring(new Ring(generators));
  relate(*ring);
  return ring;
}

void Ring::relate(Relation relation) { relations_.insert(relations_.begin(), std::move(relation)); }

Polynomial::Polynomial(const Ring& ring, long constant) : ring_(&ring) {
  fmpz_mpoly_init(value_, ring.context());
  if (constant != 0) fmpz_mpoly_set_si(value_, constant, ring.context());
}

Polynomial Polynomial::generator(const Ring& ring, int g) {
  Polynomial p(ring);
  fmpz_mpoly_gen(p.value_, g, ring.context());
  return p;
}

Polynomial::Polynomial(const Polynomial& other) : Polynomial(*other.ring_) {
  fmpz_mpoly_set(value_, other.value_, ring_->context());
}

Polynomial::Polynomial(Polynomial&& other) noexcept : ring_(other.ring_) {
  fmpz_mpoly_init(value_, ring_->context());
  fmpz_mpoly_swap(value_, other.value_, ring_->context());
}

Polynomial& Polynomial::operator=(Polynomial other) noexcept {
  std::swap(ring_, other.ring_);
  fmpz_mpoly_swap(value_, other.value_, ring_->context());
  return *this;
}

Polynomial::~Polynomial() { fmpz_mpoly_clear(value_, ring_->context()); }

bool Polynomial::is_one() const { return fmpz_mpoly_is_one(value_, ring_->context()) != 0; }
bool Polynomial::is_constant() const { return fmpz_mpoly_is_fmpz(value_, ring_->context()) != 0; }
long Polynomial::degree(int g) const { return fmpz_mpoly_degree_si(value_, g, ring_->context()); }

Rational Polynomial::coefficient(std::size_t term) const {
  Rational r;
  fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(r.raw()), value_, static_cast<slong>(term), ring_->context());
  return r;
}

std::vector<ulong> Polynomial::exponents(std::size_t term) const {
  std::vector<ulong> e(static_cast<std::size_t>(ring_->size()));
  fmpz_mpoly_get_term_exp_ui(e.data(), value_, static_cast<slong>(term), ring_->context());
  return e;
}

void Polynomial::add_term(const Rational& integer, std::span<const ulong> exponents) {
  fmpz_mpoly_push_term_fmpz_ui(value_, fmpq_numref(integer.raw()), exponents.data(), ring_->context());
}

/// Small polynomials in many generators: comparisons cost less than FLINT's passes over every bit of the exponents.
void Polynomial::collect() {
  const auto* monomials = ring_->context()->minfo;
  const slong words = mpoly_words_per_exp(value_->bits, monomials);
  Few<ulong> mask;
  for (slong w = 0; w < words; ++w) mask.push_back(0);
  mpoly_get_cmpmask(mask.data(), words, value_->bits, monomials);
  const auto before = [&](slong i, slong j) {
    return mpoly_monomial_gt(value_->exps + words * i, value_->exps + words * j, words, mask.data()) != 0;
  };
  bool is_sorted = true;
  for (slong i = 1; i < value_->length && is_sorted; ++i) is_sorted = !before(i, i - 1);
  if (!is_sorted) {
    Few<slong> order;
    for (slong i = 0; i < value_->length; ++i) order.push_back(i);
    std::ranges::sort(order, before);
    const Few<fmpz> coefficients(value_->coeffs, value_->coeffs + value_->length);
    const Few<ulong, 64> exponents(value_->exps, value_->exps + words * value_->length);
    for (std::size_t k = 0; k < order.size(); ++k) {
      value_->coeffs[k] = coefficients[static_cast<std::size_t>(order[k])];
      std::copy_n(exponents.begin() + words * order[k], words,
                  value_->exps + static_cast<std::size_t>(words) * k);
    }
  }
  fmpz_mpoly_combine_like_terms(value_, ring_->context());
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial r(*a.ring_);
  fmpz_mpoly_add(r.value_, a.value_, b.value_, a.ring_->context());
  return r;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial r(*a.ring_);
  fmpz_mpoly_sub(r.value_, a.value_, b.value_, a.ring_->context());
  return r;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  allow_product(a.terms(), b.terms());
  if (const std::size_t longer = a.words() * b.words(); longer > few_words)
    Budget::charge_work(a.terms() * b.terms() * longer / few_words);
  Polynomial r(*a.ring_);
  fmpz_mpoly_mul(r.value_, a.value_, b.value_, a.ring_->context());
  return r;
}

std::size_t Polynomial::words() const {
  const slong bits = fmpz_mpoly_max_bits(value_);
  return 1 + static_cast<std::size_t>(bits < 0 ? -bits : bits) / FLINT_BITS;
}

Polynomial Polynomial::operator-() const {
  Polynomial r(*ring_);
  fmpz_mpoly_neg(r.value_, value_, ring_->context());
  return r;
}

bool operator==(const Polynomial& a, const Polynomial& b) {
  return fmpz_mpoly_equal(a.value_, b.value_, a.ring_->context()) != 0;
}

Polynomial power(const Polynomial& base, unsigned exponent) {
  Polynomial result(base.ring(), 1);
  for (unsigned i = 0; i < exponent; ++i) result = result * base;
  return result;
}

/// Terms are put into buckets by ⌊e/2⌋ and the buckets summed by Horner's rule: one pass, no division. Within a bucket the terms
/// keep their order, which is lexicographic: there is nothing to sort.
bool reduce(Polynomial& p, int g, const Polynomial& square) {
  if (p.degree(g) < 2) return false;
  const PackedTerms terms(p, 0);
  const PackedTerms::Place at = terms.place(g);
  const std::vector<ulong> without = terms.bits_of(std::span(&g, 1));
  std::vector<Polynomial> buckets;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const ulong exponent = terms.exponent(i, at);
    while (buckets.size() <= exponent / 2) buckets.push_back(terms.empty(1));
    Polynomial& bucket = buckets[exponent / 2];
    terms.append(bucket, i, without);
    terms.put(bucket, at, exponent % 2);
  }
  Polynomial sum = std::move(buckets.back());
  for (std::size_t k = buckets.size() - 1; k-- > 0;) sum = sum * square + buckets[k];
  if (sum.terms() > Budget::max_terms()) throw Exhausted(too_large);
  p = std::move(sum);
  return true;
}

bool reduce(Polynomial& p) {
  bool changed = false;
  for (const Relation& r : p.ring().relations()) changed = reduce(p, r.generator, r.square) || changed;
  return changed;
}

Polynomial conjugate(const Polynomial& p, int g) {
  Polynomial out(p);
  const auto* context = p.ring().context();
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const auto at = static_cast<slong>(i);
    if ((fmpz_mpoly_get_term_var_exp_ui(p.raw(), at, g, context) & 1U) == 0) continue;
    fmpz_mpoly_set_term_coeff_fmpz(out.raw(), at, fmpq_numref((-p.coefficient(i)).raw()), context);
  }
  return out;
}

Polynomial norm(Polynomial p) {
  reduce(p);
  for (const Relation& r : p.ring().relations()) {
    if (p.degree(r.generator) <= 0) continue;
    p = p * conjugate(p, r.generator);
    reduce(p);
  }
  return p;
}

}  // namespace rattleback
