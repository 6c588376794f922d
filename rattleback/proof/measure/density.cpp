#include <rattleback/proof/measure/density.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/constant_combination.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
namespace {

constexpr std::size_t writable = search_limits::density.count;

void add(std::vector<Expr>& list, Expr f) {
  if (is_constant(f)) return;
  const auto same = [f](Expr other) { return other == f || other == -f; };
  if (std::none_of(list.begin(), list.end(), same)) list.push_back(f);
}

/// sin q, cos q for every coordinate that stands in one of them, cosh likewise.
void add_circular(std::vector<Expr>& list, std::span<const Expr> es) {
  const Tape tape(es);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (!e.is(Kind::call) || !e.args()[0].is(Kind::symbol)) continue;
    const Expr x = e.args()[0];
    switch (e.function().kind()) {
      case Builtin::sin:
      case Builtin::cos:
      case Builtin::tan:
        add(list, sin(x));
        add(list, cos(x));
        break;
      case Builtin::sinh:
      case Builtin::cosh: add(list, cosh(x)); break;
      default: break;
    }
  }
}

/// Coordinates of lines, and in small spaces their products: what may stand in an exponent.
std::vector<Expr> exponents(const Space& space) {
  std::vector<Expr> q;
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::real) q.insert(q.end(), piece.functions.begin(), piece.functions.end());
    }
  }
  const std::size_t lines = q.size();
  for (std::size_t i = 0; i < lines && lines <= 4; ++i) {
    for (std::size_t j = i; j < lines; ++j) q.push_back(q[i] * q[j]);
  }
  return q;
}

}  // namespace

std::vector<Expr> factors_of(std::span<const Expr> es) {
  std::vector<Expr> found;
  for (const Expr e : es) {
    Budget::check();
    const Expr shorter = short_form(e);
    if (written_size(shorter) > writable) continue;
    const Factors f = factors(shorter);
    for (const Expr base : f.above) add(found, base);
    for (const Expr base : f.below) add(found, base);
  }
  return found;
}

namespace {

/// Of a quotient, 1 + u/v among them, the factors above and below; nothing for what has no denominator.
std::vector<Expr> factors_of_quotient(Expr e) {
  const Expr shorter = short_form(e);
  if (written_size(shorter) > writable) return {};
  const Factors f = factors(canonical(shorter));
  if (f.below.empty()) return {};
  std::vector<Expr> pieces = f.above;
  pieces.insert(pieces.end(), f.below.begin(), f.below.end());
  return factors_of(pieces);
}

}  // namespace

std::optional<Density> density(const std::vector<DirectionalEquation>& equations,
                               std::span<const Expr> hints) {
  if (equations.empty()) return Density{0, 1, {}};
  std::vector<Expr> rates;
  for (const DirectionalEquation& e : equations) rates.push_back(e.rate);
  if (std::all_of(rates.begin(), rates.end(), [](Expr e) { return vanishes_at_random_points(e); }))
    return Density{0, 1, {}};

  std::vector<Expr> logs;
  for (const Expr hint : hints) {
    const std::vector<Expr> parts = factors_of_quotient(hint);  // alone, so that their powers are collected
    if (parts.size() < 2) logs.push_back(hint);
    for (const Expr f : parts) add(logs, f);
  }
  for (const Expr f : factors_of(hints)) add(logs, f);
  for (const Expr rate : rates) {
    const Expr shorter = short_form(rate);
    if (written_size(shorter) > writable) continue;
    for (const Expr base : factors(shorter).below) add(logs, base);
  }
  std::vector<Expr> all = rates;
  all.insert(all.end(), hints.begin(), hints.end());
  for (const DirectionalEquation& e : equations)
    all.insert(all.end(), e.field.coefficients().begin(), e.field.coefficients().end());
  add_circular(logs, all);
  const std::vector<Expr> q = exponents(equations.front().field.space());

  const int n = static_cast<int>(logs.size()), m = static_cast<int>(q.size());
  Matrix columns(static_cast<int>(equations.size()), n + m), right(static_cast<int>(equations.size()), 1);
  for (int k = 0; k < columns.rows(); ++k) {
    const VectorField& Y = equations[static_cast<std::size_t>(k)].field;
    for (int i = 0; i < n; ++i) {
      const Expr f = logs[static_cast<std::size_t>(i)];
      columns(k, i) = Y(f) / f;
    }
    for (int j = 0; j < m; ++j) columns(k, n + j) = Y(q[static_cast<std::size_t>(j)]);
    right[k] = rates[static_cast<std::size_t>(k)];
  }
  const auto c = constant_combination(columns, right);
  if (!c) return std::nullopt;
  Density found{0, 1, {}};
  std::vector<Expr> exponent{Expr(0)};
  for (int i = 0; i < n; ++i) {
    const Expr k = (*c)[static_cast<std::size_t>(i)], f = logs[static_cast<std::size_t>(i)];
    if (k.is_zero()) continue;
    found.powers.emplace_back(f, k);
    found.sigma += k * log(f);
    found.value *= pow(f, k);
  }
  for (int j = 0; j < m; ++j) exponent.push_back((*c)[n + j] * q[static_cast<std::size_t>(j)]);
  found.sigma += sum(exponent);
  found.value *= exp(sum(exponent));
  return found;
}

}  // namespace rattleback
