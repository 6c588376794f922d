// Declared in simulate/states/initial_state.hpp. A motion ready to start: in the speeds of the model, or in others near a pole of these.
#include <cmath>
#include <exception>
#include <optional>

#include <fmt/format.h>
#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/local_chart.hpp>

namespace rattleback {
namespace {

/// |p|/|∇p| estimates how far the pole p = 0 is; a fiftieth of a radian is too near to start from.
bool is_near_pole(const Flow& flow, std::vector<double> y, double t) {
  constexpr double too_near = 0.02;
  y.push_back(t);
  const std::vector<double> parameters = flow.parameter_values<double>();
  for (const Expr p : flow.poles()) {
    std::vector<Expr> es = gradient(p, flow.state());
    es.push_back(p);
    const Code code = flow.code_of(es);
    std::vector<double> values(es.size());
    Evaluator<double>(code, parameters)(y.data(), values.data());
    const double pole = std::abs(values.back());
    values.pop_back();
    const double slope =
        Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())).norm();
    if (!(pole > too_near * slope)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<double>> restarted(const Flow& flow, const InitialOptions& how) {
  std::vector<double> y = initial_state(flow, how);
  if (is_near_pole(flow, y, how.time)) return std::nullopt;
  return y;
}

StartedMotion started_motion(System system, const InitialOptions& options, Flow::Effort effort,
                             bool local_speeds) {
  Flow flow(system, effort);
  if (local_speeds && flow.projection() != nullptr) flow = Flow(system, effort, Flow::Speeds::local);
  std::exception_ptr refused;
  std::vector<std::string> branches;
  InitialOptions how = options;
  how.branches = &branches;
  try {
    std::vector<double> y = initial_state(flow, how);
    if (!is_near_pole(flow, y, how.time)) return {std::move(flow), std::move(y), {}, std::move(branches)};
  } catch (const Error&) {
    if (flow.poles().empty()) throw;
    refused = std::current_exception();
  }
  try {
    Flow all(std::move(system), effort, Flow::Speeds::all);
    branches.clear();
    std::vector<double> y = initial_state(all, how);
    const auto note = [](const std::string& speeds) {
      return fmt::format("the speeds of the model have a pole near the start: {} take over", speeds);
    };
    if (auto chart = local_speeds ? in_local_chart(all, how.time, y) : std::nullopt) {
      const std::string speeds = speeds_told(chart->flow);
      return {std::move(chart->flow), std::move(chart->state), {note(speeds)}, std::move(branches)};
    }
    return {std::move(all), std::move(y), {note("all velocities")}, std::move(branches)};
  } catch (const Error&) {
    if (refused) std::rethrow_exception(refused);
    throw;
  }
}

}  // namespace rattleback
