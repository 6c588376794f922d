#pragma once
/// The page of Newton and Euler's equations in vectors while it is being written: names, velocities, balances, kinematics. See
/// newton_euler_vectors.hpp.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/view/vectors/body_arms.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>
#include <rattleback/view/vectors/rotating_bodies.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>

namespace rattleback {

/// A vector with its rate; the components of the rate are symbols until the motion is known.
struct MovingVector {
  CovariantTerm term, rate;
};

MovingVector moving(const CovariantTerm& term);

/// c (w_1 + w_2 + …) for a common factor c, otherwise the sum.
CovariantTerm combination(const std::vector<CovariantTerm>& vectors, const CovariantFit& fit, Expr& factor);

/// One body, written in vectors.
struct WrittenBody {
  std::optional<MovingVector> v, w, L;                      ///< none where they vanish
  std::vector<CovariantFit> arms;                           ///< −ρ_ba in the page's vectors, by rotation
  std::vector<bool> turns;                                  ///< w_b contains ω_a
  std::vector<std::optional<CovariantTerm>> axes, strokes;  ///< a_bs and t_bs
  CovariantTerm weight;                                     ///< −F_b/m_b
};

class NewtonEulerPage {
 public:
  NewtonEulerPage(const System& system, const RotatingBodies& all)
      : system_(system), all_(all), names_(system), state_(state_symbols(system, {})) {}

  std::optional<VectorEquations> written();

 private:
  // newton_euler_vectors.cpp: letters of rotations, axes, normals and rims
  void prove(const Matrix& m);
  /// The model's name of B Ω, as `space = "omega"` gives it.
  std::string name_of_rotation(const FreeRotation& a);
  /// B, and a letter for the attitude of a body that another carries.
  void name_rotations();
  /// e_k, or an axis of a body.
  std::optional<CovariantTerm> as_axis(const Matrix& m) const;
  /// Normals of curved surfaces, where they are none of the vectors yet.
  void name_normals();
  /// u = a × (a × n)/|a × n|: from the centre of a disk with the axis a towards the point of its edge that touches.
  void name_rims();
  /// u = −B D γ/√⟨γ, Dγ⟩, γ = Bᵀ n: from the centre of an ellipsoid to its point that touches.
  void name_ellipsoids();
  /// From mass centres to the centres of surfaces that touch.
  void name_centres();
  /// The normal among the page's vectors.
  std::optional<CovariantTerm> normal_of(const Contact& contact) const;
  void add_space_vector(const std::vector<std::string>& letters, const CovariantTerm& formula);
  /// An axis of a body gets a letter.
  CovariantTerm axis_name(const CovariantTerm& axis);

  // newton_euler_velocities.cpp
  /// w_b = ω_a + Σ_s a_s u_s.
  bool write_angular_velocity(std::size_t b);
  /// −ρ_a of v_b = Σ_a ω_a × (−ρ_a), as a combination of the page's vectors.
  std::optional<CovariantFit> arm_of(const SolidBody& body, std::size_t a);
  /// t_s = ∂v_b/∂u_s: a × arm, or an axis.
  std::optional<CovariantTerm> stroke_of(const WrittenBody& out, std::size_t s, const Matrix& t) const;
  /// Velocity without the rest: of a turning plane.
  std::optional<CovariantTerm> drift_of(const SolidBody& body) const;
  bool write_velocity(std::size_t b);
  /// v_b = v_parent + w × arm, with w = w_b or a combination of angular velocities.
  std::optional<CovariantTerm> from_parent(std::size_t b) const;
  /// L = J w, J1 w + (J3 − J1) ⟨a, w⟩ a, or R J Rᵀ w.
  void write_angular_momentum(std::size_t b);
  /// J = J1 + (J3 − J1) e eᵀ with e = e_k.
  std::optional<CovariantTerm> with_axis(const SolidBody& body, const CovariantTerm& w, int k);
  CovariantTerm with_tensor(const SolidBody& body, const CovariantTerm& w);

  // newton_euler_balance.cpp
  /// U = −Σ_b ⟨F_b, r_b⟩ up to a constant, with constant forces along e_k.
  bool write_forces();
  std::optional<Symbol> coordinate_of(Symbol velocity) const;
  /// U − U(q = 0) for the coordinates q of other speeds, where it depends on these only: springs. Otherwise 0.
  Expr potential_of_others() const;
  /// Q_s − ∂U/∂q_s of the springs.
  Expr force_on(std::size_t s) const;
  /// v_b' − F_b/m_b.
  CovariantTerm acceleration(const WrittenBody& out) const;
  /// (X.4) for ω_a.
  bool write_rotation(std::size_t a);
  /// (X.4) for another speed.
  bool write_other(std::size_t s);
  void push(const CovariantTerm& left, const CovariantTerm& right);
  /// Residuals of (X.4) along the motion of Lagrange and d'Alembert at random states; shares no code with it.
  bool agrees_with_lagrange() const;

  // newton_euler_kinematics.cpp
  /// n' = (v_b − v_parent)/length, B' = hat(ω) B, and positions.
  bool write_kinematics();
  static Notations quotient_by(Expr length, const CovariantTerm& sum);
  /// (R ± r) n' = (R ω_a ± r ω_b) × n for a ball on a ball that turns.
  void write_normals(std::vector<Symbol>& left);
  /// [x, y, 0]' = v where the position is made of coordinates and numbers.
  void write_position(std::size_t b, std::vector<Symbol>& left);
  /// r' = v with r = C + s n, C the point of contact.
  void write_position_over_contact(std::size_t b, std::vector<Symbol>& left);

  const System& system_;
  const RotatingBodies& all_;
  VectorNames names_;
  std::vector<Symbol> state_;
  std::vector<CovariantTerm> rotation_names_, vectors_;
  std::vector<MovingVector> omegas_;
  std::vector<BodyArm> arms_;  ///< by body
  std::vector<WrittenBody> bodies_;
  std::vector<std::pair<Notations, CovariantTerm>> axis_names_;
  std::vector<Expr> defects_, residuals_;
  Expr springs_ = 0;  ///< part of the potential that depends on other coordinates only
  VectorEquations page_;
};

}  // namespace rattleback
