#include <rattleback/view/results/latex_section.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>
#include <rattleback/view/formulas/named_parts.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/results/stated_forces.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>

namespace rattleback {
namespace {

/// \mathbb{R}^2 × S^1 × SO(3) with the names of the coordinates.
std::string space_latex(const Space& space) {
  std::vector<std::string> factors;
  for (const Factor& factor : space.factors()) {
    switch (factor.kind) {
      case Factor::Kind::line: factors.emplace_back("\\mathbb{R}"); break;
      case Factor::Kind::circle: factors.emplace_back("S^1"); break;
      case Factor::Kind::SO3: factors.emplace_back("\\mathrm{SO}(3)"); break;
      case Factor::Kind::SE2: factors.emplace_back("\\mathrm{SE}(2)"); break;
      case Factor::Kind::SE3: factors.emplace_back("\\mathrm{SE}(3)"); break;
      case Factor::Kind::H3: factors.emplace_back("H_3"); break;
      case Factor::Kind::algebra: factors.emplace_back("\\mathfrak{g}"); break;
    }
  }
  std::vector<std::string> powers;  // equal neighbours as one power
  for (std::size_t i = 0; i < factors.size();) {
    std::size_t end = i;
    while (end < factors.size() && factors[end] == factors[i]) ++end;
    const bool circle = factors[i] == "S^1";
    powers.push_back(end - i == 1 ? factors[i]
                                  : fmt::format("{}^{{{}}}", circle ? "(S^1)" : factors[i], end - i));
    i = end;
  }
  return fmt::format("{}", fmt::join(powers, " \\times "));
}

std::string names_latex(std::span<const Symbol> symbols) {
  std::vector<std::string> names;
  for (const Symbol s : symbols) {
    const bool first_entry = s.role() == Role::rotation && s.attributes().entry == 0;
    if (first_entry) names.push_back(latex_name(s.attributes().family));
    if (s.role() != Role::rotation) names.push_back(latex_name(s.name()));
  }
  return fmt::format("${}$", fmt::join(names, "$, $"));  // lines break between formulas, not within
}

/// Displayed formulas whose long parts have names.
std::string displayed(const System& system, const EquationsOfMotion& equations,
                      const std::vector<std::pair<std::string, Expr>>& rows) {
  constexpr std::size_t longest = legible::without_named_parts_on_paper.count;
  std::vector<Expr> formulas;
  for (const auto& [left, value] : rows) formulas.push_back(value);
  NamedParts named = with_named_parts(formulas, names_in_use(system, equations), longest);
  fit_terms(named, names_in_use(system, equations), article_width());
  std::string s;
  for (std::size_t i = 0; i < rows.size(); ++i) s += latex_row(rows[i].first, latex(named.formulas[i]));
  s = align_environment(s);
  return named.parts.empty() ? s : s + "with\n" + align_environment(latex_rows(named.parts));
}

/// kg*m^2/s^2 as kg\,m^2/s^2.
std::string latex_unit(const std::string& unit) {
  std::string s;
  for (const char c : unit)
    if (c == '*')
      s += "\\,";
    else
      s += c;
  return s;
}

std::string parameters_latex(const System& system) {
  std::vector<std::string> items;
  for (const Parameter& p : system.parameters) {
    std::string item = fmt::format("${}", latex_name(p.symbol.name()));
    if (p.value) item += fmt::format(" = {}", latex(*p.value));
    if (const std::string unit = unit_of(system, p.symbol.name()); !unit.empty() && unit != "1")
      item += fmt::format("{} \\mathrm{{{}}}", p.value ? "\\," : "\\text{ in }", latex_unit(unit));
    items.push_back(item + (p.about.empty() ? "$" : fmt::format("$ ({})", latex_text(p.about))));
  }
  return items.empty() ? "" : fmt::format("Its parameters are {}.\n", fmt::join(items, ",\n  "));
}

/// Short conditions within the text, where brackets are not broken; wider ones displayed.
std::string conditions_latex(const Assumptions& where) {
  constexpr std::size_t widest_in_text = legible::within_a_paragraph.count;
  std::vector<std::string> conditions;
  std::string displayed;
  for (const Assumption& a : where) {
    if (!fits(a.expression, legible::in_a_sentence)) continue;
    const bool positive = a.kind == Assumption::Kind::positive;
    const std::string formula = latex(a.expression);
    if (set_width(formula) <= widest_in_text) {
      conditions.push_back(fmt::format("${} {}$", formula, positive ? "> 0" : "\\neq 0"));
      continue;
    }
    std::string row = latex_row("0", formula);
    displayed += row.replace(row.find("&="), 2, positive ? "&<" : "&\\neq");
  }
  if (conditions.empty() && displayed.empty()) return "";
  return fmt::format("They hold where {}{}", fmt::join(conditions, ", "),
                     displayed.empty() ? ".\n" : "\n" + align_environment(displayed));
}

}  // namespace

std::string as_latex_section(const System& system, const EquationsOfMotion& equations) {
  std::string s =
      fmt::format("% needs \\usepackage{{amsmath,amssymb}}\n\\section*{{{}}}\n", latex_text(heading(system)));
  if (const std::string described = noted(system, "description"); !described.empty())
    s += latex_text(described) + "\n\n";
  const std::span<const Symbol> functions = system.space.functions();
  s += fmt::format("The configuration space is ${}$", space_latex(system.space));
  if (!functions.empty()) s += fmt::format(" with {}", names_latex(functions));
  s += ". " + parameters_latex(system) + "The Lagrangian is\n";
  s += displayed(system, equations, {{"L", system.lagrangian}});
  s += forces_in_latex(system, [&](const std::vector<std::pair<std::string, Expr>>& rows) {
    return displayed(system, equations, rows);
  });
  if (!system.constraints.empty()) {
    std::vector<std::pair<std::string, Expr>> rows;
    for (const Constraint& c : system.constraints) rows.emplace_back("0", c.expression);
    s += (stated_forces(system).empty() && inputs_of(system).empty() ? "and the constraints are\n"
                                                                     : "The constraints are\n") +
         displayed(system, equations, rows);
  }
  if (!system.velocities.empty()) {
    std::vector<std::pair<std::string, Expr>> rows;
    for (const QuasiVelocity& u : system.velocities)
      rows.emplace_back(latex_name(u.symbol.name()), u.expression);
    s += "The quasi-velocities\n" + displayed(system, equations, rows) + "describe the motion on them. ";
  }
  const std::string components = as_latex(system, equations, false);
  const auto vectors = vector_equations(system, equations);
  if (const std::string whole = vectors ? as_latex(system, *vectors) : "";
      vectors && whole.size() < components.size()) {
    s += "In vectors, the equations of motion read\n" + whole;
  } else {
    s += formalism(equations.form).title + " read\n" + components + conditions_latex(equations.where);
  }
  for (const std::string& note : equations.notes) s += fmt::format("Note: {}.\n", latex_text(note));
  if (!system.references.empty()) {
    std::vector<std::string> sources;
    for (const std::string& r : system.references) sources.push_back(latex_text(r));
    s += fmt::format("\nSources: {}.\n", fmt::join(sources, "; "));
  }
  return s;
}

}  // namespace rattleback
