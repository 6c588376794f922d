// Declared in view/vectors/vector_equations.hpp. The vector equations of a rigid body as text and LaTeX.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>

namespace rattleback {
namespace {

/// Letters, not bytes: `gamma·Omega` has eleven.
std::size_t letters(const std::string& s) {
  return static_cast<std::size_t>(std::ranges::count_if(s, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A matrix is broken between its rows.
std::string wrapped(const std::string& formula, std::size_t start) {
  constexpr std::size_t width = 100;
  if (!formula.starts_with("[[") || start + letters(formula) <= width)
    return wrapped_formula(formula, start, start + 2);
  std::string s = formula;
  for (std::size_t at = s.find("], ["); at != std::string::npos; at = s.find("], [", at + 1))
    s.replace(at, 3, "],\n" + std::string(start + 1, ' '));
  return s;
}

/// 0 = a long formula, since a long left side would push all equations to the right.
std::vector<VectorLine> with_short_left_sides(std::vector<VectorLine> lines) {
  for (VectorLine& line : lines)
    if (line.right.text == "0" && letters(line.left.text) > legible::left_of_zero.count)
      std::swap(line.left, line.right);
  return lines;
}

std::string aligned(const std::vector<VectorLine>& lines) {
  std::size_t width = 0;
  for (const VectorLine& line : lines) width = std::max(width, letters(line.left.text));
  std::string s;
  for (const VectorLine& line : lines)
    s += fmt::format("  {}{} = {}\n", line.left.text, std::string(width - letters(line.left.text), ' '),
                     wrapped(line.right.text, width + 5));
  return s;
}

template <class... Lists>
std::vector<VectorLine> joined(const Lists&... lists) {
  std::vector<VectorLine> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

/// "gamma = transpose(B)*e3", separated by commas.
std::string in_a_row(const std::vector<VectorLine>& lines, std::string Notations::*notation,
                     const std::string& separator) {
  std::string s;
  for (const VectorLine& line : lines)
    s += (s.empty() ? "" : separator) + line.left.*notation + " = " + line.right.*notation;
  return s;
}

std::string rows(const std::vector<VectorLine>& lines) {
  std::string s;
  for (const VectorLine& line : lines) s += latex_row(line.left.latex, line.right.latex);
  return s;
}

nlohmann::ordered_json object(const std::vector<VectorLine>& lines) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const VectorLine& line : lines) out[line.left.code] = line.right.code;
  return out;
}

}  // namespace

std::string as_text(const System& system, const VectorEquations& equations) {
  std::string s = fmt::format("{}: equations in vectors\n\n", heading(system));
  s += aligned(with_short_left_sides(joined(equations.motion, equations.conditions)));
  const std::string axes = in_a_row(equations.space_axes, &Notations::text, ", ");
  return s + "  with" + (axes.empty() ? "" : " " + axes + ",") + "\n" + aligned(equations.definitions);
}

std::string as_latex(const System& system, const VectorEquations& equations) {
  std::string s = fmt::format("% {}: equations in vectors\n", heading(system));
  s += align_environment(rows(with_short_left_sides(joined(equations.motion, equations.conditions))));
  // A formula each: TeX breaks a line between formulas, not behind a comma within one.
  const std::string axes = in_a_row(equations.space_axes, &Notations::latex, "$, $");
  return s + "with" + (axes.empty() ? "" : " $" + axes + "$,") + "\n" +
         align_environment(rows(equations.definitions));
}

std::string as_json(const VectorEquations& equations) {
  return nlohmann::ordered_json{{"equations", object(equations.motion)},
                                {"conditions", object(equations.conditions)},
                                {"definitions", object(joined(equations.definitions, equations.space_axes))},
                                {"evidence", evidence(equations.proof)}}
      .dump();
}

}  // namespace rattleback
