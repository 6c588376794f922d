#include <rattleback/view/vectors/rotating_bodies.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

std::vector<FreeRotation> rotations_of(const Space& space) {
  std::vector<FreeRotation> found;
  for (const Factor& f : space.factors()) {
    if (f.kind != Factor::Kind::SO3) continue;
    const Matrix Omega = Matrix::column(std::vector<Expr>(f.velocities.begin(), f.velocities.end()));
    found.push_back({f.velocities, f.rotation(), -1, f.rotation(), f.rotation() * Omega});
  }
  return found;
}

bool is_speed_of_rotation(const RotatingBodies& all, Symbol v) {
  return std::ranges::any_of(
      all.rotations, [&](const FreeRotation& a) { return std::ranges::find(a.speeds, v) != a.speeds.end(); });
}

/// y = Y z + y_0 for as many velocities as there are constraints, none of them of a rotation.
bool solve_constraints(const System& system, RotatingBodies& all) {
  const std::span<const Symbol> v = system.space.velocities();
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  if (!std::ranges::all_of(rows.affine, [](bool affine) { return affine; })) return false;
  std::vector<int> candidates;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!is_speed_of_rotation(all, v[i])) candidates.push_back(static_cast<int>(i));
  std::vector<int> solved;
  if (rows.count() > 0 && !candidates.empty())
    for (const int k : independent_columns(columns_of(rows.a, candidates)))
      solved.push_back(candidates[static_cast<std::size_t>(k)]);
  const std::vector<int> kept = rows.count() > 0 ? independent_rows(rows.a) : std::vector<int>{};
  if (kept.size() != solved.size()) return false;
  std::vector<int> free;
  std::vector<Expr> z;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (std::ranges::find(solved, static_cast<int>(i)) != solved.end()) continue;
    free.push_back(static_cast<int>(i));
    z.push_back(v[i]);
    all.psi.emplace(v[i], v[i]);
    if (!is_speed_of_rotation(all, v[i])) all.others.push_back(v[i]);
  }
  if (solved.empty()) return true;
  z.emplace_back(1);
  const Matrix A = rows_of(rows.a, kept);
  const auto Y = unique_solution(columns_of(A, solved), -beside(columns_of(A, free), rows_of(rows.b, kept)));
  if (!Y) return false;
  const Matrix values = short_form(Y->x) * Matrix::column(z);
  for (std::size_t k = 0; k < solved.size(); ++k)
    all.psi.emplace(v[static_cast<std::size_t>(solved[k])], values[static_cast<int>(k)]);
  return true;
}

void find_rates(const System& system, RotatingBodies& all) {
  for (const Factor& f : system.space.factors())
    for (std::size_t i = 0; i < f.frame.size(); ++i)
      for (const auto& [q, along] : f.frame[i]) {
        const Expr part = all.psi.at(f.velocities[i]) * along;
        const auto [at, is_new] = all.rates.emplace(q, part);
        if (!is_new) at->second = at->second + part;
      }
  all.rates.emplace(system.time, Expr(1));
}

/// Before the constraints are used.
std::vector<SolidBody> stated_bodies(const System& system) {
  std::vector<SolidBody> bodies;
  for (const RigidBody& b : system.bodies) {
    Matrix R(3, 3);
    for (int j = 0; j < 3; ++j) {
      const Matrix column = b.attitude.to_space(unit_vector(j));
      for (int i = 0; i < 3; ++i) R(i, j) = column[i];
    }
    const Matrix inertia = b.inertia.rows() == 3 ? b.inertia : Matrix(3, 3);
    bodies.push_back({b.name, b.mass, inertia, R, b.r_G_S, b.v_G_S, b.attitude.w_SB_S()});
  }
  return bodies;
}

/// ∂w/∂Ω is B where a body turns against the ground, R_c B where another carries it.
void find_carriers(RotatingBodies& all) {
  for (std::size_t a = 0; a < all.rotations.size(); ++a) {
    FreeRotation& turn = all.rotations[a];
    for (const SolidBody& b : all.bodies) {
      const Matrix part = jacobian(b.w.entries(), turn.speeds);
      if (vanish_at_random_states(part) || vanish_at_random_states(part - turn.B)) continue;
      for (std::size_t c = 0; c < a && turn.carrier < 0; ++c) {
        const FreeRotation& other = all.rotations[c];
        if (!vanish_at_random_states(part - other.R * turn.B)) continue;
        turn.carrier = static_cast<int>(c);
        turn.R = other.R * turn.B;
        turn.omega = other.omega + other.R * turn.omega;
      }
    }
  }
}

/// m and J of ½ m |[x', y', z']|² + ½ ⟨Ω, J Ω⟩, constant.
std::vector<SolidBody> body_in_lagrangian(const System& system, const RotatingBodies& all) {
  if (all.rotations.size() != 1) return {};
  Matrix r(3, 1), v(3, 1);
  std::vector<Symbol> lines;
  for (int i = 0; i < system.space.dimension(); ++i) {
    const auto q = system.space.coordinate(i);
    if (!q || q->role() != Role::coordinate) continue;
    if (lines.size() == 3) return {};
    r[static_cast<int>(lines.size())] = *q;
    lines.push_back(system.space.velocities()[static_cast<std::size_t>(i)]);
    v[static_cast<int>(lines.size()) - 1] = lines.back();
  }
  if (lines.size() < 2) return {};
  const FreeRotation& a = all.rotations.front();
  const Expr x_momentum = gradient(system.lagrangian, lines)[0];
  const Expr mass = short_form(gradient(x_momentum, lines)[0]);
  Matrix J = jacobian(gradient(system.lagrangian, a.speeds), a.speeds);
  for (Expr& e : J.entries()) e = short_form(e);
  for (const Symbol s : symbols_of(above(J, Matrix{{mass, 0, 0}}).entries()))
    if (s.role() != Role::parameter) return {};
  return {{"body", mass, J, a.B, r, v, a.omega}};
}

Expr kinetic(const SolidBody& b) {
  const Matrix Omega = transpose(b.R) * b.w;
  return Expr(Rational(1, 2)) * (b.mass * dot(b.v, b.v) + dot(Omega, b.inertia * Omega));
}

/// U, and the defects of (X.3).
bool find_potential(const System& system, RotatingBodies& all) {
  Expr T = 0;
  for (const SolidBody& b : all.bodies) T = T + kinetic(b);
  SymbolMap at_rest;
  for (const Symbol v : system.space.velocities()) at_rest.emplace(v, Expr(0));
  all.potential = -substitute(system.lagrangian, at_rest);
  all.defects = {system.lagrangian - T + all.potential, substitute(T, at_rest)};
  return vanish_at_random_states(Matrix::column(all.defects));
}

/// Q_z = Σ_i Q_i ∂ψ_i/∂z; a torque on a carried body acts back on the carrier.
void find_forces(const System& system, RotatingBodies& all) {
  const auto along = [&](Symbol z) {
    Expr Q = 0;
    for (std::size_t i = 0; i < system.forces.size(); ++i) {
      if (system.forces[i].is_zero()) continue;
      const std::vector<Symbol> one{z};
      Q = Q + system.forces[i] * gradient(all.psi.at(system.space.velocities()[i]), one)[0];
    }
    return substitute(Q, all.psi);
  };
  all.torques.assign(all.rotations.size(), Matrix(3, 1));
  for (std::size_t a = 0; a < all.rotations.size(); ++a) {
    const FreeRotation& turn = all.rotations[a];
    Matrix Q(3, 1);
    for (int i = 0; i < 3; ++i) Q[i] = along(turn.speeds[static_cast<std::size_t>(i)]);
    all.torques[a] = all.torques[a] + turn.R * Q;
    if (turn.carrier < 0) continue;
    Matrix& back = all.torques[static_cast<std::size_t>(turn.carrier)];
    back = back - turn.R * Q;
  }
  for (const Symbol z : all.others) all.forces.push_back(short_form(along(z)));
}

}  // namespace

Matrix RotatingBodies::partial(const Matrix& v, std::size_t a) const {
  Matrix all = jacobian(v.entries(), rotations[a].speeds) * transpose(rotations[a].R);
  for (const FreeRotation& child : rotations)
    if (child.carrier == static_cast<int>(a))
      all = all - jacobian(v.entries(), child.speeds) * transpose(child.R);
  return all;
}

std::optional<RotatingBodies> rotating_bodies(const System& system) {
  if (system.parametrization) return std::nullopt;
  RotatingBodies all;
  all.rotations = rotations_of(system.space);
  if (all.rotations.empty() || !solve_constraints(system, all)) return std::nullopt;
  find_rates(system, all);
  all.bodies = system.bodies.empty() ? body_in_lagrangian(system, all) : stated_bodies(system);
  if (all.bodies.empty() || !find_potential(system, all)) return std::nullopt;
  find_carriers(all);
  find_forces(system, all);
  for (SolidBody& b : all.bodies) {
    b.v = substitute(b.v, all.psi);
    b.w = substitute(b.w, all.psi);
  }
  return all;
}

}  // namespace rattleback
