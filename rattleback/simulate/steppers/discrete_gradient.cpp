// Declared in simulate/steppers/steppers.hpp. Discrete gradients, which keep the energy as the antisymmetric bracket on D* does [Gonzalez 1996; Celledoni,
/// Farré Puiggalí, Høiseth and Martín de Diego 2019]. With y = (q, p), ẏ = Π(y) ∇H and Δ = y_{k+1} − y_k,
///     Δ = h Π(ȳ) ∇̄H,   ∇̄H = ∇H(ȳ) + (H(y_{k+1}) − H(y_k) − ∇H(ȳ)·Δ) Δ/|Δ|²,   ȳ = ½(y_k + y_{k+1}),       (S.15)
/// so that H(y_{k+1}) − H(y_k) = ∇̄H·Δ = 0. Π is the bracket (P.3), H the energy H_c. Constraints on positions have discrete gradients as
/// well [Gonzalez 1999]: with the fields X̄_α = X_α − N ⟨∇̄φ, X_α⟩, ⟨∇̄φ, N⟩ = 1, in place of X_α in Π, φ(q_{k+1}) − φ(q_k) = ∇̄φ·Δq = 0 too. (S.28)
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/discrete_mechanics.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

/// Linear constraints, no forces, nothing that depends on time: then W = 0 in (P.3).
void require_bracket(const Flow& flow) {
  const auto refuse = [](const std::string& why) {
    throw Inapplicable("method-does-not-apply", "the method `discrete-gradient` does not apply to this model",
                       why, "use --method dla-midpoint, hamel, or taylor");
  };
  const System& system = flow.system();
  for (const Expr q : system.forces)
    if (!q.is_zero()) refuse("forces work besides the bracket");
  std::vector<Expr> all{system.lagrangian};
  const auto& z = flow.equations().speeds;
  for (const auto& [v, psi] : flow.equations().velocities) {
    all.push_back(psi);
    std::vector<Expr> homogeneous{-psi};
    for (const Symbol s : z) {
      const Expr slope = derivative(psi, s);
      for (const Expr second : gradient(slope, z))
        if (!vanishes_at_random_points(second)) refuse("the constraints are not linear in the velocities");
      homogeneous.push_back(Expr(s) * slope);
    }
    if (!vanishes_at_random_points(sum(homogeneous)))
      refuse("the constraints move: they are affine in the velocities");
  }
  for (const Symbol s : symbols_of(all))
    if (s == system.time) refuse("the system depends on time, so its energy changes");
}

/// X_α as a field of the model's frame.
std::vector<VectorField> legs_of(const Flow& flow) {
  const Space& space = flow.system().space;
  std::vector<VectorField> legs;
  for (const Symbol z : flow.equations().speeds) {
    std::vector<Expr> x;
    for (const Symbol v : space.velocities()) x.push_back(derivative(flow.equations().velocities.at(v), z));
    legs.emplace_back(space, std::move(x));
  }
  return legs;
}

/// H, ∂H/∂q = −∂ℓ_c/∂q, X_α as rates of the configuration, and Λ_αβ = {p_α, p_β} for α < β.
Code bracket_code(const Flow& flow) {
  const System& system = flow.system();
  const auto configuration = flow.state().first(flow.first_speed());
  const Expr lagrangian = flow.on_state(system.lagrangian);
  std::vector<Expr> out{flow.on_state(energy(system))};
  for (const Expr slope : gradient(lagrangian, configuration)) out.push_back(-slope);
  for (std::size_t i = 0; i < configuration.size(); ++i)
    for (const Expr x : gradient(flow.rate_expressions()[i], flow.equations().speeds)) out.push_back(x);
  const std::vector<Expr> P = momenta_on(system, flow.equations().velocities);
  const std::vector<VectorField> X = legs_of(flow);
  for (std::size_t a = 0; a < X.size(); ++a) {
    for (std::size_t b = a + 1; b < X.size(); ++b) {
      const VectorField c = bracket(X[a], X[b]);
      std::vector<Expr> terms{Expr(0)};
      for (std::size_t i = 0; i < P.size(); ++i) terms.push_back(-(P[i] * c[static_cast<int>(i)]));
      out.push_back(flow.in_quaternions(sum(terms)));
    }
  }
  return flow.code_of(out);
}

struct Bracket {
  explicit Bracket(const Flow& flow) : code(bracket_code(flow)) {}
  Code code;
};

class DiscreteGradient final : public FixedStepper {
 public:
  DiscreteGradient(const Flow& flow, const StepperSettings& settings)
      : FixedStepper(flow, settings),
        m_(static_cast<Eigen::Index>(flow.first_speed())),
        r_(static_cast<Eigen::Index>(flow.dimension()) - m_),
        chart_(flow),
        bracket_(flow.derived<Bracket>()),
        evaluate_(bracket_->code, flow.parameter_values<double>()),
        x_(flow.dimension() + 1),
        out_(bracket_->code.outputs.size()) {
    if (has_position_constraints(flow)) loop_.emplace(flow);
  }

 protected:
  void advance(double h) override {
    const Eigen::VectorXd from = point(y_old_);
    const double energy = energy_at(y_old_);
    std::vector<double> middle = y_old_;
    std::vector<double> rate(y_old_.size());
    f_(t_old_, y_old_.data(), rate.data());
    Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(y_old_.data(), m_ + r_) +
                        h * Eigen::Map<const Eigen::VectorXd>(rate.data(), m_ + r_);
    require_solved(solve_by_newton(
        [&](const Eigen::VectorXd& next) -> Eigen::VectorXd {
          y_.assign(next.begin(), next.end());
          const Eigen::VectorXd to = point(y_), rise = to - from, mean = (to + from) / 2;
          const double gain = energy_at(y_) - energy;
          std::copy(mean.begin(), mean.begin() + m_, middle.begin());
          if (!chart_.set_speeds(0, mean.tail(r_), middle.data()))
            return Eigen::VectorXd::Constant(x.size(), NAN);
          energy_at(middle);
          const Eigen::VectorXd g = discrete(gradient_at(middle), rise, gain);
          return rise - h * poisson(fields(h, middle, rise.head(m_)), g);
        },
        x));
    y_.assign(x.begin(), x.end());
  }

 private:
  /// (q, p) of a state (q, z).
  Eigen::VectorXd point(const std::vector<double>& y) {
    Eigen::VectorXd qp(m_ + r_);
    qp << Eigen::Map<const Eigen::VectorXd>(y.data(), m_), chart_.momenta(0, y.data());
    return qp;
  }
  /// Evaluates everything there; the energy.
  double energy_at(const std::vector<double>& y) {
    std::copy(y.begin(), y.end(), x_.begin());
    evaluate_(x_.data(), out_.data());
    return out_[0];
  }
  /// (∂H/∂q, ∂H/∂p = z) where it was last evaluated.
  Eigen::VectorXd gradient_at(const std::vector<double>& y) const {
    Eigen::VectorXd g(m_ + r_);
    g << Eigen::Map<const Eigen::VectorXd>(out_.data() + 1, m_),
        Eigen::Map<const Eigen::VectorXd>(y.data() + m_, r_);
    return g;
  }
  static Eigen::VectorXd discrete(const Eigen::VectorXd& g, const Eigen::VectorXd& rise, double gain) {
    const double square = rise.squaredNorm();
    if (square < 1e-200) return g;  // at rest
    return g + (gain - g.dot(rise)) / square * rise;
  }
  /// X_α as columns where it was last evaluated; on loops X̄_α (S.28), for a step to y_ whose configuration rises so.
  Eigen::MatrixXd fields(double h, const std::vector<double>& middle, const Eigen::VectorXd& rise) {
    const Eigen::Map<const Eigen::MatrixXd> transposed(out_.data() + 1 + m_, r_,
                                                       m_);  // X_α^i, row by row of i
    Eigen::MatrixXd X = transposed.transpose();
    if (!loop_) return X;
    StatedConstraints& stated = *loop_->stated();
    const StatedConstraints::Position there = stated.position(t_old_ + h, y_),
                                      mean = stated.position(t_old_, middle);
    Eigen::MatrixXd slopes = mean.slopes;
    const double square = rise.squaredNorm();
    if (square > 1e-200)
      slopes += (there.values - mean.slopes * rise) / square * rise.transpose();  // φ(q_k) = 0
    const Eigen::MatrixXd T = loop_->rates_of_configuration(middle);
    Eigen::MatrixXd rows = stated.velocity(t_old_, middle, loop_->admissible(t_old_, middle).w).rows;
    rows.topRows(stated.positions()) = slopes * T;
    const Eigen::MatrixXd N =
        dense::least_norm_columns(rows, Eigen::MatrixXd::Identity(stated.all(), stated.positions()));
    return X - T * N * (slopes * X);
  }
  /// Π g: q̇ = X_α g^α and ṗ_α = −X_α g_q + Λ_αβ g^β.
  Eigen::VectorXd poisson(const Eigen::MatrixXd& X, const Eigen::VectorXd& g) const {
    const double* lambda = out_.data() + 1 + m_ + m_ * r_;
    Eigen::VectorXd rate(m_ + r_);
    rate << X * g.tail(r_), -X.transpose() * g.head(m_);
    for (Eigen::Index a = 0; a < r_; ++a) {
      for (Eigen::Index b = a + 1; b < r_; ++b, ++lambda) {
        rate[m_ + a] += *lambda * g[m_ + b];
        rate[m_ + b] -= *lambda * g[m_ + a];
      }
    }
    return rate;
  }

  Eigen::Index m_, r_;  ///< numbers of the configuration, speeds
  MomentumChart chart_;
  std::optional<DiscreteMechanics> loop_;  ///< where positions are constrained
  std::shared_ptr<const Bracket> bracket_;
  Evaluator<double> evaluate_;
  std::vector<double> x_, out_;
};

}  // namespace

std::unique_ptr<Stepper> discrete_gradient(const Flow& flow, const StepperSettings& settings) {
  require_parametrized(flow, "discrete-gradient");
  require_bracket(flow);
  return std::make_unique<DiscreteGradient>(flow, settings);
}

}  // namespace rattleback
