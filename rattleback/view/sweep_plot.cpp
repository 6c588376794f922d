#include <rattleback/view/sweep_plot.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/view/plot.hpp>

namespace rattleback {
namespace {

constexpr double width = 560, height = 420, left = 66, right = 96, top = 40, bottom = 46;

std::vector<double> distinct(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Half way to the neighbours, and as far beyond the ends.
std::vector<double> edges(const std::vector<double>& at) {
  if (at.size() < 2) return {at.front() - 0.5, at.front() + 0.5};
  std::vector<double> e{at[0] - (at[1] - at[0]) / 2};
  for (std::size_t i = 1; i < at.size(); ++i) e.push_back((at[i - 1] + at[i]) / 2);
  e.push_back(at.back() + (at.back() - at[at.size() - 2]) / 2);
  return e;
}

/// Values that lie together: cut where the next one is farther than a fiftieth of the whole range.
struct Classes {
  explicit Classes(const std::vector<double>& values) {
    const std::vector<double> sorted = distinct(values);
    if (sorted.empty()) return;
    const double gap = std::max((sorted.back() - sorted.front()) / 50, 1e-9 * std::abs(sorted.back()));
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i == 0 || sorted[i] - sorted[i - 1] > gap) from.push_back(sorted[i]);
      if (to.size() < from.size()) to.push_back(sorted[i]);
      to.back() = sorted[i];
    }
  }
  std::size_t of(double value) const {
    return static_cast<std::size_t>(std::upper_bound(from.begin(), from.end(), value) - from.begin()) - 1;
  }
  std::vector<double> from, to;
};

/// Colours that people with any kind of sight tell apart [Okabe and Ito 2008].
constexpr std::size_t most_classes = 8;
Colour colour_of_class(std::size_t k) {
  constexpr Colour told[] = {{0x00, 0x72, 0xb2}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73}, {0xd5, 0x5e, 0x00},
                             {0xcc, 0x79, 0xa7}, {0x56, 0xb4, 0xe9}, {0xf0, 0xe4, 0x42}, {0x55, 0x55, 0x55}};
  static_assert(std::size(told) == most_classes);
  return told[k];
}

/// A quantity as colour over two axes, with its upper left corner at (x0, y0).
class Map {
 public:
  Map(const SweptQuantity& x, const SweptQuantity& y, const SweptQuantity& z, double x0, double y0)
      : x_(x),
        y_(y),
        z_(z),
        x0_(x0),
        y0_(y0),
        across_(distinct(x.values)),
        up_(distinct(y.values)),
        classes_(z.labels ? z.values : std::vector<double>{}) {
    for (const double v : z.values) {
      if (!std::isfinite(v)) continue;
      low_ = std::min(low_, v);
      high_ = std::max(high_, v);
    }
  }

  void draw(Picture& picture) const {
    picture.words({x0_ + left, y0_ + top - 10}, z_.name, {.bold = true});
    if (across_.empty() || up_.empty() || !(low_ <= high_)) return;
    const bool grid = across_.size() * up_.size() <= 2 * z_.values.size();
    const std::vector<double> columns = edges(across_), rows = edges(up_);
    const double west = columns.front(), east = columns.back(), south = rows.front(), north = rows.back();
    const auto px = [&](double x) {
      return x0_ + left + (x - west) / (east - west) * (width - left - right);
    };
    const auto py = [&](double y) {
      return y0_ + height - bottom - (y - south) / (north - south) * (height - top - bottom);
    };
    for (std::size_t i = 0; i < z_.values.size(); ++i) {
      if (!std::isfinite(z_.values[i])) continue;
      const Colour colour = is_labelled()
                                ? colour_of_class(classes_.of(z_.values[i]))
                                : shade(high_ > low_ ? (z_.values[i] - low_) / (high_ - low_) : 0.5);
      if (!grid) {
        picture.dot({px(x_.values[i]), py(y_.values[i])}, 2, colour);
        continue;
      }
      const auto cell = [](const std::vector<double>& at, double v) {
        return static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), v) - at.begin());
      };
      const std::size_t a = cell(across_, x_.values[i]), b = cell(up_, y_.values[i]);
      picture.box({px(columns[a]), py(rows[b + 1])}, px(columns[a + 1]) - px(columns[a]),
                  py(rows[b]) - py(rows[b + 1]), colour);
    }
    frame(picture, {px(west), py(north)}, {px(east), py(south)});
    for (const double t : ticks(west, east, 6))
      picture.words({px(t), py(south) + 16}, fmt::format("{:g}", t), {Picture::Anchor::middle});
    for (const double t : ticks(south, north, 6))
      picture.words({px(west) - 6, py(t) + 4}, fmt::format("{:g}", t), {Picture::Anchor::end});
    picture.words({(px(west) + px(east)) / 2, y0_ + height - 10}, x_.name, {Picture::Anchor::middle});
    picture.words({x0_ + 14, (py(south) + py(north)) / 2}, y_.name,
                  {.anchor = Picture::Anchor::middle, .upwards = true});
    if (is_labelled())
      legend(picture, px(east) + 14, py(north));
    else
      scale(picture, px(east) + 14, py(north), py(south));
  }

 private:
  bool is_labelled() const { return z_.labels && classes_.from.size() <= most_classes; }
  static void frame(Picture& picture, Point a, Point b) {
    picture.stroke({a, {b.x, a.y}, b, {a.x, b.y}, a}, {0x55, 0x55, 0x55}, 1);
  }
  /// A box for each class, with the value in its middle.
  void legend(Picture& picture, double x, double y) const {
    for (std::size_t k = 0; k < classes_.from.size(); ++k) {
      const double line = y + 18 * static_cast<double>(k);
      picture.box({x, line}, 12, 12, colour_of_class(k));
      picture.words({x + 16, line + 10}, fmt::format("{:.3g}", (classes_.from[k] + classes_.to[k]) / 2), {});
    }
  }
  /// What the colours mean.
  void scale(Picture& picture, double x, double high, double low) const {
    constexpr int steps = 64;
    for (int k = 0; k < steps; ++k) {
      const double y = low + (high - low) * (k + 1) / steps;
      picture.box({x, y}, 12, (low - high) / steps, shade((k + 0.5) / steps));
    }
    frame(picture, {x, high}, {x + 12, low});
    if (!(high_ > low_)) {
      picture.words({x + 16, (high + low) / 2}, fmt::format("{:g}", low_), {});
      return;
    }
    for (const double t : ticks(low_, high_, 6))
      picture.words({x + 16, low + (high - low) * (t - low_) / (high_ - low_) + 4}, fmt::format("{:g}", t),
                    {});
  }

  const SweptQuantity &x_, &y_, &z_;
  double x0_, y0_;
  std::vector<double> across_, up_;
  Classes classes_;
  double low_ = INFINITY, high_ = -INFINITY;
};

Picture curves(const std::string& title, const SweptQuantity& axis,
               const std::vector<SweptQuantity>& quantities) {
  std::vector<std::size_t> order(axis.values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return axis.values[a] < axis.values[b]; });
  std::vector<Panel> panels;
  for (const SweptQuantity& q : quantities) {
    PlotCurve curve{"", {}, {}, distinct(axis.values).size() < axis.values.size()};
    for (const std::size_t i : order) {
      curve.x.push_back(axis.values[i]);
      curve.y.push_back(q.values[i]);
    }
    panels.push_back({q.name, axis.name, "", {curve}});
  }
  return drawn(title, panels);
}

}  // namespace

Picture sweep_picture(const std::string& title, const std::vector<SweptQuantity>& axes,
                      const std::vector<SweptQuantity>& quantities) {
  if (axes.size() < 2) return curves(title, axes.front(), quantities);
  const std::size_t columns = quantities.size() > 1 ? 2 : 1,
                    rows = (quantities.size() + columns - 1) / columns;
  Picture picture(width * static_cast<double>(columns), height * static_cast<double>(rows) + 34);
  picture.words({left, 24}, title, {.size = 16});
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const std::size_t row = k / columns, column = k % columns;
    Map(axes[0], axes[1], quantities[k], width * static_cast<double>(column),
        34 + height * static_cast<double>(row))
        .draw(picture);
  }
  return picture;
}

}  // namespace rattleback
