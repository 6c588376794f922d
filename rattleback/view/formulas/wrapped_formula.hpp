#pragma once
/// Line breaking of long formulas: before + and -, outside of brackets where possible.

#include <cstddef>
#include <string>

namespace rattleback {

/// Lines of at most `width` columns, broken before ` + ` and ` - `, outside of brackets where possible; lines after the
/// first begin with `indent` spaces. The formula itself starts at column `start`. What has no such
/// place stays long, and what is only a little too long stays on one line.
std::string wrapped_formula(const std::string& formula, std::size_t start, std::size_t indent,
                            std::size_t width = 100);

}  // namespace rattleback
