#pragma once
/// Rasteriser with antialiasing: strokes, boxes and letters as pixels, and a PNG encoder.

#include <string>
#include <vector>

#include <rattleback/view/pictures/picture.hpp>

namespace rattleback {

class Raster {
 public:
  /// `scale` pixels for each unit of length.
  Raster(int width, int height, double scale, Colour paper = {255, 255, 255});

  /// A single point is a dot. Ends and corners are round.
  void stroke(const std::vector<Point>& path, Colour colour, double width);
  /// Cubic pieces, as Picture::curve has them.
  void curve(const std::vector<Point>& pieces, Colour colour, double width, bool dashed);
  void box(Point corner, double width, double height, Colour fill);
  void image(Point corner, double width, double height, int columns, const std::vector<std::uint8_t>& rgb);
  void words(Point at, const std::string& text, const Picture::Words& how);

  /// Nothing is drawn outside of this box until unclip().
  void clip(Point corner, double width, double height);
  void unclip();

  std::string png() const;

  /// Closed polygons in pixels.
  void fill(const std::vector<std::vector<Point>>& polygons, Colour colour);

 private:
  void segment(Point a, Point b, Colour colour, double radius);
  void blend(int x, int y, Colour colour, double coverage);

  int width_, height_;
  int west_ = 0, north_ = 0, east_ = width_, south_ = height_;  ///< what may be drawn on
  double scale_;
  std::vector<std::uint8_t> rgb_;
};

/// A PNG file of 8-bit RGB rows.
std::string png_file(int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace rattleback
