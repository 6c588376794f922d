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
#include <rattleback/motion/symmetry.hpp>
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
    if (vanishes_at_random_points(e)) continue;
    const Expr shown = short_form(e);
    if (written_size(shown) <= readable) return fmt::format(", e.g. {}", text(shown));
  }
  return {};
}

Data truth(const Verdict& v) {
  if (undecided(v)) return {};
  return proved(v);
}

}  // namespace

Answer jacobi_answer(const System& system) {
  const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
  const Trivector J = jacobiator(b.tensor);
  const bool algebra = !legs_without_functions(system.space).empty();
  const Verdict unreduced = is_zero(J);

  SymmetryAlgebra group;
  if (!algebra) group = found_symmetries(system);
  std::vector<VectorField> generators;
  for (const Generator& g : group.generators) generators.push_back(g.field);
  const auto covectors = invariant_covectors(b, generators);
  Verdict reduced =
      Undecided{"the symmetries do not preserve the constraint", "declare a group in [symmetry]"};
  std::vector<Expr> values;
  if (covectors) {
    values = jacobiator_on(J, *covectors);
    reduced = values.empty() ? Verdict(Proved{{.method = "fewer than three reduced variables"}, {}})
                             : is_zero(values);
  }
  const bool reduced_only = algebra;
  Answer a = answer_of(reduced_only ? reduced : unreduced);
  a.answer["holds"] = reduced_only ? Data() : truth(unreduced);
  a.answer["reduced_holds"] = truth(reduced);
  a.answer["rank"] = rank(b.tensor);
  a.answer["group"] = group.name;
  if (!reduced_only) {
    a.why.push_back(proved(unreduced) ? "the bracket on D* is Poisson: the constraint is holonomic"
                                      : fmt::format("the Jacobiator on D* is not zero{}", example(J)));
  }
  const std::string space = reduced_only ? "on the dual of the constraint subspace"
                            : generators.empty()
                                ? "no symmetry was found; the reduced space is D* itself"
                                : fmt::format("on D*/G with {} ({} generators)",
                                              group.name.empty() ? "G" : group.name, generators.size());
  a.why.push_back(fmt::format("{}: {}{}", space,
                              proved(reduced)    ? "the Jacobi identity holds"
                              : refuted(reduced) ? "the Jacobi identity fails"
                                                 : "the Jacobi identity is undecided",
                              refuted(reduced) ? example(values) : ""));
  return a;
}

}  // namespace rattleback
