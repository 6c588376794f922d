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
/// Rows of rates are so long, or a multiple of it.
inline constexpr std::size_t width = 8;

/// to = y + h Σ_j w_j k_j, for rows y, to and k_j of `stride` doubles; the k_j stand one after the other.
using Sum = void (*)(const double* k, std::size_t stride, const Weight* weights, std::size_t count,
                     const double* y, double h, double* to);
extern const Sum for_baseline, for_avx2, for_avx512;

/// For this processor.
Sum weighted_sum();

}  // namespace rattleback::stage_rows
