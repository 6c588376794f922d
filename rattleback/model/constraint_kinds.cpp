#include <rattleback/model/constraint_kinds.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/integrate.hpp>

namespace rattleback {
namespace {

bool all_zero(const Matrix& m) {
  return std::all_of(m.entries().begin(), m.entries().end(),
                     [](Expr e) { return vanishes_at_random_points(e); });
}

/// Q × time: needed only when a constraint has a part without velocities or depends on time.
Space with_time(const System& system) {
  return system.space * Space::chart(std::span<const Symbol>(&system.time, 1));
}

bool involves_time(const System& system, const VelocityRows& rows) {
  if (!all_zero(rows.b)) return true;
  return std::any_of(rows.a.entries().begin(), rows.a.entries().end(),
                     [&](Expr e) { return contains(e, system.time); });
}

/// A_i θ^i + b dt.
OneForm one_form(const Space& space, const VelocityRows& rows, int s) {
  OneForm alpha(space);
  for (int i = 0; i < rows.a.columns(); ++i) alpha[i] = rows.a(s, i);
  if (space.dimension() > rows.a.columns()) alpha[rows.a.columns()] = rows.b[s];
  return alpha;
}

bool is_closed(const OneForm& alpha) {
  const Form dalpha = d(alpha);
  return std::all_of(dalpha.coefficients().begin(), dalpha.coefficients().end(),
                     [](Expr e) { return vanishes_at_random_points(e); });
}

/// Σ_s y_s C^s = 0 with the dependent constraint among them: "left + right = 0".
std::string dependence(const System& system, const Matrix& rows, const std::vector<int>& which) {
  const Matrix y = left_kernel(rows_of(rows, which)).basis;
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < which.size(); ++k) {
    terms.push_back(short_form(y(static_cast<int>(k), 0)) * symbol(system.constraints[which[k]].name));
  }
  return text(sum(terms)) + " = 0 identically";
}

Writing writing_of(const System& system, const VelocityRows& rows, int s) {
  if (!rows.affine[s]) return Writing::nonlinear;
  if (system.constraints[s].position) return Writing::position;
  return vanishes_at_random_points(rows.b[s]) ? Writing::linear : Writing::affine;
}

/// Redundant and contradictory constraints, by the ranks of A and (A | b) over the constraints so far. Nonlinear
/// constraints are compared by their slopes only when they vanish identically.
void find_dependent(const System& system, const VelocityRows& rows, std::vector<ConstraintKind>& kinds,
                    std::vector<int>& independent) {
  const Matrix both = beside(rows.a, rows.b);
  for (int s = 0; s < rows.count(); ++s) {
    ConstraintKind& kind = kinds[s];
    const Constraint& c = system.constraints[s];
    if (kind.writing == Writing::nonlinear) continue;
    if (vanishes_at_random_points(c.expression)) {
      const bool impossible = c.position && !vanishes_at_random_points(*c.position);
      kind.effect = impossible ? Effect::inconsistent : Effect::redundant;
      kind.note = impossible ? fmt::format("{} = 0 is never true", text(*c.position)) : "0 = 0";
      continue;
    }
    std::vector<int> trial = independent;
    trial.push_back(s);
    if (rank(rows_of(rows.a, trial)) == static_cast<int>(trial.size())) {
      independent = trial;
      continue;
    }
    const bool contradicts = rank(rows_of(both, trial)) > static_cast<int>(independent.size());
    kind.effect = contradicts ? Effect::inconsistent : Effect::redundant;
    kind.note = contradicts ? "no velocity satisfies it together with those before it"
                            : dependence(system, both, trial);
  }
}

}  // namespace

std::vector<ConstraintKind> constraint_kinds(const System& system, const VelocityRows& rows) {
  std::vector<ConstraintKind> kinds;
  for (int s = 0; s < rows.count(); ++s)
    kinds.push_back({system.constraints[s].name, writing_of(system, rows, s), Effect::nonholonomic, {}, {}});
  std::vector<int> independent;
  find_dependent(system, rows, kinds, independent);

  const Space space = involves_time(system, rows) ? with_time(system) : system.space;
  std::vector<OneForm> forms;
  for (const int s : independent) forms.push_back(one_form(space, rows, s));
  const Distribution all = Distribution::annihilated_by(space, forms);
  const bool integrable_together =
      !forms.empty() && holonomic_dimension(all) == static_cast<int>(forms.size());
  for (std::size_t k = 0; k < forms.size(); ++k) {
    ConstraintKind& kind = kinds[independent[k]];
    if (system.constraints[independent[k]].position) {
      kind.effect = Effect::exact;
      kind.integral = system.constraints[independent[k]].position;
    } else if (is_closed(forms[k])) {
      kind.effect = Effect::exact;
      if (const auto f = potential(forms[k])) kind.integral = short_form(*f);
    } else if (proved(is_involutive(Distribution::annihilated_by(space, {forms[k]})))) {
      kind.effect = Effect::integrable;
      if (const auto found = integral(forms[k])) kind.integral = short_form(found->function);
    } else {
      kind.effect = integrable_together ? Effect::integrable_together : Effect::nonholonomic;
    }
  }
  return kinds;
}

HolonomicPart holonomic_part(const System& system, const VelocityRows& rows) {
  const Space space = involves_time(system, rows) ? with_time(system) : system.space;
  std::vector<OneForm> forms;
  for (const int s : independent_rows(rows.a)) forms.push_back(one_form(space, rows, s));
  if (forms.empty()) return {};
  const Distribution D = Distribution::annihilated_by(space, forms);
  HolonomicPart part{holonomic_dimension(D), {}};
  if (part.dimension == 0) return part;
  for (const Expr f : integrals(D)) part.integrals.push_back(short_form(f));
  return part;
}

}  // namespace rattleback
