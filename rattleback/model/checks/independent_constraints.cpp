#include <rattleback/model/checks/independent_constraints.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

namespace rattleback {

std::vector<int> independent_on_positions(const System& system, const Matrix& a) {
  const auto positions = variety_with_points(system);
  if (positions == nullptr) return independent_rows(a);
  const OnVariety here(positions);
  return independent_rows(a);
}

bool follows_from_others(const System& system, int s) {
  if (system.constraints[static_cast<std::size_t>(s)].reaction) return false;
  const auto positions = variety_with_points(system);
  if (positions == nullptr) return false;
  System others = system;
  others.constraints.clear();
  std::vector<Expr> functions;
  for (int k = 0; k < static_cast<int>(system.constraints.size()); ++k) {
    const OnVariety here(positions);
    const Constraint& c = system.constraints[static_cast<std::size_t>(k)];
    if (k == s || (c.position && vanishes_at_random_points(c.expression))) continue;
    others.constraints.push_back(c);
    functions.push_back(c.expression);
  }
  const auto beside = variety_with_points(others);
  if (beside == nullptr) return false;
  functions.push_back(system.constraints[static_cast<std::size_t>(s)].expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  if (std::find(rows.affine.begin(), rows.affine.end(), false) != rows.affine.end()) return false;
  const OnVariety there(beside);
  const std::vector<int> kept = independent_rows(rows.a);
  return std::find(kept.begin(), kept.end(), rows.count() - 1) == kept.end();
}

std::optional<System> without_dependent_constraints(const System& system) {
  const auto on_positions = [](const Constraint& c) { return c.position.has_value(); };
  if (std::none_of(system.constraints.begin(), system.constraints.end(), on_positions)) return std::nullopt;
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  if (std::find(rows.affine.begin(), rows.affine.end(), false) != rows.affine.end()) return std::nullopt;
  const std::vector<int> kept = independent_on_positions(system, rows.a);
  if (kept.size() == functions.size() || kept == independent_rows(rows.a)) return std::nullopt;
  System fewer = system;
  fewer.constraints.clear();
  for (const int s : kept) fewer.constraints.push_back(system.constraints[static_cast<std::size_t>(s)]);
  return fewer;
}

}  // namespace rattleback
