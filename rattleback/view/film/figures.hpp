#pragma once
/// Chooses the curves of a run that a report draws.

#include <vector>

#include <rattleback/view/film/film.hpp>

namespace rattleback {

/// The path of the first trace, coordinates and speeds over time, a phase portrait, the drift of what should be constant,
/// the spectrum of the speeds of the run through y; and the series they are drawn from.
void add_figures(const Flow& flow, std::span<const double> y, const Trajectory& run, Film& film,
                 Neighbours neighbours = Neighbours::all);

/// Amplitudes of the harmonics k/T, k = 0 … n/2, of values at equal distances over the time T: mean removed, Hann's window, so
/// that a cos(2π k t/T) has amplitude a at k.
std::vector<double> amplitudes(const std::vector<double>& values);

}  // namespace rattleback
