// Chaplygin's multiplier on random systems; every law rejects a mutant.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>

#include "random_systems.hpp"

using namespace rattleback;

namespace {

/// s_a' = −A_a(r1) r2' + metric of the class with abstract functions: a multiplier always exists.
System in_the_class(int seed) {
  const std::string k = std::to_string(seed + 1);
  return read_model(R"toml(
lagrangian = "1/2*(I1*r1'^2 + (1 + U(r1))*r2'^2 + I3*s1'^2 + )toml" +
                        k + R"toml(*s2'^2) - V(r1, r2)"
space = { r1 = "R", r2 = "R", s1 = "R", s2 = "R" }
parameters = { I1 = 1, I3 = 2 }
functions = { A = ["r1"], U = ["r1"], V = ["r1", "r2"] }
constraints = { first = "s1' = -A(r1)*r2'", second = "s2' = )toml" +
                        k + R"toml(*r1*r2'" }
)toml",
                    "class");
}

}  // namespace

TEST_CASE("f times the Hamiltonian flow in the new time is the constrained motion (C.7)") {
  for (int seed = 0; seed < 3; ++seed) {
    const ChaplyginBundle b = chaplygin_bundle(chaplygin_reduction(in_the_class(seed)));
    ChaplyginMultiplier x = chaplygin_multiplier(b);
    REQUIRE(proved(x.exists));
    CHECK(proved(chaplygin_hamiltonian(b, x).motion));
    for (Expr& s : x.sigma) s = 2 * s;  // the mutant: f² in place of f
    CHECK(refuted(chaplygin_hamiltonian(b, x).motion));
  }
}

TEST_CASE(
    "two degrees of freedom: only closedness is left of (C.3), for any K whatsoever (C.8); not so for "
    "three") {
  RandomSystems random(21);
  for (int m = 2; m <= 3; ++m) {
    const ChaplyginBundle b =
        chaplygin_bundle(chaplygin_reduction(random.chaplygin(m, RandomSystems::plane("s", 1))));
    ChaplyginBundle any = b;
    any.K.set(0, 1, 0, b.K(0, 1, 0) + b.system.space.functions()[0]);
    for (const ChaplyginBundle& bundle : {b, any}) {
      const ChaplyginMultiplier x = chaplygin_multiplier(bundle);
      CHECK(x.remainder.empty() == (m == 2));
      CHECK(x.pointwise == false);  // not even looked at: the trace of a random K is not closed
      CHECK(refuted(x.exists));
    }
  }
}
