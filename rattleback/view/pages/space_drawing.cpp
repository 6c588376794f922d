#include <rattleback/view/pages/space_drawing.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/view/pages/html.hpp>

namespace rattleback {
namespace {

constexpr int column = 84, cell = 26, margin = 8;

std::string text_at(int x, int y, const std::string& content, const char* style = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\"{}>{}</text>", x, y, style, content);
}

std::string circle(int x, int y, int r, const char* style) {
  return fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", style, x, y, r);
}

std::string arrow(int x1, int y1, int x2, int y2) {
  return fmt::format("<path class=\"glyph\" d=\"M{} {}L{} {}\"/>", x1, y1, x2, y2);
}

std::string line_glyph(int x, int y) {
  return fmt::format("<path class=\"glyph\" d=\"M{0} {1}H{2}M{3} {4}l5 4l-5 4M{5} {4}l-5 4l5 4\"/>", x - 26,
                     y, x + 26, x + 21, y - 4, x - 21);
}

/// A ball with three axes.
std::string rotation_glyph(int x, int y) {
  return circle(x, y, 20, "thin") +
         fmt::format("<ellipse class=\"thin\" cx=\"{}\" cy=\"{}\" rx=\"20\" ry=\"7\"/>", x, y) +
         arrow(x, y, x, y - 27) + arrow(x, y, x - 20, y + 12) + arrow(x, y, x + 24, y + 7);
}

std::string glyph(const Factor& factor, int x, int y) {
  switch (factor.kind) {
    case Factor::Kind::line: return line_glyph(x, y);
    case Factor::Kind::circle: return circle(x, y, 19, "glyph");
    case Factor::Kind::SO3: return rotation_glyph(x, y);
    case Factor::Kind::SE3: return line_glyph(x, y + 24) + rotation_glyph(x, y - 4);
    case Factor::Kind::SE2:
      return fmt::format("<path class=\"thin\" d=\"M{} {}l14 -16h40l-14 16z\"/>", x - 27, y + 14) +
             circle(x, y - 4, 13, "glyph");
    case Factor::Kind::H3:
    case Factor::Kind::algebra:
      return arrow(x, y, x, y - 22) + arrow(x, y, x - 18, y + 13) + arrow(x, y, x + 22, y + 8);
  }
  return {};
}

std::string symbol_of(Factor::Kind kind) {
  switch (kind) {
    case Factor::Kind::line: return "ℝ";
    case Factor::Kind::circle: return "S¹";
    case Factor::Kind::SO3: return "SO(3)";
    case Factor::Kind::SE2: return "SE(2)";
    case Factor::Kind::SE3: return "SE(3)";
    case Factor::Kind::H3: return "H₃";
    case Factor::Kind::algebra: return "𝔤";
  }
  return {};
}

/// The step of the growth vector at which direction k is reached; −1 when never.
int step_reaching(int k, const Triage& found) {
  for (std::size_t step = 0; step < found.growth_vector.size(); ++step) {
    if (k < found.growth_vector[step]) return static_cast<int>(step);
  }
  return found.growth_vector.empty() && k < found.degrees_of_freedom() ? 0 : -1;
}

std::string label_of(int step) {
  switch (step) {
    case 0: return "admissible";
    case 1: return "by brackets";
    case 2: return "by brackets of brackets";
    default: return fmt::format("by brackets of depth {}", step);
  }
}

/// Cells in rows of one colour, each with what reaches it.
std::string growth_cells(const Triage& found, int& width, int top) {
  std::string s;
  int x = margin;
  for (int k = 0; k < found.dimension;) {
    const int step = step_reaching(k, found), begin = x;
    int count = 0;
    for (; k < found.dimension && step_reaching(k, found) == step; ++k, ++count, x += cell) {
      s += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
                       step < 0 ? "never" : fmt::format("fill{}", std::min(step, 4)), x, top, cell - 4,
                       cell - 4);
    }
    const std::string label = step < 0                                   ? "never: holonomic"
                              : step == 0 && found.growth_vector.empty() ? "free at each point"
                                                                         : label_of(step);
    s += fmt::format("<text class=\"small\" x=\"{}\" y=\"{}\">{} {}</text>", begin, top + cell + 12, count,
                     label);
    x = std::max(x, begin + 7 * static_cast<int>(label.size() + 2)) + 12;
  }
  width = std::max(width, x);
  return s;
}

}  // namespace

std::string space_drawing(const System& system, const Triage& found) {
  constexpr std::size_t most = legible::factors_of_a_space.count;
  const std::vector<Factor>& factors = system.space.factors();
  const std::size_t shown = std::min(factors.size(), most);
  const std::size_t per_row = 8;
  std::string s;
  int top = 0, width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const int x = margin + column / 2 + column * static_cast<int>(i % per_row);
    top = 40 + 96 * static_cast<int>(i / per_row);
    s += glyph(factors[i], x, top) +
         text_at(x, top + 46, escaped(factors[i].name), " class=\"name\" data-name=\"\"") +
         text_at(x, top + 62, symbol_of(factors[i].kind), " class=\"small\"");
    if (i + 1 < shown && i % per_row + 1 < per_row) s += text_at(x + column / 2, top + 5, "×");
    width = std::max(width, x + column / 2);
  }
  if (factors.size() > shown)
    s += text_at(width - 10, top + 5, fmt::format("… {} more", factors.size() - shown), " class=\"small\"");
  top += 84;
  s += growth_cells(found, width, top);
  return fmt::format(
      "<svg class=\"space\" viewBox=\"0 0 {0} {1}\" style=\"max-width:{0}px\" role=\"img\" "
      "aria-label=\"configuration space\">{2}</svg>\n",
      width + margin, top + cell + 20, s);
}

}  // namespace rattleback
