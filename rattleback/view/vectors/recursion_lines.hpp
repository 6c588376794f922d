#pragma once
/// Lines of a recursion that is printed over an index i: left = right, as text and in LaTeX.

#include <span>
#include <string>
#include <string_view>

namespace rattleback {

/// `@` stands for the letter of the coordinates.
struct RecursionLine {
  std::string_view left, right, left_latex, right_latex;
};

std::string as_text(std::span<const RecursionLine> lines, const std::string& letter);
/// An align* environment.
std::string as_latex(std::span<const RecursionLine> lines, const std::string& letter);

}  // namespace rattleback
