#include <rattleback/motion/forms/hamel.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/programs/articulated.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

namespace rattleback {
namespace {

/// G_αβ = ∂²ℓ/∂z^α∂z^β: the kinetic metric on D.
Matrix metric_on(const Admissible& D, Expr ell) {
  return short_form(jacobian(gradient(ell, D.speeds), D.speeds));
}

/// ⟨p, [X_α, V + ∂_t]⟩: what the velocity's failure to commute with X_α adds to Lagrange's equations.
Expr bracket_term(const System& system, const Admissible& D, const std::vector<Expr>& p, int alpha) {
  const VectorField commutator = bracket(D.leg(alpha), D.velocity());
  const Matrix moving_frame = derivative(D.psi.column(alpha), system.time);
  return dot(Matrix::column(p), Matrix::column(commutator.coefficients()) - moving_frame);
}

/// The right-hand side of G_αβ ż^β = X_α[ℓ] − ⟨p, [X_α, V + ∂_t]⟩ + Q_α − V[∂ℓ/∂z^α] − ∂²ℓ/∂t∂z^α.    (H.3)
Expr generalised_force(const System& system, const Admissible& D, Expr ell, const std::vector<Expr>& p,
                       const std::vector<Expr>& forces, int alpha) {
  const Expr momentum = derivative(ell, D.speeds[alpha]);
  const Expr power = dot(Matrix::column(forces), D.psi.column(alpha));
  return sum({D.leg(alpha)(ell), -bracket_term(system, D, p, alpha), power, -D.velocity()(momentum),
              -derivative(momentum, system.time)});
}

bool is_affine(const Admissible& D) {
  return std::ranges::any_of(D.drift.entries(), [](Expr e) { return !e.is_zero(); });
}

/// Velocities that are their own speeds go without saying, beside others.
Step frame_step(const Admissible& D) {
  Step step{"A frame of the admissible velocities", is_affine(D) ? "v = z^a X_a + X_0" : "v = z^a X_a", {}};
  std::vector<Statement> all;
  for (std::size_t i = 0; i < D.space.velocities().size(); ++i) {
    const Symbol v = D.space.velocities()[i];
    all.push_back({v.name(), D.velocity()[static_cast<int>(i)]});
    if (all.back().value != Expr(v)) step.lines.push_back(all.back());
  }
  if (step.lines.empty()) step.lines = std::move(all);
  return step;
}

Step metric_step(const Matrix& G) {
  Step step{"The kinetic metric on the frame", "G_ab = d2L/dz^a dz^b; those not listed vanish", {}};
  for (int a = 0; a < G.rows(); ++a) {
    for (int b = a; b < G.rows(); ++b) {
      if (!G(a, b).is_zero()) step.lines.push_back({fmt::format("G_{}{}", a + 1, b + 1), G(a, b)});
    }
  }
  return step;
}

/// Those of the frame, and with the part X_0 of the velocity that the constraints prescribe: C_a0^c.
Step bracket_step(const StructureCoefficients& c, const Matrix& with_drift) {
  Step step{"Brackets, projected on the constraint", "[X_a, X_b] = C_ab^c X_c; those not listed vanish", {}};
  const auto add = [&](std::string name, Expr e) {
    if (!vanishes_at_random_points(e)) step.lines.push_back({std::move(name), e});
  };
  for (int a = 0; a < c.dimension(); ++a) {
    for (int b = a + 1; b < c.dimension(); ++b) {
      for (int d = 0; d < c.dimension(); ++d) add(fmt::format("C_{}{}^{}", a + 1, b + 1, d + 1), c(a, b, d));
    }
    for (int d = 0; d < with_drift.rows(); ++d) add(fmt::format("C_{}0^{}", a + 1, d + 1), with_drift(d, a));
  }
  if (step.lines.empty()) step.remark = "[X_a, X_b] = C_ab^c X_c = 0: all vanish";
  return step;
}

/// Hamel's equations before they are solved, where they are short enough to print.
std::optional<Step> balance_step(const Matrix& right) {
  constexpr std::size_t searched_up_to = search_limits::hamel_balance.count;  // nodes
  if (graph_size(right.entries()) > searched_up_to) return std::nullopt;
  Step step{
      "Hamel's equations", "G_ab dz^b/dt = F_a with F_a = X_a[L] - <dL/dv, [X_a, v]> + Q_a - v[dL/dz^a]", {}};
  for (int a = 0; a < right.rows(); ++a) step.lines.push_back({fmt::format("F_{}", a + 1), right[a]});
  return step;
}

}  // namespace

namespace {

/// ⟨X_α, ·⟩ in the kinetic metric.
Matrix lowering(const System& system, const Admissible& D) {
  const std::span<const Symbol> v = system.space.velocities();
  return transpose(D.psi) * substitute(jacobian(gradient(system.lagrangian, v), v), D.substitution());
}

/// [X_a, X_0 + ∂_t], projected, in column a; no columns for linear constraints that do not depend on time.
Matrix drift_brackets(const System& system, const Admissible& D, const Matrix& G) {
  const bool is_fixed =
      std::ranges::none_of(D.psi.entries(), [&](Expr e) { return contains(e, system.time); });
  if (is_fixed && !is_affine(D)) return Matrix(0, 0);
  SymbolMap at_rest;
  for (const Symbol z : D.speeds) at_rest.emplace(z, Expr(0));
  const Matrix lowered = lowering(system, D);
  Matrix right(D.rank(), 0);
  for (int a = 0; a < D.rank(); ++a) {
    const Matrix commutator = Matrix::column(bracket(D.leg(a), D.velocity()).coefficients());
    right =
        beside(right, lowered * (substitute(commutator, at_rest) - derivative(D.psi.column(a), system.time)));
  }
  const auto raised = solve(G, right);
  return raised ? raised->x : Matrix(0, 0);
}

/// (H.4) as it comes out of one elimination for all pairs, with entries that vanish without showing it.
StructureCoefficients projected_brackets(const System& system, const Admissible& D, const Matrix& G) {
  const Matrix lowered = lowering(system, D);
  StructureCoefficients c(D.rank());
  Matrix right(D.rank(), 0);
  for (int a = 0; a < D.rank(); ++a) {
    for (int b = a + 1; b < D.rank(); ++b)
      right = beside(right, lowered * Matrix::column(bracket(D.leg(a), D.leg(b)).coefficients()));
  }
  if (right.columns() == 0) return c;
  const auto raised = solve(G, right);
  if (!raised) return c;
  int pair = 0;
  for (int a = 0; a < D.rank(); ++a) {
    for (int b = a + 1; b < D.rank(); ++b, ++pair) {
      for (int d = 0; d < D.rank(); ++d) c.set(a, b, d, raised->x(d, pair));
    }
  }
  return c;
}

/// Beyond this many velocities formulas are too long to print: the equations are those for programs, and shared parts get names.
constexpr int readable_up_to = search_limits::printed_hamel.count;

std::optional<EquationsOfMotion> long_equations(const System& system) {
  const int n = system.space.dimension();
  if (n <= readable_up_to && (n < recursive_from || !articulated_motion(system))) return std::nullopt;
  EquationsOfMotion equations = straight_line_equations(system);
  if (equations.form != "hamel") return std::nullopt;
  Step frame{"A frame of the admissible velocities", "v = z^a X_a", {}};
  for (const Symbol v : system.space.velocities())
    frame.lines.push_back({v.name(), equations.velocities.at(v)});
  equations.steps = {std::move(frame)};
  return equations;
}

}  // namespace

StructureCoefficients constrained_structure_coefficients(const System& system, const Admissible& D) {
  const Expr ell = substitute(system.lagrangian, D.substitution());
  StructureCoefficients c = projected_brackets(system, D, metric_on(D, ell));
  for (int a = 0; a < D.rank(); ++a) {
    for (int b = a + 1; b < D.rank(); ++b) {
      for (int d = 0; d < D.rank(); ++d) c.set(a, b, d, short_form(c(a, b, d)));
    }
  }
  return c;
}

EquationsOfMotion hamel_equations(const System& system) {
  if (auto equations = long_equations(system)) return *std::move(equations);
  const Admissible D = admissible_velocities(system);
  const SymbolMap psi = D.substitution();
  const Expr ell = short_form(substitute(system.lagrangian, psi));
  const std::vector<Expr> p = momenta_on(system, psi), forces = forces_on(system, psi);
  const Matrix G = metric_on(D, ell);

  Matrix right(D.rank(), 1);
  for (int alpha = 0; alpha < D.rank(); ++alpha)
    right[alpha] = generalised_force(system, D, ell, p, forces, alpha);
  EquationsOfMotion equations;
  equations.form = "hamel";
  equations.configuration.assign(system.space.functions().begin(), system.space.functions().end());
  for (const Symbol f : equations.configuration)
    equations.configuration_rates.push_back(short_rate(f, D.velocity()(Expr(f))));
  equations.speeds = D.speeds;
  equations.velocities = psi;
  equations.speed_definitions = D.definitions;
  equations.where = D.where;
  equations = solved_equations(std::move(equations), system, D, G, right);

  equations.steps = Steps([=] {
    std::vector<Step> steps{
        frame_step(D), {"The Lagrangian on the constraint", "", {{"L", ell}}}, metric_step(G)};
    steps.push_back(bracket_step(projected_brackets(system, D, G), drift_brackets(system, D, G)));
    if (auto balance = balance_step(right)) steps.push_back(*std::move(balance));
    return steps;
  });
  return equations;
}

}  // namespace rattleback
