#pragma once
/// One axis of a parameter sweep: a parameter or initial value with a grid, a list or a random distribution.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace rattleback {

struct Range {
  double first, last;
  std::size_t count;
  bool logarithmic;
};
struct List {
  std::vector<double> values;
};
struct Uniform {
  double low, high;
};
struct Normal {
  double mean, deviation;
};

/// As --vary writes it:
///     a=0:1:11            eleven values from 0 to 1
///     a=0.1:10:5:log      five, equally spaced on a logarithmic scale
///     a=1,pi/2,sqrt(5)    these
///     a=uniform(0,1)      drawn anew for every sample; also normal(mean,deviation)
struct Axis {
  std::string name;  ///< of a parameter or an initial value
  std::variant<Range, List, Uniform, Normal> values;

  bool random() const {
    return std::holds_alternative<Uniform>(values) || std::holds_alternative<Normal>(values);
  }
  std::size_t grid_size() const;
  /// The least value it takes; a normal deviate has none, and gives +∞.
  double least() const;
  double grid_value(std::size_t i) const;
  /// Counter-based random number: a function of seed, axis and sample alone, the same in every thread and process.
  double draw(std::uint64_t seed, std::uint64_t axis, std::uint64_t sample) const;
};

/// Throws Error[wrong-axis] with its place in the text.
Axis axis(const std::string& text);

}  // namespace rattleback
