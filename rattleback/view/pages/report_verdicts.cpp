// Declared in view/pages/report.hpp. The section of the page with the verdicts: a row for every question, its reasons and certificate to unfold.
#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/report.hpp>
#include <rattleback/view/results/verdicts.hpp>

namespace rattleback {
namespace {

std::string list_of(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string s = "<ul class=\"why\">\n";
  for (const std::string& line : lines) s += fmt::format("<li>{}</li>\n", prose_html(readable_reason(line)));
  return s + "</ul>\n";
}

std::string certificate_html(const Answer& answer) {
  if (answer.certificate.is_null()) return {};
  const std::string json = as_json(answer.certificate);
  if (!fits(json, legible::certificate_in_a_report))
    return fmt::format(
        "<p class=\"note\">The certificate has {} kB; `analyze --format json` prints it.</p>\n",
        json.size() / 1000);
  return fmt::format(
      "<details class=\"certificate\"><summary>certificate</summary><div "
      "class=\"inside\"><pre>{}</pre></div></details>\n",
      escaped(json));
}

/// The style sheet's name for an outcome.
const char* badge_class(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved: return "proved";
    case Outcome::refuted: return "refuted";
    case Outcome::not_found:
    case Outcome::undecided: return "undecided";
    case Outcome::inapplicable: return "inapplicable";
  }
  return "";
}

std::string verdict_html(const std::string& name, const Answer& answer) {
  const std::string outcome = text(answer.outcome);
  std::string s = fmt::format(
      "<details class=\"verdict prints\"><summary><span class=\"name\">{}</span><span class=\"badge "
      "{}\">{}</span>",
      name, badge_class(answer.outcome), outcome);
  if (const Data* by = answer.answer.find("checked_by"); by != nullptr && by->text() != nullptr)
    s += fmt::format("<span class=\"badge proved checked\">checked by {}</span>", escaped(*by->text()));
  s += fmt::format("<span class=\"aside\">{}{}</span></summary>\n<div class=\"inside\">\n",
                   escaped(answer.statement.empty() ? question(name).about : answer.statement),
                   answer.unless.empty() ? ""
                                         : fmt::format("<span class=\"unless\">{} unless {}</span>", outcome,
                                                       prose_html(text(answer.unless))));
  const Domain domain = domain_in(answer.answer);
  if (answer.decided() && !domain.space.empty())
    s += fmt::format("<p class=\"note\">Domain: {}</p>\n", prose_html(text(domain)));
  s += list_of(answer.why) + list_of(answer.assumptions);
  if (!answer.decided()) {
    const bool missing = answer.outcome == Outcome::not_found,
               foreign = answer.outcome == Outcome::inapplicable;
    s += fmt::format("<p>{}: {}</p>\n<p>{}: {}</p>\n",
                     missing   ? "Searched"
                     : foreign ? "Why"
                               : "Obstacle",
                     prose_html(missing ? answer.searched : answer.obstacle),
                     foreign ? "Instead" : "Next step", prose_html(answer.next_step));
  } else {
    s += fmt::format("<p class=\"note\">Evidence: {}{}</p>\n", escaped(answer.evidence_text()),
                     answer.evidence.method.empty() ? "" : ", " + escaped(answer.evidence.method));
  }
  return s + certificate_html(answer) + "</div>\n</details>\n";
}

}  // namespace

std::string verdicts_section(const Report& report) {
  if (report.answers.empty()) return {};
  std::string s =
      "<section id=\"verdicts\">\n<h2>Verdicts</h2>\n<p>Each line is a claim about the motion and the "
      "verdict on it. Unfold a line for the reasons.</p>\n"
      "<div class=\"verdict-head\"><span></span><span>question</span><span>verdict</span>"
      "<span>claim</span></div>\n";
  for (const auto& [name, answer] : report.answers) s += verdict_html(name, answer);
  return s + "</section>\n";
}

}  // namespace rattleback
