#pragma once
/// Measures of order and chaos, covariant vectors and phase volume for people and for other programs.

#include <rattleback/study/covariant_vectors.hpp>
#include <rattleback/study/phase_volume.hpp>
#include <rattleback/study/time_series.hpp>
#include <rattleback/view/plot.hpp>

namespace rattleback {

/// What was measured of one motion; empty parts were not asked for.
struct Measures {
  std::string model, observed;  ///< the quantity of the spectrum and of the 0-1 test
  double until = 0, interval = 0;
  std::size_t samples = 0;
  std::optional<PowerSpectrum> spectrum;
  double zero_one = 0;
  CorrelationDimension dimension;
  Recurrence recurrence;
  std::optional<CovariantVectors> covariant;
  std::optional<PhaseVolume> volume;
};

std::string as_text(const Measures& all);
/// Schema rattleback.measure/1.
std::string as_json(const Measures& all);
/// Spectrum, correlation sum, volume over time: as far as they were measured.
std::vector<Panel> panels_of(const Measures& all);

}  // namespace rattleback
