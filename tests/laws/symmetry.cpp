// Groups that act, and symmetries found: whatever the group, the fields are what their definitions say.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>

#include "../forms.hpp"
#include "random_systems.hpp"

using namespace rattleback;

namespace {

std::vector<Factor> group_factors() {
  return {line("x"),
          circle("theta"),
          special_orthogonal_3("B"),
          special_euclidean_2("x", "y", "theta"),
          special_euclidean_3("B", "r"),
          heisenberg("x", "y", "z")};
}

/// L = ½ g(v, v) with constant coefficients, on the group alone: every left translation is a symmetry.
System left_invariant(const Factor& factor, int seed) {
  System s;
  s.space = Space({factor});
  const std::vector<Expr> v(s.space.velocities().begin(), s.space.velocities().end());
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < v.size(); ++i) {
    Expr w = v[i];
    for (std::size_t j = i + 1; j < v.size(); ++j)
      w += Expr(static_cast<int>(1 + (seed + 3 * i + 5 * j * j) % 7)) * v[j];
    terms.push_back(Expr(static_cast<int>(i + 1)) * w * w);
  }
  s.lagrangian = sum(terms);
  return s;
}

}  // namespace

TEST_CASE("left translations commute with right ones, and their brackets have the opposite sign (N.1)") {
  for (const Factor& factor : group_factors()) {
    CAPTURE(factor.name);
    const Space Q({factor});
    const std::vector<VectorField> left = left_translations(Q, factor), right = right_translations(Q, factor);
    REQUIRE(left.size() == right.size());
    for (const VectorField& X : left) {
      for (const VectorField& Y : right) CHECK(all_vanish(bracket(X, Y).coefficients()));
    }
    if (left.size() < 2) continue;
    VectorField mutant = left[0];
    mutant[0] += Expr(Q.functions()[0]);
    std::vector<Expr> differences;
    for (const VectorField& Y : right) {
      for (const Expr e : bracket(mutant, Y).coefficients()) differences.push_back(e);
    }
    CHECK(some_do_not_vanish(differences));
  }
}

TEST_CASE("the symmetries of a left-invariant Lagrangian are the left translations") {
  for (const Factor& factor : group_factors()) {
    if (factor.dimension() == 1) continue;
    CAPTURE(factor.name);
    System s = left_invariant(factor, 4);
    const SymmetryAlgebra g = found_symmetries(s);
    CHECK(g.generators.size() >= left_translations(s.space, factor).size());
    CHECK(g.is_closed);
    CHECK(g.complete);
    for (const Invariance& i : g.invariance) CHECK(proved(is_symmetry(i)));
    for (const VectorField& X : left_translations(s.space, factor)) CHECK(proved(is_symmetry(s, X)));
    s.lagrangian += pow(Expr(s.space.functions()[0]), 3);  // the mutant: a potential
    CHECK(found_symmetries(s).generators.size() < g.generators.size());
  }
}

TEST_CASE(
    "found symmetries leave the motion as it is: [xi^C, Gamma] = 0 on D shows in conserved momenta (N.9)") {
  RandomSystems random(5);
  const Space r = RandomSystems::plane("r", 2);
  for (const Space& fibre : {RandomSystems::plane("s", 1), Space({special_euclidean_2("x", "y", "th")})}) {
    const System s = random.system(r * fibre, 2, r);  // nothing depends on the fibre
    const SymmetryAlgebra g = found_symmetries(s);
    CHECK(static_cast<int>(g.generators.size()) >= fibre.dimension());
    for (const Invariance& i : g.invariance) CHECK(proved(is_symmetry(i)));
    for (const HorizontalSymmetry& h : horizontal_symmetries(s)) CHECK(proved(is_conserved(s, h.momentum)));
  }
}

TEST_CASE("the momentum equation holds along the motion (N.8)") {
  for (const char* name :
       {"chaplygin-sleigh", "snakeboard", "veselova", "suslov", "falling-disk", "roller-racer"}) {
    CAPTURE(name);
    const System s = load_model(name);
    std::vector<VectorField> eta;
    for (const Symmetry& group : s.symmetries) {
      for (const Generator& g : group.generators) eta.push_back(g.field);
    }
    const Admissible D = admissible_velocities(s);
    const MomentumBundle bundle = momentum_bundle(s, eta);
    for (const VectorField& xi : bundle.fields) {
      for (const Constraint& c : s.constraints)
        CHECK(proved(is_zero(dot(Matrix::column(gradient(c.expression, s.space.velocities())),
                                 Matrix::column(xi.coefficients())))));
    }
    // dJ/dt of Lagrange-d'Alembert, from the general identity d/dt p_Z = Z^C L + Q(Z).
    const SymbolMap psi = D.substitution();
    for (const MomentumEquation& e : momentum_equations(s, D, bundle)) {
      const Expr identity = substitute(complete_lift(e.field, s.lagrangian), psi);
      CHECK(proved(are_equal(e.rate, identity)));
      CHECK(refuted(are_equal(e.rate + e.momentum, identity)));  // the mutant
    }
  }
}
