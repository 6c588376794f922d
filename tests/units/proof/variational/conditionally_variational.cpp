#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/vakonomic.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/vakonomic_multipliers.hpp>

#include "../../model/turning.hpp"

using namespace rattleback;

TEST_CASE("strict and full, by zero reactions, by zero force, or not at all") {
  struct Row {
    std::string model;
    bool full, strict;
  };
  for (const Row& row : std::vector<Row>{{"vertical-disk", true, true},
                                         {"zero-force-bundle", true, true},
                                         {"planar-pendulum", true, false},
                                         {"heisenberg-particle", true, false},
                                         {"brockett-integrator", true, false},
                                         {"homogeneous-ball", true, false},
                                         {"zero-reaction-no-measure", true, false},
                                         {"nonholonomic-free-particle", false, false},
                                         {"penny-incline", false, false},
                                         {"chaplygin-sleigh", false, false}}) {
    CAPTURE(row.model);
    const ConditionallyVariational x = conditionally_variational(load_model(row.model));
    CHECK(proved(x.full) == row.full);
    CHECK(refuted(x.full) == !row.full);
    CHECK(x.strict == row.strict);
    CHECK(x.conditions.empty() == row.full);
  }
}

TEST_CASE("zero multipliers do where the reactions vanish, other constants do not (C.9)") {
  const System suslov = load_model("suslov-euler");
  const ConditionallyVariational x = conditionally_variational(suslov);
  CHECK(proved(x.full));
  CHECK(x.zero_reaction);
  const VakonomicConditions c = vakonomic_conditions(suslov);
  CHECK(proved(are_vakonomic_multipliers(c, {Expr(0)})));
  CHECK(refuted(are_vakonomic_multipliers(c, {Expr(1)})));  // (C.9) fails off rest
}

TEST_CASE("the multipliers satisfy the variational equations themselves") {
  const System disk = load_model("vertical-disk");
  const ConditionallyVariational x = conditionally_variational(disk);
  REQUIRE(x.multipliers);
  const VakonomicConditions c = vakonomic_conditions(disk);
  const EquationsOfMotion variational = vakonomic_equations(disk);
  // At μ = μ(q, z) the variational speeds have the nonholonomic rates; the complement is the fibre (x, y).
  SymbolMap at;
  for (std::size_t a = 0; a < 2; ++a)
    at.emplace(variational.speeds[c.D.speeds.size() + a], (*x.multipliers)[a]);
  for (const Symbol z : c.D.speeds)
    CHECK(proved(are_equal(substitute(variational.rate(z.name()), at), c.rates.at(z))));
  for (auto& [mu, value] : at) value = value + 1;
  CHECK(refuted(are_equal(substitute(variational.rate("turn"), at), c.rates.at(c.D.speeds[1]))));
}

TEST_CASE("L_V is regular and its motions on p_a = 0 are the nonholonomic ones (C.12)-(C.14)") {
  const System disk = load_model("vertical-disk");
  const VariationalLagrangian larger = variational_lagrangian(chaplygin_reduction(disk));
  CHECK(proved(larger.restricts));
  CHECK(larger.vanishing.size() == 2);
  REQUIRE(larger.hamiltonian);
  CHECK(proved(are_equal(larger.determinant, parse("J*m^2*(I + m*R^2)", disk.scope))));
  // The same construction where the force does not vanish gives another motion.
  CHECK(refuted(
      variational_lagrangian(chaplygin_reduction(load_model("nonholonomic-free-particle"))).restricts));
}

TEST_CASE("over a group the multipliers turn with it: N in (C.10) counts") {
  const System system = turning();
  const ConditionallyVariational x = conditionally_variational(system);
  CHECK(proved(x.full));
  CHECK(x.strict == true);
  CHECK_FALSE(x.zero_reaction);
  CHECK(refuted(is_zero(vakonomic_conditions(system).N.entries())));
  System heavier = system;  // another mu_2: a force, and no multipliers
  heavier.lagrangian = heavier.lagrangian + parse("r1'*a2", system.scope);
  CHECK(refuted(conditionally_variational(heavier).full));
}

TEST_CASE("multipliers that are neither zero nor strict, told for each constraint") {
  System disk = load_model("vertical-disk");  // 3 x' changes no motion, and shifts the momentum of the fibre
  disk.lagrangian = disk.lagrangian + parse("3*x'", disk.scope);
  const ConditionallyVariational x = conditionally_variational(disk);
  CHECK(proved(x.full));
  CHECK(x.strict == false);
  CHECK_FALSE(x.zero_reaction);
  const Answer a = conditionally_variational_answer(disk);
  const Data::List& nu = *a.answer.find("multipliers")->list();
  REQUIRE(nu.size() == 2);
  // E(L - nu_s C^s) = 0: nu_x is m R roll cos(phi) times the sign with which x' stands in its constraint.
  for (std::size_t s = 0; s < 2; ++s) {
    const Symbol fibre = parse(s == 0 ? "x'" : "y'", disk.scope).symbol();
    const Expr sign = derivative(disk.constraints[s].expression, fibre);
    CHECK(proved(are_equal(parse(*nu[s].text(), disk.scope) * sign,
                           parse(s == 0 ? "m*R*roll*cos(phi)" : "m*R*roll*sin(phi)", disk.scope))));
  }
}

TEST_CASE("time in the constraints is refused with a reason") {
  CHECK_THROWS_AS(conditionally_variational(load_model("appell-hamel")), const Error&);
}

TEST_CASE("the Heisenberg particle is strictly so under a subgroup whose orbits are at right angles to D") {
  const ConditionallyVariational x = conditionally_variational(load_model("heisenberg-particle"));
  CHECK(x.strict == false);  // under translations of z
  REQUIRE(x.strict_subgroup);
  // z' = y x' − x y' and W = (−y, x, −1) or a multiple: a rotation with a translation.
  CHECK(x.strict_subgroup->find("z") != std::string::npos);
  CHECK_FALSE(conditionally_variational(load_model("vertical-disk")).strict_subgroup);
}
