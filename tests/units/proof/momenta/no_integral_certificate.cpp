// Certificates that an ansatz contains no integral besides the energy: what is forged is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

using namespace rattleback;

namespace {

const std::string trivial = "the combinations named are constant, or functions of the energy",
                  independent = "they are independent",
                  others = "the rates of the functions leave no other combination";

/// A particle in the plane; nothing but its energy is constant, and with friction not even that.
System particle(const std::string& friction) {
  return read_model(
      "lagrangian = \"(x'^2 + y'^2)/2 - x^2*y - 2*x*y^2 - k*x\"\nspace = { x = \"R\", y = \"R\" }\n"
      "parameters = { k = 2 }\n" +
          friction,
      "particle");
}

Data of(const System& system) {
  const Answer a = asked(question("integrals"), system, 20);
  REQUIRE(a.outcome == Outcome::not_found);
  CHECK(a.evidence.exact);
  REQUIRE_FALSE(a.certificate.is_null());
  REQUIRE(*a.certificate.find("certificate")->text() == "no-integrals");
  return a.certificate;
}

Data exception_with(const Data& certificate, const char* key, Data value) {
  return with_in(certificate, "exceptions", 0, key, std::move(value));
}

}  // namespace

TEST_CASE("what analyze says of integrals that do not exist, the checker finds by itself") {
  for (const char* model : {"chaplygin-sleigh", "suslov", "bianchi-v", "pursuit", "chaotic-oscillator"})
    CHECK(first_refuted(honest("integrals", model, "no-integrals")) == "nothing");
}

TEST_CASE("a particle has its energy, and with friction nothing") {
  const Data free = of(particle(""));
  CHECK(list_in(free, "exceptions").size() == 1);
  CHECK(first_refuted(free) == "nothing");
  const Data damped = of(particle("forces = { x = \"-x'\" }\n"));
  CHECK(list_in(damped, "exceptions").empty());
  CHECK(first_refuted(damped) == "nothing");
}

TEST_CASE("exceptions that are changed, dropped or listed twice") {
  const Data free = of(particle(""));
  const Data::List energy = list_in(free, "exceptions");
  CHECK(first_refuted(with(free, "exceptions", Data::List{})) == others);
  CHECK(first_refuted(with(free, "exceptions", Data::List{energy[0], energy[0]})) == independent);
  CHECK(first_refuted(exception_with(free, "energy", "2")) == trivial);
  CHECK(first_refuted(exception_with(free, "constant", "1")) == trivial);
  Data::List terms = list_in(energy[0], "terms"), first = *terms[0].list();
  first[3] = "3";
  terms[0] = first;
  CHECK(first_refuted(exception_with(free, "terms", terms)) == trivial);
  terms.pop_back();
  CHECK(first_refuted(exception_with(free, "terms", terms)) == trivial);
}

TEST_CASE("an integral within the functions stated is not denied") {
  // Without its potential the particle has momenta, and they are within the same functions.
  const Data free = of(particle(""));
  Data still = with(free, "lagrangian", "x'^2/2 + y'^2/2");
  still["speed_rates"] = Data::List{"0", "0"};
  CHECK(first_refuted(with(still, "exceptions", Data::List{})) == others);
  Data::List more = list_in(free, "ansatz");
  Data energy;
  energy["functions"] = Data::List{"x'^2/2 + y'^2/2 + x^2*y + 2*x*y^2 + 2*x"};
  energy["powers"] = Data::List{"1"};
  more.push_back(energy);
  CHECK(first_refuted(with(free, "ansatz", more)) == others);
}

TEST_CASE("data that is no certificate of this kind is an error") {
  const Data free = of(particle(""));
  for (const Data& broken : {with(free, "ansatz", Data::List{}), with(free, "exceptions", Data()),
                             exception_with(free, "energy", "x"),
                             exception_with(free, "terms", Data::List{Data::List{0, 0, 1000, "1"}}),
                             exception_with(free, "terms", Data::List{Data::List{0, "1"}})})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}
