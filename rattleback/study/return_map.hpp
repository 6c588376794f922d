#pragma once
/// Poincaré's return map of a section on levels of functions, with its derivative, and starts distributed on such a level.

#include <functional>
#include <optional>

#include <rattleback/simulate/runs/variational_motion.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/study/reduced_motion.hpp>

namespace rattleback {

/// A function that keeps its value on the section: an integral, or anything else that chooses the starts.
struct Level {
  std::string name;
  Expr value;  ///< in configuration, velocities and quasi-velocities
  double at = 0;
};

struct SectionQuestion {
  Expr section;       ///< vanishes on it
  int direction = 1;  ///< +1: it grows where the motion passes; −1: it decreases; 0: both
  std::vector<Level> levels;
  double longest = 1000;  ///< time to the next point, after which there is none
  double rtol = 1e-13;
};

/// P(y): the next point of the section after y, the motion itself and the symmetries taken away,
///     DP = Φ − f (∇g·Φ)/(∇g·f + ∂g/∂t)  at the return, with Φ = ∂y(t)/∂y(0);                       (O.24)
/// points are compared up to turns of angles, signs of quaternions and motions along the group. Rates that depend on time need a
/// section in the time alone. Each thread needs its own.
class ReturnMap {
 public:
  /// `state` is one of the flow: what is left out of the reduced motion starts as it does. Throws Error[usage].
  ReturnMap(const System& system, std::span<const double> state, const std::vector<Invariant>& known,
            SectionQuestion question);

  const ReducedMotion& motion() const { return motion_; }
  const SectionQuestion& question() const { return question_; }
  Eigen::VectorXd start() const { return motion_.kept_of(state_); }

  struct Return {
    Eigen::VectorXd state;     ///< what is kept
    double time = 0;           ///< since the start
    Eigen::MatrixXd slope;     ///< DP, where it is asked for
    std::vector<double> full;  ///< the state of the flow
  };
  /// The k-th return; nothing where the motion does not come back in time or meets a singularity.
  std::optional<Return> after(const Eigen::VectorXd& y, int k, bool with_slope = false);
  /// The same backwards in time.
  std::optional<Return> before(const Eigen::VectorXd& y, int k);
  /// The first `count` returns, or as many as there are.
  std::vector<Return> orbit(const Eigen::VectorXd& y, std::size_t count);

  /// The nearest point on section, levels and constraints that is passed the right way; nothing where Newton's method fails.
  std::optional<Eigen::VectorXd> projected(Eigen::VectorXd y);
  /// Section, levels and constraints, with slopes.
  void conditions(const Eigen::VectorXd& y, Eigen::VectorXd& F, Eigen::MatrixXd& slopes);
  /// Moves a point along the group to where it is nearest to another, and by turns and signs; the rows of slopes with it.
  void align(const Eigen::VectorXd& to, Eigen::VectorXd& y, Eigen::MatrixXd* slope);
  /// Tangent to section, constraints and levels of all known integrals, modulo the group: an orthonormal basis.
  Eigen::MatrixXd tangent(const Eigen::VectorXd& y);
  std::vector<double> full_state(const Eigen::VectorXd& y) const;
  /// When a motion starts: 0, or where a section in time vanishes first.
  double start_time() const { return start_time_; }

 private:
  std::optional<Return> passed(const Flow& flow, Stepper& stepper, const Eigen::VectorXd& y, int k,
                               int direction, std::vector<Return>* all);
  void differentiate(const Eigen::VectorXd& y, Return& found);
  void find_start_time();
  Eigen::VectorXd inputs(const Eigen::VectorXd& y, double t = 0) const {
    return motion_.inputs(y, t, Eigen::VectorXd());
  }

  ReducedMotion motion_;
  std::vector<double> state_;
  SectionQuestion question_;
  double start_time_ = 0;
  Flow backwards_;
  std::unique_ptr<SlopedFunctions> section_, levels_;
  Eigen::VectorXd level_values_;
  std::unique_ptr<Stepper> forward_stepper_, backward_stepper_;
  std::unique_ptr<VariationalMotion> variations_;
};

/// Ranges of numbers of the state, by name, from which starts are drawn.
using StartRanges = std::vector<std::pair<std::string, std::pair<double, double>>>;

/// Points of the section on its levels: low-discrepancy points of the ranges, each projected to the nearest point of the level; those that
/// leave the ranges or are passed the other way are dropped. Numbers without a range stay where Newton's method takes them from the start;
/// without any range all numbers vary, angles by their circle and others by their size. Throws Error[no-start].
std::vector<Eigen::VectorXd> starts_on_level(ReturnMap& map, std::size_t count, const StartRanges& ranges);

}  // namespace rattleback
