#include <rattleback/study/step_derivative.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/steppers/collocation.hpp>
#include <rattleback/simulate/steppers/precise_step.hpp>

namespace rattleback {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

constexpr double apart = 2e-4;            ///< of differences
constexpr std::size_t checked_each = 16;  ///< steps

/// Orthonormal directions of the states near y: the axes, and for a unit quaternion q those of q i, q j, q k.
Mat tangent_basis(const Flow& flow, const Vec& y) {
  const Eigen::Index n = y.size(), quaternions = static_cast<Eigen::Index>(flow.quaternions().size());
  Mat basis = Mat::Zero(n, n - quaternions);
  Eigen::Index column = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool begins = std::find(flow.quaternions().begin(), flow.quaternions().end(),
                                  static_cast<std::size_t>(i)) != flow.quaternions().end();
    if (!begins) {
      basis(i, column++) = 1;
      continue;
    }
    const double w = y[i], a = y[i + 1], b = y[i + 2], c = y[i + 3];
    basis.block(i, column, 4, 3) << -a, -b, -c, w, -c, b, c, w, -a, -b, a, w;
    column += 3;
    i += 3;
  }
  return basis;
}

/// Coordinates that neither the Lagrangian, nor forces, nor admissible velocities, nor rates contain: no method has anything else to know.
std::vector<Eigen::Index> idle_numbers(const Flow& flow) {
  std::vector<Expr> all{flow.on_state(flow.system().lagrangian)};
  for (const Expr force : flow.system().forces) all.push_back(flow.on_state(force));
  for (const auto& [v, psi] : flow.equations().velocities) all.push_back(flow.on_state(psi));
  all.insert(all.end(), flow.rate_expressions().begin(), flow.rate_expressions().end());
  const auto used = symbols_of(all);
  std::vector<Eigen::Index> idle;
  const auto is_turned = [&](std::size_t i) {
    return std::any_of(flow.quaternions().begin(), flow.quaternions().end(),
                       [&](std::size_t q) { return q <= i && i < q + 4; });
  };
  for (std::size_t i = 0; i < flow.first_speed(); ++i)
    if (!is_turned(i) && std::find(used.begin(), used.end(), flow.state()[i]) == used.end())
      idle.push_back(static_cast<Eigen::Index>(i));
  return idle;
}

/// Munthe-Kaas's method is Kutta's where nothing turns.
std::string tableau_name(const Flow& flow, const std::string& method) {
  return method == "munthe-kaas" && flow.quaternions().empty() ? "rk4" : method;
}

}  // namespace

/// Stages Y_i = y + h Σ_j a_ij k_j of a Runge–Kutta method, and with them ∂Φ/∂y = 1 + h Σ_i b_i K_i, where
///     K_i = J_i (1 + h Σ_j a_ij K_j),   J_i = ∂f/∂y(t + c_i h, Y_i).                                                 (S.31)
class StepDerivative::Stages {
 public:
  Stages(const Flow& flow, ButcherTableau<double> method)
      : method_(std::move(method)),
        derivative_(flow.rates(), flow.parameter_values<double>(), flow.dimension()) {
    if (!method_.is_explicit) equations_.emplace(flow, method_.c);
  }

  /// Φ before the quaternions are normalised, and its derivative.
  std::pair<Vec, Mat> derivative(double t, double h, const Vec& y) {
    const Eigen::Index n = y.size(), s = static_cast<Eigen::Index>(method_.b.size());
    if (equations_ && !equations_->solve(t, h, {y.data(), static_cast<std::size_t>(n)}))
      throw StepFailure(t, "the stages of the step have no solution nearby");
    Mat k(n, s), system = Mat::Identity(n * s, n * s), slopes(n * s, n);
    if (equations_) k = equations_->rates();
    std::vector<double> x(static_cast<std::size_t>(n) + 1);
    Vec rate(n);
    Mat J(n, n);
    for (Eigen::Index i = 0; i < s; ++i) {
      Vec stage = y;
      for (Eigen::Index j = 0; j < coefficients(i); ++j) stage += h * a(i, j) * k.col(j);
      std::copy(stage.begin(), stage.end(), x.begin());
      x.back() = t + method_.c[static_cast<std::size_t>(i)] * h;
      derivative_(x.data(), rate.data(), J.data());
      k.col(i) = rate;
      slopes.middleRows(i * n, n) = J;
      for (Eigen::Index j = 0; j < coefficients(i); ++j) system.block(i * n, j * n, n, n) -= h * a(i, j) * J;
    }
    const Mat K = dense::solve_columns(system, slopes);
    Vec image = y;
    Mat whole = Mat::Identity(n, n);
    for (Eigen::Index i = 0; i < s; ++i) {
      const double b = method_.b[static_cast<std::size_t>(i)];
      image += h * b * k.col(i);
      whole += h * b * K.middleRows(i * n, n);
    }
    return {image, whole};
  }

 private:
  Eigen::Index coefficients(Eigen::Index i) const {
    return static_cast<Eigen::Index>(method_.a[static_cast<std::size_t>(i)].size());
  }
  double a(Eigen::Index i, Eigen::Index j) const {
    return method_.a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }

  ButcherTableau<double> method_;
  Jacobian derivative_;
  std::optional<StageEquations> equations_;  ///< of an implicit method
};

StepDerivative::StepDerivative(const Flow& flow, const std::string& method, double step, By by)
    : flow_(flow),
      h_(step),
      stepper_(stepper_named(method).make(flow, {.rtol = 1e-13, .atol = 1e-15, .step = step})) {
  if (stepper_->has_memory())
    throw Error("usage", fmt::format("a step of `{}` depends on those before it", method),
                "it carries a momentum that the state does not determine, so a step is no map of states",
                "choose another method of constant step: `rattleback simulate --help` lists them");
  if (auto tableau = exact_tableau<double>(tableau_name(flow, method)); tableau && by == By::stages)
    stages_ = std::make_unique<Stages>(flow, std::move(*tableau));
  else
    idle_ = idle_numbers(flow);
}

StepDerivative::~StepDerivative() = default;

Vec StepDerivative::step(double t, const Vec& y) {
  if (!is_exact()) nearby_.keep_next_step();
  return stepped(t, y);
}

double StepDerivative::log_determinant(double t, const Vec& y, const Vec& image) {
  ++steps_;
  if (is_exact()) {
    auto [before, derivative] = stages_->derivative(t, h_, y);
    for (const std::size_t q : flow_.quaternions()) {
      const auto i = static_cast<Eigen::Index>(q);
      derivative.middleRows(i, 4) /= before.segment(i, 4).norm();  // of q/|q|, along the sphere
    }
    const Mat between = tangent_basis(flow_, image).transpose() * derivative * tangent_basis(flow_, y);
    return std::log(std::abs(dense::determinant(between)));
  }
  if (steps_ == 1) check_idle(t, y);
  const double found = by_differences(t, y, image, apart);
  if (steps_ % checked_each == 1) {
    const double change = by_differences(t, y, image, 2 * apart) - found;
    ++checks_;
    changes_ += change;
    squares_ += change * change;
  }
  return found;
}

double StepDerivative::error() const {
  if (checks_ == 0) return 0;
  const double checks = static_cast<double>(checks_), steps = static_cast<double>(steps_);
  return steps * std::abs(changes_) / checks + 2 * std::sqrt(steps * squares_ / checks);
}

Vec StepDerivative::stepped(double t, const Vec& y) {
  stepper_->start(t, {y.data(), static_cast<std::size_t>(y.size())});
  stepper_->step(t + h_);
  const auto after = stepper_->state();
  return Eigen::Map<const Vec>(after.data(), static_cast<Eigen::Index>(after.size()));
}

/// A quaternion moves along its sphere: the differences have equal lengths there.
Vec StepDerivative::moved(const Vec& y, const Vec& by) const {
  Vec z = y + by;
  for (const std::size_t q : flow_.quaternions()) {
    const auto i = static_cast<Eigen::Index>(q);
    const double s = by.segment(i, 4).norm();
    if (s > 0) z.segment(i, 4) = std::cos(s) * y.segment(i, 4) + std::sin(s) / s * by.segment(i, 4);
  }
  return z;
}

Mat StepDerivative::slopes(double t, const Vec& y, const Mat& from, double e) {
  Mat found(y.size(), from.cols());
  for (Eigen::Index j = 0; j < from.cols(); ++j) {
    const auto at = [&](double s) {
      nearby_.start_from_kept();
      return stepped(t, moved(y, s * from.col(j)));
    };
    found.col(j) = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
  }
  return found;
}

void StepDerivative::check_idle(double t, const Vec& y) {
  const Mat axes = Mat::Identity(y.size(), y.size())(Eigen::all, idle_);
  if (!((slopes(t, y, axes, apart) - axes).norm() < 1e-8)) idle_.clear();
}

double StepDerivative::by_differences(double t, const Vec& y, const Vec& image, double e) {
  const Mat from = tangent_basis(flow_, y), to = tangent_basis(flow_, image);
  std::vector<Eigen::Index> moving;  // directions along which something depends
  for (Eigen::Index j = 0; j < from.cols(); ++j)
    if (std::none_of(idle_.begin(), idle_.end(), [&](Eigen::Index i) { return from(i, j) == 1; }))
      moving.push_back(j);
  Mat whole = from;
  whole(Eigen::all, moving) = slopes(t, y, from(Eigen::all, moving), e);
  return std::log(std::abs(dense::determinant(to.transpose() * whole)));
}

}  // namespace rattleback
