#pragma once
/// Cycles of a return map by Newton's method, their multipliers, invariant manifolds and rotation numbers.

#include <rattleback/study/return_map.hpp>

namespace rattleback {

struct Cycle {
  int period = 1;                       ///< returns until it closes
  std::vector<Eigen::VectorXd> points;  ///< one for each return, of what is kept
  double time = 0;                      ///< until it closes
  Eigen::MatrixXd slope;                ///< of the map's power at the first point, moved back along the group
  Eigen::VectorXcd
      multipliers;      ///< on the section where integrals keep their values, modulo the group; largest first
  double residual = 0;  ///< how far the last point is from the first
};

/// P^k(y) = y, up to the group, on section, levels and constraints, in the sense of least squares:             (O.25)
/// from each start, and from the point of its orbit that comes back nearest. Cycles of a period that divides k are given with it.
std::vector<Cycle> cycles(ReturnMap& map, int k, const std::vector<Eigen::VectorXd>& starts);
/// From one start; nothing where Newton's method does not converge.
std::optional<Cycle> cycle_near(ReturnMap& map, int k, const Eigen::VectorXd& start);

/// "saddle", "inverse saddle", "elliptic", "attracting", "repelling", "parabolic", ….
std::string cycle_kind(const Cycle& cycle);
/// Turns per return around an elliptic cycle of the plane, between 0 and 1/2; nothing for others.
std::optional<double> rotation_of(const Cycle& cycle);

/// One side of an invariant curve of a saddle: states of the flow in their order along it.
struct InvariantCurve {
  bool stable = false;
  std::vector<std::vector<double>> states;
  double length = 0;
};

struct CurveOptions {
  /// Where points are compared: coordinates of a plane.
  std::function<Eigen::Vector2d(std::span<const double> state)> plane;
  double length = 10;        ///< at most so long in that plane
  double resolution = 0.02;  ///< neighbours are nearer than that
  std::size_t most_points = 3000;
};

/// Unstable (stable) manifolds of dimension one: a short piece y + s v, s from ε to ε|μ|, is mapped forwards (backwards) again and again, with
/// points inserted where images are too far apart. Empty where the multipliers do not give one direction.  (O.26)
std::vector<InvariantCurve> invariant_curves(ReturnMap& map, const Cycle& cycle, bool stable,
                                             const CurveOptions& options);

/// Rotation numbers of orbits around an elliptic cycle, along a ray from it.
struct RotationNumber {
  double distance = 0;  ///< of the start from the cycle, in the norm of the state
  double rotation =
      0;  ///< turns per period of the cycle, as a weighted average over the orbit [Das, Saiki, Sander and Yorke 2017]
  double change =
      0;  ///< between the averages of both halves: small on an invariant curve, not in a chaotic zone
};
struct RotationProfile {
  double at_centre = 0;  ///< from the multipliers
  std::vector<RotationNumber> orbits;
  /// dρ/d(distance²) between the centre and the first orbit: the twist at the centre; its sign decides whether turns become faster.
  double twist = 0;
};
std::optional<RotationProfile> rotation_profile(ReturnMap& map, const Cycle& cycle, std::size_t count,
                                                double reach, std::size_t returns);

}  // namespace rattleback
