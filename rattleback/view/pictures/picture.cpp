#include <rattleback/view/pictures/picture.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <rattleback/view/pictures/font_file.hpp>
#include <rattleback/view/pictures/raster.hpp>

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

/// At most two decimals, and none that say nothing.
std::string short_number(double v) {
  std::string s = fmt::format("{:.2f}", v);
  while (s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s == "-0" ? "0" : s;
}

std::string short_pair(Point p) { return short_number(p.x) + " " + short_number(p.y); }

/// The data of a path: lines, or cubic pieces, in steps from what was printed before, so that rounding does not add up.
std::string path_data(const std::vector<Point>& path, bool cubic) {
  std::string d = "M" + short_pair(path.front());
  const auto rounded = [](Point p) {
    return Point{std::round(p.x * 100) / 100, std::round(p.y * 100) / 100};
  };
  Point at = rounded(path.front());
  const auto step = [&](Point p) {
    const Point r = rounded(p);
    return short_pair({r.x - at.x, r.y - at.y});
  };
  const std::size_t stride = cubic ? 3 : 1;
  for (std::size_t i = stride; i < path.size(); i += stride) {
    d +=
        cubic ? "c" + step(path[i - 2]) + " " + step(path[i - 1]) + " " + step(path[i]) : "l" + step(path[i]);
    at = rounded(path[i]);
  }
  return d;
}

std::string base64(const std::string& data) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (i + k < data.size() ? static_cast<unsigned char>(data[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= data.size() ? letters[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

}  // namespace

std::string Colour::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", r, g, b); }

void Picture::stroke(std::vector<Point> path, Colour colour, double width) {
  if (!path.empty()) items_.push_back({Item::Kind::stroke, std::move(path), colour, width});
}
void Picture::curve(std::vector<Point> pieces, Colour colour, double width, bool dashed) {
  if (pieces.size() < 4) return;
  items_.push_back({Item::Kind::curve, std::move(pieces), colour, width});
  items_.back().dashed = dashed;
}
void Picture::box(Point corner, double width, double height, Colour fill) {
  items_.push_back({Item::Kind::box, {corner, {width, height}}, fill});
}
void Picture::dot(Point centre, double radius, Colour fill) { dots({centre}, radius, fill); }
void Picture::dots(std::vector<Point> centres, double radius, Colour fill) {
  std::set<std::pair<long, long>> seen;
  std::erase_if(centres, [&](Point p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return true;
    return !seen.emplace(std::lround(p.x * 10), std::lround(p.y * 10)).second;
  });
  if (centres.empty()) return;
  if (!items_.empty() && items_.back().kind == Item::Kind::dots && items_.back().colour == fill &&
      items_.back().size == radius) {
    items_.back().path.insert(items_.back().path.end(), centres.begin(), centres.end());
    return;
  }
  items_.push_back({Item::Kind::dots, std::move(centres), fill, radius});
}
void Picture::image(Point corner, double width, double height, int columns, std::vector<std::uint8_t> rgb) {
  if (columns <= 0 || rgb.size() < 3) return;
  items_.push_back({Item::Kind::image, {corner, {width, height}}, {}});
  items_.back().columns = columns;
  items_.back().rgb = std::move(rgb);
}
void Picture::words(Point at, std::string text, const Words& how) {
  items_.push_back({Item::Kind::words, {at}, how.colour, 1, std::move(text), how});
}
void Picture::clip(Point corner, double width, double height) {
  items_.push_back({Item::Kind::clip, {corner, {width, height}}, {}});
}
void Picture::unclip() { items_.push_back({Item::Kind::unclip, {{0, 0}}, {}}); }

std::string Picture::all_words() const {
  std::string all;
  for (const Item& item : items_) all += item.text;
  return all;
}

std::string Picture::svg_of(const Item& item) const {
  const Point p = item.path.front();
  switch (item.kind) {
    case Item::Kind::stroke:
    case Item::Kind::curve:
      return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\"{}/>\n",
                         path_data(item.path, item.kind == Item::Kind::curve), item.colour.hex(), item.size,
                         item.dashed ? fmt::format(" stroke-dasharray=\"{:g}\"", 3 * item.size) : "");
    case Item::Kind::box:
      return fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                         p.x, p.y, item.path[1].x, item.path[1].y, item.colour.hex());
    case Item::Kind::dots: {  // strokes of no length with round ends
      std::string d;
      for (const Point at : item.path)
        d += fmt::format("M{} {}h0", short_number(std::round(at.x * 10) / 10),
                         short_number(std::round(at.y * 10) / 10));
      return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linecap=\"round\"/>\n", d,
                         item.colour.hex(), 2 * item.size);
    }
    case Item::Kind::image: {
      const int rows = static_cast<int>(item.rgb.size()) / 3 / item.columns;
      return fmt::format(
          "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" preserveAspectRatio=\"none\" "
          "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
          p.x, p.y, item.path[1].x, item.path[1].y, base64(png_file(item.columns, rows, item.rgb)));
    }
    case Item::Kind::clip:  // a picture within the picture shows nothing outside of itself
      return fmt::format(
          "<svg x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:.2f}\" height=\"{3:.2f}\" viewBox=\"{0:.2f} {1:.2f} "
          "{2:.2f} {3:.2f}\">\n",
          p.x, p.y, item.path[1].x, item.path[1].y);
    case Item::Kind::unclip: return "</svg>\n";
    case Item::Kind::words: break;
  }
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:g}\" fill=\"{}\"{}{}>{}</text>\n",
      p.x, p.y, name_of(item.how.anchor), item.how.size, item.colour.hex(),
      item.how.bold
          ? fmt::format(" stroke=\"{}\" stroke-width=\"{:g}\"", item.colour.hex(), item.how.size * 0.04)
          : "",
      item.how.upwards ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", p.x, p.y) : "",
      escaped(item.text));
}

std::string Picture::svg() const {
  const auto length = [&](double v) {
    return millimetres_ ? fmt::format("{:g}mm", std::round(v * 25.4 / 96 * 1000) / 1000)
                        : fmt::format("{:.0f}", v);
  };
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {:g} {:g}\" "
      "font-family=\"figure,DejaVu "
      "Sans,sans-serif\">\n<style>@font-face{{font-family:figure;src:url(data:font/ttf;"
      "base64,{})}}path{{fill:none;stroke-linejoin:round}}rect{{shape-rendering:crispEdges}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
      length(width_), length(height_), width_, height_, base64(font_file(all_words()).data), paper_.hex());
  for (const Item& item : items_) s += svg_of(item);
  return s + "</svg>\n";
}

std::string Picture::written_as(const std::string& path) const {
  return path.ends_with(".png") ? png(millimetres_ ? 300.0 / 96 : 2) : path.ends_with(".pdf") ? pdf() : svg();
}

std::string Picture::png(double scale) const {
  Raster raster(static_cast<int>(std::ceil(width_ * scale)), static_cast<int>(std::ceil(height_ * scale)),
                scale, paper_);
  for (const Item& item : items_) {
    const Point p = item.path.front();
    switch (item.kind) {
      case Item::Kind::stroke: raster.stroke(item.path, item.colour, item.size); break;
      case Item::Kind::curve: raster.curve(item.path, item.colour, item.size, item.dashed); break;
      case Item::Kind::box: raster.box(p, item.path[1].x, item.path[1].y, item.colour); break;
      case Item::Kind::dots:
        for (const Point at : item.path) raster.stroke({at}, item.colour, 2 * item.size);
        break;
      case Item::Kind::image: raster.image(p, item.path[1].x, item.path[1].y, item.columns, item.rgb); break;
      case Item::Kind::words: raster.words(p, item.text, item.how); break;
      case Item::Kind::clip: raster.clip(p, item.path[1].x, item.path[1].y); break;
      case Item::Kind::unclip: raster.unclip(); break;
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
