#pragma once
/// Arithmetic modulo a 62-bit prime with structure, under which sin, cos, exp and √ are homomorphisms.
///
/// p = 4611678266767189679 = 720 q' − 1 with q' and q = (p − 1)/2 prime. Then
///   - i ∉ F_p, and the circle c² + s² = 1 over F_p is a cyclic group of order 720 q': an angle u is a residue
///     modulo q', cos u + i sin u = ζ^u, and multiples of π/360 are the points of finite order;
///   - the squares of F_p form a cyclic group of order q: an exponent u is a residue modulo q, exp u = g^u;
///   - √a = a^((p+1)/4) is multiplicative on squares, and its values are squares. All primes up to 61 are squares
///     and −1 is not, so "is a square" behaves like "is positive" for the numbers that occur in formulas;
///     1 + √2, 1 + √3, (1 + √5)/2 and √2 + √3 are squares too.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/arithmetic/rational.hpp>

namespace rattleback {

/// A residue modulo N (odd, below 2^62), kept in Montgomery form: the word a·2^64 mod N stands for a.
template <std::uint64_t N>
class Residue {
  static_assert(N % 2 == 1 && N < (std::uint64_t{1} << 62U));
  using Word = std::uint64_t;
  __extension__ using Wide = unsigned __int128;

 public:
  static constexpr Word modulus = N;

  constexpr Residue() = default;
  constexpr Residue(long integer)  // NOLINT: integers are residues
      : Residue(product(static_cast<Word>(integer < 0 ? -(integer + 1) : integer) % N, radix2)) {
    if (integer < 0) *this = Residue() - *this - Residue(1L);
  }
  constexpr Residue(int integer) : Residue(static_cast<long>(integer)) {}  // NOLINT: likewise

  /// The residue that a uniform word selects.
  static constexpr Residue from_hash(Word hash) {
    return Residue(static_cast<Word>((Wide{hash} * N) >> 64U), Raw{});
  }
  /// Nothing when N divides the denominator.
  static std::optional<Residue> from(const Rational& r) {
    const Word d = fmpz_fdiv_ui(fmpq_denref(r.raw()), N), n = fmpz_fdiv_ui(fmpq_numref(r.raw()), N);
    if (d == 0) return std::nullopt;
    return Residue(product(n, radix2), Raw{}) / Residue(product(d, radix2), Raw{});
  }

  constexpr Word canonical() const { return product(word_, 1); }  ///< in 0 … N−1
  constexpr Word word() const { return word_; }  ///< a fingerprint; equal iff the residues are
  constexpr bool is_zero() const { return word_ == 0; }
  friend constexpr bool operator==(Residue, Residue) = default;

  friend constexpr Residue operator+(Residue a, Residue b) {
    const Word s = a.word_ + b.word_;
    return {s >= N ? s - N : s, Raw{}};
  }
  friend constexpr Residue operator-(Residue a, Residue b) {
    return {a.word_ >= b.word_ ? a.word_ - b.word_ : a.word_ + N - b.word_, Raw{}};
  }
  friend constexpr Residue operator-(Residue a) { return Residue() - a; }
  friend constexpr Residue operator*(Residue a, Residue b) { return {product(a.word_, b.word_), Raw{}}; }
  friend constexpr Residue operator/(Residue a, Residue b) { return a * inverse(b); }
  constexpr Residue& operator+=(Residue b) { return *this = *this + b; }
  constexpr Residue& operator-=(Residue b) { return *this = *this - b; }
  constexpr Residue& operator*=(Residue b) { return *this = *this * b; }

  /// a^n for n ≥ 0.
  friend constexpr Residue power(Residue a, Word n) {
    Residue r(1L);
    for (; n != 0; n >>= 1U, a *= a) {
      if ((n & 1U) != 0) r *= a;
    }
    return r;
  }
  /// 1/a by Euclid; 1/0 = 0, so ask first.
  friend constexpr Residue inverse(Residue a) {
    __extension__ using Signed = __int128;
    Word r0 = N, r1 = a.canonical();
    Signed t0 = 0, t1 = 1;
    while (r1 != 0) {
      const Word k = r0 / r1;
      r0 = std::exchange(r1, r0 - k * r1);
      t0 = std::exchange(t1, t0 - static_cast<Signed>(k) * t1);
    }
    if (t0 < 0) t0 += N;
    return a.is_zero() ? a : Residue(product(static_cast<Word>(t0), radix2), Raw{});
  }
  /// a^((N+1)/4): the root of a that is itself a square, when N ≡ 3 (mod 4) is prime and a is a square.
  friend constexpr std::optional<Residue> root(Residue a) {
    static_assert(N % 4 == 3);
    const Residue r = power(a, (N + 1) / 4);
    if (r * r != a) return std::nullopt;
    return r;
  }

 private:
  struct Raw {};
  constexpr Residue(Word word, Raw) : word_(word) {}
  constexpr explicit Residue(Word word) : word_(word) {}

  static constexpr Word inverse_of_modulus() {
    Word x = 1;
    for (int i = 0; i < 6; ++i) x *= 2 - N * x;
    return x;  // N·x ≡ 1 mod 2^64
  }
  static constexpr Word n_inverse = inverse_of_modulus();
  static constexpr Word radix = static_cast<Word>((Wide{1} << 64U) % N);
  static constexpr Word radix2 = static_cast<Word>(Wide{radix} * radix % N);

  /// a·b·2^−64 mod N for a·b < N·2^64.
  static constexpr Word product(Word a, Word b) {
    const Wide t = Wide{a} * b;
    const Word m = static_cast<Word>(t) * n_inverse;
    const Word high = static_cast<Word>(t >> 64U), cancel = static_cast<Word>((Wide{m} * N) >> 64U);
    return high >= cancel ? high - cancel : high + N - cancel;
  }

  Word word_ = 0;
};

inline constexpr std::uint64_t modulus_of_numbers = 4611678266767189679U;            ///< p
inline constexpr std::uint64_t modulus_of_exponents = (modulus_of_numbers - 1) / 2;  ///< q
inline constexpr std::uint64_t half_degrees_of_a_turn = 720;  ///< a full turn in π/360
inline constexpr std::uint64_t modulus_of_angles = (modulus_of_numbers + 1) / half_degrees_of_a_turn;  ///< q'

using ModP = Residue<modulus_of_numbers>;
using ModExponent = Residue<modulus_of_exponents>;
using ModAngle = Residue<modulus_of_angles>;

/// A point of the circle c² + s² = 1.
struct CirclePoint {
  ModP c = 1, s = 0;
  friend CirclePoint operator*(CirclePoint a, CirclePoint b) {
    return {a.c * b.c - a.s * b.s, a.c * b.s + a.s * b.c};
  }
  friend bool operator==(CirclePoint, CirclePoint) = default;
};
CirclePoint power(CirclePoint z, long n);
/// ζ^u.
CirclePoint circle(ModAngle u);
/// The angle k·π/360. Chosen among the generators of order 720 so that its cosines and sines are those of the
/// real numbers in the roots above: 2 cos(π/6) = √3, 2 cos(π/4) = √2, 4 cos(π/5) = 1 + √5, cos(π/8) a square.
CirclePoint circle_of_half_degrees(long k);
/// g^u.
ModP exponential(ModExponent u);
/// a^u for a square a ≠ 0.
ModP power_of_square(ModP a, ModExponent u);

/// A dense matrix over F_p, row by row.
class ModularMatrix {
 public:
  ModularMatrix() = default;
  ModularMatrix(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        entries_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  ModP& operator()(int i, int j) { return entries_[index(i, j)]; }
  ModP operator()(int i, int j) const { return entries_[index(i, j)]; }
  std::span<ModP> row(int i) {
    return std::span(entries_).subspan(index(i, 0), static_cast<std::size_t>(columns_));
  }
  std::span<const ModP> row(int i) const {
    return std::span(entries_).subspan(index(i, 0), static_cast<std::size_t>(columns_));
  }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j);
  }
  int rows_ = 0, columns_ = 0;
  std::vector<ModP> entries_;
};

/// The reduced row echelon form: row k has its leading 1 in column pivots[k], the only entry of that column.
struct Echelon {
  ModularMatrix matrix;
  std::vector<int> pivots;
  std::vector<int> rows;  ///< rows[k]: the row of the given matrix that was taken as the k-th pivot row
};
Echelon row_echelon(ModularMatrix a);
int rank(const ModularMatrix& a);
ModP determinant(ModularMatrix a);
/// One solution of a·x = b for each column of b; nothing when there is none.
std::optional<ModularMatrix> solve(const ModularMatrix& a, const ModularMatrix& b);
/// A basis of {x : a·x = 0}, as columns.
ModularMatrix kernel(const ModularMatrix& a);

}  // namespace rattleback
