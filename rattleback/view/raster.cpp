#include <rattleback/view/raster.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/view/stroke_font.hpp>

namespace rattleback {

Raster::Raster(int width, int height, double scale)
    : width_(width),
      height_(height),
      scale_(scale),
      rgb_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3, 255) {}

void Raster::blend(int x, int y, Colour colour, double coverage) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_ || !(coverage > 0)) return;
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
  for (int y = low(std::min(a.y, b.y) - reach); y <= std::min(height_, low(std::max(a.y, b.y) + reach));
       ++y) {
    for (int x = low(std::min(a.x, b.x) - reach); x <= std::min(width_, low(std::max(a.x, b.x) + reach));
         ++x) {
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

/// To whole pixels, so that cells of a map have no seams.
void Raster::box(Point corner, double width, double height, Colour fill) {
  const auto pixel = [&](double v) { return static_cast<int>(std::lround(v * scale_)); };
  for (int y = pixel(corner.y); y < pixel(corner.y + height); ++y)
    for (int x = pixel(corner.x); x < pixel(corner.x + width); ++x) blend(x, y, fill, 1);
}

void Raster::words(Point at, const std::string& text, const Picture::Words& how) {
  const double unit = how.size * 0.12, wide = unit * stroke_width(text);
  const double shift = how.anchor == Picture::Anchor::start ? 0
                       : how.anchor == Picture::Anchor::end ? wide
                                                            : wide / 2;
  for (const std::vector<Point>& path : strokes_of(text)) {
    std::vector<Point> placed;
    for (const Point p : path) {
      const double x = p.x * unit - shift, y = p.y * unit;
      placed.push_back(how.upwards ? Point{at.x - y, at.y - x} : Point{at.x + x, at.y - y});
    }
    stroke(placed, how.colour, how.size * (how.bold ? 0.13 : 0.085));
  }
}

std::string Raster::png() const { return png_file(width_, height_, rgb_); }

}  // namespace rattleback
