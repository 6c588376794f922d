#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/distribution.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/lifts.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>

namespace rattleback {
namespace {

/// Beyond this many choices of generators they are not tried one by one.
constexpr std::size_t most_choices = search_limits::generators_of_a_bundle.count;

std::vector<VectorField> legs(const Admissible& D) {
  std::vector<VectorField> fields;
  for (int a = 0; a < D.rank(); ++a) fields.push_back(D.leg(a));
  return fields;
}

/// K^ε_αβ of (C.1) and Λ of (C.2), from the momenta along the orbits and the curvature B(a, α, β).
struct Gyroscopic {
  StructureCoefficients K;
  Matrix lambda;
};
Gyroscopic gyroscopic(const Matrix& metric, const std::vector<Expr>& orbit_momenta,
                      const std::vector<Symbol>& speeds, const StructureCoefficients& c) {
  const int m = metric.rows(), k = static_cast<int>(orbit_momenta.size());
  const auto raised = solve(metric, transpose(jacobian(orbit_momenta, speeds)));
  if (!raised) {
    throw degenerate_energy("the constrained Lagrangian has a singular Hessian");
  }
  Gyroscopic g{StructureCoefficients(m), Matrix(m, m)};
  for (int alpha = 0; alpha < m; ++alpha) {
    for (int beta = alpha + 1; beta < m; ++beta) {
      std::vector<Expr> force{Expr(0)};
      for (int a = 0; a < k; ++a)
        force.push_back(-orbit_momenta[static_cast<std::size_t>(a)] * c(alpha, beta, m + a));
      g.lambda(alpha, beta) = short_form(sum(force));
      g.lambda(beta, alpha) = -g.lambda(alpha, beta);
      for (int e = 0; e < m; ++e) {
        std::vector<Expr> terms{Expr(0)};
        for (int a = 0; a < k; ++a) terms.push_back(raised->x(e, a) * c(alpha, beta, m + a));
        g.K.set(alpha, beta, e, short_form(sum(terms)));
      }
    }
  }
  return g;
}

StructureCoefficients leading_block(const StructureCoefficients& c, int m) {
  StructureCoefficients block(m);
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) {
      for (int d = 0; d < m; ++d) block(a, b, d) = short_form(c(a, b, d));
    }
  }
  return block;
}

bool close_under_brackets(const Space& space, const std::vector<Generator>& chosen) {
  std::vector<VectorField> fields;
  for (const Generator& g : chosen) fields.push_back(g.field);
  const Distribution orbits = Distribution::spanned_by(space, fields);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = i + 1; j < fields.size(); ++j) {
      const VectorField Z = bracket(fields[i], fields[j]);
      for (const OneForm& w : orbits.annihilator()) {
        if (!vanishes_at_random_points(w(Z))) return false;
      }
    }
  }
  return true;
}

bool is_linear(const Admissible& D) {
  const auto& y = D.drift.entries();
  return std::all_of(y.begin(), y.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

}  // namespace

OneForm ChaplyginBundle::horizontal_form(const std::vector<Expr>& values) const {
  OneForm alpha(frame.space());
  for (int i = 0; i < frame.dimension(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < dimension(); ++a)
      terms.push_back(values[static_cast<std::size_t>(a)] * frame.dual_matrix()(a, i));
    alpha[i] = short_form(sum(terms));
  }
  return alpha;
}

Expr ChaplyginBundle::transversality() const {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const Matrix a = velocity_rows(system.space, functions).a;
  const Matrix on_orbits = rows_of(a, independent_rows(a)) * orbits;
  return on_orbits.rows() == on_orbits.columns() ? determinant(on_orbits) : Expr(1);
}

std::vector<Expr> ChaplyginBundle::curl(const std::vector<Expr>& values) const {
  return d(horizontal_form(values)).coefficients();
}

ChaplyginBundle chaplygin_bundle(const Chaplygin& reduction) {
  const Voronets& form = reduction.form;
  Admissible D = form.constraints.admissible();
  std::vector<VectorField> fields = legs(D);
  std::vector<std::string> names;
  const Matrix orbits = columns_of(reduction.frame, form.constraints.connection.fibre());
  for (const int i : form.constraints.connection.fibre()) {
    fields.push_back(VectorField::leg(reduction.system.space, i));
    names.push_back(leg_name(reduction.system.space, i));
  }
  Frame frame(fields);
  Assumptions where = form.constraints.where;
  where.insert(where.end(), frame.where().begin(), frame.where().end());
  return {reduction.system,
          std::move(D),
          std::move(frame),
          orbits,
          fmt::format("{}", fmt::join(names, ", ")),
          form.lagrangian,
          reduction.metric,
          form.base_brackets,
          reduction.K,
          reduction.lambda,
          simplified(where)};
}

std::optional<ChaplyginBundle> chaplygin_bundle(const System& system, const Admissible& D,
                                                const std::vector<Generator>& orbits) {
  std::vector<VectorField> fields = legs(D);
  std::vector<std::string> names;
  std::vector<VectorField> orbit_fields;
  for (const Generator& g : orbits) {
    fields.push_back(g.field);
    orbit_fields.push_back(g.field);
    names.push_back(g.name);
  }
  const int n = system.space.dimension();
  if (static_cast<int>(fields.size()) != n || rank(as_columns(system.space, fields)) < n) return std::nullopt;
  Frame frame(fields);
  const StructureCoefficients c = structure_coefficients(frame);
  const SymbolMap psi = D.substitution();
  const Expr ell = short_form(substitute(system.lagrangian, psi));
  Matrix metric = jacobian(gradient(ell, D.speeds), D.speeds);
  for (Expr& e : metric.entries()) e = short_form(e);
  const Matrix p = Matrix::column(momenta_on(system, psi));
  std::vector<Expr> orbit_momenta;
  for (const Generator& g : orbits) orbit_momenta.push_back(dot(p, Matrix::column(g.field.coefficients())));
  Gyroscopic g = gyroscopic(metric, orbit_momenta, D.speeds, c);
  Assumptions where = D.where;
  where.insert(where.end(), frame.where().begin(), frame.where().end());
  return ChaplyginBundle{system,
                         D,
                         std::move(frame),
                         as_columns(system.space, orbit_fields),
                         fmt::format("{}", fmt::join(names, ", ")),
                         ell,
                         metric,
                         leading_block(c, D.rank()),
                         std::move(g.K),
                         std::move(g.lambda),
                         simplified(where)};
}

bool is_symmetry(const System& system, const Admissible& D, const VectorField& xi) {
  const Space TQ = tangent_bundle(system.space);
  if (!vanishes_at_random_points(complete_lift(TQ, xi)(system.lagrangian))) return false;
  const std::vector<OneForm> forms = Distribution::spanned_by(system.space, legs(D)).annihilator();
  for (const VectorField& X : legs(D)) {
    const VectorField Z = bracket(xi, X);
    for (const OneForm& w : forms) {
      if (!vanishes_at_random_points(w(Z))) return false;
    }
  }
  return true;
}

std::vector<Generator> symmetry_generators(const System& system, const Admissible& D) {
  std::vector<Generator> all;
  std::vector<VectorField> seen;
  const auto consider = [&](const Generator& g) {
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const VectorField& x) {
      return x.coefficients() == g.field.coefficients();
    });
    if (known || !is_symmetry(system, D, g.field)) return;
    seen.push_back(g.field);
    all.push_back(g);
  };
  for (const Symmetry& symmetry : system.symmetries) {
    for (const Generator& g : symmetry.generators) consider(g);
  }
  for (int i = 0; i < system.space.dimension(); ++i) {
    if (system.space.coordinate(i))
      consider({leg_name(system.space, i), VectorField::leg(system.space, i), system.lagrangian_place});
  }
  return all;
}

namespace {

/// Are these the orbits of the bundle already seen?
bool same_orbits(const std::optional<Matrix>& seen, const Matrix& orbits) {
  return seen && rank(beside(*seen, orbits)) == orbits.columns();
}

}  // namespace

void visit_chaplygin_bundles(const System& system, const std::function<bool(const ChaplyginBundle&)>& visit) {
  std::optional<Matrix> classical;
  std::optional<Inapplicable> why_not;
  try {
    const ChaplyginBundle first = chaplygin_bundle(chaplygin_reduction(system));
    if (visit(first)) return;
    classical = first.orbits;
  } catch (const Inapplicable& error) {
    why_not = error;
  }
  const Admissible D = linear_velocities(system);
  const int k = system.space.dimension() - D.rank();
  bool any = classical.has_value();
  if (k > 0 && is_linear(D)) {
    const std::vector<Generator> generators = symmetry_generators(system, D);
    const auto choices = subsets(static_cast<int>(generators.size()), k);
    for (std::size_t i = 0; i < choices.size() && i < most_choices; ++i) {
      std::vector<Generator> chosen;
      std::vector<VectorField> fields;
      for (const int g : choices[i]) {
        chosen.push_back(generators[static_cast<std::size_t>(g)]);
        fields.push_back(chosen.back().field);
      }
      if (same_orbits(classical, as_columns(system.space, fields))) continue;
      if (!close_under_brackets(system.space, chosen)) continue;
      const auto bundle = chaplygin_bundle(system, D, chosen);
      if (!bundle) continue;
      any = true;
      if (visit(*bundle)) return;
    }
  }
  if (!any && why_not) throw Inapplicable(*why_not);
}

}  // namespace rattleback
