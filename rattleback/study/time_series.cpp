#include <rattleback/study/time_series.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include <fmt/format.h>

namespace rattleback {
namespace {

using Complex = std::complex<double>;

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// In place; the length is a power of two.
void fourier(std::vector<Complex>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t length = 2; length <= n; length <<= 1U) {
    const double angle = -2 * M_PI / static_cast<double>(length);
    for (std::size_t i = 0; i < n; i += length)
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Complex turn = std::polar(1.0, angle * static_cast<double>(k));
        const Complex u = a[i + k], v = a[i + k + length / 2] * turn;
        a[i + k] = u + v;
        a[i + k + length / 2] = u - v;
      }
  }
}

double weight(Window window, double t) {
  if (window == Window::none) return 1;
  const double a = 2 * M_PI * t;
  if (window == Window::hann) return 0.5 - 0.5 * std::cos(a);
  return 0.35875 - 0.48829 * std::cos(a) + 0.14128 * std::cos(2 * a) - 0.01168 * std::cos(3 * a);
}

/// Local maxima of at least 10^-4 of the highest; frequencies by the parabola through three logarithms.
std::vector<SpectralPeak> peaks_of(const PowerSpectrum& s, double width) {
  std::vector<SpectralPeak> peaks;
  const double most = *std::max_element(s.power.begin(), s.power.end());
  const auto reach = static_cast<std::size_t>(std::ceil(width));
  for (std::size_t k = 1; k + 1 < s.power.size(); ++k) {
    const std::size_t from = k > reach ? k - reach : 0, to = std::min(k + reach + 1, s.power.size());
    if (s.power[k] < 1e-4 * most ||
        *std::max_element(s.power.begin() + static_cast<std::ptrdiff_t>(from),
                          s.power.begin() + static_cast<std::ptrdiff_t>(to)) > s.power[k])
      continue;
    const double a = std::log(s.power[k - 1] + 1e-300), b = std::log(s.power[k] + 1e-300),
                 c = std::log(s.power[k + 1] + 1e-300), curvature = a - 2 * b + c;
    const double shift = curvature < 0 ? std::clamp(0.5 * (a - c) / curvature, -0.5, 0.5) : 0;
    double total = 0;
    for (std::size_t j = from; j < to; ++j) total += s.power[j];
    peaks.push_back({(static_cast<double>(k) + shift) * (s.frequency[1] - s.frequency[0]), total});
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const auto& a, const auto& b) { return a.power > b.power; });
  return peaks;
}

double autocovariance(const std::vector<double>& x, double mean, std::size_t lag) {
  double sum = 0;
  for (std::size_t k = 0; k + lag < x.size(); ++k) sum += (x[k] - mean) * (x[k + lag] - mean);
  return sum;
}

/// Pearson's correlation.
double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double a = mean_of(x), b = mean_of(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - a) * (y[k] - b);
    xx += (x[k] - a) * (x[k] - a);
    yy += (y[k] - b) * (y[k] - b);
  }
  return xx * yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

/// K_c: how nearly the mean square displacement grows linearly.
double growth_of_displacement(const std::vector<double>& x, double c) {
  const std::size_t n = x.size(), cut = n / 10;
  std::vector<double> p(n + 1, 0), q(n + 1, 0), times, displacement;
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = c * static_cast<double>(k + 1);
    p[k + 1] = p[k] + x[k] * std::cos(angle);
    q[k + 1] = q[k] + x[k] * std::sin(angle);
  }
  const double mean = mean_of(x);
  for (std::size_t m = 1; m <= cut; ++m) {
    double sum = 0;
    for (std::size_t k = 1; k + cut <= n; ++k)
      sum += std::pow(p[k + m] - p[k], 2) + std::pow(q[k + m] - q[k], 2);
    const double oscillating = mean * mean * (1 - std::cos(static_cast<double>(m) * c)) / (1 - std::cos(c));
    times.push_back(static_cast<double>(m));
    displacement.push_back(sum / static_cast<double>(n - cut) - oscillating);
  }
  return correlation(times, displacement);
}

}  // namespace

PowerSpectrum power_spectrum(const std::vector<double>& x, double interval, Window window) {
  PowerSpectrum s;
  if (x.size() < 8) return s;
  std::size_t n = 1;
  while (n < x.size()) n <<= 1U;
  const double mean = mean_of(x);
  std::vector<Complex> a(n);
  for (std::size_t k = 0; k < x.size(); ++k)
    a[k] = (x[k] - mean) * weight(window, static_cast<double>(k) / static_cast<double>(x.size()));
  fourier(a);
  double total = 0, logarithms = 0;
  for (std::size_t k = 0; k < n / 2; ++k) {
    s.frequency.push_back(static_cast<double>(k) / (static_cast<double>(n) * interval));
    s.power.push_back(std::norm(a[k]));
    total += s.power.back();
  }
  if (!(total > 0)) return s;
  for (double& p : s.power) {
    p /= total;
    logarithms += std::log(p + 1e-300);
  }
  const double count = static_cast<double>(s.power.size());
  s.flatness = std::exp(logarithms / count) * count;
  const double lobe = window == Window::none ? 1 : window == Window::hann ? 2 : 4;
  s.peaks = peaks_of(s, lobe * static_cast<double>(n) / static_cast<double>(x.size()));
  return s;
}

std::vector<double> decorrelated(const std::vector<double>& x) {
  const double mean = mean_of(x);
  std::size_t stride = 1;
  while (stride < x.size() / 100 && autocovariance(x, mean, stride) > 0) ++stride;
  std::vector<double> rare;
  for (std::size_t k = 0; k < x.size(); k += stride) rare.push_back(x[k]);
  return rare;
}

double zero_one_test(const std::vector<double>& all) {
  const std::size_t n = std::min<std::size_t>(all.size(), 3000);
  const std::vector<double> x(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
  if (n < 100) return std::nan("");
  constexpr int count = 60;
  std::vector<double> growth;
  for (int j = 0; j < count; ++j) {
    // Away from 0 and π, where lines of the spectrum resonate; a golden rotation avoids rational multiples.
    const double part = std::fmod(0.5 + j * 0.6180339887498949, 1.0);
    growth.push_back(growth_of_displacement(x, M_PI / 5 + part * 3 * M_PI / 5));
  }
  std::nth_element(growth.begin(), growth.begin() + count / 2, growth.end());
  return growth[count / 2];
}

std::string ZeroOneTest::doubt() const {
  if (is_oversampled)
    return "oversampled: the quantity stays correlated over a hundredth of all samples; record a longer "
           "time, or after a --transient if it only settles";
  if (has_too_few())
    return fmt::format("too few samples: {} a correlation time apart, {} are needed; record a longer time",
                       samples, enough);
  return {};
}

ZeroOneTest zero_one_of(const std::vector<double>& x) {
  const std::vector<double> rare = decorrelated(x);
  ZeroOneTest test;
  test.samples = rare.size();
  test.k = zero_one_test(rare);
  const std::size_t longest = x.size() / 100;
  // Where decorrelated() gave up, its last lag still has a correlation. A constant has none.
  test.is_oversampled = longest > 1 && rare.size() <= (x.size() + longest - 1) / longest &&
                        autocovariance(x, mean_of(x), longest) > 0;
  return test;
}

CorrelationDimension correlation_dimension(const Eigen::MatrixXd& points, std::size_t theiler) {
  CorrelationDimension found;
  constexpr int bins = 40;
  constexpr double decades = 4;
  const double size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
  if (!(size > 0)) return found;
  std::vector<double> histogram(bins, 0);
  double pairs = 0;
  for (Eigen::Index i = 0; i < points.cols(); ++i)
    for (Eigen::Index j = i + static_cast<Eigen::Index>(theiler) + 1; j < points.cols(); ++j) {
      const double r = (points.col(i) - points.col(j)).norm() / size;
      ++pairs;
      const double place = bins * (1 + std::log10(std::max(r, 1e-300)) / decades);
      if (place < bins) ++histogram[static_cast<std::size_t>(std::max(0.0, place))];
    }
  double below = 0;
  for (int b = 0; b < bins; ++b) {
    below += histogram[static_cast<std::size_t>(b)];
    found.radius.push_back(size * std::pow(10, decades * ((b + 1.0) / bins - 1)));
    found.sum.push_back(below / pairs);
  }
  // Between some hundred pairs and a twentieth of all.
  found.first = found.last = 0;
  for (std::size_t b = 0; b < found.sum.size(); ++b) {
    if (found.sum[b] * pairs < 200) found.first = b + 1;
    if (found.sum[b] < 0.05) found.last = b;
  }
  if (found.last < found.first + 3) {
    found.dimension = found.error = std::nan("");
    return found;
  }
  std::vector<double> slopes;
  for (std::size_t b = found.first; b < found.last; ++b)
    slopes.push_back(std::log(found.sum[b + 1] / found.sum[b]) /
                     std::log(found.radius[b + 1] / found.radius[b]));
  found.dimension = mean_of(slopes);
  double squares = 0;
  for (const double s : slopes) squares += std::pow(s - found.dimension, 2);
  found.error = std::sqrt(squares / static_cast<double>(slopes.size()));
  return found;
}

Recurrence recurrence(const Eigen::MatrixXd& points, std::size_t theiler) {
  Recurrence r;
  const Eigen::Index n = points.cols();
  const double size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
  r.threshold = size / 10;
  double near = 0, pairs = 0, on_lines = 0, returns = 0, gaps = 0;
  constexpr Eigen::Index shortest = 4;
  for (Eigen::Index lag = static_cast<Eigen::Index>(theiler) + 1; lag < n; ++lag) {
    Eigen::Index line = 0;
    const auto close = [&] {
      if (line >= shortest) on_lines += static_cast<double>(line);
      r.longest = std::max(r.longest, static_cast<double>(line));
      line = 0;
    };
    for (Eigen::Index i = 0; i + lag < n; ++i) {
      ++pairs;
      if ((points.col(i) - points.col(i + lag)).norm() < r.threshold) {
        ++near;
        ++line;
      } else {
        close();
      }
    }
    close();
  }
  for (Eigen::Index i = 0; i < n; i += std::max<Eigen::Index>(1, n / 200)) {
    bool outside = false;
    Eigen::Index left = i;
    for (Eigen::Index j = i + 1; j < n; ++j) {
      const bool inside = (points.col(i) - points.col(j)).norm() < r.threshold;
      if (!inside && !outside) left = j;
      if (inside && outside) {
        ++returns;
        gaps += static_cast<double>(j - left);
      }
      outside = !inside;
    }
  }
  r.rate = pairs > 0 ? near / pairs : 0;
  r.determinism = near > 0 ? on_lines / near : 0;
  r.mean_return = returns > 0 ? gaps / returns : std::nan("");
  return r;
}

}  // namespace rattleback
