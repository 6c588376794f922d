#include <rattleback/sweep/axis.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/arithmetic/pieces.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_values = input_limits::sweep_axis.count;

[[noreturn]] void refuse(const std::string& text, const std::string& summary, const std::string& fix) {
  Place place;
  place.file = "command line, --vary";
  place.text = text;
  throw Error("wrong-axis", summary, "", fix).at(place);
}

double read_number(const std::string& text, const std::string& part) {
  double value = NAN;
  try {
    value = evaluate(parse(part, Scope{}), Numbers{});
  } catch (const Error& error) {
    refuse(text, fmt::format("`{}` is not a number: {}", part, error.summary),
           "write numbers as in a model, e.g. 0.5, 1/3 or pi/10");
  }
  if (!std::isfinite(value))
    refuse(text, fmt::format("`{}` is not a finite number", part), "give a finite number");
  return value;
}

Range range(const std::string& text, const std::vector<std::string>& parts) {
  const bool logarithmic = parts.size() == 4 && parts[3] == "log";
  if (parts.size() == 2 || parts.size() > 4 || (parts.size() == 4 && !logarithmic))
    refuse(text, fmt::format("`{}` is not a range", text), "write first:last:count, or first:last:count:log");
  const double first = read_number(text, parts[0]), last = read_number(text, parts[1]), count = read_number(text, parts[2]);
  if (count != std::floor(count) || count < 1 || count > static_cast<double>(most_values))
    refuse(text, fmt::format("`{}` is not a number of values", parts[2]),
           fmt::format("give a whole number from 1 to {}", most_values));
  if (logarithmic && !(first * last > 0))
    refuse(text, "a logarithmic range needs two ends of the same sign, neither zero", "leave out `:log`");
  return {.first = first, .last = last, .count = static_cast<std::size_t>(count), .logarithmic = logarithmic};
}

/// name(a,b), or nothing when the text is something else.
std::optional<std::pair<double, double>> read_call(const std::string& text, const std::string& values,
                                              const std::string& name) {
  if (!values.starts_with(name + "(") || !values.ends_with(")")) return std::nullopt;
  const auto inner = values.substr(name.size() + 1, values.size() - name.size() - 2);
  const std::vector<std::string> two = pieces(inner, ',');
  if (two.size() != 2)
    refuse(text, fmt::format("`{}` takes two numbers", name), fmt::format("write {}(a,b)", name));
  return std::pair{read_number(text, two[0]), read_number(text, two[1])};
}

/// splitmix64: a bijection of the integers that mixes well [Steele, Lea, Flood 2014].
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// In (0, 1): the middle of one of 2^52 equal pieces, so that its logarithm is finite.
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

}  // namespace

double Axis::least() const {
  if (const auto* r = std::get_if<Range>(&values)) return std::min(r->first, r->last);
  if (const auto* u = std::get_if<Uniform>(&values)) return std::min(u->low, u->high);
  if (const auto* l = std::get_if<List>(&values))
    return *std::min_element(l->values.begin(), l->values.end());
  return std::numeric_limits<double>::infinity();
}

std::size_t Axis::grid_size() const {
  if (const Range* range = std::get_if<Range>(&values)) return range->count;
  if (const List* list = std::get_if<List>(&values)) return list->values.size();
  return 1;
}

double Axis::grid_value(std::size_t i) const {
  if (const List* list = std::get_if<List>(&values)) return list->values[i];
  const auto& [first, last, count, logarithmic] = std::get<Range>(values);
  if (i + 1 == count && count > 1) return last;
  const double s = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
  return logarithmic ? first * std::pow(last / first, s) : first + (last - first) * s;
}

double Axis::draw(std::uint64_t seed, std::uint64_t axis, std::uint64_t sample) const {
  const std::uint64_t stream = mixed(mixed(seed) ^ mixed(~axis));
  const double u = unit(mixed(stream ^ mixed(2 * sample)));
  if (const Uniform* between = std::get_if<Uniform>(&values))
    return between->low + (between->high - between->low) * u;
  const double v = unit(mixed(stream ^ mixed(2 * sample + 1)));
  const auto& normal = std::get<Normal>(values);  // Box and Muller
  return normal.mean + normal.deviation * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

Axis axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(text, fmt::format("`{}` does not say which values a quantity takes", text),
           "write --vary name=first:last:count");
  Axis result{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  if (const auto ends = read_call(text, values, "uniform")) {
    result.values = Uniform{ends->first, ends->second};
  } else if (const auto shape = read_call(text, values, "normal")) {
    if (shape->second < 0)
      refuse(text, fmt::format("the deviation {:g} is negative", shape->second),
             "write --vary \"name=normal(mean,deviation)\"");
    result.values = Normal{shape->first, shape->second};
  } else if (const auto parts = pieces(values, ':'); parts.size() > 1) {
    result.values = range(text, parts);
  } else {
    List list;
    for (const std::string& part : pieces(values, ',')) list.values.push_back(read_number(text, part));
    result.values = std::move(list);
  }
  return result;
}

}  // namespace rattleback
