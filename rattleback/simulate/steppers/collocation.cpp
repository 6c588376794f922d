#include <rattleback/simulate/steppers/collocation.hpp>

#include <cmath>

#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {

/// Both integrals are exact for polynomials of degree < s, so they solve Vandermonde systems:
/// Σ_j a_ij c_j^m = c_i^{m+1}/(m+1).
Collocation::Collocation(std::span<const double> nodes) {
  const auto s = static_cast<Eigen::Index>(nodes.size());
  c = Eigen::Map<const Eigen::VectorXd>(nodes.data(), s);
  Eigen::MatrixXd powers(s, s), integrals(s, s);
  Eigen::VectorXd whole(s);
  for (Eigen::Index m = 0; m < s; ++m) {
    for (Eigen::Index i = 0; i < s; ++i) {
      powers(m, i) = std::pow(c[i], static_cast<double>(m));
      integrals(m, i) = std::pow(c[i], static_cast<double>(m + 1)) / static_cast<double>(m + 1);
    }
    whole[m] = 1.0 / static_cast<double>(m + 1);
  }
  a = dense::solve_columns_fully_pivoted(powers, integrals).transpose();
  b = dense::solve_fully_pivoted(powers, whole);
}

StageEquations::StageEquations(const Flow& flow, std::span<const double> nodes)
    : method_(nodes),
      n_(flow.dimension()),
      f_(flow.rates(), flow.parameter_values<double>()),
      derivative_(flow.rates(), flow.parameter_values<double>(), n_),
      k_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n_), static_cast<Eigen::Index>(nodes.size()))),
      jacobian_(static_cast<Eigen::Index>(n_), static_cast<Eigen::Index>(n_)) {}

/// 1 − h A ⊗ J, factorised.
void StageEquations::linearise(double t, double h, std::span<const double> y) {
  std::vector<double> x(y.begin(), y.end()), rates(n_);
  x.push_back(t);
  derivative_(x.data(), rates.data(), jacobian_.data());
  evaluations_ += n_;
  const auto n = static_cast<Eigen::Index>(n_), s = method_.c.size();
  Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n * s, n * s);
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < s; ++j) m.block(i * n, j * n, n, n) -= h * method_.a(i, j) * jacobian_;
  newton_.compute(m);
  linearised_h_ = h;
}

bool StageEquations::solve(double t, double h, std::span<const double> y) {
  const auto n = static_cast<Eigen::Index>(n_), s = method_.c.size();
  const Eigen::Map<const Eigen::VectorXd> y0(y.data(), n);
  linearise(t, h, y);
  Eigen::MatrixXd residual(n, s), stages(n, s);
  std::vector<double> x(n_ + 1);
  double before = INFINITY;
  for (int iteration = 0; iteration < 60; ++iteration) {
    stages = h * k_ * method_.a.transpose();
    stages.colwise() += y0;
    for (Eigen::Index i = 0; i < s; ++i) {
      std::copy_n(stages.col(i).data(), n_, x.begin());
      x.back() = t + method_.c[i] * h;
      f_(x.data(), residual.col(i).data());
    }
    evaluations_ += static_cast<std::size_t>(s);
    residual = k_ - residual;
    if (!residual.allFinite()) break;
    const Eigen::VectorXd change = newton_.solve(Eigen::Map<const Eigen::VectorXd>(residual.data(), n * s));
    k_ -= Eigen::Map<const Eigen::MatrixXd>(change.data(), n, s);
    const double size = std::abs(h) * change.cwiseAbs().maxCoeff(), scale = 1 + y0.cwiseAbs().maxCoeff();
    if (size < 1e-16 * scale || (size >= before && before < 1e-13 * scale)) return true;  // at rounding
    if (iteration > 5 && size > before) break;
    before = size;
  }
  k_.setZero();
  return false;
}

}  // namespace rattleback
