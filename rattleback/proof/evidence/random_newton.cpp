#include <rattleback/proof/evidence/random_newton.hpp>

#include <cmath>
#include <numbers>
#include <random>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// The equations as a tape that is run at many points.
class Residual {
 public:
  explicit Residual(const NewtonSearch& search) : search_(search), tape_(search.equations) {}

  struct Doubles {
    using Value = double;
    const Numbers& known;
    const std::vector<Symbol>& unknowns;
    const VectorXd& x;

    double constant(const Rational& c) const { return c.to_double(); }
    double symbol(Symbol s) const {
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        if (unknowns[i] == s) return x[static_cast<Eigen::Index>(i)];
      }
      if (const auto found = known.find(s); found != known.end()) return found->second;
      return Expr(s) == pi() ? std::numbers::pi : std::nan("");
    }
    double sum(std::span<const double> xs) const {
      double total = 0;
      for (const double t : xs) total += t;
      return total;
    }
    double product(std::span<const double> xs) const {
      double total = 1;
      for (const double t : xs) total *= t;
      return total;
    }
    double power(double t, int n) const { return std::pow(t, n); }
    double call(Function f, std::span<const double> xs) const {
      return f.is_abstract() ? std::nan("") : value_of(f.kind(), xs[0]);
    }
  };

  VectorXd operator()(const VectorXd& x) {
    Doubles in{search_.known, search_.unknowns, x};
    const std::vector<double> all = run(tape_, in);
    VectorXd r(static_cast<Eigen::Index>(tape_.outputs().size()));
    for (Eigen::Index i = 0; i < r.size(); ++i) r[i] = all[tape_.outputs()[static_cast<std::size_t>(i)]];
    work_ += tape_.size();
    return r;
  }

  /// Central differences.
  MatrixXd slopes(const VectorXd& x, Eigen::Index rows) {
    constexpr double h = 1e-5;
    MatrixXd J(rows, x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      VectorXd up = x, down = x;
      const double step = h * (1 + std::abs(x[i]));
      up[i] += step;
      down[i] -= step;
      J.col(i) = ((*this)(up) - (*this)(down)) / (2 * step);
    }
    return J;
  }

  std::size_t work() const { return work_; }

 private:
  const NewtonSearch& search_;
  Tape tape_;
  std::size_t work_ = 0;
};

/// Is some |F_i| about as small all around x, as on the tail of exp(x) or x exp(-x^2)? Near a zero it grows by far more than tenfold; a
/// residual that is 0 to the last digit needs no such test.
bool is_flat_tail(Residual& F, const VectorXd& x) {
  constexpr double distance = 1e-2, growth = 10;
  const VectorXd r = F(x).cwiseAbs();
  VectorXd largest = VectorXd::Zero(r.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    for (const double side : {-1.0, 1.0}) {
      VectorXd beside = x;
      beside[i] += side * distance * (1 + std::abs(x[i]));
      const VectorXd there = F(beside).cwiseAbs();
      if (!there.allFinite()) return false;
      largest = largest.cwiseMax(there);
    }
  }
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    if (r[i] > 0 && largest[i] <= growth * r[i]) return true;
  }
  return false;
}

/// Levenberg and Marquardt; true when the last full step is short.
bool converged(Residual& F, VectorXd& x) {
  constexpr int most_steps = search_limits::levenberg_marquardt.count;
  constexpr double short_step = 1e-6, far = 1e4;
  VectorXd r = F(x);
  double damping = 1e-2;
  for (int k = 0; k < most_steps; ++k) {
    if (!r.allFinite() || x.norm() > far) return false;
    const MatrixXd J = F.slopes(x, r.size());
    if (!J.allFinite()) return false;
    if (const VectorXd full = dense::least_norm(J, r).x; full.norm() < short_step * (1 + x.norm())) {
      const VectorXd closer = x - full, there = F(closer);
      if (there.allFinite() && there.norm() <= r.norm()) x = closer;
      return r.norm() < 1e-4 && !is_flat_tail(F, x);
    }
    const MatrixXd normal = J.transpose() * J;
    bool better = false;
    for (int trial = 0; trial < 8 && !better; ++trial) {
      const MatrixXd damped = normal + damping * MatrixXd::Identity(x.size(), x.size());
      const VectorXd next = x - dense::solve_symmetric(damped, J.transpose() * r), there = F(next);
      better = there.allFinite() && there.norm() < r.norm();
      damping = better ? damping / 8 : damping * 6;
      if (better) {
        x = next;
        r = there;
      }
    }
    if (!better) return false;
  }
  return false;
}

bool is_new(const std::vector<Numbers>& all, const NewtonSearch& search, const VectorXd& x) {
  constexpr double same = 1e-4;
  for (const Numbers& other : all) {
    double distance = 0;
    for (std::size_t i = 0; i < search.unknowns.size(); ++i)
      distance += std::abs(other.at(search.unknowns[i]) - x[static_cast<Eigen::Index>(i)]);
    if (distance < same * (1 + x.norm())) return false;
  }
  return true;
}

}  // namespace

std::vector<Numbers> newton_solutions(const NewtonSearch& search) {
  std::vector<Numbers> found;
  if (search.equations.empty() || search.unknowns.empty()) return found;
  Residual F(search);
  std::mt19937_64 random(search.seed);
  std::uniform_real_distribution<double> turn(-std::numbers::pi, std::numbers::pi), power(-1, 1);
  std::normal_distribution<double> normal;
  const auto n = static_cast<Eigen::Index>(search.unknowns.size());
  for (int start = 0; start < search.starts && F.work() < work_limits::newton_evaluations.work; ++start) {
    Budget::check();
    VectorXd x(n);
    const double size = std::pow(10, power(random));
    for (Eigen::Index i = 0; i < n; ++i) x[i] = start % 2 == 0 ? turn(random) : size * normal(random);
    if (!converged(F, x) || !is_new(found, search, x)) continue;
    Numbers at = search.known;
    for (Eigen::Index i = 0; i < n; ++i) at[search.unknowns[static_cast<std::size_t>(i)]] = x[i];
    found.push_back(std::move(at));
  }
  return found;
}

}  // namespace rattleback
