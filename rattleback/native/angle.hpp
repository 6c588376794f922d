#pragma once
/// Branch-free sine and cosine (Cody–Waite reduction, minimax polynomials) as templates over the number type: a double, a SIMD
/// vector of doubles, or a register of code that is being written. The interpreter and compiled code go through these lines, and so
/// agree to the last bit.
///
/// x = jπ/2 + r with |r| ≤ π/4 [Cody and Waite]; the quadrant j decides which of ±sin r, ±cos r. The polynomials are
/// fdlibm's. The error is below 2 ulp + 10⁻³³|x| for angles that are tame, up to 10⁸ (without fused operations 2.5 ulp, up to
/// 1.6·10⁶); beyond, the quadrant is lost and the caller has to ask the mathematical library.
///
/// A number V comes with multiply_add(a, b, c) = a·b + c, bits(x) and number(bits), select(mask, a, b) and
/// is_odd(bits); `once` says whether multiply_add rounds once.

#include <cmath>

namespace rattleback {

template <class V>
struct SineCosine {
  V sine, cosine;
};

/// jπ/2 is subtracted in pieces: two of full length where a·b + c is rounded once, otherwise three, of 33 bits, whose products
/// with j are exact. They are multiplied by 2⁵¹, because j comes with 2⁻⁵¹.
struct AngleReduction {
  double most;  ///< −most ≤ j < most, a power of 2
  int pieces;
  double pi_2[3];
};
constexpr AngleReduction angle_reduction(bool once) {
  constexpr double unit = 0x1p51;
  if (once) return {0x1p26, 2, {unit * 1.57079632679489655800e+00, unit * 6.12323399573676603587e-17}};
  return {0x1p20,
          3,
          {unit * 1.57079632673412561417e+00, unit * 6.07710050630396597660e-11,
           unit * 2.02226624879595063154e-21}};
}

/// 2 + (most + j)·2⁻⁵¹: j stands in the last bits. Of an angle that is too large or no number, other bits than of these are set: the
/// exponent of 2 is a single bit, and a result below 2 has none of it and others instead.
template <class V>
V quadrant(const V& x, bool once) {
  constexpr double turns = 0x1p-51 * 0.63661977236758138243;
  return multiply_add(x, constant(x, turns), constant(x, 2 + 0x1p-51 * angle_reduction(once).most));
}
/// Of the bits of one quadrant, or of those of several joined by `or`.
template <class B>
auto is_tame(const B& joined, bool once) {
  const auto low = static_cast<unsigned long long>(2 * angle_reduction(once).most) - 1;
  const auto rest = number(joined & ~low);
  return rest == constant(rest, 2);
}

template <class V>
V horner(const V&, const V& lead) {
  return lead;
}
template <class V, class... Lower>
V horner(const V& z, const V& lead, double next, Lower... lower) {
  return horner(z, multiply_add(lead, z, constant(z, next)), lower...);
}

/// sin r = r + r³ (s₀ + z (s₁ + …)) and cos r = 1 − z/2 + z² (c₀ + z (c₁ + …)) with z = r².
template <class V>
V small_sine(const V& r, const V& z) {
  const V p = horner(z, constant(z, 1.58969099521155010221e-10), -2.50507602534068634195e-08,
                     2.75573137070700676789e-06, -1.98412698298579493134e-04, 8.33333333332248946124e-03,
                     -1.66666666666666324348e-01);
  return multiply_add(p * z, r, r);
}
template <class V>
V small_cosine(const V& z) {
  const V p = horner(z, constant(z, -1.13596475577881948265e-11), 2.08757232129817482790e-09,
                     -2.75573143513906633035e-07, 2.48015872894767294178e-05, -1.38888888888741095749e-03,
                     4.16666666666666019037e-02);
  return multiply_add(p * z, z, multiply_add(z, constant(z, -0.5), constant(z, 1)));
}

/// Of an angle and its quadrant.
template <class V>
SineCosine<V> sine_cosine(const V& x, const V& in, bool once) {
  const AngleReduction reduction = angle_reduction(once);
  const V j = constant(x, 2 + 0x1p-51 * reduction.most) - in;  // −j 2⁻⁵¹
  V r = x;
  for (int k = 0; k < reduction.pieces; ++k) r = multiply_add(j, constant(x, reduction.pi_2[k]), r);
  const auto last = bits(in);
  const V z = r * r, s = small_sine(r, z), c = small_cosine(z);
  const auto odd = is_odd(last);
  const auto minus_s = (last & 2) << 62, minus_c = ((last + 1) & 2) << 62;
  return {number(bits(select(odd, c, s)) ^ minus_s), number(bits(select(odd, s, c)) ^ minus_c)};
}

/// In double, for this processor; any x.
double sine(double x);
double cosine(double x);
double tangent(double x);

}  // namespace rattleback
