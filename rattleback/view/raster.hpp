#pragma once
/// Rasteriser with antialiasing: strokes, boxes and letters as pixels, and a PNG encoder.

#include <string>
#include <vector>

#include <rattleback/view/picture.hpp>

namespace rattleback {

class Raster {
 public:
  /// White; `scale` pixels for each unit of length.
  Raster(int width, int height, double scale);

  /// A single point is a dot. Ends and corners are round.
  void stroke(const std::vector<Point>& path, Colour colour, double width);
  void box(Point corner, double width, double height, Colour fill);
  void words(Point at, const std::string& text, const Picture::Words& how);

  std::string png() const;

 private:
  void segment(Point a, Point b, Colour colour, double radius);
  void blend(int x, int y, Colour colour, double coverage);

  int width_, height_;
  double scale_;
  std::vector<std::uint8_t> rgb_;
};

/// A PNG file of 8-bit RGB rows.
std::string png_file(int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace rattleback
