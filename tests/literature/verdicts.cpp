/// Published answers about measures, brackets and integrals, decided by the program; names carry the claim's number.
#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

Answer answered(const std::string& model, const std::string& name) {
  return asked(question(name), load_model(model), 60);
}

std::string outcome(const std::string& model, const std::string& name) {
  const Answer a = answered(model, name);
  return text(a.outcome) + (a.unless.empty() ? "" : " unless " + text(a.unless));
}

Outcome conserved(const System& system, const std::string& f) {
  return conserved_conjecture(system, parse(f, system.scope)).outcome;
}

bool holds(const Answer& a, const std::string& key) { return *a.answer.find(key)->get_if<bool>(); }

}  // namespace

TEST_CASE("GN-3-energy, GN-4.3-E: the energy is conserved on D") {
  CHECK(outcome("chaplygin-sleigh", "energy") == "proved");
  CHECK(outcome("chaplygin-top", "energy") == "proved");
}

TEST_CASE("GN-8.2, GN-8-sleigh-measure, BMZ-sleigh-solvable: the sleigh preserves a measure iff a = 0") {
  CHECK(outcome("chaplygin-sleigh", "invariant-measure") == "refuted unless a = 0");
  CHECK(outcome("chaplygin-sleigh-algebra", "invariant-measure") == "refuted unless a = 0");
}

TEST_CASE("GN-prop7.1, BMZ-thm7, BMZ-thm7-kozlov, BMZ-suslov-C: Suslov's body iff a is an eigenvector of I") {
  CHECK(outcome("suslov-algebra", "invariant-measure") == "refuted unless I13 = 0 and I23 = 0");
}

TEST_CASE("BMZ-thm6: Euler-Poincaré preserves a measure iff the group is unimodular") {
  CHECK(outcome("so3-top-algebra", "invariant-measure") == "proved");
  CHECK(outcome("bianchi-v", "invariant-measure") == "refuted");
}

TEST_CASE("BMZ-thm8, BMZ-eigen: so(4) with several constraints along principal axes") {
  CHECK(outcome("so4-suslov", "invariant-measure") == "proved");
}

// The claims are about densities of the configuration. With weight, densities of the whole state are looked for and not excluded.
TEST_CASE("GN-8-top-measure: the unbalanced ball, iff balanced or of revolution") {
  CHECK(outcome("chaplygin-top", "invariant-measure") ==
        "not found unless ell = 0, or I13 = 0 and I23 = 0 and I11 = I22");
}

TEST_CASE("GN-8-sphere-measure, GN-8-routh-measure: the balanced ball and the ball of revolution") {
  CHECK(outcome("chaplygin-sphere", "invariant-measure") == "proved");
  CHECK(outcome("routh-sphere", "invariant-measure") == "proved");
}

TEST_CASE("GN-8-ellipsoid: the homogeneous ellipsoid iff two semi-axes are equal") {
  CHECK(outcome("rolling-ellipsoid", "invariant-measure") ==
        "not found unless b1 = b2, or b1 = b3, or b2 = b3");
}

TEST_CASE("GN-8.2-cylinder: a ball on a cylinder iff homogeneous") {
  CHECK(outcome("ball-on-cylinder", "invariant-measure") == "refuted unless I1 = I2 and I1 = I3");
}

TEST_CASE("a measure does not follow from Jacobi's identity, nor Jacobi's identity from a measure") {
  const Answer sleigh = answered("chaplygin-sleigh", "jacobi"),
               sphere = answered("chaplygin-sphere", "jacobi");
  CHECK_FALSE(holds(sleigh, "holds"));
  CHECK(holds(sleigh, "reduced_holds"));
  CHECK_FALSE(holds(sphere, "reduced_holds"));
}

TEST_CASE("GN-9-sleigh, BMZ-19-a0: (J + m a^2) omega is conserved iff a = 0") {
  const System sleigh = load_model("chaplygin-sleigh");
  CHECK(conserved(sleigh, "(J + m*a^2)*omega") == Outcome::refuted);
  CHECK(conserved(with_values(sleigh, std::vector<std::pair<std::string, std::string>>{{"a", "0"}}),
                  "J*omega") == Outcome::proved);
}

TEST_CASE("GN-9-sphere, GN-9.1: the balanced ball's vertical momentum, from a horizontal symmetry") {
  const System sphere = load_model("chaplygin-sphere");
  const std::string vertical = "I1*Omega1*B31 + I2*Omega2*B32 + I3*Omega3*B33";
  CHECK(conserved(sphere, vertical) == Outcome::proved);
  CHECK(conserved(sphere, "I1*Omega1*B11 + I2*Omega2*B12 + I3*Omega3*B13") == Outcome::refuted);
}

TEST_CASE("BMZ-disk-gauge, GN-9.1-list: the falling disk has two gauge momenta") {
  const Answer disk = answered("falling-disk-contact", "momenta");
  CHECK(*disk.answer.find("gauge_count")->get_if<long>() == 2);
}
