// S. Benenti, A 'user-friendly' approach to the dynamical equations of non-holonomic systems, SIGMA 3 (2007), 036:
// sections 2 to 8 for one particle r(q) in space, a constraint q3' = P(q, q1', q2') and forces, everything abstract.
// Each test carries the number of the formula; misprints are corrected and named.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

#include "../forms.hpp"
#include "benenti_models.hpp"

using namespace rattleback;

namespace {

constexpr int n = 3;

const Space& Q() {
  static const Space space({line("q1", 0), line("q2", 1), line("q3", 2)});
  return space;
}
Symbol q(int i) { return Q().functions()[static_cast<std::size_t>(i)]; }
Symbol v(int i) { return Q().velocities()[static_cast<std::size_t>(i)]; }
const Symbol mass = Symbol::make("m", {.role = Role::parameter, .sign = Sign::positive});

/// r(q), three abstract functions.
Matrix position() {
  Matrix r(3, 1);
  for (int k = 0; k < 3; ++k)
    r[k] = call(Function::abstract("r" + std::to_string(k + 1), 3), {Expr(q(0)), Expr(q(1)), Expr(q(2))});
  return r;
}
/// The applied force in space.
Matrix force() {
  Matrix F(3, 1);
  for (int k = 0; k < 3; ++k) F[k] = symbol("F" + std::to_string(k + 1));
  return F;
}
Expr P(Expr z1, Expr z2) {
  return call(Function::abstract("P", 5), {Expr(q(0)), Expr(q(1)), Expr(q(2)), z1, z2});
}

/// K = ½ m |ṙ|², A_i = F·∂_i r, C = q3' − P.
System particle() {
  System s;
  s.space = Q();
  const Matrix velocity = derivative_along(position(), Q().motion());
  s.lagrangian = mass * dot(velocity, velocity) / 2;
  for (int i = 0; i < n; ++i) s.forces.push_back(dot(force(), derivative(position(), q(i))));
  s.constraints.push_back({.name = "P", .expression = v(2) - P(v(0), v(1))});
  return s;
}

/// ψ with its derivatives, in the order of the paper.
struct Parametric {
  System system = particle();
  SolvedVelocities solved = solved_velocities(system);
  std::vector<Expr> psi = solved.psi;
  SymbolMap on_C = solved.substitution(Q());
  int m() const { return static_cast<int>(solved.speeds.size()); }
  Expr psi_alpha(int i, int alpha) const {
    return derivative(psi[static_cast<std::size_t>(i)], solved.speeds[static_cast<std::size_t>(alpha)]);
  }
  /// ∂_jψ^i ψ^j.
  Expr drift(int i) const {
    Expr s;
    for (int j = 0; j < n; ++j)
      s += derivative(psi[static_cast<std::size_t>(i)], q(j)) * psi[static_cast<std::size_t>(j)];
    return s;
  }
  std::vector<Symbol> rates() const {
    std::vector<Symbol> all;
    for (const Symbol z : solved.speeds)
      all.push_back(Symbol::make(z.name() + "'", {.role = Role::acceleration}));
    return all;
  }
};

/// g_ij = m ∂_i r·∂_j r and Γ_ijk = ½(∂_i g_jk + ∂_j g_ki − ∂_k g_ij).
Expr g(int i, int j) { return mass * dot(derivative(position(), q(i)), derivative(position(), q(j))); }
Expr gamma(int i, int j, int k) {
  return (derivative(g(j, k), q(i)) + derivative(g(k, i), q(j)) - derivative(g(i, j), q(k))) / 2;
}
Matrix metric() {
  Matrix m(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m(i, j) = g(i, j);
  }
  return m;
}

/// r̈ along q̇ = ψ(q, z) as (3.3) writes it, with the rates of z as symbols.
Matrix acceleration(const Parametric& p) {
  Matrix a(3, 1);
  for (int k = 0; k < 3; ++k) {
    std::vector<Expr> terms;
    for (int i = 0; i < n; ++i) {
      const Expr ri = derivative(position()[k], q(i));
      for (int j = 0; j < n; ++j)
        terms.push_back(derivative(ri, q(j)) * p.psi[static_cast<std::size_t>(i)] *
                        p.psi[static_cast<std::size_t>(j)]);
      terms.push_back(ri * p.drift(i));
      for (int alpha = 0; alpha < p.m(); ++alpha)
        terms.push_back(ri * p.psi_alpha(i, alpha) * p.rates()[static_cast<std::size_t>(alpha)]);
    }
    a[k] = sum(terms);
  }
  return a;
}

/// ψ^k_α f_k.
std::vector<Expr> projected(const Parametric& p, const std::vector<Expr>& f) {
  std::vector<Expr> all;
  for (int alpha = 0; alpha < p.m(); ++alpha) {
    Expr s;
    for (int k = 0; k < n; ++k) s += p.psi_alpha(k, alpha) * f[static_cast<std::size_t>(k)];
    all.push_back(s);
  }
  return all;
}

/// Γ_ijk ψ^i ψ^j for each k.
std::vector<Expr> christoffel_force(const Parametric& p) {
  std::vector<Expr> all;
  for (int k = 0; k < n; ++k) {
    Expr s;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        s += gamma(i, j, k) * p.psi[static_cast<std::size_t>(i)] * p.psi[static_cast<std::size_t>(j)];
    }
    all.push_back(s);
  }
  return all;
}

bool vanish(const std::vector<Expr>& es) { return proved(is_zero(es, {.want_exact = false})); }

}  // namespace

TEST_CASE(
    "BE-2.1, BE-2.2, BE-2.3: n equations with m parameters, r = n - m constraints, regular where ranks are "
    "full") {
  // The text says "m equations" for (2.1); there are n.
  const Parametric p;
  CHECK(p.psi.size() == 3);
  CHECK(p.m() == 2);
  CHECK(vanish({substitute(p.system.constraints[0].expression, p.on_C)}));
  CHECK(rank(jacobian(p.psi, p.solved.speeds)).value == 2);
  const RankDrop drop = rank_drop(jacobian(constraint_functions(p.system), Q().velocities()));
  CHECK(drop.loci.empty());
}

TEST_CASE("BE-2.lin: linear constraints C^a_i(q) v^i have a linear parametric form (the print has C^i_i)") {
  CHECK(solved_velocities(load_model("knife-edge")).linear);
  CHECK_FALSE(solved_velocities(load_model("two-points-parallel")).linear);
}

TEST_CASE("BE-3.3, BE-3.5: accelerations of points are affine in the rates of the parameters") {
  const Parametric p;
  SymbolMap ahead;
  for (int i = 0; i < n; ++i) ahead.emplace(q(i), p.psi[static_cast<std::size_t>(i)]);
  for (int alpha = 0; alpha < p.m(); ++alpha)
    ahead.emplace(p.solved.speeds[static_cast<std::size_t>(alpha)],
                  Expr(p.rates()[static_cast<std::size_t>(alpha)]));
  const Matrix velocity = derivative_along(position(), ahead), a = derivative_along(velocity, ahead);
  const Matrix difference = a - acceleration(p);
  CHECK(vanish({difference.entries().begin(), difference.entries().end()}));
}

TEST_CASE("BE-3.12: C_i psi^i_alpha = 0 and d_i C + C_j d_i psi^j = 0 on C") {
  const Parametric p;
  const Expr C = p.system.constraints[0].expression;
  const std::vector<Expr> slopes = substitute(gradient(C, Q().velocities()), p.on_C);
  CHECK(vanish(projected(p, slopes)));
  for (int i = 0; i < n; ++i) {
    Expr s = substitute(derivative(C, q(i)), p.on_C);
    for (int j = 0; j < n; ++j)
      s += slopes[static_cast<std::size_t>(j)] * derivative(p.psi[static_cast<std::size_t>(j)], q(i));
    CHECK(vanish({s}));
  }
}

TEST_CASE("BE-3.8: ideal reactions are exactly R_i = lambda_a C^a_i") {
  const Parametric p;
  const Matrix rows = constraint_rows(p.system).a;
  const Kernel left = kernel(transpose(jacobian(p.psi, p.solved.speeds)));
  REQUIRE(left.basis.columns() == 1);
  // Parallel to C_i: the two covectors span one dimension.
  CHECK(rank(beside(left.basis, substitute(transpose(rows), p.on_C))).value == 1);
}

TEST_CASE("BE-R3.3 corrected: reactions do no work where C^a_i v^i = 0, and may do work elsewhere") {
  const auto power = [](const std::string& model) {
    const System system = load_model(model);
    const ConstrainedMotion motion = constrained_motion(system);
    std::vector<Expr> velocities(system.space.velocities().begin(), system.space.velocities().end());
    const Expr work = dot(motion.multipliers, motion.rows.a * Matrix::column(velocities));
    return is_zero(substitute(work, solved_velocities(system).substitution(system.space)));
  };
  CHECK(proved(power("chaplygin-sleigh")));
  CHECK(proved(power("two-points-parallel")));
  CHECK(proved(power("appell-hamel")));
  CHECK(refuted(power("constant-speed-particle")));  // the remark claims zero
  CHECK(refuted(power("affine-particle")));
}

TEST_CASE("BE-3.14, BE-7.3: Newton projected on d_i r is Lagrange, and b_i = A_i - Gamma_hki v^h v^k") {
  const System system = particle();
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix velocity = derivative_along(position(), Q().motion());
  const Matrix no_acceleration = derivative_along(velocity, Q().motion());
  for (int i = 0; i < n; ++i) {
    const Matrix ri = derivative(position(), q(i));
    Expr L_i = system.forces[static_cast<std::size_t>(i)];
    for (int h = 0; h < n; ++h) {
      for (int k = 0; k < n; ++k) L_i -= gamma(h, k, i) * v(h) * v(k);
    }
    const Expr newton = dot(force() - mass * no_acceleration, ri);
    CHECK(vanish({lagrange.force[i] - L_i, lagrange.force[i] - newton}));
    for (int j = 0; j < n; ++j) CHECK(vanish({lagrange.mass(i, j) - g(i, j)}));
  }
}

TEST_CASE("BE-6.xi: m d_ij r . d_k r is the Christoffel symbol of the first kind") {
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Matrix rij = derivative(derivative(position(), q(i)), q(j));
        CHECK(vanish({mass * dot(rij, derivative(position(), q(k))) - gamma(i, j, k)}));
      }
    }
  }
}

TEST_CASE("BE-4.2, BE-4.4, BE-T4.1: Gauss's function is least along the motion") {
  const Parametric p;
  const Matrix excess = acceleration(p) - pow(Expr(mass), -1) * force();
  const Expr gauss = mass * dot(excess, excess) / 2;
  const std::vector<Expr> slopes = gradient(gauss, p.rates());
  const EquationsOfMotion actual = gibbs_appell_equations(p.system);
  SymbolMap motion;
  for (int alpha = 0; alpha < p.m(); ++alpha) {
    motion.emplace(p.rates()[static_cast<std::size_t>(alpha)],
                   actual.speed_rates[static_cast<std::size_t>(alpha)]);
    Matrix a_alpha(3, 1);
    for (int i = 0; i < n; ++i) a_alpha = a_alpha + p.psi_alpha(i, alpha) * derivative(position(), q(i));
    CHECK(vanish({slopes[static_cast<std::size_t>(alpha)] - mass * dot(excess, a_alpha)}));
    for (int beta = 0; beta < p.m(); ++beta) {
      Expr G;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) G += g(i, j) * p.psi_alpha(i, alpha) * p.psi_alpha(j, beta);
      }
      CHECK(vanish(
          {derivative(slopes[static_cast<std::size_t>(alpha)], p.rates()[static_cast<std::size_t>(beta)]) -
           G}));
    }
  }
  CHECK(
      vanish(substitute(slopes, motion)));  // stationary; the Hessian G is a Gram matrix, so it is a minimum
  motion.at(p.rates()[0]) += 1;             // the mutant
  CHECK(refuted(is_zero(substitute(slopes, motion), {.want_exact = false})));
}

TEST_CASE("BE-5.dec, BE-T5.1, BE-5.5: G = S + S1 - S2, and dS/dz' = A_alpha is the equation of motion") {
  const Parametric p;
  const Matrix a = acceleration(p), F = force();
  const Matrix excess = a - pow(Expr(mass), -1) * F;
  const Expr S = mass * dot(a, a) / 2, S1 = dot(F, F) / (2 * Expr(mass)), S2 = dot(F, a);
  CHECK(vanish({mass * dot(excess, excess) / 2 - (S + S1 - S2)}));
  const std::vector<Expr> A = projected(p, p.system.forces);
  const EquationsOfMotion actual = gibbs_appell_equations(p.system);
  SymbolMap motion;
  for (int alpha = 0; alpha < p.m(); ++alpha)
    motion.emplace(p.rates()[static_cast<std::size_t>(alpha)],
                   actual.speed_rates[static_cast<std::size_t>(alpha)]);
  for (int alpha = 0; alpha < p.m(); ++alpha) {
    const Symbol rate = p.rates()[static_cast<std::size_t>(alpha)];
    CHECK(vanish({substitute(derivative(S, rate), motion) - A[static_cast<std::size_t>(alpha)]}));
    CHECK(vanish({derivative(S2, rate) - A[static_cast<std::size_t>(alpha)]}));  // virtual power
  }
}

TEST_CASE("BE-6.1, BE-6.2 corrected: S* has the term g_ki d_j psi^i psi^j that the paper drops") {
  const Parametric p;
  const GibbsFunction S = gibbs_function(p.system, p.solved);
  std::vector<Expr> linear = christoffel_force(p), printed = christoffel_force(p);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) linear[static_cast<std::size_t>(k)] += g(k, i) * p.drift(i);
  }
  SymbolMap at_rest;
  for (const Symbol rate : S.accelerations) at_rest.emplace(rate, Expr(0));
  const std::vector<Expr> right = projected(p, linear), wrong = projected(p, printed);
  for (int alpha = 0; alpha < p.m(); ++alpha) {
    const Expr slope =
        substitute(derivative(S.value, S.accelerations[static_cast<std::size_t>(alpha)]), at_rest);
    CHECK(vanish({slope - right[static_cast<std::size_t>(alpha)]}));
    CHECK(refuted(is_zero(slope - wrong[static_cast<std::size_t>(alpha)], {.want_exact = false})));
    CHECK(vanish({S.forces[static_cast<std::size_t>(alpha)] -
                  projected(p, p.system.forces)[static_cast<std::size_t>(alpha)]}));
  }
}

TEST_CASE(
    "BE-T6.1, BE-7.1, BE-7.2, BE-7.4 corrected: z' = G^ab (A_k - Gamma_ijk psi psi - g_ki d_j psi^i psi^j) "
    "psi^k_b") {
  const Parametric p;
  std::vector<Expr> right = christoffel_force(p), printed;
  for (int k = 0; k < n; ++k) {
    const auto at = static_cast<std::size_t>(k);
    right[at] = p.system.forces[at] - right[at];
    printed.push_back(right[at]);
    for (int i = 0; i < n; ++i) right[at] -= g(k, i) * p.drift(i);
  }
  const Matrix legs = jacobian(p.psi, p.solved.speeds), G = transpose(legs) * metric() * legs;
  const EquationsOfMotion actual = gibbs_appell_equations(p.system);
  const auto z = solve(G, Matrix::column(projected(p, right))),
             w = solve(G, Matrix::column(projected(p, printed)));
  for (int alpha = 0; alpha < p.m(); ++alpha) {
    CHECK(vanish({actual.speed_rates[static_cast<std::size_t>(alpha)] - z->x[alpha]}));
    CHECK(refuted(
        is_zero(actual.speed_rates[static_cast<std::size_t>(alpha)] - w->x[alpha], {.want_exact = false})));
  }
}

TEST_CASE("BE-7.fn4: the first method inverts G only; the metric may be singular") {
  CHECK(gibbs_appell_equations(load_model("massless-coordinate")).speeds.size() == 2);
}

TEST_CASE("BE-R7.3: affine constraints are solved for r = n - m velocities (the print says m)") {
  const SolvedVelocities solved = solved_velocities(load_model("affine-particle"));
  CHECK(solved.speeds.size() == 2);
  CHECK(solved.linear);
}

TEST_CASE("BE-7.7: F(q, z) is an integral iff psi^i dF/dq^i + Z^alpha dF/dz^alpha = 0") {
  const System level = load_model("knife-edge"), incline = load_model("knife-edge-incline");
  const auto rate = [](const System& system, const std::string& F) {
    const EquationsOfMotion equations = gibbs_appell_equations(system);
    return is_zero(derivative_along(formula(system, equations, F), motion_of(system, equations)));
  };
  CHECK(proved(rate(level, "1/2*m*v^2 + 1/2*J*w^2")));
  CHECK(refuted(rate(incline, "1/2*m*v^2 + 1/2*J*w^2")));
  CHECK(proved(rate(incline, "1/2*m*v^2 + 1/2*J*w^2 - m*g*sa*x")));
}

TEST_CASE(
    "BE-7.8: equilibria have psi = 0 and Z_alpha = A_i psi^i_alpha = 0 (printed with the index above)") {
  const System skate = read_model(skate_text, "skate");
  const EquationsOfMotion e = gibbs_appell_equations(skate);
  SymbolMap rest;
  for (const Symbol z : e.speeds) rest.emplace(z, Expr(0));
  for (const Expr rate : e.configuration_rates) CHECK(substitute(rate, rest).is_zero());
  const Expr c = parse("cos(theta)", skate.scope), s = parse("sin(theta)", skate.scope);
  const auto A = [&](const char* name) { return parse(name, skate.scope); };
  // G^αβ is regular, so that the rates vanish with the lower components.
  CHECK(vanish({A("m") * substitute(e.speed_rates[0], rest) - (A("A1") * c + A("A2") * s),
                A("I") * substitute(e.speed_rates[1], rest) - A("A3")}));
}

TEST_CASE("BE-7.9: a parametrisation quadratic in z is singular at z = 0") {
  const System square = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
space = { x = "R", y = "R" }
constraints = { line = "y' = x*x'" }
[parametrization]
speeds = ["z"]
x = "1/2*z^2"
y = "1/2*x*z^2"
)toml",
                                   "square");
  const SolvedVelocities solved = solved_velocities(square);
  const SymbolMap rest{{solved.speeds[0], Expr(0)}};
  for (const Expr e : solved.psi) CHECK(substitute(derivative(e, solved.speeds[0]), rest).is_zero());
  const Assumptions where = gibbs_appell_equations(square).where;
  REQUIRE_FALSE(where.empty());
  CHECK(substitute(where[0].expression, rest).is_zero());
}

TEST_CASE("BE-7.inv: the field on C does not depend on the parametrisation") {
  System other = load_model("knife-edge-incline");
  const EquationsOfMotion first = gibbs_appell_equations(other);
  other.velocities.clear();
  const std::vector<Symbol> speeds{Symbol::make("a", {.role = Role::velocity}),
                                   Symbol::make("b", {.role = Role::velocity})};
  const Expr phi = other.space.functions()[2], x = other.space.functions()[0];
  const Expr a = (1 + x * x) * speeds[0], b = speeds[1] + speeds[0];
  other.parametrization = Parametrization{speeds, {a * cos(phi), a * sin(phi), b}, {}};
  CHECK(proved(agreement(load_model("knife-edge-incline"), {first, gibbs_appell_equations(other)}).motion));
}

TEST_CASE(
    "BE-R7.7: Chaplygin systems do not depend on the eliminated coordinates (the print names the others)") {
  CHECK(formalism("chaplygin").derive(load_model("vertical-disk")).speeds.size() == 2);
  CHECK_THROWS_AS(formalism("chaplygin").derive(load_model("skate-in-a-field")), Error);
}
