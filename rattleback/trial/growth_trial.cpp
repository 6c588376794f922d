#include <rattleback/trial/growth_trial.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/trial/neighbourhood.hpp>

namespace rattleback {
namespace {

long rank_of(const Eigen::MatrixXd& fields) {
  constexpr double relative = 1e-6;
  return dense::rank_by_singular_values(fields, relative);
}

/// [X_a, X_b]^k = X_a[X_b^k] − X_b[X_a^k] + C_ij^k X_a^i X_b^j.                                               (F.2)
Eigen::VectorXd numeric_bracket(const Space& space, Neighbourhood& near, const std::vector<double>& y,
                                Eigen::Index a, Eigen::Index b) {
  const Eigen::MatrixXd X = near.admissible(y);
  Eigen::VectorXd z(near.legs());
  for (int k = 0; k < near.legs(); ++k) {
    z[k] = Neighbourhood::slope([&](double h) { return near.admissible(near.moved(y, X.col(a), h))(k, b); }) -
           Neighbourhood::slope([&](double h) { return near.admissible(near.moved(y, X.col(b), h))(k, a); });
    for (int i = 0; i < near.legs(); ++i) {
      for (int j = 0; j < near.legs(); ++j) {
        const Expr c = space.c()(i, j, k);
        if (!c.is_zero()) z[k] += evaluate(c, Numbers{}) * X(i, a) * X(j, b);
      }
    }
  }
  return z;
}

}  // namespace

Finding try_growth(const System& system, const Answer& answer, Random& random) {
  Finding found{"integrability", "", "numerical rank of brackets", Finding::Result::not_tried, ""};
  const Data* growth = answer.answer.find("growth_vector");
  if (growth == nullptr || growth->list() == nullptr || growth->list()->size() < 1) {
    found.detail = "no growth vector";
    return found;
  }
  std::vector<long> claimed;
  for (const Data& entry : *growth->list()) {
    if (const long* n = entry.get_if<long>()) claimed.push_back(*n);
  }
  found.statement = fmt::format("growth vector ({}{}, ...)", claimed[0],
                                claimed.size() > 1 ? fmt::format(", {}", claimed[1]) : "");
  try {
    AtValues at = at_random_values(system, random);
    at.system.simulation.initial.clear();
    const Flow flow(at.system);
    if (flow.projection() != nullptr) {
      found.detail = "all velocities are speeds of this motion";
      return found;
    }
    long first = 0, second = 0;
    int states = 0;
    for (; states < 3; ++states) {
      const auto y = random_state(flow, random);
      if (!y) break;
      Neighbourhood near(flow);
      Eigen::MatrixXd fields = near.admissible(*y);
      first = std::max(first, rank_of(fields));
      const Eigen::Index m = fields.cols();
      for (Eigen::Index a = 0; a < m; ++a) {
        for (Eigen::Index b = a + 1; b < m; ++b) {
          fields.conservativeResize(Eigen::NoChange, fields.cols() + 1);
          fields.col(fields.cols() - 1) = numeric_bracket(system.space, near, *y, a, b);
        }
      }
      second = std::max(second, rank_of(fields));
    }
    if (states == 0) {
      found.detail = "no state with finite rates was drawn";
      return found;
    }
    const bool agrees = first == claimed[0] && second == (claimed.size() > 1 ? claimed[1] : claimed[0]);
    found.result = agrees ? Finding::Result::stands : Finding::Result::contradicted;
    found.detail = fmt::format("ranks ({}, {}) by numbers at {} configurations {}", first, second, states,
                               at.set.empty() ? "" : "--set " + at.set);
  } catch (const Error& error) {
    found.detail = error.summary;
  }
  return found;
}

}  // namespace rattleback
