#include <doctest/doctest.h>

#include <array>

#include <rattleback/algebra/arithmetic/packed_terms.hpp>

using namespace rattleback;

namespace {

/// 3x²y − 5xz + 7z⁴ in generators x, y, z.
Polynomial example(const Ring& ring) {
  Polynomial p(ring);
  p.add_term(3, std::array<ulong, 3>{2, 1, 0});
  p.add_term(-5, std::array<ulong, 3>{1, 0, 1});
  p.add_term(7, std::array<ulong, 3>{0, 0, 4});
  return p;
}

}  // namespace

TEST_CASE("terms with some exponents changed, without unpacking the others") {
  const auto ring = Ring::make(3, [](Ring&) {});
  const Polynomial p = example(*ring);
  const ulong large = 1000;  // takes more bits than the exponents of p
  const PackedTerms terms(p, large);
  const PackedTerms::Place x = terms.place(0), z = terms.place(2);
  CHECK(terms.exponent(0, x) == 2);
  CHECK(terms.exponent(2, z) == 4);
  const std::vector<ulong> without = terms.bits_of(std::array{0});
  Polynomial sum = terms.empty(3);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms.append(sum, i, terms.coefficient(i), without);
    terms.put(sum, x, i == 2 ? large : 0);
  }
  sum.collect();
  Polynomial expected(*ring);  // y, z and x¹⁰⁰⁰z⁴
  expected.add_term(7, std::array<ulong, 3>{large, 0, 4});
  expected.add_term(3, std::array<ulong, 3>{0, 1, 0});
  expected.add_term(-5, std::array<ulong, 3>{0, 0, 1});
  CHECK(sum == expected);
  CHECK(sum != p);
}

TEST_CASE("terms are compared but for marked exponents") {
  const auto ring = Ring::make(3, [](Ring&) {});
  const Polynomial p = example(*ring);
  const PackedTerms terms(p, 0);
  const std::vector<ulong> nothing = terms.bits_of({}), yz = terms.bits_of(std::array{1, 2});
  CHECK(terms.compared(0, 1, nothing) == 1);
  CHECK(terms.compared(1, 1, nothing) == 0);
  CHECK(terms.compared(1, 0, yz) == -1);
  CHECK(terms.compared(0, 1, terms.bits_of(std::array{0, 1, 2})) == 0);
}

TEST_CASE("terms added in any order are put in order and joined") {
  const auto ring = Ring::make(2, [](Ring&) {});
  Polynomial p(*ring), q(*ring);
  for (const ulong n : {0UL, 3UL, 1UL, 3UL, 2UL, 1UL})
    p.add_term(n == 1 ? -2 : 4, std::array<ulong, 2>{n, 1});
  p.add_term(4, std::array<ulong, 2>{1, 1});
  p.collect();
  q.add_term(8, std::array<ulong, 2>{3, 1});
  q.add_term(4, std::array<ulong, 2>{2, 1});
  q.add_term(4, std::array<ulong, 2>{0, 1});
  CHECK(p == q);
}
