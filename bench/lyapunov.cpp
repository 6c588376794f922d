/// Lyapunov spectra: all exponents of a motion, beside programs written by hand with dual numbers whose slopes are vector registers.

#include <rattleback/model/reading/load.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

#include "hand.hpp"
#include "timing.hpp"

using namespace bench;
using namespace rattleback;

namespace {

using hand::Pack;
constexpr int lanes = hand::lanes;

/// A number and its derivatives along as many directions as a register holds.
struct Dual {
  double v = 0;
  Pack d{};
};
inline Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
inline Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
inline Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.v * b.d + b.v * a.d}; }
inline Dual operator*(double a, const Dual& b) { return {a * b.v, a * b.d}; }
inline Dual operator-(double a, const Dual& b) { return {a - b.v, -b.d}; }
inline Dual operator/(const Dual& a, const Dual& b) {
  const double r = 1 / b.v, q = a.v * r;
  return {q, r * (a.d - q * b.d)};
}
inline Dual operator/(double a, const Dual& b) {
  const double r = 1 / b.v, q = a * r;
  return {q, (-q * r) * b.d};
}
inline Dual root(const Dual& a) {
  const double s = std::sqrt(a.v);
  return {s, (0.5 / s) * a.d};
}
inline void sine_cosine(const Dual& x, Dual& s, Dual& c) {
  ::sincos(x.v, &s.v, &c.v);
  s.d = c.v * x.d;
  c.d = -s.v * x.d;
}

/// x, y, the unit quaternion, the angular velocity in body axes: a heavy ellipsoid that rolls,
///     (I + m (r² − r rᵀ)) Ω' = I Ω × Ω + m r × (r' × Ω + Ω × (r × Ω) + g γ).
struct Stone {
  static constexpr int n = 9;
  double m = 1, g = 9.8, B1 = 1, B2 = 0.44 * 0.44, B3 = 0.39 * 0.39;
  double J11, J12, J22, J33 = 0.43;
  explicit Stone(double delta) {
    const double c = std::cos(delta), s = std::sin(delta), I1 = 0.12, I2 = 0.38;
    J11 = c * c * I1 + s * s * I2;
    J22 = s * s * I1 + c * c * I2;
    J12 = c * s * (I1 - I2);
  }
  template <class V>
  void operator()(const V* y, V* f) const {
    const V w = y[2], a = y[3], b = y[4], c = y[5], o1 = y[6], o2 = y[7], o3 = y[8];
    const V g1 = 2 * (a * c - w * b), g2 = 2 * (b * c + w * a), g3 = w * w - a * a - b * b + c * c;
    const V h1 = B1 * g1, h2 = B2 * g2, h3 = B3 * g3;
    const V low = -1 / root(g1 * h1 + g2 * h2 + g3 * h3);
    const V r1 = low * h1, r2 = low * h2, r3 = low * h3;  // to the point of contact
    const V p1 = g2 * o3 - g3 * o2, p2 = g3 * o1 - g1 * o3, p3 = g1 * o2 - g2 * o1;  // γ'
    const V k1 = B1 * p1, k2 = B2 * p2, k3 = B3 * p3;
    const V part = low * low * (h1 * p1 + h2 * p2 + h3 * p3);
    const V s1 = low * k1 - part * r1, s2 = low * k2 - part * r2, s3 = low * k3 - part * r3;  // r'
    const V v1 = r2 * o3 - r3 * o2, v2 = r3 * o1 - r1 * o3, v3 = r1 * o2 - r2 * o1;           // r × Ω
    const V a1 = s2 * o3 - s3 * o2 + o2 * v3 - o3 * v2 + g * g1;
    const V a2 = s3 * o1 - s1 * o3 + o3 * v1 - o1 * v3 + g * g2;
    const V a3 = s1 * o2 - s2 * o1 + o1 * v2 - o2 * v1 + g * g3;
    const V l1 = J11 * o1 + J12 * o2, l2 = J12 * o1 + J22 * o2, l3 = J33 * o3;
    const V t1 = l2 * o3 - l3 * o2 + m * (r2 * a3 - r3 * a2);
    const V t2 = l3 * o1 - l1 * o3 + m * (r3 * a1 - r1 * a3);
    const V t3 = l1 * o2 - l2 * o1 + m * (r1 * a2 - r2 * a1);
    const V q1 = r1 * r1, q2 = r2 * r2, q3 = r3 * r3;
    const V A = offset(J11, m * (q2 + q3)), D = offset(J22, m * (q1 + q3)), F = offset(J33, m * (q1 + q2));
    const V Bc = offset(J12, -m * (r1 * r2)), C = -m * (r1 * r3), E = -m * (r2 * r3);
    const V c11 = D * F - E * E, c12 = C * E - Bc * F, c13 = Bc * E - C * D;
    const V c22 = A * F - C * C, c23 = Bc * C - A * E, c33 = A * D - Bc * Bc;
    const V inverse = 1 / (A * c11 + Bc * c12 + C * c13);
    const V e1 = (w * w + a * a - b * b - c * c) * v1 + 2 * ((a * b - w * c) * v2 + (a * c + w * b) * v3);
    const V e2 = (w * w - a * a + b * b - c * c) * v2 + 2 * ((a * b + w * c) * v1 + (b * c - w * a) * v3);
    f[0] = e1;
    f[1] = e2;
    f[2] = -0.5 * (a * o1 + b * o2 + c * o3);
    f[3] = 0.5 * (w * o1 + b * o3 - c * o2);
    f[4] = 0.5 * (w * o2 + c * o1 - a * o3);
    f[5] = 0.5 * (w * o3 + a * o2 - b * o1);
    f[6] = inverse * (c11 * t1 + c12 * t2 + c13 * t3);
    f[7] = inverse * (c12 * t1 + c22 * t2 + c23 * t3);
    f[8] = inverse * (c13 * t1 + c23 * t2 + c33 * t3);
  }
  static double offset(double a, double b) { return a + b; }
  static Dual offset(double a, const Dual& b) { return {a + b.v, b.d}; }
};

/// Gram and Schmidt on eight directions; adds the logarithms of what is left of each.
template <int n>
void orthonormalise(Dual* y, int count, double* sums) {
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < j; ++i) {
      double along = 0;
      for (int k = 0; k < n; ++k) along += y[k].d[i] * y[k].d[j];
      for (int k = 0; k < n; ++k) y[k].d[j] -= along * y[k].d[i];
    }
    double size = 0;
    for (int k = 0; k < n; ++k) size += y[k].d[j] * y[k].d[j];
    size = std::sqrt(size);
    for (int k = 0; k < n; ++k) y[k].d[j] /= size;
    sums[j] += std::log(size);
  }
}

/// Dormand and Prince's method on the motion and its directions, made orthonormal after `interval`.
template <class System>
[[gnu::flatten]] long spectrum(const System& f, const double* start, int count, double end, double tolerance,
                               double interval, int quaternion, double* exponents) {
  constexpr int n = System::n;
  static Dual y[n], z[n], k[13][n];
  unsigned seed = 12345;
  for (int i = 0; i < n; ++i) {
    y[i].v = start[i];
    for (int j = 0; j < lanes; ++j) {
      seed = seed * 1664525u + 1013904223u;
      y[i].d[j] = j < count ? static_cast<double>(seed) / 4294967296.0 - 0.5 : 0;
    }
  }
  for (int j = 0; quaternion >= 0 && j < count; ++j) {
    double along = 0;
    for (int i = quaternion; i < quaternion + 4; ++i) along += y[i].v * y[i].d[j];
    for (int i = quaternion; i < quaternion + 4; ++i) y[i].d[j] -= along * y[i].v;
  }
  double sums[lanes] = {}, t = 0, h = 1e-3, next = interval, begin = 0;
  orthonormalise<n>(y, count, sums);
  std::fill_n(sums, lanes, 0.0);
  f(y, k[0]);
  long steps = 0;
  for (bool rejected = false; t < end;) {
    const bool last = h * (1 + 1e-10) >= end - t;
    const double step = last ? end - t : h;
    for (int s = 1; s < 12; ++s) {
      const auto row = hand::a[static_cast<std::size_t>(s)];
      for (int i = 0; i < n; ++i) {
        double v = 0;
        Pack d{};
        for (const auto& w : row) v += w.value * k[w.stage][i].v, d += w.value * k[w.stage][i].d;
        z[i] = {y[i].v + step * v, y[i].d + step * d};
      }
      f(z, k[s]);
    }
    double fifth = 0, third = 0;
    Pack fifths{}, thirds{};
    for (int i = 0; i < n; ++i) {
      double v = 0, v5 = 0, v3 = 0;
      Pack d{}, d5{}, d3{};
      for (const auto& w : hand::a12) v += w.value * k[w.stage][i].v, d += w.value * k[w.stage][i].d;
      for (const auto& w : hand::e5) v5 += w.value * k[w.stage][i].v, d5 += w.value * k[w.stage][i].d;
      for (const auto& w : hand::e3) v3 += w.value * k[w.stage][i].v, d3 += w.value * k[w.stage][i].d;
      z[i] = {y[i].v + step * v, y[i].d + step * d};
      const double scale = 1 / (tolerance * (0.01 + hand::largest(y[i].v, z[i].v)));
      const Pack scales = 1 / (tolerance * (1 + hand::largest(y[i].d, z[i].d)));
      fifth += v5 * v5 * scale * scale;
      third += (v - v3) * (v - v3) * scale * scale;
      fifths += d5 * d5 * scales * scales;
      thirds += (d - d3) * (d - d3) * scales * scales;
    }
    double f5 = 0, f3 = 0;
    for (int j = 0; j < lanes; ++j) f5 += fifths[j], f3 += thirds[j];
    const double one = fifth == 0 ? 0 : step * fifth / std::sqrt((fifth + 0.01 * third) * n);
    const double other = f5 == 0 ? 0 : step * f5 / std::sqrt((f5 + 0.01 * f3) * n * count);
    const double error = std::max(one, other);
    const double factor = error == 0 ? 6 : 0.9 * std::pow(error, -1.0 / 8);
    h = step * std::min(std::max(factor, 1.0 / 3), rejected ? 1.0 : 6.0);
    rejected = error > 1;
    if (rejected) continue;
    t = last ? end : t + step;
    ++steps;
    std::copy_n(z, n, y);
    if (quaternion >= 0) {
      double size = 0;
      for (int i = quaternion; i < quaternion + 4; ++i) size += y[i].v * y[i].v;
      for (int i = quaternion; i < quaternion + 4; ++i) y[i].v /= std::sqrt(size);
    }
    if (t >= next || last) {
      orthonormalise<n>(y, count, sums);
      next = t + interval;
      if (begin == 0) begin = t, std::fill_n(sums, lanes, 0.0);
    }
    f(y, k[0]);
  }
  for (int j = 0; j < count; ++j) exponents[j] = sums[j] / (t - begin);
  std::sort(exponents, exponents + count, std::greater<>());
  return steps;
}

std::string model(const std::string& name) {
  return std::string(RATTLEBACK_BENCH_DIR) + "/../models/" + name + ".toml";
}

template <class System>
void compare(const std::string& name, const rattleback::System& system, const System& by_hand, int count,
             double end, int quaternion,
             const std::function<std::vector<double>(const std::vector<double>&)>& same_state) {
  const Flow flow(system, Flow::Effort::thorough);
  const std::vector<double> y = initial_state(flow), z = same_state(y);
  LyapunovOptions options;
  options.until = end;
  options.count = static_cast<std::size_t>(count);
  LyapunovExponents found;
  long steps = 0;
  double theirs[lanes] = {};
  lyapunov_exponents(flow, y, options);  // compiled
  // Alternately, so that both meet the same machine.
  double ours_best = 1e9, theirs_best = 1e9, same_best = 1e9;
  LyapunovOptions same_work = options;
  same_work.divergence = false;
  for (int k = 0; k < 9; ++k) {
    same_best = std::min(same_best, seconds_of([&] { found = lyapunov_exponents(flow, y, same_work); }));
    ours_best = std::min(ours_best, seconds_of([&] { found = lyapunov_exponents(flow, y, options); }));
    theirs_best = std::min(theirs_best, seconds_of([&] {
                             steps = spectrum(by_hand, z.data(), count, end, options.rtol, end / 21,
                                              quaternion, theirs);
                           }));
  }
  fmt::print("{:<18} {:>2} | {:>9} {:>6} | {:>9} {:>6} | {:>5.2f} {:>5.2f} | {: .4f} {: .4f}\n", name, count,
             duration(same_best), found.steps, duration(theirs_best), steps, same_best / theirs_best,
             ours_best / theirs_best, found.exponents.front(), theirs[0]);
}

}  // namespace

int main() {
  set_native_mode(NativeMode::on);
  fmt::print(
      "Lyapunov exponents at the same tolerance, 1e-10; `ratio` is our time over that of the program by "
      "hand, and again with\nthe divergence that ours computes besides as a check. Times of the "
      "processor.\n\n"
      "model              exponents | ours   steps |   by hand  steps | ratio  with | largest, ours and by "
      "hand\n");
  const auto same = [](const std::vector<double>& y) { return y; };
  // With its axes of inertia along those of its shape the stone keeps volumes, and its motion is chaotic.
  const rattleback::System stone =
      with_initial_values(with_values(load_model(model("rattleback")), {{"delta", "0"}}),
                          {{"Omega1", "1"}, {"Omega2", "2"}, {"Omega3", "-2"}});
  compare("rattleback", stone, Stone{0}, std::min(8, lanes), 500, 2, same);
  compare("falling-disk", load_model(model("falling-disk")), hand::FallingDisk{}, std::min(8, lanes), 2000,
          -1, same);
  compare("chaplygin-sphere", load_model(model("chaplygin-sphere")), hand::Sphere{}, std::min(8, lanes), 5000,
          2, [](const std::vector<double>& y) {
            std::vector<double> z = y;
            const auto k = hand::Sphere{}.momentum(y.data() + 2, y.data() + 6);
            std::copy(k.begin(), k.end(), z.begin() + 6);
            return z;
          });
}
