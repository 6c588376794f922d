#include <rattleback/proof/check/claimed_fields.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>

namespace rattleback {
namespace {

Symbol time_symbol() { return Symbol::make("t", {.role = Role::time}); }

SymbolMap rates_along(const ClaimedSystem& claim, const ClaimedField& A) {
  SymbolMap rates;
  const int n = static_cast<int>(claim.frame.size());
  for (const Symbol q : claim.functions) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < n; ++i) terms.push_back(A[i] * claim.frame[static_cast<std::size_t>(i)].at(q));
    rates.emplace(q, sum(terms));
  }
  rates.emplace(time_symbol(), A[n]);
  return rates;
}

}  // namespace

std::pair<int, int> bracket_below(const Data& item, std::size_t bound) {
  if (item.list() == nullptr || item.list()->size() != 2) bad_certificate("a pair of indices is missing");
  return {index_below(item.list()->front(), bound), index_below(item.list()->back(), bound)};
}

Expr along_field(const ClaimedSystem& claim, const ClaimedField& A, Expr f) {
  return derivative_along(f, rates_along(claim, A));
}

ClaimedField field_bracket(const ClaimedSystem& claim, const ClaimedField& A, const ClaimedField& B) {
  ClaimedField Z = derivative_along(B, rates_along(claim, A)) - derivative_along(A, rates_along(claim, B));
  for (const auto& [i, j, k, value] : claim.structure) Z[k] += value * A[i] * B[j];
  return Z;
}

SymbolMap complete_lift(const ClaimedSystem& claim, const std::vector<Expr>& xi) {
  SymbolMap lift;
  for (const Symbol q : claim.functions) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < xi.size(); ++i) terms.push_back(xi[i] * claim.frame[i].at(q));
    lift.emplace(q, sum(terms));
  }
  std::vector<Expr> rates;
  for (const Expr component : xi) rates.push_back(derivative(component, time_symbol()));
  for (std::size_t i = 0; i < xi.size(); ++i) {
    for (std::size_t j = 0; j < xi.size(); ++j)
      rates[i] += claim.velocities[j] * derivative_along(xi[i], claim.frame[j]);
  }
  for (const auto& [j, k, i, value] : claim.structure)
    rates[static_cast<std::size_t>(i)] +=
        value * claim.velocities[static_cast<std::size_t>(j)] * xi[static_cast<std::size_t>(k)];
  for (std::size_t i = 0; i < xi.size(); ++i) lift.emplace(claim.velocities[i], rates[i]);
  return lift;
}

std::vector<Expr> turned_constraints(const ClaimedSystem& claim, const SymbolMap& lift) {
  std::vector<Expr> all = substitute(derivative_along(claim.constraints, lift), claim.psi);
  for (const Expr e : positions_of_check()) all.push_back(derivative_along(e, lift));
  return all;
}

std::vector<Expr> invariance_residuals(const ClaimedSystem& claim, const std::vector<Expr>& xi) {
  const SymbolMap lift = complete_lift(claim, xi);
  std::vector<Expr> all{derivative_along(claim.lagrangian, lift)};
  for (const Expr e : turned_constraints(claim, lift)) all.push_back(e);
  return all;
}

std::vector<Expr> invariance_residuals(const ClaimedSystem& claim, const Matrix& generators) {
  std::vector<Expr> all;
  for (int a = 0; a < generators.rows(); ++a) {
    std::vector<Expr> xi;
    for (int i = 0; i < generators.columns(); ++i) xi.push_back(generators(a, i));
    for (const Expr e : invariance_residuals(claim, xi)) all.push_back(e);
  }
  return all;
}

std::vector<ClaimedField> legs_of_D(const ClaimedSystem& claim) {
  const int n = static_cast<int>(claim.velocities.size());
  SymbolMap rest;
  for (const Symbol z : claim.speeds) rest.emplace(z, Expr(0));
  std::vector<ClaimedField> legs;
  ClaimedField y(n + 1, 1);
  bool drifts = false;
  for (int i = 0; i < n; ++i) {
    const Expr psi = claim.admissible[static_cast<std::size_t>(i)];
    y[i] = substitute(psi, rest);
    drifts = drifts || !vanishes_at_random_points(y[i]) || contains(psi, time_symbol());
  }
  y[n] = Expr(1);
  for (const Symbol z : claim.speeds) {
    ClaimedField X(n + 1, 1);
    for (int i = 0; i < n; ++i) {
      const Expr slope = derivative(claim.admissible[static_cast<std::size_t>(i)], z);
      X[i] = substitute(slope, rest);
      if (!vanishes_at_random_points(slope - X[i]))
        bad_certificate("the admissible velocities are not linear in the speeds");
    }
    legs.push_back(std::move(X));
  }
  if (drifts) legs.push_back(y);
  return legs;
}

Matrix legs_on_Q(const ClaimedSystem& claim) {
  Matrix legs = directions(claim);
  require_listed({legs.entries().begin(), legs.entries().end()}, {&claim.functions}, "a leg of D");
  return legs;
}

BracketTree bracket_tree(const ClaimedSystem& claim, const Data& certificate,
                         std::vector<ClaimedField> given) {
  BracketTree tree{std::move(given), {}, {}};
  tree.length.assign(tree.fields.size(), 1);
  for (const Data& item : list_field(certificate, "brackets")) {
    const auto [a, j] = bracket_below(item, tree.fields.size());
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    tree.fields.push_back(field_bracket(claim, tree.fields[at(a)], tree.fields[at(j)]));
    tree.pairs.emplace_back(a, j);
    tree.length.push_back(tree.length[at(j)] + 1);
  }
  return tree;
}

Matrix side_by_side(const std::vector<ClaimedField>& fields, std::size_t count) {
  const int rows = fields.empty() ? 0 : fields.front().rows();
  Matrix m(rows, static_cast<int>(count));
  for (std::size_t j = 0; j < count; ++j) {
    for (int i = 0; i < rows; ++i) m(i, static_cast<int>(j)) = fields[j][i];
  }
  return m;
}

}  // namespace rattleback
