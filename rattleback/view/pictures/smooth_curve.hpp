#pragma once
/// Smooth curves through samples of a motion, as few cubic Bézier pieces as the eye needs.

#include <vector>

#include <rattleback/view/pictures/picture.hpp>

namespace rattleback {

/// Start, control, control, end, …: a curve with continuous tangents that passes all points at equal distances of time within
/// `tolerance`, as Picture::curve takes it. Fewer than four points are joined by straight pieces.
std::vector<Point> smooth_curve(const std::vector<Point>& samples, double tolerance);

/// The same samples joined by straight pieces, without those that a line within the tolerance replaces.
std::vector<Point> broken_line(const std::vector<Point>& samples, double tolerance);

}  // namespace rattleback
