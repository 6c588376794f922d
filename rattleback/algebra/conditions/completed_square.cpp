#include <rattleback/algebra/conditions/completed_square.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/sign_samples.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_symbols = search_limits::symbols_of_a_square.count;
constexpr int most_squares = search_limits::completed_squares.count;

bool is_positive(Expr e, int squares);

/// Completes the square in the symbol s.
bool is_positive_in(Expr e, Symbol s, int squares) {
  const Expr slope = derivative(e, s), twice = derivative(slope, s);
  if (twice.is_zero() || contains(twice, s)) return false;
  const KnownSign curvature = known_sign(short_form(twice));
  if (curvature != KnownSign::positive && curvature != KnownSign::nonnegative) return false;
  const SymbolMap at_zero{{s, Expr(0)}};
  const Expr b = substitute(slope, at_zero), c = substitute(e, at_zero);
  return is_positive(short_form(b.is_zero() ? c : 2 * twice * c - pow(b, 2)), squares - 1);
}

bool is_positive(Expr e, int squares) {
  if (known_sign(e) == KnownSign::positive) return true;
  if (squares == 0 || !fits(e, legible::on_a_line)) return false;
  const std::vector<Symbol> symbols = symbols_of(e);
  return symbols.size() <= most_symbols &&
         std::ranges::any_of(symbols, [&](Symbol s) { return is_positive_in(e, s, squares); });
}

/// A polynomial in symbols, sines and cosines: no poles and no square roots.
bool is_polynomial_in_parts(Expr e) {
  allow_recursion();
  if (e.is(Kind::power)) return e.exponent() > 0 && is_polynomial_in_parts(e.args()[0]);
  if (e.is(Kind::call)) return is_call_of(e, Builtin::sin) || is_call_of(e, Builtin::cos);
  return !e.is(Kind::sum) && !e.is(Kind::product) ? true
                                                  : std::ranges::all_of(e.args(), is_polynomial_in_parts);
}

}  // namespace

bool is_positive_by_squares(Expr e) {
  return e.is(Kind::sum) && fits(e, legible::on_a_line) && is_polynomial_in_parts(e) && !has_no_sign(e) &&
         is_positive(e, most_squares);
}

}  // namespace rattleback
