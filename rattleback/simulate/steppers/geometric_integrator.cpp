// Declared in simulate/steppers/steppers.hpp. The geometric nonholonomic integrator [Ferraro, Iglesias and Martín de Diego 2008], which is RATTLE with momenta that the
/// constraint reflects: with L_d = ½h (L(q, w) + L(q ⊕ h w, w)),
///     p⁻_k = p⁺_k on D,   ½(p⁺_k + p⁻_k) = p̃_k = ∂L/∂v at an admissible velocity v_k.                   (S.13)
/// So p⁻_k = 2 p̃_k − p⁺_k, and no multiplier is solved for. With a constant metric in coordinates the step is explicit. Constraints on
/// positions have multipliers μ, as in RATTLE: p⁻_k changes by A_φᵀ μ so that φ(q_{k+1}, t_{k+1}) = 0.
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/discrete_mechanics.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

/// R = M v̇ − b in the local frame: what the constraints exert.
Code reaction_code(const Flow& flow) {
  const auto mechanics = flow.derived<DiscreteFormulas>();
  const System& system = flow.system();
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix reaction = substitute(lagrange.mass, flow.equations().velocities) *
                              Matrix::column(accelerations_along(system, flow.equations())) -
                          substitute(lagrange.force, flow.equations().velocities);
  std::vector<Expr> local;
  for (const Symbol w : mechanics->symbols) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < system.space.dimension(); ++i)
      terms.push_back(
          reaction[i] *
          derivative(mechanics->frame.at(system.space.velocities()[static_cast<std::size_t>(i)]), w));
    local.push_back(flow.in_quaternions(sum(terms)));
  }
  return flow.code_of(local);
}

struct Reaction {
  explicit Reaction(const Flow& flow) : code(reaction_code(flow)) {}
  Code code;
};

class GeometricIntegrator final : public FixedStepper {
 public:
  GeometricIntegrator(const Flow& flow, const StepperSettings& settings)
      : FixedStepper(flow, settings),
        mechanics_(flow),
        reaction_(flow.derived<Reaction>()),
        react_(reaction_->code, flow.parameter_values<double>()) {
    require_second_order(flow, "gni");
    mechanics_.require_configurations("gni");
  }

  void start(double t, std::span<const double> y) override {
    FixedStepper::start(t, y);
    excess_.resize(0);
  }
  bool has_memory() const override { return true; }

 protected:
  void advance(double h) override {
    const auto here = mechanics_.admissible(t_old_, y_old_);
    if (excess_.size() == 0) begin();
    const Eigen::VectorXd start =
        mechanics_.differential(t_old_, y_old_, here.w).momentum + h * excess_;  // p⁻ = p̃ + ½h Aᵀλ
    const Eigen::VectorXd w = moved_by(h, here.w, start);
    const Eigen::VectorXd after = (mechanics_.momentum_after(t_old_, y_old_, w, h, 0) +
                                   mechanics_.momentum_after(t_old_, y_old_, w, h, 1)) /
                                  2;
    y_ = mechanics_.moved(y_old_, w, h);
    require_solved(mechanics_.set_speeds(t_old_ + h, after, y_));
    const auto there = mechanics_.admissible(t_old_ + h, y_);
    excess_ = (mechanics_.differential(t_old_ + h, y_, there.w).momentum - after) / h;
  }

 private:
  /// The velocity of a step that begins with the momentum p⁻ = start + A_φᵀ μ and ends on φ = 0. Unknown are w and μ.
  Eigen::VectorXd moved_by(double h, const Eigen::VectorXd& guess, const Eigen::VectorXd& start) {
    StatedConstraints* stated = mechanics_.stated();
    const Eigen::Index n = mechanics_.legs(), m = stated == nullptr ? 0 : stated->positions();
    Eigen::MatrixXd directions(n, m);
    if (m > 0) directions = stated->velocity(t_old_, y_old_, guess).rows.topRows(m).transpose();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n + m);
    x.head(n) = guess;
    require_solved(solve_by_newton(
        [&](const Eigen::VectorXd& at) {
          const Eigen::VectorXd w = at.head(n);
          Eigen::VectorXd f(n + m);
          f.head(n) = (mechanics_.momentum_before(t_old_, y_old_, w, h, 0) +
                       mechanics_.momentum_before(t_old_, y_old_, w, h, 1)) /
                          2 -
                      start - directions * at.tail(m);
          if (m > 0) f.tail(m) = stated->position(t_old_ + h, mechanics_.moved(y_old_, w, h)).values / h;
          return f;
        },
        x, m > 0 ? nearly_in_step(h) : 1e-9));
    return x.head(n);
  }
  /// Before the first step the reflection is not known yet: the reaction itself, ½ Aᵀλ per unit of time.
  void begin() {
    std::vector<double> x(y_old_);
    x.push_back(t_old_);
    excess_.resize(mechanics_.legs());
    react_(x.data(), excess_.data());
    excess_ /= 2;
  }

  DiscreteMechanics mechanics_;
  std::shared_ptr<const Reaction> reaction_;
  Evaluator<double> react_;
  Eigen::VectorXd excess_;  ///< (p⁻ − p̃)/h: it follows the step when its length changes
};

}  // namespace

std::unique_ptr<Stepper> geometric_integrator(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<GeometricIntegrator>(flow, settings);
}

}  // namespace rattleback
