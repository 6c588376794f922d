// Declared in view/pages/report.hpp. The section of the page that says what was understood of the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>
#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/report.hpp>
#include <rattleback/view/pages/space_drawing.hpp>
#include <rattleback/view/results/stated_forces.hpp>
#include <rattleback/view/results/triage.hpp>

namespace rattleback {
namespace {

std::string fact(const char* name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string growth_text(const Triage& found) {
  return fmt::format("({})", fmt::join(found.growth_vector, ", "));
}

std::string facts(const Report& report) {
  const Triage& found = report.found;
  std::string s = "<dl class=\"facts\">\n";
  s += fact("dimension of the space", std::to_string(found.dimension));
  s += fact("independent constraints", std::to_string(found.rank));
  s += fact("degrees of freedom", std::to_string(found.degrees_of_freedom()));
  if (!found.growth_vector.empty() && found.rank > 0) s += fact("growth vector", growth_text(found));
  return s + "</dl>\n";
}

std::string inline_formula(const std::string& latex, const std::string& plain) {
  return fmt::format("<span data-tex=\"{}\">{}</span>", escaped(latex), escaped(plain));
}

std::string lagrangian(const System& system) {
  if (!fits(system.lagrangian, legible::in_a_report)) {
    return "<p class=\"note\">The Lagrangian is that of the bodies and potentials of the model file; written "
           "out it is too "
           "long to read.</p>\n";
  }
  return formula_html(align_environment(latex_row("L", latex(system.lagrangian))),
                      "L = " + text(system.lagrangian));
}

/// Potential energy, forces and inputs.
std::string forces(const System& system) {
  std::string s, rows, plain;
  for (const auto& [left, value] : stated_forces(system)) {
    if (!fits(value, legible::in_a_report)) {
      s += fmt::format(
          "<p class=\"note\">{} is that of the model file; written out it is too long to read.</p>\n",
          inline_formula(left, left));
      continue;
    }
    rows += latex_row(left, latex(value));
    plain += fmt::format("{} = {}\n", left, text(value));
  }
  if (!rows.empty()) s = formula_html(align_environment(rows), plain) + s;
  if (const auto inputs = inputs_of(system); !inputs.empty()) {
    s += "<p>Control inputs:</p>\n<ul>\n";
    for (const AbstractFunction& u : inputs) s += fmt::format("<li>{}</li>\n", escaped(described(system, u)));
    s += "</ul>\n";
  }
  return s.empty() ? s : "<h3>Potential and forces</h3>\n" + s;
}

std::string equation_of(const Constraint& c) {
  const Expr e = c.position ? *c.position : c.expression;
  if (!fits(e, legible::in_a_report)) return "<span class=\"note\">too long to read</span>";
  return inline_formula(latex(e) + " = 0", text(e) + " = 0");
}

std::string kind_in_words(const ConstraintKind& kind) {
  std::string s = fmt::format("{}, {}", word(kind.writing), word(kind.effect));
  if (kind.integral && fits(*kind.integral, legible::in_a_report))
    s += "; " + inline_formula(latex(*kind.integral), text(*kind.integral)) + " is constant";
  return s;
}

std::string constraints(const Report& report) {
  if (report.system.constraints.empty()) return "<p>No constraints: the system moves freely.</p>\n";
  std::string s =
      "<h3>Constraints</h3>\n<div class=\"scroll\"><table class=\"wide\">\n"
      "<tr><th>name</th><th>equation</th><th>kind</th></tr>\n";
  for (const Constraint& c : report.system.constraints) {
    std::string kind;
    for (const ConstraintKind& k : report.found.constraints) {
      if (k.name == c.name) kind = kind_in_words(k);
    }
    s += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n", escaped(c.name),
                     equation_of(c), kind);
  }
  return s + "</table></div>\n";
}

std::string velocities(const System& system) {
  if (system.velocities.empty()) return {};
  std::string rows;
  for (const QuasiVelocity& u : system.velocities) {
    if (!fits(u.expression, legible::in_a_report)) return {};
    rows += latex_row(latex_name(u.symbol.name()), latex(u.expression));
  }
  return "<h3>Quasi-velocities</h3>\n" + formula_html(align_environment(rows), rows);
}

/// 9.8 and not 49/5, where a short decimal number is exact.
std::string value_html(Expr value) {
  if (value.is(Kind::constant)) {
    const std::string decimal = fmt::format("{:.6g}", evaluate(value, {}));
    if (decimal.find('e') == std::string::npos && parse(decimal) == value) return escaped(decimal);
  }
  return inline_formula(latex(value), text(value));
}

std::string parameters(const System& system) {
  if (system.parameters.empty()) return {};
  std::string s = "<h3>Parameters</h3>\n<div class=\"scroll\"><table>\n";
  for (const Parameter& p : system.parameters) {
    const std::string unit = unit_of(system, p.symbol.name());
    s += fmt::format("<tr><td>{}</td><td>{}{}</td><td>{}</td></tr>\n",
                     inline_formula(latex_name(p.symbol.name()), p.symbol.name()),
                     p.value ? value_html(*p.value) : "symbolic",
                     unit.empty() || unit == "1" ? "" : " " + escaped(unit),
                     escaped(p.about) + (p.positive ? (p.about.empty() ? "positive" : ", positive") : ""));
  }
  return s + "</table></div>\n";
}

std::string warnings(const Report& report) {
  std::string s;
  for (const Error& w : report.found.warnings)
    s += fmt::format("<p class=\"note\"><span class=\"badge undecided\">warning</span> {}</p>\n",
                     prose_html(w.summary));
  return s;
}

}  // namespace

std::string model_section(const Report& report) {
  return "<section id=\"model\">\n<h2>The model</h2>\n" + space_drawing(report.system, report.found) +
         facts(report) + "<h3>Lagrangian</h3>\n" + lagrangian(report.system) + forces(report.system) +
         constraints(report) + velocities(report.system) + parameters(report.system) + warnings(report) +
         "</section>\n";
}

}  // namespace rattleback
