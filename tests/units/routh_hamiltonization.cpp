#include <doctest/doctest.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/proof/routh_hamiltonization.hpp>
#include <rattleback/proof/suslov_hamiltonization.hpp>

using namespace rattleback;

namespace {

ChaplyginBundle classical(const System& system) { return chaplygin_bundle(chaplygin_reduction(system)); }

}  // namespace

TEST_CASE("snakeboard: the rotor is cyclic, and fixing its momentum makes a multiplier possible") {
  const System system = load_model("snakeboard");
  const ChaplyginBundle b = classical(system);
  CHECK(refuted(chaplygin_multiplier(b).exists));
  const RouthReduction r = routh_reduction(b, cyclic_coordinates(b));
  CHECK(r.mu.size() == 1);
  CHECK(proved(r.reduces));
  const ChaplyginMultiplier x = chaplygin_multiplier(r.shape);
  CHECK(proved(x.exists));
  REQUIRE(x.f);
  RouthHamiltonian h = routh_hamiltonian(b, r, x);
  CHECK(proved(h.motion));
  ChaplyginMultiplier mutant = x;
  for (Expr& s : mutant.sigma) s = -s;
  CHECK(refuted(routh_hamiltonian(b, r, mutant).motion));
}

TEST_CASE("nothing to fix, or no coordinates to fix it in") {
  CHECK(cyclic_coordinates(classical(load_model("nonholonomic-free-particle"))).empty());
  CHECK_THROWS_AS(routh_hamiltonization_answer(load_model("nonholonomic-free-particle")), const Error&);
  CHECK_THROWS_AS(routh_reduction(classical(load_model("chaplygin-sphere")), {}), const Error&);
}

TEST_CASE("Suslov: dimension two is automatic, so(4) is abelian, gl(2) is not a Lie bracket (C.15)") {
  for (const char* model :
       {"suslov", "suslov-algebra", "chaplygin-sleigh", "chaplygin-sleigh-se2", "so4-suslov", "knife-edge"}) {
    CAPTURE(model);
    CHECK(proved(suslov_hamiltonization(load_model(model)).is_lie));
  }
  const SuslovHamiltonization gl2 = suslov_hamiltonization(load_model("gl2-suslov"));
  CHECK(refuted(gl2.is_lie));
  CHECK_FALSE(gl2.jacobiator.empty());
  CHECK(suslov_hamiltonization(load_model("so4-suslov")).name == "R^3");
  CHECK_THROWS_AS(suslov_hamiltonization(load_model("suslov-kharlamova")), const Error&);
  CHECK_THROWS_AS(suslov_hamiltonization(load_model("nonholonomic-free-particle")), const Error&);
}

TEST_CASE("a base without coordinates has no cyclic ones, and says so") {
  CHECK_THROWS_AS(routh_hamiltonization_answer(load_model("rubber-ball")), const Error&);
}
