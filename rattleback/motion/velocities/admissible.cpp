#include <rattleback/motion/velocities/admissible.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/shortest_solution.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/checks/wrong_parametrization.hpp>
#include <rattleback/motion/velocities/frame_poles.hpp>
#include <rattleback/motion/velocities/heading_axes.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>
#include <rattleback/motion/velocities/speed_definitions.hpp>
#include <rattleback/motion/velocities/velocity_axes.hpp>
#include <rattleback/motion/velocities/velocity_elimination.hpp>
#include <rattleback/motion/velocities/written_velocities.hpp>

namespace rattleback {
namespace {

/// The constraints as rows; throws for the first that is not linear or affine.
VelocityRows constraint_rows(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  VelocityRows rows = velocity_rows(system.space, functions);
  for (int s = 0; s < rows.count(); ++s) {
    if (rows.affine[s]) continue;
    throw located(
        NonlinearConstraint(
            "nonlinear-constraint",
            fmt::format("constraint `{}` is not linear in the velocities", system.constraints[s].name),
            "this form needs constraints that are linear or affine in the velocities",
            "use a form for nonlinear constraints, or give a [parametrization]"),
        system.constraints[s].place);
  }
  return rows;
}

/// From [velocities]: A v = −b together with U v = z − u_0 determines v.
Admissible from_velocities(const System& system, const VelocityRows& constraints) {
  std::vector<Expr> functions;
  Admissible D;
  for (const QuasiVelocity& z : system.velocities) {
    functions.push_back(z.expression);
    D.speeds.push_back(z.symbol);
  }
  D.definitions = functions;
  const VelocityRows given = velocity_rows(system.space, functions);
  for (int s = 0; s < given.count(); ++s) {
    if (given.affine[s]) continue;
    throw Inapplicable(
        "velocities-not-linear",
        fmt::format("`{}` is not linear in the velocities", system.velocities[s].symbol.name()), "",
        "quasi-velocities are linear functions of the velocities")
        .at(system.velocities[s].place);
  }
  const int n = system.space.dimension(), r = static_cast<int>(D.speeds.size()), k = constraints.a.rows();
  const auto wrong = [&](const std::string& why) {
    throw Degenerate("velocities-not-a-frame",
                     "the quasi-velocities of [velocities] do not parametrise the constraint", why,
                     fmt::format("give {} independent velocities, or leave [velocities] out", n - k))
        .at(system.velocities.front().place);
  };
  if (k + r != n)
    wrong(fmt::format("{} are given, but the constraint leaves {} degrees of freedom", r, n - k));
  const auto solved = [&](const Matrix& a, const Matrix& b, const Matrix& rows) {
    Matrix right(n, r + 1);  // columns: one per speed, then the drift
    for (int s = 0; s < k; ++s) right(s, r) = -b[s];
    for (int alpha = 0; alpha < r; ++alpha) {
      right(k + alpha, alpha) = 1;
      right(k + alpha, r) = -given.b[alpha];
    }
    return unique_solution(above(a, rows), right);
  };
  auto v = solved(constraints.a, constraints.b, given.a);
  if (!v) wrong("they depend on each other and on the constraints");
  if (!v->where.empty()) {
    if (const auto turned = heading_axes(system, constraints)) {
      if (auto other = solved(turned->a, turned->b, turned->rows(given.a))) {
        other->x = turned->axes.in_frame(other->x);
        v = std::move(other);
      }
    }
  }
  D.psi = Matrix(n, r);
  D.drift = v->x.column(r);
  for (int i = 0; i < n; ++i) {
    for (int alpha = 0; alpha < r; ++alpha) D.psi(i, alpha) = v->x(i, alpha);
  }
  D.where = v->where;
  return D;
}

/// The velocity itself serves as the speed of a leg that has coefficient 1 there and no other leg has any.
std::optional<Symbol> own_velocity(std::span<const Symbol> velocities, const Matrix& basis, int alpha) {
  for (int i = 0; i < basis.rows(); ++i) {
    if (!basis(i, alpha).is_one()) continue;
    bool alone = true;
    for (int beta = 0; beta < basis.columns(); ++beta)
      alone = alone && (beta == alpha || basis(i, beta).is_zero());
    if (alone) return velocities[i];
  }
  return std::nullopt;
}

std::vector<Symbol> speeds_of(const System& system, std::span<const Symbol> velocities, const Matrix& basis) {
  std::vector<Symbol> speeds;
  for (int alpha = 0; alpha < basis.columns(); ++alpha) {
    const auto own = own_velocity(velocities, basis, alpha);
    speeds.push_back(own ? *own
                         : invented_symbol(system, fmt::format("u{}", alpha + 1),
                                           {.role = Role::velocity, .order = alpha}));
  }
  return speeds;
}

/// One solution of A y = c, without poles where that is cheap.
Solution particular_solution(const Matrix& A, const Matrix& c) {
  auto y = solve(A, c);
  if (!y) throw Bug("independent constraints have no solution");
  if (y->where.empty()) return *y;
  if (auto other = shortest_solution(A, c); other && other->where.empty()) y = std::move(other);
  return *y;
}

/// From the constraints alone: a kernel of A, and one solution of A y = −b. Nothing when the rows of A depend on each other.
std::optional<Admissible> from_kernel(const System& system, const VelocityRows& constraints) {
  Admissible D;
  VelocityAxes axes = best_axes(system, constraints.a);
  Matrix A = axes.rows(constraints.a), b = constraints.b;
  Kernel k = kernel(A);
  if (k.basis.columns() + A.rows() > A.columns()) return std::nullopt;
  if (!k.where.empty() && !axes.turned) {
    if (const auto turned = heading_axes(system, constraints)) {
      axes = turned->axes;
      A = turned->a;
      b = turned->b;
      k = kernel(A);
    }
  }
  D.where = k.where;
  D.speeds = speeds_of(system, axes.velocities, k.basis);
  D.psi = axes.in_frame(k.basis);
  D.drift = Matrix(system.space.dimension(), 1);
  // A speed with the name of a velocity is that velocity. Unless all are, speed_definitions() finds the definitions.
  const auto own = [&](Symbol z) { return std::ranges::find(axes.velocities, z) - axes.velocities.begin(); };
  const auto is_own = [&](Symbol z) { return own(z) < std::ssize(axes.velocities); };
  if (std::ranges::all_of(D.speeds, is_own)) {
    for (const Symbol z : D.speeds)
      D.definitions.push_back(axes.definitions[static_cast<std::size_t>(own(z))]);
  }
  if (std::ranges::all_of(b.entries(), [](Expr e) { return e.is_zero(); })) return D;
  const Solution y = particular_solution(A, -b);
  Matrix drift = y.x.column(0);
  D.where.insert(D.where.end(), y.where.begin(), y.where.end());
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const Symbol z = D.speeds[static_cast<std::size_t>(alpha)];
    if (!is_own(z)) continue;
    const Expr excess = drift[static_cast<int>(own(z))];
    if (excess.is_zero()) continue;
    for (int i = 0; i < drift.rows(); ++i) drift[i] = drift[i] - excess * k.basis(i, alpha);
  }
  D.drift = axes.in_frame(drift);
  return D;
}

/// From [parametrization], when it is affine in the speeds; that it satisfies the constraints is checked.
Admissible from_parametrization(const System& system) {
  if (const auto wrong = wrong_parametrization(system)) throw Error(*wrong);
  const Parametrization& given = *system.parametrization;
  Admissible D;
  D.speeds = given.speeds;
  D.psi = jacobian(given.psi, given.speeds);
  SymbolMap rest;
  for (const Symbol z : given.speeds) rest.emplace(z, Expr(0));
  D.drift = Matrix::column(substitute(given.psi, rest));
  for (const Expr e : D.psi.entries()) {
    for (const Symbol z : given.speeds) {
      if (!vanishes_at_random_points(derivative(e, z))) {
        throw NonlinearConstraint("nonlinear-constraint", "the parametrisation is not linear in its speeds",
                                  "this form needs velocities linear in the speeds",
                                  "use a form for nonlinear constraints");
      }
    }
  }
  D.psi = substitute(D.psi, rest);
  return D;
}

/// Beyond this many velocities constraints are eliminated one by one; beyond the other number nothing is shortened.
constexpr int full_matrices_up_to = search_limits::full_matrices.count,
              shortened_up_to = search_limits::shortened_frames.count;

/// Values of the velocities that elimination leaves, as functions of the speeds; the speeds are found on the way when the
/// model names none.
struct Core {
  std::vector<Symbol> speeds;
  SymbolMap values;
  Assumptions where;
};
std::optional<Core> core_of(const System& system, const VelocityElimination& rest) {
  SymbolMap at_rest;
  for (const Symbol v : rest.left) at_rest.emplace(v, Expr(0));
  const Matrix A = jacobian(rest.equations, rest.left),
               b = Matrix::column(substitute(rest.equations, at_rest));
  Core core;
  Matrix v(static_cast<int>(rest.left.size()), 1);
  if (system.velocities.empty()) {
    if (!std::all_of(b.entries().begin(), b.entries().end(), [](Expr e) { return e.is_zero(); }))
      return std::nullopt;
    const Kernel k = kernel(A);
    if (rank(A) < A.rows()) return std::nullopt;
    core.speeds = speeds_of(system, rest.left, k.basis);
    core.where = k.where;
    v = k.basis * Matrix::column(std::vector<Expr>(core.speeds.begin(), core.speeds.end()));
  } else {
    for (const QuasiVelocity& z : system.velocities) core.speeds.push_back(z.symbol);
    const auto found = unique_solution(A, -b);
    if (!found) return std::nullopt;
    core.where = found->where;
    v = found->x;
  }
  for (std::size_t i = 0; i < rest.left.size(); ++i)
    core.values.emplace(rest.left[i], v[static_cast<int>(i)]);
  return core;
}

/// The frame of the space where the model names the speeds or nothing rotates; otherwise space axes where they free the constraints of rotation entries.
VelocityAxes chain_axes(const System& system) {
  const auto is_rotation = [](const Factor& f) { return f.kind == Factor::Kind::SO3; };
  if (!system.velocities.empty() || std::ranges::none_of(system.space.factors(), is_rotation))
    return frame_axes(system.space);
  return best_axes(system, constraint_rows(system).a);
}

/// For chains: constraints are removed one by one, what is left is a small core. Nothing when the core
/// cannot be solved: the caller then uses full matrices, which also report errors.
std::optional<Admissible> from_chain(const System& system) {
  std::vector<Expr> equations;
  for (const Constraint& c : system.constraints) equations.push_back(c.expression);
  for (const QuasiVelocity& z : system.velocities) equations.push_back(z.expression - z.symbol);
  if (!are_affine_as_written(equations, system.space.velocities())) return std::nullopt;
  VelocityAxes axes = chain_axes(system);
  VelocityElimination rest = eliminate_velocities(axes.velocities, axes.equations(system.space, equations));
  auto core = core_of(system, rest);
  if (!core) return std::nullopt;
  if (!core->where.empty() && !axes.turned) {
    if (const auto turned = heading_axes(system, constraint_rows(system))) {
      VelocityElimination other =
          eliminate_velocities(turned->axes.velocities, turned->equations(system, equations));
      if (auto other_core = core_of(system, other)) {
        axes = turned->axes;
        rest = std::move(other);
        core = std::move(other_core);
      }
    }
  }

  SymbolMap value = core->values;
  std::vector<Expr> solved;
  for (const auto& [v, e] : rest.solved) solved.push_back(e);
  solved = substitute(solved, core->values);
  for (std::size_t k = 0; k < solved.size(); ++k) value.emplace(rest.solved[k].velocity, solved[k]);
  std::vector<Expr> v;
  for (const Symbol w : axes.velocities) v.push_back(value.at(w));
  const Matrix in_frame = axes.in_frame(Matrix::column(v));
  v.assign(in_frame.entries().begin(), in_frame.entries().end());

  Admissible D;
  D.speeds = core->speeds;
  D.where = core->where;
  for (const QuasiVelocity& z : system.velocities) D.definitions.push_back(z.expression);
  D.psi = Matrix(system.space.dimension(), D.rank());
  for (int alpha = -1; alpha < D.rank(); ++alpha) {  // one speed is 1, the others are 0; none for the drift
    SymbolMap unit;
    for (int beta = 0; beta < D.rank(); ++beta) unit.emplace(D.speeds[beta], Expr(alpha == beta ? 1 : 0));
    const std::vector<Expr> column = substitute(v, unit);
    if (alpha < 0) D.drift = Matrix::column(column);
    for (int i = 0; alpha >= 0 && i < D.psi.rows(); ++i) D.psi(i, alpha) = column[i] - D.drift[i];
  }
  return D;
}

}  // namespace

VectorField Admissible::leg(int alpha) const {
  const Matrix column = psi.column(alpha);
  return VectorField(space, {column.entries().begin(), column.entries().end()});
}

VectorField Admissible::velocity() const {
  std::vector<Expr> z(speeds.begin(), speeds.end());
  const Matrix v = rank() == 0 ? drift : psi * Matrix::column(z) + drift;
  return VectorField(space, {v.entries().begin(), v.entries().end()});
}

SymbolMap Admissible::substitution() const {
  SymbolMap map;
  const VectorField v = velocity();
  for (int i = 0; i < space.dimension(); ++i) map.emplace(space.velocities()[i], v[i]);
  return map;
}

VelocityRows independent_constraints(const System& system) {
  VelocityRows rows = constraint_rows(system);
  const std::vector<int> kept = independent_rows(rows.a);
  if (static_cast<int>(kept.size()) == rows.a.rows()) return rows;
  if (rank(beside(rows.a, rows.b)) > static_cast<int>(kept.size())) {
    throw Degenerate("inconsistent-constraints", "the constraints contradict each other",
                     "no velocity satisfies all of them",
                     "`rattleback check` names the constraints in conflict");
  }
  rows.a = rows_of(rows.a, kept);
  rows.b = rows_of(rows.b, kept);
  return rows;
}

namespace {

/// Where the model names the speeds they determine the frame, and numerical code may use unsimplified entries. Where it does
/// not, the choice of the speeds must be the same for printing and for numerical code.
Admissible frame_of(const System& given, bool for_programs) {
  if (given.parametrization) return from_parametrization(given);
  const std::optional<System> fewer = without_dependent_constraints(given);
  const System& system = fewer ? *fewer : given;
  if (system.space.dimension() > full_matrices_up_to || (for_programs && !system.velocities.empty())) {
    if (auto D = from_chain(system)) return *std::move(D);
  }
  if (!system.velocities.empty()) return from_velocities(system, independent_constraints(system));
  if (auto D = from_kernel(system, constraint_rows(system))) return *std::move(D);
  return from_kernel(system, independent_constraints(system)).value();
}

Admissible with_definitions(Admissible D, const Space& space, Poles poles) {
  D.space = space;
  if (D.definitions.empty()) D.definitions = speed_definitions(D, space, poles);
  return D;
}

}  // namespace

Admissible eliminated_velocities(const System& system) {
  return with_definitions(frame_of(system, true), system.space, Poles::allowed);
}

Admissible admissible_velocities(const System& system) {
  Admissible D = frame_of(system, false);
  if (!system.parametrization && system.space.dimension() <= shortened_up_to) {
    for (Expr& e : D.psi.entries()) e = short_form(e);
    for (Expr& e : D.drift.entries()) e = short_form(e);
    const Assumptions poles = poles_of(D);
    D.where.insert(D.where.end(), poles.begin(), poles.end());
  }
  return with_definitions(std::move(D), system.space, Poles::avoided);
}

}  // namespace rattleback
