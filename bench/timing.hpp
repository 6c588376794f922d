#pragma once
/// CPU time: the machine may be busy with other things.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace bench {

/// Of this thread, the only one. The clock of the process ticks coarsely once its CPU time is limited.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double seconds_of(Work work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// The fastest of several runs; work(k) gets the number of the run, so that it can avoid what the last one remembered.
template <class Work>
double fastest_of(int runs, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) best = std::min(best, seconds_of([&] { work(k); }));
  return best;
}

/// 1.23 ms, with three digits.
inline std::string duration(double seconds) {
  const char* const units[] = {"s", "ms", "us", "ns"};
  int u = 0;
  for (; u < 3 && seconds < 1; ++u) seconds *= 1e3;
  const int digits = seconds < 10 ? 2 : seconds < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", seconds, digits, units[u]);
}

/// 1.4x, 12x, 3400x: two digits.
inline std::string ratio(double theirs, double ours) {
  const double r = theirs / ours;
  if (r < 10) return fmt::format("{:.1f}x", r);
  const double unit = std::pow(10.0, std::floor(std::log10(r)) - 1);
  return fmt::format("{:.0f}x", std::round(r / unit) * unit);
}

}  // namespace bench
