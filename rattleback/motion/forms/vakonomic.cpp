#include <rattleback/motion/forms/vakonomic.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/singular_states.hpp>

namespace rattleback {
namespace {

/// Independent constraints with a multiplier each.
struct Multiplied {
  std::vector<Expr> functions;  ///< C^a
  std::vector<Symbol> mu;
  bool affine = true;

  /// L − μ_a C^a.
  Expr augmented(Expr L) const {
    std::vector<Expr> terms{L};
    for (std::size_t a = 0; a < mu.size(); ++a) terms.push_back(-(mu[a] * functions[a]));
    return sum(terms);
  }
};

Multiplied multiplied(const System& system) {
  if (system.constraints.empty()) {
    throw Inapplicable("form-does-not-apply", "the variational equations need constraints as equations",
                       system.parametrization ? "the model gives a parametrisation of the velocities only"
                                              : "without constraints they are Lagrange's equations",
                       system.parametrization ? "state [constraints] as well" : "use `hamel`");
  }
  const std::vector<Expr> all = constraint_functions(system);
  const Matrix slopes = jacobian(all, system.space.velocities());
  const VelocityRows rows = velocity_rows(system.space, all);
  Multiplied c;
  c.affine = std::all_of(rows.affine.begin(), rows.affine.end(), [](bool yes) { return yes; });
  for (const int s : independent_rows(c.affine ? rows.a : slopes)) {
    c.functions.push_back(all[static_cast<std::size_t>(s)]);
    c.mu.push_back(Symbol::make("mu_" + system.constraints[static_cast<std::size_t>(s)].name,
                                {.role = Role::multiplier, .order = s}));
  }
  return c;
}

[[noreturn]] void singular() {
  throw Degenerate("degenerate-energy", "the variational equations do not determine the motion",
                   "the Hessian of L - mu C, bordered by the constraints, is singular",
                   "add the missing inertia, or constrain the massless direction");
}

void append(Assumptions& where, const Assumptions& more) {
  where.insert(where.end(), more.begin(), more.end());
}

/// Where the Gram matrix C_v C_vᵀ is regular: where the constraints are independent, which by Cramer's rule is all it needs. In
/// either of two shapes the rows may show that they always are.
Assumptions where_independent(const Matrix& slopes, const Assumptions& pivots, const Assumptions& known) {
  constexpr int by_cramer = search_limits::gram_by_cramer.count;
  if (slopes.rows() > by_cramer || simplified(pivots).empty()) return pivots;
  const Assumptions frame = simplified(known);
  const auto lost = [&](const Matrix& rows) {
    return simplified(full_rank_conditions(rows, frame, "the constraints lose their rank elsewhere"));
  };
  Matrix rows = slopes;
  for (Expr& e : rows.entries()) e = short_form(e);
  Assumptions found = lost(rows);
  return found.empty() || rows == slopes || !lost(slopes).empty() ? found : Assumptions{};
}

/// Affine constraints: v = ψ(q, z) and v̇ = Ψ ż + w, so that (K.2), M v̇ = b + C_vᵀ μ̇, is solved in two steps:      (K.3)
///     G ż = Ψᵀ(b − M w),   C_v C_vᵀ μ̇ = C_v (M v̇ − b).
/// The Gram matrix C_v C_vᵀ is regular wherever the constraints are independent; no velocity has to be singled out.
EquationsOfMotion on_the_constraint(const System& system, const Multiplied& c) {
  const Admissible D = admissible_velocities(system);
  const SymbolMap psi = D.substitution();
  const LagrangeEquations lagrange =
      lagrange_equations(system, c.augmented(system.lagrangian), system.forces);
  const Matrix M = substitute(lagrange.mass, psi), b = substitute(lagrange.force, psi),
               slopes = substitute(jacobian(c.functions, system.space.velocities()), psi);

  const VectorField V = D.velocity();
  Matrix w(D.space.dimension(), 1);
  for (int i = 0; i < w.rows(); ++i) w[i] = V(V[i]) + derivative(V[i], system.time);
  const Matrix pushed = b - M * w;

  EquationsOfMotion equations = kinematics(system, D, "vakonomic");
  Matrix v_dot = w;
  if (D.rank() > 0) {
    Matrix G = transpose(D.psi) * M * D.psi;
    for (Expr& e : G.entries()) e = short_form(e);
    const auto z_dot = solve(G, transpose(D.psi) * pushed);
    if (!z_dot) singular();
    Matrix rates = z_dot->x;
    for (Expr& e : rates.entries()) e = short_form(e);
    equations.speed_rates.assign(rates.entries().begin(), rates.entries().end());
    append(equations.where, where_regular(system, D, z_dot->where));
    v_dot = w + D.psi * rates;
  }
  const auto mu_dot = solve(slopes * transpose(slopes), slopes * (M * v_dot - b));
  if (!mu_dot) throw Bug("independent constraints do not determine their multipliers");
  append(equations.where, where_independent(slopes, mu_dot->where, equations.where));
  for (std::size_t a = 0; a < c.mu.size(); ++a) {
    equations.speeds.push_back(c.mu[a]);
    equations.speed_rates.push_back(short_form(mu_dot->x[static_cast<int>(a)]));
    equations.speed_definitions.push_back(c.mu[a]);
  }
  return equations;
}

/// Where the bordered matrix is regular: where its determinant does not vanish, if that is short enough to print.
Assumptions where_determined(const Matrix& bordered, const Assumptions& pivots) {
  constexpr std::size_t small = search_limits::bordered_hessian.count,
                        readable = legible::in_a_vakonomic_condition.count;
  if (graph_size(bordered.entries()) > small) return pivots;
  const Expr det = short_form(determinant(bordered));
  if (written_size(det) > readable) return pivots;
  return {{det, Assumption::Kind::nonzero, "the Hessian of L - mu C, bordered by the constraints"}};
}

/// Any constraints: (M −C_vᵀ; C_v 0)(v̇, μ̇) = (b, −dC/dt at v̇ = 0), with M the Hessian of L − μ_a C^a.              (K.4)
EquationsOfMotion on_all_velocities(const System& system, const Multiplied& c) {
  const int n = system.space.dimension(), k = static_cast<int>(c.mu.size());
  const LagrangeEquations lagrange =
      lagrange_equations(system, c.augmented(system.lagrangian), system.forces);
  const Matrix slopes = jacobian(c.functions, system.space.velocities());
  const Matrix upper = beside(lagrange.mass, -transpose(slopes)), lower = beside(slopes, Matrix(k, k));
  const std::vector<Expr> ahead = rates_at_constant_velocity(system, c.functions);
  const auto solved = solve(above(upper, lower), above(lagrange.force, -Matrix::column(ahead)));
  if (!solved || solved->homogeneous.columns() > 0) singular();

  Admissible all;
  all.space = system.space;
  all.speeds.assign(system.space.velocities().begin(), system.space.velocities().end());
  all.psi = Matrix::identity(n);
  all.drift = Matrix(n, 1);
  all.definitions.assign(all.speeds.begin(), all.speeds.end());
  EquationsOfMotion equations = kinematics(system, all, "vakonomic");
  equations.speeds.insert(equations.speeds.end(), c.mu.begin(), c.mu.end());
  equations.speed_definitions.insert(equations.speed_definitions.end(), c.mu.begin(), c.mu.end());
  for (const Expr e : solved->x.entries()) equations.speed_rates.push_back(short_form(e));
  append(equations.where, where_determined(above(upper, lower), solved->where));
  return equations;
}

}  // namespace

EquationsOfMotion vakonomic_equations(const System& system) {
  const Multiplied c = multiplied(system);
  EquationsOfMotion equations = c.affine ? on_the_constraint(system, c) : on_all_velocities(system, c);
  equations.where = simplified(equations.where);
  equations.steps = Steps([L_V = c.augmented(system.lagrangian)] {
    return std::vector<Step>{
        {"The Lagrangian with multipliers",
         "stationary under all variations of q and mu; not the motion of d'Alembert's principle",
         {{"L_V", short_form(L_V)}}}};
  });
  return equations;
}

}  // namespace rattleback
