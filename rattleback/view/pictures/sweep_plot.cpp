#include <rattleback/view/pictures/sweep_plot.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <rattleback/view/pictures/glyphs.hpp>
#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {
namespace {

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
constexpr Colour colours_of_classes[] = {{0x00, 0x72, 0xb2}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73},
                                         {0xd5, 0x5e, 0x00}, {0xcc, 0x79, 0xa7}, {0x56, 0xb4, 0xe9},
                                         {0xf0, 0xe4, 0x42}, {0x55, 0x55, 0x55}};

/// Are the cells of a grid alike in size, so that an image shows them?
bool evenly_spaced(const std::vector<double>& at) {
  for (std::size_t i = 2; i < at.size(); ++i)
    if (std::abs((at[i] - at[i - 1]) - (at[1] - at[0])) > 1e-6 * std::abs(at[1] - at[0])) return false;
  return true;
}

/// A quantity as colour over two axes, in its place in the figure.
class Map {
 public:
  Map(const SweptQuantity& x, const SweptQuantity& y, const SweptQuantity& z, Point corner,
      const FigureLayout& layout)
      : x_(x),
        y_(y),
        z_(z),
        look_(layout),
        x0_(corner.x),
        y0_(corner.y),
        across_(distinct(x.values)),
        up_(distinct(y.values)),
        classes_(z.labels ? z.values : std::vector<double>{}) {
    for (const double v : z.values) {
      if (!std::isfinite(v)) continue;
      low_ = std::min(low_, v);
      high_ = std::max(high_, v);
    }
    const double f = look_.font;
    left_ = x0_ + 5.5 * f;
    right_ = x0_ + look_.panel_width - 8 * f;
    top_ = y0_ + 3 * f;
    bottom_ = y0_ + look_.panel_height - 3.8 * f;
  }

  void draw(Picture& picture) const {
    const double f = look_.font;
    const auto plain = [&](Picture::Anchor anchor, bool upwards = false) {
      return Picture::Words{.anchor = anchor, .size = f, .upwards = upwards, .colour = look_.ink};
    };
    picture.words({left_, top_ - 0.8 * f}, label_of(z_.name), {.size = f, .bold = true, .colour = look_.ink});
    if (across_.empty() || up_.empty() || !(low_ <= high_)) return;
    const std::vector<double> columns = edges(across_), rows = edges(up_);
    const double west = columns.front(), east = columns.back(), south = rows.front(), north = rows.back();
    const auto px = [&](double x) { return left_ + (x - west) / (east - west) * (right_ - left_); };
    const auto py = [&](double y) { return bottom_ - (y - south) / (north - south) * (bottom_ - top_); };
    const bool grid = across_.size() * up_.size() <= 2 * z_.values.size();
    if (!grid) {
      for (std::size_t i = 0; i < z_.values.size(); ++i)
        if (std::isfinite(z_.values[i]))
          picture.dot({px(x_.values[i]), py(y_.values[i])}, 2, colour_of(z_.values[i]));
    } else if (evenly_spaced(across_) && evenly_spaced(up_)) {
      picture.image({left_, top_}, right_ - left_, bottom_ - top_, static_cast<int>(across_.size()), cells());
    } else {
      for (std::size_t i = 0; i < z_.values.size(); ++i) {
        if (!std::isfinite(z_.values[i])) continue;
        const std::size_t a = place(across_, x_.values[i]), b = place(up_, y_.values[i]);
        picture.box({px(columns[a]), py(rows[b + 1])}, px(columns[a + 1]) - px(columns[a]),
                    py(rows[b]) - py(rows[b + 1]), colour_of(z_.values[i]));
      }
    }
    frame(picture, {left_, top_}, {right_, bottom_});
    for (const double t : ticks(west, east, 6))
      picture.words({px(t), bottom_ + 1.3 * f}, tick_label(t), plain(Picture::Anchor::middle));
    for (const double t : ticks(south, north, 6))
      picture.words({left_ - 0.5 * f, py(t) + 0.36 * f}, tick_label(t), plain(Picture::Anchor::end));
    picture.words({(left_ + right_) / 2, bottom_ + 2.8 * f}, label_of(x_.name),
                  plain(Picture::Anchor::middle));
    picture.words({x0_ + 1.2 * f, (top_ + bottom_) / 2}, label_of(y_.name),
                  plain(Picture::Anchor::middle, true));
    if (is_labelled())
      legend(picture, right_ + 1.2 * f, top_);
    else
      scale(picture, right_ + 1.2 * f, top_, bottom_);
  }

 private:
  bool is_labelled() const { return z_.labels && classes_.from.size() <= std::size(colours_of_classes); }
  static std::size_t place(const std::vector<double>& at, double v) {
    return static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), v) - at.begin());
  }
  Colour colour_of(double value) const {
    return is_labelled() ? colours_of_classes[classes_.of(value)]
                         : shade(high_ > low_ ? (value - low_) / (high_ - low_) : 0.5);
  }
  /// The colours of the grid, from the upper left.
  std::vector<std::uint8_t> cells() const {
    std::vector<std::uint8_t> rgb;
    for (std::size_t k = 0; k < across_.size() * up_.size(); ++k)
      rgb.insert(rgb.end(), {look_.paper.r, look_.paper.g, look_.paper.b});
    for (std::size_t i = 0; i < z_.values.size(); ++i) {
      if (!std::isfinite(z_.values[i])) continue;
      const std::size_t row = up_.size() - 1 - place(up_, y_.values[i]);
      const Colour c = colour_of(z_.values[i]);
      std::uint8_t* at = &rgb[3 * (row * across_.size() + place(across_, x_.values[i]))];
      at[0] = c.r;
      at[1] = c.g;
      at[2] = c.b;
    }
    return rgb;
  }
  void frame(Picture& picture, Point a, Point b) const {
    picture.stroke({a, {b.x, a.y}, b, {a.x, b.y}, a}, look_.grey, look_.line * 2 / 3);
  }
  /// A box for each class, with the value in its middle.
  void legend(Picture& picture, double x, double y) const {
    const double f = look_.font;
    for (std::size_t k = 0; k < classes_.from.size(); ++k) {
      const double line = y + 1.5 * f * static_cast<double>(k);
      picture.box({x, line}, f, f, colours_of_classes[k]);
      picture.words({x + 1.4 * f, line + 0.85 * f},
                    tick_label(std::stod(fmt::format("{:.3g}", (classes_.from[k] + classes_.to[k]) / 2))),
                    {.size = f, .colour = look_.ink});
    }
  }
  /// What the colours mean.
  void scale(Picture& picture, double x, double high, double low) const {
    const double f = look_.font;
    std::vector<std::uint8_t> rgb;
    constexpr int steps = 128;
    for (int k = 0; k < steps; ++k) {
      const Colour c = shade(1 - (k + 0.5) / steps);
      rgb.insert(rgb.end(), {c.r, c.g, c.b});
    }
    picture.image({x, high}, f, low - high, 1, std::move(rgb));
    frame(picture, {x, high}, {x + f, low});
    if (!(high_ > low_)) {
      picture.words({x + 1.4 * f, (high + low) / 2}, tick_label(low_), {.size = f, .colour = look_.ink});
      return;
    }
    for (const double t : ticks(low_, high_, 6))
      picture.words({x + 1.4 * f, low + (high - low) * (t - low_) / (high_ - low_) + 0.36 * f}, tick_label(t),
                    {.size = f, .colour = look_.ink});
  }

  const SweptQuantity &x_, &y_, &z_;
  const FigureLayout& look_;
  double x0_, y0_, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  std::vector<double> across_, up_;
  Classes classes_;
  double low_ = INFINITY, high_ = -INFINITY;
};

Picture curves(const std::string& title, const SweptQuantity& axis,
               const std::vector<SweptQuantity>& quantities, const FigureStyle& style) {
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
    panels.push_back({q.name, axis.name, q.name, {curve}});
    panels.back().title.clear();
  }
  return drawn(title, panels, style);
}

}  // namespace

Picture sweep_picture(const std::string& title, const std::vector<SweptQuantity>& axes,
                      const std::vector<SweptQuantity>& quantities, const FigureStyle& style) {
  if (axes.size() < 2) return curves(title, axes.front(), quantities, style);
  const FigureLayout layout(quantities.size(), title, style, 560, 420);
  Picture picture = layout.empty(title);
  for (std::size_t k = 0; k < quantities.size(); ++k)
    Map(axes[0], axes[1], quantities[k], layout.corner(k), layout).draw(picture);
  return picture;
}

}  // namespace rattleback
