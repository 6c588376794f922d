#pragma once
/// What one would write by hand for one system: reduced equations, Dormand and Prince's method of order 8, on one trajectory or
/// on eight at once in AVX-512 with a step for each lane and the next trajectory for a lane that is done. Compiled with -O3
/// -march=native; everything is a template, so that the compiler sees all of it.

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <rattleback/simulate/steppers/dop853_tableau.hpp>

namespace bench::hand {

/// As many trajectories at once as a register holds doubles.
#ifdef __AVX512F__
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
typedef double Pack __attribute__((vector_size(8 * lanes)));
typedef long long Whole __attribute__((vector_size(8 * lanes)));

inline void sine_cosine(double x, double& s, double& c) { ::sincos(x, &s, &c); }
/// Two steps of reduction and fdlibm's polynomials: enough for the angles of the benchmark.
inline void sine_cosine(Pack x, Pack& s, Pack& c) {
  const Pack shifted = x * 0.63661977236758138243 + 0x1.8p52, j = shifted - 0x1.8p52;
  const Pack r = (x - j * 1.57079632679489655800e+00) - j * 6.12323399573676603587e-17, z = r * r;
  const Pack a =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const Pack b = (1 - 0.5 * z) +
                 z * z *
                     (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 +
                                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const Whole q = reinterpret_cast<Whole>(shifted), odd = (q & 1) != 0;
  s = reinterpret_cast<Pack>(reinterpret_cast<Whole>(odd ? b : a) ^ ((q & 2) << 62));
  c = reinterpret_cast<Pack>(reinterpret_cast<Whole>(odd ? a : b) ^ (((q + 1) & 2) << 62));
}

/// x, y, θ, u, ω.
struct Sleigh {
  static constexpr int n = 5, configuration = 3;
  double a = 0.5, k = 0.5 / 0.65;  ///< m a/(J + m a²)
  template <class V>
  void operator()(const V* y, V* f) const {
    V s, c;
    sine_cosine(y[2], s, c);
    f[0] = y[3] * c;
    f[1] = y[3] * s;
    f[2] = y[4];
    f[3] = a * y[4] * y[4];
    f[4] = -k * y[3] * y[4];
  }
};

/// x, y, θ (lean), φ, ψ and the angular velocity in the leaning frame (axis of lean, axle, in the disk).
struct FallingDisk {
  static constexpr int n = 8, configuration = 5;
  double m = 1, R = 1, I = 0.5, J = 0.25, g = 9.8;
  double lean = 1 / (J + m * R * R), axle = I + m * R * R, fall = m * g * R,
         roll = -m * R * R / (I + m * R * R), gyro = I / J;
  template <class V>
  void operator()(const V* y, V* f) const {
    V s, c, sp, cp;
    sine_cosine(y[2], s, c);
    sine_cosine(y[3], sp, cp);
    const V turn = y[7] / c, t = s * turn;  // φ' and its part about the axle
    const V along = R * (y[6] - t);
    f[0] = along * cp;
    f[1] = along * sp;
    f[2] = y[5];
    f[3] = turn;
    f[4] = y[6] - t;
    f[5] = lean * (y[7] * (axle * y[6] - J * t) + fall * s);
    f[6] = roll * y[5] * y[7];
    f[7] = y[5] * (t - gyro * y[6]);
  }
};

/// x, y, θ, ψ, φ, s, ψ', φ' with the regular speed s: the board moves by r s cos φ and turns by s sin φ.
struct Snakeboard {
  static constexpr int n = 8, configuration = 5;
  double m = 1, r = 1, J0 = 0.5;
  double inertia = m * r * r;
  template <class V>
  void operator()(const V* y, V* f) const {
    V s, c, sp, cp;
    sine_cosine(y[2], s, c);
    sine_cosine(y[4], sp, cp);
    const V along = r * y[5] * cp, turning = y[5] * y[7];
    const V grow = J0 * turning * sp * cp / (inertia - J0 * sp * sp);
    f[0] = along * c;
    f[1] = along * s;
    f[2] = y[5] * sp;
    f[3] = y[6];
    f[4] = y[7];
    f[5] = grow;
    f[6] = -(grow * sp + turning * cp);
    f[7] = V{};
  }
};

/// x, y, the unit quaternion of the ball, and the angular momentum about the point of contact in body axes,
/// K = I Ω + D (Ω − γ (γ·Ω)), K' = K × Ω, with D = m r² and the vertical γ in body axes.
struct Sphere {
  static constexpr int n = 9, configuration = 6;
  double m = 1.5, r = 1, I1 = 0.5, I2 = 0.7, I3 = 1, D = m * r * r;
  double j1 = 1 / (I1 + D), j2 = 1 / (I2 + D), j3 = 1 / (I3 + D);
  template <class V>
  void operator()(const V* y, V* f) const {
    const V w = y[2], a = y[3], b = y[4], c = y[5];
    const V g1 = 2 * (a * c - w * b), g2 = 2 * (b * c + w * a), g3 = w * w - a * a - b * b + c * c;
    const V k1 = j1 * y[6], k2 = j2 * y[7], k3 = j3 * y[8], h1 = j1 * g1, h2 = j2 * g2, h3 = j3 * g3;
    const V part = D * (g1 * k1 + g2 * k2 + g3 * k3) / (1 - D * (g1 * h1 + g2 * h2 + g3 * h3));
    const V o1 = k1 + part * h1, o2 = k2 + part * h2, o3 = k3 + part * h3;
    const V e1 = (w * w + a * a - b * b - c * c) * o1 + 2 * ((a * b - w * c) * o2 + (a * c + w * b) * o3);
    const V e2 = (w * w - a * a + b * b - c * c) * o2 + 2 * ((a * b + w * c) * o1 + (b * c - w * a) * o3);
    f[0] = r * e2;
    f[1] = -r * e1;
    f[2] = -0.5 * (a * o1 + b * o2 + c * o3);
    f[3] = 0.5 * (w * o1 + b * o3 - c * o2);
    f[4] = 0.5 * (w * o2 + c * o1 - a * o3);
    f[5] = 0.5 * (w * o3 + a * o2 - b * o1);
    f[6] = y[7] * o3 - y[8] * o2;
    f[7] = y[8] * o1 - y[6] * o3;
    f[8] = y[6] * o2 - y[7] * o1;
  }
  /// K of an angular velocity.
  std::array<double, 3> momentum(const double* q, const double* o) const {
    const double g[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                         q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
    const double along = g[0] * o[0] + g[1] * o[1] + g[2] * o[2];
    return {(I1 + D) * o[0] - D * along * g[0], (I2 + D) * o[1] - D * along * g[1],
            (I3 + D) * o[2] - D * along * g[2]};
  }
};

struct Tolerance {
  double relative, absolute;
};

/// Σ a_j k_j for one variable, unrolled by the compiler.
template <const auto& Row, class V, std::size_t... I>
inline V slope_of(const V* k, int n, std::index_sequence<I...>) {
  return (... + (Row[I].value * k[Row[I].stage * n]));
}
template <const auto& Row, class V>
inline V slope(const V* k, int n) {
  return slope_of<Row>(k, n, std::make_index_sequence<Row.size()>{});
}

using namespace rattleback::dop853;

/// The stages of a step of length h from y: rates in k (k[0 … n) are those at y), the end of the step in to.
template <class System, class V>
inline void stages_of(const System& f, const V* y, V h, V* k, V* to) {
  constexpr int n = System::n;
  V z[n];
  const auto stage = [&]<const auto & Row>(int s) {
    for (int i = 0; i < n; ++i) z[i] = y[i] + h * slope<Row>(k + i, n);
    f(z, k + s * n);
  };
  stage.template operator()<a1>(1);
  stage.template operator()<a2>(2);
  stage.template operator()<a3>(3);
  stage.template operator()<a4>(4);
  stage.template operator()<a5>(5);
  stage.template operator()<a6>(6);
  stage.template operator()<a7>(7);
  stage.template operator()<a8>(8);
  stage.template operator()<a9>(9);
  stage.template operator()<a10>(10);
  stage.template operator()<a11>(11);
  for (int i = 0; i < n; ++i) to[i] = y[i] + h * slope<a12>(k + i, n);
  f(to, k + 12 * n);
}

inline double largest(double a, double b) { return std::max(std::abs(a), std::abs(b)); }
inline Pack absolute(Pack x) {
  return reinterpret_cast<Pack>(reinterpret_cast<Whole>(x) & 0x7fffffffffffffffLL);
}
inline Pack largest(Pack a, Pack b) {
  const Pack p = absolute(a), q = absolute(b);
  return p > q ? p : q;
}

/// Hairer's estimate, squared.
template <int n, class V>
inline V squared_error(const V* y, const V* to, V h, const V* k, Tolerance tolerance) {
  V fifth{}, third{};
  for (int i = 0; i < n; ++i) {
    const V scale = 1 / (tolerance.absolute + tolerance.relative * largest(y[i], to[i]));
    const V five = slope<e5>(k + i, n) * scale, three = (slope<a12>(k + i, n) - slope<e3>(k + i, n)) * scale;
    fifth += five * five;
    third += three * three;
  }
  return h * h * fifth * fifth / ((fifth + 0.01 * third) * n);
}

/// One trajectory; returns the steps.
template <class System>
[[gnu::flatten]] long fly(const System& f, std::array<double, System::n>& y, double end, double h,
                          Tolerance tolerance) {
  constexpr int n = System::n;
  double k[13 * n], to[n], t = 0;
  f(y.data(), k);
  long steps = 0;
  for (bool rejected = false; t < end;) {
    const bool last = h * (1 + 1e-10) >= end - t;
    if (last) h = end - t;
    stages_of(f, y.data(), h, k, to);
    const double error = squared_error<n>(y.data(), to, h, k, tolerance);
    const double factor = error == 0 ? 6 : 0.9 * std::pow(error, -1.0 / 16);
    if (error <= 1) {
      t = last ? end : t + h;
      for (int i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = to[i], k[i] = k[12 * n + i];
      ++steps;
    }
    h *= std::min(std::max(factor, 1.0 / 3), rejected ? 1.0 : 6.0);
    rejected = error > 1;
  }
  return steps;
}

/// Many trajectories, a register full at a time: column i of the states is at states + i·count, and is where it ends afterwards.
template <class System>
[[gnu::flatten]] void fly_all(const System& f, double* states, const double* first_step, std::size_t count,
                              double end, Tolerance tolerance) {
  constexpr int n = System::n;
  Pack y[n], k[13 * n], to[n], t{}, h{}, most{};
  std::size_t member[lanes], next = 0, flying = 0;
  Whole active{};
  const auto fill = [&](int lane) {
    if (next == count) {
      active[lane] = 0;
      h[lane] = 0;
      return;
    }
    double start[n], rate[n];
    for (int i = 0; i < n; ++i) start[i] = states[static_cast<std::size_t>(i) * count + next];
    f(start, rate);
    for (int i = 0; i < n; ++i) y[i][lane] = start[i], k[i][lane] = rate[i];
    t[lane] = 0;
    h[lane] = first_step[next];
    most[lane] = 6;
    active[lane] = -1;
    member[lane] = next++;
    ++flying;
  };
  for (int lane = 0; lane < lanes; ++lane) fill(lane);
  while (flying > 0) {
    const Pack left = end - t;
    const Whole last = h * (1 + 1e-10) >= left;
    h = last ? left : h;
    stages_of(f, y, h, k, to);
    const Pack error = squared_error<n>(y, to, h, k, tolerance);
    const Whole accepted = error <= 1;
    Pack factor = error;  // error^(−1/16): the exponent by integers, then Newton
    factor = reinterpret_cast<Pack>(0x43EE44D013A92C00LL - (reinterpret_cast<Whole>(error) >> 4));
    const Pack p2 = factor * factor, p4 = p2 * p2, p8 = p4 * p4;
    factor = 0.9 * 0.0625 * factor * (17 - error * (p8 * p8));
    factor = factor > 1.0 / 3 ? factor : Pack{} + 1.0 / 3;
    factor = factor < most ? factor : most;
    t = accepted ? t + h : t;
    h *= factor;
    most = accepted ? Pack{} + 6.0 : Pack{} + 1.0;
    for (int i = 0; i < n; ++i) {
      y[i] = accepted ? to[i] : y[i];
      k[i] = accepted ? k[12 * n + i] : k[i];
    }
    const Whole done = accepted & last & active;
    for (int lane = 0; lane < lanes; ++lane) {
      if (done[lane] == 0) continue;
      for (int i = 0; i < n; ++i) states[static_cast<std::size_t>(i) * count + member[lane]] = y[i][lane];
      --flying;
      fill(lane);
    }
  }
}

/// Kutta's method with constant steps on a pack.
template <class System, class V>
[[gnu::flatten]] void kutta(const System& f, V* y, double h, long steps) {
  constexpr int n = System::n;
  V k1[n], k2[n], k3[n], k4[n], z[n];
  for (long s = 0; s < steps; ++s) {
    f(y, k1);
    for (int i = 0; i < n; ++i) z[i] = y[i] + h / 2 * k1[i];
    f(z, k2);
    for (int i = 0; i < n; ++i) z[i] = y[i] + h / 2 * k2[i];
    f(z, k3);
    for (int i = 0; i < n; ++i) z[i] = y[i] + h * k3[i];
    f(z, k4);
    for (int i = 0; i < n; ++i) y[i] += h / 6 * ((k1[i] + k4[i]) + 2 * (k2[i] + k3[i]));
  }
}

}  // namespace bench::hand
