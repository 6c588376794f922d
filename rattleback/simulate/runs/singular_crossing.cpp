#include <rattleback/simulate/runs/singular_crossing.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/simulate/states/precise_start.hpp>
#include <rattleback/simulate/states/taylor_series.hpp>

namespace rattleback {
namespace {

constexpr std::size_t order = 18;
constexpr double near = 0.05;  // of the farthest from a singular position that the motion has been

/// The polynomial of the motion at a regular state, in long double: dividing by what is small costs digits, not the branch.
class TaylorPolynomial {
 public:
  TaylorPolynomial(const Flow& flow, double t, std::span<const double> y)
      : begin_(t), series_(flow, order), state_(y.begin(), y.end()) {
    onto_constraints(flow, state_, std::vector<bool>(state_.size()),
                     begin_);  // else the other branch is excited
    series_(state_.data(), begin_);
  }
  void value(double t, std::span<double> y) const {
    series_.value(static_cast<long double>(t) - begin_, state_.data());
    std::copy(state_.begin(), state_.end(), y.begin());
  }
  std::size_t size() const { return state_.size(); }

 private:
  long double begin_;
  TaylorSeries<long double> series_;
  mutable std::vector<long double> state_;
};

/// One step that a polynomial describes.
class PolynomialStep final : public Stepper {
 public:
  PolynomialStep(std::shared_ptr<const TaylorPolynomial> polynomial, double from, double to)
      : polynomial_(std::move(polynomial)) {
    t_old_ = from;
    t_ = to;
    y_old_.resize(polynomial_->size());
    y_.resize(polynomial_->size());
    polynomial_->value(from, y_old_);
    polynomial_->value(to, y_);
    counts_.steps = 1;
  }
  void start(double, std::span<const double>) override {}
  void step(double) override {}
  void at(double t, std::span<double> y) const override { polynomial_->value(t, y); }
  std::size_t evaluations() const override { return 0; }
  /// Back onto the constraints, after the digits that were lost.
  void project(const Flow& flow) {
    std::vector<long double> y(y_.begin(), y_.end());
    onto_constraints(flow, y, std::vector<bool>(y.size()), static_cast<long double>(t_));
    std::copy(y.begin(), y.end(), y_.begin());
  }

 private:
  std::shared_ptr<const TaylorPolynomial> polynomial_;
};

/// Where f is least between a and b, by golden section.
template <class F>
double least(F f, double a, double b) {
  constexpr double ratio = 0.6180339887498949;
  double c = b - ratio * (b - a), d = a + ratio * (b - a), fc = f(c), fd = f(d);
  for (int k = 0; k < 80; ++k) {
    if (fc < fd) {
      b = d;
      d = c;
      fd = fc;
      c = b - ratio * (b - a);
      fc = f(c);
    } else {
      a = c;
      c = d;
      fc = fd;
      d = a + ratio * (b - a);
      fd = f(d);
    }
  }
  return (a + b) / 2;
}

std::vector<Expr> entries(const Matrix& m) { return {m.entries().begin(), m.entries().end()}; }

}  // namespace

RankWatch::~RankWatch() = default;

RankWatch::RankWatch(const Flow& flow, double t, std::span<const double> y) : flow_(flow) {
  if (flow.projection() == nullptr) return;
  const ConstraintRows rows = constraint_rows(flow.derived_system());
  if (rows.a.rows() == 0) return;
  constraints_count_ = rows.a.rows();
  longest_.resize(static_cast<std::size_t>(rows.a.rows()));
  const std::vector<Expr> a = entries(rows.a);
  rows_.emplace(flow, std::vector<std::string>(a.size()), a);
  std::vector<Expr> functions;
  for (const Constraint& c : flow.system().constraints)
    functions.push_back(c.position.value_or(c.expression));
  constraints_.emplace(flow, std::vector<std::string>(functions.size()), functions);
  safe_time_ = t;
  safe_state_.assign(y.begin(), y.end());
  farthest_ = regularity(t, y);
}

double RankWatch::regularity(double t, std::span<const double> y) {
  const std::vector<double>& a = (*rows_)(t, y);
  const Eigen::Index m = constraints_count_, n = static_cast<Eigen::Index>(a.size()) / m;
  Eigen::MatrixXd A = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(a.data(), m, n);
  if (!A.allFinite()) return 0;
  for (Eigen::Index s = 0; s < m; ++s) {
    double& longest = longest_[static_cast<std::size_t>(s)];
    longest = std::max(longest, A.row(s).norm());
    if (longest > 0) A.row(s) /= longest;
  }
  return dense::singular_values(A)[m - 1];
}

double RankWatch::least_within(const Stepper& stepper) {
  constexpr int parts = 4;
  std::vector<double> y(stepper.state().size());
  double smallest = regularity(stepper.time(), stepper.state());
  farthest_ = std::max(farthest_, smallest);
  for (int k = 1; k < parts; ++k) {
    const double t =
        stepper.previous_time() + (stepper.time() - stepper.previous_time()) * k / static_cast<double>(parts);
    stepper.at(t, y);
    smallest = std::min(smallest, regularity(t, y));
  }
  return smallest;
}

std::optional<SingularCrossing> RankWatch::crossing(const Stepper& stepper, double until) {
  if (!rows_) return std::nullopt;
  const double smallest = least_within(stepper), now = regularity(stepper.time(), stepper.state());
  if (smallest >= near * farthest_ || passing_) {
    if (now >= near * farthest_) {
      passing_ = false;
      safe_time_ = stepper.time();
      safe_state_.assign(stepper.state().begin(), stepper.state().end());
    }
    return std::nullopt;
  }
  // How far the polynomial must reach: to where the regularity would vanish at its present rate, and as far beyond.
  const auto series = std::make_shared<const TaylorPolynomial>(flow_, safe_time_, safe_state_);
  std::vector<double> y(safe_state_.size());
  const auto at = [&](double t) {
    series->value(t, y);
    return regularity(t, y);
  };
  const double ahead = stepper.time() - safe_time_, start = at(safe_time_);
  constexpr int parts = 64;
  double singular = safe_time_, lowest = start;
  for (double reach = ahead; reach < 64 * ahead; reach *= 2) {
    lowest = start;
    singular = safe_time_;
    for (int k = 1; k <= parts; ++k) {
      const double t = safe_time_ + reach * k / parts, here = at(t);
      if (here < lowest) {
        lowest = here;
        singular = t;
      }
    }
    if (singular < safe_time_ + reach * (parts - 1) / parts) {
      const double width = reach / parts;
      singular = least(at, singular - width, singular + width);
      lowest = at(singular);
      break;
    }
  }
  if (!(lowest < 1e-4 * start)) {
    passing_ = true;
    return std::nullopt;
  }
  SingularCrossing found;
  found.at = singular;
  const double from = std::max(safe_time_, stepper.previous_time());
  const double beyond = std::min(2 * singular - safe_time_, until);
  auto step = std::make_unique<PolynomialStep>(series, from, beyond);
  const std::vector<double>& left = (*constraints_)(beyond, step->state());
  const bool holds = std::ranges::all_of(left, [](double r) { return std::abs(r) < 1e-8; });
  if (!holds || (beyond > singular && !(at(beyond) >= start / 4))) {
    found.failure =
        "the constraints lose their rank here: several branches of the motion meet, and none of them "
        "continues it "
        "smoothly";
    step = std::make_unique<PolynomialStep>(series, from, std::max(from, singular));
  } else if (beyond > singular) {
    step->project(flow_);
  }
  safe_time_ = beyond;
  safe_state_.assign(step->state().begin(), step->state().end());
  found.step = std::move(step);
  return found;
}

}  // namespace rattleback
