/// A Chaplygin system with a multiplier f is Hamiltonian in the time dτ = f dt and the momenta P = f p (C.7). Gauss's method with
/// constant steps of τ,
///     Y_i = y + h_τ Σ_j a_ij g(Y_j),   g = (q̇/f, Ṗ/f),   t' = 1/f,                                        (S.16)
/// is then symplectic for the reduced motion; the state is mapped back to (q, z) and t after each step.
#include <cmath>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/proof/chaplygin_multiplier.hpp>
#include <rattleback/simulate/collocation.hpp>
#include <rattleback/simulate/fixed_step.hpp>
#include <rattleback/simulate/momentum_chart.hpp>
#include <rattleback/simulate/newton.hpp>
#include <rattleback/simulate/steppers.hpp>

namespace rattleback {
namespace {

/// Functions of the state.
struct Hamiltonization {
  Expr f;
  std::vector<Expr> momenta;  ///< P_α = f G_αβ z^β
};

/// The frame moves base coordinates at constant rates, so that {r, P} is constant and Gauss's method keeps it.
bool is_canonical(const ChaplyginBundle& bundle, const ChaplyginMultiplier& x) {
  const int m = bundle.dimension();
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) {
      if (!vanishes_at_random_points(x.magnetic(a, b))) return false;
      for (int d = 0; d < m; ++d)
        if (!vanishes_at_random_points(bundle.c(a, b, d))) return false;
    }
  }
  int base = 0;
  for (const Symbol q : bundle.system.space.functions()) {
    bool constant = true, moves = false;
    for (int i = 0; i < bundle.frame.dimension(); ++i) {
      const Expr rate = bundle.frame[i](Expr(q));
      constant = constant && (rate.is(Kind::constant) && (i < m || rate.is_zero()));
      moves = moves || !rate.is_zero();
    }
    base += constant && moves ? 1 : 0;
  }
  return base >= m;
}

Hamiltonization hamiltonization(const Flow& flow) {
  std::optional<Hamiltonization> found;
  std::string obstacle = "no multiplier in closed form was found";
  const auto visit = [&](const ChaplyginBundle& bundle) {
    if (!(bundle.system.space == flow.system().space)) return false;
    const ChaplyginMultiplier x = chaplygin_multiplier(bundle);
    if (!proved(x.exists) || !x.f) return false;
    if (!is_canonical(bundle, x)) {
      obstacle = "the reduced phase space has no canonical coordinates among those of the model";
      return false;
    }
    std::vector<Expr> z;
    for (const Expr e : bundle.D.definitions) z.push_back(flow.on_state(e));
    const Expr f = flow.in_quaternions(*x.f);
    found = Hamiltonization{f, {}};
    for (int a = 0; a < bundle.dimension(); ++a) {
      std::vector<Expr> terms{Expr(0)};
      for (int b = 0; b < bundle.dimension(); ++b)
        terms.push_back(flow.in_quaternions(bundle.metric(a, b)) * z[static_cast<std::size_t>(b)]);
      found->momenta.push_back(f * sum(terms));
    }
    return true;
  };
  try {
    visit_chaplygin_bundles(flow.system(), visit);
  } catch (const Error& error) {
    obstacle = error.why.empty() ? error.summary : error.why;
  }
  if (found) return *found;
  throw Error("method-does-not-apply", "the method `hamiltonized` does not apply to this model", obstacle,
              "`rattleback analyze MODEL --question chaplygin-multiplier` says more; use --method gauss4");
}

/// P's rates and f, at a state: outputs Ṗ, f.
Code rates_code(const Flow& flow, const Hamiltonization& h) {
  SymbolMap along;
  for (std::size_t i = 0; i < flow.dimension(); ++i)
    along.emplace(flow.state()[i], flow.rate_expressions()[i]);
  std::vector<Expr> out = derivative_along(h.momenta, along);
  out.push_back(h.f);
  return flow.code_of(out);
}

struct HamiltonizedFormulas {
  explicit HamiltonizedFormulas(const Flow& flow) : HamiltonizedFormulas(flow, hamiltonization(flow)) {}
  Code momenta, rates;

 private:
  HamiltonizedFormulas(const Flow& flow, const Hamiltonization& h)
      : momenta(momentum_code(flow, h.momenta)), rates(rates_code(flow, h)) {}
};

std::vector<double> gauss_nodes() { return {0.5 - std::sqrt(3.0) / 6, 0.5 + std::sqrt(3.0) / 6}; }

class Hamiltonized final : public FixedStepper {
 public:
  Hamiltonized(const Flow& flow, const StepperSettings& settings)
      : FixedStepper(flow, settings),
        formulas_(flow.derived<HamiltonizedFormulas>()),
        m_(static_cast<Eigen::Index>(flow.first_speed())),
        r_(static_cast<Eigen::Index>(flow.dimension()) - m_),
        gauss_(gauss_nodes()),
        chart_(flow, {formulas_, &formulas_->momenta}),
        evaluate_(formulas_->rates, flow.parameter_values<double>()),
        out_(formulas_->rates.outputs.size()),
        flow_rate_(flow.dimension()) {}

  void start(double t, std::span<const double> y) override {
    FixedStepper::start(t, y);
    tau_ = 0;
  }

  void step(double end) override {
    if (step_ == 0) step_ = default_step(f_, t_, y_, end - t_);
    leave();
    if (tau_ == 0) tau_ = step_ * multiplier(y_);  // the first step lasts about as long as asked for
    double h = tau_, t = try_step(h);
    // The last step ends where the motion does: t is monotone in h.
    if (!(t < end - 1e-12 * std::abs(end))) {
      for (int i = 0; i < 50 && std::abs(t - end) > 1e-15 * std::abs(end); ++i) {
        h += (end - t) * multiplier(y_);
        t = try_step(h);
      }
      t = end;
    }
    arrive(t);
  }

 protected:
  void advance(double) override {}

 private:
  double multiplier(const std::vector<double>& y) {
    evaluate(y);
    return out_.back();
  }
  void evaluate(const std::vector<double>& y) {
    std::vector<double> x(y);
    x.push_back(0);
    evaluate_(x.data(), out_.data());
  }

  /// (q̇, Ṗ, 1)/f at (q, P).
  Eigen::VectorXd slope(const Eigen::VectorXd& at) {
    std::vector<double>& y = stage_;
    std::copy(at.begin(), at.begin() + m_, y.begin());
    if (!chart_.set_speeds(0, at.segment(m_, r_), y.data()))
      return Eigen::VectorXd::Constant(m_ + r_ + 1, NAN);
    f_(0, y.data(), flow_rate_.data());
    evaluate(y);
    Eigen::VectorXd g(m_ + r_ + 1);
    g << Eigen::Map<const Eigen::VectorXd>(flow_rate_.data(), m_),
        Eigen::Map<const Eigen::VectorXd>(out_.data(), r_), 1;
    return g / out_.back();
  }

  /// The state after Δτ = h from y_old_, into y_; its time.
  double try_step(double h) {
    const Eigen::Index n = m_ + r_ + 1;
    stage_ = y_old_;
    Eigen::VectorXd from(n);
    from << Eigen::Map<const Eigen::VectorXd>(y_old_.data(), m_), chart_.momenta(0, y_old_.data()), t_old_;
    Eigen::VectorXd k(2 * n);
    k << slope(from), slope(from);
    require_solved(solve_by_newton(
        [&](const Eigen::VectorXd& at) {
          Eigen::VectorXd f(2 * n);
          for (Eigen::Index i = 0; i < 2; ++i)
            f.segment(i * n, n) =
                at.segment(i * n, n) -
                slope(from + h * (gauss_.a(i, 0) * at.head(n) + gauss_.a(i, 1) * at.tail(n)));
          return f;
        },
        k));
    const Eigen::VectorXd to = from + h * (gauss_.b[0] * k.head(n) + gauss_.b[1] * k.tail(n));
    y_ = stage_;
    std::copy(to.begin(), to.begin() + m_, y_.begin());
    require_solved(chart_.set_speeds(0, to.segment(m_, r_), y_.data()));
    return to[n - 1];
  }

  std::shared_ptr<const HamiltonizedFormulas> formulas_;
  Eigen::Index m_, r_;
  Collocation gauss_;
  MomentumChart chart_;
  Evaluator<double> evaluate_;
  std::vector<double> out_, flow_rate_, stage_;
  double tau_ = 0;  ///< the constant step of τ
};

}  // namespace

std::unique_ptr<Stepper> hamiltonized(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Hamiltonized>(flow, settings);
}

}  // namespace rattleback
