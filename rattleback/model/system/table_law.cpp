#include <rattleback/model/system/table_law.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/units.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_lines = input_limits::table.count;

Place line_of(const std::string& path, int line) {
  Place place;
  place.file = path;
  place.line = line;
  place.column = 1;
  return place;
}

[[noreturn]] void bad_table(const std::string& path, int line, std::string what, std::string fix) {
  throw Error("bad-table", std::move(what), "a table has lines `time, value` whose times ascend",
              std::move(fix))
      .at(line_of(path, line));
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::string field;
  const bool separated = line.find_first_of(",;\t") != std::string::npos;
  const auto end_field = [&] {
    const std::size_t begin = field.find_first_not_of(" \r\""), end = field.find_last_not_of(" \r\"");
    all.push_back(begin == std::string::npos ? "" : field.substr(begin, end - begin + 1));
    field.clear();
  };
  for (const char c : line) {
    const bool ends = separated ? c == ',' || c == ';' || c == '\t' : c == ' ' && !field.empty();
    if (ends)
      end_field();
    else
      field += c;
  }
  end_field();
  return all;
}

/// A decimal number, exact; nothing for a word.
std::optional<Rational> number_in(const std::string& word) {
  if (word.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  const auto e = try_parse(word, Scope());
  return e && e->is(Kind::constant) ? std::optional(e->value()) : std::nullopt;
}

/// "tau [N*m]": a name and a unit.
struct Heading {
  std::string name, unit;
};
Heading heading_in(const std::string& word) {
  const std::size_t open = word.find('['), last = word.find_last_not_of(' ', open == 0 ? 0 : open - 1);
  if (open == std::string::npos || open == 0 || !word.ends_with(']') || last == std::string::npos)
    return {word, ""};
  return {word.substr(0, last + 1), word.substr(open + 1, word.size() - open - 2)};
}

/// Numbers times a unit; one of an angle, which is no rational number, to the last digit of a double.
std::vector<Rational> times_factor(std::vector<Rational> numbers, Expr factor) {
  for (Rational& x : numbers)
    x = factor.is(Kind::constant) ? x * factor.value()
                                  : Rational::from_double(x.to_double() * evaluate(factor, {}));
  return numbers;
}

/// Which column the head line gives to a name.
std::size_t column_named(const std::string& path, int line, const std::vector<std::string>& words,
                         const std::string& wanted) {
  std::vector<std::string> names;
  for (const std::string& word : words) names.push_back(heading_in(word).name);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == wanted) return k;
  bad_table(path, line, fmt::format("the table has no column `{}`", wanted),
            fmt::format("its columns are {}", fmt::join(names, ", ")));
}

/// c₀ + c₁ t + c₂ t² + c₃ t³, exact.
using Cubic = std::array<Rational, 4>;

Cubic operator-(const Cubic& a, const Cubic& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]};
}

/// a + b (t − s) + c (t − s)² + d (t − s)³ by powers of t.
Cubic about(const Rational& s, const Rational& a, const Rational& b, const Rational& c, const Rational& d) {
  return {a - b * s + c * s * s - d * s * s * s, b - Rational(2) * c * s + Rational(3) * d * s * s,
          c - Rational(3) * d * s, d};
}

Expr at(const Cubic& c, Symbol t) {
  return Expr(c[0]) + Expr(c[1]) * t + Expr(c[2]) * pow(Expr(t), 2) + Expr(c[3]) * pow(Expr(t), 3);
}

/// M_k = s''(t_k) of the natural spline, in doubles: exact numbers would grow with every line.
std::vector<Rational> second_derivatives(const LawTable& table) {
  const std::size_t n = table.times.size();
  std::vector<double> x, y, diagonal(n, 1), right(n, 0), upper(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    x.push_back(table.times[k].to_double());
    y.push_back(table.values[k].to_double());
  }
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double h = x[k] - x[k - 1], g = x[k + 1] - x[k];
    const double w = k == 1 ? 0 : h / diagonal[k - 1];
    diagonal[k] = 2 * (h + g) - w * upper[k - 1];
    upper[k] = g;
    right[k] = 6 * ((y[k + 1] - y[k]) / g - (y[k] - y[k - 1]) / h) - w * right[k - 1];
  }
  std::vector<double> M(n, 0);
  for (std::size_t k = n - 1; k-- > 1;) M[k] = (right[k] - upper[k] * M[k + 1]) / diagonal[k];
  std::vector<Rational> exact;
  for (const double m : M) exact.push_back(Rational::from_double(m));
  return exact;
}

/// The polynomial on each interval [t_k, t_{k+1}].
std::vector<Cubic> pieces_of(const LawTable& table, Interpolation how) {
  const std::size_t n = table.times.size();
  std::vector<Rational> M(n, Rational(0));
  if (how == Interpolation::cubic) M = second_derivatives(table);
  std::vector<Cubic> pieces;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const Rational h = table.times[k + 1] - table.times[k];
    const Rational slope =
        (table.values[k + 1] - table.values[k]) / h - h * (Rational(2) * M[k] + M[k + 1]) / Rational(6);
    pieces.push_back(about(table.times[k], table.values[k], slope, M[k] / Rational(2),
                           (M[k + 1] - M[k]) / (Rational(6) * h)));
  }
  return pieces;
}

}  // namespace

bool has_column(const std::string& path, const std::string& column) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> names = fields(line);
    return std::ranges::any_of(names,
                               [&](const std::string& word) { return heading_in(word).name == column; });
  }
  return false;
}

LawTable read_table(const std::string& path, const std::string& column) {
  std::ifstream file(path);
  if (!file || !std::filesystem::is_regular_file(path))
    throw Unavailable("unreadable-file", fmt::format("the table `{}` cannot be read", path), "",
                      "check the name; it is looked for beside the model file");
  LawTable table;
  std::size_t values_in = 1;
  bool begun = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    const std::vector<std::string> words = fields(line);
    const auto time = number_in(words[0]);
    if (!time && !begun) {
      if (!column.empty()) values_in = column_named(path, number, words, column);
      table.head_line = number;
      table.time_unit = heading_in(words[0]).unit;
      if (values_in < words.size()) table.value_unit = heading_in(words[values_in]).unit;
      begun = true;
      continue;
    }
    begun = true;
    if (words.size() <= values_in)
      bad_table(path, number, "a line without a value", "write `0.5, 1.25` on every line");
    const auto value = number_in(words[values_in]);
    if (!time || !value)
      bad_table(path, number, fmt::format("`{}` is not a number", time ? words[values_in] : words[0]),
                "write numbers with a decimal point");
    if (!table.times.empty() && !(*time > table.times.back()))
      bad_table(path, number, "the time does not ascend", "sort the lines by time, each time once");
    table.times.push_back(*time);
    table.values.push_back(*value);
    if (table.times.size() > most_lines)
      bad_table(path, number, fmt::format("a table of more than {} lines", most_lines), "thin it out");
  }
  if (table.times.size() < 2)
    bad_table(path, number, "a table with fewer than two lines", "give at least two");
  return table;
}

LawTable in_base_units(LawTable table, const std::string& path, const std::optional<std::string>& expected) {
  const auto converted = [&](std::vector<Rational> numbers, const std::string& word,
                             const std::string& wanted) {
    if (word.empty()) return numbers;
    const auto unit = unit_named(word);
    if (!unit && expected)
      bad_table(path, table.head_line, fmt::format("`{}` is not a unit", word),
                "write e.g. [N*m] or [m/s^2]");
    if (!unit) return numbers;  // a remark
    if (!expected && !unit->dimension.is_none() && unit->factor != Expr(1))
      bad_table(path, table.head_line, fmt::format("the table is in {}, the model gives no units", word),
                "give units in the model, or numbers in the table as the model means them");
    const auto other = wanted.empty() ? std::nullopt : unit_named(wanted);
    if (other && other->dimension != unit->dimension)
      bad_table(path, table.head_line, fmt::format("a column in {} where {} is needed", word, wanted),
                "correct the head line of the table");
    return times_factor(std::move(numbers), unit->factor);
  };
  table.times = converted(std::move(table.times), table.time_unit, expected ? "s" : "");
  table.values = converted(std::move(table.values), table.value_unit, expected.value_or(""));
  return table;
}

Expr interpolated(const LawTable& table, Interpolation how, Symbol t) {
  std::vector<Cubic> pieces = pieces_of(table, how);
  const auto constant = [](const Rational& c) { return Cubic{c, Rational(0), Rational(0), Rational(0)}; };
  pieces.insert(pieces.begin(), constant(table.values.front()));
  pieces.push_back(constant(table.values.back()));
  // p₀ + Σ (p_{k+1} − p_k) (1 + sign(t − t_k))/2, by powers of t: numbers collect once the signs are known.
  std::vector<Expr> terms{at(pieces.front(), t)};
  for (std::size_t k = 0; k < table.times.size(); ++k) {
    const Cubic jump = pieces[k + 1] - pieces[k];
    const Expr sign = sign_of(Expr(t) - Expr(table.times[k])), half = Expr(1) / 2;
    for (std::size_t power = 0; power < jump.size(); ++power) {
      if (jump[power].sign() == 0) continue;
      const Expr term = half * Expr(jump[power]) * pow(Expr(t), static_cast<int>(power));
      terms.push_back(term);
      terms.push_back(term * sign);
    }
  }
  return sum(terms);
}

}  // namespace rattleback
