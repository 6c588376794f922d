#include <rattleback/simulate/states/local_chart.hpp>

#include <algorithm>

#include <Eigen/Core>

#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/simulate/states/observer.hpp>

namespace rattleback {
namespace {

/// Made once for a flow and its copies.
struct CodeOfConstraints {
  explicit CodeOfConstraints(const Flow& flow) {
    const Matrix a = independent_constraints(flow.derived_system()).a;
    rows = a.rows();
    code = flow.observing(a.entries());
  }
  Eigen::Index rows;
  Code code;
};

Eigen::MatrixXd constraint_rows(const Flow& flow, double t, std::span<const double> y) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto constraints = flow.derived<CodeOfConstraints>();
  std::vector<double> x(y.begin(), y.end()), a(constraints->code.outputs.size());
  x.push_back(t);
  Evaluator<double>(constraints->code, flow.parameter_values<double>())(x.data(), a.data());
  const auto columns = static_cast<Eigen::Index>(flow.system().space.velocities().size());
  return Eigen::Map<const RowMajor>(a.data(), constraints->rows, columns);
}

/// The columns that are left when the largest is taken and its direction removed from the others, once for each row. Nothing where
/// what is left is too small to divide by.
std::optional<std::vector<Eigen::Index>> free_columns(Eigen::MatrixXd A) {
  constexpr double smallest = 1e-8;
  std::vector<Eigen::Index> left(static_cast<std::size_t>(A.cols()));
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = static_cast<Eigen::Index>(k);
  const double size = A.norm();
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    const auto largest =
        std::ranges::max_element(left, {}, [&](Eigen::Index k) { return A.col(k).squaredNorm(); });
    const double length = largest == left.end() ? 0 : A.col(*largest).norm();
    if (!(length > smallest * size)) return std::nullopt;
    const Eigen::VectorXd direction = A.col(*largest) / length;
    left.erase(largest);
    for (const Eigen::Index k : left) A.col(k) -= direction * direction.dot(A.col(k));
  }
  return left;
}

}  // namespace

std::vector<double> state_in(const Flow& other, const Flow& flow, double t, std::span<const double> y) {
  const std::vector<Expr> speeds(other.equations().speeds.begin(), other.equations().speeds.end());
  Observer observed(flow, std::vector<std::string>(speeds.size()), speeds);
  std::vector<double> state(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(flow.first_speed()));
  const std::vector<double>& values = observed(t, y);
  state.insert(state.end(), values.begin(), values.end());
  return state;
}

std::string speeds_told(const Flow& flow) {
  std::string told;
  for (const Symbol z : flow.equations().speeds) told += (told.empty() ? "" : ", ") + z.name();
  return told;
}

std::optional<ChartedState> in_local_chart(const Flow& flow, double t, std::span<const double> y) {
  const auto chosen = free_columns(constraint_rows(flow, t, y));
  if (!chosen) return std::nullopt;
  std::vector<Symbol> speeds;
  for (const Eigen::Index k : *chosen)
    speeds.push_back(flow.system().space.velocities()[static_cast<std::size_t>(k)]);
  if (speeds == flow.equations().speeds) return std::nullopt;
  Flow chart(flow.system(), speeds);
  chart.set_parameters(flow.parameter_values<double>());
  if (flow.runs_backwards()) chart.reverse_time();
  std::vector<double> state = state_in(chart, flow, t, y);
  return ChartedState{std::move(chart), std::move(state)};
}

}  // namespace rattleback
