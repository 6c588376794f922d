/// Compiled for several instruction sets; see lane_step.hpp. RATTLEBACK_LANES_STEP is the name of the one function.
#include <rattleback/sweep/lane_step.hpp>

namespace rattleback::lanes {
namespace {

typedef double Pack __attribute__((vector_size(64)));
typedef long long Mask __attribute__((vector_size(64)));
constexpr int packs = width / 8;

Pack* row(double* rows, std::uint32_t i) { return reinterpret_cast<Pack*>(rows + std::uint64_t{width} * i); }

Pack all(double x) { return Pack{x, x, x, x, x, x, x, x}; }
Pack absolute(Pack x) { return reinterpret_cast<Pack>(reinterpret_cast<Mask>(x) & 0x7fffffffffffffffLL); }
Pack larger(Pack a, Pack b) { return a > b ? a : b; }
Pack smaller(Pack a, Pack b) { return a < b ? a : b; }
Pack square_root(Pack x) {
  Pack r;
  for (int l = 0; l < 8; ++l) r[l] = __builtin_sqrt(x[l]);
  return r;
}
bool any(Mask m) {
  long long both = 0;
  for (int l = 0; l < 8; ++l) both |= m[l];
  return both != 0;
}

/// sin and cos on [−π/4, π/4] [fdlibm's minimax polynomials].
Pack sine(Pack r, Pack z) {
  const Pack p = 8.33333333332248946124e-03 +
                 z * (-1.98412698298579493134e-04 +
                      z * (2.75573137070700676789e-06 +
                           z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return r + r * z * (-1.66666666666666324348e-01 + z * p);
}
Pack cosine(Pack z) {
  const Pack p = z * (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 +
                                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const Pack half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + z * p);
}

#ifdef __FMA__  // then jπ/2 is subtracted to the last bit in three pieces of full length
constexpr double pi_2[] = {1.57079632679489655800e+00, 6.12323399573676603587e-17, -1.49738490485916983e-33};
constexpr double largest_angle = 1e8;
#else  // pieces of 33 bits, whose products with j are exact
constexpr double pi_2[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                           2.02226624879595063154e-21};
constexpr double largest_angle = 1e6;
#endif

/// x = jπ/2 + r; the quadrant j decides which of ±sin r, ±cos r.
void sine_cosine(const Pack& x, Pack& s, Pack& c) {
  const Pack shifter = all(0x1.8p52);
  const Pack shifted = x * 0.63661977236758138243 + shifter;
  const Pack j = shifted - shifter;
  const Pack r = ((x - j * pi_2[0]) - j * pi_2[1]) - j * pi_2[2];
  const Mask quadrant = reinterpret_cast<Mask>(shifted);
  const Pack z = r * r, a = sine(r, z), b = cosine(z);
  const Mask odd = (quadrant & 1) != 0;
  const Mask minus_s = (quadrant & 2) << 62, minus_c = ((quadrant + 1) & 2) << 62;
  s = reinterpret_cast<Pack>(reinterpret_cast<Mask>(odd ? b : a) ^ minus_s);
  c = reinterpret_cast<Pack>(reinterpret_cast<Mask>(odd ? a : b) ^ minus_c);
}

/// Angles so large that their quadrant is lost go lane by lane.
void sine_cosine_row(const Pack* x, Pack* s, Pack* c) {
  Mask large{};
  Pack angle[packs];
  for (int p = 0; p < packs; ++p) {
    angle[p] = x[p];
    large |= !(absolute(angle[p]) <= largest_angle);
    sine_cosine(angle[p], s[p], c[p]);
  }
  if (!any(large)) return;
  for (int p = 0; p < packs; ++p) {
    for (int l = 0; l < 8; ++l) {
      s[p][l] = __builtin_sin(angle[p][l]);
      c[p][l] = __builtin_cos(angle[p][l]);
    }
  }
}

template <class F>
void each(Pack* to, const Pack* a, const Pack* b, F f) {
  for (int p = 0; p < packs; ++p) to[p] = f(a[p], b[p]);
}
/// Functions without a fast kernel go lane by lane through the mathematical library.
template <class F>
void each_lane(Pack* to, const Pack* a, F f) {
  for (int p = 0; p < packs; ++p)
    for (int l = 0; l < 8; ++l) to[p][l] = f(a[p][l]);
}

void apply(const Instruction& i, double* rows) {
  Pack* to = row(rows, i.to);
  const Pack *a = row(rows, i.a), *b = row(rows, i.b);
  switch (i.op) {
    case Op::add: return each(to, a, b, [](Pack x, Pack y) { return x + y; });
    case Op::sub: return each(to, a, b, [](Pack x, Pack y) { return x - y; });
    case Op::mul: return each(to, a, b, [](Pack x, Pack y) { return x * y; });
    case Op::div: return each(to, a, b, [](Pack x, Pack y) { return x / y; });
    case Op::neg: return each(to, a, a, [](Pack x, Pack) { return -x; });
    case Op::abs: return each(to, a, a, [](Pack x, Pack) { return absolute(x); });
    case Op::sqrt: return each(to, a, a, [](Pack x, Pack) { return square_root(x); });
    case Op::sincos: return sine_cosine_row(a, to, row(rows, i.also));
    case Op::sin:
    case Op::cos:
    case Op::tan: {
      Pack s[packs], c[packs];
      sine_cosine_row(a, s, c);
      for (int p = 0; p < packs; ++p) to[p] = i.op == Op::sin ? s[p] : i.op == Op::cos ? c[p] : s[p] / c[p];
      return;
    }
    case Op::asin: return each_lane(to, a, [](double x) { return __builtin_asin(x); });
    case Op::acos: return each_lane(to, a, [](double x) { return __builtin_acos(x); });
    case Op::atan: return each_lane(to, a, [](double x) { return __builtin_atan(x); });
    case Op::exp: return each_lane(to, a, [](double x) { return __builtin_exp(x); });
    case Op::log: return each_lane(to, a, [](double x) { return __builtin_log(x); });
    case Op::sinh: return each_lane(to, a, [](double x) { return __builtin_sinh(x); });
    case Op::cosh: return each_lane(to, a, [](double x) { return __builtin_cosh(x); });
    case Op::tanh: return each_lane(to, a, [](double x) { return __builtin_tanh(x); });
    case Op::asinh: return each_lane(to, a, [](double x) { return __builtin_asinh(x); });
    case Op::acosh: return each_lane(to, a, [](double x) { return __builtin_acosh(x); });
    case Op::atanh: return each_lane(to, a, [](double x) { return __builtin_atanh(x); });
  }
}

/// k_s = f at the inputs that stand in the registers.
void evaluate(Batch& z, int s) {
  for (const Instruction *i = z.body, *end = z.body + z.body_size; i != end; ++i) apply(*i, z.registers);
  double* k = z.k + std::uint64_t{width} * z.dimension * static_cast<unsigned>(s);
  for (std::uint32_t i = 0; i < z.dimension; ++i) {
    const Pack* from = row(z.registers, z.outputs[i]);
    for (int p = 0; p < packs; ++p) row(k, i)[p] = from[p];
  }
}

/// Σ w_j k_j of one variable; the packs of a row side by side, so that their sums do not wait for each other.
struct Row {
  Pack pack[packs];
};
Row weighted(const Batch& z, const Weights& weights, std::uint32_t i) {
  Row sum{};
  for (const Weight *w = weights.begin, *end = w + weights.count; w != end; ++w) {
    const Pack* k = row(z.k, z.dimension * static_cast<unsigned>(w->stage) + i);
    for (int p = 0; p < packs; ++p) sum.pack[p] += w->value * k[p];
  }
  return sum;
}

/// to = y + h Σ a_j k_j, at the time t + c h.
void combine(Batch& z, const Pack* h, int s, double* to) {
  for (std::uint32_t i = 0; i < z.dimension; ++i) {
    const Row slope = weighted(z, z.a[s], i);
    for (int p = 0; p < packs; ++p) row(to, i)[p] = row(z.y, i)[p] + h[p] * slope.pack[p];
  }
  const double c = s < stages ? z.c[s] : 1;
  for (int p = 0; p < packs; ++p) row(z.registers, z.dimension)[p] = row(z.t, 0)[p] + c * h[p];
}

/// Hairer's estimate from the embedded methods of orders 5 and 3 [Hairer, Nørsett, Wanner 1993, II.10].
Row error_of(const Batch& z, const Pack* h) {
  Row fifth{}, third{}, error{};
  for (std::uint32_t i = 0; i < z.dimension; ++i) {
    const Row five = weighted(z, z.e5, i), eight = weighted(z, z.a[stages], i), three = weighted(z, z.e3, i);
    for (int p = 0; p < packs; ++p) {
      const Pack before = row(z.y, i)[p], after = row(z.y_new, i)[p];
      const Pack scale = 1 / (z.atol + z.rtol * larger(absolute(before), absolute(after)));
      const Pack a = five.pack[p] * scale, b = (eight.pack[p] - three.pack[p]) * scale;
      fifth.pack[p] += a * a;
      third.pack[p] += b * b;
    }
  }
  for (int p = 0; p < packs; ++p) {
    const Pack both = fifth.pack[p] + 0.01 * third.pack[p];
    const Pack size = absolute(h[p]) * fifth.pack[p] / square_root(both * static_cast<double>(z.dimension));
    error.pack[p] = both == 0 ? all(0) : size;
  }
  return error;
}

void normalise(Batch& z) {
  for (std::uint32_t q = 0; q < z.quaternion_count; ++q) {
    for (int p = 0; p < packs; ++p) {
      Pack square = all(0);
      for (std::uint32_t i = 0; i < 4; ++i) {
        const Pack x = row(z.y_new, z.quaternions[q] + i)[p];
        square += x * x;
      }
      const Pack scale = 1 / square_root(square);
      for (std::uint32_t i = 0; i < 4; ++i) row(z.y_new, z.quaternions[q] + i)[p] *= scale;
    }
  }
}

/// Lanes whose error is small take the new state; every lane gets its next step, h·0.9·error^(−1/8) within bounds.
void decide(Batch& z, const Pack* h, const Mask* last) {
  const Row errors = error_of(z, h);
  for (int p = 0; p < packs; ++p) {
    const Pack error = errors.pack[p];
    const Mask accepted = error <= 1;
    const Pack eighth = square_root(square_root(square_root(error)));
    const Pack most = row(z.rejected, 0)[p] != 0 ? all(1) : all(6);
    Pack factor = smaller(larger(0.9 / eighth, all(1.0 / 3)), most);
    factor = error == 0 ? most : error == error ? factor : all(0.1);

    Pack &t = row(z.t, 0)[p], &next = row(z.h, 0)[p];
    const Pack moved = last[p] ? row(z.end, 0)[p] : t + h[p];
    t = accepted ? moved : t;
    next = h[p] * factor;
    row(z.rejected, 0)[p] = accepted ? all(0) : all(1);
    row(z.steps, 0)[p] += accepted ? all(1) : all(0);
    row(z.done, 0)[p] = (accepted & last[p]) != 0 ? all(1) : all(0);
    row(z.failed, 0)[p] = absolute(next) > 4e-16 * absolute(t) + 1e-300 ? all(0) : all(1);
    for (std::uint32_t i = 0; i < z.dimension; ++i) {
      Pack &y = row(z.y, i)[p], &k = row(z.k, i)[p];
      y = accepted ? row(z.y_new, i)[p] : y;
      k = accepted ? row(z.k, z.dimension * stages + i)[p] : k;  // first same as last
    }
  }
}

}  // namespace

void RATTLEBACK_LANES_STEP(Batch& z) {
  Pack h[packs];
  Mask last[packs];
  for (int p = 0; p < packs; ++p) {
    const Pack left = row(z.end, 0)[p] - row(z.t, 0)[p], wanted = row(z.h, 0)[p];
    last[p] = wanted * (1 + 1e-10) >= left;
    h[p] = last[p] ? left : wanted;
  }
  for (int s = 1; s < stages; ++s) {
    combine(z, h, s, z.registers);
    evaluate(z, s);
  }
  combine(z, h, stages, z.y_new);
  normalise(z);
  for (std::uint32_t i = 0; i < z.dimension; ++i)
    for (int p = 0; p < packs; ++p) row(z.registers, i)[p] = row(z.y_new, i)[p];
  evaluate(z, stages);
  decide(z, h, last);
}

}  // namespace rattleback::lanes
