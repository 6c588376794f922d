#pragma once
/// What a model file and a formula may contain: the one table, with units as types. Larger input is refused with an error that names the limit.

#include <cstddef>

namespace rattleback::input_limits {

struct Nodes {
  std::size_t count;
};
struct Letters {
  std::size_t count;
};
struct Dimension {
  std::size_t count;
};
struct Depth {
  std::size_t count;
};
struct Entries {
  std::size_t count;
};
struct Exponent {
  std::size_t count;
};
struct Bits {
  std::size_t count;
};
struct Bytes {
  std::size_t count;
};

/// Binary digits of `--precision`.
inline constexpr Bits precision{1000};
/// Numbers that a run records: three gigabytes.
inline constexpr Entries recorded_numbers{400'000'000};
/// Ranks that a certificate states at one special place.
inline constexpr Entries ranks_at_a_place{8};
/// A formula that is written out, in operators, names and numbers.
inline constexpr Nodes printed_formula{1'000'000};
/// The stack, where it has no limit of its own: deeper recursion does not end.
inline constexpr Bytes stack{std::size_t{64} << 20U};
/// All formulas of a model.
inline constexpr Nodes model{20'000'000};
/// A model file.
inline constexpr Letters model_file{10'000'000};
/// Coordinates of a factor; structure coefficients take the third power of memory.
inline constexpr Dimension space{250};
/// Basis of a Lie algebra.
inline constexpr Dimension algebra{40};
/// Tables and arrays within each other.
inline constexpr Depth toml{32};
/// Rotations about axes in one product; longer products are treated as plain matrices.
inline constexpr Entries rotation_chain{64};
/// Entries of an array in a model file.
inline constexpr Entries array{10'000};
/// The text of a formula.
inline constexpr Letters formula{1'000'000};
/// Digits of a number.
inline constexpr Letters number{4000};
/// The exponent of ten in a number.
inline constexpr Exponent decimal_exponent{4000};
/// Entries of a matrix in a formula.
inline constexpr Entries matrix{10'000};
/// Brackets within each other.
inline constexpr Depth brackets{200};
/// Bits of a number that arises.
inline constexpr Bits bits_of_a_number{1U << 20U};
/// The exponent of a power that arises.
inline constexpr Exponent exponent{1 << 24};
/// Values on one axis of a sweep.
inline constexpr Entries sweep_axis{100'000'000};
/// Lines of a table that is an input u(t).
inline constexpr Entries table{2000};
/// Elements of XML within each other.
inline constexpr Depth xml{64};
/// Lists of a certificate within each other.
inline constexpr Depth certificate{100};
/// Errors of one file that are reported together, and attempts to read on behind one.
inline constexpr Entries errors_at_once{20};
inline constexpr Entries attempts_at_errors{60};
/// Motions of a cloud in the studio.
inline constexpr Entries cloud_of_the_studio{5000};

}  // namespace rattleback::input_limits
