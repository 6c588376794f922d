#pragma once
/// Zeros of systems of polynomials over the prime field: roots of univariate equations, resultants for the others. Private to algebra/.

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <flint/nmod_mpoly.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#pragma GCC diagnostic pop

namespace rattleback {

/// F_p[x_0, …, x_(n-1)].
class ModularRing {
 public:
  explicit ModularRing(std::size_t variables) : size_(variables) {
    nmod_mpoly_ctx_init(context_, static_cast<slong>(variables), ORD_LEX, modulus_of_numbers);
  }
  ~ModularRing() { nmod_mpoly_ctx_clear(context_); }
  ModularRing(const ModularRing&) = delete;
  ModularRing& operator=(const ModularRing&) = delete;
  const nmod_mpoly_ctx_struct* context() const { return context_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  nmod_mpoly_ctx_t context_;
};

class ModularPolynomial {
 public:
  explicit ModularPolynomial(const ModularRing& ring) : ring_(&ring) { nmod_mpoly_init(p_, ring.context()); }
  ModularPolynomial(const ModularPolynomial& other) : ModularPolynomial(*other.ring_) {
    nmod_mpoly_set(p_, other.p_, ring_->context());
  }
  ModularPolynomial& operator=(const ModularPolynomial& other) {
    if (this != &other) nmod_mpoly_set(p_, other.p_, ring_->context());
    return *this;
  }
  ~ModularPolynomial() { nmod_mpoly_clear(p_, ring_->context()); }

  bool is_zero() const { return nmod_mpoly_is_zero(p_, ring_->context()) != 0; }
  bool is_constant() const { return nmod_mpoly_is_ui(p_, ring_->context()) != 0; }
  long degree(std::size_t v) const {
    return nmod_mpoly_degree_si(p_, static_cast<slong>(v), ring_->context());
  }
  std::size_t terms() const { return static_cast<std::size_t>(nmod_mpoly_length(p_, ring_->context())); }
  ModularPolynomial at(std::size_t v, std::uint64_t value) const {
    ModularPolynomial r(*ring_);
    nmod_mpoly_evaluate_one_ui(r.p_, p_, static_cast<slong>(v), value, ring_->context());
    return r;
  }
  nmod_mpoly_struct* raw() { return p_; }
  const nmod_mpoly_struct* raw() const { return p_; }
  const ModularRing& ring() const { return *ring_; }

 private:
  const ModularRing* ring_;
  nmod_mpoly_t p_;
};

/// A search for one zero: univariate equations first, then elimination of the variable of lowest degree.
class ModularZeros {
 public:
  using Values = std::vector<std::optional<std::uint64_t>>;
  using Polynomials = std::vector<ModularPolynomial>;
  using Accepts = std::function<bool(const Values&)>;
  ModularZeros(std::uint64_t seed, Accepts accepts) : seed_(seed), accepts_(std::move(accepts)) {}

  /// True as soon as `accepts` takes a zero.
  bool search(const Polynomials& system, Values values) {
    return search(system, std::move(values), accepts_);
  }

 private:
  bool search(Polynomials system, Values values, const Accepts& then);
  bool over_roots(const ModularPolynomial& p, std::size_t v, const Polynomials& system, Values values,
                  const Accepts& then);
  bool by_elimination(const Polynomials& system, const Values& values, const Accepts& then);

  static constexpr int limit = search_limits::branches_of_roots.count;
  std::uint64_t seed_;
  Accepts accepts_;
  int tries_ = 0;
};

}  // namespace rattleback
