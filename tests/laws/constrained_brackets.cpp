// The almost-Poisson bracket on random systems: it reproduces the motion, and its Jacobiator is the curvature of D.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/splitting.hpp>

#include "../forms.hpp"
#include "random_systems.hpp"

using namespace rattleback;

namespace {

/// Systems in coordinates and on groups, with D in frames that no one chose for convenience.
std::vector<System> systems() {
  RandomSystems random(21);
  std::vector<System> all{random.voronets(2, 1), random.voronets(2, 2), random.voronets(3, 1)};
  all.push_back(random.chaplygin(2, Space({special_euclidean_2("x", "y", "theta")})));
  all.push_back(random.chaplygin(2, Space({heisenberg("x", "y", "z")})));
  return all;
}

/// {{f, g}, h} + {{g, h}, f} + {{h, f}, g}.
Expr cyclic(const Bivector& pi, Expr f, Expr g, Expr h) {
  return bracket(pi, bracket(pi, f, g), h) + bracket(pi, bracket(pi, g, h), f) +
         bracket(pi, bracket(pi, h, f), g);
}

}  // namespace

TEST_CASE("the bracket with the Hamiltonian is the motion, and H is conserved by it (P.3)") {
  for (const System& system : systems()) {
    const EquationsOfMotion equations = bracket_equations(system);
    CHECK(all_vanish(dalembert_residuals(system, equations)));
    const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
    CHECK(proved(is_zero(motion(b)(b.hamiltonian))));
    EquationsOfMotion mutant = equations;
    for (int a = 0; a < b.D.rank(); ++a) {  // {p, p} with the other sign
      Expr& rate = mutant.speed_rates[static_cast<std::size_t>(a)];
      const int n = system.space.dimension();
      for (int c = 0; c < b.D.rank(); ++c)
        rate -= 2 * b.tensor(n + a, n + c) * b.speeds[static_cast<std::size_t>(c)];
    }
    CHECK(some_do_not_vanish(dalembert_residuals(system, mutant)));
  }
}

TEST_CASE("dH by the envelope theorem is dH by differentiation (P.4)") {
  for (const System& system : systems()) {
    const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
    const OneForm direct = differential(b.tensor.space(), b.hamiltonian),
                  envelope = hamiltonian_differential(b);
    std::vector<Expr> difference;
    for (int i = 0; i < b.tensor.space().dimension(); ++i) difference.push_back(direct[i] - envelope[i]);
    CHECK(all_vanish(difference));
    difference[0] += 2 * envelope[0];  // X_i H = +X_i ℓ
    CHECK(some_do_not_vanish(difference));
  }
}

TEST_CASE("kinetic minus potential energy: {p_a, p_b} = -C_ab^c p_c with C projected along D-perp (P.5)") {
  for (const System& system : systems()) {
    const Admissible D = admissible_velocities(system);
    const ConstrainedBracket b = constrained_bracket(system, D);
    const StructureCoefficients c = constrained_structure_coefficients(system, D);
    const int n = system.space.dimension();
    for (int alpha = 0; alpha < D.rank(); ++alpha) {
      for (int beta = alpha + 1; beta < D.rank(); ++beta) {
        Expr sum = b.tensor(n + alpha, n + beta);
        for (int g = 0; g < D.rank(); ++g) sum += c(alpha, beta, g) * b.momenta[static_cast<std::size_t>(g)];
        CHECK(proved(is_zero(sum)));
      }
    }
  }
}

TEST_CASE(
    "in the frame of a connection {p_a, p_b} = -P_c B^c_ab: van der Schaft and Maschke's coordinates (P.6)") {
  for (const System& system : systems()) {
    const Splitting s = splitting(system);
    const ConstrainedBracket b = constrained_bracket(system, s.admissible());
    const Curvature B = curvature(s.connection);
    const int n = system.space.dimension();
    std::vector<Expr> difference, mutant;
    for (int alpha = 0; alpha < s.base_dimension(); ++alpha) {
      for (int beta = alpha + 1; beta < s.base_dimension(); ++beta) {
        Expr sum = 0;
        for (int a = 0; a < s.fibre_dimension(); ++a)
          sum += b.embedding[static_cast<std::size_t>(s.connection.fibre()[static_cast<std::size_t>(a)])] *
                 B(a, alpha, beta);
        difference.push_back(b.tensor(n + alpha, n + beta) + sum);
        mutant.push_back(b.tensor(n + alpha, n + beta) - sum);
      }
    }
    CHECK(all_vanish(difference));
    CHECK(some_do_not_vanish(mutant));
  }
}

TEST_CASE("the Jacobiator is the part of the curvature outside D: -((1 - P)[X_a, X_b])[q] (P.7)") {
  for (const System& system : systems()) {
    const Admissible D = admissible_velocities(system);
    const ConstrainedBracket b = constrained_bracket(system, D);
    const StructureCoefficients c = constrained_structure_coefficients(system, D);
    const VectorField commutator = bracket(D.leg(0), D.leg(1));
    std::vector<Expr> difference, unprojected;
    for (const Symbol q : system.space.functions()) {
      const Expr left = cyclic(b.tensor, q, b.momenta[0], b.momenta[1]);
      Expr inside = 0;
      for (int g = 0; g < D.rank(); ++g) inside += c(0, 1, g) * D.leg(g)(Expr(q));
      difference.push_back(left + commutator(Expr(q)) - inside);
      unprojected.push_back(left + commutator(Expr(q)));
    }
    CHECK(all_vanish(difference));
    CHECK(some_do_not_vanish(unprojected));
  }
}

TEST_CASE("Jacobi holds when the constraints are holonomic, and the null forms are the constraints") {
  RandomSystems random(22);
  System system = random.voronets(2, 1);
  CHECK(refuted(satisfies_jacobi(constrained_bracket(system, admissible_velocities(system)).tensor)));
  const Space& Q = system.space;
  system.constraints[0].expression = Q.rate(Expr(Q.functions()[0]) * Q.functions()[1] + Q.functions()[2]);
  const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
  CHECK(proved(satisfies_jacobi(b.tensor)));
  CHECK(rank(b.tensor) == 4);
  const std::vector<OneForm> null = null_forms(b.tensor);
  REQUIRE(null.size() == 1);
  Expr on_velocities = 0;
  for (int i = 0; i < 3; ++i) on_velocities += null[0][i] * Q.velocities()[static_cast<std::size_t>(i)];
  CHECK(proved(is_zero(substitute(on_velocities, b.D.substitution()))));
  CHECK(refuted(is_zero(on_velocities)));
}
