// Declared in simulate/steppers/steppers.hpp. Radau IIA of order 5, adaptive: for stiff motions [Hairer and Wanner 1996, IV.8].
#include <cmath>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/steppers/collocation.hpp>
#include <rattleback/simulate/steppers/step_control.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

std::vector<double> radau_nodes() {
  const double r = std::sqrt(6.0);
  return {(4 - r) / 10, (4 + r) / 10, 1};
}

class Radau final : public Stepper {
 public:
  Radau(const Flow& flow, const StepperSettings& settings)
      : f_(flow), manifold_(flow), stages_(flow, radau_nodes()), control_(settings, 4) {}

  void start(double t, std::span<const double> y) override {
    t_ = t_old_ = t;
    y_.assign(y.begin(), y.end());
    y_old_ = y_;
    rate_.resize(y_.size());
    f_(t_, y_.data(), rate_.data());
    stages_.forget();
    h_ = 0;
  }

  void step(double end) override {
    if (h_ == 0) h_ = control_.first_step(f_, t_, y_, rate_, end - t_);
    for (bool rejected = false;; rejected = true) {
      const double left = end - t_;
      const bool last = h_ * (1 + 1e-10) >= left;
      const double h = last ? left : h_;
      control_.require_progress(t_, h);
      if (!stages_.solve(t_, h, y_)) {
        h_ = h / 4;
        ++counts_.rejected;
        continue;
      }
      const double error = estimate(h);
      h_ = control_.next(h, error, rejected);
      if (error <= 1) return accept(h, last ? end : t_ + h);
      ++counts_.rejected;
    }
  }

  /// The collocation polynomial through the beginning and the stages, order 3; exact at both ends.
  void at(double t, std::span<double> y) const override {
    const double h = t_ - t_old_, s = h == 0 ? 0 : (t - t_old_) / h;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double value = 0;
      const double node[4] = {0, c_[0], c_[1], 1};
      for (int j = 0; j < 4; ++j) {
        double weight = 1;
        for (int m = 0; m < 4; ++m)
          if (m != j) weight *= (s - node[m]) / (node[j] - node[m]);
        value += weight * (j == 0 ? y_old_[i] : Y_(static_cast<Eigen::Index>(i), j - 1));
      }
      y[i] = value;
    }
  }
  std::size_t evaluations() const override { return f_.count() + stages_.evaluations(); }

 private:
  /// An embedded formula of order 3, filtered by (1 − hγ₀J)⁻¹ so that stiff components do not reject every step.
  double estimate(double h) {
    const auto n = static_cast<Eigen::Index>(y_.size());
    constexpr double gamma = 0.2748888295956773;  // the real eigenvalue of A
    const double r = std::sqrt(6.0);
    const Eigen::Vector3d e(-(13 + 7 * r) / 3 * gamma, (-13 + 7 * r) / 3 * gamma, -gamma / 3);
    const Eigen::MatrixXd z = h * stages_.rates() * stages_.method().a.transpose();
    const Eigen::Map<const Eigen::VectorXd> rate(rate_.data(), n);
    Eigen::VectorXd error = z * e + h * gamma * rate;
    const Eigen::MatrixXd filter = Eigen::MatrixXd::Identity(n, n) - h * gamma * stages_.jacobian();
    error = dense::solve(filter, error);
    double total = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double y = y_[static_cast<std::size_t>(i)];
      total += std::pow(error[i] / control_.scale(y, y + z(i, 2)), 2);
    }
    return std::sqrt(total / static_cast<double>(n));
  }

  void accept(double h, double t) {
    const auto n = static_cast<Eigen::Index>(y_.size());
    Y_ = h * stages_.rates() * stages_.method().a.transpose();
    Y_.colwise() += Eigen::Map<const Eigen::VectorXd>(y_.data(), n);
    t_old_ = t_;
    std::swap(y_, y_old_);
    t_ = t;
    std::copy_n(Y_.col(2).data(), y_.size(), y_.begin());
    manifold_(t_, y_.data());
    f_(t_, y_.data(), rate_.data());
    ++counts_.steps;
  }

  Rates f_;
  Manifold<double> manifold_;
  StageEquations stages_;
  StepControl control_;
  const std::vector<double> c_ = radau_nodes();
  std::vector<double> rate_;
  Eigen::MatrixXd Y_;
  double h_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> radau5(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Radau>(flow, settings);
}

}  // namespace rattleback
