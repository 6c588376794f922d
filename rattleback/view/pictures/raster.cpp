#include <rattleback/view/pictures/raster.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/view/pictures/glyphs.hpp>

namespace rattleback {

Raster::Raster(int width, int height, double scale, Colour paper)
    : width_(width),
      height_(height),
      scale_(scale),
      rgb_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {
  for (std::size_t k = 0; k < rgb_.size(); ++k)
    rgb_[k] = k % 3 == 0 ? paper.r : k % 3 == 1 ? paper.g : paper.b;
}

void Raster::clip(Point corner, double width, double height) {
  const auto pixel = [&](double v) { return static_cast<int>(std::lround(v * scale_)); };
  west_ = std::max(0, pixel(corner.x));
  north_ = std::max(0, pixel(corner.y));
  east_ = std::min(width_, pixel(corner.x + width));
  south_ = std::min(height_, pixel(corner.y + height));
}
void Raster::unclip() { clip({0, 0}, width_ / scale_, height_ / scale_); }

void Raster::blend(int x, int y, Colour colour, double coverage) {
  if (x < west_ || y < north_ || x >= east_ || y >= south_ || !(coverage > 0)) return;
  const double part = std::min(coverage, 1.0);
  std::uint8_t* pixel =
      &rgb_[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)) *
            3];
  const std::uint8_t ink[3] = {colour.r, colour.g, colour.b};
  for (int k = 0; k < 3; ++k)
    pixel[k] = static_cast<std::uint8_t>(std::lround(pixel[k] * (1 - part) + ink[k] * part));
}

/// A pixel is covered by as much as its centre lies within the radius of the segment, smoothed over one pixel.
void Raster::segment(Point a, Point b, Colour colour, double radius) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy, reach = radius + 1;
  const auto low = [](double v) { return static_cast<int>(std::floor(std::clamp(v, -1.0, 1e6))); };
  const int top = std::max(north_, low(std::min(a.y, b.y) - reach)),
            bottom = std::min(south_, low(std::max(a.y, b.y) + reach)),
            left = std::max(west_, low(std::min(a.x, b.x) - reach)),
            right = std::min(east_, low(std::max(a.x, b.x) + reach));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
      const double t = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0;
      blend(x, y, colour, radius + 0.5 - std::hypot(px - t * dx, py - t * dy));
    }
  }
}

void Raster::stroke(const std::vector<Point>& path, Colour colour, double width) {
  const double radius = width * scale_ / 2;
  const auto pixels = [&](Point p) { return Point{p.x * scale_, p.y * scale_}; };
  if (path.size() == 1) segment(pixels(path[0]), pixels(path[0]), colour, radius);
  for (std::size_t i = 1; i < path.size(); ++i) segment(pixels(path[i - 1]), pixels(path[i]), colour, radius);
}

/// Each piece as short chords. Dashes are as long as three widths.
void Raster::curve(const std::vector<Point>& pieces, Colour colour, double width, bool dashed) {
  std::vector<Point> path{pieces.front()};
  for (std::size_t i = 3; i < pieces.size(); i += 3) {
    const Point a = pieces[i - 3], b = pieces[i - 2], c = pieces[i - 1], d = pieces[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y) + std::hypot(c.x - b.x, c.y - b.y) +
                          std::hypot(d.x - c.x, d.y - c.y);
    const int chords = static_cast<int>(std::clamp(length * scale_ / 3, 1.0, 200.0));
    for (int k = 1; k <= chords; ++k) {
      const double s = static_cast<double>(k) / chords, r = 1 - s;
      const double wa = r * r * r, wb = 3 * r * r * s, wc = 3 * r * s * s, wd = s * s * s;
      path.push_back({wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y});
    }
  }
  if (!dashed) {
    stroke(path, colour, width);
    return;
  }
  double run = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (std::fmod(run, 6 * width) < 3 * width) stroke({path[i - 1], path[i]}, colour, width);
    run += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
  }
}

/// Each pixel has the colour of the cell that it lies in.
void Raster::image(Point corner, double width, double height, int columns,
                   const std::vector<std::uint8_t>& rgb) {
  const int rows = static_cast<int>(rgb.size()) / 3 / columns;
  const auto pixel = [&](double v) { return static_cast<int>(std::lround(v * scale_)); };
  const int left = pixel(corner.x), right = pixel(corner.x + width), top = pixel(corner.y),
            bottom = pixel(corner.y + height);
  for (int y = top; y < bottom; ++y) {
    const int row = std::min(rows - 1, static_cast<int>((y - top + 0.5) * rows / (bottom - top)));
    for (int x = left; x < right; ++x) {
      const int column = std::min(columns - 1, static_cast<int>((x - left + 0.5) * columns / (right - left)));
      const std::size_t at = 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                                  static_cast<std::size_t>(column));
      blend(x, y, {rgb[at], rgb[at + 1], rgb[at + 2]}, 1);
    }
  }
}

/// To whole pixels, so that cells of a map have no seams.
void Raster::box(Point corner, double width, double height, Colour fill) {
  const auto pixel = [&](double v) { return static_cast<int>(std::lround(v * scale_)); };
  for (int y = pixel(corner.y); y < pixel(corner.y + height); ++y)
    for (int x = pixel(corner.x); x < pixel(corner.x + width); ++x) blend(x, y, fill, 1);
}

/// Closed polygons by the rule of winding numbers: four lines for each row of pixels, each covering what lies between its crossings.
void Raster::fill(const std::vector<std::vector<Point>>& polygons, Colour colour) {
  constexpr int lines = 4;
  double top = 1e300, low = -1e300;
  for (const auto& polygon : polygons) {
    for (const Point p : polygon) {
      top = std::min(top, p.y);
      low = std::max(low, p.y);
    }
  }
  std::vector<double> covered(static_cast<std::size_t>(width_));
  std::vector<std::pair<double, int>> crossings;
  const int first = std::max(0, static_cast<int>(std::floor(std::max(top, -1.0))));
  for (int y = first; y < height_ && y <= low; ++y) {
    std::fill(covered.begin(), covered.end(), 0.0);
    for (int line = 0; line < lines; ++line) {
      const double at = y + (line + 0.5) / lines;
      crossings.clear();
      for (const auto& polygon : polygons) {
        for (std::size_t i = 0; i < polygon.size(); ++i) {
          const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
          if ((a.y <= at) == (b.y <= at)) continue;
          crossings.emplace_back(a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x), a.y <= at ? 1 : -1);
        }
      }
      std::sort(crossings.begin(), crossings.end());
      int winding = 0;
      for (std::size_t c = 0; c + 1 < crossings.size(); ++c) {
        winding += crossings[c].second;
        if (winding == 0) continue;
        const double from = std::max(0.0, crossings[c].first),
                     to = std::min<double>(width_, crossings[c + 1].first);
        for (int x = static_cast<int>(from); x < to; ++x)
          covered[static_cast<std::size_t>(x)] +=
              (std::min<double>(to, x + 1) - std::max<double>(from, x)) / lines;
      }
    }
    for (int x = 0; x < width_; ++x)
      if (covered[static_cast<std::size_t>(x)] > 0) blend(x, y, colour, covered[static_cast<std::size_t>(x)]);
  }
}

void Raster::words(Point at, const std::string& text, const Picture::Words& how) {
  const double wide = how.size * width_of(text);
  const double shift = how.anchor == Picture::Anchor::start ? 0
                       : how.anchor == Picture::Anchor::end ? wide
                                                            : wide / 2;
  const auto placed = [&](Point p) {
    const double x = p.x * how.size - shift, y = p.y * how.size;
    return how.upwards ? Point{(at.x - y) * scale_, (at.y - x) * scale_}
                       : Point{(at.x + x) * scale_, (at.y - y) * scale_};
  };
  std::vector<std::vector<Point>> polygons;
  for (const Outline& outline : outlines_of(text)) {
    std::vector<Point> polygon{placed(outline[0])};
    for (std::size_t i = 2; i < outline.size(); i += 2) {
      constexpr int pieces = 6;
      for (int k = 1; k <= pieces; ++k) {
        const double s = static_cast<double>(k) / pieces, r = 1 - s;
        const Point a = outline[i - 2], c = outline[i - 1], b = outline[i];
        polygon.push_back(placed(
            {r * r * a.x + 2 * r * s * c.x + s * s * b.x, r * r * a.y + 2 * r * s * c.y + s * s * b.y}));
      }
    }
    if (how.bold)
      for (std::size_t i = 0; i < polygon.size(); ++i)
        segment(polygon[i], polygon[(i + 1) % polygon.size()], how.colour, how.size * 0.02 * scale_);
    polygons.push_back(std::move(polygon));
  }
  if (!polygons.empty()) fill(polygons, how.colour);
}

std::string Raster::png() const { return png_file(width_, height_, rgb_); }

}  // namespace rattleback
