#include <rattleback/model/system/velocity_rows.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {

namespace {

bool contain_any(std::span<const Expr> es, const SymbolMap& symbols) {
  constexpr std::size_t few = search_limits::symbols_looked_for.count;
  const auto may = [&](Expr e) {
    return std::any_of(symbols.begin(), symbols.end(), [e](const auto& s) { return e.may_contain(s.first); });
  };
  if (symbols.size() <= few && std::none_of(es.begin(), es.end(), may)) return false;
  const std::vector<Symbol> found = symbols_of(es);
  return std::any_of(found.begin(), found.end(), [&](Symbol s) { return symbols.contains(s); });
}

/// The row of one function; is it affine?
bool read_row(const Space& space, Expr f, const SymbolMap& at_rest, VelocityRows& rows, int s) {
  const int n = space.dimension();
  const std::vector<Expr> slopes = gradient(f, space.velocities());
  rows.b[s] = substitute(f, at_rest);
  if (!contain_any(slopes, at_rest)) {
    for (int i = 0; i < n; ++i) rows.a(s, i) = collapsed(slopes[i]);
    return true;
  }
  // Slopes may be written with velocities that cancel, so the test is mathematical, not structural.
  std::vector<Expr> rest{f, -rows.b[s]};
  for (int i = 0; i < n; ++i) {
    rows.a(s, i) = collapsed(substitute(slopes[i], at_rest));
    rest.push_back(-rows.a(s, i) * space.velocities()[i]);
  }
  return vanishes_at_random_points(sum(rest));
}

}  // namespace

VelocityRows velocity_rows(const Space& space, std::span<const Expr> functions) {
  SymbolMap at_rest;
  for (const Symbol v : space.velocities()) at_rest.emplace(v, Expr(0));
  const int n = space.dimension(), k = static_cast<int>(functions.size());
  VelocityRows rows{Matrix(k, n), Matrix(k, 1), {}};
  for (int s = 0; s < k; ++s) {
    try {
      rows.affine.push_back(read_row(space, functions[s], at_rest, rows, s));
    } catch (const NoValue&) {  // √(x'² + y'²), x'/y': a pole or an infinite slope at rest
      rows.affine.push_back(false);
    }
  }
  return rows;
}

Matrix above(const Matrix& upper, const Matrix& lower) {
  return transpose(beside(transpose(upper), transpose(lower)));
}

std::vector<int> independent_rows(const Matrix& a) {
  return a.rows() == 0 ? std::vector<int>() : independent_columns(transpose(a));
}

}  // namespace rattleback
