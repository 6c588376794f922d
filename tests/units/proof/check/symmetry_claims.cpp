// Symmetries of a system with position constraints are tangent to them.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>

using namespace rattleback;

namespace {

Data claimed_field(const System& system, const char* field) {
  return symmetry_conjecture(system, field_of_conjecture(system, field)).certificate;
}

}  // namespace

TEST_CASE("a field that leaves the position constraints is no symmetry, and that can be shown") {
  const System system = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"
space = { x = "R", y = "R", z = "R" }
constraints = { p = "x = 1", c = "z' = y*y'" }
)toml",
                                   "plane.toml");
  const Data along = claimed_field(system, "z = 1");
  CHECK(first_refuted(along) == "nothing");
  const Data across = Data::List{Data::List{"1", "0", "0"}};
  CHECK(first_refuted(with(along, "fields", across)) == "it maps admissible velocities to admissible ones");
  const Data denied = claimed_field(system, "x = 1");
  CHECK(*denied.find("certificate")->text() == "not-a-symmetry");
  CHECK(first_refuted(denied) == "nothing");
}

TEST_CASE("that no field is a symmetry does not refute momenta over velocity constraints or under forces") {
  const auto denied = [](const std::string& more) {
    const System system = read_model(
        "lagrangian = \"(x'^2 + y'^2)/2 - x^2 - y^3 - x*y\"\nspace = { x = \"R\", y = \"R\" }\n" + more,
        "test.toml");
    return asked(question("symmetries"), system, 60).certificate;
  };
  const Data free = denied("");
  REQUIRE(*free.find("certificate")->text() == "no-symmetries");
  CHECK(first_refuted(with(free, "question", "momenta")) == "nothing");
  const Data constrained = denied("constraints = { c = \"y' = x*x'\" }\n");
  REQUIRE(*constrained.find("certificate")->text() == "no-symmetries");
  const Data forced = with(free, "forces", Data::List{"2*x + y", "0"});
  for (const Data& bound : {constrained, forced}) {
    CHECK(first_refuted(bound) == "nothing");
    CHECK_THROWS_AS(check_certificate(with(bound, "question", "momenta")), const Error&);
  }
}
