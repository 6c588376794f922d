#pragma once
/// Splits comma-separated lists at top level: `x = 1, y = atan2(1, 2), Omega = [0, 0, 1]`.

#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

/// What stands between the separators that are in no bracket; at least one piece, perhaps empty.
std::vector<std::string> pieces(std::string_view text, char separator);

}  // namespace rattleback
