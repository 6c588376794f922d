#pragma once
/// SIMD sine and cosine of many angles.

#include <cstddef>

namespace rattleback {

/// Angles in rows[0 … n) become their sines; their cosines go to rows[n … 2n), their quadrants, joined (is_tame in angle.hpp), to
/// rows[2n]. For this processor.
using AngleRows = void (*)(double* rows, std::size_t n);
AngleRows angle_rows();

namespace angles {
void for_baseline(double* rows, std::size_t n);
#if defined(__x86_64__)
void for_avx2(double* rows, std::size_t n);
void for_avx512(double* rows, std::size_t n);
#endif
}  // namespace angles

}  // namespace rattleback
