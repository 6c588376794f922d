#pragma once
/// Simbody on the Chaplygin sleigh, where it is installed.

#include "peers.hpp"

#ifdef RATTLEBACK_HAVE_SIMBODY
double simbody_sleigh(const double* start, double until, double accuracy, double* end);
#endif

namespace bench {

/// The first accuracy that brings x, y and the heading within `wanted` of the truth.
inline Result sleigh_by_simbody([[maybe_unused]] const std::vector<double>& start,
                                [[maybe_unused]] const std::vector<double>& truth,
                                [[maybe_unused]] double until, [[maybe_unused]] double wanted) {
  Result result;
#ifdef RATTLEBACK_HAVE_SIMBODY
  result.state = Result::State::failed;
  for (double accuracy = 1e-9; accuracy > 1e-14; accuracy /= 3) {
    double q[3];
    const double seconds = simbody_sleigh(start.data(), until, accuracy, q);
    double error = seconds < 0 ? 1 : 0;
    for (std::size_t i = 0; i < 3; ++i) error = std::max(error, std::abs(q[i] - truth[i]));
    if (error <= wanted) return {Result::State::finished, seconds, q[0], 0, {}};
  }
#endif
  return result;
}

}  // namespace bench
