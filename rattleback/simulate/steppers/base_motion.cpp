#include <rattleback/simulate/steppers/base_motion.hpp>

#include <algorithm>
#include <limits>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

[[noreturn]] void refuse(const std::string& why) {
  throw Inapplicable("method-does-not-apply", "the method `hamiltonized` does not apply to this model", why,
                     "`rattleback analyze MODEL --question hamiltonization` says more; use --method gauss4");
}

HamiltonizedBase base_of(const Flow& flow) {
  try {
    return hamiltonized_base(flow.system());
  } catch (const Inapplicable& error) {
    refuse(error.why.empty() ? error.summary : error.why);
  }
}

SymbolMap along(const Flow& flow) {
  SymbolMap rates;
  for (std::size_t i = 0; i < flow.dimension(); ++i)
    rates.emplace(flow.state()[i], flow.rate_expressions()[i]);
  return rates;
}

void append(std::vector<Expr>& all, std::span<const Expr> more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// ∂ẋ/∂z, row by row; G; A, where the speeds are not independent; f.
std::vector<Expr> geometry(const Flow& flow, const std::vector<Expr>& x, Expr f) {
  const auto& z = flow.equations().speeds;
  std::vector<Expr> all;
  for (const Expr rate : derivative_along(x, along(flow))) append(all, gradient(rate, z));
  for (const Expr p : gradient(flow.on_state(flow.system().lagrangian), z)) append(all, gradient(p, z));
  if (flow.projection()) {
    for (const Expr a : constraint_rows(flow.derived_system()).a.entries()) all.push_back(flow.on_state(a));
  }
  all.push_back(flow.on_state(f));
  return all;
}

Code code_at_rest(const Flow& flow, const std::vector<Expr>& x, const HamiltonizedBase& base) {
  std::vector<Expr> all = x, mu;
  append(all, geometry(flow, x, base.f));
  for (const Expr e : base.conserved) mu.push_back(flow.on_state(e));
  append(all, mu);
  for (const Expr e : mu) append(all, gradient(e, flow.equations().speeds));
  return flow.code_of(all);
}

/// Matrices one after the other, row by row.
class Reader {
 public:
  explicit Reader(const std::vector<double>& from) : at_(from.data()) {}
  Eigen::MatrixXd operator()(Eigen::Index rows, Eigen::Index columns) {
    const double* from = at_;
    at_ += rows * columns;
    return Eigen::Map<const RowMajor>(from, rows, columns);
  }

 private:
  const double* at_;
};

}  // namespace

std::vector<Expr> BaseFormulas::functions(const Flow& flow) {
  std::vector<Expr> x;
  for (const Expr e : base.lines) x.push_back(flow.on_state(e));
  for (const std::vector<Expr>& unit : base.spheres) {
    spheres.emplace_back(static_cast<Eigen::Index>(x.size()), 3);
    for (const Expr e : unit) x.push_back(flow.on_state(e));
  }
  for (const int rotation : base.rotations) {
    spheres.emplace_back(static_cast<Eigen::Index>(x.size()), 4);
    const std::size_t at = flow.quaternions()[static_cast<std::size_t>(rotation)];
    for (std::size_t k = at; k < at + 4; ++k) x.emplace_back(flow.state()[k]);
  }
  return x;
}

BaseFormulas::BaseFormulas(const Flow& flow) : base(base_of(flow)) {
  const std::vector<Expr> x = functions(flow);
  size = static_cast<Eigen::Index>(x.size());
  constraints = flow.projection() ? constraint_rows(flow.derived_system()).a.rows() : 0;
  at_rest = code_at_rest(flow, x, base);
  rates = flow.code_of(derivative_along(geometry(flow, x, base.f), along(flow)));
}

BaseMotion::BaseMotion(const Flow& flow)
    : formulas_(flow.derived<BaseFormulas>()),
      flow_(flow),
      manifold_(flow),
      n_(formulas_->size),
      r_(static_cast<Eigen::Index>(flow.equations().speeds.size())),
      s_(formulas_->constraints),
      k_(static_cast<Eigen::Index>(formulas_->base.conserved.size())),
      q_(static_cast<Eigen::Index>(flow.first_speed())),
      at_rest_(formulas_->at_rest, flow.parameter_values<double>()),
      rates_(formulas_->rates, flow.parameter_values<double>()),
      in_(flow.dimension() + 1),
      out_(formulas_->at_rest.outputs.size()),
      rates_out_(formulas_->rates.outputs.size()),
      rate_(flow.dimension()) {}

void BaseMotion::rest(const std::vector<double>& y) {
  std::copy(y.begin(), y.begin() + q_, in_.begin());
  std::fill(in_.begin() + q_, in_.end(), 0.0);
  at_rest_(in_.data(), out_.data());
  Reader take(out_);
  x_ = take(n_, 1);
  D_ = take(n_, r_);
  const Eigen::MatrixXd G = take(r_, r_), A = take(s_, r_);
  metric_ = dense::inverse(G + A.transpose() * A);
  if (s_ > 0) {
    reaction_ = dense::solve_columns(A * metric_ * A.transpose(), A * metric_);
    metric_ -= (metric_ * A.transpose() * reaction_).eval();
  }
  f_ = take(1, 1)(0, 0);
  mu_rest_ = take(k_, 1);
  mu_z_ = take(k_, r_);
  cometric_ = D_ * metric_ * D_.transpose();
  Eigen::MatrixXd regular = cometric_;
  for (const auto& [at, size] : formulas_->spheres)
    regular.block(at, at, size, size) += x_.segment(at, size) * x_.segment(at, size).transpose();
  M_.compute(regular);
}

BaseMotion::Vector BaseMotion::point(const std::vector<double>& y) {
  rest(y);
  return x_;
}

BaseMotion::Vector BaseMotion::momenta(const std::vector<double>& y) {
  rest(y);
  return f_ * M_.solve(D_ * Eigen::Map<const Vector>(y.data() + q_, r_));
}

BaseMotion::Vector BaseMotion::velocity(const std::vector<double>& y) {
  rest(y);
  return D_ * Eigen::Map<const Vector>(y.data() + q_, r_) / f_;
}

BaseMotion::Vector BaseMotion::constants(const std::vector<double>& y) {
  rest(y);
  return mu_rest_ + mu_z_ * Eigen::Map<const Vector>(y.data() + q_, r_);
}

double BaseMotion::multiplier(const std::vector<double>& y) {
  rest(y);
  return f_;
}

BaseMotion::Vector BaseMotion::tangent(const Vector& x, Vector v) const {
  for (const auto& [at, size] : formulas_->spheres)
    v.segment(at, size) -= x.segment(at, size).dot(v.segment(at, size)) * x.segment(at, size);
  return v;
}

BaseMotion::Vector BaseMotion::radial(const Vector& x, const Vector& p, const Vector& v) const {
  Vector along = Vector::Zero(n_);
  for (const auto& [at, size] : formulas_->spheres)
    along.segment(at, size) = p.segment(at, size).dot(v.segment(at, size)) * x.segment(at, size);
  return along;
}

BaseMotion::Vector BaseMotion::normalised(const Vector& x, Vector& scale) const {
  scale = Vector::Ones(n_);
  for (const auto& [at, size] : formulas_->spheres)
    scale.segment(at, size).setConstant(x.segment(at, size).norm());
  return x.cwiseQuotient(scale);
}

bool BaseMotion::lift(const Vector& x, std::vector<double>& y) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) {
    rest(y);
    const Vector missing = x - x_;
    const double size = (missing.array().abs() / (1 + x.array().abs())).maxCoeff();
    if (size < 1e-16 || (size < 1e-12 && size > before / 2)) return true;
    if (!(size < 1e3)) return false;
    before = size;
    Eigen::Map<Vector>(y.data() + q_, r_) = metric_ * D_.transpose() * M_.solve(missing);
    flow_(0, y.data(), rate_.data());
    for (std::size_t k = 0; k < static_cast<std::size_t>(q_); ++k) y[k] += rate_[k];
    manifold_(0, y.data());
  }
  return false;
}

void BaseMotion::set_speeds(const Vector& p, const Vector& mu, std::vector<double>& y) {
  rest(y);
  Vector z = metric_ * D_.transpose() * p / f_;
  if (k_ > 0) {
    const Eigen::MatrixXd Y = metric_ * mu_z_.transpose();
    z += Y * dense::solve(mu_z_ * Y, mu - mu_rest_ - mu_z_ * z);
  }
  Eigen::Map<Vector>(y.data() + q_, r_) = z;
}

/// dp/dτ, from ṗ = ḟ ν + f M⁻¹ (ẍ − Ṁ ν), ν = M⁻¹ ẋ, with M made regular by the unit vectors; the tangent part. The inverse metric
/// on the constraints changes by −G_D Ġ G_D − G_D Ȧᵀ R − Rᵀ Ȧ G_D, R = (A G⁻¹ Aᵀ)⁻¹ A G⁻¹. Leaves the rates of the flow in rate_.
BaseMotion::Vector BaseMotion::momentum_rate(const Vector& p, const Vector& mu, std::vector<double>& y) {
  set_speeds(p, mu, y);
  flow_(0, y.data(), rate_.data());
  std::copy(y.begin(), y.end(), in_.begin());
  in_.back() = 0;
  rates_(in_.data(), rates_out_.data());
  Reader take(rates_out_);
  const Eigen::MatrixXd D_rate = take(n_, r_), G_rate = take(r_, r_), A_rate = take(s_, r_);
  const double f_rate = take(1, 1)(0, 0);
  const Eigen::Map<const Vector> z(y.data() + q_, r_), z_rate(rate_.data() + q_, r_);
  const Vector speed = D_ * z, nu = p / f_;

  Eigen::MatrixXd metric_rate = -metric_ * G_rate * metric_;
  if (s_ > 0) {
    const Eigen::MatrixXd turned = metric_ * A_rate.transpose() * reaction_;
    metric_rate -= turned + turned.transpose();
  }
  const Eigen::MatrixXd crossed = D_rate * metric_ * D_.transpose();
  Eigen::MatrixXd M_rate = crossed + crossed.transpose() + D_ * metric_rate * D_.transpose();
  for (const auto& [at, size] : formulas_->spheres) {
    const Eigen::MatrixXd turn = speed.segment(at, size) * x_.segment(at, size).transpose();
    M_rate.block(at, at, size, size) += turn + turn.transpose();
  }
  const Vector acceleration = D_rate * z + D_ * z_rate;
  return tangent(x_, f_rate * nu + f_ * M_.solve(acceleration - M_rate * nu)) / f_;
}

BaseMotion::Rates BaseMotion::rates(const Vector& v, const Vector& mu, std::vector<double>& y) {
  rest(y);
  const Vector p = f_ * f_ * M_.solve(v);
  const Vector back = momentum_rate(-p, mu, y), there = momentum_rate(p, mu, y);
  return {p, Eigen::Map<const Vector>(rate_.data(), q_) / f_, (there + back) / 2, (there - back) / 2, 1 / f_};
}

}  // namespace rattleback
