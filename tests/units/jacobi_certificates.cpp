// Certificates about the bracket of the motion: what is forged is refuted at the step that it forges.

#include "forged_certificates.hpp"

#include <rattleback/algebra/error.hpp>

using namespace rattleback;

namespace {

const std::string holds = "Jacobi's identity holds", fails = "Jacobi's identity fails",
                  group = "the group leaves D and the Lagrangian alone, and is lifted to the momenta";

Data bracket_of(const char* model) { return honest("jacobi", model, "jacobi"); }

/// The first reduction with one field changed.
Data reduced(const Data& certificate, const char* key, Data value) {
  return with_in(certificate, "reductions", 0, key, std::move(value));
}

Data::List reduced_list(const Data& certificate, const char* key) {
  return list_in(list_in(certificate, "reductions")[0], key);
}

}  // namespace

TEST_CASE("what analyze says about brackets of the motion, the checker finds by itself") {
  for (const char* model :
       {"chaplygin-sleigh", "chaplygin-sleigh-algebra", "suslov", "euler-top", "planar-pendulum",
        "falling-disk", "nonholonomic-particle", "vertical-disk", "veselova", "so4-suslov"})
    CHECK(first_refuted(bracket_of(model)) == "nothing");
}

TEST_CASE("Jacobi's identity is neither invented nor denied") {
  CHECK(first_refuted(with(bracket_of("planar-pendulum"), "holds", false)) == fails);
  CHECK(first_refuted(with(bracket_of("chaplygin-sleigh"), "holds", true)) == holds);
  CHECK(first_refuted(reduced(bracket_of("chaplygin-sleigh"), "holds", false)) == fails);
  CHECK(first_refuted(reduced(bracket_of("euler-top"), "holds", false)) == fails);
  CHECK(first_refuted(reduced(bracket_of("veselova"), "holds", true)) == holds);
  CHECK(first_refuted(reduced(bracket_of("falling-disk"), "holds", true)) == holds);
}

TEST_CASE("orbits, their lift and the covectors") {
  const Data disk = bracket_of("falling-disk");
  Data::List orbits = reduced_list(disk, "orbits"), covectors = reduced_list(disk, "covectors");
  Data::List fewer = orbits;
  fewer.pop_back();
  CHECK(first_refuted(reduced(disk, "orbits", fewer)) == "all that do are their combinations");
  Data::List some = covectors;
  some.pop_back();
  CHECK(first_refuted(reduced(disk, "covectors", some)) == "all that do are their combinations");
  Data::List other = covectors, row = *covectors[0].list();
  for (Data& entry : row) entry = "1";
  other[0] = row;
  CHECK(first_refuted(reduced(disk, "covectors", other)) == "the covectors vanish along its orbits");
  for (const std::size_t place : {std::size_t{2}, orbits[0].list()->size() - 1}) {  // a lean; a momentum
    Data::List forged = orbits, first = *orbits[0].list();
    first[place] = "theta";
    forged[0] = first;
    CHECK(first_refuted(reduced(disk, "orbits", forged)) == group);
  }
}

TEST_CASE("Casimirs and factors") {
  const Data top = bracket_of("euler-top");
  CHECK(first_refuted(reduced(top, "casimirs", Data::List{"p_Omega1"})) ==
        "the Casimirs commute with everything");
  const char* square = "p_Omega1^2 + p_Omega2^2 + p_Omega3^2";
  CHECK(first_refuted(reduced(top, "casimirs", Data::List{square})) == "nothing");
  CHECK(first_refuted(reduced(top, "casimirs", Data::List{square, "1"})) == "they are independent");
  CHECK(first_refuted(reduced(top, "casimirs", Data::List{"B11"})) == "the Casimirs commute with everything");
  const Data veselova = bracket_of("veselova");
  CHECK(first_refuted(reduced(veselova, "factor", "0")) == "the factor is not zero");
  for (const char* f : {"1", "B31", "I1*(I2*B33^2 + I3*B32^2) + I2*I3*B31^2"})
    CHECK(first_refuted(reduced(veselova, "factor", f)) == "with the factor it holds");
}

TEST_CASE("momenta that are none, and data that is no certificate") {
  const Data sleigh = bracket_of("chaplygin-sleigh");
  CHECK(first_refuted(with(sleigh, "speeds_by_momenta", zeros(2))) == "the momenta determine the speeds");
  for (const Data& broken :
       {with(sleigh, "momentum_names", Data::List{"u", "omega"}),
        with(sleigh, "momentum_names", Data::List{}), with(sleigh, "holds", "yes"),
        with(sleigh, "reductions", Data()), reduced(sleigh, "covectors", Data::List{}),
        reduced(sleigh, "orbits", Data::List{zeros(2)}), reduced(sleigh, "casimirs", Data())})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("a group that turns the momenta is lifted with the right sign") {
  const System round = read_model(
      "lagrangian = \"(x'^2 + y'^2)/2 - (x^2 + y^2)^2\"\nspace = { x = \"R\", y = \"R\" }\n", "round");
  const Data certificate = asked(question("jacobi"), round, 20).certificate;
  REQUIRE_FALSE(certificate.is_null());
  REQUIRE(list_in(certificate, "reductions").size() == 1);
  CHECK(first_refuted(certificate) == "nothing");
  const Data::List orbit = *reduced_list(certificate, "orbits")[0].list();
  Data::List other = orbit;
  for (const std::size_t p : {std::size_t{2}, std::size_t{3}}) other[p] = "-(" + *orbit[p].text() + ")";
  CHECK(first_refuted(reduced(certificate, "orbits", Data::List{other})) == group);
}
