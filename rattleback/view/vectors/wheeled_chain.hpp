#pragma once
/// Chains of links in the plane, each on one pair of wheels or a blade: cars with trailers, wheeled snakes. Their motion as a recursion over the
/// links in two speeds of the first one, without poles.
///
/// Link i has the heading θ_i, the axle P_i, the speed v_i of the axle along the heading and the rate w_i = θ_i'; nothing goes sideways. Its hitch
/// is d_i ahead of its axle and b_i behind the axle before: P_i + d_i e_i = P_(i-1) − b_i e_(i-1). With φ_i = θ_(i-1) − θ_i this is
///     (v_i, w_i) = T_i (v_(i-1), w_(i-1)),   T_i = (cos φ_i, b_i sin φ_i; sin φ_i/d_i, −b_i cos φ_i/d_i).                           (T.6)

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/view/vectors/repeated_links.hpp>

namespace rattleback {

struct WheeledLink {
  Expr heading;
  Expr b, d;  ///< hitch behind the axle before, and ahead of the own one; 0 for the first link
  Expr mass, moment,
      inertia;  ///< m, m times the distance of the mass centre ahead of the axle, about the axle; with what wheels add
  Expr force, torque;  ///< along the heading; on θ_i
  Expr joint_torque;   ///< on θ_i − θ_(i-1)
};

/// A wheel on the axle of a link, or beside it: a' = along v_k + turn w_k.
struct WheelOfLink {
  Symbol angle;
  std::size_t link = 0;
  Expr along, turn;
  Expr velocity;  ///< a'
};

struct WheeledChain {
  Expr x, y;               ///< coordinates
  std::size_t placed = 0;  ///< (x, y) lies on this link,
  Expr ahead;              ///< so far ahead of its axle
  int first = 0;           ///< the index of the first link
  std::vector<WheeledLink> links;
  std::vector<WheelOfLink> wheels;  ///< their turning is part of the masses and inertias of the links
  std::vector<std::pair<std::string, std::string>> wheel_lines;  ///< "w_i'" and "v_i/R"
  std::string headings;                                          ///< "theta_0, theta_1 = t0, t1"
  std::vector<LinkQuantity> quantities;
  std::map<std::string, std::string>
      letters;  ///< what letters of the recursion become, where the model's numbered names use them for something else
  Verdict proof;  ///< of the constraints, the energy and the forces
};

/// Found from constraints and energy, however they are stated: two coordinates that no constraint depends on, a heading for every constraint, and
/// masses that give the energy. At least three links. Geometry and energy are proved; the recursion is compared with Lagrange's equations at
/// random states. Nothing for others.
std::optional<WheeledChain> wheeled_chain(const System& system);

/// Is the recursion, executed on formulas, the motion of Lagrange and d'Alembert at random states (modulo a prime)?
bool agrees_with_motion(const System& system, const WheeledChain& chain);

std::string as_text(const System& system, const WheeledChain& chain);
std::string as_latex(const System& system, const WheeledChain& chain);

}  // namespace rattleback
