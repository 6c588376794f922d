/// Casimirs commute with everything, and a conformal factor makes the reduced bracket Poisson, on models of the zoo.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/reduced_bracket.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

ConstrainedBracket bracket_of(const System& system) {
  return constrained_bracket(system, admissible_velocities(system));
}

std::vector<VectorField> group_of(const System& system) {
  std::vector<VectorField> fields;
  for (const Generator& g : symmetry_group(system)) fields.push_back(g.field);
  return fields;
}

/// The Jacobiator of f π on D*/G.
std::vector<Expr> scaled_jacobiator(const ConstrainedBracket& b, const ReducedBracket& reduced, Expr f) {
  Bivector scaled(b.tensor.space());
  for (int i = 0; i < b.tensor.space().dimension(); ++i) {
    for (int j = i + 1; j < b.tensor.space().dimension(); ++j) scaled.set(i, j, f * b.tensor(i, j));
  }
  return jacobiator_on(jacobiator(scaled), reduced);
}

}  // namespace

TEST_CASE("a conformal factor f makes f pi Poisson on D*/G, f^2 does not (J.4)") {
  struct Row {
    const char* model;
    std::vector<std::string> along;  ///< the shifts that are divided out; empty: the model's group
  };
  for (const Row& row : {Row{"nonholonomic-particle", {"z"}}, Row{"veselova", {}}}) {
    CAPTURE(std::string(row.model));
    const System system = load_model(row.model);
    const ConstrainedBracket b = bracket_of(system);
    std::vector<VectorField> group;
    for (const std::string& q : row.along) {
      for (int i = 0; i < system.space.dimension(); ++i) {
        const auto coordinate = system.space.coordinate(i);
        if (coordinate && coordinate->name() == q) group.push_back(VectorField::leg(system.space, i));
      }
    }
    if (group.empty()) group = group_of(system);
    const auto reduced = reduced_bracket(b, group);
    REQUIRE(reduced);
    const std::vector<Expr> J = jacobiator_on(jacobiator(b.tensor), *reduced);
    REQUIRE(refuted(is_zero(J)));
    const ConformalFactor found =
        conformal_factor(*reduced, J, {determinant(jacobian(b.definitions, b.D.speeds))});
    REQUIRE(found.factor);
    CHECK(proved(is_zero(scaled_jacobiator(b, *reduced, *found.factor))));
    CHECK(refuted(is_zero(scaled_jacobiator(b, *reduced, *found.factor * *found.factor))));  // the mutant
    // It is the reciprocal of Chaplygin's multiplier: f pi moves in the time tau.
    const Answer multiplier = chaplygin_multiplier_answer(system);
    const Expr m = parse(*multiplier.answer.find("multiplier")->text(), system.scope);
    for (const VectorField& Y : reduced->fields) CHECK(proved(is_zero(Y(*found.factor * m))));
  }
}

TEST_CASE("no factor makes the reduced bracket of the Chaplygin sphere Poisson, nor a bracket of rank two") {
  const System sphere = load_model("chaplygin-sphere");
  const ConstrainedBracket b = bracket_of(sphere);
  const auto reduced = reduced_bracket(b, group_of(sphere));
  REQUIRE(reduced);
  CHECK(refuted(conformal_factor(*reduced, jacobiator_on(jacobiator(b.tensor), *reduced), {}).exists));

  const Answer so4 = asked(question("jacobi"), load_model("so4-suslov-inertia"), 60);
  const Data& way = so4.answer.find("reductions")->list()->front();
  CHECK(*way.find("conformal_factor")->find("exists")->get_if<bool>() == false);
}

TEST_CASE("the sleigh divided by one shift has a conformal factor iff it has a measure: a = 0 (J.4)") {
  const System sleigh = load_model("chaplygin-sleigh");
  for (const bool balanced : {false, true}) {
    CAPTURE(balanced);
    const System system = balanced ? with_values(sleigh, {{"a", "0"}}) : sleigh;
    const ConstrainedBracket b = bracket_of(system);
    const auto reduced = reduced_bracket(b, {VectorField::leg(system.space, 1)});
    REQUIRE(reduced);
    REQUIRE(rank(reduced->tensor) ==
            4);  // then the equations for d log f always have a solution; is it closed?
    const ConformalFactor found =
        conformal_factor(*reduced, jacobiator_on(jacobiator(b.tensor), *reduced), {});
    CHECK(proved(found.exists) == balanced);
    CHECK(refuted(found.exists) == !balanced);
  }
}

TEST_CASE("a candidate that does not commute is no Casimir") {
  const System top = load_model("euler-top");
  const ConstrainedBracket b = bracket_of(top);
  const auto reduced = reduced_bracket(b, group_of(top));
  REQUIRE(reduced);
  const Casimirs found = casimirs(*reduced, {b.hamiltonian});
  CHECK(found.count == 1);
  REQUIRE(found.functions.size() == 1);
  CHECK(found.functions[0] != b.hamiltonian);
  for (const VectorField& Y : reduced->fields) CHECK(proved(is_zero(Y(found.functions[0]))));
}

TEST_CASE("Casimirs commute with every function (J.3), the energy does not") {
  for (const char* model : {"euler-top", "so3-top-algebra", "nonholonomic-particle", "fake-exact"}) {
    CAPTURE(std::string(model));
    const System system = load_model(model);
    const ConstrainedBracket b = bracket_of(system);
    const auto reduced = reduced_bracket(b, group_of(system));
    REQUIRE(reduced);
    const Casimirs found = casimirs(*reduced);
    REQUIRE(found.count);
    CHECK(*found.count == static_cast<int>(found.functions.size()));
    CHECK(*found.count > 0);
    for (const Expr C : found.functions) {
      for (const VectorField& Y : reduced->fields) CHECK(proved(is_zero(Y(C))));
      for (const VectorField& xi : reduced->orbits) CHECK(proved(is_zero(xi(C))));
    }
    std::vector<Expr> moved;
    for (const VectorField& Y : reduced->fields) moved.push_back(Y(b.hamiltonian));
    CHECK(refuted(is_zero(moved)));
  }
  // The reduced sleigh has rank two in two variables: none.
  const System sleigh = load_model("chaplygin-sleigh");
  CHECK(casimirs(*reduced_bracket(bracket_of(sleigh), group_of(sleigh))).count == 0);
}
