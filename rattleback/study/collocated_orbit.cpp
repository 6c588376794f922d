#include <rattleback/study/collocated_orbit.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

constexpr std::size_t most_intervals = search_limits::intervals_of_a_mesh.count;

/// Gauss points on [0, 1]: eigenvalues of Jacobi's matrix of Legendre's polynomials [Golub and Welsch 1969].
Vec gauss_points(int m) {
  Mat jacobi = Mat::Zero(m, m);
  for (int k = 1; k < m; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
  return (dense::symmetric_eigenvalues(jacobi).array() + 1) / 2;
}

/// Coefficients of the polynomials l_k of Lagrange, l_k(x) = Σ_p L(p, k) x^p.
Mat lagrange_coefficients(const Vec& c) {
  Mat powers(c.size(), c.size());
  for (Eigen::Index i = 0; i < c.size(); ++i)
    for (Eigen::Index p = 0; p < c.size(); ++p) powers(i, p) = std::pow(c[i], static_cast<double>(p));
  return dense::inverse(powers);
}

/// ∫₀ˣ l_k for all k.
Eigen::RowVectorXd integrals(const Mat& coefficients, double x) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(coefficients.cols());
  for (Eigen::Index p = 0; p < coefficients.rows(); ++p)
    row += coefficients.row(p) * (std::pow(x, static_cast<double>(p + 1)) / static_cast<double>(p + 1));
  return row;
}

}  // namespace

CollocatedOrbit::CollocatedOrbit(OrbitRates rates, Eigen::Index states, Eigen::Index numbers,
                                 std::size_t intervals, int stages)
    : rates_(std::move(rates)), n_(states), numbers_(numbers), m_(stages), c_(gauss_points(stages)) {
  const Mat coefficients = lagrange_coefficients(c_);
  a_.resize(m_, m_);
  for (int i = 0; i < m_; ++i) a_.row(i) = integrals(coefficients, c_[i]);
  b_ = integrals(coefficients, 1).transpose();
  for (std::size_t j = 0; j <= intervals; ++j)
    mesh_.push_back(static_cast<double>(j) / static_cast<double>(intervals));
  pieces_.resize(intervals);
}

/// The stages of one interval by Newton's method; leaves deviations and slopes.
bool CollocatedOrbit::solve(std::size_t j, const Vec& from, double period, const Vec& s) {
  Interval& piece = pieces_[j];
  const double h = mesh_[j + 1] - mesh_[j];
  piece.start = from;
  if (!guessed_ || piece.deviations.size() != static_cast<std::size_t>(m_)) {
    const Vec slope = rates_(from, period * mesh_[j], s).value;
    piece.deviations.clear();
    for (int i = 0; i < m_; ++i) piece.deviations.push_back(c_[i] * h * period * slope);
  }
  piece.slopes.assign(static_cast<std::size_t>(m_), Vec());
  const double size = 1 + from.lpNorm<Eigen::Infinity>();
  double last = INFINITY;
  for (int k = 0; k < 25; ++k) {
    std::vector<RatesWithSlopes> at;
    for (int i = 0; i < m_; ++i) {
      at.push_back(
          rates_(from + piece.deviations[static_cast<std::size_t>(i)], period * (mesh_[j] + c_[i] * h), s));
      if (!at.back().value.allFinite() || !at.back().by_state.allFinite()) return false;
      piece.slopes[static_cast<std::size_t>(i)] = period * at.back().value;
    }
    Vec residual(m_ * n_);
    Mat matrix = Mat::Identity(m_ * n_, m_ * n_);
    for (int i = 0; i < m_; ++i) {
      Vec r = piece.deviations[static_cast<std::size_t>(i)];
      for (int l = 0; l < m_; ++l) {
        r -= h * a_(i, l) * piece.slopes[static_cast<std::size_t>(l)];
        matrix.block(i * n_, l * n_, n_, n_) -=
            h * period * a_(i, l) * at[static_cast<std::size_t>(l)].by_state;
      }
      residual.segment(i * n_, n_) = r;
    }
    const Vec step = dense::solve(matrix, residual);
    const double length = step.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(length) || length > 1e3 * size) return false;
    for (int i = 0; i < m_; ++i) piece.deviations[static_cast<std::size_t>(i)] -= step.segment(i * n_, n_);
    if (length < 1e-14 * size || (length < 1e-11 * size && length >= last / 4)) {
      for (int i = 0; i < m_; ++i)
        piece.slopes[static_cast<std::size_t>(i)] =
            period *
            rates_(from + piece.deviations[static_cast<std::size_t>(i)], period * (mesh_[j] + c_[i] * h), s)
                .value;
      return true;
    }
    if (k > 8 && length > last) return false;
    last = length;
  }
  return false;
}

std::optional<CollocatedOrbit::End> CollocatedOrbit::end(const Vec& start, double period, const Vec& s) {
  if (!(period > 0) || !start.allFinite()) return std::nullopt;
  End result{start, Mat::Identity(n_, n_), Vec::Zero(n_), Mat::Zero(n_, numbers_), {}, {}};
  result.least.assign(start.begin(), start.end());
  result.largest = result.least;
  const auto note = [&](const Vec& y) {
    for (Eigen::Index i = 0; i < n_; ++i) {
      double &low = result.least[static_cast<std::size_t>(i)],
             &high = result.largest[static_cast<std::size_t>(i)];
      low = std::min(low, y[i]);
      high = std::max(high, y[i]);
    }
  };
  const std::vector<Interval> before = pieces_;
  for (std::size_t j = 0; j < pieces_.size(); ++j) {
    Budget::check();
    const double h = mesh_[j + 1] - mesh_[j];
    if (!solve(j, result.state, period, s)) {
      pieces_ = before;  // the last orbit is still a good guess
      return std::nullopt;
    }
    const Interval& piece = pieces_[j];
    // Slopes of the stages: (1 − h T A ⊗ ∂G) dY = 1 ⊗ dy_j + h A (G dT + T ∂G/∂s ds + T ∂G/∂t τ dT).
    Mat matrix = Mat::Identity(m_ * n_, m_ * n_), right = Mat::Zero(m_ * n_, n_ + 1 + numbers_);
    std::vector<RatesWithSlopes> at;
    std::vector<Mat> direct;  // by T and s at fixed Y
    for (int i = 0; i < m_; ++i) {
      const double tau = mesh_[j] + c_[i] * h;
      note(result.state + piece.deviations[static_cast<std::size_t>(i)]);
      at.push_back(rates_(result.state + piece.deviations[static_cast<std::size_t>(i)], period * tau, s));
      Mat d(n_, 1 + numbers_);
      d.col(0) = at.back().value + period * tau * at.back().by_time;
      d.rightCols(numbers_) = period * at.back().by_numbers;
      direct.push_back(d);
    }
    for (int i = 0; i < m_; ++i) {
      right.block(i * n_, 0, n_, n_).setIdentity();
      for (int l = 0; l < m_; ++l) {
        matrix.block(i * n_, l * n_, n_, n_) -=
            h * period * a_(i, l) * at[static_cast<std::size_t>(l)].by_state;
        right.block(i * n_, n_, n_, 1 + numbers_) += h * a_(i, l) * direct[static_cast<std::size_t>(l)];
      }
    }
    const Mat stages = dense::solve_columns(matrix, right);
    Vec next = result.state;
    Mat by_node = Mat::Identity(n_, n_), by_others = Mat::Zero(n_, 1 + numbers_);
    for (int l = 0; l < m_; ++l) {
      const auto& here = at[static_cast<std::size_t>(l)];
      next += h * b_[l] * piece.slopes[static_cast<std::size_t>(l)];
      by_node += h * period * b_[l] * here.by_state * stages.block(l * n_, 0, n_, n_);
      by_others += h * b_[l] *
                   (direct[static_cast<std::size_t>(l)] +
                    period * here.by_state * stages.block(l * n_, n_, n_, 1 + numbers_));
    }
    result.by_start = by_node * result.by_start;
    result.by_period = by_node * result.by_period + by_others.col(0);
    result.by_numbers = by_node * result.by_numbers + by_others.rightCols(numbers_);
    result.state = next;
    note(next);
  }
  guessed_ = true;
  return result;
}

Vec CollocatedOrbit::at(double tau) const {
  const auto above = std::upper_bound(mesh_.begin(), mesh_.end(), tau);
  const std::size_t j = std::min(
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - mesh_.begin() - 1, 0)), pieces_.size() - 1);
  const double h = mesh_[j + 1] - mesh_[j];
  const Eigen::RowVectorXd w = integrals(lagrange_coefficients(c_), (tau - mesh_[j]) / h);
  Vec y = pieces_[j].start;
  for (int l = 0; l < m_; ++l) y += h * w[l] * pieces_[j].slopes[static_cast<std::size_t>(l)];
  return y;
}

void CollocatedOrbit::adapt() {
  if (!guessed_ || pieces_.front().slopes.empty()) return;
  const std::size_t count = pieces_.size();
  const Mat coefficients = lagrange_coefficients(c_);
  double factorial = 1;
  for (int k = 2; k < m_; ++k) factorial *= k;
  // y^(m) on each interval: the leading coefficient of y'.
  std::vector<Vec> high(count);
  Vec size = Vec::Constant(n_, 1e-3);
  for (std::size_t j = 0; j < count; ++j) {
    const double h = mesh_[j + 1] - mesh_[j];
    high[j] = Vec::Zero(n_);
    for (int l = 0; l < m_; ++l)
      high[j] += coefficients(m_ - 1, l) * factorial / std::pow(h, m_ - 1) *
                 pieces_[j].slopes[static_cast<std::size_t>(l)];
    size = size.cwiseMax(pieces_[j].start.cwiseAbs());
  }
  const double whole = size.maxCoeff(), order = 1.0 / (m_ + 1);
  std::vector<double> monitor(count);
  double worst = 0, total = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t before = (j + count - 1) % count, after = (j + 1) % count;
    const auto length = [&](std::size_t k) { return mesh_[k + 1] - mesh_[k]; };
    const double next = (high[after] - high[j]).norm() / (0.5 * (length(after) + length(j))),
                 last = (high[j] - high[before]).norm() / (0.5 * (length(before) + length(j)));
    monitor[j] = std::pow((next + last) / 2 / whole, order);
    worst = std::max(worst, monitor[j] * length(j));
    total += monitor[j] * length(j);
  }
  // Nowhere less than a fifth of the mean.
  for (double& w : monitor) w = std::max(w, 0.2 * total) + 1e-12;
  std::vector<double> share(count + 1, 0);
  for (std::size_t j = 0; j < count; ++j) share[j + 1] = share[j] + monitor[j] * (mesh_[j + 1] - mesh_[j]);
  std::size_t wanted = count;
  constexpr double fine = 1e-6;
  const double even = share.back() / static_cast<double>(count);
  if (std::pow(even, m_ + 1) > fine)
    wanted =
        std::min(most_intervals, static_cast<std::size_t>(std::ceil(share.back() / std::pow(fine, order))));
  wanted = std::max(wanted, count);
  if (wanted == count && worst < 1.5 * even) return;  // good enough
  std::vector<double> mesh{0};
  std::size_t j = 0;
  for (std::size_t k = 1; k < wanted; ++k) {
    const double goal = share.back() * static_cast<double>(k) / static_cast<double>(wanted);
    while (share[j + 1] < goal) ++j;
    mesh.push_back(mesh_[j] + (goal - share[j]) / (share[j + 1] - share[j]) * (mesh_[j + 1] - mesh_[j]));
  }
  mesh.push_back(1);
  std::vector<Interval> pieces(wanted);
  for (std::size_t k = 0; k < wanted; ++k) {
    pieces[k].start = at(mesh[k]);
    for (int i = 0; i < m_; ++i)
      pieces[k].deviations.push_back(at(mesh[k] + c_[i] * (mesh[k + 1] - mesh[k])) - pieces[k].start);
  }
  mesh_ = std::move(mesh);
  pieces_ = std::move(pieces);
}

}  // namespace rattleback
