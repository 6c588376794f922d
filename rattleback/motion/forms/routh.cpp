#include <rattleback/motion/forms/routh.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/momentum_name.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/forms/splitting.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& fix) {
  throw Inapplicable("form-does-not-apply", "there is nothing for Routh's reduction to eliminate", why, fix);
}

Expr pairing(const std::vector<Expr>& p, const VectorField& X) {
  return dot(Matrix::column(p), Matrix::column(X.coefficients()));
}

/// Is the momentum of a field in D constant: X^C L + Q(X) = 0 on D?                                       (N.9)
bool is_cyclic(const System& system, const VectorField& X, const SymbolMap& psi) {
  Expr rate = complete_lift(X, system.lagrangian);
  if (!system.forces.empty()) rate += pairing(system.forces, X);
  return vanishes_at_random_points(substitute(rate, psi));
}

/// Fields of D whose momenta are constant: legs of the frames at hand first, then what is found.
std::vector<VectorField> cyclic_fields(const System& system, const Admissible& D, bool& gauge) {
  const SymbolMap psi = D.substitution();
  std::vector<VectorField> candidates;
  const auto consider = [&](const Admissible& frame) {
    for (int a = 0; a < frame.rank(); ++a) {
      if (is_cyclic(system, frame.leg(a), psi)) candidates.push_back(frame.leg(a));
    }
  };
  consider(D);
  if (!system.constraints.empty()) consider(splitting(system).admissible());
  for (const HorizontalSymmetry& h : horizontal_symmetries(system)) {
    if (proved(h.conserved)) candidates.push_back(h.field);
  }
  std::vector<VectorField> Y;
  if (candidates.empty()) return Y;
  for (const int k : independent_columns(as_columns(system.space, candidates))) {
    VectorField X = candidates[static_cast<std::size_t>(k)];
    for (int i = 0; i < system.space.dimension(); ++i) X[i] = short_form(X[i]);
    gauge = gauge || !vanishes_at_random_points(complete_lift(X, system.lagrangian));
    Y.push_back(std::move(X));
  }
  return Y;
}

/// p_x for ∂/∂x, otherwise mu1, mu2, ….
std::vector<Symbol> names_of_momenta(const System& system, const std::vector<VectorField>& Y) {
  std::vector<Symbol> names;
  for (const VectorField& X : Y) {
    std::optional<Symbol> own;
    for (int i = 0; i < system.space.dimension(); ++i) {
      if (X.coefficients() == VectorField::leg(system.space, i).coefficients())
        own = momentum_of(system, system.space.velocities()[static_cast<std::size_t>(i)]);
    }
    const int number = static_cast<int>(names.size()) + 1;
    names.push_back(own ? *own
                        : invented_symbol(system, fmt::format("mu{}", number),
                                          {.role = Role::momentum, .order = number}));
  }
  return names;
}

/// The frame (X_A, Y_i) of D: legs of D that complete the Y_i, and the speeds along them.
Admissible frame_with(const System& system, const Admissible& D, const std::vector<VectorField>& Y) {
  const int r = D.rank(), m = static_cast<int>(Y.size());
  const Matrix slopes = jacobian(D.definitions, D.space.velocities());
  const Matrix y = slopes * as_columns(D.space, Y);  // Y_i in the frame of D
  const Matrix both = beside(y, Matrix::identity(r));
  Matrix change(r, r);
  const std::vector<int> kept = independent_columns(both);
  for (int a = 0; a < r; ++a) {
    for (int b = 0; b < r; ++b)
      change(b, (a + r - m) % r) = short_form(both(b, kept[static_cast<std::size_t>(a)]));
  }
  Admissible frame = D;
  frame.psi = D.psi * change;
  for (Expr& e : frame.psi.entries()) e = short_form(e);
  const std::vector<Expr> z(D.speeds.begin(), D.speeds.end());
  const auto solved = solve(change, Matrix::column(z));
  SymbolMap definitions;
  for (int a = 0; a < r; ++a)
    definitions.emplace(D.speeds[static_cast<std::size_t>(a)], D.definitions[static_cast<std::size_t>(a)]);
  for (int a = 0; a < r; ++a) {
    const Expr w = short_form(solved->x[a]);
    frame.speeds[static_cast<std::size_t>(a)] =
        w.is(Kind::symbol)
            ? w.symbol()
            : invented_symbol(system, fmt::format("w{}", a + 1), {.role = Role::velocity, .order = 100 + a});
    frame.definitions[static_cast<std::size_t>(a)] = substitute(w, definitions);
  }
  frame.where.insert(frame.where.end(), solved->where.begin(), solved->where.end());
  return frame;
}

/// s(q, w, μ) from ∂l_c/∂s^i = μ_i, which has to be linear in s.
std::vector<Expr> eliminated_speeds(Routh& r, Expr ell) {
  const std::vector<Symbol> s(r.D.speeds.begin() + r.free, r.D.speeds.end());
  const std::vector<Expr> p = gradient(ell, s);
  Matrix g = jacobian(p, s), right(r.cyclic(), 1);
  for (const Expr e : g.entries()) {
    for (const Symbol x : r.D.speeds) {
      if (!vanishes_at_random_points(derivative(e, x)))
        refuse("the Lagrangian is not quadratic in the velocities", "use `hamel` or `multipliers`");
    }
  }
  SymbolMap rest;
  for (const Symbol x : s) rest.emplace(x, Expr(0));
  for (Expr& e : g.entries()) e = short_form(substitute(e, rest));
  for (int i = 0; i < r.cyclic(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    right[i] = r.momenta[k] - short_form(substitute(p[k], rest));
  }
  const auto solved = unique_solution(g, right);
  if (!solved) {
    throw Degenerate("degenerate-energy", "the conserved momenta do not determine their velocities",
                     "the metric on the symmetry directions is singular", "add the missing inertia");
  }
  r.where.insert(r.where.end(), solved->where.begin(), solved->where.end());
  std::vector<Expr> out;
  for (const Expr e : solved->x.entries()) out.push_back(short_form(e));
  return out;
}

/// Symmetries that fill D and are orthonormal in its frame, yᵀy = 1, as the rotations of space are: from μ = yᵀp follows
/// p = y μ, and z = G⁻¹(y μ − b) needs no inverse of y. False when they are not.
bool solve_by_orthonormal_symmetries(const System& system, const Admissible& D,
                                     const std::vector<VectorField>& Y, Routh& r) {
  if (r.free > 0) return false;
  const Matrix y = jacobian(D.definitions, D.space.velocities()) * as_columns(D.space, Y);
  const Matrix square = transpose(y) * y - Matrix::identity(y.columns());
  const auto zero = [](Expr e) { return vanishes_at_random_points(e); };
  if (!std::all_of(square.entries().begin(), square.entries().end(), zero)) return false;
  const Expr ell = short_form(substitute(system.lagrangian, D.substitution()));
  const std::vector<Expr> p = gradient(ell, D.speeds);
  Matrix G = jacobian(p, D.speeds);
  SymbolMap rest;
  for (const Symbol z : D.speeds) {
    rest.emplace(z, Expr(0));
    const Matrix slope = derivative(G, z);
    if (!std::all_of(slope.entries().begin(), slope.entries().end(), zero)) return false;
  }
  const Matrix mu = Matrix::column(std::vector<Expr>(r.momenta.begin(), r.momenta.end())), P = y * mu;
  const auto solved =
      short_solution(substitute(G, rest), P - Matrix::column(substitute(p, rest)), Metric::as_built);
  if (!solved) return false;
  const Matrix z = Matrix::column(solved->rates), s = transpose(y) * z;
  SymbolMap in_momenta;
  for (int a = 0; a < D.rank(); ++a) in_momenta.emplace(D.speeds[static_cast<std::size_t>(a)], z[a]);
  for (const Expr e : s.entries()) r.eliminated.push_back(e);
  for (const Expr e : D.velocity().coefficients()) r.velocities.push_back(substitute(e, in_momenta));
  r.routhian = short_form(substitute(ell, in_momenta) - dot(P, z));
  const Assumptions regular = where_regular(system, D, solved->where);
  r.where.insert(r.where.end(), regular.begin(), regular.end());
  return true;
}

SymbolMap elimination_of(const Routh& r) {
  SymbolMap map;
  for (int i = 0; i < r.cyclic(); ++i)
    map.emplace(r.D.speeds[r.free + i], r.eliminated[static_cast<std::size_t>(i)]);
  return map;
}

/// dim h_μ: the kernel of c_ab^d μ_d, for μ in general position.
int generic_isotropy(const StructureCoefficients& c) {
  const int n = c.dimension();
  Matrix m(n, n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      for (int d = 0; d < n; ++d) m(a, b) += c(a, b, d) * symbol(fmt::format("mu_{}", d));
    }
  }
  return n - rank(m);
}

std::string kind_of_momenta(const System& system, const Routh& r) {
  if (r.gauge) return "nonholonomic cyclic momenta";
  const bool flat = r.algebra.empty() || r.algebra.starts_with("R");
  const std::string whose =
      flat ? "" : fmt::format(": {}, isotropy of a general momentum of dimension {}", r.algebra, r.isotropy);
  if (system.constraints.empty())
    return (flat ? "classical Routh reduction" : "nonabelian Routh reduction") + whose;
  return "nonholonomic Routh reduction by horizontal symmetries" + whose;
}

Step momenta_step(const System& system, const Routh& r) {
  Step step{"Conserved momenta", kind_of_momenta(system, r), {}};
  for (int i = 0; i < r.cyclic(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    step.lines.push_back(
        {fmt::format("{} of {{ {} }}", r.momenta[k].name(), written(r.D.leg(r.free + i))), r.definitions[k]});
  }
  const auto own = system.space.velocities();
  for (int a = 0; a < r.free; ++a) {  // speeds that stay, where the program named them
    const Symbol w = r.D.speeds[static_cast<std::size_t>(a)];
    if (std::find(own.begin(), own.end(), w) == own.end())
      step.lines.push_back({w.name(), short_form(r.D.definitions[static_cast<std::size_t>(a)])});
  }
  return step;
}

Step routhian_step(const Routh& r) {
  Step step{"The Routhian", "R = L - mu s with the velocities s along the symmetries in the momenta", {}};
  for (int i = 0; i < r.cyclic(); ++i)
    step.lines.push_back({r.D.speeds[r.free + i].name(), r.eliminated[static_cast<std::size_t>(i)]});
  step.lines.push_back({"R", r.routhian});
  return step;
}

}  // namespace

Routh routh(const System& system) {
  Admissible D = linear_velocities(system);
  Routh r;
  const std::vector<VectorField> Y = cyclic_fields(system, D, r.gauge);
  if (Y.empty())
    refuse("no conserved momentum was found", "`rattleback analyze --question momenta` says more");
  r.momenta = names_of_momenta(system, Y);
  r.D = frame_with(system, D, Y);
  r.free = r.D.rank() - static_cast<int>(Y.size());
  for (const VectorField& X : Y) r.definitions.push_back(momentum(system, X));
  std::vector<Generator> generators;
  for (const VectorField& X : Y) generators.push_back({written(X), X, {}});
  const SymmetryAlgebra h = algebra_of(system, "", generators, for_a_derivation);
  if (h.is_closed) {
    r.algebra = h.name;
    r.isotropy = generic_isotropy(h.c);
  }
  if (solve_by_orthonormal_symmetries(system, D, Y, r)) return r;
  const Expr ell = short_form(substitute(system.lagrangian, r.D.substitution()));
  r.eliminated = eliminated_speeds(r, ell);
  std::vector<Expr> terms{ell};
  for (int i = 0; i < r.cyclic(); ++i)
    terms.push_back(-(r.momenta[static_cast<std::size_t>(i)] * r.D.speeds[r.free + i]));
  r.routhian = short_form(substitute(sum(terms), elimination_of(r)));
  for (const Expr e : r.D.velocity().coefficients()) r.velocities.push_back(substitute(e, elimination_of(r)));
  return r;
}

EquationsOfMotion routh_equations(const System& system) {
  const Routh r = routh(system);
  const SymbolMap psi = r.D.substitution(), s = elimination_of(r);
  const std::vector<Expr> P = momenta_on(system, psi), Q = forces_on(system, psi);
  const VectorField V = r.D.velocity();
  const VectorField moving(system.space, r.velocities);  // the same with s in the momenta
  const std::vector<Symbol> w(r.D.speeds.begin(), r.D.speeds.begin() + r.free);
  const std::vector<Expr> p = gradient(r.routhian, w);
  Matrix G = jacobian(p, w), right(r.free, 1);
  for (Expr& e : G.entries()) e = short_form(e);
  for (int a = 0; a < r.free; ++a) {
    const VectorField X = r.D.leg(a), twist = bracket(X, V);
    const Matrix frame_moves = derivative(r.D.psi.column(a), system.time);
    const Expr pull =
        pairing(Q, X) - dot(Matrix::column(P), Matrix::column(twist.coefficients()) - frame_moves);
    const Expr p_a = p[static_cast<std::size_t>(a)];
    right[a] =
        short_form(sum({X(r.routhian), substitute(pull, s), -moving(p_a), -derivative(p_a, system.time)}));
  }
  std::vector<Expr> rates;
  Assumptions where = r.where;
  if (r.free > 0) {
    const auto solved = short_solution(G, right);
    if (!solved) throw degenerate_energy("the Routhian has a singular Hessian");
    const Assumptions regular = where_regular(system, r.D, solved->where);
    where.insert(where.end(), regular.begin(), regular.end());
    rates = solved->rates;
  }
  EquationsOfMotion equations = kinematics(system, r.D, "routh");
  for (std::size_t f = 0; f < equations.configuration.size(); ++f)
    equations.configuration_rates[f] =
        short_rate(equations.configuration[f], moving(Expr(equations.configuration[f])));
  for (int i = 0; i < system.space.dimension(); ++i)
    equations.velocities.insert_or_assign(system.space.velocities()[static_cast<std::size_t>(i)],
                                          r.velocities[static_cast<std::size_t>(i)]);
  for (int i = 0; i < r.cyclic(); ++i) {
    const auto k = r.free + i;
    equations.speeds[k] = r.momenta[static_cast<std::size_t>(i)];
    equations.speed_definitions[k] = r.definitions[static_cast<std::size_t>(i)];
    rates.emplace_back(0);
  }
  equations.speed_rates = std::move(rates);
  equations.where.insert(equations.where.end(), where.begin(), where.end());
  equations.where = simplified(equations.where);
  equations.notes.push_back(kind_of_momenta(system, r));
  equations.steps = {momenta_step(system, r), routhian_step(r)};
  return equations;
}

}  // namespace rattleback
