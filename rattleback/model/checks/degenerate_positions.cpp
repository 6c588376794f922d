#include <rattleback/model/checks/degenerate_positions.hpp>

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/model/system/positions.hpp>

namespace rattleback {
namespace {

using Eigen::Index, dense::Matrix, dense::Vector;

/// φ and dφ in doubles, with rotation matrices in their charts.
class Positions {
 public:
  Positions(const System& system, const Variety& n) : unknowns_(n.unknowns().begin(), n.unknowns().end()) {
    for (const Parameter& p : system.parameters) known_.emplace(p.symbol, 1);
    for (const auto& [symbol, value] : parameter_values(system)) known_[symbol] = evaluate(value, known_);
    known_[system.time] = 0.3;
    for (const Expr e : n.equations()) {
      values_.push_back(e);
      for (const Expr slope : gradient(e, unknowns_)) slopes_.push_back(slope);
    }
  }

  Index dimension() const { return static_cast<Index>(unknowns_.size()); }
  Vector values(const Vector& x) const { return rows(values_, x, 1); }
  Matrix slopes(const Vector& x) const { return rows(slopes_, x, dimension()); }

  std::string text(const Vector& x) const {
    std::vector<std::string> all;
    for (Index i = 0; i < x.size(); ++i) {
      const double value = std::abs(x[i]) < 1e-4 ? 0 : x[i];
      all.push_back(fmt::format("{} = {:.4g}", unknowns_[static_cast<std::size_t>(i)].name(), value));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

 private:
  Matrix rows(const std::vector<Expr>& es, const Vector& x, Index columns) const {
    Numbers at = known_;
    for (Index i = 0; i < x.size(); ++i) at[unknowns_[static_cast<std::size_t>(i)]] = x[i];
    const std::vector<double> all = evaluate(es, at);
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        all.data(), static_cast<Index>(all.size()) / columns, columns);
  }

  std::vector<Symbol> unknowns_;
  Numbers known_;
  std::vector<Expr> values_, slopes_;
};

/// Gauss and Newton to a zero, simple or not: a multiple one is approached by a constant factor in every step.
bool reaches_zero(const Positions& phi, Vector& x) {
  constexpr int most_steps = search_limits::degenerate_positions.count;
  constexpr double small = 1e-13, far = 1e4;
  for (int k = 0; k < most_steps; ++k) {
    const Vector r = phi.values(x);
    if (!r.allFinite() || x.norm() > far) return false;
    if (r.norm() < small) return true;
    const Matrix J = phi.slopes(x);
    if (!J.allFinite()) return false;
    Vector step = dense::least_norm(J, r).x;
    if (const double length = step.norm(); length > 1) step /= length;
    x -= step;
  }
  return false;
}

/// Is there a point of N beside x along every direction of the kernel of dφ?
bool moves_along_kernel(const Positions& phi, const Vector& x, const Matrix& kernel) {
  constexpr double distance = 1e-2, astray = 0.2;
  for (Index i = 0; i < kernel.cols(); ++i) {
    const Vector v = kernel.col(i).normalized(), aim = x + distance * v;
    Vector there = aim;
    if (!reaches_zero(phi, there) || (there - aim).norm() > astray * distance) return false;
  }
  return true;
}

bool is_regular(const Positions& phi, const Vector& x) {
  constexpr double small = 1e-3;
  const Matrix J = phi.slopes(x);
  const bool no_slopes = J.norm() < small;
  const Index rank = no_slopes ? 0 : dense::rank(J, small);
  if (!no_slopes && rank == J.rows()) return true;  // dφ is onto
  if (rank == x.size()) return true;                // a point, and no direction is left
  const Matrix kernel =
      no_slopes ? Matrix::Identity(x.size(), x.size()) : dense::orthogonal_factors(dense::kernel(J, small)).q;
  return moves_along_kernel(phi, x, kernel);
}

}  // namespace

std::optional<std::string> degenerate_position(const System& system) {
  constexpr int starts = search_limits::degenerate_starts.count,
                enough = search_limits::degenerate_positions_found.count;
  const auto relations = position_relations(system);
  if (relations.empty()) return std::nullopt;
  const auto n = variety_of(relations);
  if (n == nullptr) return std::nullopt;
  constexpr std::size_t searched_up_to = search_limits::rank_drop_of_constraints.count;
  std::size_t size = 0;
  for (const Expr e : n->equations()) size += written_size(e);
  if (size > searched_up_to) return std::nullopt;
  try {
    const Positions phi(system, *n);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> turn(-std::numbers::pi, std::numbers::pi);
    std::optional<Vector> found;
    int count = 0;
    for (int start = 0; start < starts; ++start) {
      Budget::check();
      Vector x(phi.dimension());
      for (Index i = 0; i < x.size(); ++i) x[i] = turn(random);
      if (!reaches_zero(phi, x)) continue;
      if (is_regular(phi, x)) return std::nullopt;
      ++count;
      found = x;
    }
    if (count < enough) return std::nullopt;
    return phi.text(*found);
  } catch (const NoNumber&) {  // a function without values
    return std::nullopt;
  }
}

}  // namespace rattleback
