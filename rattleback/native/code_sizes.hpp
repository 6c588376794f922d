#pragma once
/// At which sizes code is interpreted, assembled, compiled by LLVM, inlined or cut: the one table. The bits of results do not depend on it.
///
/// Units, as types. *Instructions*: steps of straight-line code. *Evaluations*: how often it has run, or will. *Rows*: operands side by side.

#include <cstddef>

namespace rattleback::code_sizes {

struct Instructions {
  std::size_t count;
};
struct Evaluations {
  std::size_t count;
};
struct Rows {
  std::size_t count;
};

// After how many evaluations code has paid.

/// Assembling takes about 100 ns for each instruction, and interpreting one about 3 ns.
inline constexpr Evaluations before_assembling{30};
/// LLVM takes about 7 ms for the first code and 40 to 80 µs for each instruction, which saves 0.15 ns of what is assembled.
inline constexpr Evaluations before_compiling_assembled{400'000};
/// It saves 3 ns of what is interpreted: so many evaluations, and so many for one instruction, shared by all.
inline constexpr Evaluations before_compiling_interpreted{13'000};
inline constexpr Evaluations before_compiling_one_instruction{2'500'000};
/// States of an ensemble.
inline constexpr Evaluations before_compiling_lanes{20'000};
/// Directions of a variational motion.
inline constexpr Evaluations before_compiling_variations{4000};

// How long code may be.

/// A function of compiled code; a longer one takes LLVM too long, and is cut into several.
inline constexpr Instructions function{400};
/// Rates within the step of an ensemble; longer ones are a function that the step calls.
inline constexpr Instructions inlined_rates{48};
/// Rates that LLVM compiles for an ensemble; longer ones are interpreted.
inline constexpr Instructions compiled_rates{1500};
/// Variational equations that LLVM compiles.
inline constexpr Instructions compiled_variations{3000};

// From which size a faster way pays.

/// Assembled code that makes its sines and cosines in rows, and how many there must be.
inline constexpr Instructions angles_in_rows{200};
inline constexpr Rows angles{8};
/// Terms of a product of power series; shorter sums are quicker in place.
inline constexpr Rows series_product{3};

}  // namespace rattleback::code_sizes
