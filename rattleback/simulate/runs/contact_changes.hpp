#pragma once
/// How contacts change in a run with flight: they open, land with an impact, slip and stick. A change alters velocities and which
/// constraints hold, never positions.

#include <vector>

#include <rattleback/simulate/runs/contact_phases.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// The state of a run, and which of its contacts touch.
class ContactChanges {
 public:
  ContactChanges(ContactPhases& phases, std::span<const double> y, bool in_flight);

  double time = 0;
  std::vector<double> y;
  ContactPhases::Touches touches;

  std::size_t contacts() const { return touches.size(); }
  const OpeningContact& contact(std::size_t k) const { return phases_.contacts()[k]; }
  ContactPhases::Phase& phase() { return phases_.phase(touches); }

  struct Force {
    double normal = 0, tangential = 0;
    Eigen::VectorXd
        direction;  ///< of the force within the plane of contact, by the constraints that forbid slipping
  };
  Force force(std::size_t k, double at, std::span<const double> state);
  /// The speed at which a contact slips.
  double slip(std::size_t k, double at, std::span<const double> state);
  /// Slipping below this has ended.
  double slow() const;
  bool can_slip(std::size_t k) const { return contact(k).law.friction && !contact(k).slipping.empty(); }
  /// How far an open contact is above what counts as landed.
  double height(std::size_t k, double at, std::span<const double> state) {
    return phases_.gap(k, at, state) - lowest_[k];
  }

  /// In flight: above its support; what touches and does not approach is in contact. Throws Error[below-support].
  void start_in_flight();
  /// Throws StepFailure where the contact has to slip first and nothing says how.
  void lift_off(std::size_t k);
  /// Friction is exhausted: the contact slips against the force that held it.
  void begin_to_slip(std::size_t k);
  /// Rolling if friction holds it, otherwise in another direction; settle() decides.
  void end_slipping(std::size_t k);
  /// The impact of an open contact; what it loses is not computed here.
  ContactImpact land(std::size_t k);
  /// Contacts that would have to pull open; those that friction does not hold slip.
  void settle();

 private:
  std::size_t first_speed() const { return phases_.free().first_speed(); }
  double rounding() const;
  void open(std::size_t k);
  bool falls_back(std::size_t k);
  Eigen::MatrixXd rows_of(std::size_t k, const ContactMechanics& now) const;
  Eigen::VectorXd velocity_of(std::size_t k, const ContactMechanics& now) const;
  Eigen::MatrixXd kept_rows(const ContactPhases::Touches& which, const ContactMechanics& now) const;
  bool release(ContactPhases::Touches& which, const Eigen::VectorXd& impulses) const;
  ContactImpulse struck(std::size_t k, const ContactMechanics& now, const Eigen::VectorXd& gamma,
                        bool& closes);
  void add_to_velocity(const Eigen::VectorXd& dv);
  void project();

  ContactPhases& phases_;
  std::vector<double> fastest_;  ///< approach of each contact so far
  std::vector<double> lowest_;   ///< gap below which an open contact has landed
  std::vector<double> found_;
};

}  // namespace rattleback
