#pragma once
/// Vector graphics: strokes, smooth curves, boxes, dots, images and words, written as SVG, PDF or PNG.

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
  bool operator==(const Colour&) const = default;
};

/// Lengths are in pixels of CSS, 96 to the inch.
class Picture {
 public:
  Picture(double width, double height, Colour paper = {255, 255, 255})
      : width_(width), height_(height), paper_(paper) {}

  enum class Anchor : std::uint8_t { start, middle, end };
  struct Words {
    Anchor anchor = Anchor::start;
    double size = 12;
    bool bold = false, upwards = false;  ///< upwards: turned by a quarter
    Colour colour = {};
  };

  void stroke(std::vector<Point> path, Colour colour, double width);
  /// Cubic Bézier pieces: start, control, control, end, control, control, end, ….
  void curve(std::vector<Point> pieces, Colour colour, double width, bool dashed = false);
  void box(Point corner, double width, double height, Colour fill);
  void dot(Point centre, double radius, Colour fill);
  /// Dots of one kind. Those that fall on the same tenth of a pixel are drawn once.
  void dots(std::vector<Point> centres, double radius, Colour fill);
  /// A grid of cells with `columns` in each row, from the upper left; three bytes for each.
  void image(Point corner, double width, double height, int columns, std::vector<std::uint8_t> rgb);
  void words(Point at, std::string text, const Words& how);
  /// What is drawn from now on is seen within this box only; unclip() ends that.
  void clip(Point corner, double width, double height);
  void unclip();

  /// Letters are words of an embedded font, so that they look the same everywhere and can be searched for.
  std::string svg() const;
  /// One page of vector graphics with the font embedded.
  std::string pdf() const;
  /// In the format that the ending of the file says: .png, .pdf, otherwise SVG.
  std::string written_as(const std::string& path) const;
  /// `scale` pixels per unit.
  std::string png(double scale = 2) const;
  /// The lengths of an SVG are written in millimetres, as the size was asked for.
  void in_millimetres() { millimetres_ = true; }

  double width() const { return width_; }
  double height() const { return height_; }

 private:
  struct Item {
    enum class Kind : std::uint8_t { stroke, curve, box, dots, image, words, clip, unclip } kind;
    std::vector<Point> path;  ///< of a box, an image and a clip: its corner and its size
    Colour colour;
    double size = 1;  ///< width of a stroke, radius of dots
    std::string text = {};
    Words how = {};
    bool dashed = false;
    int columns = 0;
    std::vector<std::uint8_t> rgb = {};
  };
  std::string svg_of(const Item& item) const;
  std::string all_words() const;
  friend class PdfPage;

  double width_, height_;
  Colour paper_;
  bool millimetres_ = false;
  std::vector<Item> items_;
};

/// Colour map from dark blue to yellow, perceptually uniform; t between 0 and 1.
Colour shade(double t);

}  // namespace rattleback
