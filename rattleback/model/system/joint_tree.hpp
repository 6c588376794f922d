#pragma once
/// Kinematic tree of a machine: for every body its parent, the elementary motions of its joint, and its inertia.
///
/// The recursions of multibody dynamics need it; the Lagrangian does not show it any more. It is kept in the scope of the system, as one
/// matrix under a name that no expression can contain, so that values of parameters are put in place there too.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/system/pose.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// A body that a joint holds. Its origin and axes are reached from those of the parent by `path`.
struct Link {
  int parent = -1;  ///< index of a link before it; −1: the ground
  std::vector<Displacement> path;
  Expr mass;
  Matrix center;   ///< r_OG_B: from the origin to the mass centre, in body axes
  Matrix inertia;  ///< about the mass centre, 3 × 3
};

/// Every body of a system, placed by joints alone.
struct JointTree {
  std::vector<Link> links;  ///< in the order of System::bodies; a parent may stand behind its child
  Matrix gravity;           ///< acceleration of free fall, in space axes
  Expr kinetic, potential;  ///< of the bodies, as the system states them

  std::vector<int> outwards() const;  ///< links, every parent before its children
};

void keep_joint_tree(System& system, const JointTree& tree);
/// The tree, when the kinetic energy of the system is still that of its links; nothing when the model adds to it, when a formula places a
/// body, or when the system was rewritten in other coordinates.
std::optional<JointTree> joint_tree_of(const System& system);

/// The entries of the tree, for who replaces symbols everywhere; null when there is none.
const Matrix* kept_joint_tree(const System& system);
void replace_joint_tree(System& system, Matrix entries);

}  // namespace rattleback
