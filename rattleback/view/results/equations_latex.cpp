// Declared in view/results/equations.hpp. Equations of motion as LaTeX.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/results/equations.hpp>

namespace rattleback {

namespace {

/// B' = B Ω̂ or ω̂ B with Ω or ω in place; in rows of their own where a component is wider than the page.
std::string rotation_rows(const std::string& left, const SheetLine& line) {
  const auto rate = [&](const std::vector<Expr>& omega) {
    const std::string B = latex_name(line.name),
                      turn = fmt::format("\\widehat{{{}}}", latex(Matrix::column(omega)));
    return latex_row(left, line.in_space_axes ? turn + "\\," + B : B + "\\," + turn);
  };
  const TextWidth& page = article_width();
  const bool fits = std::all_of(line.values.begin(), line.values.end(),
                                [&](Expr e) { return page.width_of(e) <= page.width; });
  if (fits) return rate(line.values);
  std::string rows = rate({line.components.begin(), line.components.end()});
  for (std::size_t k = 0; k < line.values.size(); ++k)
    rows += latex_row(latex_name(line.components[k].name()), latex(line.values[k]));
  return rows;
}

}  // namespace

std::string as_latex(const System& system, const EquationsOfMotion& equations, bool steps) {
  constexpr std::size_t longest = legible::without_named_parts_on_paper.count;
  std::string s = fmt::format("% {}: {}\n", heading(system), formalism(equations.form).title);
  const Sheet sheet = sheet_of(system, equations, steps, longest, &article_width());
  for (const Step& step : sheet.steps) {
    if (!step.lines.empty())
      s += fmt::format("{}.\n{}", latex_text(step.title), align_environment(latex_rows(step.lines)));
  }
  if (!sheet.step_parts.empty()) s += "with\n" + align_environment(latex_rows(sheet.step_parts));
  std::string rows;
  for (const SheetLine& line : sheet.lines) {
    const std::string left = latex_name(line.name + "'");
    rows += line.is_rotation() ? rotation_rows(left, line) : latex_row(left, latex(line.values[0]));
  }
  rows += sheet.names_multipliers ? latex_rows(with_lambda(sheet.multipliers))
                                  : latex_rows("\\lambda", sheet.multipliers);
  rows += latex_rows("R", sheet.reactions);
  s += align_environment(rows);
  if (!sheet.parts.empty()) s += "with\n" + align_environment(latex_rows(sheet.parts));
  return s;
}

}  // namespace rattleback
