#include <rattleback/view/pictures/plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/view/pictures/glyphs.hpp>
#include <rattleback/view/pictures/smooth_curve.hpp>

namespace rattleback {
namespace {

constexpr double finest = 0.04;  ///< pixels: how far a drawn curve may be from its samples

struct PlotRange {
  double low = INFINITY, high = -INFINITY;
  void add(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// Room around the data, also around a constant.
  void widen(double part) {
    if (!(low <= high)) *this = {0, 1};
    const double size = high - low, least = 1e-9 * std::max({std::abs(low), std::abs(high), 1e-3});
    const double margin = size > least ? part * size : std::max(0.5 * std::abs(low), 0.5);
    low -= margin;
    high += margin;
  }
};

std::string superscript(const std::string& digits) {
  static constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string s;
  for (const char c : digits) s += c == '-' ? "⁻" : raised[static_cast<std::size_t>(c - '0')];
  return s;
}

/// Words that fit into a width, in letters of size 1.
std::string fitting(const std::string& text, double width) {
  if (width_of(text) <= width) return text;
  std::string s = text;
  while (!s.empty() && width_of(s + "…") > width) {
    while (!s.empty() && (static_cast<unsigned char>(s.back()) & 0xC0U) == 0x80U) s.pop_back();
    if (!s.empty()) s.pop_back();
  }
  return s + "…";
}

/// One panel in its place.
class Drawing {
 public:
  Drawing(const Panel& panel, Point corner, const FigureLayout& layout) : panel_(panel), look_(layout) {
    for (const PlotCurve& curve : panel.curves) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!shown(curve.x[i], curve.y[i])) continue;
        x_.add(abscissa(curve.x[i]));
        y_.add(ordinate(curve.y[i]));
      }
    }
    x_.widen(panel.equal_aspect ? 0.05 : is_over_x() ? 0 : 0.04);
    y_.widen(0.06);
    if (panel.x_range) x_ = {abscissa(panel.x_range->first), abscissa(panel.x_range->second)};
    if (panel.y_range) y_ = {ordinate(panel.y_range->first), ordinate(panel.y_range->second)};
    place(corner);
    if (panel.equal_aspect && !panel.x_range && !panel.y_range) equalise();
  }

  void draw(Picture& picture) const {
    frame(picture);
    picture.clip({west_, north_}, east_ - west_, south_ - north_);
    for (std::size_t c = 0; c < panel_.curves.size(); ++c) curve(picture, c);
    picture.unclip();
    picture.stroke({{west_, north_}, {east_, north_}, {east_, south_}, {west_, south_}, {west_, north_}},
                   look_.grey, look_.line * 2 / 3);
    legend(picture);
  }

 private:
  /// Functions of x, such as curves over time, fill the frame from side to side.
  bool is_over_x() const {
    return std::all_of(panel_.curves.begin(), panel_.curves.end(), [](const PlotCurve& c) {
      return !c.points &&
             (std::is_sorted(c.x.begin(), c.x.end()) || std::is_sorted(c.x.rbegin(), c.x.rend()));
    });
  }
  bool drawable(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && (!panel_.logarithmic || y > 0) &&
           (!panel_.logarithmic_x || x > 0);
  }
  /// Within the range of x, if one is given: y is as wide as what is seen.
  bool shown(double x, double y) const {
    return drawable(x, y) && (!panel_.x_range || (x >= panel_.x_range->first && x <= panel_.x_range->second));
  }
  double ordinate(double y) const { return panel_.logarithmic ? std::log10(y) : y; }
  double abscissa(double x) const { return panel_.logarithmic_x ? std::log10(x) : x; }
  double px(double x) const { return west_ + (x - x_.low) / (x_.high - x_.low) * (east_ - west_); }
  double py(double y) const { return south_ - (y - y_.low) / (y_.high - y_.low) * (south_ - north_); }
  Colour colour_of(std::size_t c) const { return look_.palette(panel_.curves[c].colour.value_or(c)); }
  bool has_legend() const {
    return panel_.curves.size() > 1 && std::any_of(panel_.curves.begin(), panel_.curves.end(),
                                                   [](const PlotCurve& c) { return !c.name.empty(); });
  }

  /// The frame within the panel: what is left by labels, ticks, title and legend.
  void place(Point corner) {
    const double f = look_.font;
    x0_ = corner.x;
    y0_ = corner.y;
    north_ = y0_ + (panel_.title.empty() ? 0.8 : 2.4) * f;
    south_ = y0_ + look_.panel_height - (panel_.x_label.empty() ? 2.2 : 3.8) * f;
    double widest = 0;
    for (const double t : y_ticks()) widest = std::max(widest, width_of(y_text(t)));
    west_ = x0_ + f * (widest + (panel_.y_label.empty() ? 1.2 : 2.6));
    double names = 0;
    if (has_legend())
      for (const PlotCurve& c : panel_.curves)
        if (!c.name.empty()) names = std::max(names, width_of(label_of(c.name)));
    legend_width_ = names == 0 ? 0 : std::min(names + 2.6, 0.35 * look_.panel_width / f);
    east_ = x0_ + look_.panel_width - f * (1.4 + legend_width_);
  }

  void equalise() {
    const double across = (x_.high - x_.low) / (east_ - west_), up = (y_.high - y_.low) / (south_ - north_);
    PlotRange& narrow = across > up ? y_ : x_;
    const double more = (std::max(across, up) / std::min(across, up) - 1) / 2 * (narrow.high - narrow.low);
    narrow.low -= more;
    narrow.high += more;
  }

  static std::string axis_text(double t, bool logarithmic) {
    if (!logarithmic) return tick_label(t);
    const double value = std::pow(10, t);
    if (std::abs(t - std::round(t)) > 1e-9) return tick_label(value);
    return std::abs(t) <= 2.5 ? tick_label(value) : "10" + superscript(fmt::format("{:.0f}", t));
  }
  std::string y_text(double t) const { return axis_text(t, panel_.logarithmic); }
  std::vector<double> y_ticks() const {
    const int wanted = std::clamp(static_cast<int>((south_ - north_) / (3.4 * look_.font)), 2, 7);
    return panel_.logarithmic ? logarithmic_ticks(y_.low, y_.high, wanted) : ticks(y_.low, y_.high, wanted);
  }
  std::vector<double> x_ticks() const {
    const int wanted = std::clamp(static_cast<int>((east_ - west_) / (5 * look_.font)), 2, 8);
    return panel_.logarithmic_x ? logarithmic_ticks(x_.low, x_.high, wanted) : ticks(x_.low, x_.high, wanted);
  }

  void frame(Picture& picture) const {
    const double f = look_.font;
    const Picture::Words plain{.size = f, .colour = look_.ink};
    const auto anchored = [&](Picture::Anchor anchor, bool upwards = false) {
      Picture::Words w = plain;
      w.anchor = anchor;
      w.upwards = upwards;
      return w;
    };
    for (const double t : x_ticks()) {
      picture.stroke({{px(t), north_}, {px(t), south_}}, look_.pale, look_.line / 2);
      picture.words({px(t), south_ + 1.3 * f}, axis_text(t, panel_.logarithmic_x),
                    anchored(Picture::Anchor::middle));
    }
    for (const double t : y_ticks()) {
      picture.stroke({{west_, py(t)}, {east_, py(t)}}, look_.pale, look_.line / 2);
      picture.words({west_ - 0.5 * f, py(t) + 0.36 * f}, y_text(t), anchored(Picture::Anchor::end));
    }
    if (!panel_.title.empty())
      picture.words({west_, north_ - 0.8 * f}, label_of(panel_.title),
                    {.size = f, .bold = true, .colour = look_.ink});
    if (!panel_.x_label.empty())
      picture.words({(west_ + east_) / 2, south_ + 2.8 * f}, label_of(panel_.x_label),
                    anchored(Picture::Anchor::middle));
    if (!panel_.y_label.empty())
      picture.words({x0_ + 1.2 * f, (north_ + south_) / 2}, label_of(panel_.y_label),
                    anchored(Picture::Anchor::middle, true));
  }

  void curve(Picture& picture, std::size_t c) const {
    const PlotCurve& curve = panel_.curves[c];
    std::vector<Point> path;
    const auto flush = [&] {
      if (curve.points)
        marks(picture, std::move(path), colour_of(c));
      else
        picture.curve(curve.smooth ? smooth_curve(path, finest) : broken_line(path, finest), colour_of(c),
                      look_.line, curve.dashed);
      path.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (drawable(curve.x[i], curve.y[i]))
        path.push_back({px(abscissa(curve.x[i])), py(ordinate(curve.y[i]))});
      else if (!curve.points)
        flush();  // the pen is lifted
    }
    flush();
  }

  /// Dots within the frame; small ones where there are many.
  void marks(Picture& picture, std::vector<Point> path, Colour colour) const {
    std::erase_if(path, [&](Point p) { return p.x < west_ || p.x > east_ || p.y < north_ || p.y > south_; });
    const double radius = path.size() > 5000 ? 0.5 : path.size() > 500 ? 0.8 : path.size() > 50 ? 1.2 : 2.2;
    picture.dots(std::move(path), radius * look_.line / 1.5, colour);
  }

  /// Right of the frame, so that no curve is covered.
  void legend(Picture& picture) const {
    if (!has_legend()) return;
    const double f = look_.font, x = east_ + 0.8 * f;
    double y = north_ + 0.9 * f;
    for (std::size_t c = 0; c < panel_.curves.size(); ++c) {
      const PlotCurve& curve = panel_.curves[c];
      if (curve.name.empty()) continue;
      if (curve.points)
        picture.dot({x + 0.6 * f, y - 0.35 * f}, 2.2 * look_.line / 1.5, colour_of(c));
      else
        picture.curve(broken_line({{x, y - 0.35 * f}, {x + 1.2 * f, y - 0.35 * f}}, 0), colour_of(c),
                      look_.line, curve.dashed);
      picture.words({x + 1.6 * f, y}, fitting(label_of(curve.name), legend_width_ - 2.2),
                    {.size = f, .colour = look_.ink});
      y += 1.5 * f;
    }
  }

  const Panel& panel_;
  const FigureLayout& look_;
  double x0_ = 0, y0_ = 0, west_ = 0, east_ = 1, north_ = 0, south_ = 300, legend_width_ = 0;
  PlotRange x_, y_;
};

}  // namespace

std::vector<double> ticks(double low, double high, int wanted) {
  const double raw = (high - low) / wanted, power = std::pow(10, std::floor(std::log10(raw))),
               part = raw / power;
  const double step = (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
  std::vector<double> at;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    at.push_back(k == 0 ? 0 : k * step);
  return at;
}

std::vector<double> logarithmic_ticks(double low, double high, int wanted) {
  std::vector<double> at;
  if (high - low > 1.5) {
    for (const double t : ticks(low, high, wanted))
      if (t == std::round(t)) at.push_back(t);
    if (at.size() >= 2) return at;
  }
  at.clear();
  for (double decade = std::floor(low); decade <= high; ++decade)
    for (const double part : {1.0, 2.0, 5.0})
      if (const double t = decade + std::log10(part); t >= low - 1e-9 && t <= high + 1e-9) at.push_back(t);
  return at;
}

std::string tick_label(double value) {
  std::string s = fmt::format("{:.10g}", value);
  const std::size_t e = s.find('e');
  std::string power;
  if (e != std::string::npos) {
    power = std::string("10") + superscript(fmt::format("{}", std::stoi(s.substr(e + 1))));
    s = s.substr(0, e);
    if (s == "1" || s == "-1")
      s.pop_back();
    else
      s += "×";
  }
  if (!s.empty() && s[0] == '-') s = "−" + s.substr(1);
  return s + power;
}

FigureLayout::FigureLayout(std::size_t panels, const std::string& title, const FigureStyle& style,
                           double wide, double high)
    : panel_width(wide), panel_height(high), dark(style.dark) {
  columns = panels > 1 ? 2 : 1;
  ink = dark ? Colour{0xee, 0xee, 0xee} : Colour{0, 0, 0};
  grey = dark ? Colour{0x99, 0x99, 0x99} : Colour{0x55, 0x55, 0x55};
  pale = dark ? Colour{0x3a, 0x3a, 0x3a} : Colour{0xdd, 0xdd, 0xdd};
  paper = dark ? Colour{0x16, 0x18, 0x1c} : Colour{255, 255, 255};
  constexpr double pixels_per_mm = 96 / 25.4;
  if (style.width_mm > 0) {
    millimetres = true;
    font = 8 * 96.0 / 72;  // eight points, as journals ask for
    line = 1.1;
    if (style.width_mm < 120) columns = 1;
    panel_width = style.width_mm * pixels_per_mm / static_cast<double>(columns);
    panel_height = panel_width * high / wide;
  }
  rows_ = (std::max<std::size_t>(panels, 1) + columns - 1) / columns;
  title_height = title.empty() ? 0 : 2.6 * font;
  if (style.width_mm > 0 && style.height_mm > 0)
    panel_height = (style.height_mm * pixels_per_mm - title_height) / static_cast<double>(rows_);
}

Picture FigureLayout::empty(const std::string& title) const {
  Picture picture(panel_width * static_cast<double>(columns),
                  panel_height * static_cast<double>(rows_) + title_height, paper);
  if (millimetres) picture.in_millimetres();
  if (!title.empty())
    picture.words({2 * font, 1.8 * font}, fitting(title, picture.width() / (1.25 * font) - 3),
                  {.size = 1.25 * font, .colour = ink});
  return picture;
}

Point FigureLayout::corner(std::size_t panel) const {
  const std::size_t row = panel / columns;
  return {panel_width * static_cast<double>(panel % columns),
          title_height + panel_height * static_cast<double>(row)};
}

Colour FigureLayout::palette(std::size_t k) const {
  static constexpr std::array<Colour, 7> colours{{{0x00, 0x72, 0xb2},
                                                  {0xd5, 0x5e, 0x00},
                                                  {0x00, 0x9e, 0x73},
                                                  {0xcc, 0x79, 0xa7},
                                                  {0x56, 0xb4, 0xe9},
                                                  {0xe6, 0x9f, 0x00},
                                                  {0x00, 0x00, 0x00}}};
  static constexpr std::array<Colour, 7> on_dark{{{0x56, 0xb4, 0xe9},
                                                  {0xe6, 0x9f, 0x00},
                                                  {0x00, 0xc9, 0x93},
                                                  {0xe3, 0x97, 0xc3},
                                                  {0xf0, 0xe4, 0x42},
                                                  {0xff, 0x7f, 0x2a},
                                                  {0xee, 0xee, 0xee}}};
  return dark ? on_dark[k % on_dark.size()] : colours[k % colours.size()];
}

Picture drawn(const std::string& title, const std::vector<Panel>& panels, const FigureStyle& style) {
  const FigureLayout layout(panels.size(), title, style);
  Picture picture = layout.empty(title);
  for (std::size_t k = 0; k < panels.size(); ++k) Drawing(panels[k], layout.corner(k), layout).draw(picture);
  return picture;
}

std::string as_svg(const std::string& title, const std::vector<Panel>& panels) {
  return drawn(title, panels).svg();
}

}  // namespace rattleback
