#include <rattleback/proof/invariant_measure.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/proof/density.hpp>
#include <rattleback/proof/factors.hpp>
#include <rattleback/proof/measure_equations.hpp>
#include <rattleback/proof/parameter_locus.hpp>

namespace rattleback {
namespace {

constexpr std::size_t readable = 120;

/// What was found about σ, before it is put into words.
struct Decision {
  MeasureEquations equations;
  DirectionalClosure closure;
  std::optional<Density> found;
  Certificate evidence;
  Outcome outcome = Outcome::undecided;
  std::string why;
};

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
std::vector<DirectionalEquation> invariances(const MeasureEquations& m, const Space& space) {
  std::vector<DirectionalEquation> found;
  for (const int leg : legs_without_functions(space))
    found.push_back({VectorField::leg(space, leg), 0, "the algebra"});
  for (int leg = 0; leg < space.dimension(); ++leg) {
    if (is_circle(space, leg) && !moves_along(m.equations, space, leg))
      found.push_back(
          {VectorField::leg(space, leg), 0, fmt::format("the circle {}", space.coordinate(leg)->name())});
  }
  return found;
}

/// Functions in whose powers densities are usually written.
std::vector<Expr> hints(const System& system, const MeasureEquations& m) {
  constexpr int largest = 5;
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

/// The first circle on which the potential is not single-valued.
std::optional<Symbol> not_periodic(const Space& space, Expr sigma) {
  for (int leg = 0; leg < space.dimension(); ++leg) {
    if (!is_circle(space, leg)) continue;
    const Symbol q = *space.coordinate(leg);
    if (!vanishes_at_random_points(substitute(sigma, {{q, q + 2 * pi()}}) - sigma)) return q;
  }
  return std::nullopt;
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

/// The fields span the leaves z = f(q), and these have no closed forms that are not exact.
bool exists_on_leaves(const System& system, const DirectionalClosure& closure) {
  const auto spanned = static_cast<int>(closure.equations.size());
  return spanned + solved_positions(system) == system.space.dimension() &&
         std::none_of(system.space.factors().begin(), system.space.factors().end(), [](const Factor& f) {
           return f.kind == Factor::Kind::circle || f.kind == Factor::Kind::SE2 ||
                  f.kind == Factor::Kind::algebra;
         });
}

void integrate(const Space& space, Decision& d) {
  const OneForm sigma = differential_of_sigma(d.closure);
  if (const auto f = potential(sigma)) {
    if (const auto q = not_periodic(space, *f)) {
      d.outcome = Outcome::refuted;
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

Decision decide(const System& system) {
  Decision d;
  d.equations = measure_equations(system);
  const Space& space = system.space;
  std::vector<DirectionalEquation> all = invariances(d.equations, space);
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

std::vector<std::string> variables(const System& system, const MeasureEquations& m) {
  std::vector<std::string> names;
  for (const Factor& factor : system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) {
        names.push_back(piece.functions.front().attributes().family);
      } else {
        for (const Symbol s : piece.functions) names.push_back(s.name());
      }
    }
  }
  for (const Symbol z : m.D.speeds) names.push_back(z.name());
  return names;
}

/// With respect to dq dz: dq dp = det G dq dz.
Expr density_in_speeds(const Decision& d) {
  const Expr rho = d.equations.momenta ? d.found->value * determinant(d.equations.metric) : d.found->value;
  return without_constant_factors(short_form(rho));
}

/// Taken apart exactly where that is quick, otherwise by trying.
ParameterLocus exceptional_parameters(const System& system, std::span<const Expr> residuals) {
  try {
    const Budget budget({.time = std::chrono::duration<double>(4), .terms = 20'000});
    return vanishing_locus(system, residuals);
  } catch (const Exhausted&) {
    return probed_locus(system, residuals);
  }
}

/// Components of the parameters on which a density does exist, each verified there; conditions that appear only on a
/// component cut it further.
void collect_exceptions(const System& system, const Decision& d, const Locus& outer, int depth, Answer& a) {
  std::vector<Expr> residuals;
  for (const DirectionalCondition& c : d.closure.conditions) residuals.push_back(c.residual);
  const ParameterLocus locus = exceptional_parameters(system, residuals);
  bool open = !locus.complete;
  for (std::size_t k = 0; k < locus.components.size(); ++k) {
    Budget::check();
    if (locus.solutions[k].empty()) {
      open = true;
      continue;
    }
    const System special = substituted(system, locus.solutions[k]);
    Locus component = outer;
    component.insert(component.end(), locus.components[k].begin(), locus.components[k].end());
    try {
      const Decision there = decide(special);
      if (there.outcome == Outcome::proved) {
        a.unless.push_back(std::move(component));
      } else if (there.outcome == Outcome::refuted && depth > 0 && locus.complete) {
        collect_exceptions(special, there, component, depth - 1, a);
      } else if (there.outcome == Outcome::undecided) {
        open = true;
      }
    } catch (const Error&) {
      continue;  // the constraint or the metric degenerates there
    }
  }
  const bool said = !a.why.empty() && a.why.back().starts_with("further");
  if (open && !said) a.why.emplace_back("further exceptional parameters are not excluded");
}

void describe_refutation(const Decision& d, Answer& a) {
  const DirectionalCondition* shortest = nullptr;
  Expr shown = 0;
  for (const DirectionalCondition& c : d.closure.conditions) {
    const Expr e = short_form(c.residual);
    if (shortest != nullptr && written_size(e) >= written_size(shown)) continue;
    shortest = &c;
    shown = e;
  }
  if (shortest != nullptr) {
    a.why.push_back(
        written_size(shown) <= readable
            ? fmt::format("{} must vanish: {} has no unknown left (M.3)", text(shown), shortest->origin)
            : fmt::format("{} leaves a condition without unknowns that fails (M.3)", shortest->origin));
    if (written_size(shown) <= 20 * readable) a.certificate["condition"] = shown;
  }
  if (!d.why.empty()) a.why.push_back(d.why);
  a.why.emplace_back(d.equations.kinetic ? "the energy is kinetic, so this excludes every smooth density"
                                         : "this excludes densities that depend on the configuration alone");
}

}  // namespace

Answer invariant_measure_answer(const System& system) {
  const Decision d = decide(system);
  Answer a;
  a.outcome = d.outcome;
  a.evidence = d.evidence;
  const bool reduced_only = !legs_without_functions(system.space).empty();
  a.answer["exists"] = Data();
  a.answer["density"] = Data();
  a.answer["variables"] = variables(system, d.equations);
  a.answer["space"] = reduced_only ? "D/G" : "D";
  switch (d.outcome) {
    case Outcome::proved:
      a.answer["exists"] = true;
      if (d.found) {
        const Expr rho = density_in_speeds(d);
        a.answer["density"] = rho;
        if (d.equations.momenta) a.answer["density_in_momenta"] = short_form(d.found->value);
        a.why.push_back(
            fmt::format("{} d{} is invariant", text(rho), fmt::join(variables(system, d.equations), " d")));
      }
      if (!d.why.empty()) a.why.push_back(d.why);
      break;
    case Outcome::refuted:
      a.answer["exists"] = false;
      a.evidence.method = "a condition without unknowns is not zero";
      describe_refutation(d, a);
      try {
        collect_exceptions(system, d, {}, 2, a);
      } catch (const Exhausted&) {
        a.why.emplace_back("whether it exists for special parameters took too long");
      }
      break;
    case Outcome::undecided:
      a.obstacle =
          d.why.empty() ? "the equations for a density leave freedom, and no closed form was found" : d.why;
      a.next_step = "check a density of your own with `rattleback prove MODEL --measure`";
      break;
  }
  return a;
}

}  // namespace rattleback
