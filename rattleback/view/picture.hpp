#pragma once
/// Vector graphics: lists of strokes, boxes, dots and words, written as SVG or rasterised as PNG.

#include <cstdint>
#include <string>
#include <vector>

namespace rattleback {

struct Point {
  double x, y;  ///< y downwards, as in SVG
};

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
  std::string hex() const;  ///< "#0072b2"
};

class Picture {
 public:
  Picture(double width, double height) : width_(width), height_(height) {}

  enum class Anchor : std::uint8_t { start, middle, end };
  struct Words {
    Anchor anchor = Anchor::start;
    double size = 12;
    bool bold = false, upwards = false;  ///< upwards: turned by a quarter
    Colour colour = {};
  };

  void stroke(std::vector<Point> path, Colour colour, double width);
  void box(Point corner, double width, double height, Colour fill);
  void dot(Point centre, double radius, Colour fill);
  void words(Point at, std::string text, const Words& how);

  std::string svg() const;
  /// `scale` pixels per unit; letters are drawn as strokes, so no font is needed.
  std::string png(double scale = 2) const;

 private:
  struct Item {
    enum class Kind : std::uint8_t { stroke, box, dot, words } kind;
    std::vector<Point> path;  ///< of a box: its corner and its size
    Colour colour;
    double size = 1;  ///< width of a stroke, radius of a dot
    std::string text = {};
    Words how = {};
  };
  std::string svg_of(const Item& item) const;

  double width_, height_;
  std::vector<Item> items_;
};

/// Colour map from dark blue to yellow, perceptually uniform; t between 0 and 1.
Colour shade(double t);

}  // namespace rattleback
