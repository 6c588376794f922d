#include <rattleback/proof/measure/measure_decision.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/proof/evidence/divergence_on_positions.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
namespace {

/// Does the equation system change along this leg? Components and rates are functions of the space.
bool moves_along(const std::vector<DirectionalEquation>& equations, const Space& space, int leg) {
  for (const DirectionalEquation& e : equations) {
    if (!vanishes_at_random_points(space.derivative(leg, e.rate))) return true;
    for (const Expr c : e.field.coefficients()) {
      if (!vanishes_at_random_points(space.derivative(leg, c))) return true;
    }
  }
  return false;
}

bool is_circle(const Space& space, int leg) {
  int first = 0;
  for (const Factor& factor : space.factors()) {
    if (leg < first + factor.dimension()) return factor.kind == Factor::Kind::circle;
    first += factor.dimension();
  }
  return false;
}

/// σ may be averaged over a circle that nothing depends on, so it does not depend on it either; and a Lie algebra without
/// its group has no functions at all.                                                                       (M.5)
std::vector<int> still_legs(const MeasureEquations& m, const Space& space) {
  std::vector<int> found = legs_without_functions(space);
  for (int leg = 0; leg < space.dimension(); ++leg) {
    if (is_circle(space, leg) && !moves_along(m.equations, space, leg)) found.push_back(leg);
  }
  return found;
}

DirectionalEquation invariance_along(const Space& space, int leg) {
  return {
      VectorField::leg(space, leg), 0,
      is_circle(space, leg) ? fmt::format("the circle {}", space.coordinate(leg)->name()) : "the algebra"};
}

/// Functions in whose powers densities are usually written.
std::vector<Expr> hints(const System& system, const MeasureEquations& m) {
  constexpr int largest = search_limits::determinants_as_hints.count;
  std::vector<Expr> found;
  const auto add = [&](const Matrix& a) {
    if (a.rows() > 0 && a.rows() <= largest) found.push_back(determinant(a));
  };
  add(m.metric);
  add(transpose(m.D.psi) * m.D.psi);
  if (!system.constraints.empty()) {
    const Matrix a = independent_constraints(system).a;
    add(a * transpose(a));
  }
  std::erase_if(found, [](Expr e) { return symbols_of(e).empty(); });
  return found;
}

/// Every equation holds for the density: a proof.
Verdict is_density(const std::vector<DirectionalEquation>& equations, const Density& d) {
  std::vector<Expr> residuals;
  for (const DirectionalEquation& e : equations) residuals.push_back(e.field(d.sigma) - e.rate);
  return is_zero(residuals);
}

/// dσ in the frame of the space, when the fields span everything.
OneForm differential_of_sigma(const DirectionalClosure& closure) {
  std::vector<VectorField> fields;
  std::vector<Expr> rates;
  for (const DirectionalEquation& e : closure.equations) {
    fields.push_back(e.field);
    rates.push_back(e.rate);
  }
  const Space& space = fields.front().space();
  OneForm sigma(space);
  const auto x = solve(transpose(as_columns(space, fields)), Matrix::column(rates));
  for (int i = 0; x && i < space.dimension(); ++i) sigma[i] = x->x[i];
  return sigma;
}

/// On a product of lines and rotation groups every closed form is exact (H¹ = 0): without poles, dσ has a potential even
/// where no closed form of it is found.                                                                     (M.6)
bool has_global_potential(const Space& space, const OneForm& sigma) {
  bool rotations = false;
  for (const Factor& f : space.factors()) {
    if (f.kind == Factor::Kind::circle || f.kind == Factor::Kind::SE2) return false;
    rotations = rotations || f.kind == Factor::Kind::SO3 || f.kind == Factor::Kind::SE3;
  }
  // The legs of a group are global, and the brackets of D span: what the forms divide by is the chart's doing.
  if (rotations) return true;
  return std::all_of(sigma.coefficients().begin(), sigma.coefficients().end(), [](Expr e) {
    const std::vector<Expr> below = factors(short_form(e)).below;
    return std::all_of(below.begin(), below.end(), known_nonzero);
  });
}

/// Positions that the constraints give as functions of the others, z = f(q): the leaves are graphs over the rest.
int solved_positions(const System& system) {
  int count = 0;
  for (const Constraint& c : system.constraints) {
    if (!c.position) continue;
    const auto q = system.space.functions();
    count += std::any_of(q.begin(), q.end(), [&](Symbol s) {
      return s.role() == Role::coordinate && derivative(*c.position, s).is(Kind::constant) &&
             !derivative(*c.position, s).is_zero();
    });
  }
  return count;
}

/// The fields are independent everywhere on N and, like their rates, without poles: so is dσ. z ∂_z spans nothing at z = 0.
bool are_independent_everywhere(const System& system, const DirectionalClosure& closure) {
  std::vector<VectorField> fields;
  std::vector<Expr> functions;
  for (const DirectionalEquation& e : closure.equations) {
    fields.push_back(e.field);
    functions.push_back(e.rate);
    functions.insert(functions.end(), e.field.coefficients().begin(), e.field.coefficients().end());
  }
  const bool smooth = std::ranges::all_of(functions, [&](Expr f) {
    return std::ranges::all_of(factors(short_form(f)).below, [&](Expr below) {
      return known_nonzero(below) || is_nonzero_on_positions(system, below);
    });
  });
  return smooth && !drops_somewhere(as_columns(system.space, fields), position_relations(system));
}

/// The fields span the leaves z = f(q), and these have no closed forms that are not exact.
bool exists_on_leaves(const System& system, const DirectionalClosure& closure) {
  const auto spanned = static_cast<int>(closure.equations.size());
  if (closure.equations.empty() || !are_independent_everywhere(system, closure)) return false;
  return spanned + solved_positions(system) == system.space.dimension() &&
         std::none_of(system.space.factors().begin(), system.space.factors().end(), [](const Factor& f) {
           return f.kind == Factor::Kind::circle || f.kind == Factor::Kind::SE2 ||
                  f.kind == Factor::Kind::algebra;
         });
}

void integrate(const Space& space, MeasureDecision& d) {
  const OneForm sigma = differential_of_sigma(d.closure);
  if (const auto f = potential(sigma)) {
    if (const auto q = angle_of_several_values(space, *f)) {
      d.outcome = Outcome::refuted;
      d.candidate = f;
      d.turns = q;
      d.why = fmt::format("the only candidate is exp({}), which is not periodic in {}", text(short_form(*f)),
                          q->name());
      return;
    }
    d.found = Density{*f, exp(*f), {}};
    d.outcome = Outcome::proved;
    d.why = "dσ is closed and has a potential";
    return;
  }
  if (has_global_potential(space, sigma)) {
    d.outcome = Outcome::proved;
    d.why =
        "dσ is closed, without poles, on a space of lines: a density exists (Poincaré), without a closed "
        "form";
    return;
  }
  d.why = "dσ is closed, so a density exists near every point";
}

/// From (M.2) and what else σ has to satisfy.
MeasureDecision decision(const System& system, MeasureEquations equations,
                         const std::vector<DirectionalEquation>& also) {
  MeasureDecision d;
  d.equations = std::move(equations);
  const Space& space = system.space;
  std::vector<DirectionalEquation> all = also;
  d.still = still_legs(d.equations, space);
  for (const int leg : d.still) all.push_back(invariance_along(space, leg));
  all.insert(all.end(), d.equations.equations.begin(), d.equations.equations.end());
  if (const auto guess = density(all, hints(system, d.equations))) {
    const Verdict holds = is_density(all, *guess);
    if (const auto* yes = std::get_if<Proved>(&holds)) {
      d.outcome = Outcome::proved;
      d.evidence = yes->why;
      d.found = guess;
      return d;
    }
  }
  d.closure = closure(all);
  if (!d.closure.conditions.empty()) {
    d.outcome = Outcome::refuted;
    return d;
  }
  if (d.closure.determines_everything) {
    integrate(space, d);
  } else if (exists_on_leaves(system, d.closure)) {
    d.outcome = Outcome::proved;
    d.why =
        "dσ is closed along the leaves and their H¹ is zero: a density exists, its closed form was not found";
  }
  return d;
}

/// tr M with [η, X_α] = M_α^β X_β: how the lift of η to D* changes dp. Nothing when η does not preserve D.
std::optional<Expr> trace_of_lift(const Admissible& D, const VectorField& eta) {
  std::vector<Expr> terms{Expr(0)};
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const auto m = solve(D.psi, Matrix::column(bracket(eta, D.leg(alpha)).coefficients()));
    if (!m) return std::nullopt;
    terms.push_back(m->x[alpha]);
  }
  return sum(terms);
}

}  // namespace

bool determines_density(const System& system, const MeasureDecision& d) {
  std::vector<DirectionalEquation> all;
  for (const int leg : d.still) all.push_back(invariance_along(system.space, leg));
  all.insert(all.end(), d.equations.equations.begin(), d.equations.equations.end());
  return closure(all).determines_everything;
}

MeasureDecision measure_on_D(const System& system) { return decision(system, measure_equations(system), {}); }

MeasureDecision measure_on_quotient(const System& system, const std::vector<VectorField>& group) {
  MeasureEquations equations = measure_equations(system);
  std::vector<DirectionalEquation> invariant;
  for (const VectorField& eta : group) {
    Budget::check();
    const auto trace = trace_of_lift(equations.D, eta);
    if (!trace) throw Inapplicable("form-does-not-apply", "a generator does not preserve the constraint");
    invariant.push_back({eta,
                         -(divergence_on_positions(system, eta) + (equations.momenta ? *trace : -*trace)),
                         "the symmetry"});
  }
  return decision(system, std::move(equations), invariant);
}

}  // namespace rattleback
