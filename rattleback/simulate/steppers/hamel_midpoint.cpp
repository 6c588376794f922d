// Declared in simulate/steppers/steppers.hpp. Hamel's equations in discrete time, on quasi-velocities [Ball and Zenkov 2015]: with the point and the velocity of a step
/// taken in its middle, w = ψ(q_k ⊕ ½h w, ζ),
///     p_α(q_{k+½}, ζ) = p_α,k + ½h F_α,   q_{k+1} = q_k ⊕ h w,   p_α,k+1 = p_α,k + h F_α,                  (S.14)
/// F_α the right-hand side of Hamel's equations (H.2) there. No bracket of the frame is discretised apart from it. Constraints on positions
/// hold at the nodes: w = ψ + N μ with N = A⁺ in the middle, of which only positions notice, and φ(q_{k+1}, t_{k+1}) = 0.
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/discrete_mechanics.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

/// F_α = dp_α/dt along the motion.
Code momentum_rates(const Flow& flow) {
  SymbolMap rates{{flow.system().time, Expr(1)}};
  for (std::size_t i = 0; i < flow.dimension(); ++i)
    rates.emplace(flow.state()[i], flow.rate_expressions()[i]);
  return flow.code_of(derivative_along(constrained_momenta(flow), rates));
}

struct MomentumRates {
  explicit MomentumRates(const Flow& flow) : code(momentum_rates(flow)) {}
  Code code;
};

class HamelMidpoint final : public FixedStepper {
 public:
  HamelMidpoint(const Flow& flow, const StepperSettings& settings)
      : FixedStepper(flow, settings),
        mechanics_(flow),
        rates_(flow.derived<MomentumRates>()),
        force_(rates_->code, flow.parameter_values<double>()) {}

 protected:
  void advance(double h) override {
    StatedConstraints* stated = mechanics_.stated();
    const Eigen::Index n = mechanics_.legs(), r = mechanics_.speeds(),
                       m = stated == nullptr ? 0 : stated->positions();
    const auto first = static_cast<std::ptrdiff_t>(y_.size()) - r;
    const Eigen::VectorXd p = mechanics_.momenta(t_old_, y_old_);
    Eigen::VectorXd x(n + r + m), force(r);
    x << mechanics_.admissible(t_old_, y_old_).w, Eigen::Map<const Eigen::VectorXd>(y_old_.data() + first, r),
        Eigen::VectorXd::Zero(m);
    const double middle = t_old_ + h / 2;
    const auto residual = [&](const Eigen::VectorXd& at) {
      std::vector<double> inside = mechanics_.moved(y_old_, at.head(n), h / 2);
      std::copy(at.begin() + n, at.begin() + n + r, inside.begin() + first);
      Eigen::VectorXd f(n + r + m);
      f.head(n) = at.head(n) - mechanics_.admissible(middle, inside).w;
      if (m > 0) {
        f.head(n) -= normal_directions(*stated, middle, inside, at.head(n)) * at.tail(m);
        f.tail(m) = stated->position(t_old_ + h, mechanics_.moved(y_old_, at.head(n), h)).values / h;
      }
      inside.push_back(middle);
      force_(inside.data(), force.data());
      inside.pop_back();
      f.segment(n, r) = mechanics_.momenta(middle, inside) - p - h / 2 * force;
      return f;
    };
    require_solved(m > 0 ? solve_by_newton(residual, x, nearly_in_step(h)) : solve_by_newton(residual, x));
    residual(x);  // the force at the solution: the last one asked for may be one of the differences
    y_ = mechanics_.moved(y_old_, x.head(n), h);
    std::copy(x.begin() + n, x.begin() + n + r, y_.begin() + first);
    require_solved(mechanics_.chart().set_speeds(t_old_ + h, p + h * force, y_.data()));
  }

 private:
  /// N with A N = (1, 0): velocities that change positions off φ = 0, and no other constraint.
  static Eigen::MatrixXd normal_directions(StatedConstraints& stated, double t, std::span<const double> y,
                                           const Eigen::VectorXd& w) {
    return dense::least_norm_columns(stated.velocity(t, y, w).rows,
                                     Eigen::MatrixXd::Identity(stated.all(), stated.positions()));
  }

  DiscreteMechanics mechanics_;
  std::shared_ptr<const MomentumRates> rates_;
  Evaluator<double> force_;
};

}  // namespace

std::unique_ptr<Stepper> hamel_midpoint(const Flow& flow, const StepperSettings& settings) {
  require_parametrized(flow, "hamel");
  return std::make_unique<HamelMidpoint>(flow, settings);
}

}  // namespace rattleback
