// Certificates that no measure is invariant: what is forged is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/measure/measure_decision.hpp>
#include <rattleback/proof/measure/no_measure_certificate.hpp>

using namespace rattleback;

namespace {

const std::string combined = "the last field is the stated combination of the others",
                  stated = "the rates of a density along them differ by the condition stated",
                  still = "a density may be taken that stands still where stated";

Data refuted_measure(const char* model) { return honest("invariant-measure", model, "no-invariant-measure"); }

/// A particle in space whose measure exists, and a combination of fields that says there is none.
Data of_the_particle(Data::List given, Data::List brackets, Data::List combination, const char* condition) {
  Data particle = honest("invariant-measure", "nonholonomic-particle", "invariant-measure");
  particle["certificate"] = "no-invariant-measure";
  particle["verdict"] = "refuted";
  particle["scope"] = "every smooth density";
  particle["circles"] = Data::List{};
  particle["given"] = std::move(given);
  particle["brackets"] = std::move(brackets);
  particle["combination"] = std::move(combination);
  particle["condition"] = condition;
  return particle;
}

Data leg(int a) { return Data::List{"leg", a}; }

}  // namespace

TEST_CASE("what analyze excludes, the checker excludes by itself") {
  for (const char* model : {"chaplygin-sleigh", "chaplygin-sleigh-algebra", "suslov", "differential-drive",
                            "bianchi-v", "zero-reaction-no-measure", "gl2-suslov"})
    CHECK(first_refuted(refuted_measure(model)) == "nothing");
}

TEST_CASE("a measure that exists is not denied") {
  const Data::List legs{leg(0), leg(1)};
  // [[X_0, X_1], X_1] = 0: the rates agree.
  const auto forged = [&](const char* condition) {
    return of_the_particle(legs, {Data::List{0, 1}, Data::List{2, 1}}, {"0", "0", "0"}, condition);
  };
  CHECK(first_refuted(forged("0")) == "which does not vanish");
  CHECK(first_refuted(forged("y")) == stated);
  CHECK(first_refuted(of_the_particle(legs, {Data::List{0, 1}}, {"0", "0"}, "1")) == combined);
  CHECK(first_refuted(of_the_particle({leg(0), leg(0)}, {}, {"1"}, "1")) == stated);
}

TEST_CASE("forged fields, combinations and scopes") {
  const Data sleigh = refuted_measure("chaplygin-sleigh");
  CHECK(first_refuted(with(sleigh, "combination", zeros(list_in(sleigh, "combination").size()))) == combined);
  CHECK(first_refuted(with(sleigh, "condition", "a")) == stated);
  const System with_potential =
      load_model("hydrodynamic-sleigh");  // where only densities of the configuration are excluded
  const Data hydrodynamic = no_measure_certificate(with_potential, measure_on_D(with_potential));
  CHECK(first_refuted(hydrodynamic) == "nothing");
  CHECK(first_refuted(with(hydrodynamic, "scope", "every smooth density")) ==
        "the motion is homogeneous in the speeds, so this excludes every smooth density");
  for (const Data& broken :
       {with(sleigh, "scope", "everything"), with(sleigh, "given", Data::List{}),
        with(sleigh, "given", Data::List{Data::List{"leg", 7}}), with(sleigh, "brackets", Data::List{Data()}),
        with(sleigh, "combination", Data("x")), with(sleigh, "combination", zeros(9))})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("a density stands still only along circles on which nothing depends") {
  const Data drive = refuted_measure("differential-drive");
  CHECK(first_refuted(with(drive, "circles", Data::List{})) == still);
  Data sleigh = refuted_measure("chaplygin-sleigh");
  Data::List given = list_in(sleigh, "given"), combination = list_in(sleigh, "combination");
  given.insert(given.begin(), Data::List{"still", 2});  // theta turns the blade
  sleigh["brackets"] = Data::List{};
  sleigh["given"] = given;
  sleigh["combination"] = Data::List{};
  sleigh["circles"] = Data::List{"theta"};
  CHECK(first_refuted(sleigh) == still);
  sleigh["circles"] = Data::List{};
  CHECK(first_refuted(sleigh) == still);
}

TEST_CASE("the only candidate may fail to be periodic, and one that is periodic excludes nothing") {
  // A leg that stretches with the angle: σ = theta.
  const System spiral = read_model(R"toml(
lagrangian = "exp(theta)*theta'^2/2"
space = { theta = "S1" }
forces = { theta = "-k*theta'^2" }
parameters = { k = 1 }
)toml",
                                   "spiral");
  const Answer a = asked(question("invariant-measure"), spiral, 20);
  REQUIRE(a.outcome == Outcome::refuted);
  REQUIRE_FALSE(a.certificate.is_null());
  CHECK(first_refuted(a.certificate) == "nothing");
  CHECK(first_refuted(with(a.certificate, "candidate", "0")) ==
        "the only logarithm of a density is the stated one");
  CHECK_THROWS_AS(check_certificate(with(a.certificate, "circles", Data::List{})), const Error&);
  CHECK(first_refuted(with(a.certificate, "given", Data::List{})) == "the fields span every direction");
}

TEST_CASE("rates that change along a circle keep a density from standing still there") {
  // θ'' = −sin θ θ'²: the density exp(−2 cos θ) is invariant. The only leg is ∂/∂θ, which commutes with itself.
  const System turning = read_model(R"toml(
lagrangian = "theta'^2/2"
space = { theta = "S1" }
forces = { theta = "-sin(theta)*theta'^2" }
)toml",
                                    "turning");
  Data forged = asked(question("invariant-measure"), turning, 20).certificate;
  REQUIRE(*forged.find("certificate")->text() == "invariant-measure");
  forged["certificate"] = "no-invariant-measure";
  forged["verdict"] = "refuted";
  forged["scope"] = "every smooth density";
  forged["circles"] = Data::List{"theta"};
  forged["given"] = Data::List{leg(0), Data::List{"still", 0}};
  forged["brackets"] = Data::List{};
  forged["combination"] = Data::List{"1"};
  forged["condition"] = "-2*sin(theta)";
  CHECK(first_refuted(forged) == still);
}
