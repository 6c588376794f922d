#pragma once
/// A linear change of two coordinates in the text of a model: sheared, turned by the angle of the triangle (3, 4, 5).

#include <array>
#include <string>

namespace rattleback {

/// q = A Q for the first two coordinates on lines, written as {{"1", "2"}, {"0", "1"}}.
using LinearChange = std::array<std::array<const char*, 2>, 2>;

/// The model in the new coordinates, which keep their names; forces are covectors, Q_new = Aᵀ Q. The same text where there are less than two
/// such coordinates, or where sections name coordinates in other ways (bodies, symmetries, initial states).
std::string with_linear_change(const std::string& text, const LinearChange& A);

}  // namespace rattleback
