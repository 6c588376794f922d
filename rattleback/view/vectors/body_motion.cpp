#include <rattleback/view/vectors/body_motion.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

bool is_so3(const Factor& f) {
  if (f.kind != Factor::Kind::algebra || f.dimension() != 3) return false;
  const StructureCoefficients c = so3().c();
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int d = 0; d < 3; ++d)
        if (f.c(a, b, d) != c(a, b, d)) return false;
  return true;
}

bool turns(const Factor& f) {
  return f.kind == Factor::Kind::SO3 || f.kind == Factor::Kind::SE3 || is_so3(f);
}

/// The only factor that turns.
const Factor* turning_factor(const System& system) {
  const Factor* found = nullptr;
  for (const Factor& f : system.space.factors()) {
    if (!turns(f)) continue;
    if (found != nullptr) return nullptr;
    found = &f;
  }
  return found;
}

/// Velocities that are not components of Ω, by their places.
std::vector<int> other_places(const Space& space, const std::vector<Symbol>& Omega) {
  std::vector<int> places;
  for (int i = 0; i < space.dimension(); ++i)
    if (std::ranges::find(Omega, space.velocities()[static_cast<std::size_t>(i)]) == Omega.end())
      places.push_back(i);
  return places;
}

/// y = Y Ω + y_0 for the other velocities, and what the rest of the constraints says about Ω.
bool solve_for_others(const System& system, BodyMotion& body) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  if (!std::ranges::all_of(rows.affine, [](bool affine) { return affine; })) return false;
  const std::vector<int> others = other_places(system.space, body.speeds);
  std::vector<int> own;
  for (const Symbol s : body.speeds)
    own.push_back(static_cast<int>(std::ranges::find(system.space.velocities(), s) -
                                   system.space.velocities().begin()));
  const Matrix A_y = columns_of(rows.a, others), A_Omega = columns_of(rows.a, own);
  const std::vector<int> kept = others.empty() ? std::vector<int>{} : independent_rows(A_y);
  if (kept.size() != others.size()) return false;
  Matrix Y(static_cast<int>(others.size()), 4);
  if (!others.empty()) {
    const auto solved =
        unique_solution(rows_of(A_y, kept), -beside(rows_of(A_Omega, kept), rows_of(rows.b, kept)));
    if (!solved) return false;
    Y = short_form(solved->x);
  }
  const Matrix one = above(body.Omega(), Matrix{{Expr(1)}});
  body.psi.assign(system.space.velocities().begin(), system.space.velocities().end());
  for (std::size_t k = 0; k < others.size(); ++k)
    body.psi[static_cast<std::size_t>(others[k])] = (Y.row(static_cast<int>(k)) * one)[0];
  for (int s = 0; s < rows.count(); ++s) {
    if (std::ranges::find(kept, s) != kept.end()) continue;
    Matrix rest = beside(A_Omega.row(s), rows.b.row(s));
    if (!others.empty()) rest = rest + A_y.row(s) * Y;
    if (vanish_at_random_states(rest)) continue;
    rest = short_form(rest);
    body.axes.push_back(Matrix::column(std::vector<Expr>{rest[0], rest[1], rest[2]}));
    body.offsets.push_back(rest[3]);
  }
  return true;
}

/// V = ρ × Ω when ∂V/∂Ω is skew and V vanishes with Ω.
std::optional<Matrix> rolling_part(const BodyMotion& body, const Matrix& V) {
  const Matrix M = jacobian(V.entries(), body.speeds);
  if (!vanish_at_random_states(M + transpose(M)) || !vanish_at_random_states(V - M * body.Omega()))
    return std::nullopt;
  return Matrix::column(std::vector<Expr>{M(2, 1), M(0, 2), M(1, 0)});
}

/// From x' and y' alone, with α, β, γ the rows of B: ∂x'/∂Ω = α × ρ and ∂y'/∂Ω = β × ρ.
std::optional<Matrix> from_two(const BodyMotion& body, Expr x_rate, Expr y_rate) {
  const std::vector<Expr> rates{x_rate, y_rate};
  const Matrix J = jacobian(rates, body.speeds), alpha = body.row(0), beta = body.row(1), gamma = body.row(2);
  const Matrix gx = transpose(J.row(0)), gy = transpose(J.row(1));
  const Matrix rho = -dot(gy, gamma) * alpha + dot(gx, gamma) * beta - dot(gx, beta) * gamma;
  if (!vanish_at_random_states(gx - cross(alpha, rho)) || !vanish_at_random_states(gy - cross(beta, rho)) ||
      !vanish_at_random_states(Matrix::column(rates) - J * body.Omega()))
    return std::nullopt;
  return rho;
}

/// Lines among the coordinates, with their velocities.
std::vector<std::pair<Expr, Expr>> lines_of(const System& system, const BodyMotion& body) {
  std::vector<std::pair<Expr, Expr>> lines;
  for (int i = 0; i < system.space.dimension(); ++i) {
    const auto q = system.space.coordinate(i);
    if (q && q->role() == Role::coordinate) lines.emplace_back(*q, body.psi[static_cast<std::size_t>(i)]);
  }
  return lines;
}

}  // namespace

Matrix BodyMotion::Omega() const { return Matrix::column(std::vector<Expr>(speeds.begin(), speeds.end())); }

Matrix BodyMotion::row(int k) const { return transpose(B.row(k)); }

SymbolMap BodyMotion::velocities(const Space& space) const {
  SymbolMap map;
  for (std::size_t i = 0; i < psi.size(); ++i) map.emplace(space.velocities()[i], psi[i]);
  return map;
}

std::optional<BodyMotion> body_motion(const System& system) {
  if (system.parametrization) return std::nullopt;
  BodyMotion body;
  body.factor = turning_factor(system);
  if (body.factor == nullptr) return std::nullopt;
  body.speeds.assign(body.factor->velocities.begin(), body.factor->velocities.begin() + 3);
  if (body.factor->kind != Factor::Kind::algebra) body.B = body.factor->rotation();
  if (!solve_for_others(system, body)) return std::nullopt;
  const SymbolMap psi = body.velocities(system.space);
  const Expr ell = substitute(system.lagrangian, psi);
  body.momentum = Matrix::column(gradient(ell, body.speeds));
  const ProjectedMotion motion = projected_motion(system, {body.speeds, body.psi, {}, true, {}, {}});
  for (std::size_t f = 0; f < system.space.functions().size(); ++f)
    body.rates.emplace(system.space.functions()[f], motion.configuration_rates[f]);
  body.rates.emplace(system.time, Expr(1));
  body.torque = motion.force + body.rate(body.momentum);
  return body;
}

std::optional<RollingVector> rolling_vector(const System& system, const BodyMotion& body) {
  if (!body.has_attitude()) return std::nullopt;
  const SymbolMap psi = body.velocities(system.space);
  if (body.factor->kind == Factor::Kind::SE3) {
    const auto& v = body.factor->velocities;
    const Matrix V = substitute(Matrix::column(std::vector<Expr>{v[3], v[4], v[5]}), psi),
                 r = body.factor->position();
    if (auto rho = rolling_part(body, V)) return RollingVector{*rho, {r[0], r[1], r[2]}};
  }
  for (const RigidBody& solid : system.bodies) {
    const Matrix V = transpose(body.B) * substitute(solid.v_G_S, psi);
    if (auto rho = rolling_part(body, V))
      return RollingVector{*rho, {solid.r_G_S[0], solid.r_G_S[1], solid.r_G_S[2]}};
  }
  const auto lines = lines_of(system, body);
  if (lines.size() == 3) {
    const Matrix v = Matrix::column(std::vector<Expr>{lines[0].second, lines[1].second, lines[2].second});
    if (auto rho = rolling_part(body, transpose(body.B) * v))
      return RollingVector{*rho, {lines[0].first, lines[1].first, lines[2].first}};
  }
  if (lines.size() >= 2)
    if (auto rho = from_two(body, lines[0].second, lines[1].second))
      return RollingVector{*rho, {lines[0].first, lines[1].first}};
  return std::nullopt;
}

}  // namespace rattleback
