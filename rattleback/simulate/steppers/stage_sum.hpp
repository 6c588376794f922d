#pragma once
/// Weighted sums of the rates at the stages of a Runge–Kutta method.
///
/// stage_sum.cpp is compiled once for each instruction set; only plain data crosses this interface.

#include <cstddef>

namespace rattleback::stage_rows {

struct Weight {
  int stage;
  double value;
};
/// Of a method and of two others that estimate its error.
struct EndWeight {
  int stage;
  double value, fifth, third;
};
/// to = y + h Σ_j w_j k_j, for rows y, to and k_j of `stride` doubles; the k_j stand one after the other. The last of them may just
/// have been written.
using Sum = void (*)(const double* k, std::size_t stride, const Weight* weights, std::size_t count,
                     const double* y, double h, double* to);

/// Σ (e_i/scale_i)² over the variables, with scale = atol + rtol max(|y|, |to|).
struct Errors {
  double fifth, third;
};
/// The same at the end of a step, with its errors.
using End = Errors (*)(const double* k, std::size_t stride, const EndWeight* weights, std::size_t count,
                       const double* y, double h, double rtol, double atol, double* to);

/// to = y + h k for n doubles, and Kutta's y + h/6 (k₁ + 2 (k₂ + k₃) + k₄), rounded as compiled steps of ensembles round them.
using Shift = void (*)(const double* y, double h, const double* k, std::size_t n, double* to);
using Kutta = void (*)(const double* y, double sixth, const double* const k[4], std::size_t n, double* to);

/// Rows of `whole_width` doubles, or a multiple of it, that were written as whole registers: directions side by side.
inline constexpr std::size_t whole_width = 8;

struct Functions {
  std::size_t width;  ///< rows of rates are so long, or a multiple of it
  Sum sum;
  End end;
  Sum whole_sum;
  End whole_end;
  Shift shift;
  Kutta kutta;
};
extern const Functions for_baseline, for_avx2, for_avx512;

/// For this processor.
const Functions& functions();

}  // namespace rattleback::stage_rows
