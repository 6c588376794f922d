#include <rattleback/proof/hamiltonian/reduced_bracket.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/form_on_variety.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/real_power.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/measure/density.hpp>

namespace rattleback {
namespace {

/// ξ on D*: ξ on Q, and ξ[p_α] = M_α^β p_β where [ξ, X_α] = M_α^β X_β.                                    (J.1)
/// Nothing when ξ does not preserve D.
std::optional<VectorField> lifted(const ConstrainedBracket& b, const VectorField& xi) {
  const int n = xi.space().dimension(), r = b.D.rank();
  VectorField lift(b.tensor.space());
  for (int i = 0; i < n; ++i) lift[i] = xi[i];
  for (int alpha = 0; alpha < r; ++alpha) {
    const auto m = solve(b.D.psi, Matrix::column(bracket(xi, b.D.leg(alpha)).coefficients()));
    if (!m) return std::nullopt;
    for (int beta = 0; beta < r; ++beta)
      lift[n + alpha] += m->x[beta] * b.momenta[static_cast<std::size_t>(beta)];
  }
  return lift;
}

/// The lifted generators; legs without functions are orbits by themselves.
std::optional<std::vector<VectorField>> orbits_on(const ConstrainedBracket& b,
                                                  const std::vector<VectorField>& generators) {
  std::vector<VectorField> orbits;
  for (const VectorField& xi : generators) {
    const auto lift = lifted(b, xi);
    if (!lift) return std::nullopt;
    orbits.push_back(*lift);
  }
  for (const int leg : legs_without_functions(b.D.space))
    orbits.push_back(VectorField::leg(b.tensor.space(), leg));
  return orbits;
}

}  // namespace

std::optional<ReducedBracket> reduced_bracket(const ConstrainedBracket& b,
                                              const std::vector<VectorField>& generators) {
  const Space& phase = b.tensor.space();
  const auto orbits = orbits_on(b, generators);
  if (!orbits) return std::nullopt;
  ReducedBracket r;
  r.orbits = *orbits;
  r.covectors = orbits->empty() ? Matrix::identity(phase.dimension())
                                : kernel(transpose(as_columns(phase, *orbits))).basis;
  const Matrix raised = b.tensor.components() * r.covectors;
  r.tensor = transpose(r.covectors) * raised;
  r.fields = from_columns(phase, raised);
  return r;
}

std::vector<Expr> jacobiator_on(const Trivector& J, const ReducedBracket& reduced) {
  const auto triples = subsets(reduced.covectors.rows(), 3);
  std::vector<Expr> values;
  for (const auto& chosen : subsets(reduced.dimension(), 3)) {
    Budget::check();
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t k = 0; k < triples.size(); ++k) {
      if (!J[k].is_zero()) terms.push_back(J[k] * minor(reduced.covectors, triples[k], chosen));
    }
    values.push_back(sum(terms));
  }
  return values;
}

namespace {

std::vector<VectorField> with_orbits(const ReducedBracket& reduced) {
  std::vector<VectorField> fields = reduced.fields;
  fields.insert(fields.end(), reduced.orbits.begin(), reduced.orbits.end());
  return fields;
}

/// The distribution where there are coordinates: without the legs of Lie algebras given without their group.
Distribution with_coordinates(const std::vector<VectorField>& fields) {
  const Space& phase = fields.front().space();
  const std::vector<int> formal = legs_without_functions(phase);
  if (formal.empty()) return Distribution::spanned_by(phase, fields);
  std::vector<int> kept;
  std::vector<Symbol> coordinates;
  for (int i = 0; i < phase.dimension(); ++i) {
    const auto q = phase.coordinate(i);
    if (std::find(formal.begin(), formal.end(), i) != formal.end() || !q) continue;
    kept.push_back(i);
    coordinates.push_back(*q);
  }
  const Space chart = Space::chart(coordinates);
  std::vector<VectorField> projected;
  for (const VectorField& Y : fields) {
    std::vector<Expr> coefficients;
    for (const int i : kept) coefficients.push_back(Y[i]);
    projected.emplace_back(chart, coefficients);
  }
  return Distribution::spanned_by(chart, projected);
}

}  // namespace

Casimirs casimirs(const ReducedBracket& reduced, const std::vector<Expr>& candidates) {
  Casimirs found;
  if (reduced.fields.empty()) return found;
  const std::vector<VectorField> fields = with_orbits(reduced);
  try {
    const Budget budget(work_limits::reduced_bracket);
    found.count = holonomic_dimension(Distribution::spanned_by(fields.front().space(), fields));
    if (*found.count == 0) return found;
    for (const Expr C : candidates) {
      std::vector<Expr> rates;
      for (const VectorField& Y : fields) rates.push_back(Y(C));
      if (proved(is_zero(rates))) found.functions.push_back(C);
    }
    if (static_cast<int>(found.functions.size()) == *found.count) return found;
    std::vector<Expr> more;
    for (const Expr f : integrals(with_coordinates(fields))) more.push_back(real_multiple(short_form(f)));
    if (more.size() > found.functions.size()) found.functions = std::move(more);
  } catch (const Exhausted&) {
    Budget::check();
  }
  return found;
}

namespace {

/// (J.4) as rows for w.
struct FactorEquations {
  Matrix left, right;
};
FactorEquations factor_equations(const ReducedBracket& reduced, const std::vector<Expr>& jacobiator) {
  const Matrix& P = reduced.tensor;
  const auto triples = subsets(reduced.dimension(), 3);
  const int rows = static_cast<int>(triples.size());
  FactorEquations e{Matrix(rows, reduced.dimension()), Matrix(rows, 1)};
  for (int k = 0; k < rows; ++k) {
    const auto& t = triples[static_cast<std::size_t>(k)];
    const int a = t[0], b = t[1], c = t[2];
    e.left(k, c) += P(a, b);
    e.left(k, a) += P(b, c);
    e.left(k, b) += P(c, a);
    e.right[k] = -jacobiator[static_cast<std::size_t>(k)];
  }
  return e;
}

ConformalFactor no_factor(ConformalFactor::Obstacle obstacle, std::string why) {
  return {Refuted{{{}, "", "a condition without unknowns is not zero"}}, std::nullopt, std::move(why),
          obstacle};
}

/// Y_a[log f] = w_a, and the orbits leave f alone.
std::vector<DirectionalEquation> slopes(const ReducedBracket& reduced, const Matrix& w) {
  std::vector<DirectionalEquation> equations;
  for (int a = 0; a < reduced.dimension(); ++a)
    equations.push_back(
        {reduced.fields[static_cast<std::size_t>(a)], short_form(w[a]), fmt::format("Y_{}", a + 1)});
  for (std::size_t k = 0; k < reduced.orbits.size(); ++k)
    equations.push_back({reduced.orbits[k], 0, fmt::format("xi_{}", k + 1)});
  return equations;
}

ConformalFactor prolonged(const ReducedBracket& reduced, const Matrix& w, const std::vector<Expr>& hints) {
  const std::vector<DirectionalEquation> given = slopes(reduced, w);
  const DirectionalClosure closed = closure(given, 1);
  if (!closed.conditions.empty()) {
    const DirectionalCondition& violated = closed.conditions.front();
    ConformalFactor none =
        no_factor(ConformalFactor::Obstacle::contradiction,
                  fmt::format("d log f would have to satisfy {} = 0, along {}",
                              brief(short_form_on_variety(violated.residual)), violated.origin));
    for (int a = 0; a < reduced.dimension(); ++a)
      none.slopes.push_back(given[static_cast<std::size_t>(a)].rate);
    none.closure = closed;
    return none;
  }
  ConformalFactor found{Proved{{false, 100, "closed under brackets at random points"}, {}}, std::nullopt, {}};
  const auto f = density(closed.equations, hints);
  if (!f) return found;
  std::vector<Expr> residuals;
  for (const DirectionalEquation& e : given) residuals.push_back(e.field(f->sigma) - e.rate);
  const Verdict v = is_zero(residuals);
  if (!proved(v)) return found;
  found.exists = v;
  found.factor = short_form(f->value);
  return found;
}

}  // namespace

ConformalFactor conformal_factor(const ReducedBracket& reduced, const std::vector<Expr>& jacobiator,
                                 const std::vector<Expr>& hints) {
  const int rank_of = rank(reduced.tensor);
  if (rank_of < 4)
    return no_factor(ConformalFactor::Obstacle::rank_two,
                     "a bracket of rank two is Poisson with every factor or with none");
  try {
    const Budget budget(work_limits::reduced_bracket);
    const FactorEquations e = factor_equations(reduced, jacobiator);
    const auto w = solve(e.left, e.right);
    if (!w)
      return no_factor(ConformalFactor::Obstacle::no_slopes,
                       "the linear equations for d log f have no solution");
    return prolonged(reduced, w->x, hints);
  } catch (const Exhausted&) {
    Budget::check();
    return {Undecided{"the equations for d log f are too long", "give numbers for parameters with --set"},
            std::nullopt,
            {}};
  }
}

}  // namespace rattleback
