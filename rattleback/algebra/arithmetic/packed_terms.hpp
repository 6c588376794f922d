#pragma once
/// Polynomial terms in FLINT's packed exponent format: filtered and shifted without unpacking.

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

class PackedTerms {
 public:
  /// Repacks p where its exponent fields are too narrow for `largest_exponent`. The polynomial must outlive this view of it.
  PackedTerms(const Polynomial& p, ulong largest_exponent);
  PackedTerms(Polynomial&& p, ulong largest_exponent) = delete;
  PackedTerms(const PackedTerms&) = delete;
  PackedTerms& operator=(const PackedTerms&) = delete;

  /// The word and the bit offset of a generator's exponent.
  struct Place {
    slong word, shift;
  };
  Place place(int g) const;

  std::size_t size() const { return p_->terms(); }
  ulong exponent(std::size_t term, Place at) const { return (monomial(term)[at.word] >> at.shift) & mask_; }
  Rational coefficient(std::size_t term) const { return p_->coefficient(term); }
  std::span<const ulong> words(std::size_t term) const {
    return {monomial(term), static_cast<std::size_t>(words_)};
  }
  /// Bitwise OR of the exponent words of all terms: the field of a generator that does not occur is 0.
  std::vector<ulong> used() const;
  ulong field(const std::vector<ulong>& words, Place at) const {
    return (words[static_cast<std::size_t>(at.word)] >> at.shift) & mask_;
  }

  /// Mask of the exponent fields of some generators, for compared() and append().
  std::vector<ulong> bits_of(std::span<const int> generators) const;
  /// Compares the exponents of two terms, without the masked fields: −1, 0, 1.
  int compared(std::size_t i, std::size_t j, const std::vector<ulong>& marked) const;

  /// Appends coefficient · term with the marked exponents 0. Terms may come in any order: call collect() on the sum then.
  void append(Polynomial& sum, std::size_t term, const Rational& integer,
              const std::vector<ulong>& marked) const {
    append(sum, term, fmpq_numref(integer.raw()), marked);
  }
  /// The same with the coefficient that the term has.
  void append(Polynomial& sum, std::size_t term, const std::vector<ulong>& marked) const {
    append(sum, term, p_->raw()->coeffs + term, marked);
  }
  /// Writes an exponent, which is 0, of the term appended last.
  void put(Polynomial& sum, Place at, ulong exponent) const;
  /// The zero polynomial, with memory for this many terms.
  Polynomial empty(std::size_t terms) const;

 private:
  const ulong* monomial(std::size_t term) const {
    return p_->raw()->exps + words_ * static_cast<slong>(term);
  }
  void append(Polynomial& sum, std::size_t term, const fmpz* coefficient,
              const std::vector<ulong>& marked) const;

  std::optional<Polynomial> repacked_;  ///< where there was no room
  const Polynomial* p_;
  slong words_;  ///< of a monomial
  ulong mask_;   ///< of an exponent
};

}  // namespace rattleback
