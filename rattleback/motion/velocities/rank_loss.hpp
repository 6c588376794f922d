#pragma once
/// Sample points at which rows of a matrix of functions lose rank: excludes rows before they are solved exactly.

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// The values of a matrix at a few points where the known conditions hold: angles at multiples of π/2, where determinants often vanish,
/// quarter turns of rotations, and points in between; the same in every run.
class MatrixSamples {
 public:
  MatrixSamples(const Matrix& m, const Assumptions& known);

  /// Is there a point at which these rows have less than full column rank and the known conditions hold? Then what the rows determine has
  /// a pole there. Seen at one of the points, to rounding, or between them: a determinant that vanishes only where known conditions
  /// do has the sign of a product of those, up to one sign for all points. False says nothing.
  bool lose_rank(std::span<const int> rows) const;

 private:
  struct Sample {
    Eigen::MatrixXd values;
    std::uint32_t negative = 0;  ///< bit k: known condition k is negative here
  };
  Eigen::MatrixXd rows_of(const Sample& sample, std::span<const int> rows) const;
  bool changes_sign(std::span<const int> rows) const;

  std::vector<Sample> samples_;
  std::size_t conditions_ = 0;
};

}  // namespace rattleback
