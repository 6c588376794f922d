#pragma once
/// Grouping of a polynomial's terms by their exponents.

#include <cstdint>
#include <span>
#include <vector>

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// The exponents of all terms of a polynomial, term by term: unpacked once, because grouping reads them often.
class Exponents {
 public:
  explicit Exponents(const Polynomial& p);
  std::size_t terms() const { return terms_; }
  std::span<const ulong> operator[](std::size_t term) const { return {all_.data() + term * width_, width_}; }
  /// A bit for each generator that the term contains.
  std::span<const std::uint64_t> generators_of(std::size_t term) const {
    return {bits_.data() + term * bit_words_, bit_words_};
  }
  /// Does some term contain the generator?
  bool contain(int g) const {
    const auto at = static_cast<std::size_t>(g);
    return (bits_[terms_ * bit_words_ + at / 64] >> at % 64 & 1U) != 0;
  }

 private:
  std::size_t terms_, width_, bit_words_;
  std::vector<ulong> all_;
  std::vector<std::uint64_t> bits_;  ///< of the terms, and of all together
};

/// The exponents of g in all terms, without a common divisor.
std::vector<ulong> pattern(const Exponents& exponents, int g);

/// Does collecting by these powers join terms without taking all of them together?
bool joins_terms(std::vector<ulong> powers);

/// The terms, those with the same powers of some generators side by side; otherwise they keep their order.
std::vector<std::size_t> grouped(const Exponents& exponents, const std::vector<int>& by);

bool same_powers(const Exponents& exponents, const std::vector<int>& of, std::size_t i, std::size_t j);

}  // namespace rattleback
