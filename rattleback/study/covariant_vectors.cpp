#include <rattleback/study/covariant_vectors.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/runs/variational_motion.hpp>
#include <rattleback/simulate/states/tangent_space.hpp>

namespace rattleback {
namespace {

using Mat = Eigen::MatrixXd;

/// m = Q R with R_jj > 0.
dense::OrthogonalFactors factored(const Mat& m) {
  dense::OrthogonalFactors f = dense::orthogonal_factors(m);
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    if (f.r(j, j) < 0) {
      f.q.col(j) *= -1;
      f.r.row(j) *= -1;
    }
  return f;
}

/// The smallest angle between two subspaces.
double least_angle_between(const Mat& a, const Mat& b) {
  const Mat p = factored(a).q, s = factored(b).q;
  return std::acos(std::clamp(dense::singular_values(p.transpose() * s)[0], 0.0, 1.0));
}

}  // namespace

CovariantVectors covariant_vectors(const Flow& flow, std::span<const double> y, double until,
                                   std::size_t count, double rtol) {
  CovariantVectors found;
  TangentSpace tangent(flow);
  const std::size_t most = tangent.dimension(0, y);
  count = count == 0 ? most : std::min(count, most);
  const auto k = static_cast<Eigen::Index>(count);
  constexpr int intervals = 1000;
  VariationalMotion motion(flow, count, {rtol, rtol / 100, 0});
  Mat frame = tangent.some_directions(0, y, count);
  motion.start(0, y, factored(frame).q);
  std::vector<dense::OrthogonalFactors> all;
  try {
    for (int j = 1; j <= intervals; ++j) {
      const double end = until * j / intervals;
      while (motion.time() < end) motion.step(end);
      frame = motion.directions();
      tangent.project(motion.time(), motion.state(), frame);
      all.push_back(factored(frame));
      if (!all.back().r.allFinite())
        throw StepFailure(motion.time(), "the directions grew beyond all numbers");
      motion.set_directions(all.back().q);
    }
  } catch (const StepFailure& failure) {
    found.failure = failure.reason;
    return found;
  }
  const int first = intervals / 4, last = 3 * intervals / 4;
  const double interval = until / intervals;
  Mat c = Mat::Zero(k, k);
  for (Eigen::Index i = 0; i < k; ++i)
    for (Eigen::Index j = i; j < k; ++j)
      c(i, j) = i == j ? 1 : 0.3 * std::sin(static_cast<double>(1 + i + 5 * j));
  c.colwise().normalize();
  found.exponents.assign(count, 0);
  found.least_angle = Mat::Constant(k, k, M_PI / 2);
  found.mean_angle = Mat::Zero(k, k);
  std::vector<Mat> vectors;
  for (int j = intervals - 1; j > first; --j) {
    Mat before = dense::solve_upper(all[static_cast<std::size_t>(j)].r, c);
    for (Eigen::Index i = 0; i < k; ++i) {
      const double size = before.col(i).norm();
      before.col(i) /= size;
      if (j <= last) found.exponents[static_cast<std::size_t>(i)] -= std::log(size);
    }
    c = before;
    if (j > last) continue;
    const Mat v = all[static_cast<std::size_t>(j - 1)].q * c;
    vectors.push_back(v);
    for (Eigen::Index a = 0; a < k; ++a)
      for (Eigen::Index b = 0; b < k; ++b) {
        const double angle = a == b ? 0 : std::acos(std::clamp(std::abs(v.col(a).dot(v.col(b))), 0.0, 1.0));
        found.mean_angle(a, b) += angle;
        found.least_angle(a, b) = std::min(found.least_angle(a, b), angle);
      }
  }
  found.time = interval * static_cast<double>(vectors.size());
  for (double& e : found.exponents) e /= found.time;
  found.mean_angle /= static_cast<double>(vectors.size());
  // What grows or shrinks by more than the neutral ones do over this time.
  const double neutral = 5 / found.time;
  Eigen::Index grow = 0, shrink = 0;
  for (const double e : found.exponents) grow += e > neutral ? 1 : 0, shrink += e < -neutral ? 1 : 0;
  if (grow > 0 && shrink > 0 && k == static_cast<Eigen::Index>(most)) {
    double least = M_PI / 2;
    for (const Mat& v : vectors)
      least = std::min(least, least_angle_between(v.leftCols(grow), v.rightCols(shrink)));
    found.hyperbolicity = least;
  }
  return found;
}

}  // namespace rattleback
