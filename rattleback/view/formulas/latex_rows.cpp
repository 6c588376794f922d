#include <rattleback/view/formulas/latex_rows.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/writing/latex.hpp>

namespace rattleback {
namespace {

/// What fits on a line of an article, beside the left side.
constexpr std::size_t page = 66;

/// A name as an index: letters as in the formulas, `wheel.normal` and other words upright.
std::string latex_index(const std::string& name) {
  if (name.find('.') == std::string::npos) return latex_name(name);
  std::string words = name;
  std::replace(words.begin(), words.end(), '.', ',');
  return fmt::format("\\mathrm{{{}}}", latex_text(words));
}

/// The end of the command that starts at the backslash.
std::size_t end_of_command(std::string_view s, std::size_t at) {
  std::size_t end = at + 1;
  while (end < s.size() && std::isalpha(static_cast<unsigned char>(s[end])) != 0) ++end;
  return end == at + 1 ? std::min(at + 2, s.size()) : end;  // \, \{ \_
}

/// One past the brace that closes the one at `at`.
std::size_t end_of_group(std::string_view s, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < s.size(); ++i) {
    if (s[i] == '\\') {
      ++i;
    } else if (s[i] == '{') {
      ++depth;
    } else if (s[i] == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return s.size();
}

std::size_t width_of_command(std::string_view command) {
  constexpr std::array silent{"\\left", "\\right", "\\mathrm", "\\operatorname", "\\dot",
                              "\\ddot", "\\,",     "\\sqrt",   "\\widehat",      "\\begin"};
  if (std::find(silent.begin(), silent.end(), command) != silent.end()) return 0;
  constexpr std::array words{"\\sin", "\\cos", "\\tan", "\\exp", "\\sinh", "\\cosh", "\\tanh"};
  return std::find(words.begin(), words.end(), command) != words.end() ? command.size() - 1 : 1;
}

/// Places of + and − outside of all brackets.
std::vector<std::size_t> outer_operators(const std::string& formula) {
  std::vector<std::size_t> places;
  int depth = 0;
  for (std::size_t i = 0; i + 2 < formula.size(); ++i) {
    const char c = formula[i];
    if (c == '\\' && !std::isalpha(static_cast<unsigned char>(formula[i + 1]))) {
      ++i;
      continue;
    }
    depth += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
    const bool sign = formula[i + 1] == '+' || formula[i + 1] == '-';
    if (depth == 0 && i > 0 && c == ' ' && sign && formula[i + 2] == ' ') places.push_back(i);
  }
  return places;
}

}  // namespace

std::size_t set_width(std::string_view formula) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < formula.size();) {
    const char c = formula[i];
    if (c == '\\') {
      const std::size_t end = end_of_command(formula, i);
      const std::string_view command = formula.substr(i, end - i);
      i = end;
      if (command == "\\frac" && i < formula.size()) {
        const std::size_t middle = end_of_group(formula, i), last = end_of_group(formula, middle);
        width += std::max(set_width(formula.substr(i, middle - i)),
                          set_width(formula.substr(middle, last - middle)));
        i = last;
      } else {
        width += width_of_command(command);
      }
      continue;
    }
    if (c != '{' && c != '}' && c != '^' && c != '_' && c != ' ' && c != '&') ++width;
    if (c == '+' || c == '-') ++width;  // TeX sets space around them
    ++i;
  }
  return width;
}

const TextWidth& article_width() {
  constexpr std::size_t left_side = 6;
  static const TextWidth article{page - left_side, [](Expr e) { return set_width(latex(e)); }};
  return article;
}

std::string latex_row(const std::string& left, const std::string& right) {
  const std::vector<std::size_t> places = outer_operators(right);
  std::string row = fmt::format("  {} &= ", left);
  std::size_t begin = 0, used = 0;
  const std::size_t room = page > set_width(left) ? page - set_width(left) : 1;
  for (std::size_t p = 0; p <= places.size(); ++p) {
    const std::size_t end = p < places.size() ? places[p] : right.size();
    const std::string term = right.substr(begin, end - begin);
    const std::size_t width = set_width(term);
    if (used > 0 && used + width > room) {
      row += " \\\\\n    &\\quad";
      used = 0;
    }
    row += term;
    used += width;
    begin = end;
  }
  return row + " \\\\\n";
}

std::string latex_rows(const std::vector<Statement>& statements) {
  std::string rows;
  for (const Statement& s : statements) rows += latex_row(latex_name(s.name), latex(s.value));
  return rows;
}

std::string latex_rows(const char* letter, const std::vector<Statement>& statements) {
  std::string rows;
  for (const Statement& s : statements)
    rows += latex_row(fmt::format("{}_{{{}}}", letter, latex_index(s.name)), latex(s.value));
  return rows;
}

std::string align_environment(std::string rows) {
  const std::string separator = " \\\\\n";
  if (rows.ends_with(separator)) rows.replace(rows.size() - separator.size(), separator.size(), "\n");
  return fmt::format("\\begin{{align*}}\n{}\\end{{align*}}\n", rows);
}

std::string latex_text(const std::string& words) {
  std::string s;
  for (const char c : words) {
    switch (c) {
      case '\\': s += "\\textbackslash{}"; break;
      case '~': s += "\\textasciitilde{}"; break;
      case '^': s += "\\textasciicircum{}"; break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}': s += '\\'; [[fallthrough]];
      default: s += c;
    }
  }
  return s;
}

}  // namespace rattleback
