#include <rattleback/sweep/refinement.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The axis with its spacing halved so many times.
Axis halved(Axis axis, std::size_t levels) {
  auto* range = std::get_if<Range>(&axis.values);
  if (range == nullptr || range->count < 2)
    throw Error("wrong-axis", fmt::format("a chart over `{}` cannot be refined", axis.name),
                "there is nothing between values that are listed, drawn at random or single",
                fmt::format("write --vary {}=first:last:count with at least two values", axis.name));
  const std::size_t most = input_limits::sweep_axis.count;
  if (levels > 40 || ((range->count - 1) << levels) + 1 > most)
    throw Error("wrong-axis", fmt::format("`{}` would have more than {} values", axis.name, most), "",
                "take fewer levels of --refine");
  range->count = ((range->count - 1) << levels) + 1;
  return axis;
}

bool is_count(Reduce kind) { return kind == Reduce::crossings; }
/// Values of classes are not averaged.
bool is_class(Reduce kind) { return is_count(kind) || kind == Reduce::attractor; }

/// Of finite values, between two quantiles.
double spread(std::vector<double> values, double from, double to) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  return quantile(to) - quantile(from);
}

double own_difference(Reduce kind, const std::vector<double>& values) {
  if (is_count(kind)) return 0.5;
  const double whole = spread(values, 0, 1), middle = spread(values, 0.05, 0.95);
  if (kind == Reduce::attractor) return whole / 50;
  return (middle > 0 ? middle : whole) / 20;
}

}  // namespace

ChartRefinement::ChartRefinement(std::vector<Axis> coarse, std::size_t levels,
                                 const std::vector<KeptQuantity>& keep,
                                 std::map<std::string, double> differences)
    : levels_(levels), keep_(keep), asked_(std::move(differences)) {
  if (coarse.size() > 2)
    throw Error("wrong-axis", fmt::format("a chart over {} axes cannot be refined", coarse.size()),
                "refinement follows curves in a plane, or points on a line", "vary one or two quantities");
  if (keep.empty())
    throw Error("usage", "there is nothing by which neighbours could differ",
                "a chart is refined where something that is kept differs",
                "add --keep name=kind(expression)");
  for (const auto& [name, value] : asked_)
    if (std::none_of(keep.begin(), keep.end(), [&](const KeptQuantity& k) { return k.name == name; }))
      throw Error("usage", fmt::format("`{}` is not kept", name), "--differ names what --keep keeps",
                  fmt::format("keep it, or name `{}`", keep.front().name));
  std::size_t points = 1;
  for (Axis& axis : coarse) {
    axes_.push_back(halved(std::move(axis), levels));
    counts_.push_back(axes_.back().grid_size());
    points *= counts_.back();
  }
  values_.assign(points * keep_.size(), unknown);
  known_.assign(points, false);
}

std::vector<std::size_t> ChartRefinement::next() {
  if (!started_) {
    started_ = true;
    return level_zero();
  }
  while (level_ < levels_) {
    ++level_;
    if (std::vector<std::size_t> members = between_neighbours(); !members.empty()) return members;
    interpolate();
  }
  return {};
}

void ChartRefinement::add(const std::vector<std::size_t>& members, std::span<const double> kept) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    known_[members[i]] = true;
    for (std::size_t k = 0; k < keep_.size(); ++k) at(members[i], k) = kept[i * keep_.size() + k];
  }
  if (level_ == 0)
    choose_differences(members);
  else
    interpolate();
}

std::vector<std::size_t> ChartRefinement::level_zero() const {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < rows(); i += spacing())
    for (std::size_t j = 0; j < columns(); j += spacing()) members.push_back(i * columns() + j);
  return members;
}

void ChartRefinement::choose_differences(const std::vector<std::size_t>& members) {
  for (std::size_t k = 0; k < keep_.size(); ++k) {
    std::vector<double> values;
    for (const std::size_t m : members) values.push_back(at(m, k));
    const auto asked = asked_.find(keep_[k].name);
    differences_.push_back(asked != asked_.end() ? asked->second : own_difference(keep_[k].kind, values));
  }
}

/// Two on a line, four in a plane.
std::vector<std::size_t> ChartRefinement::corners(std::size_t row, std::size_t column,
                                                  std::size_t apart) const {
  std::vector<std::size_t> all;
  for (std::size_t i = row; i <= row + (rows() > 1 ? apart : 0); i += apart)
    for (const std::size_t j : {column, column + apart}) all.push_back(i * columns() + j);
  return all;
}

bool ChartRefinement::differ(const std::vector<std::size_t>& corners) const {
  for (std::size_t k = 0; k < keep_.size(); ++k) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::size_t numbers = 0;
    for (const std::size_t c : corners) {
      const double v = at(c, k);
      if (std::isnan(v)) continue;
      ++numbers;
      least = std::min(least, v);
      most = std::max(most, v);
    }
    if (numbers > 0 && (numbers < corners.size() || most - least > differences_[k])) return true;
  }
  return false;
}

std::vector<std::size_t> ChartRefinement::between_neighbours() const {
  const std::size_t s = spacing(), cell = 2 * s;
  std::vector<std::size_t> members;
  const std::size_t last_row = rows() > 1 ? rows() - 1 - cell : 0;
  for (std::size_t i = 0; i <= last_row; i += cell) {
    for (std::size_t j = 0; j + cell < columns(); j += cell) {
      if (!differ(corners(i, j, cell))) continue;
      for (std::size_t a = i; a <= (rows() > 1 ? i + cell : i); a += s)
        for (std::size_t b = j; b <= j + cell; b += s)
          if (!known_[a * columns() + b]) members.push_back(a * columns() + b);
    }
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

/// Points of this level that were not computed: the mean of the points of the level before around them; of classes, one of them.
void ChartRefinement::interpolate() {
  const std::size_t s = spacing();
  for (std::size_t i = 0; i < rows(); i += s) {
    for (std::size_t j = 0; j < columns(); j += s) {
      const std::size_t member = i * columns() + j;
      const std::size_t up = rows() > 1 && i % (2 * s) != 0 ? s : 0, across = j % (2 * s) != 0 ? s : 0;
      if (known_[member] || (up == 0 && across == 0)) continue;
      const std::size_t around[] = {(i - up) * columns() + j - across, (i - up) * columns() + j + across,
                                    (i + up) * columns() + j - across, (i + up) * columns() + j + across};
      for (std::size_t k = 0; k < keep_.size(); ++k) {
        double sum = 0;
        for (const std::size_t a : around) sum += at(a, k) / 4;
        at(member, k) = is_class(keep_[k].kind) ? at(around[0], k) : sum;
      }
    }
  }
}

std::vector<double> ChartRefinement::chart(std::size_t kept) const {
  std::vector<double> all;
  for (std::size_t m = 0; m < points(); ++m) all.push_back(at(m, kept));
  return all;
}

std::vector<double> ChartRefinement::axis_values(std::size_t axis) const {
  std::vector<double> all;
  for (std::size_t m = 0; m < points(); ++m)
    all.push_back(axes_[axis].grid_value(axis + 1 == axes_.size() ? m % columns() : m / columns()));
  return all;
}

}  // namespace rattleback
