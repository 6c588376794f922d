#include <rattleback/simulate/loops/redundant_constraints.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/simulate/loops/assembly.hpp>

namespace rattleback {
namespace {

/// The position constraints as equations in the coordinates, at the values of the parameters.
struct Positions {
  std::vector<int> which;  ///< indices of the constraints
  std::vector<Expr> f;
  std::vector<Symbol> x;
  Angles angles;
  Numbers at;
  Eigen::VectorXd about;  ///< the initial position, as far as it is known
};

std::optional<Positions> positions_of(const System& system) {
  Positions p;
  for (std::size_t s = 0; s < system.constraints.size(); ++s) {
    const Constraint& c = system.constraints[s];
    if (!c.position) continue;
    p.which.push_back(static_cast<int>(s));
    p.f.push_back(with_formulas(system, *c.position));
  }
  if (p.f.size() < 2) return std::nullopt;
  for (const auto& [symbol, value] : parameter_values(system)) p.at.emplace(symbol, evaluate(value, {}));
  const SymbolMap start = initial_point(system);
  std::vector<double> about;
  for (const Factor& factor : system.space.factors()) {
    if (factor.kind != Factor::Kind::line && factor.kind != Factor::Kind::circle) continue;
    const Symbol q = factor.pieces.front().functions.front();
    const auto given = start.find(q);
    p.x.push_back(q);
    p.angles.push_back(factor.kind == Factor::Kind::circle);
    about.push_back(given == start.end() ? (q.is_positive() ? 1.0 : 0.0) : evaluate(given->second, p.at));
  }
  for (const Symbol s : symbols_of(p.f)) {
    const bool is_unknown = std::find(p.x.begin(), p.x.end(), s) != p.x.end();
    if (!is_unknown && s.role() != Role::constant && !p.at.contains(s)) return std::nullopt;
  }
  p.about = Eigen::Map<const Eigen::VectorXd>(about.data(), static_cast<Eigen::Index>(about.size()));
  return p.about.allFinite() ? std::optional(std::move(p)) : std::nullopt;
}

Eigen::VectorXd drawn(const Eigen::VectorXd& about, int attempt, double scale) {
  Eigen::VectorXd x = about;
  for (Eigen::Index k = 0; k < x.size(); ++k)
    x[k] += scale * std::sin(12.9898 * attempt * static_cast<double>(k + 1) + 0.7 * static_cast<double>(k));
  return x;
}

int rank_of(const Eigen::MatrixXd& rows) {
  if (rows.rows() == 0) return 0;
  const Eigen::VectorXd sigma = dense::singular_values(rows);
  return static_cast<int>((sigma.array() > 1e-6 * std::max(sigma[0], 1e-300)).count());
}

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& all, const std::vector<int>& which) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(which.size()), all.cols());
  for (std::size_t k = 0; k < which.size(); ++k) rows.row(static_cast<Eigen::Index>(k)) = all.row(which[k]);
  return rows;
}

std::vector<Eigen::VectorXd> assembled_positions(PositionEquations& f, const Positions& p) {
  constexpr int attempts = search_limits::assembled_positions.count;
  constexpr std::size_t enough = search_limits::positions_for_a_rank.count;
  std::vector<Eigen::VectorXd> found;
  for (int attempt = 0; attempt < attempts && found.size() < enough; ++attempt) {
    const AssembledPosition here = assembled_from(f, drawn(p.about, attempt, 0.3), p.angles);
    if (here.residual < 1e-11) found.push_back(here.x);
  }
  return found;
}

/// Do the constraints that are left out hold at positions near x that satisfy the rest?
bool follow_nearby(PositionEquations& all, PositionEquations& kept, const Eigen::VectorXd& x,
                   const Angles& angles) {
  const Eigen::MatrixXd tangent = dense::kernel(kept(x).slopes);
  for (int k = 1; k <= 3; ++k) {
    const Eigen::VectorXd mix = drawn(Eigen::VectorXd::Zero(tangent.cols()), k, 1);
    const Eigen::VectorXd direction = tangent * mix;
    if (!(direction.norm() > 0)) continue;
    const AssembledPosition there = assembled_from(kept, x + 0.05 / direction.norm() * direction, angles);
    if (!(there.residual < 1e-11) || !(all(there.x).f.cwiseAbs().maxCoeff() < 1e-8)) return false;
  }
  return true;
}

}  // namespace

RedundantConstraints redundant_constraints(const System& system) {
  const auto p = positions_of(system);
  if (!p) return {};
  PositionEquations all(p->f, p->x, p->at);
  int generic = 0;
  for (int k = 1; k <= 3; ++k) generic = std::max(generic, rank_of(all(drawn(p->about, k, 0.9)).slopes));
  std::vector<Eigen::VectorXd> points = assembled_positions(all, *p);
  RedundantConstraints found;
  for (const Eigen::VectorXd& x : points) found.rank = std::max(found.rank, rank_of(all(x).slopes));
  if (points.size() < 2 || found.rank == 0 || found.rank >= generic) return {};
  std::erase_if(points, [&](const Eigen::VectorXd& x) { return rank_of(all(x).slopes) < found.rank; });
  std::vector<int> kept;
  std::vector<Expr> rest;
  for (int s = 0; s < static_cast<int>(p->f.size()); ++s) {
    std::vector<int> trial = kept;
    trial.push_back(s);
    const bool raises = std::ranges::all_of(points, [&](const Eigen::VectorXd& x) {
      return rank_of(rows_of(all(x).slopes, trial)) == static_cast<int>(trial.size());
    });
    if (raises) {
      kept = trial;
      rest.push_back(p->f[static_cast<std::size_t>(s)]);
    } else {
      found.which.push_back(p->which[static_cast<std::size_t>(s)]);
    }
  }
  if (static_cast<int>(kept.size()) != found.rank) return {};
  PositionEquations others(rest, p->x, p->at);
  for (const Eigen::VectorXd& x : points)
    if (!follow_nearby(all, others, x, p->angles)) return {};
  found.tried = static_cast<int>(points.size());
  return found;
}

System without_constraints(System system, const std::vector<int>& which) {
  std::vector<Constraint> rest;
  for (std::size_t s = 0; s < system.constraints.size(); ++s)
    if (std::ranges::find(which, static_cast<int>(s)) == which.end()) rest.push_back(system.constraints[s]);
  system.constraints = std::move(rest);
  return system;
}

}  // namespace rattleback
