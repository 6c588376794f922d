#include <rattleback/geometry/integrate.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/antiderivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/geometry/coordinate_form.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/integrating_factor.hpp>

namespace rattleback {
namespace {

/// e does not depend on x, although it may be written with it: some value that is no pole takes its place.
Expr without(Expr e, Symbol x) {
  if (!contains(e, x)) return e;
  for (const Rational& value :
       {Rational(0), Rational(1), Rational(1, 2), Rational(-1), Rational(2), Rational(3)}) {
    try {
      return substitute(e, {{x, Expr(value)}});
    } catch (const NoValue&) {  // a pole there
    }
  }
  return e;
}

/// Σ c_ij B_ij with X_k(Σ c_ij B_ij) = b_k, when b is linear in the entries of B: 27 equations for c.
std::optional<Expr> rotation_potential(const CoordinateForm::Rotation& rotation) {
  Matrix equations(27, 9), right(27, 1);
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 9; ++l) right[9 * k + l] = derivative(rotation.b[k], rotation.entries[l]);
    const Matrix turn = hat(unit_vector(k));  // X_k B_ij = B_il turn(l, j)
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int l = 0; l < 3; ++l) equations(9 * k + 3 * i + l, 3 * i + j) = turn(l, j);
      }
    }
  }
  const std::optional<Solution> c = solve(equations, right);
  if (!c) return std::nullopt;
  std::vector<Expr> terms{Expr(0)};
  for (int l = 0; l < 9; ++l) terms.push_back(c->x[l] * Expr(rotation.entries[l]));
  return sum(terms);
}

/// Σ a_q dq: f collects ∫ a_q dq, and what is left of the form no longer contains q.
std::optional<Expr> chart_potential(const CoordinateForm& form) {
  std::vector<Expr> a = form.a;
  Expr f = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::optional<Expr> F = antiderivative(canonical(a[i]), form.coordinates[i]);
    if (!F) return std::nullopt;
    f += *F;
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      a[j] = without(canonical(a[j] - derivative(*F, form.coordinates[j])), form.coordinates[i]);
    }
  }
  return f;
}

bool is_zero_form(const OneForm& alpha) {
  return std::all_of(alpha.coefficients().begin(), alpha.coefficients().end(),
                     [](Expr e) { return vanishes_at_random_points(e); });
}

Verdict proof_of(const OneForm& alpha, Expr factor, Expr f) {
  return is_zero((differential(alpha.space(), f) + (-factor) * alpha).coefficients());
}

}  // namespace

std::optional<Expr> potential(const OneForm& alpha) {
  const std::optional<CoordinateForm> form = coordinate_form(alpha);
  if (!form) return std::nullopt;
  std::optional<Expr> f = chart_potential(*form);
  for (const CoordinateForm::Rotation& rotation : form->rotations) {
    const std::optional<Expr> part = rotation_potential(rotation);
    f = f && part ? std::optional(*f + *part) : std::nullopt;
  }
  if (!f || !proved(proof_of(alpha, Expr(1), *f))) return std::nullopt;
  return f;
}

namespace {

bool is_logarithm(Expr e) { return e.is(Kind::call) && e.function().kind() == Builtin::log; }

/// F with dF = F k df for a number k: k f = Σ n_i log g_i + h, with whole numbers n_i, becomes Π g_i^{n_i} exp h, which
/// needs no g_i > 0. Nothing when f has no such logarithm.
std::optional<std::pair<Rational, Expr>> without_logarithms(Expr f) {
  const std::vector<Expr> terms =
      f.is(Kind::sum) ? std::vector(f.args().begin(), f.args().end()) : std::vector{f};
  Rational k(1);
  bool any = false;
  for (const Expr term : terms) {
    const Scaled s = split_coefficient(term);
    if (!is_logarithm(s.rest)) continue;
    any = true;
    k = k * (s.coefficient * k).denominator();
  }
  if (!any) return std::nullopt;
  std::vector<Expr> factors, others{Expr(0)};
  for (const Expr term : terms) {
    const Scaled s = split_coefficient(term);
    if (is_logarithm(s.rest))
      factors.push_back(pow(s.rest.args()[0], Expr(k * s.coefficient)));
    else
      others.push_back(Expr(k) * term);
  }
  factors.push_back(exp(sum(others)));
  return std::pair(k, product(factors));
}

}  // namespace

std::optional<Integral> integral(const OneForm& alpha) {
  if (is_zero_form(alpha)) return std::nullopt;
  for (const Expr factor : integrating_factors(alpha)) {
    std::optional<Expr> f;
    try {
      f = potential(factor * alpha);
    } catch (const Exhausted&) {  // a factor that random points have no values of; another may do
      Budget::check();
    }
    if (!f) continue;
    const auto F = without_logarithms(*f);
    if (!F) return Integral{*f, factor, proof_of(alpha, factor, *f)};
    const Expr larger = Expr(F->first) * F->second * factor;
    return Integral{F->second, larger, proof_of(alpha, larger, F->second)};
  }
  return std::nullopt;
}

namespace {

/// Forms of the annihilator solved for one set of differentials: rows of (columns J)⁻¹ · annihilator.
std::vector<OneForm> solved_for(const Space& space, const Matrix& rows, const std::vector<int>& J) {
  const std::optional<Solution> s = solve(columns_of(rows, J), rows);
  return s ? from_rows(space, s->x) : std::vector<OneForm>{};
}

bool is_independent(const Space& space, std::vector<Expr> fs) {
  std::vector<OneForm> differentials;
  for (const Expr f : fs) differentials.push_back(differential(space, f));
  return rank(as_rows(space, differentials)) == static_cast<int>(fs.size());
}

}  // namespace

std::vector<Expr> integrals(const Distribution& D) {
  constexpr std::size_t most_attempts = search_limits::integrating_forms.count;
  const Distribution closure = involutive_closure(D);
  const Space& space = D.space();
  const Matrix rows = as_rows(space, closure.annihilator());
  std::vector<Expr> found;
  const auto consider = [&](const OneForm& alpha) {
    if (static_cast<int>(found.size()) == rows.rows()) return;
    const std::optional<Integral> f = integral(alpha);
    if (!f) return;
    std::vector<Expr> longer = found;
    longer.push_back(f->function);
    if (is_independent(space, longer)) found = std::move(longer);
  };
  for (const OneForm& alpha : closure.annihilator()) consider(alpha);
  std::size_t attempts = 0;
  for (const auto& J : subsets(space.dimension(), rows.rows())) {
    if (static_cast<int>(found.size()) == rows.rows() || ++attempts > most_attempts) break;
    for (const OneForm& alpha : solved_for(space, rows, J)) consider(alpha);
  }
  return found;
}

}  // namespace rattleback
