/// Compiled for several instruction sets; see lane_step.hpp. RATTLEBACK_LANES is the name of its functions.
#include <rattleback/native/angle.hpp>
#include <rattleback/native/pack.hpp>
#include <rattleback/sweep/lane_formulas.hpp>
#include <rattleback/sweep/lane_step.hpp>

namespace rattleback::lanes {
namespace {

constexpr int packs = width / lanes_of_a_pack;

Pack* row(double* rows, std::uint32_t i) { return reinterpret_cast<Pack*>(rows + std::uint64_t{width} * i); }
Pack all(double c) { return constant(Pack{}, c); }

/// Angles so large that their quadrant is lost go lane by lane.
void sine_cosine_row(const Pack* x, Pack* s, Pack* c) {
  for (int p = 0; p < packs; ++p) {
    const Pack angle = x[p];
    const Pack in = quadrant(angle, once);
    const SineCosine<Pack> both = sine_cosine(angle, in, once);
    s[p] = both.sine;
    c[p] = both.cosine;
    const Mask tame = is_tame(bits(in), once);
    if (!any(!tame)) continue;
    for (int l = 0; l < lanes_of_a_pack; ++l) {
      if (tame.m[l] != 0) continue;
      s[p].x[l] = __builtin_sin(angle.x[l]);
      c[p].x[l] = __builtin_cos(angle.x[l]);
    }
  }
}

template <class F>
void each(Pack* to, const Pack* a, const Pack* b, F f) {
  for (int p = 0; p < packs; ++p) to[p] = f(a[p], b[p]);
}
template <class F>
void each(Pack* to, const Pack* a, const Pack* b, const Pack* c, F f) {
  for (int p = 0; p < packs; ++p) to[p] = f(a[p], b[p], c[p]);
}
/// Functions without a fast kernel go lane by lane through the mathematical library.
template <class F>
void each_lane(Pack* to, const Pack* a, F f) {
  for (int p = 0; p < packs; ++p)
    for (int l = 0; l < lanes_of_a_pack; ++l) to[p].x[l] = f(a[p].x[l]);
}

void apply(const Instruction& i, double* rows) {
  Pack* to = row(rows, i.to);
  const Pack *a = row(rows, i.a), *b = row(rows, i.b), *c = row(rows, i.c);
  switch (i.op) {
    case Op::add: return each(to, a, b, [](Pack x, Pack y) { return x + y; });
    case Op::sub: return each(to, a, b, [](Pack x, Pack y) { return x - y; });
    case Op::mul: return each(to, a, b, [](Pack x, Pack y) { return x * y; });
    case Op::div: return each(to, a, b, [](Pack x, Pack y) { return x / y; });
    case Op::neg: return each(to, a, a, [](Pack x, Pack) { return -x; });
    case Op::abs: return each(to, a, a, [](Pack x, Pack) { return absolute(x); });
    case Op::sqrt: return each(to, a, a, [](Pack x, Pack) { return square_root(x); });
    case Op::mul_add: return each(to, a, b, c, [](Pack x, Pack y, Pack z) { return multiply_add(x, y, z); });
    case Op::mul_sub: return each(to, a, b, c, [](Pack x, Pack y, Pack z) { return multiply_add(x, y, -z); });
    case Op::sub_mul: return each(to, a, b, c, [](Pack x, Pack y, Pack z) { return multiply_add(-x, y, z); });
    case Op::sincos: return sine_cosine_row(a, to, row(rows, i.also));
    case Op::sin:
    case Op::cos:
    case Op::tan: {
      Pack s[packs], k[packs];
      sine_cosine_row(a, s, k);
      for (int p = 0; p < packs; ++p) to[p] = i.op == Op::sin ? s[p] : i.op == Op::cos ? k[p] : s[p] / k[p];
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

void evaluate(const Program& program, double* outputs) {
  for (const Instruction *i = program.body, *end = i + program.body_size; i != end; ++i)
    apply(*i, program.rows);
  for (std::uint32_t i = 0; i < program.output_count; ++i) {
    const Pack* from = row(program.rows, program.outputs[i]);
    for (int p = 0; p < packs; ++p) row(outputs, i)[p] = from[p];
  }
}

Pack* of(Batch& z, std::uint32_t i) { return row(z.rows, i); }

/// The rates at the inputs that stand in the program's rows.
void rates(Batch& z, int s) { evaluate(z.rates, z.rows + std::uint64_t{width} * z.stage(s)); }

/// Σ w_j k_j of one variable; the packs of a row side by side, so that their sums do not wait for each other.
struct Lanes {
  Pack pack[packs];
};
Lanes slope(Batch& z, const Weights& weights, std::uint32_t i) {
  Lanes sum;
  for (int p = 0; p < packs; ++p)
    sum.pack[p] = weighted<Pack>(weights, [&](int stage) { return of(z, z.stage(stage) + i)[p]; });
  return sum;
}

/// to = y + h Σ a_j k_j, at the time t + c h.
void combine(Batch& z, const Pack* h, int s, double* to) {
  for (std::uint32_t i = 0; i < z.dimension; ++i) {
    const Lanes sum = slope(z, z.a[s], i);
    for (int p = 0; p < packs; ++p) row(to, i)[p] = multiply_add(h[p], sum.pack[p], of(z, at::state + i)[p]);
  }
  const double c = s < stages ? z.c[s] : 1;
  for (int p = 0; p < packs; ++p)
    row(z.rates.rows, z.dimension)[p] = multiply_add(all(c), h[p], of(z, at::time)[p]);
}

void normalise(Batch& z) {
  for (std::uint32_t q = 0; q < z.quaternion_count; ++q) {
    for (int p = 0; p < packs; ++p) {
      Pack* y[4];
      for (std::uint32_t i = 0; i < 4; ++i) y[i] = row(z.y_new, z.quaternions[q] + i) + p;
      const Pack scale = inverse_length(*y[0], *y[1], *y[2], *y[3]);
      for (Pack* x : y) *x = *x * scale;
    }
  }
}

Lanes squared_error(Batch& z, const Pack* h) {
  ErrorSums<Pack> sums[packs] = {};
  for (std::uint32_t i = 0; i < z.dimension; ++i) {
    const Lanes five = slope(z, z.e5, i), eight = slope(z, z.a[stages], i), three = slope(z, z.e3, i);
    for (int p = 0; p < packs; ++p)
      sums[p].add(five.pack[p], eight.pack[p], three.pack[p], of(z, at::state + i)[p], row(z.y_new, i)[p],
                  all(z.rtol), all(z.atol));
  }
  Lanes error;
  for (int p = 0; p < packs; ++p) error.pack[p] = sums[p].squared_error(h[p], z.dimension);
  return error;
}

/// Lanes whose error is small take the new state.
void decide(Batch& z, const Pack* h, const Mask* last) {
  const Lanes error = squared_error(z, h);
  const Pack yes = all(1), no = all(0);
  for (int p = 0; p < packs; ++p) {
    const auto next = outcome(error.pack[p], h[p], last[p], of(z, at::time)[p], of(z, at::end)[p],
                              of(z, at::rejected)[p], of(z, at::steps)[p]);
    of(z, at::time)[p] = next.t;
    of(z, at::step)[p] = next.h;
    of(z, at::rejected)[p] = next.rejected;
    of(z, at::steps)[p] = next.steps;
    of(z, at::done)[p] = select(next.done, yes, no);
    of(z, at::failed)[p] = select(next.failed, yes, no);
    for (std::uint32_t i = 0; i < z.dimension; ++i) {
      Pack &y = of(z, at::state + i)[p], &k = of(z, z.stage(0) + i)[p];
      y = select(next.accepted, row(z.y_new, i)[p], y);
      k = select(next.accepted, of(z, z.stage(stages) + i)[p], k);  // first same as last
    }
  }
}

void advance(Batch& z) {
  Pack h[packs];
  Mask last[packs];
  for (int p = 0; p < packs; ++p) {
    const Pack left = of(z, at::end)[p] - of(z, at::time)[p], wanted = of(z, at::step)[p];
    last[p] = is_last(left, wanted);
    h[p] = select(last[p], left, wanted);
  }
  for (int s = 1; s < stages; ++s) {
    combine(z, h, s, z.rates.rows);
    rates(z, s);
  }
  combine(z, h, stages, z.y_new);
  normalise(z);
  for (std::uint32_t i = 0; i < z.dimension; ++i)
    for (int p = 0; p < packs; ++p) row(z.rates.rows, i)[p] = row(z.y_new, i)[p];
  rates(z, stages);
  decide(z, h, last);
}

/// √(Σ (x_i/scale_i)²/n) in the scale of the state, for rows x.
template <class X>
Lanes size_of(Batch& z, const X& x) {
  Lanes sum{};
  for (std::uint32_t i = 0; i < z.dimension; ++i) {
    for (int p = 0; p < packs; ++p) {
      const Pack scale = multiply_add(all(z.rtol), absolute(of(z, at::state + i)[p]), all(z.atol));
      const Pack part = x(i, p) / scale;
      sum.pack[p] = multiply_add(part, part, sum.pack[p]);
    }
  }
  for (Pack& s : sum.pack) s = square_root(s / all(z.dimension));
  return sum;
}

/// Hairer's guess, as for a single trajectory [Hairer, Nørsett, Wanner 1993, II.4].
void begin(Batch& z) {
  const auto set = [&](const auto& value) {
    for (std::uint32_t i = 0; i < z.dimension; ++i)
      for (int p = 0; p < packs; ++p) row(z.rates.rows, i)[p] = value(i, p);
  };
  const auto y = [&](std::uint32_t i, int p) { return of(z, at::state + i)[p]; };
  const auto k = [&](std::uint32_t i, int p) { return of(z, z.stage(0) + i)[p]; };
  for (int p = 0; p < packs; ++p) row(z.rates.rows, z.dimension)[p] = of(z, at::time)[p];
  set(y);
  rates(z, 0);
  const Lanes size = size_of(z, y), rise = size_of(z, k);
  Pack h[packs], most[packs];
  for (int p = 0; p < packs; ++p) {
    most[p] = of(z, at::end)[p] - of(z, at::time)[p];
    const Mask idle = !((size.pack[p] > all(1e-5)) & (rise.pack[p] > all(1e-5)));
    h[p] = smaller(select(idle, all(1e-6), all(0.01) * size.pack[p] / rise.pack[p]), most[p]);
    row(z.rates.rows, z.dimension)[p] = of(z, at::time)[p] + h[p];
  }
  set([&](std::uint32_t i, int p) { return multiply_add(h[p], k(i, p), y(i, p)); });
  rates(z, 1);
  const Lanes turn = size_of(z, [&](std::uint32_t i, int p) { return of(z, z.stage(1) + i)[p] - k(i, p); });
  for (int p = 0; p < packs; ++p) {
    const Pack steepest = larger(rise.pack[p], turn.pack[p] / h[p]);
    const Pack by_order = select(steepest <= all(1e-15), larger(all(1e-6), h[p] * all(1e-3)),
                                 square_root(square_root(square_root(all(0.01) / steepest))));
    const Pack guess = smaller(smaller(all(100) * h[p], by_order), most[p]);
    const Mask usable = (guess > all(0)) & (guess <= most[p]);
    of(z, at::step)[p] = select(usable, guess, most[p] * all(1e-6));
    of(z, at::rejected)[p] = of(z, at::steps)[p] = all(0);
  }
}

}  // namespace

const Functions RATTLEBACK_LANES{evaluate, begin, advance};

}  // namespace rattleback::lanes
