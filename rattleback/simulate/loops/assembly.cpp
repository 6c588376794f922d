#include <rattleback/simulate/loops/assembly.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

/// f_1, …, f_m, then the rows of its Jacobian.
Code compiled_equations(std::span<const Expr> f, std::span<const Symbol> x, std::span<const Symbol> others) {
  std::vector<Expr> all(f.begin(), f.end());
  for (const Expr e : f) {
    const std::vector<Expr> row = gradient(e, x);
    all.insert(all.end(), row.begin(), row.end());
  }
  return straight_line(x, others, all);
}

std::vector<Symbol> others_in(std::span<const Expr> f, std::span<const Symbol> x) {
  std::vector<Symbol> others;
  for (const Symbol s : symbols_of(f))
    if (s.role() != Role::constant && std::find(x.begin(), x.end(), s) == x.end()) others.push_back(s);
  return others;
}

std::vector<double> values_of(std::span<const Symbol> symbols, const Numbers& at) {
  std::vector<double> values;
  for (const Symbol s : symbols) values.push_back(evaluate(Expr(s), at));
  return values;
}

double largest(const Eigen::VectorXd& f) { return f.size() == 0 ? 0 : f.cwiseAbs().maxCoeff(); }

/// The largest step that turns no angle by more than a radian.
double allowed(const Eigen::VectorXd& step, const Angles& angles) {
  double turn = 0;
  for (Eigen::Index k = 0; k < step.size(); ++k)
    if (angles[static_cast<std::size_t>(k)]) turn = std::max(turn, std::abs(step[k]));
  return turn > 1 ? 1 / turn : 1;
}

double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return largest(a - b); }

}  // namespace

PositionEquations::PositionEquations(std::span<const Expr> f, std::span<const Symbol> x, const Numbers& at)
    : unknowns_(static_cast<Eigen::Index>(x.size())),
      code_(compiled_equations(f, x, others_in(f, x))),
      evaluate_(code_, values_of(others_in(f, x), at)),
      out_(f.size() * (1 + x.size())) {
  values_.f.resize(static_cast<Eigen::Index>(f.size()));
  values_.slopes.resize(static_cast<Eigen::Index>(f.size()), unknowns_);
}

const PositionEquations::Values& PositionEquations::operator()(const Eigen::VectorXd& x) {
  evaluate_(x.data(), out_.data());
  const Eigen::Index m = values_.f.size();
  values_.f = Eigen::Map<const Eigen::VectorXd>(out_.data(), m);
  values_.slopes =
      Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(out_.data() + m, m, unknowns_);
  return values_;
}

AssembledPosition assembled_from(PositionEquations& f, Eigen::VectorXd x, const Angles& angles) {
  constexpr int most_steps = search_limits::assembled_position.count,
                most_halvings = search_limits::halved_step.count;
  AssembledPosition found;
  PositionEquations::Values now = f(x);
  for (int step = 0; step < most_steps; ++step) {
    if (!now.f.allFinite() || !now.slopes.allFinite()) break;
    const auto [change, rank] = dense::least_norm(now.slopes, now.f);
    found.rank = rank;
    const double size = now.f.norm();
    double part = allowed(change, angles);
    Eigen::VectorXd there = x - part * change;
    PositionEquations::Values next = f(there);
    for (int k = 0; k < most_halvings && !(next.f.norm() <= size); ++k) {
      part /= 2;
      there = x - part * change;
      next = f(there);
    }
    if (!next.f.allFinite()) break;
    x = std::move(there);
    now = std::move(next);
    if (part * change.norm() <= 1e-15 * (1 + x.norm())) break;
  }
  found.residual = now.f.allFinite() ? largest(now.f) : std::nan("");
  found.x = std::move(x);
  return found;
}

/// With y = Lᵀx, W = L Lᵀ, each step solves the linearised problem: y = y_a + J̃⁺(J̃(y − y_a) − f), J̃ = J L⁻ᵀ. Where the surface
/// is too much curved for that to converge, the solution from a by steps of least norm stands.
AssembledPosition nearest_position(PositionEquations& f, const Eigen::VectorXd& a, const Eigen::MatrixXd& W,
                                   const Angles& angles) {
  constexpr int most_steps = search_limits::nearest_position.count;
  const std::optional<Eigen::MatrixXd> L = dense::cholesky_factor(W);
  const AssembledPosition near = assembled_from(f, a, angles);
  if (!L) return near;
  Eigen::VectorXd x = near.x;
  double moved = 0, before = 0;
  for (int step = 0; step < most_steps; ++step) {
    const PositionEquations::Values now = f(x);
    const Eigen::MatrixXd J = dense::solve_lower(*L, now.slopes.transpose()).transpose();
    const Eigen::VectorXd y = dense::least_norm(J, now.slopes * (x - a) - now.f).x;
    const Eigen::VectorXd there = a + dense::solve_transposed_lower(*L, y);
    if (!there.allFinite()) return near;
    before = moved;
    moved = (there - x).norm();
    x = there;
    if (moved <= 1e-15 * (1 + x.norm())) break;
    if (step > 5 && moved > before && moved > 1e-12) return near;
  }
  AssembledPosition found = assembled_from(f, x, angles);
  return found.residual <= std::max(near.residual, 1e-12) ? found : near;
}

Eigen::VectorXd within_a_turn(Eigen::VectorXd x, const Eigen::VectorXd& about, const Angles& angles) {
  constexpr double turn = 2 * std::numbers::pi;
  for (Eigen::Index k = 0; k < x.size(); ++k)
    if (angles[static_cast<std::size_t>(k)]) x[k] -= turn * std::round((x[k] - about[k]) / turn);
  return x;
}

std::vector<Eigen::VectorXd> isolated_positions(PositionEquations& f, const Eigen::VectorXd& about,
                                                const Angles& angles, double tolerance) {
  constexpr int starts = search_limits::assembled_branches.count;
  constexpr double same = 1e-6;
  double length = 1;  // lengths that are not guessed, or guessed as 0, may be as large as the others
  for (Eigen::Index k = 0; k < about.size(); ++k)
    if (!angles[static_cast<std::size_t>(k)]) length += std::abs(about[k]);
  std::vector<Eigen::VectorXd> found;
  for (int attempt = 0; attempt < starts; ++attempt) {
    Eigen::VectorXd x = about;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double draw = std::sin(12.9898 * attempt * static_cast<double>(k + 1));
      const bool is_angle = angles[static_cast<std::size_t>(k)];
      x[k] += draw * (is_angle ? std::numbers::pi : length);
    }
    const AssembledPosition solution = assembled_from(f, x, angles);
    if (!(solution.residual <= tolerance) || solution.rank < f.unknowns()) continue;
    const Eigen::VectorXd here = within_a_turn(solution.x, about, angles);
    const auto is_same = [&](const Eigen::VectorXd& other) {
      return distance(within_a_turn(here, other, angles), other) < same * (1 + other.norm());
    };
    if (std::ranges::none_of(found, is_same)) found.push_back(here);
  }
  std::ranges::stable_sort(found, {}, [&](const Eigen::VectorXd& x) { return (x - about).norm(); });
  return found;
}

}  // namespace rattleback
