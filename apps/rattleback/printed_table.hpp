#pragma once
/// A few columns of numbers on the terminal: what `--show` prints.

#include <string>
#include <vector>

namespace rattleback::app {

/// Columns under their names, right-aligned, numbers to five digits.
std::string printed_table(const std::vector<std::string>& names,
                          const std::vector<std::vector<double>>& columns);

}  // namespace rattleback::app
