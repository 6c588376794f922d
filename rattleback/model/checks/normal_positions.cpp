#include <rattleback/model/checks/normal_positions.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/completed_square.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

bool has_no_zero(Expr e) {
  return never_vanishes(e) || is_positive_by_squares(e) || is_positive_by_squares(-e);
}

/// The generators r with r² = P that are no sines.
std::vector<int> roots_in(const Field& field, const Polynomial& p) {
  std::vector<int> roots;
  for (const Relation& relation : field.ring().relations()) {
    if (relation.partner < 0 && p.degree(relation.generator) > 0) roots.push_back(relation.generator);
  }
  return roots;
}

/// The product of p and its conjugates under changes of the signs of roots, when none of the others vanishes anywhere.
std::optional<Polynomial> without_roots(const Field& field, Polynomial p) {
  const std::vector<int> roots = roots_in(field, p);
  const Polynomial own = p;
  for (std::size_t choice = 1; choice < (std::size_t{1} << roots.size()); ++choice) {
    Polynomial other = own;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      if ((choice >> k & 1U) != 0) other = conjugate(other, roots[k]);
    }
    if (!has_no_zero(field.expression(other))) return std::nullopt;
    p = p * other;
    reduce(p);
  }
  return roots_in(field, p).empty() ? std::optional(p) : std::nullopt;
}

/// The factors of a polynomial: those that may vanish, multiplied, and whether there were others.
struct VanishingPart {
  Expr product = 1;
  bool has_others = false;
};
VanishingPart vanishing_part(const Field& field, const Polynomial& p) {
  VanishingPart part;
  std::vector<Expr> factors;
  for (const auto& [base, exponent] : factored(p).factors) {
    const Expr factor = field.expression(base);
    if (has_no_zero(factor))
      part.has_others = true;
    else
      factors.push_back(pow(factor, static_cast<int>(exponent)));
  }
  part.product = product(factors);
  return part;
}

/// No zero of φ is one of f: f + k φ has none.
bool is_nonzero_where(Expr f, Expr phi) {
  const std::array<Rational, 6> some{1, 2, Rational(1, 2), -1, -2, Rational(-1, 2)};
  return std::ranges::any_of(some,
                             [&](const Rational& k) { return has_no_zero(short_form(f + Expr(k) * phi)); });
}

std::optional<Expr> in_normal_form(Expr phi) {
  const Generators generators(std::span(&phi, 1), {});
  if (!generators.assumptions().empty()) return std::nullopt;  // the roots were taken apart under conditions
  const Field field(generators.forms());
  const Element element = field.element(generators.forms().front());
  const bool has_roots = !roots_in(field, element.numerator()).empty();
  const auto numerator = without_roots(field, element.numerator());
  if (!numerator) return std::nullopt;
  const VanishingPart above = vanishing_part(field, *numerator),
                      below = vanishing_part(field, element.denominator());
  if (!has_roots && !above.has_others && element.denominator().is_constant()) return std::nullopt;
  if (below.product != Expr(1) && !is_nonzero_where(below.product, above.product)) return std::nullopt;
  if (above.product.is(Kind::constant)) return std::nullopt;  // without a zero: not a matter of form
  return short_form(above.product);
}

}  // namespace

std::optional<Expr> normal_position(Expr phi) {
  constexpr std::size_t longest = search_limits::one_signed_constraint.count;
  if (written_size(phi) > longest) return std::nullopt;
  const InAmbientSpace everywhere;
  try {
    const Budget effort(work_limits::short_form);
    return in_normal_form(phi);
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const NoExactForm&) {  // functions without an exact field
  } catch (const NoValue&) {
  }
  return std::nullopt;
}

std::optional<System> with_normal_positions(const System& system) {
  System normal = system;
  bool changed = false;
  for (Constraint& c : normal.constraints) {
    if (!c.position || c.reaction) continue;
    const auto phi = normal_position(*c.position);
    if (!phi) continue;
    changed = true;
    c.position = *phi;
    c.expression = normal.space.rate(*phi);
  }
  return changed ? std::optional(std::move(normal)) : std::nullopt;
}

}  // namespace rattleback
