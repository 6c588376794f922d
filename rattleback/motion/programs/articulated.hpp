#pragma once
/// Articulated-body algorithm: the equations of motion of a tree of joints with n freedoms, as a graph of O(n) nodes.
///
/// Three sweeps over the frames of the tree, in their own axes [Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7]. Outwards: angular
/// velocities ω and velocity-dependent accelerations c. Inwards: the force that gives a frame the acceleration (α, a),
///     N = J α + H a + n,    F = Hᵀ α + M a + f,                                                                  (T.1)
/// with what is behind it free to move. Outwards: the accelerations of the joints. No mass matrix is formed.

#include <optional>
#include <vector>

#include <rattleback/model/system/joint_tree.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {

/// From so many freedoms on the recursion needs fewer operations than the elimination of a mass matrix.
inline constexpr int recursive_from = 8;

/// The motion of straight_line_equations for a system that is a tree of joints and nothing else: no constraints, and the velocities of the
/// joints are the speeds. Potentials and forces of any kind may act. Nothing where the system is not of this kind.
std::optional<EquationsOfMotion> articulated_motion(const System& system, const SolvedVelocities& v);
/// Q_i − X_i[V] by leg, V the potential without the weight of the links; velocities replaced by speeds.
std::vector<Expr> forces_on_joints(const System& system, const JointTree& tree, const SymbolMap& speeds);
/// In the velocities of the frame.
std::optional<EquationsOfMotion> articulated_motion(const System& system);

}  // namespace rattleback
