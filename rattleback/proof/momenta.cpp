#include <rattleback/proof/momenta.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/model/velocity_rows.hpp>
#include <rattleback/motion/gibbs_appell.hpp>
#include <rattleback/motion/invariant_frame.hpp>
#include <rattleback/motion/momentum.hpp>
#include <rattleback/proof/claim.hpp>

namespace rattleback {
namespace {

/// A function that every generator leaves alone, when the orbits have codimension one.
std::optional<Symbol> shape_function(const System& system, const std::vector<VectorField>& generators) {
  if (generators.empty() || rank(as_columns(system.space, generators)) != system.space.dimension() - 1)
    return std::nullopt;
  for (const Symbol s : system.space.functions()) {
    if (std::all_of(generators.begin(), generators.end(),
                    [&](const VectorField& xi) { return vanishes_at_random_points(xi(Expr(s))); })) {
      return s;
    }
  }
  return std::nullopt;
}

/// f'^b ṡ J_b + f^b J̇_b = 0 for all speeds: rows (ṡ J_b | J̇_b) at sample speeds, for the unknowns (f', f). J_0 = 1 stands for
/// an added function of the shape, as affine constraints and gyroscopic terms ask for.      (Y.1)
Matrix sampled_rows(const Admissible& D, Expr rate_of_shape, const std::vector<MomentumEquation>& equations) {
  const int k = static_cast<int>(equations.size()), r = D.rank();
  const int samples = (r + 1) * (r + 2) / 2 + 2;
  Matrix rows(samples, 2 * k);
  for (int row = 0; row < samples; ++row) {
    SymbolMap z;
    for (int a = 0; a < r; ++a)
      z.emplace(D.speeds[static_cast<std::size_t>(a)], Expr((row * (2 * a + 3) + a * a + 1) % 11 - 4));
    for (int b = 0; b < k; ++b) {
      const MomentumEquation& e = equations[static_cast<std::size_t>(b)];
      rows(row, b) = substitute(rate_of_shape * e.momentum, z);
      rows(row, k + b) = substitute(e.rate, z);
    }
  }
  return rows;
}

/// The dimension of {f : f' = M f, N f = 0} for the solutions of (Y.1): N is prolonged by N' + N M until it is stable.  (Y.2)
/// Nothing when the rows do not determine f'.
struct GaugeCount {
  int count = 0;
  Matrix M;
};
std::optional<GaugeCount> gauge_count(const Matrix& rows, const VectorField& moving, Expr shape) {
  const int k = rows.columns() / 2;
  std::vector<int> left, right;
  for (int b = 0; b < k; ++b) {
    left.push_back(b);
    right.push_back(k + b);
  }
  const Matrix A = columns_of(rows, left), C = columns_of(rows, right);
  if (rank(A) < k) return std::nullopt;
  const std::vector<int> pivots = independent_rows(A);
  const auto M = solve(rows_of(A, pivots), -rows_of(C, pivots));
  if (!M) return std::nullopt;
  Matrix N = C + A * M->x;
  const Expr speed = moving(shape);
  for (int step = 0; step < k; ++step) {
    const int before = rank(N);
    if (before == k) break;
    Matrix next = N * M->x;
    for (int i = 0; i < N.rows(); ++i) {
      for (int j = 0; j < k; ++j) next(i, j) += moving(N(i, j)) / speed;
    }
    N = above(N, next);
    if (rank(N) == before) break;
  }
  return GaugeCount{k - rank(N), M->x};
}

/// A field along which the shape changes and nothing else is asked: any leg of D that moves it.
std::optional<VectorField> leg_that_moves(const Admissible& D, Expr shape) {
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    if (!vanishes_at_random_points(D.leg(alpha)(shape))) return D.leg(alpha);
  }
  return std::nullopt;
}

/// [η_a, ξ_b] = 0: sections that the group carries into themselves, so that coefficients of the shape are all there are.
bool is_invariant(const std::vector<VectorField>& generators, const std::vector<VectorField>& fields) {
  for (const VectorField& eta : generators) {
    for (const VectorField& xi : fields) {
      const VectorField commutator = bracket(eta, xi);
      for (const Expr e : commutator.coefficients()) {
        if (!vanishes_at_random_points(e)) return false;
      }
    }
  }
  return true;
}

/// Combinations of the legs of D that leave the shape alone.
std::vector<VectorField> vertical_legs(const Admissible& D, Expr shape) {
  Matrix row(1, D.rank());
  for (int alpha = 0; alpha < D.rank(); ++alpha) row(0, alpha) = short_form(D.leg(alpha)(shape));
  return from_columns(D.space, D.psi * kernel(row).basis);
}

/// J_b and J̇_b along the motion, for fields in D.
std::vector<MomentumEquation> momenta_along(const System& system, const EquationsOfMotion& motion,
                                            const std::vector<VectorField>& fields) {
  std::vector<MomentumEquation> equations;
  for (const VectorField& xi : fields) {
    const Expr J = substitute(momentum(system, xi), motion.velocities);
    equations.push_back({xi, J, derivative_along(J, along(system, motion))});
  }
  return equations;
}

void count_gauge_momenta(const System& system, Answer& a) {
  const Admissible D = admissible_velocities(system);
  std::vector<VectorField> generators;
  for (const Generator& g : found_symmetries(system).generators) generators.push_back(g.field);
  const auto s = shape_function(system, generators);
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  if (!s || motion.speeds != D.speeds) return;
  const MomentumBundle bundle = momentum_bundle(system, generators);
  std::vector<VectorField> fields = bundle.fields;
  if (!is_invariant(generators, fields)) fields = vertical_legs(D, Expr(*s));
  if (!is_invariant(generators, fields)) {
    if (const auto invariant = invariant_velocities(system, generators))
      fields = vertical_legs(*invariant, Expr(*s));
  }
  if (!is_invariant(generators, fields)) return;
  if (fields.empty()) {
    a.answer["gauge_count"] = 0;
    return;
  }
  const auto moving = leg_that_moves(D, Expr(*s));
  if (!moving) return;
  auto equations = momenta_along(system, motion, fields);
  equations.push_back({VectorField(system.space), 1, 0});  // J_0, with the one solution f = (0, …, 0, 1)
  const auto found = gauge_count(sampled_rows(D, D.velocity()(Expr(*s)), equations), *moving, Expr(*s));
  if (!found) return;
  const int count = found->count - 1;
  a.answer["gauge_count"] = count;
  a.evidence = Certificate{false, 100, "ranks at random points"};
  a.why.push_back(fmt::format(
      "{} independent gauge momenta f^b({}) J_b over {} sections of D ∩ T Orb, by prolongation (Y.2)", count,
      s->name(), fields.size()));
}

}  // namespace

Answer momenta_answer(const System& system) {
  Answer a;
  a.answer["conserved"] = Data::List();
  a.answer["gauge_count"] = Data();
  Data::List conserved;
  for (const HorizontalSymmetry& h : horizontal_symmetries(system)) {
    if (!proved(h.conserved) || vanishes_at_random_points(h.momentum)) continue;
    const Expr p = short_form(h.momentum);
    conserved.emplace_back(p);
    a.why.push_back(fmt::format("{} is conserved: the momentum of a {} symmetry", text(p),
                                h.everywhere ? "horizontal" : "gauge"));
  }
  a.answer["conserved"] = conserved;
  try {
    count_gauge_momenta(system, a);
  } catch (const Error&) {
    a.why.emplace_back("gauge momenta were not counted: the constraints are not linear");
  }
  const long* count = a.answer.find("gauge_count")->get_if<long>();
  if (!conserved.empty() || (count != nullptr && *count > 0)) {
    a.outcome = Outcome::proved;
  } else if (count != nullptr) {
    a.outcome = Outcome::refuted;
    a.why.emplace_back("no combination of the momenta with coefficients of the shape is conserved");
  } else {
    a.obstacle =
        "no momentum within the ansatz is conserved, and gauge momenta are counted over one shape variable "
        "only";
    a.next_step = "check a function of your own with `rattleback prove MODEL --conserved`";
  }
  return a;
}

}  // namespace rattleback
