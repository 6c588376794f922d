// Voronets' and Chaplygin's equations on random systems, judged by d'Alembert's principle; the signs are load-bearing.
#include <doctest/doctest.h>

#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/motion/forms/hamel.hpp>

#include "../forms.hpp"
#include "random_systems.hpp"

using namespace rattleback;

namespace {

std::vector<int> from(int first, int n) {
  std::vector<int> legs;
  for (int i = first; i < n; ++i) legs.push_back(i);
  return legs;
}

/// The curvature as FE prints it: −C^a_bc A^b_α A^c_β in place of +.
Curvature with_printed_sign(const Connection& w, Curvature B) {
  const StructureCoefficients& C = w.space().c();
  const int k = static_cast<int>(w.fibre().size()), m = static_cast<int>(w.base().size());
  for (int a = 0; a < k; ++a) {
    for (int alpha = 0; alpha < m; ++alpha) {
      for (int beta = 0; beta < m; ++beta) {
        for (int b = 0; b < k; ++b) {
          for (int c = 0; c < k; ++c) {
            const auto leg = [&](int i) { return w.fibre()[static_cast<std::size_t>(i)]; };
            B(a, alpha, beta) -= 2 * C(leg(b), leg(c), leg(a)) * w.A(b, alpha) * w.A(c, beta);
          }
        }
      }
    }
  }
  return B;
}

}  // namespace

TEST_CASE("Voronets: random connections A(r, s), metrics and potentials; the curvature has one sign (V.3)") {
  RandomSystems random(11);
  for (const auto& [base, fibre] : std::vector<std::pair<int, int>>{{2, 1}, {2, 2}, {3, 1}, {3, 2}}) {
    CAPTURE(base);
    CAPTURE(fibre);
    const System system = random.voronets(base, fibre);
    Voronets form = voronets(system, solved_for(system, from(base, base + fibre)));
    CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system, form))));
    for (Expr& p : form.fibre_momenta) p = -p;  // the mutant
    CHECK(some_do_not_vanish(dalembert_residuals(system, voronets_equations(system, form))));
  }
}

TEST_CASE(
    "the constrained Lagrangian alone gives another, wrong motion, unless the constraints are holonomic") {
  RandomSystems random(12);
  System system = random.voronets(2, 1);
  Voronets form = voronets(system, solved_for(system, {2}));
  for (Expr& p : form.fibre_momenta) p = 0;
  CHECK(some_do_not_vanish(dalembert_residuals(system, voronets_equations(system, form))));
  const Space& Q = system.space;
  system.constraints[0].expression =
      Q.rate(sin(Expr(Q.functions()[0])) * Q.functions()[1] + Q.functions()[2]);
  form = voronets(system, solved_for(system, {2}));
  CHECK(all_vanish({form.B.entries().begin(), form.B.entries().end()}));
  CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system, form))));
}

TEST_CASE("Chaplygin, abelian: reduced equations, K and Lambda (V.5, V.6, V.7)") {
  RandomSystems random(13);
  for (const auto& [base, fibre] : std::vector<std::pair<int, int>>{{2, 1}, {2, 2}, {3, 1}}) {
    CAPTURE(base);
    CAPTURE(fibre);
    const System system = random.chaplygin(base, RandomSystems::plane("s", fibre));
    Chaplygin c = chaplygin_reduction(system);
    CHECK(c.is_abelian());
    CHECK(all_vanish(dalembert_residuals(system, chaplygin_equations(system, c))));
    const std::vector<Symbol> v = c.form.constraints.base_velocities();
    const std::vector<Expr> p = gradient(c.form.lagrangian, v);
    std::vector<Expr> identity;
    for (int a = 0; a < static_cast<int>(v.size()); ++a) {
      for (int b = 0; b < static_cast<int>(v.size()); ++b) {
        Expr sum = c.lambda(a, b);
        for (std::size_t e = 0; e < v.size(); ++e) sum += c.K(a, b, static_cast<int>(e)) * p[e];
        identity.push_back(sum);
      }
    }
    CHECK(all_vanish(identity));
    identity[1] -= 2 * c.lambda(0, 1);  // the other sign
    CHECK(some_do_not_vanish(identity));
    c.lambda = -c.lambda;
    CHECK(some_do_not_vanish(dalembert_residuals(system, chaplygin_equations(system, c))));
  }
}

TEST_CASE(
    "Chaplygin, nonabelian: +C in the curvature for SE(2), SO(3), SE(3) and the Heisenberg group, never -C") {
  RandomSystems random(14);
  for (const Factor& group : {special_euclidean_2("x", "y", "theta"), special_orthogonal_3("B"),
                              heisenberg("x", "y", "z"), special_euclidean_3("B", "b")}) {
    CAPTURE(group.name);
    const System system = random.chaplygin(2, Space({group}));
    const std::vector<int> fibre = from(2, system.space.dimension());
    const Voronets form = voronets(system, solved_for(system, fibre));
    CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system, form))));
    Voronets printed = form;
    printed.B = with_printed_sign(form.constraints.connection, form.B);
    CHECK(some_do_not_vanish(dalembert_residuals(system, voronets_equations(system, printed))));
    const Chaplygin c = chaplygin_reduction(system);
    CHECK_FALSE(c.is_abelian());
    const EquationsOfMotion reduced = chaplygin_equations(system, c);
    CHECK(all_vanish(dalembert_residuals(system, reduced)));
    for (const Expr rate : reduced.speed_rates) {
      for (const Symbol g : group.functions()) CHECK_FALSE(contains(rate, g));
    }
  }
}

TEST_CASE("body axes show the Euclidean symmetry that coordinates hide: the same reduced motion either way") {
  RandomSystems random(15);
  const System on_group = random.chaplygin(2, Space({special_euclidean_2("x", "y", "theta")}));
  System in_coordinates = on_group;
  in_coordinates.space = RandomSystems::plane("r", 2) * Space({line("x"), line("y"), circle("theta")});
  const auto q = in_coordinates.space.functions();
  const auto v = in_coordinates.space.velocities();
  const Expr c = cos(Expr(q[4])), s = sin(Expr(q[4]));
  const SymbolMap change{{on_group.space.velocities()[2], Expr(v[4])},
                         {on_group.space.velocities()[3], c * v[2] + s * v[3]},
                         {on_group.space.velocities()[4], c * v[3] - s * v[2]}};
  in_coordinates.lagrangian = substitute(on_group.lagrangian, change);
  for (Constraint& k : in_coordinates.constraints) k.expression = substitute(k.expression, change);
  const EquationsOfMotion here = chaplygin_equations(in_coordinates), there = chaplygin_equations(on_group);
  CHECK(all_vanish(dalembert_residuals(in_coordinates, here)));
  CHECK_FALSE(chaplygin_reduction(in_coordinates).is_abelian());
  REQUIRE(here.speed_rates.size() == there.speed_rates.size());
  for (std::size_t a = 0; a < here.speed_rates.size(); ++a)
    CHECK(proved(are_equal(here.speed_rates[a], there.speed_rates[a])));
}
