#include <rattleback/view/vectors/recursion_lines.hpp>

#include <fmt/format.h>

namespace rattleback {
namespace {

std::string with_letter(std::string_view formula, const std::string& letter) {
  std::string s(formula);
  for (std::size_t at = s.find('@'); at != std::string::npos; at = s.find('@')) s.replace(at, 1, letter);
  return s;
}

}  // namespace

std::string as_text(std::span<const RecursionLine> lines, const std::string& letter) {
  std::string s;
  for (const RecursionLine& line : lines)
    s += fmt::format("  {:<7} = {}\n", with_letter(line.left, letter), with_letter(line.right, letter));
  return s;
}

std::string as_latex(std::span<const RecursionLine> lines, const std::string& letter) {
  std::string s = "\\begin{align*}\n";
  for (const RecursionLine& line : lines)
    s += fmt::format("  {} &= {}{}\n", with_letter(line.left_latex, letter),
                     with_letter(line.right_latex, letter), &line == &lines.back() ? "" : " \\\\");
  return s + "\\end{align*}\n";
}

}  // namespace rattleback
