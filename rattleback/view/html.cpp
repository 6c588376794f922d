#include <rattleback/view/html.hpp>

#include <sstream>

#include <fmt/format.h>

namespace rattleback {

std::string escaped(std::string_view text) {
  std::string s;
  s.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': s += "&amp;"; break;
      case '<': s += "&lt;"; break;
      case '>': s += "&gt;"; break;
      case '"': s += "&quot;"; break;
      default: s += c;
    }
  }
  return s;
}

std::string formula_html(std::string_view latex, std::string_view plain) {
  return fmt::format("<div class=\"formula display\" data-tex=\"{}\">{}</div>\n", escaped(latex),
                     escaped(plain));
}

namespace {

/// Longer lists of abbreviations are folded.
constexpr std::size_t most_parts = 12;

std::size_t rows_of(const std::string& formula) {
  std::size_t rows = 1;
  for (std::size_t at = formula.find("\\\\\n"); at != std::string::npos; at = formula.find("\\\\\n", at + 1))
    ++rows;
  return rows;
}

/// Fractions in neighbouring rows need some air.
std::string with_room(std::string formula) {
  const std::string end = "\\\\\n", wide = "\\\\[0.4em]\n";
  for (std::size_t at = formula.find(end); at != std::string::npos; at = formula.find(end, at + wide.size()))
    formula.replace(at, end.size(), wide);
  return formula;
}

std::string parts_html(const std::string& formula) {
  const std::size_t rows = rows_of(formula);
  if (rows <= most_parts) return "<p class=\"note\">with</p>\n" + formula_html(with_room(formula), formula);
  return fmt::format(
      "<details class=\"parts prints\"><summary>with {} lines of abbreviations</summary>\n{}</details>\n",
      rows, formula_html(with_room(formula), formula));
}

}  // namespace

std::string latex_html(const std::string& latex) {
  std::string out, formula;
  bool inside = false, parts = false;
  std::istringstream lines(latex);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("\\begin{align*}")) inside = true;
    if (inside) formula += line + "\n";
    if (line.starts_with("\\end{align*}")) {
      out += parts ? parts_html(formula) : formula_html(with_room(formula), formula);
      formula.clear();
      inside = parts = false;
    } else if (!inside && line == "with") {
      parts = true;
    } else if (!inside && !line.empty() && line[0] != '%') {
      out += fmt::format("<p class=\"note\">{}</p>\n", escaped(line));
    }
  }
  return out;
}

std::string prose_html(std::string_view text) {
  std::string s;
  bool code = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('`', begin), text.size());
    s += escaped(text.substr(begin, end - begin));
    if (end < text.size()) {
      s += code ? "</code>" : "<code>";
      code = !code;
    }
    begin = end + 1;
  }
  return code ? s + "</code>" : s;
}

std::string script_json(std::string json) {
  for (std::size_t at = json.find("</"); at != std::string::npos; at = json.find("</", at + 3))
    json.replace(at, 2, "<\\/");
  return json;
}

}  // namespace rattleback
