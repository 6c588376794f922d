#include <rattleback/proof/jacobi.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/minors.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/motion/bracket.hpp>
#include <rattleback/motion/invariant_frame.hpp>
#include <rattleback/proof/chaplygin_bundle.hpp>
#include <rattleback/proof/directional_system.hpp>

namespace rattleback {
namespace {

/// ξ on D*: ξ on Q, and ξ[p_α] = M_α^β p_β where [ξ, X_α] = M_α^β X_β.                                    (J.1)
/// Nothing when ξ does not preserve D.
std::optional<Matrix> lifted(const ConstrainedBracket& b, const VectorField& xi) {
  const int n = xi.space().dimension(), r = b.D.rank();
  Matrix lift(n + r, 1);
  for (int i = 0; i < n; ++i) lift[i] = xi[i];
  for (int alpha = 0; alpha < r; ++alpha) {
    const auto m = solve(b.D.psi, Matrix::column(bracket(xi, b.D.leg(alpha)).coefficients()));
    if (!m) return std::nullopt;
    for (int beta = 0; beta < r; ++beta)
      lift[n + alpha] += m->x[beta] * b.momenta[static_cast<std::size_t>(beta)];
  }
  return lift;
}

/// Covectors on D* that vanish along the orbits, as columns; legs without functions are orbits by themselves.
std::optional<Matrix> invariant_covectors(const ConstrainedBracket& b,
                                          const std::vector<VectorField>& generators) {
  const int n = b.D.space.dimension() + b.D.rank();
  std::vector<Matrix> orbit;
  for (const VectorField& xi : generators) {
    const auto lift = lifted(b, xi);
    if (!lift) return std::nullopt;
    orbit.push_back(*lift);
  }
  for (const int leg : legs_without_functions(b.D.space)) {
    Matrix e(n, 1);
    e[leg] = 1;
    orbit.push_back(e);
  }
  if (orbit.empty()) return Matrix::identity(n);
  Matrix rows(static_cast<int>(orbit.size()), n);
  for (int a = 0; a < rows.rows(); ++a) {
    for (int i = 0; i < n; ++i) rows(a, i) = orbit[static_cast<std::size_t>(a)][i];
  }
  return kernel(rows).basis;
}

/// J(α, β, γ) for all triples of the columns.                                                              (J.2)
std::vector<Expr> jacobiator_on(const Trivector& J, const Matrix& covectors) {
  const auto triples = subsets(covectors.rows(), 3);
  std::vector<Expr> values;
  for (const auto& chosen : subsets(covectors.columns(), 3)) {
    Budget::check();
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t k = 0; k < triples.size(); ++k) {
      if (!J[k].is_zero()) terms.push_back(J[k] * minor(covectors, triples[k], chosen));
    }
    values.push_back(sum(terms));
  }
  return values;
}

/// The first that is not zero, for a person.
std::string example(const std::vector<Expr>& values) {
  constexpr std::size_t readable = 60;
  for (const Expr e : values) {
    if (written_size(e) > 100 * readable || vanishes_at_random_points(e)) continue;
    const Expr shown = short_form(e);
    if (written_size(shown) <= readable) return fmt::format(", e.g. {}", text(shown));
  }
  return {};
}

Data truth(const Verdict& v) {
  if (undecided(v)) return {};
  return proved(v);
}

/// One way to divide by a group.
struct Reduced {
  std::string group;
  int dimension = 0;
  Verdict holds;
  std::vector<Expr> values;  ///< of the Jacobiator
};

Reduced reduced_by(const ConstrainedBracket& b, const Trivector& J, std::string group,
                   const std::vector<VectorField>& generators) {
  Reduced r{std::move(group),
            static_cast<int>(generators.size()),
            Undecided{"the symmetries do not preserve the constraint", "declare a group in [symmetry]"},
            {}};
  if (const auto covectors = invariant_covectors(b, generators)) {
    r.values = jacobiator_on(J, *covectors);
    r.holds = r.values.empty() ? Verdict(Proved{{.method = "fewer than three reduced variables"}, {}})
                               : is_zero(r.values);
  }
  return r;
}

std::vector<VectorField> fields_of(const std::vector<Generator>& generators) {
  std::vector<VectorField> fields;
  for (const Generator& g : generators) fields.push_back(g.field);
  return fields;
}

/// By the model's own group; without one, by the group that makes it a Chaplygin system, which is the reduction meant in
/// most texts; then by all symmetries that are found.
std::vector<Reduced> reductions(const System& system, const ConstrainedBracket& b, const Trivector& J) {
  std::vector<Reduced> all;
  if (!legs_without_functions(system.space).empty()) {
    all.push_back(reduced_by(b, J, "G", {}));
    return all;
  }
  if (!system.symmetries.empty()) {
    const SymmetryAlgebra group = algebra_of(system, "", symmetry_group(system));
    all.push_back(reduced_by(b, J, group.name, fields_of(group.generators)));
    return all;
  }
  try {
    visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
      const std::string group = fmt::format("the shifts of {}", bundle.group);
      all.push_back(reduced_by(b, J, group, from_columns(system.space, bundle.orbits)));
      return true;
    });
  } catch (const Error&) {
    all.clear();  // no Chaplygin system
  }
  const SymmetryAlgebra found = found_symmetries(system);
  if (!found.generators.empty() &&
      (all.empty() || static_cast<int>(found.generators.size()) > all[0].dimension))
    all.push_back(reduced_by(b, J, found.name, fields_of(found.generators)));
  if (all.empty()) all.push_back(reduced_by(b, J, "", {}));
  return all;
}

std::string line_of(const Reduced& r, bool algebra) {
  const std::string space =
      algebra            ? "on the dual of the constraint subspace"
      : r.dimension == 0 ? "no symmetry was found; the reduced space is D* itself"
                         : fmt::format("on D*/G with {} ({} generator{})", r.group.empty() ? "G" : r.group,
                                       r.dimension, r.dimension == 1 ? "" : "s");
  return fmt::format("{}: {}{}", space,
                     proved(r.holds)    ? "the Jacobi identity holds"
                     : refuted(r.holds) ? "the Jacobi identity fails"
                                        : "the Jacobi identity is undecided",
                     refuted(r.holds) ? example(r.values) : "");
}

}  // namespace

Answer jacobi_answer(const System& system) {
  const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
  const Trivector J = jacobiator(b.tensor);
  const bool algebra = !legs_without_functions(system.space).empty();
  const Verdict unreduced = is_zero(J);
  const std::vector<Reduced> ways = reductions(system, b, J);

  Answer a = answer_of(algebra ? ways.front().holds : unreduced);
  a.answer["holds"] = algebra ? Data() : truth(unreduced);
  a.answer["reduced_holds"] = truth(ways.front().holds);
  a.answer["rank"] = rank(b.tensor);
  a.answer["group"] = ways.front().group;
  Data::List list;
  for (const Reduced& r : ways) {
    Data way;
    way["group"] = r.group;
    way["dimension"] = r.dimension;
    way["holds"] = truth(r.holds);
    list.push_back(way);
  }
  a.answer["reductions"] = list;
  if (!algebra) {
    a.why.push_back(proved(unreduced) ? "the bracket on D* is Poisson: D is integrable"
                                      : fmt::format("the Jacobiator on D* is not zero{}", example(J)));
  }
  for (const Reduced& r : ways) a.why.push_back(line_of(r, algebra));
  return a;
}

}  // namespace rattleback
