#pragma once
/// Parameter grid of a sweep: numbers its members and gives each its values, grid axes and random draws.

#include <optional>
#include <span>

#include <rattleback/sweep/axis.hpp>

namespace rattleback {

/// Members are numbered: every combination of the grids, the last axis fastest, and for each of them `samples` draws of
/// the random axes. What a member is depends on its number alone, never on the thread or process.
class Ensemble {
 public:
  /// Throws Error[wrong-axis] when an axis is named twice or the members cannot be counted.
  Ensemble(std::vector<Axis> axes, std::size_t samples, std::uint64_t seed);

  /// Only these members of the grid, in this order, are members from now on.
  void select(std::vector<std::size_t> members);

  std::size_t size() const { return selected_ ? selected_->size() : size_; }
  const std::vector<Axis>& axes() const { return axes_; }
  /// One value per axis.
  void values(std::size_t member, std::span<double> out) const;

 private:
  std::vector<Axis> axes_;
  std::size_t samples_, size_;
  std::uint64_t seed_;
  std::optional<std::vector<std::size_t>> selected_;
};

/// Consecutive members that are computed and stored together.
struct Block {
  std::size_t index, begin, end;
  std::size_t size() const { return end - begin; }
};
/// A block is small enough that many workers find work, and large enough to fill lanes; it depends on the size alone.
std::size_t block_size(std::size_t members);
inline std::size_t block_count(std::size_t members) {
  return (members + block_size(members) - 1) / block_size(members);
}
Block block(std::size_t index, std::size_t members);

}  // namespace rattleback
