#pragma once
/// Measures of order and chaos, covariant vectors and phase volume for people and for other programs.

#include <rattleback/study/measured_motion.hpp>
#include <rattleback/study/step_volume.hpp>
#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

std::string as_text(const Measures& all);
/// Schema rattleback.measure/1.
std::string as_json(const Measures& all);
/// Spectrum, correlation sum, volume over time: as far as they were measured.
std::vector<Panel> panels_of(const Measures& all);

std::string as_text(const StepVolume& volume);
/// Schema rattleback.step-volume/1.
std::string as_json(const StepVolume& volume);

}  // namespace rattleback
