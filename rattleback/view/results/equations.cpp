#include <rattleback/view/results/equations.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/motion/equations/control_affine.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/formulas/poisson_vectors.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>

namespace rattleback {
namespace {

std::string aligned(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [name, value] : lines) width = std::max(width, name.size());
  std::string s;
  const std::size_t column = width + 5;
  for (const auto& [name, value] : lines)
    s += fmt::format("  {:<{}} = {}\n", name, width, wrapped_formula(value, column, column + 2));
  return s;
}

std::string aligned(const std::vector<Statement>& statements) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Statement& s : statements) lines.emplace_back(s.name, text(s.value));
  return aligned(lines);
}

/// B*hat(Omega), or hat(omega)*B.
std::string rate_text(const SheetLine& line) {
  if (!line.is_rotation()) return text(line.values[0]);
  const std::string turn = fmt::format("hat({})", text(Matrix::column(line.values)));
  return line.in_space_axes ? turn + "*" + line.name : line.name + "*" + turn;
}

std::string equations_text(const Sheet& sheet) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SheetLine& line : sheet.lines) lines.emplace_back(line.name + "'", rate_text(line));
  std::string s = aligned(lines);
  if (!sheet.multipliers.empty())
    s += "multipliers\n" +
         aligned(sheet.names_multipliers ? with_lambda(sheet.multipliers) : sheet.multipliers);
  if (!sheet.reactions.empty()) s += "reactions\n" + aligned(sheet.reactions);
  if (!sheet.parts.empty()) s += "  with\n" + aligned(sheet.parts);
  return s;
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string s;
  for (const std::string& note : notes) s += fmt::format("  note: {}\n", note);
  return s;
}

/// "where cos(theta) ≠ 0": one line with the conditions that are short enough, and the number of the longer ones.
std::string where_text(const Assumptions& where) {
  std::vector<std::string> conditions;
  std::size_t long_ones = 0;
  for (const Assumption& a : where) {
    if (!fits(a.expression, legible::in_a_sentence)) {
      ++long_ones;
    } else {
      conditions.push_back(text(a.expression) + (a.kind == Assumption::Kind::positive ? " > 0" : " ≠ 0"));
    }
  }
  if (long_ones > 0)
    conditions.push_back(fmt::format("{} longer determinant{} ≠ 0", long_ones, long_ones == 1 ? "" : "s"));
  return conditions.empty() ? "" : fmt::format("  where {}\n", fmt::join(conditions, ", "));
}

/// y' = f + Σ g_k u_k, the lines that do not vanish.
std::string control_text(const ControlAffine& form) {
  if (form.inputs.empty()) return "";
  if (!form.affine)
    return "  the inputs enter in another way than linearly: there is no control-affine form\n";
  std::vector<Statement> lines;
  std::string sum = "f";
  const auto add = [&](const std::string& letter, const std::vector<Statement>& field) {
    for (const Statement& component : field)
      if (!component.value.is_zero())
        lines.push_back({fmt::format("{}({})", letter, component.name), component.value});
  };
  add("f", form.drift);
  for (std::size_t k = 0; k < form.inputs.size(); ++k) {
    sum += fmt::format(" + g_{0}*{0}", form.inputs[k]);
    add("g_" + form.inputs[k], form.fields[k]);
  }
  return fmt::format("  control-affine form: y' = {}\n{}", sum, aligned(lines));
}

}  // namespace

std::string as_text(const System& system, const EquationsOfMotion& equations, bool steps) {
  constexpr std::size_t longest = legible::without_named_parts.count;
  std::string s = fmt::format("{}: {}\n\n", heading(system), formalism(equations.form).title);
  const Sheet sheet = sheet_of(system, equations, steps, longest);
  if (steps) {
    int number = 0;
    for (const Step& step : sheet.steps) {
      s += fmt::format("{}. {}{}\n", ++number, step.title, step.remark.empty() ? "" : ": " + step.remark);
      s += aligned(step.lines) + "\n";
    }
    if (!sheet.step_parts.empty()) s += "  with\n" + aligned(sheet.step_parts) + "\n";
    s += fmt::format("{}. Equations of motion\n", ++number);
  }
  Assumptions where = equations.where;
  if (equations.form == "reduced") {
    const SymbolMap components = as_components(poisson_vectors(system, equations.speed_rates));
    for (Assumption& a : where) a.expression = substitute(a.expression, components);
  }
  return s + equations_text(sheet) + where_text(where) +
         control_text(control_affine_form(system, equations)) + notes_text(equations.notes);
}

std::string as_text(const Agreement& agreement, const std::vector<Absent>& absent) {
  std::string s;
  if (agreement.forms.size() > 1) {
    s += fmt::format("agreement of {}: {}\n", fmt::join(agreement.forms, ", "), evidence(agreement.motion));
    if (!agreement.difference.empty()) s += fmt::format("  they differ in {}\n", agreement.difference);
    if (const auto* open = std::get_if<Undecided>(&agreement.motion)) s += "  " + open->obstacle + "\n";
  }
  s += fmt::format("energy balance: {}{}\n", evidence(agreement.balance),
                   proved(agreement.balance) ? "; " + agreement.balance_of : "");
  for (const Absent& a : absent) s += fmt::format("{} does not apply: {}\n", a.form, a.why);
  return s;
}

}  // namespace rattleback
