// O. E. Fernandez' thesis, sections 3.4 and 5.1–5.2: variational nonholonomic equations beside d'Alembert's.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/vakonomic.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

System generic() {
  return read_model(R"toml(
lagrangian = "1/2*((1 + r2^2)*r1'^2 + 2*r2'^2 + s1'^2 + 3*s2'^2) + r1*r1'*s1' + s1*r2'*s2' - V(r1, s1)"
space = { r1 = "R", r2 = "R", s1 = "R", s2 = "R" }
functions = { V = ["r1", "s1"], A = ["r2", "s1"] }
constraints = { a = "s1' + A(r2, s1)*r1' + s2*r2' = 0", b = "s2' + r2*r1' + r1*s1*r2' = 0" }
velocities = { u1 = "r1'", u2 = "r2'" }
)toml",
                    "generic");
}

System abelian() {
  return read_model(R"toml(
lagrangian = "1/2*((1 + r2^2)*r1'^2 + 2*r2'^2 + s1'^2 + 3*s2'^2) + r1*r1'*s1' + r2*r2'*s2' - V(r1)"
space = { r1 = "R", r2 = "R", s1 = "R", s2 = "R" }
functions = { V = ["r1"], A = ["r1", "r2"] }
constraints = { a = "s1' + A(r1, r2)*r1' + r1*r2' = 0", b = "s2' + r2*r1' + 2*r2' = 0" }
velocities = { u1 = "r1'", u2 = "r2'" }
)toml",
                    "abelian");
}

/// E_α(L_c) + A^a_α ∂L_c/∂s^a along the equations, for the splitting with the last two coordinates as fibre.
Expr reduced_operator(const System& system, const Voronets& form, const EquationsOfMotion& equations,
                      int alpha) {
  const SymbolMap& psi = equations.velocities;
  const Symbol v = form.constraints.base_velocities()[static_cast<std::size_t>(alpha)];
  const Expr p = substitute(derivative(form.lagrangian, v), psi);
  const VectorField X = form.constraints.connection.horizontal(alpha);
  return derivative_along(p, motion_of(system, equations)) - substitute(X(form.lagrangian), psi);
}

}  // namespace

TEST_CASE("FE-3.9, FE-5.1: Euler-Lagrange of L - mu_a phi^a, in q and in mu") {
  for (const System& system : {generic(), abelian()}) {
    EquationsOfMotion equations = vakonomic_equations(system);
    CHECK(all_vanish(variational_residuals(system, equations)));
    equations.speed_rates.back() += 1;
    CHECK(some_do_not_vanish(variational_residuals(system, equations)));
  }
}

TEST_CASE("FE-5.3, FE-5.4: E_al(L_c) = (mu_a - (dL/ds'^a)_c) B^a_ab r'^b - A dL_c/ds (printed dL/ds^a)") {
  for (const System& system : {generic(), abelian()}) {
    const Voronets form = voronets(system, solved_for(system, {2, 3}));
    const EquationsOfMotion equations = vakonomic_equations(system);
    std::vector<Expr> residuals, printed;
    for (int alpha = 0; alpha < 2; ++alpha) {
      Expr right = 0, wrong = 0;
      for (int a = 0; a < 2; ++a) {
        const Expr mu = equations.speeds[2 + a];
        const Expr momentum =
            substitute(form.fibre_momenta[static_cast<std::size_t>(a)], equations.velocities);
        const Expr slope =
            substitute(system.space.derivative(2 + a, system.lagrangian), equations.velocities);
        for (int beta = 0; beta < 2; ++beta) {
          const Expr B = form.B(a, alpha, beta) * equations.speeds[static_cast<std::size_t>(beta)];
          right += (mu - momentum) * B;
          wrong += (mu - slope) * B;
        }
      }
      const Expr left = reduced_operator(system, form, equations, alpha);
      residuals.push_back(left - right);
      printed.push_back(left - wrong);
    }
    CHECK(all_vanish(residuals));
    CHECK(some_do_not_vanish(printed));
  }
}

TEST_CASE("FE-5.6: E_J(phi^a) dq^J = B^a_ab r'^b dr^a on admissible displacements") {
  const System system = generic();
  const Space& Q = system.space;
  const Splitting s = solved_for(system, {2, 3});
  const Curvature B = curvature(s.connection);
  const SymbolMap psi = s.admissible().substitution();
  const std::vector<Symbol> v = s.base_velocities();
  for (int a = 0; a < 2; ++a) {
    const Expr phi = system.constraints[static_cast<std::size_t>(a)].expression;
    for (int alpha = 0; alpha < 2; ++alpha) {
      const VectorField X = s.connection.horizontal(alpha);
      Expr left = 0;
      for (int j = 0; j < 4; ++j) {
        const Expr slope = derivative(phi, Q.velocities()[static_cast<std::size_t>(j)]);
        left += X[j] * substitute(Q.rate(slope) - Q.derivative(j, phi), psi);
      }
      const Expr right = B(a, alpha, 0) * v[0] + B(a, alpha, 1) * v[1];
      CHECK(proved(are_equal(left, right)));
      CHECK(refuted(are_equal(left, -right)));
    }
  }
}

TEST_CASE("FE-3.4-hol, FE-1-var: holonomic constraints: the same motion for every mu; otherwise not") {
  System system = generic();
  CHECK(some_do_not_vanish(dalembert_residuals(system, vakonomic_equations(system))));
  const auto q = system.space.functions();
  system.constraints[0].expression = system.space.rate(Expr(q[2]) + sin(Expr(q[0])) * q[1]);
  system.constraints[1].expression = system.space.rate(Expr(q[3]) + Expr(q[0]) * q[2]);
  CHECK(all_vanish(dalembert_residuals(system, vakonomic_equations(system))));
}

TEST_CASE("FE-V.5.1: abelian Chaplygin: mu_a - (dL/ds'^a)_c is constant along the variational motion") {
  const System system = abelian();
  const Voronets form = voronets(system, solved_for(system, {2, 3}));
  const EquationsOfMotion equations = vakonomic_equations(system);
  for (int a = 0; a < 2; ++a) {
    const Expr momentum = substitute(form.fibre_momenta[static_cast<std::size_t>(a)], equations.velocities);
    const Expr constant = equations.speeds[2 + a] - momentum;
    CHECK(proved(is_zero(derivative_along(constant, motion_of(system, equations)))));
    CHECK(refuted(is_zero(derivative_along(momentum, motion_of(system, equations)))));
  }
}

TEST_CASE("FE-5.9: the force is F_{c b a} r'^c r'^b with F_{c b a} = M_{d c} B^d_{b a} (printed F_{c a b})") {
  const System system = abelian();
  const Chaplygin c = chaplygin_reduction(system);
  const std::vector<Symbol> v = c.form.constraints.base_velocities();
  const std::vector<Expr> force = curvature_force(c.form);
  std::vector<Expr> right, printed;
  for (int alpha = 0; alpha < 2; ++alpha) {
    Expr sum = 0;
    for (int b = 0; b < 2; ++b) {
      for (int beta = 0; beta < 2; ++beta) {
        for (int g = 0; g < 2; ++g)
          sum += c.mixed(b, g) * c.form.B(b, beta, alpha) * v[static_cast<std::size_t>(g)] *
                 v[static_cast<std::size_t>(beta)];
      }
    }
    right.push_back(force[static_cast<std::size_t>(alpha)] - sum);
    printed.push_back(force[static_cast<std::size_t>(alpha)] + sum);
  }
  CHECK(all_vanish(right));
  CHECK(some_do_not_vanish(printed));
}

TEST_CASE("FE-5.13: reduced vakonomic on SE(2): (dl/dxi - mu)' = ad*_xi (dl/dxi - mu)") {
  const System carriage = read_model(R"toml(
lagrangian = "1/2*m*(v1^2 + v2^2) + m*l*v2*w + 1/2*J*w^2 + 1/2*Cw*(f1'^2 + f2'^2)"
[parameters]
m = { value = 1, positive = true }
J = { value = 1, positive = true }
Cw = { value = 1, positive = true }
R = { value = 1, positive = true }
c = { value = 1, positive = true }
l = 1
[constraints]
turning = "w = R/(2*c)*(f1' - f2')"
forward = "v1 = R/2*(f1' + f2')"
sideways = "v2 = 0"
[space]
f1 = "R"
f2 = "R"
g = { group = "SE(2)", coordinates = ["x", "y", "th"], velocities = ["v1", "v2", "w"] }
)toml",
                                     "carriage");
  const EquationsOfMotion equations = vakonomic_equations(carriage);
  CHECK(all_vanish(variational_residuals(carriage, equations)));
  const SymbolMap along = motion_of(carriage, equations);
  const StructureCoefficients& C = carriage.space.c();
  const std::vector<Expr> l_xi =
      substitute(gradient(carriage.lagrangian, carriage.space.velocities()), equations.velocities);
  // φ^a = ξ^a + …: the multiplier of each leg of the group, by the constraint that determines its velocity.
  std::vector<Expr> nu;
  for (int a = 2; a < 5; ++a) {
    Expr mu = 0;
    for (const Constraint& c : carriage.constraints) {
      const Expr slope = derivative(c.expression, carriage.space.velocities()[static_cast<std::size_t>(a)]);
      mu += slope * formula(carriage, equations, "mu_" + c.name);
    }
    nu.push_back(l_xi[static_cast<std::size_t>(a)] - mu);
  }
  std::vector<Expr> residuals, other_sign;
  for (int b = 2; b < 5; ++b) {
    Expr coadjoint = 0;  // ⟨ad*_ξ ν, e_b⟩ = ν_d C_ab^d ξ^a
    for (int a = 2; a < 5; ++a) {
      const Expr xi = equations.velocities.at(carriage.space.velocities()[static_cast<std::size_t>(a)]);
      for (int d = 2; d < 5; ++d) coadjoint += nu[d - 2] * C(a, b, d) * xi;
    }
    const Expr rate = derivative_along(nu[b - 2], along);
    residuals.push_back(rate - coadjoint);
    other_sign.push_back(rate + coadjoint);
  }
  CHECK(all_vanish(residuals));
  CHECK(some_do_not_vanish(other_sign));
}

TEST_CASE(
    "FE-V.5.5, FE-5.2.2-R1: Heisenberg's particle moves by both principles when mu = 0 (the text: never)") {
  const System particle = load_model("heisenberg-particle");
  const EquationsOfMotion variational = vakonomic_equations(particle), mechanical = hamel_equations(particle);
  const Symbol mu = variational.speeds.back();
  const SymbolMap none{{mu, Expr(0)}};
  CHECK(proved(is_zero(substitute(variational.speed_rates.back(), none))));  // mu = 0 stays
  for (std::size_t a = 0; a < mechanical.speeds.size(); ++a)
    CHECK(proved(are_equal(substitute(variational.speed_rates[a], none), mechanical.speed_rates[a])));
  CHECK(refuted(is_zero(variational.speed_rates[0])));
}
