#include <rattleback/simulate/states/initial_speeds.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/simulate/states/manifold.hpp>

namespace rattleback {
namespace {

class SpeedSearch {
 public:
  explicit SpeedSearch(StartPoint& start) : start_(start) {}

  /// The constraints must have their generic rank here, otherwise ψ and the reactions are not defined.
  void require_rank() {
    if (start_.system.constraints.empty()) return;
    Numbers with_velocities = start_.at;
    for (const Symbol v : start_.system.space.velocities()) with_velocities.try_emplace(v, 0);
    for (const InitialCondition& c : start_.conditions)
      if (c.quantity.is(Kind::symbol)) with_velocities.insert_or_assign(c.quantity.symbol(), c.value);
    const Matrix slopes = jacobian(constraint_functions(start_.system), start_.system.space.velocities());
    for (const Symbol s : symbols_of(slopes.entries()))
      if (s.role() == Role::velocity && !start_.at.contains(s) && !start_.determined(s))
        return;  // nonlinear, velocity not known yet
    std::swap(start_.at, with_velocities);
    const Eigen::MatrixXd A = start_.numbers(slopes);
    std::swap(start_.at, with_velocities);
    const int generic =
        start_.flow.projection() != nullptr
            ? static_cast<int>(constraint_rows(start_.flow.derived_system()).independent.size())
            : start_.system.space.dimension() - static_cast<int>(start_.flow.equations().speeds.size());
    const int rank = dense::rank(A, 1e-10);
    if (rank < generic || !A.allFinite())
      start_.fail("singular-state",
                  fmt::format("the constraints have rank {} at the initial state, not {}", rank, generic),
                  "they do not determine the velocities and reactions there, and the motion is not defined",
                  "start from another state; `rattleback check` says where the rank drops");
  }
  /// z from the conditions on velocities: least squares on ψ(q, z), exact in one step when ψ is linear.
  Eigen::VectorXd speeds() {
    const std::vector<Symbol>& z = start_.flow.equations().speeds;
    if (start_.how.project && determines_velocity())
      return start_.flow.projection() != nullptr ? projected_by_flow() : projected();
    std::vector<Expr> residuals;
    for (const InitialCondition& c : start_.conditions) {
      residuals.push_back(
          substitute(substitute(c.quantity, start_.quasi_velocities()), start_.flow.equations().velocities) -
          Rational::from_double(c.value));
    }
    const std::vector<Expr> given = residuals;
    if (start_.flow.projection() != nullptr)
      for (const Constraint& c : start_.system.constraints) residuals.push_back(c.expression);
    for (const Symbol s : z) {
      const auto known = std::find_if(start_.conditions.begin(), start_.conditions.end(),
                                      [&](const InitialCondition& c) { return c.quantity == Expr(s); });
      start_.at.insert_or_assign(s, known == start_.conditions.end() ? 0.5 : known->value);
    }
    if (start_.conditions.empty() && start_.place && rests(residuals, z)) {
      start_.tell("no velocity is given: the motion starts at rest");
      return Eigen::VectorXd::Zero(static_cast<Eigen::Index>(z.size()));
    }
    if (start_.flow.projection() != nullptr && start_.how.project) return nearest_admissible(given);
    const int rank = residuals.empty() || z.empty() ? 0 : newton(residuals, z);
    if (rank < static_cast<int>(z.size())) undetermined(z, residuals);
    const std::vector<double> left = start_.numbers_of(residuals);
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double size = k < start_.conditions.size() ? std::abs(start_.conditions[k].value) : 0;
      if (!(std::abs(left[k]) <= initial_tolerance * (1 + size)) && !start_.how.project)
        contradiction(std::min(k, start_.conditions.size() - 1), left[k]);
    }
    Eigen::VectorXd out(static_cast<Eigen::Index>(z.size()));
    for (std::size_t k = 0; k < z.size(); ++k) out[static_cast<Eigen::Index>(k)] = start_.at.at(z[k]);
    return out;
  }

 private:
  /// f(x) = 0 by least squares steps, in place; the rank of the last Jacobian.
  int newton(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const Matrix slopes = jacobian(f, x);
    int rank = 0;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::MatrixXd J = start_.numbers(slopes);
      const std::vector<double> residual = start_.numbers_of(f);
      const auto step = dense::least_norm(
          J, Eigen::Map<const Eigen::VectorXd>(residual.data(), static_cast<Eigen::Index>(residual.size())));
      const Eigen::VectorXd& change = step.x;
      rank = step.rank;
      for (std::size_t k = 0; k < x.size(); ++k) start_.at[x[k]] -= change[static_cast<Eigen::Index>(k)];
      if (change.norm() < 1e-14) break;
    }
    return rank;
  }

  /// argmin |r(v)|² on the constraints C(v) = 0, in all velocities: with N a basis of ker ∂C, each step is −(∂C)⁺ C + N y, where y
  /// minimises the residuals after it.
  Eigen::VectorXd nearest_admissible(const std::vector<Expr>& residuals) {
    const std::vector<Symbol>& v = start_.flow.equations().speeds;
    std::vector<Expr> constraints;
    for (const Constraint& c : start_.system.constraints) constraints.push_back(c.expression);
    const Matrix A = jacobian(constraints, v), B = jacobian(residuals, v);
    for (const Symbol s : v) start_.at.insert_or_assign(s, 0.5);
    Eigen::VectorXd now = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(v.size()), 0.5);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::MatrixXd slopes = start_.numbers(A), N = dense::kernel(slopes, 1e-10);
      Eigen::VectorXd step = -dense::least_norm(slopes, column(constraints)).x;
      if (dense::rank(slopes, 1e-10) < slopes.cols()) {
        if (residuals.empty()) undetermined(v, constraints);
        const Eigen::MatrixXd free = start_.numbers(B) * N;
        const auto along = dense::least_norm(free, column(residuals) + start_.numbers(B) * step);
        if (along.rank < free.cols()) {
          std::vector<Expr> all = residuals;
          all.insert(all.end(), constraints.begin(), constraints.end());
          undetermined(v, all);
        }
        step -= N * along.x;
      }
      now += step;
      for (std::size_t k = 0; k < v.size(); ++k) start_.at[v[k]] = now[static_cast<Eigen::Index>(k)];
      if (step.norm() <= 1e-15 * (1 + now.norm())) break;
    }
    return now;
  }
  Eigen::VectorXd column(const std::vector<Expr>& es) const {
    const std::vector<double> values = start_.numbers_of(es);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }

  /// Do the constraints allow rest, v = ψ(q, 0) = 0, and is it for the user to choose?
  bool rests(const std::vector<Expr>& residuals, const std::vector<Symbol>& z) {
    if (z.empty() || start_.flow.equations().form == "first-order") return false;
    for (const Symbol s : z) start_.at.insert_or_assign(s, 0.0);
    std::vector<Expr> all = residuals;
    for (const auto& [v, psi] : start_.flow.equations().velocities) all.push_back(psi);
    const std::vector<double> left = start_.numbers_of(all);
    return std::ranges::all_of(left, [](double x) { return std::abs(x) <= initial_tolerance; });
  }

  /// Are all components v^i of the velocity given, each by itself?
  bool determines_velocity() const {
    const auto v = start_.system.space.velocities();
    return std::all_of(v.begin(), v.end(), [&](Symbol s) { return start_.determined(s); });
  }

  /// argmin over z of (ψ(q, z) − v)ᵀ M (ψ(q, z) − v).                                                    (S.2)
  Eigen::VectorXd projected() {
    const std::vector<Symbol>& z = start_.flow.equations().speeds;
    const auto v = start_.system.space.velocities();
    std::vector<Expr> psi;
    for (const Symbol s : v) psi.push_back(start_.flow.equations().velocities.at(s));
    Eigen::VectorXd wanted(static_cast<Eigen::Index>(v.size()));
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (const InitialCondition& c : start_.conditions)
        if (c.quantity == Expr(v[i])) wanted[static_cast<Eigen::Index>(i)] = c.value;
      start_.at.insert_or_assign(v[i], wanted[static_cast<Eigen::Index>(i)]);
    }
    const Eigen::MatrixXd M = start_.numbers(lagrange_equations(start_.system).mass);
    const Matrix slopes = jacobian(psi, z);
    for (const Symbol s : z) start_.at.insert_or_assign(s, 0.5);
    Eigen::VectorXd now = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(z.size()), 0.5);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::MatrixXd J = start_.numbers(slopes);
      const std::vector<double> values = start_.numbers_of(psi);
      const Eigen::VectorXd gap =
          wanted - Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
      const Eigen::VectorXd change = dense::solve_symmetric(J.transpose() * M * J, J.transpose() * M * gap);
      now += change;
      for (std::size_t k = 0; k < z.size(); ++k) start_.at[z[k]] = now[static_cast<Eigen::Index>(k)];
      if (change.norm() < 1e-14) break;
    }
    return now;
  }

  /// The same where all velocities are speeds: the flow's own projection.
  Eigen::VectorXd projected_by_flow() {
    std::vector<double> x = start_.configuration();
    for (const Symbol v : start_.system.space.velocities())
      for (const InitialCondition& c : start_.conditions)
        if (c.quantity == Expr(v)) x.push_back(c.value);
    Manifold<double> manifold(start_.flow);
    manifold.settle(start_.how.time, x.data());
    return Eigen::Map<const Eigen::VectorXd>(x.data() + start_.flow.first_speed(),
                                             static_cast<Eigen::Index>(x.size() - start_.flow.first_speed()));
  }

  [[noreturn]] void undetermined(const std::vector<Symbol>& z, const std::vector<Expr>& residuals) {
    // The speeds along which the conditions do not change are the ones that miss a value.
    std::vector<std::string> open;
    Eigen::MatrixXd kernel =
        Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(z.size()), static_cast<Eigen::Index>(z.size()));
    if (!residuals.empty()) kernel = dense::kernel(start_.numbers(jacobian(residuals, z)));
    for (std::size_t k = 0; k < z.size(); ++k)
      if (kernel.row(static_cast<Eigen::Index>(k)).norm() > 1e-9) open.push_back(z[k].name());
    if (open.empty())  // infinite slopes, no missing value
      start_.fail("singular-state", "the speeds of the motion are not smooth functions of the velocity here",
                  "the solution of a constraint for a velocity meets its singularity",
                  "start from another state, or give other speeds in [parametrization]");
    const std::size_t free = start_.flow.projection() != nullptr
                                 ? z.size() - constraint_rows(start_.flow.derived_system()).independent.size()
                                 : z.size();
    const auto missing =
        static_cast<std::size_t>(kernel.cols());  // values, some of which may stand for others
    const bool any_will_do = missing == 1;
    start_.fail(
        "incomplete-initial-state",
        fmt::format("the initial state does not determine the velocity: `{}` {} open",
                    fmt::join(open, any_will_do ? "` or `" : "`, `"), any_will_do ? "is" : "are"),
        fmt::format("the constraints leave {} {} free, and the values given fix fewer", free,
                    free == 1 ? "velocity" : "velocities"),
        fmt::format("give {} in [simulation] initial, or with --initial {}=0", any_will_do ? "it" : "them",
                    fmt::join(std::span(open).first(std::min(missing, open.size())), "=0,")));
  }

  /// Which constraint the given velocities violate, when they are complete; otherwise which value does not fit.
  [[noreturn]] void contradiction(std::size_t k, double left) {
    if (determines_velocity()) {
      for (const InitialCondition& c : start_.conditions)
        if (c.quantity.is(Kind::symbol)) start_.at.insert_or_assign(c.quantity.symbol(), c.value);
      for (const Constraint& c : start_.system.constraints) {
        const double residual = start_.number(c.expression);
        if (!(std::abs(residual) <= initial_tolerance)) start_.off_constraint(c, c.expression, residual);
      }
    }
    start_.fail_off_constraint(
        fmt::format("the initial values contradict each other: `{}` cannot be {:.6g}",
                    start_.conditions[k].name, start_.conditions[k].value),
        fmt::format("the nearest velocity that satisfies the constraints has {} = {:.6g}",
                    start_.conditions[k].name, start_.conditions[k].value + left),
        "give fewer values: the constraints determine the rest; or use --project");
  }

  StartPoint& start_;
};

}  // namespace

Eigen::VectorXd find_speeds(StartPoint& start) {
  SpeedSearch search(start);
  search.require_rank();
  return search.speeds();
}

}  // namespace rattleback
