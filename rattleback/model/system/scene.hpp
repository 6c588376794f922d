#pragma once
/// What to draw of a system: rigid shapes that move with it, nets on them, lines between points, traces of points.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

struct Shape {
  enum class Kind : std::uint8_t { sphere, ellipsoid, disk, box, blade, axes, line, trace, surface, net };
  std::string name;
  Kind kind = Kind::sphere;
  std::vector<Expr>
      sizes;  ///< sphere, disk: radius; ellipsoid: semi-axes; box: lengths; blade, axes: length; line: 1 when thin
  Matrix at;        ///< centre, in space axes
  Matrix rotation;  ///< from the shape's axes to space axes
  Matrix axis;      ///< disk: unit vector of its axle, in the shape's axes
  /// line: its corners in space; trace: the one point that leaves it; net: the corners of its lines, one line after the other, in the
  /// shape's axes
  std::vector<Matrix> points;
  int corners = 0;  ///< net: of each of its lines
  /// surface: f(X, Y, Z) = 0 around the centre, f < 0 inside, star-shaped; over these three symbols.
  Expr f;
  Matrix point;
  std::string color;  ///< one of scene_colors, or empty: chosen by the viewer
  Place place;
};

/// What stands still below the shapes.
enum class Ground : std::uint8_t { automatic, none, plane };

struct Scene {
  std::vector<Shape> shapes;
  std::optional<bool> above;  ///< seen from above, in the plane; otherwise in space
  Ground ground = Ground::automatic;
  Place place;
};

inline constexpr std::array<std::string_view, 7> scene_colors{"blue",   "orange", "green", "red",
                                                              "violet", "gold",   "grey"};

}  // namespace rattleback
