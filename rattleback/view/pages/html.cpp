#include <rattleback/view/pages/html.hpp>

#include <algorithm>
#include <span>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/legibility.hpp>

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

constexpr std::size_t most_parts = legible::abbreviations_unfolded.count;
constexpr std::size_t most_rows = legible::rows_of_a_formula.count;

bool continues(const std::string& row) { return row.find_first_not_of(' ') == row.find('&'); }

/// Rows of an align* environment, each without its end.
std::string formula_of(std::span<const std::string> rows) {
  constexpr const char* wide = " \\\\[0.4em]\n";  // fractions in neighbouring rows need some air
  return formula_html(fmt::format("\\begin{{align*}}\n{}\n\\end{{align*}}", fmt::join(rows, wide)),
                      fmt::format("{}", fmt::join(rows, "\n")));
}

/// In pieces that a page can hold, cut between two statements where that is possible.
std::string formulas_of(std::span<const std::string> rows) {
  std::string s;
  while (!rows.empty()) {
    std::size_t count = std::min(rows.size(), most_rows);
    for (std::size_t k = count; count < rows.size() && k > 0; --k) {
      if (continues(rows[k])) continue;
      count = k;
      break;
    }
    s += formula_of(rows.first(count));
    rows = rows.subspan(count);
  }
  return s;
}

std::string parts_html(std::span<const std::string> rows) {
  if (rows.size() <= most_parts) return "<p class=\"note\">with</p>\n" + formulas_of(rows);
  return fmt::format(
      "<details class=\"parts\"><summary>with {} lines of abbreviations</summary>\n{}</details>\n",
      rows.size(), formulas_of(rows));
}

std::string without_end(std::string row) {
  if (row.ends_with("\\\\")) row.erase(row.size() - 2);
  while (row.ends_with(' ')) row.pop_back();
  return row;
}

/// A sentence with formulas between dollar signs.
std::string sentence_html(std::string_view line) {
  std::string s;
  bool formula = false;
  for (std::size_t begin = 0; begin <= line.size(); formula = !formula) {
    const std::size_t end = std::min(line.find('$', begin), line.size());
    const std::string part = escaped(line.substr(begin, end - begin));
    s += formula ? fmt::format("<span data-tex=\"{0}\">{0}</span>", part) : part;
    begin = end + 1;
  }
  return fmt::format("<p class=\"note\">{}</p>\n", s);
}

}  // namespace

std::string latex_html(const std::string& latex) {
  std::string out;
  std::vector<std::string> rows;
  bool inside = false, parts = false, verbatim = false;
  std::istringstream lines(latex);
  for (std::string line; std::getline(lines, line);) {
    if (line == "\\begin{verbatim}" || line == "\\end{verbatim}") {
      verbatim = !verbatim;
      out += verbatim ? "<pre>" : "</pre>\n";
    } else if (verbatim) {
      out += escaped(line) + "\n";
    } else if (line.starts_with("\\begin{align*}")) {
      inside = true;
    } else if (line.starts_with("\\end{align*}")) {
      out += parts ? parts_html(rows) : formulas_of(rows);
      rows.clear();
      inside = parts = false;
    } else if (inside) {
      rows.push_back(without_end(line));
    } else if (line == "with") {
      parts = true;
    } else if (!line.empty() && line[0] != '%') {
      out += sentence_html(line);
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
