#include <rattleback/simulate/states/momentum_chart.hpp>

#include <cmath>
#include <limits>

#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

/// p and ∂p/∂z.
struct ConstrainedMomenta {
  explicit ConstrainedMomenta(const Flow& flow) : code(code_of(flow)) {}
  Code code;

 private:
  static Code code_of(const Flow& flow) {
    const std::vector<Expr> momenta = constrained_momenta(flow);
    std::vector<Expr> all = momenta;
    for (const Expr p : momenta) {
      for (const Expr slope : gradient(p, flow.equations().speeds)) all.push_back(slope);
    }
    return flow.code_of(all);
  }
};

std::shared_ptr<const Code> constrained(const Flow& flow) {
  const auto formulas = flow.derived<ConstrainedMomenta>();
  return {formulas, &formulas->code};
}

}  // namespace

std::vector<Expr> constrained_momenta(const Flow& flow) {
  return gradient(flow.on_state(flow.system().lagrangian), flow.equations().speeds);
}

MomentumChart::MomentumChart(const Flow& flow)
    : speeds_(flow.equations().speeds.size()),
      first_(flow.first_speed()),
      code_(constrained(flow)),
      f_(*code_, flow.parameter_values<double>()),
      x_(flow.dimension() + 1),
      out_(speeds_ * (speeds_ + 1)) {}

void MomentumChart::evaluate(double t, const double* y) {
  std::copy(y, y + first_ + speeds_, x_.begin());
  x_.back() = t;
  f_(x_.data(), out_.data());
}

Eigen::VectorXd MomentumChart::momenta(double t, const double* y) {
  evaluate(t, y);
  return Eigen::Map<const Eigen::VectorXd>(out_.data(), static_cast<Eigen::Index>(speeds_));
}

bool MomentumChart::set_speeds(double t, const Eigen::VectorXd& p, double* y) {
  const auto r = static_cast<Eigen::Index>(speeds_);
  if (r == 0) return true;  // no degree of freedom
  Eigen::Map<Eigen::VectorXd> z(y + first_, r);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 30; ++i) {
    evaluate(t, y);
    const Eigen::Map<const Eigen::VectorXd> now(out_.data(), r);
    const Eigen::Map<const Eigen::MatrixXd> transposed(out_.data() + speeds_, r, r);  // row by row
    const Eigen::VectorXd step = dense::solve_transposed(transposed, p - now);
    if (!step.allFinite()) return false;
    z += step;
    const double size = (step.array().abs() / (1 + z.array().abs())).maxCoeff();
    if (size < 1e-16 || (size < 1e-9 && size > before / 2)) return true;
    before = size;
  }
  return false;
}

}  // namespace rattleback
