#include <rattleback/simulate/lyapunov.hpp>

#include <cmath>

#include <fmt/format.h>
#include <Eigen/Dense>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/native/dual.hpp>
#include <rattleback/simulate/discrete_mechanics.hpp>
#include <rattleback/simulate/taylor.hpp>

namespace rattleback {
namespace {

/// Numbers in (−1, 1) that look arbitrary and are the same in every run.
Eigen::MatrixXd arbitrary(Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  std::uint64_t state = 88172645463325252U;
  for (double& x : m.reshaped()) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    x = static_cast<double>(state >> 11U) * 0x1p-52 - 1;
  }
  return m;
}

/// Makes the columns orthonormal, each by those before it, and adds the logarithms of what is left of them.
void orthonormalise(Eigen::MatrixXd& frame, Eigen::VectorXd& logarithms) {
  for (Eigen::Index j = 0; j < frame.cols(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) frame.col(j) -= frame.col(i).dot(frame.col(j)) * frame.col(i);
    const double size = frame.col(j).norm();
    logarithms[j] += std::log(size);
    frame.col(j) /= size;
  }
}

/// The variations after a step of length h from (t, y), by the Taylor series of the motion in dual numbers.
class Variation {
 public:
  Variation(const Flow& flow, std::size_t order)
      : jets_(flow.rates(), duals(flow.parameter_values<double>()), order), y_(flow.dimension()) {}

  void operator()(double t, const std::vector<double>& y, double h, Eigen::MatrixXd& frame) {
    for (Eigen::Index j = 0; j < frame.cols(); ++j) {
      for (std::size_t i = 0; i < y.size(); ++i) y_[i] = {y[i], frame(static_cast<Eigen::Index>(i), j)};
      jets_(y_.data(), Tangent<double>(t));
      for (std::size_t i = 0; i < y.size(); ++i) {
        double total = 0;
        const auto c = jets_.coefficients(i);
        for (std::size_t k = c.size(); k-- > 0;) total = total * h + c[k].slope;
        frame(static_cast<Eigen::Index>(i), j) = total;
      }
    }
  }

 private:
  static std::vector<Tangent<double>> duals(const std::vector<double>& values) {
    return {values.begin(), values.end()};
  }
  Jets<Tangent<double>> jets_;
  std::vector<Tangent<double>> y_;
};

}  // namespace

LyapunovExponents lyapunov_exponents(const Flow& flow, std::span<const double> y, double until,
                                     std::size_t count, double tolerance) {
  require_parametrized(flow, "lyapunov");
  const auto n = static_cast<Eigen::Index>(flow.dimension());
  if (const std::size_t directions = flow.dimension() - flow.quaternions().size(); count > directions)
    throw Error("usage",
                fmt::format("{} Lyapunov exponents of a motion with {} directions", count, directions),
                "every direction of the state has one; a unit quaternion has three",
                fmt::format("ask for {} or fewer", directions));
  Taylor<double> motion(flow, tolerance);
  motion.start(0, {y.begin(), y.end()});
  Variation variation(flow, motion.order());
  Eigen::MatrixXd frame = arbitrary(n, static_cast<Eigen::Index>(count));
  // |q| = 1 is no direction of the motion.
  for (const std::size_t q : flow.quaternions()) {
    const Eigen::Map<const Eigen::Vector4d> unit(y.data() + q);
    auto part = frame.middleRows(static_cast<Eigen::Index>(q), 4);
    part -= unit * (unit.transpose() * part).eval();
  }
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(frame.cols());
  orthonormalise(frame, sums);
  sums.setZero();
  LyapunovExponents found;
  const auto so_far = [&] {
    std::vector<double> values(sums.begin(), sums.end());
    for (double& v : values) v /= motion.time;
    std::sort(values.rbegin(), values.rend());
    return values;
  };
  for (const double end : {until / 2, until}) {
    while (motion.time < end) {
      Budget::check();
      const double t = motion.time;
      const std::vector<double> before = motion.state;
      if (!motion.step(end)) {
        found.failure = "the steps became too short: the motion meets a singularity here";
        break;
      }
      variation(t, before, motion.time - t, frame);
      orthonormalise(frame, sums);
      ++found.steps;
    }
    (end == until ? found.exponents : found.halfway) = so_far();
  }
  found.time = motion.time;
  return found;
}

}  // namespace rattleback
