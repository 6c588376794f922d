#pragma once
/// Chooses the columns of a run that are worth a figure, and which of them share an axis.

#include <string>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// One column of the samples.
std::vector<double> run_column(const Trajectory& run, std::size_t column);

/// Coordinates without entries of rotations, without what rests and without angles that only wind up (the motion does not depend
/// on them and they have turned more than twice: wheels). All of them when nothing would be left.
std::vector<std::size_t> interesting_coordinates(const Flow& flow, const Trajectory& run);
/// Speeds that change; all of them when none does.
std::vector<std::size_t> interesting_speeds(const Flow& flow, const Trajectory& run);

/// Groups of at most `most` columns in which each fills a tenth of their common range or more: nothing is hidden by what is much
/// larger or far away. Columns that rest stay together.
std::vector<std::vector<std::size_t>> groups_of_like_size(const Trajectory& run,
                                                          const std::vector<std::size_t>& columns,
                                                          std::size_t most);

/// Does the quantity go up and down: at least three times through its mean, by more than rounding?
bool oscillates(const std::vector<double>& values);

/// From −π to π.
double wrapped(double angle);

}  // namespace rattleback
