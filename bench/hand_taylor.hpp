#pragma once
/// Taylor series written by hand for two systems, as one would who knows their recurrences: the order is a constant, so that the
/// compiler unrolls every sum. Order and step by Jorba and Zou's rule, as ours.

#include "hand.hpp"

namespace bench::hand {

template <int N>
struct Series {
  double coefficient[N + 1];
  double& operator[](int k) { return coefficient[k]; }
  double operator[](int k) const { return coefficient[k]; }
};

/// (a b)_k
template <int N>
double product(const Series<N>& a, const Series<N>& b, int k) {
  double even = 0, odd = 0;  // two sums that do not wait for each other
  for (int j = 0; j + 1 <= k; j += 2) {
    even += a[j] * b[k - j];
    odd += a[j + 1] * b[k - j - 1];
  }
  if (k % 2 == 0) even += a[k] * b[0];
  return even + odd;
}

/// Sine and cosine of x: k s_k = Σ j x_j c_{k−j}.
template <int N>
struct Angle {
  Series<N> s, c, slope;
  void extend(const Series<N>& x, int k) {
    slope[k] = k * x[k];
    if (k == 0) return sine_cosine(x[0], s[0], c[0]);
    double sum = 0, other = 0;
    for (int j = 1; j <= k; ++j) {
      sum += slope[j] * c[k - j];
      other += slope[j] * s[k - j];
    }
    s[k] = sum / k;
    c[k] = -other / k;
  }
};

template <int N>
void extend_all(const Sleigh& z, std::array<Series<N>, 5>& y) {
  Angle<N> a;
  for (int k = 0; k < N; ++k) {
    a.extend(y[2], k);
    const double next = 1.0 / (k + 1);
    y[0][k + 1] = product<N>(y[3], a.c, k) * next;
    y[1][k + 1] = product<N>(y[3], a.s, k) * next;
    y[2][k + 1] = y[4][k] * next;
    y[3][k + 1] = z.a * product<N>(y[4], y[4], k) * next;
    y[4][k + 1] = -z.k * product<N>(y[3], y[4], k) * next;
  }
}

template <int N>
void extend_all(const FallingDisk& z, std::array<Series<N>, 8>& y) {
  Angle<N> lean, turned;
  Series<N> turn, t, along, a, b;
  for (int k = 0; k < N; ++k) {
    lean.extend(y[2], k);
    turned.extend(y[3], k);
    double rest = y[7][k];  // turn cos θ = y₇
    for (int j = 0; j < k; ++j) rest -= turn[j] * lean.c[k - j];
    turn[k] = rest / lean.c[0];
    t[k] = product<N>(lean.s, turn, k);
    along[k] = y[6][k] - t[k];
    a[k] = z.axle * y[6][k] - z.J * t[k];
    b[k] = t[k] - z.gyro * y[6][k];
    const double next = 1.0 / (k + 1);
    y[0][k + 1] = z.R * product<N>(along, turned.c, k) * next;
    y[1][k + 1] = z.R * product<N>(along, turned.s, k) * next;
    y[2][k + 1] = y[5][k] * next;
    y[3][k + 1] = turn[k] * next;
    y[4][k + 1] = along[k] * next;
    y[5][k + 1] = z.lean * (product<N>(y[7], a, k) + z.fall * lean.s[k]) * next;
    y[6][k + 1] = z.roll * product<N>(y[5], y[7], k) * next;
    y[7][k + 1] = product<N>(y[5], b, k) * next;
  }
}

/// One trajectory by series of order N.
template <int N, class System>
[[gnu::flatten]] void fly_by_series(const System& f, std::array<double, System::n>& y, double end) {
  std::array<Series<N>, System::n> c;
  for (double t = 0; t < end;) {
    for (std::size_t i = 0; i < y.size(); ++i) c[i][0] = y[i];
    extend_all<N>(f, c);
    double size = 1, last = 0, before = 0;
    for (const Series<N>& s : c) {
      size = std::max(size, std::abs(s[0]));
      last = std::max(last, std::abs(s[N]));
      before = std::max(before, std::abs(s[N - 1]));
    }
    const double radius = std::min(std::pow(size / last, 1.0 / N), std::pow(size / before, 1.0 / (N - 1)));
    const double h = std::min(radius * std::exp(-2 - 0.7 / (N - 1)), end - t);
    for (std::size_t i = 0; i < y.size(); ++i) {
      double x = c[i][N];
      for (int k = N; k-- > 0;) x = x * h + c[i][k];
      y[i] = x;
    }
    t = h < end - t ? t + h : end;
  }
}

}  // namespace bench::hand
