#pragma once
/// Adaptive refinement of a chart: points between neighbours that differ.

#include <map>
#include <string>
#include <vector>

#include <rattleback/sweep/ensemble.hpp>
#include <rattleback/sweep/kept_quantity.hpp>

namespace rattleback {

/// A grid over one or two axes, whose spacing is halved `levels` times where it pays. Level 0 is the grid that was asked for. A cell
/// whose corners differ in something that is kept has the points of the next level computed: the middles of its edges, its centre, and
/// those of its corners that were only interpolated. All other points are interpolated. Which points are computed depends on the
/// numbers alone, not on threads or processes.
class ChartRefinement {
 public:
  /// `differences`: by name, how far two neighbours may be apart. Otherwise a twentieth of the range of the middle 90 % of level 0; a
  /// fiftieth of the whole range for attractors, whose classes are told apart so; for counts, any difference.
  /// Throws Error[wrong-axis] for axes without first:last:count, and Error[usage] for names that are not kept.
  ChartRefinement(std::vector<Axis> coarse, std::size_t levels, const std::vector<KeptQuantity>& keep,
                  std::map<std::string, double> differences);

  /// The axes of the finest grid.
  const std::vector<Axis>& axes() const { return axes_; }
  std::size_t points() const { return known_.size(); }
  std::size_t level() const { return level_; }  ///< of the points that next() gave last

  /// Members of the ensemble over axes() that are to be computed now, in order; none when all levels are done.
  std::vector<std::size_t> next();
  /// What was kept of the members that next() gave, one after the other.
  void add(const std::vector<std::size_t>& members, std::span<const double> kept);

  const std::vector<double>& differences() const { return differences_; }
  /// A kept quantity on the finest grid, and the axes: computed, or interpolated.
  std::vector<double> chart(std::size_t kept) const;
  std::vector<double> axis_values(std::size_t axis) const;

 private:
  std::size_t columns() const { return counts_.back(); }
  std::size_t rows() const { return counts_.size() == 1 ? 1 : counts_.front(); }
  std::size_t spacing() const { return std::size_t{1} << (levels_ - level_); }
  double& at(std::size_t member, std::size_t kept) { return values_[member * keep_.size() + kept]; }
  double at(std::size_t member, std::size_t kept) const { return values_[member * keep_.size() + kept]; }
  std::vector<std::size_t> corners(std::size_t row, std::size_t column, std::size_t apart) const;
  bool differ(const std::vector<std::size_t>& corners) const;
  std::vector<std::size_t> level_zero() const;
  std::vector<std::size_t> between_neighbours() const;
  void choose_differences(const std::vector<std::size_t>& members);
  void interpolate();

  std::vector<Axis> axes_;
  std::vector<std::size_t> counts_;  ///< of the finest grid, for each axis
  std::size_t levels_, level_ = 0;
  bool started_ = false;
  std::vector<KeptQuantity> keep_;
  std::map<std::string, double> asked_;
  std::vector<double> differences_;
  std::vector<double> values_;  ///< of each point of the finest grid, all that is kept
  std::vector<bool> known_;     ///< computed
};

}  // namespace rattleback
