#pragma once
/// Measures of one motion: spectrum and 0-1 test of a recorded quantity, correlation dimension and recurrence of the states, covariant Lyapunov
/// vectors, phase volume.

#include <rattleback/study/covariant_vectors.hpp>
#include <rattleback/study/phase_volume.hpp>
#include <rattleback/study/time_series.hpp>

namespace rattleback {

/// The quantity that is recorded along the motion.
struct SeriesQuestion {
  std::string name;
  Expr quantity;               ///< in configuration, velocities and quasi-velocities
  double transient = 0;        ///< how long the motion runs before it is recorded
  std::size_t samples = 8192;  ///< at least 500
  Window window = Window::blackman_harris;
};

/// What is measured; empty parts are not.
struct MeasureQuestion {
  double until = 100;
  std::optional<SeriesQuestion> series;
  std::optional<std::size_t> covariant;  ///< how many covariant Lyapunov vectors; 0: all
  std::optional<VolumeQuestion> volume;
};

/// What was measured; empty parts were not asked for.
struct Measures {
  std::string model, observed;  ///< the quantity of the spectrum and of the 0-1 test
  double until = 0, interval = 0;
  std::size_t samples = 0;
  std::string time_unit;  ///< empty where the model gives no units
  std::optional<PowerSpectrum> spectrum;
  ZeroOneTest zero_one;
  CorrelationDimension dimension;
  Recurrence recurrence;
  std::optional<CovariantVectors> covariant;
  std::optional<PhaseVolume> volume;
};

/// Throws Error[motion-ends] where the motion ends before its time, and what the parts throw.
Measures measured_motion(const Flow& flow, std::span<const double> y, const MeasureQuestion& question);

}  // namespace rattleback
