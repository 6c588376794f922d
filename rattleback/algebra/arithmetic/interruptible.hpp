#pragma once
/// Long calls of FLINT that a time limit can end. Private to algebra/.
///
/// FLINT knows no limits: the factorisation of one polynomial may take hours. While an interruptible call runs, FLINT's requests for
/// memory check the budget of the thread, and throw. What FLINT was building then is abandoned, never freed: it may be half made.

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// While it lives, requests for memory in this thread may throw Exhausted.
class InterruptibleScope {
 public:
  InterruptibleScope();
  ~InterruptibleScope();
  InterruptibleScope(const InterruptibleScope&) = delete;
  InterruptibleScope& operator=(const InterruptibleScope&) = delete;
};

/// A polynomial for the result of such a call: freed when the call returns, abandoned when it is interrupted.
class ScratchPolynomial {
 public:
  explicit ScratchPolynomial(const Ring& ring) : ring_(&ring) { fmpz_mpoly_init(value_, ring.context()); }
  ScratchPolynomial(const ScratchPolynomial&) = delete;
  ScratchPolynomial& operator=(const ScratchPolynomial&) = delete;
  ~ScratchPolynomial() {
    if (returned_) fmpz_mpoly_clear(value_, ring_->context());
  }
  fmpz_mpoly_struct* raw() { return value_; }
  /// Takes the result; the call has returned.
  void give_to(Polynomial& p) {
    fmpz_mpoly_swap(value_, p.raw(), ring_->context());
    returned_ = true;
  }
  void call_returned() { returned_ = true; }

 private:
  const Ring* ring_;
  fmpz_mpoly_t value_;
  bool returned_ = false;
};

/// Runs a call of FLINT that returns whether it succeeded.
template <class Call>
bool interruptible(const Call& call) {
  const InterruptibleScope scope;
  return call() != 0;
}

}  // namespace rattleback
