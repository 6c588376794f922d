#include <rattleback/model/system/units.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/notes.hpp>

namespace rattleback {
namespace {

constexpr std::array base_names{"kg", "m", "s", "A", "K"};

struct NamedUnit {
  std::string_view name;
  std::array<int, 5> powers;
  long numerator, denominator;
};
/// Exact factors; degrees and revolutions, which need pi, stand apart.
constexpr NamedUnit named_units[] = {
    {"kg", {1, 0, 0, 0, 0}, 1, 1},       {"g", {1, 0, 0, 0, 0}, 1, 1000},
    {"mg", {1, 0, 0, 0, 0}, 1, 1000000}, {"t", {1, 0, 0, 0, 0}, 1000, 1},
    {"m", {0, 1, 0, 0, 0}, 1, 1},        {"mm", {0, 1, 0, 0, 0}, 1, 1000},
    {"cm", {0, 1, 0, 0, 0}, 1, 100},     {"dm", {0, 1, 0, 0, 0}, 1, 10},
    {"km", {0, 1, 0, 0, 0}, 1000, 1},    {"um", {0, 1, 0, 0, 0}, 1, 1000000},
    {"s", {0, 0, 1, 0, 0}, 1, 1},        {"ms", {0, 0, 1, 0, 0}, 1, 1000},
    {"min", {0, 0, 1, 0, 0}, 60, 1},     {"h", {0, 0, 1, 0, 0}, 3600, 1},
    {"A", {0, 0, 0, 1, 0}, 1, 1},        {"K", {0, 0, 0, 0, 1}, 1, 1},
    {"N", {1, 1, -2, 0, 0}, 1, 1},       {"kN", {1, 1, -2, 0, 0}, 1000, 1},
    {"mN", {1, 1, -2, 0, 0}, 1, 1000},   {"J", {1, 2, -2, 0, 0}, 1, 1},
    {"kJ", {1, 2, -2, 0, 0}, 1000, 1},   {"mJ", {1, 2, -2, 0, 0}, 1, 1000},
    {"W", {1, 2, -3, 0, 0}, 1, 1},       {"kW", {1, 2, -3, 0, 0}, 1000, 1},
    {"Pa", {1, -1, -2, 0, 0}, 1, 1},     {"Hz", {0, 0, -1, 0, 0}, 1, 1},
    {"C", {0, 0, 1, 1, 0}, 1, 1},        {"V", {1, 2, -3, -1, 0}, 1, 1},
    {"T", {1, 0, -2, -1, 0}, 1, 1},      {"rad", {0, 0, 0, 0, 0}, 1, 1},
    {"in", {0, 1, 0, 0, 0}, 254, 10000}, {"ft", {0, 1, 0, 0, 0}, 3048, 10000}};

PhysicalDimension dimension_from(const std::array<int, 5>& powers) {
  PhysicalDimension d;
  for (std::size_t i = 0; i < powers.size(); ++i) d.powers[i] = Rational(powers[i]);
  return d;
}

std::optional<Unit> simple_unit(std::string_view name) {
  if (name == "deg") return Unit{pi() / 180, {}};
  if (name == "rev") return Unit{2 * pi(), {}};
  if (name == "rpm") return Unit{pi() / 30, dimension_from({0, 0, -1, 0, 0})};
  for (const NamedUnit& u : named_units)
    if (u.name == name) return Unit{Expr(Rational(u.numerator, u.denominator)), dimension_from(u.powers)};
  return std::nullopt;
}

bool is_letter_of_unit(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// kg*m^2/s^2, read from left to right; a/(b*c) with brackets, at most one pair.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  std::optional<Unit> whole() {
    auto unit = product();
    skip();
    return unit && at_ == text_.size() ? unit : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view what) {
    skip();
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  std::optional<Unit> product() {
    auto left = factor();
    while (left) {
      const bool times = accept("*") || accept("·"), over = !times && accept("/");
      if (!times && !over) return left;
      const auto right = factor();
      if (!right) return std::nullopt;
      left = Unit{times ? left->factor * right->factor : left->factor / right->factor,
                  times ? left->dimension * right->dimension : left->dimension / right->dimension};
    }
    return left;
  }

  std::optional<Unit> factor() {
    std::optional<Unit> unit;
    if (accept("(")) {
      unit = product();
      if (!accept(")")) return std::nullopt;
    } else if (accept("1")) {
      unit = Unit{Expr(1), {}};
    } else {
      skip();
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_letter_of_unit(text_[at_])) ++at_;
      unit = simple_unit(text_.substr(begin, at_ - begin));
    }
    if (!unit || !accept("^")) return unit;
    const bool negative = accept("-");
    skip();
    if (at_ >= text_.size() || text_[at_] < '1' || text_[at_] > '9') return std::nullopt;
    const int n = (negative ? -1 : 1) * (text_[at_++] - '0');
    return Unit{pow(unit->factor, n), power(unit->dimension, Rational(n))};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A text with a unit, or a key `unit` of an entry.
bool gives_units_in(const Toml& item, int depth) {
  if (depth > 1 && item.key == "unit" && item.is(Toml::Kind::string)) return true;
  if (item.is(Toml::Kind::string)) {
    const auto quantity = quantity_in(item.text);
    return quantity && !quantity->dimension.is_none();
  }
  return std::ranges::any_of(item.items, [&](const Toml& part) { return gives_units_in(part, depth + 1); });
}

}  // namespace

bool PhysicalDimension::is_none() const {
  return std::ranges::all_of(powers, [](const Rational& p) { return p.is_zero(); });
}

PhysicalDimension operator*(const PhysicalDimension& a, const PhysicalDimension& b) {
  PhysicalDimension d;
  for (std::size_t i = 0; i < d.powers.size(); ++i) d.powers[i] = a.powers[i] + b.powers[i];
  return d;
}

PhysicalDimension operator/(const PhysicalDimension& a, const PhysicalDimension& b) {
  return a * power(b, Rational(-1));
}

PhysicalDimension power(const PhysicalDimension& a, const Rational& exponent) {
  PhysicalDimension d;
  for (std::size_t i = 0; i < d.powers.size(); ++i) d.powers[i] = a.powers[i] * exponent;
  return d;
}

std::string text(const PhysicalDimension& dimension) {
  for (const std::string_view name : {"N", "J", "W", "Pa"})
    if (unit_named(name)->dimension == dimension) return std::string(name);
  std::vector<std::string> above, below;
  for (std::size_t i = 0; i < base_names.size(); ++i) {
    const Rational& p = dimension.powers[i];
    if (p.is_zero()) continue;
    const Rational size = p.sign() < 0 ? -p : p;
    (p.sign() > 0 ? above : below)
        .push_back(size.is_one()       ? std::string(base_names[i])
                   : size.is_integer() ? fmt::format("{}^{}", base_names[i], size.text())
                                       : fmt::format("{}^({})", base_names[i], size.text()));
  }
  std::string s = above.empty() ? "1" : fmt::format("{}", fmt::join(above, "*"));
  if (below.size() == 1) s += "/" + below[0];
  if (below.size() > 1) s += fmt::format("/({})", fmt::join(below, "*"));
  return s;
}

std::optional<Unit> unit_named(std::string_view text) { return UnitReader(text).whole(); }

std::optional<Unit> quantity_in(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  // A number: digits, point, exponent, one fraction bar; the exponent's e is followed by a digit or a sign.
  std::size_t at = begin;
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  if (text[at] == '-' || text[at] == '+') ++at;
  if (!digit(at) && !(text.substr(at).starts_with('.') && digit(at + 1))) return std::nullopt;
  while (digit(at) || (at < text.size() && text[at] == '.')) ++at;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E') &&
      (digit(at + 1) ||
       (at + 2 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') && digit(at + 2)))) {
    at += 2;
    while (digit(at)) ++at;
  }
  if (at < text.size() && text[at] == '/' && digit(at + 1)) {
    ++at;
    while (digit(at)) ++at;
  }
  const std::string number(text.substr(begin, at - begin));
  const std::size_t rest = text.find_first_not_of(' ', at);
  if (rest == std::string_view::npos || !is_letter_of_unit(text[rest])) return std::nullopt;
  auto unit = unit_named(text.substr(rest));
  if (!unit) return std::nullopt;
  const auto value = try_parse(number, Scope());
  if (!value) return std::nullopt;
  unit->factor = *value * unit->factor;
  return unit;
}

bool gives_units(const Toml& root) {
  for (const char* section : {"parameters", "space", "simulation", "inputs"})
    if (const Toml* found = root.find(section); found != nullptr && gives_units_in(*found, 0)) return true;
  return false;
}

std::string unit_of(const System& system, const std::string& name) { return noted(system, "unit " + name); }

}  // namespace rattleback
