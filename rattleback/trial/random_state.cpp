#include <rattleback/trial/random_state.hpp>

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/states/rates.hpp>

namespace rattleback {
namespace {

double number(Random& random) { return std::uniform_real_distribution<double>(-1.5, 1.5)(random); }

void normalise_quaternions(const Flow& flow, std::vector<double>& y) {
  for (const std::size_t k : flow.quaternions()) {
    double norm = 0;
    for (std::size_t i = 0; i < 4; ++i) norm += y[k + i] * y[k + i];
    for (std::size_t i = 0; i < 4; ++i) y[k + i] /= std::sqrt(norm);
  }
}

/// Gauss-Newton steps onto φ(q) = 0, with differences for the Jacobian. False when they do not converge.
bool meets_positions(const Flow& flow, std::vector<double>& y) {
  std::vector<Expr> phi;
  std::vector<std::string> names;
  for (const Constraint& c : flow.system().constraints) {
    if (!c.position) continue;
    phi.push_back(*c.position);
    names.push_back(c.name);
  }
  if (phi.empty()) return true;
  Observer observed(flow, names, phi);
  const auto values = [&](const std::vector<double>& at) {
    const std::vector<double>& v = observed(0, at);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())));
  };
  constexpr int most_steps = search_limits::trial_projection.count;
  constexpr double small = 1e-14, h = 1e-6;
  const auto n = static_cast<Eigen::Index>(flow.first_speed());
  for (int step = 0; step < most_steps; ++step) {
    normalise_quaternions(flow, y);
    const Eigen::VectorXd r = values(y);
    if (!r.allFinite()) return false;
    if (r.cwiseAbs().maxCoeff() < small) return true;
    Eigen::MatrixXd J(r.size(), n);
    for (Eigen::Index k = 0; k < n; ++k) {
      std::vector<double> up = y, down = y;
      up[static_cast<std::size_t>(k)] += h;
      down[static_cast<std::size_t>(k)] -= h;
      J.col(k) = (values(up) - values(down)) / (2 * h);
    }
    const Eigen::VectorXd correction = dense::least_norm(J, r).x;
    for (Eigen::Index k = 0; k < n; ++k) y[static_cast<std::size_t>(k)] -= correction[k];
  }
  return false;
}

bool has_finite_rates(const Flow& flow, const std::vector<double>& y) {
  constexpr double wild = 1e4;
  Rates rates(flow);
  std::vector<double> dy(y.size());
  rates(0, y.data(), dy.data());
  for (const double rate : dy) {
    if (!std::isfinite(rate) || std::abs(rate) > wild) return false;
  }
  return true;
}

}  // namespace

bool meets_constraints(const Flow& flow, std::vector<double>& y) {
  if (!meets_positions(flow, y)) return false;
  Manifold<double> manifold(flow);
  return manifold.settle(0, y.data());
}

std::optional<std::vector<double>> random_state(const Flow& flow, Random& random) {
  constexpr int tries = search_limits::trial_state.count;
  for (int k = 0; k < tries; ++k) {
    std::vector<double> y(flow.dimension());
    for (double& x : y) x = number(random);
    normalise_quaternions(flow, y);
    if (meets_constraints(flow, y) && has_finite_rates(flow, y)) return y;
  }
  return std::nullopt;
}

AtValues at_values(const System& system, const SymbolMap& values) {
  std::vector<std::pair<std::string, std::string>> assigned;
  std::vector<std::string> set;
  for (const Parameter& p : system.parameters) {
    const auto found = values.find(p.symbol);
    if (found == values.end()) continue;
    assigned.emplace_back(p.symbol.name(), text(found->second));
    set.push_back(fmt::format("{}={}", assigned.back().first, assigned.back().second));
  }
  return {with_values(system, assigned), values, fmt::format("{}", fmt::join(set, ","))};
}

AtValues at_random_values(const System& system, Random& random) {
  SymbolMap values;
  for (const auto& [symbol, old] : parameter_values(system)) {
    const long share = static_cast<long>(random() % 9) - 4;
    const auto [n, d] = random_fraction(random);
    values.emplace(symbol, old.is_zero() ? Expr(Rational(n, d)) : old * Expr(Rational(16 + share, 16)));
  }
  return at_values(system, values);
}

}  // namespace rattleback
