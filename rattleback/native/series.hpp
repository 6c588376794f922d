#pragma once
/// SIMD convolution of power series in double, for Taylor recurrences, and evaluation of the polynomials.
///
/// series.cpp is compiled once for each instruction set; only plain data crosses this interface.

#include <cstddef>

namespace rattleback::series {

/// What a product may read, and ignores, on both sides of the coefficients.
inline constexpr std::size_t margin = 8;

struct Functions {
  /// Σ_{j<n} a[j] b[−j].
  double (*product)(const double* a, const double* b, std::size_t n);
  /// Σ_{j<n} (j + 1) a[j] b[−j].
  double (*slope_product)(const double* a, const double* b, std::size_t n);
  /// y[i] = Σ_{k≤order} rows[k n + i] h^k for i < n; there is a margin behind the rows.
  void (*values)(const double* rows, std::size_t n, std::size_t order, double h, double* y);
};
extern const Functions for_baseline, for_avx2, for_avx512;

/// For this processor.
const Functions& functions();

}  // namespace rattleback::series
