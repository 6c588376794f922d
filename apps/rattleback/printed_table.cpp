#include "printed_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rattleback::app {
namespace {

/// 0 where rounding left 1e-17 of a number of order 1.
std::string number(double x) { return fmt::format("{:.5g}", std::abs(x) < 1e-12 ? 0.0 : x); }

}  // namespace

std::string printed_table(const std::vector<std::string>& names,
                          const std::vector<std::vector<double>>& columns) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    widths.push_back(names[c].size());
    for (const double x : columns[c]) widths.back() = std::max(widths.back(), number(x).size());
  }
  std::string text;
  const auto line = [&](const auto& cell) {
    for (std::size_t c = 0; c < columns.size(); ++c) text += fmt::format("  {:>{}}", cell(c), widths[c]);
    text += "\n";
  };
  line([&](std::size_t c) { return names[c]; });
  for (std::size_t row = 0; !columns.empty() && row < columns[0].size(); ++row)
    line([&](std::size_t c) { return number(columns[c][row]); });
  return text;
}

}  // namespace rattleback::app
