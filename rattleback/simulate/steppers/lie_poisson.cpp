// Declared in simulate/steppers/steppers.hpp. Variational integrator on Lie groups: a system whose projected bracket is a Lie bracket S is Lie–Poisson in the momenta p = G z of
/// its admissible velocities (C.15), in the time it has: ṗ = (ad_z)ᵀ p, ad_z = z^β S_β·^·. The discrete action h l(ζ) of a motion that is
/// exp(h ζ) in one step gives, with X = h ad_ζ,
///     p₀ = w(−X)ᵀ G ζ,   p₁ = w(X)ᵀ G ζ = exp(X)ᵀ p₀,   w(X) = X/(1 − e^{−X}),                                     (S.29)
/// a symmetric map that is Poisson and keeps coadjoint orbits. The configuration moves with the constant velocity ζ. Five such steps [Suzuki
/// 1990] make one of order 4.
#include <algorithm>
#include <array>
#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

using Vector = Eigen::VectorXd;
using Dense = Eigen::MatrixXd;

/// Before an invariant frame is searched for: the rates of the speeds are functions of the speeds.
void require_speeds_alone(const Flow& flow) {
  const auto rates = flow.rate_expressions().subspan(flow.first_speed());
  for (std::size_t i = 0; i < flow.first_speed(); ++i)
    for (const Expr rate : rates)
      if (contains(rate, flow.state()[i]) && !vanishes_at_random_points(derivative(rate, flow.state()[i])))
        throw Inapplicable("method-does-not-apply", "", "the speeds depend on the configuration", "");
}

bool are_called_alike(const std::vector<Symbol>& a, const std::vector<Symbol>& b) {
  return std::ranges::equal(
      a, b, {}, [](Symbol s) { return s.name(); }, [](Symbol s) { return s.name(); });
}

/// S_αβ^γ and G^αβ = ∂²h/∂p∂p as functions of the parameters; made once for a flow.
struct LiePoissonFormulas {
  /// Throws Inapplicable.
  explicit LiePoissonFormulas(const Flow& flow) {
    require_speeds_alone(flow);
    const SuslovHamiltonization x = suslov_hamiltonization(flow.system());
    if (!proved(x.is_lie))
      throw Inapplicable("method-does-not-apply", "", "the projected bracket is not a Lie bracket", "");
    if (!are_called_alike(x.d.speeds, flow.equations().speeds))
      throw Inapplicable("method-does-not-apply", "", "the speeds are not those of an invariant frame", "");
    rank = x.d.rank();
    std::vector<Expr> all;
    for (int a = 0; a < rank; ++a)
      for (int b = 0; b < rank; ++b)
        for (int c = 0; c < rank; ++c) all.push_back(x.S(a, b, c));
    for (const Expr v : gradient(x.hamiltonian, x.momenta))
      for (const Expr g : gradient(v, x.momenta)) all.push_back(g);
    code = flow.code_of(all);
  }

  int rank;
  Code code;
};

/// w(X) = X/(1 − e^{−X}) = Σ B_k X^k/k!, to rounding for |X| < 1/2.
Dense inverse_of_dexp(const Dense& X) {
  constexpr std::array even{1.0 / 12,         -1.0 / 720,     1.0 / 30240,
                            -1.0 / 1209600,   1.0 / 47900160, -691.0 / 1307674368000,
                            1.0 / 74724249600};
  const Dense one = Dense::Identity(X.rows(), X.cols()), square = X * X;
  Dense sum = Dense::Zero(X.rows(), X.cols());
  for (std::size_t k = even.size(); k-- > 0;) sum = (square * (sum + even[k] * one)).eval();
  return one + X / 2 + sum;
}

class LiePoisson final : public FixedStepper {
 public:
  LiePoisson(const Flow& flow, const StepperSettings& settings)
      : FixedStepper(flow, settings),
        formulas_(flow.derived<LiePoissonFormulas>()),
        first_(flow.first_speed()),
        r_(formulas_->rank) {
    Evaluator<double> evaluate(formulas_->code, flow.parameter_values<double>());
    const std::vector<double> nowhere(flow.dimension() + 1, 0.0);
    numbers_.resize(formulas_->code.outputs.size());
    evaluate(nowhere.data(), numbers_.data());
    const Eigen::Map<const Dense> cometric(numbers_.data() + r_ * r_ * r_, r_, r_);
    metric_ = dense::inverse(cometric);
    rate_.resize(flow.dimension());
  }

 protected:
  void advance(double h) override {
    y_ = y_old_;
    const double outer = 1 / (4 - std::cbrt(4.0));
    for (const double part : {outer, outer, 1 - 4 * outer, outer, outer}) require_solved(move(part * h));
  }

 private:
  Dense ad(const Vector& z) const {
    Dense A = Dense::Zero(r_, r_);
    for (int b = 0; b < r_; ++b)
      for (int a = 0; a < r_; ++a)
        for (int c = 0; c < r_; ++c) {
          const int at = (b * r_ + a) * r_ + c;
          A(c, a) += z[b] * numbers_[static_cast<std::size_t>(at)];
        }
    return A;
  }

  /// One step of (S.29).
  bool move(double h) {
    const Eigen::Map<Vector> z(y_.data() + first_, r_);
    const Vector p = metric_ * z;
    Vector zeta = z;
    const auto residual = [&](const Vector& guess) -> Vector {
      return inverse_of_dexp(-h * ad(guess)).transpose() * (metric_ * guess) - p;
    };
    if (!solve_by_newton(residual, zeta)) return false;
    const Dense X = h * ad(zeta);
    if (!(X.norm() < 0.5)) return false;  // beyond, the series is not exact
    const Vector after = dense::solve(metric_, inverse_of_dexp(X).transpose() * (metric_ * zeta));
    move_configuration(zeta, h);
    std::copy(after.begin(), after.end(), y_.begin() + static_cast<std::ptrdiff_t>(first_));
    return true;
  }

  /// Along the velocity ζ of the invariant frame, by Kutta's method in two steps.
  void move_configuration(const Vector& zeta, double h) {
    std::copy(zeta.begin(), zeta.end(), y_.begin() + static_cast<std::ptrdiff_t>(first_));
    std::vector<double> at = y_, sum(first_);
    constexpr std::array<double, 4> node{0, 0.5, 0.5, 1}, weight{1, 2, 2, 1};
    for (int half = 0; half < 2; ++half) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t s = 0; s < 4; ++s) {
        for (std::size_t i = 0; i < first_; ++i) at[i] = y_[i] + node[s] * h / 2 * (s == 0 ? 0 : rate_[i]);
        f_(t_old_, at.data(), rate_.data());
        for (std::size_t i = 0; i < first_; ++i) sum[i] += weight[s] * rate_[i];
      }
      for (std::size_t i = 0; i < first_; ++i) y_[i] += h / 12 * sum[i];
      manifold_(t_old_, y_.data());
    }
  }

  std::shared_ptr<const LiePoissonFormulas> formulas_;
  std::size_t first_;
  int r_;
  std::vector<double> numbers_, rate_;
  Dense metric_;  ///< G
};

}  // namespace

std::unique_ptr<Stepper> lie_poisson(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<LiePoisson>(flow, settings);
}

}  // namespace rattleback
