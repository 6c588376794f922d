#include <rattleback/simulate/states/tangent_space.hpp>

#include <cmath>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/native/variational_code.hpp>

namespace rattleback {

TangentSpace::TangentSpace(const Flow& flow) : flow_(&flow), x_(flow.dimension() + 1) {
  std::vector<Expr> positions;
  for (const Constraint& c : flow.system().constraints)
    if (c.position) positions.push_back(*c.position);
  positions_ = positions.size();
  const std::vector<double> parameters = flow.parameter_values<double>();
  if (positions_ > 0) {
    position_slopes_ = jacobian_code(flow.observing(positions), flow.dimension());
    position_.emplace(position_slopes_, parameters);
  }
  if (flow.projection() != nullptr) {
    projected_slopes_ = jacobian_code(*flow.projection(), flow.dimension());
    projected_.emplace(projected_slopes_, parameters);
  }
}

Eigen::MatrixXd TangentSpace::normals(double t, std::span<const double> y) {
  const auto n = static_cast<Eigen::Index>(y.size());
  const auto quaternions = static_cast<Eigen::Index>(flow_->quaternions().size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, quaternions + static_cast<Eigen::Index>(positions_));
  for (Eigen::Index c = 0; c < quaternions; ++c) {
    const std::size_t q = flow_->quaternions()[static_cast<std::size_t>(c)];
    for (std::size_t i = q; i < q + 4; ++i) all(static_cast<Eigen::Index>(i), c) = y[i];
  }
  if (position_) {
    std::copy(y.begin(), y.end(), x_.begin());
    x_.back() = t;
    std::vector<double> slopes(position_slopes_.outputs.size());
    (*position_)(x_.data(), slopes.data());
    for (Eigen::Index i = 0; i < n; ++i)
      for (std::size_t p = 0; p < positions_; ++p)
        all(i, quaternions + static_cast<Eigen::Index>(p)) =
            slopes[static_cast<std::size_t>(i) * positions_ + p];
  }
  return all;
}

Eigen::MatrixXd TangentSpace::projection_slopes(double t, std::span<const double> y) {
  if (!projected_) return {};
  std::copy(y.begin(), y.end(), x_.begin());
  x_.back() = t;
  const auto n = static_cast<Eigen::Index>(y.size());
  Eigen::MatrixXd slopes(n - static_cast<Eigen::Index>(flow_->first_speed()), n);
  (*projected_)(x_.data(), slopes.data());
  return slopes;
}

std::size_t TangentSpace::dimension(double t, std::span<const double> y) {
  const auto n = static_cast<double>(y.size());
  const Eigen::MatrixXd across = normals(t, y);
  double found = n;
  if (across.cols() > 0) found -= dense::rank_by_qr(across, 1e-9);
  // A projection has as many independent directions as its trace.
  if (const Eigen::MatrixXd slopes = projection_slopes(t, y); slopes.size() > 0)
    found -= static_cast<double>(slopes.rows()) - slopes.rightCols(slopes.rows()).trace();
  return static_cast<std::size_t>(std::lround(found));
}

Eigen::MatrixXd TangentSpace::some_directions(double t, std::span<const double> y, std::size_t count) {
  Eigen::MatrixXd m(static_cast<Eigen::Index>(y.size()), static_cast<Eigen::Index>(count));
  std::uint64_t state = 88172645463325252U;
  for (double& x : m.reshaped()) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    x = static_cast<double>(state >> 11U) * 0x1p-52 - 1;
  }
  project(t, y, m);
  return m;
}

void TangentSpace::project(double t, std::span<const double> y, Eigen::MatrixXd& directions) {
  if (const Eigen::MatrixXd across = normals(t, y); across.cols() > 0)
    directions -= across * dense::least_norm_columns(across, directions);
  if (const Eigen::MatrixXd slopes = projection_slopes(t, y); slopes.size() > 0)
    directions.bottomRows(slopes.rows()) = (slopes * directions).eval();
}

}  // namespace rattleback
