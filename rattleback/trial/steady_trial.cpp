#include <rattleback/trial/steady_trial.hpp>

#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/trial/neighbourhood.hpp>

namespace rattleback {
namespace {

constexpr double converged = 1e-12;

/// Gauss-Newton for ż(q, 0) = 0 over the admissible directions; the size of what is left.
double approached(const Flow& flow, Neighbourhood& near, std::vector<double>& y) {
  const std::size_t first = flow.first_speed();
  const auto accelerations = [&](const std::vector<double>& at) {
    const std::vector<double> dy = near.rates(at);
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(dy.data() + first, static_cast<Eigen::Index>(dy.size() - first)));
  };
  double size = HUGE_VAL;
  for (int step = 0; step < 60; ++step) {
    const Eigen::VectorXd r = accelerations(y);
    if (!r.allFinite()) return HUGE_VAL;
    size = r.size() == 0 ? 0 : r.cwiseAbs().maxCoeff();
    if (size < converged) return size;
    const Eigen::MatrixXd X = near.admissible(y);
    Eigen::MatrixXd J(r.size(), X.cols());
    constexpr double h = 1e-5;
    for (Eigen::Index a = 0; a < X.cols(); ++a)
      J.col(a) =
          (accelerations(near.moved(y, X.col(a), h)) - accelerations(near.moved(y, X.col(a), -h))) / (2 * h);
    Eigen::VectorXd w = X * dense::least_norm(J, r).x;
    if (!w.allFinite()) return HUGE_VAL;
    if (const double length = w.norm(); length > 1) w /= length;
    y = near.moved(y, w, -1);
    if (!meets_constraints(flow, y)) return HUGE_VAL;
  }
  return size;
}

}  // namespace

Finding try_no_equilibrium(const System& system, const Answer& answer, Random& random) {
  Finding found{"equilibria", "no state is steady", "Newton's method from random states",
                Finding::Result::not_tried, ""};
  if (answer.outcome != Outcome::refuted) return found;
  try {
    System bare = system;
    bare.simulation.initial.clear();
    const Flow flow(bare);
    Neighbourhood near(flow);
    int starts = 0;
    for (; starts < 12; ++starts) {
      auto y = random_state(flow, random);
      if (!y) break;
      for (std::size_t a = flow.first_speed(); a < y->size(); ++a) (*y)[a] = 0;
      if (near.velocity(*y).cwiseAbs().maxCoeff() > converged)
        break;  // affine constraints: rest is not admissible
      const double size = approached(flow, near, *y);
      if (size >= converged) continue;
      found.result = Finding::Result::contradicted;
      std::string at;
      for (std::size_t i = 0; i < flow.first_speed(); ++i)
        at += fmt::format("{}{} = {:.12g}", i == 0 ? "" : ", ", flow.state()[i].name(), (*y)[i]);
      found.detail = fmt::format("at rest and without acceleration at {}", at);
      return found;
    }
    if (starts == 12) {
      found.result = Finding::Result::stands;
      found.detail = "12 starts, none converged";
    }
  } catch (const Error& error) {
    found.detail = error.summary;
  }
  return found;
}

}  // namespace rattleback
