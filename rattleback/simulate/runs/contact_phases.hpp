#pragma once
/// Phases of a motion whose contacts open and close: the equations of every combination, and the inertia that impacts meet.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <rattleback/simulate/runs/impact.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/states/reaction_forces.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

/// `closed`: as the model says, which rolls unless it says rolls = false.
enum class Touch : std::uint8_t { open, closed, sliding };

/// A contact that can open.
struct OpeningContact {
  Contact contact;
  std::size_t gap = 0;                ///< its constraint among those of the system
  std::vector<std::size_t> slipping;  ///< the constraints that forbid slipping
  std::vector<std::size_t> all;       ///< everything that goes when it opens
  double side = 1;                    ///< of the gap where it is open
  ImpactLaw law;
};

/// What impacts need at a state: M, the constraints C = A v + … with their values, and the velocities at which contacts leave.
struct ContactMechanics {
  Eigen::MatrixXd mass, rows, leaving;
  Eigen::VectorXd values, leaving_values;
};

class ContactPhases {
 public:
  /// Of a system with gap coordinates. Throws Error[cannot-fly] when no contact can open, or a coefficient makes no sense.
  explicit ContactPhases(System system);
  ContactPhases(const ContactPhases&) = delete;
  ContactPhases& operator=(const ContactPhases&) = delete;

  using Touches = std::vector<Touch>;
  struct Phase {
    explicit Phase(System system)
        : flow(std::move(system), Flow::Effort::quick, Flow::Speeds::all), forces(flow) {}
    Flow flow;  ///< in all velocities, so that all phases have the same states
    ReactionForces forces;
    std::unique_ptr<Stepper> stepper;
  };

  /// On which side of its zero each gap is open, from the directions in which contacts leave at a state.
  void choose_sides(std::span<const double> y);

  const System& system() const { return system_; }
  const std::vector<OpeningContact>& contacts() const { return contacts_; }
  Phase& phase(const Touches& touches);
  /// With every contact open: states and functions of them, for all phases.
  const Flow& free() const { return free_; }
  ContactMechanics mechanics(double t, std::span<const double> y);
  /// gap_k, positive where the contact is open.
  double gap(std::size_t k, double t, std::span<const double> y);
  /// The constraints that hold while contacts touch in this way.
  std::vector<std::size_t> constraints(const Touches& touches) const;

 private:
  System system_of(const Touches& touches) const;

  System system_;
  std::vector<OpeningContact> contacts_;
  Flow free_;
  std::optional<Observer> mechanics_, gaps_;
  std::map<Touches, std::unique_ptr<Phase>> phases_;
};

/// K = M⁻¹ restricted to velocities that keep A v: Δv = K Cᵀ P for impulses P, and the impulses −S⁻¹A M̃⁻¹Cᵀ P of A, M̃ = M + AᵀA.   (S.22)
struct RestrictedInertia {
  RestrictedInertia(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& kept);
  Eigen::MatrixXd K;
  Eigen::MatrixXd kept_impulse;  ///< of the rows that are kept, for a unit of generalised impulse
};

}  // namespace rattleback
