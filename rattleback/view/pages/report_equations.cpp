// Declared in view/pages/report.hpp. The section of the page with the equations of motion, a fold for every form.
#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/report.hpp>
#include <rattleback/view/pages/web.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>

namespace rattleback {
namespace {

std::string badge(const Verdict& verdict) {
  const char* style = proved(verdict) ? "proved" : refuted(verdict) ? "refuted" : "undecided";
  return fmt::format("<span class=\"badge {}\">{}</span>", style, evidence(verdict));
}

std::string agreement_html(const Agreement& agreement) {
  std::string s;
  if (agreement.forms.size() > 1) {
    s += fmt::format("<p class=\"statement\">{} <span>{} forms describe one motion.</span></p>\n",
                     badge(agreement.motion), agreement.forms.size());
  }
  return s + fmt::format("<p class=\"statement\">{} <span>Energy balance{}.</span></p>\n",
                         badge(agreement.balance),
                         proved(agreement.balance) ? ": " + escaped(agreement.balance_of) : "");
}

/// The formulas, or nothing when it takes too much work to make them short.
std::optional<std::string> latex_within_budget(const System& system, const EquationsOfMotion& equations,
                                               std::optional<double> seconds) {
  try {
    Limits limits = work_limits::report_equations;
    if (seconds) limits.time = std::chrono::duration<double>(*seconds);
    const Budget budget(limits);
    std::string latex = as_latex(system, equations, false);
    if (Budget::out_of_work()) return std::nullopt;
    return latex;
  } catch (const Exhausted&) {
    return std::nullopt;
  }
}

std::string equations_html(const System& system, const EquationsOfMotion& equations,
                           std::optional<double> seconds) try {
  const std::optional<std::string> written = latex_within_budget(system, equations, seconds);
  if (!written) {
    return fmt::format(
        "<p>These formulas take long to write; <code>rattleback derive {} --form {}</code> prints "
        "them.</p>\n",
        escaped(system.name), equations.form);
  }
  const std::string& latex = *written;
  if (!fits(latex, legible::form_in_a_report)) {
    return fmt::format(
        "<p>{} kB of formulas, too long to read here; <code>rattleback derive {} --form {}</code> prints "
        "them.</p>\n",
        latex.size() / 1000, escaped(system.name), equations.form);
  }
  if (has_typesetting()) return latex_html(latex);
  return fmt::format("<pre>{}</pre>\n", escaped(as_text(system, equations, false)));
} catch (const std::exception& broken) {
  return fmt::format("<p>Writing these formulas failed: bug[{}].</p>\n", escaped(broken.what()));
}

std::string form_html(const Report& report, const EquationsOfMotion& equations, bool open) {
  std::string s = fmt::format(
      "<details class=\"form prints\"{}><summary><strong>{}</strong>{}</summary>\n<div class=\"inside\">\n",
      open ? " open" : "", escaped(formalism(equations.form).title),
      formalism(equations.form).agrees
          ? ""
          : "<span class=\"aside\">another motion: the variational problem</span>");
  s += equations_html(report.derived_system(), equations,
                      report.seconds ? std::optional(*report.seconds / 2) : std::nullopt);
  for (const std::string& note : equations.notes)
    s += fmt::format("<p class=\"note\">{}</p>\n", prose_html(note));
  return s + "</div>\n</details>\n";
}

/// The rigid body in vectors, before all other forms.
std::optional<std::string> vectors_html(const Report& report) try {
  const auto agrees = [](const EquationsOfMotion& e) { return formalism(e.form).agrees; };
  const auto form = std::ranges::find_if(report.equations.forms, agrees);
  if (form == report.equations.forms.end()) return std::nullopt;
  const auto vectors = vector_equations(report.derived_system(), *form);
  if (!vectors) return std::nullopt;
  const std::string lines =
      has_typesetting() ? latex_html(as_latex(report.derived_system(), *vectors))
                        : fmt::format("<pre>{}</pre>\n", escaped(as_text(report.derived_system(), *vectors)));
  return fmt::format(
      "<details class=\"form prints\" open><summary><strong>In vectors</strong><span class=\"aside\">{} "
      "equal to the "
      "components</span></summary>\n<div class=\"inside\">\n{}</div>\n</details>\n",
      evidence(vectors->proof), lines);
} catch (const Exhausted&) {
  return std::nullopt;
}

}  // namespace

std::string equations_section(const Report& report) {
  Limits limits;
  if (report.seconds) limits.time = std::chrono::duration<double>(*report.seconds);
  const Budget all_forms(limits);
  std::string s = "<section id=\"equations\">\n<h2>Equations of motion</h2>\n";
  if (report.equations.agreement)
    s += agreement_html(*report.equations.agreement);
  else if (report.equations.forms.size() > 1)
    s += "<p class=\"statement\"><span class=\"badge undecided\">undecided</span> <span>There was no time to "
         "compare "
         "the forms.</span></p>\n";
  const std::optional<std::string> vectors = vectors_html(report);
  s += vectors.value_or("");
  bool first = !vectors;
  for (const EquationsOfMotion& equations : report.equations.forms) {
    s += form_html(report, equations, first);
    first = false;
  }
  if (!report.equations.absent.empty()) {
    s += "<h3>Forms that do not apply</h3>\n<ul>\n";
    for (const Absent& a : report.equations.absent)
      s += fmt::format("<li>{}: {}</li>\n", escaped(formalism(a.form).title), prose_html(a.why));
    s += "</ul>\n";
  }
  return s + "</section>\n";
}

}  // namespace rattleback
