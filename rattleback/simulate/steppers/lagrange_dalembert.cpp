// Declared in simulate/steppers/steppers.hpp. Discrete Lagrange–d'Alembert methods [Cortés and Martínez 2001; McLachlan and Perlmutter 2006].
///
/// With the discrete Lagrangian of (S.11) and the constraint at the same point of the step,
///     ⟨p⁻_k − p⁺_k, X_α(q_k)⟩ = 0,   w_k ∈ D at q_k ⊕ αh w_k.                                        (S.12)
/// At a node p⁺ and p⁻ agree on D: that is the momentum p_α of an admissible velocity, so a step leads from state to state. Constraints on
/// positions hold at the nodes, as in SHAKE and RATTLE; with multipliers μ of all constraints,
///     p⁻_k − p_k = A(q_k)ᵀ μ,   φ(q_{k+1}, t_{k+1}) = 0,   C(q_k ⊕ αh w_k, w_k) = 0 for the others.           (S.27)
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/discrete_mechanics.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

/// One part of a step: its share of h, and where the Lagrangian is taken.
struct Part {
  double share, alpha;
};

class DiscreteDalembert final : public FixedStepper {
 public:
  DiscreteDalembert(const Flow& flow, const StepperSettings& settings, std::vector<Part> parts)
      : FixedStepper(flow, settings), parts_(std::move(parts)), mechanics_(flow) {}

  const DiscreteMechanics& mechanics() const { return mechanics_; }

 protected:
  void advance(double h) override {
    double t = t_old_;
    y_ = y_old_;
    for (const Part& part : parts_) {
      if (mechanics_.stated() != nullptr)
        with_multipliers(t, part.share * h, part.alpha);
      else
        one(t, part.share * h, part.alpha);
      t += part.share * h;
    }
  }

 private:
  /// Unknown are w and the speeds ζ of w at the point where the constraint is taken.
  void one(double t, double h, double alpha) {
    const Eigen::Index n = mechanics_.legs(), r = mechanics_.speeds();
    const auto here = mechanics_.admissible(t, y_);
    const Eigen::VectorXd p = mechanics_.momenta(t, y_);
    const std::size_t first = y_.size() - static_cast<std::size_t>(r);
    Eigen::VectorXd x(n + r);
    x << here.w, Eigen::Map<const Eigen::VectorXd>(y_.data() + first, r);
    const auto defect = [&](const Eigen::VectorXd& at) {
      const Eigen::VectorXd w = at.head(n);
      std::vector<double> inside = mechanics_.moved(y_, w, alpha * h);
      std::copy(at.begin() + n, at.end(), inside.begin() + static_cast<std::ptrdiff_t>(first));
      Eigen::VectorXd f(n + r);
      f.head(r) = here.legs.transpose() * mechanics_.momentum_before(t, y_, w, h, alpha) - p;
      f.tail(n) = w - mechanics_.admissible(t + alpha * h, inside).w;
      return f;
    };
    require_solved(solve_by_newton(defect, x));
    const Eigen::VectorXd w = x.head(n), guess = x.tail(r);
    const Eigen::VectorXd after = mechanics_.momentum_after(t, y_, w, h, alpha);
    y_ = mechanics_.moved(y_, w, h);
    std::copy(guess.begin(), guess.end(), y_.begin() + static_cast<std::ptrdiff_t>(first));
    require_solved(mechanics_.set_speeds(t + h, after, y_));
  }

  /// The same where positions are constrained, or no speeds parametrise the constraint. Unknown are w and μ.
  void with_multipliers(double t, double h, double alpha) {
    StatedConstraints& stated = *mechanics_.stated();
    const Eigen::Index n = mechanics_.legs(), m = stated.all(), others = stated.others();
    const Eigen::VectorXd v = mechanics_.admissible(t, y_).w, p = mechanics_.differential(t, y_, v).momentum;
    const Eigen::MatrixXd directions = stated.velocity(t, y_, v).rows.transpose();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n + m);
    x.head(n) = v;
    const auto defect = [&](const Eigen::VectorXd& at) {
      const Eigen::VectorXd w = at.head(n);
      Eigen::VectorXd f(n + m);
      f << mechanics_.momentum_before(t, y_, w, h, alpha) - p - directions * at.tail(m),
          stated.position(t + h, mechanics_.moved(y_, w, h)).values / h,
          stated.velocity(t + alpha * h, mechanics_.moved(y_, w, alpha * h), w).values.tail(others);
      return f;
    };
    require_solved(solve_by_newton(defect, x, nearly_in_step(h)));
    const Eigen::VectorXd w = x.head(n), after = mechanics_.momentum_after(t, y_, w, h, alpha);
    y_ = mechanics_.moved(y_, w, h);
    require_solved(mechanics_.set_speeds(t + h, after, y_));
  }

  std::vector<Part> parts_;
  DiscreteMechanics mechanics_;
};

std::unique_ptr<Stepper> made(const Flow& flow, const StepperSettings& settings, const std::string& name,
                              std::vector<Part> parts) {
  require_second_order(flow, name);
  auto stepper = std::make_unique<DiscreteDalembert>(flow, settings, std::move(parts));
  stepper->mechanics().require_configurations(name);
  return stepper;
}

}  // namespace

std::unique_ptr<Stepper> discrete_dalembert(const Flow& flow, const StepperSettings& settings) {
  return made(flow, settings, "dla", {{1, 0}});
}

std::unique_ptr<Stepper> discrete_dalembert_midpoint(const Flow& flow, const StepperSettings& settings) {
  return made(flow, settings, "dla-midpoint", {{1, 0.5}});
}

/// Half a step, and half a step of its adjoint, which takes everything at the other end.
std::unique_ptr<Stepper> discrete_dalembert_reversible(const Flow& flow, const StepperSettings& settings) {
  return made(flow, settings, "dla-reversible", {{0.5, 0}, {0.5, 1}});
}

}  // namespace rattleback
