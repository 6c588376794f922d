#include <rattleback/view/picture.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/view/raster.hpp>

namespace rattleback {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

const char* name_of(Picture::Anchor anchor) {
  return anchor == Picture::Anchor::start ? "start" : anchor == Picture::Anchor::middle ? "middle" : "end";
}

}  // namespace

std::string Colour::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", r, g, b); }

void Picture::stroke(std::vector<Point> path, Colour colour, double width) {
  if (!path.empty()) items_.push_back({Item::Kind::stroke, std::move(path), colour, width});
}
void Picture::box(Point corner, double width, double height, Colour fill) {
  items_.push_back({Item::Kind::box, {corner, {width, height}}, fill});
}
void Picture::dot(Point centre, double radius, Colour fill) {
  items_.push_back({Item::Kind::dot, {centre}, fill, radius});
}
void Picture::words(Point at, std::string text, const Words& how) {
  items_.push_back({Item::Kind::words, {at}, how.colour, 1, std::move(text), how});
}

std::string Picture::svg_of(const Item& item) const {
  const Point p = item.path.front();
  switch (item.kind) {
    case Item::Kind::stroke: {
      std::string d;
      for (std::size_t i = 0; i < item.path.size(); ++i)
        d += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", item.path[i].x, item.path[i].y);
      return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n", d, item.colour.hex(),
                         item.size);
    }
    case Item::Kind::box:
      return fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                         p.x, p.y, item.path[1].x, item.path[1].y, item.colour.hex());
    case Item::Kind::dot:
      return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" fill=\"{}\"/>\n", p.x, p.y,
                         item.size, item.colour.hex());
    case Item::Kind::words: break;
  }
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:g}\" fill=\"{}\"{}{}>{}</text>\n",
      p.x, p.y, name_of(item.how.anchor), item.how.size, item.colour.hex(),
      item.how.bold ? " font-weight=\"bold\"" : "",
      item.how.upwards ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", p.x, p.y) : "",
      escaped(item.text));
}

std::string Picture::svg() const {
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "font-family=\"sans-serif\">\n<style>path{{fill:none;stroke-linejoin:round}}rect{{shape-rendering:"
      "crispEdges}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width_, height_);
  for (const Item& item : items_) s += svg_of(item);
  return s + "</svg>\n";
}

std::string Picture::png(double scale) const {
  Raster raster(static_cast<int>(std::ceil(width_ * scale)), static_cast<int>(std::ceil(height_ * scale)),
                scale);
  for (const Item& item : items_) {
    const Point p = item.path.front();
    switch (item.kind) {
      case Item::Kind::stroke: raster.stroke(item.path, item.colour, item.size); break;
      case Item::Kind::box: raster.box(p, item.path[1].x, item.path[1].y, item.colour); break;
      case Item::Kind::dot: raster.stroke({p}, item.colour, 2 * item.size); break;
      case Item::Kind::words: raster.words(p, item.text, item.how); break;
    }
  }
  return raster.png();
}

/// Linear interpolation between five colours of a map like viridis, readable in print and by the colour-blind.
Colour shade(double t) {
  constexpr std::array<std::array<double, 3>, 5> stops{
      {{59, 15, 112}, {49, 84, 148}, {33, 145, 140}, {122, 197, 84}, {253, 231, 37}}};
  const double at = std::clamp(t, 0.0, 1.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(i);
  const auto mix = [&](std::size_t k) {
    return static_cast<std::uint8_t>(std::lround(stops[i][k] * (1 - part) + stops[i + 1][k] * part));
  };
  return {mix(0), mix(1), mix(2)};
}

}  // namespace rattleback
