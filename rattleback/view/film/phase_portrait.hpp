#pragma once
/// Phase portrait of the reduced motion: the run and its neighbours.

#include <optional>
#include <string>
#include <utility>

#include <rattleback/view/film/film.hpp>

namespace rattleback {

/// Names of the axes. Where the rates of the speeds depend on a coordinate: the first such coordinate and a speed that
/// changes, if possible one that moves it. Where symmetry has removed them all: the first two speeds.
std::optional<std::pair<std::string, std::string>> portrait_axes(const Flow& flow);

/// The run through y, and other motions from a grid of points of the plane that fills what the run visits; everything else
/// starts as the run does. Positions bound by constraints are not varied: then the run stands alone.
std::optional<Figure> phase_portrait(const Flow& flow, std::span<const double> y, const Trajectory& run,
                                     Neighbours neighbours = Neighbours::all);

}  // namespace rattleback
