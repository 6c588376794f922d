#pragma once
/// Measures of order and chaos of a recorded motion: power spectrum, 0-1 test, correlation dimension, recurrence.

#include <string>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/search_limits.hpp>

namespace rattleback {

enum class Window { none, hann, blackman_harris };

struct SpectralPeak {
  double frequency = 0;  ///< cycles per unit of time, between the samples of the spectrum
  double power = 0;      ///< as a part of the variance
};
struct PowerSpectrum {
  std::vector<double> frequency, power;  ///< one-sided; the powers add up to 1
  std::vector<SpectralPeak> peaks;       ///< the highest first
  double flatness =
      0;  ///< geometric over arithmetic mean of the powers: near 0 for lines, towards 1 for noise
};
/// |Σ w_k (x_k − x̄) e^{−2πi jk/N}|² with zeros appended to a power of two.
PowerSpectrum power_spectrum(const std::vector<double>& x, double interval, Window window);

/// K of the 0-1 test for chaos: near 1 for chaotic, near 0 for regular motion. With p_n = Σ x_k cos(kc), q_n = Σ x_k sin(kc) and the mean square
/// displacement D_c(n), without its oscillating term, K_c is the correlation of D_c with n; K is the median over c
/// [Gottwald and Melbourne 2009]. Samples should be as far apart as the correlation lasts: see decorrelated().
double zero_one_test(const std::vector<double>& x);
/// Every s-th sample, with s the first at which the autocorrelation is below zero, at most a hundredth of all.
std::vector<double> decorrelated(const std::vector<double>& x);

/// The 0-1 test of a recorded quantity, and whether its samples are enough for it.
struct ZeroOneTest {
  static constexpr std::size_t enough = search_limits::samples_of_a_zero_one_test.count;
  double k = 0;                 ///< not a number with fewer than 100 samples
  std::size_t samples = 0;      ///< of decorrelated()
  bool is_oversampled = false;  ///< the autocorrelation stays above zero: samples depend on their neighbours
  bool has_too_few() const { return samples < enough; }
  /// What is wrong with the samples and what helps; empty where nothing is.
  std::string doubt() const;
};
ZeroOneTest zero_one_of(const std::vector<double>& x);

struct CorrelationDimension {
  double dimension = 0, error = 0;  ///< slope of ln C over ln r, and how far local slopes scatter
  std::vector<double> radius, sum;  ///< C(r): the part of pairs that are nearer than r
  std::size_t first = 0, last = 0;  ///< the scaling region: radii from first to last
};
/// Grassberger and Procaccia's, for points in columns; pairs nearer in time than `theiler` samples do not count.
CorrelationDimension correlation_dimension(const Eigen::MatrixXd& points, std::size_t theiler);

struct Recurrence {
  double threshold = 0;    ///< a tenth of the size of the motion
  double rate = 0;         ///< part of pairs that are nearer
  double determinism = 0;  ///< part of those that lie on diagonals of at least four
  double longest = 0;      ///< the longest diagonal, in samples
  double mean_return = 0;  ///< mean time, in samples, between leaving a neighbourhood and coming back
};
Recurrence recurrence(const Eigen::MatrixXd& points, std::size_t theiler);

}  // namespace rattleback
