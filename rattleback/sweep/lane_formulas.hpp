#pragma once
/// The formulas of an adaptive step as templates over the number type: SIMD lanes, or values of code that is being written. The
/// interpreter of batches and compiled batches go through these lines, and so agree to the last bit.
///
/// A number V comes with its operators and with multiply_add, absolute, select, constant, bits and number; see
/// native/angle.hpp.

namespace rattleback::lanes {

template <class V>
V larger(const V& a, const V& b) {
  return select(a > b, a, b);
}
template <class V>
V smaller(const V& a, const V& b) {
  return select(a > b, b, a);
}

/// Σ_j w_j k_j from left to right, where k(j) is the rate of one variable at a stage.
template <class V, class Weights, class Rates>
V weighted(const Weights& weights, const Rates& k) {
  V sum{};
  for (const auto *w = weights.begin, *end = w + weights.count; w != end; ++w)
    sum = multiply_add(constant(sum, w->value), k(w->stage), sum);
  return sum;
}

/// How much longer than the rest a step may be to be the last one.
template <class V>
auto is_last(const V& left, const V& wanted) {
  return left <= wanted * constant(wanted, 1 + 1e-10);
}

/// Σ (e_i/scale_i)² over the variables, for the embedded methods of orders 5 and 3, scale = atol + rtol max(|y|, |y new|).
template <class V>
struct ErrorSums {
  V fifth, third;
  void add(const V& five, const V& eight, const V& three, const V& before, const V& after, const V& rtol,
           const V& atol) {
    const V scale = constant(rtol, 1) / multiply_add(rtol, larger(absolute(before), absolute(after)), atol);
    const V a = five * scale, b = (eight - three) * scale;
    fifth = multiply_add(a, a, fifth);
    third = multiply_add(b, b, third);
  }
  /// The square of Hairer's estimate, h² fifth²/(n (fifth + third/100)) [Hairer, Nørsett, Wanner 1993, II.10].
  V squared_error(const V& h, double n) const {
    const V both = multiply_add(constant(h, 0.01), third, fifth);
    const V size = h * fifth;
    return select(both == constant(h, 0), constant(h, 0), size * size / (both * constant(h, n)));
  }
};

/// x^(−1/16) to 1 %: the exponent divided by −16 as an integer, then one step of Newton's. A step needs no better.
template <class V>
V inverse_root16(const V& x) {
  const V y = number(constant_bits(x, 0x43EE44D013A92C00U) - (bits(x) >> 4));
  const V y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
  return y * constant(x, 0.0625) * (constant(x, 17) - x * (y8 * y8));
}

/// 1/|q| for a quaternion that is nearly of length one.
template <class V>
V inverse_length(const V& w, const V& x, const V& y, const V& z) {
  V square = w * w;
  square = multiply_add(x, x, square);
  square = multiply_add(y, y, square);
  square = multiply_add(z, z, square);
  return constant(w, 1) / square_root(square);
}

/// What a step of length h with this error leads to.
template <class V, class M>
struct Outcome {
  V t, h, rejected, steps;
  M accepted, done, failed;
};

/// A small error moves the time; the next step is h·0.9·error^(−1/8), at least a third of h and at most six times, not
/// longer after a rejection. Where it no longer moves the time, or where 10⁵ steps have not brought it a 10⁻⁵ of its way, the
/// trajectory has failed.
template <class V, class M>
Outcome<V, M> outcome(const V& squared_error, const V& h, const M& last, const V& t, const V& end,
                      const V& rejected, const V& steps) {
  const V zero = constant(h, 0), one = constant(h, 1);
  const M accepted = squared_error <= one;
  const V most = select(rejected > zero, one, constant(h, 6));
  V factor = constant(h, 0.9) * inverse_root16(squared_error);
  factor = smaller(larger(factor, constant(h, 1.0 / 3)), most);
  factor = select(squared_error == zero, most, factor);
  factor = select(squared_error == squared_error, factor, constant(h, 0.1));
  const V now = select(accepted, select(last, end, t + h), t), next = h * factor;
  const M moves = absolute(next) > multiply_add(constant(h, 4e-16), absolute(now), constant(h, 1e-300));
  const M lingers = (steps > constant(h, 1e5)) & (now <= end * constant(h, 1e-5));
  return {now,
          next,
          select(accepted, zero, one),
          steps + select(accepted, one, zero),
          accepted,
          accepted & last,
          !(moves & !lingers)};
}

}  // namespace rattleback::lanes
