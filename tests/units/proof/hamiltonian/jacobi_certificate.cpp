// Certificates about the bracket of the motion: what is forged is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

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
  // A verdict contrary to what is stated is no certificate at all; one that agrees is recomputed.
  const Data pendulum = with(bracket_of("planar-pendulum"), "holds", false),
             sleigh = with(bracket_of("chaplygin-sleigh"), "holds", true);
  CHECK_THROWS_AS(first_refuted(pendulum), Error);
  CHECK_THROWS_AS(first_refuted(sleigh), Error);
  CHECK(first_refuted(with(pendulum, "verdict", "refuted")) == fails);
  CHECK(first_refuted(with(sleigh, "verdict", "proved")) == holds);
  CHECK(first_refuted(reduced(bracket_of("chaplygin-sleigh"), "holds", false)) == fails);
  const Data top = reduced(bracket_of("euler-top"), "holds", false);
  CHECK(first_refuted(top.find("holds") != nullptr ? top : with(top, "verdict", "refuted")) == fails);
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
  CHECK(stated_in(reduced(top, "casimirs", Data::List{square})).size() > 3);
  CHECK_THROWS_AS(stated_in(reduced(top, "casimirs", Data::List{1})), const Error&);
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

namespace {

const std::string room = "brackets leave no room for more Casimirs";

/// y' = a(theta, s) theta' + b(theta, s) s' on a circle times a plane.
Data carried(const char* constraint) {
  const System system = read_model(
      std::string("lagrangian = \"(theta'^2 + s'^2 + y'^2)/2\"\n[space]\ntheta = \"S1\"\ns = \"R\"\n"
                  "y = \"R\"\n[constraints]\nc = \"") +
          constraint + "\"\n",
      "carried");
  const Data certificate = asked(question("jacobi"), system, 20).certificate;
  REQUIRE_FALSE(certificate.is_null());
  CHECK(first_refuted(certificate) == "nothing");
  return certificate;
}

Data no_factor(const Data& certificate, const char* key, Data value) {
  Data none = *list_in(certificate, "reductions")[0].find("no_factor");
  none[key] = std::move(value);
  return reduced(certificate, "no_factor", none);
}

Data reason(const char* name) {
  Data none;
  none["reason"] = name;
  return none;
}

}  // namespace

TEST_CASE("how many Casimirs there are") {
  const Data top = bracket_of("euler-top");  // one, on so(3)*
  REQUIRE(*list_in(top, "reductions")[0].find("casimir_count")->get_if<long>() == 1);
  for (const int fewer : {0, -1})
    CHECK(first_refuted(reduced(top, "casimir_count", fewer)) == "no more Casimirs are listed than counted");
  const Data none = reduced(top, "casimirs", Data::List{});
  CHECK(first_refuted(none) == "nothing");  // by Frobenius
  CHECK(first_refuted(reduced(none, "casimir_count", 0)) == room);
  CHECK(first_refuted(reduced(none, "casimir_count", 2)) ==
        "the brackets close, so there are as many as stated");
  const Data sleigh = bracket_of("chaplygin-sleigh");  // none on D*, by a bracket
  REQUIRE(list_in(sleigh, "brackets").size() == 1);
  CHECK(first_refuted(with(sleigh, "brackets", Data::List{})) == room);
  CHECK(first_refuted(with(sleigh, "brackets", Data::List{Data::List{0, 1}})) == room);
  CHECK_THROWS_AS(check_certificate(with(sleigh, "brackets", Data::List{Data::List{0, 99}})), const Error&);
  const Data snakeboard = bracket_of("snakeboard");  // two, one of them without a closed form
  CHECK(first_refuted(snakeboard) == "nothing");
}

TEST_CASE("that no factor exists, on D*") {
  const Data sleigh = bracket_of("chaplygin-sleigh");
  REQUIRE(*sleigh.find("no_factor")->find("reason")->text() == "not integrable");
  CHECK(first_refuted(with(bracket_of("planar-pendulum"), "no_factor", reason("not integrable"))) ==
        "without a factor it is not Poisson");
  CHECK(first_refuted(with(sleigh, "no_factor", reason("rank two"))) ==
        "the rank is two, so no factor matters");
  CHECK_THROWS_AS(check_certificate(with(sleigh, "no_factor", reason("a feeling"))), const Error&);
}

TEST_CASE("that no factor exists, after reduction") {
  const Data veselova = bracket_of("veselova");  // has one
  CHECK(first_refuted(reduced(veselova, "no_factor", reason("no slopes"))) ==
        "no slopes of a factor satisfy the equations");
  CHECK(first_refuted(reduced(veselova, "no_factor", reason("rank two"))) ==
        "the rank is two, so no factor matters");
  CHECK_THROWS_AS(check_certificate(reduced(veselova, "no_factor", reason("not integrable"))), const Error&);
  CHECK(first_refuted(bracket_of("roller-racer")) == "nothing");      // rank two
  CHECK(first_refuted(bracket_of("chaplygin-sphere")) == "nothing");  // no slopes
}

TEST_CASE("slopes of a factor that contradict each other") {
  const Data twisted = carried("y' = s*theta' + sin(theta)*s'");
  REQUIRE(*list_in(twisted, "reductions")[0].find("no_factor")->find("reason")->text() == "contradiction");
  CHECK(first_refuted(no_factor(twisted, "slopes", zeros(4))) ==
        "the slopes of the logarithm of a factor are as stated");
  const Data combination = *list_in(twisted, "reductions")[0].find("no_factor")->find("combination");
  Data::List other = *combination.list();
  other.back() = "2";
  CHECK(first_refuted(no_factor(twisted, "combination", other)) ==
        "the combination of fields and brackets vanishes");
  CHECK(first_refuted(no_factor(twisted, "combination", zeros(other.size()))) ==
        "that of the slopes does not");
  CHECK_THROWS_AS(check_certificate(no_factor(twisted, "reason", "a feeling")), const Error&);
  const Data straight = carried("y' = s*theta'");  // has a factor
  Data none = *list_in(twisted, "reductions")[0].find("no_factor");
  CHECK(first_refuted(reduced(straight, "no_factor", none)) ==
        "the slopes of the logarithm of a factor are as stated");
}

TEST_CASE("the bracket on N does not depend on how the legs go on beside it") {
  CHECK(first_refuted(bracket_of("slider-crank")) ==
        "nothing");  // its legs are tangent to N at points of N alone
}

TEST_CASE("a group that changes the Lagrangian does not reduce the bracket") {
  const System free = read_model(R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "R", y = "R" }
symmetry = { translations = ["x"] }
)toml",
                                 "free");
  const Data honest = asked(question("jacobi"), free, 20).certificate;
  REQUIRE_FALSE(honest.is_null());
  REQUIRE(first_refuted(honest) == "nothing");
  // With a mass that depends on x the bracket is canonical all the same, and translations still leave D = TQ alone.
  Data forged = with(honest, "lagrangian", "(1 + x^2)*(x'^2 + y'^2)/2");
  const Data::List p = list_in(honest, "momentum_names");
  forged["speeds_by_momenta"] = Data::List{*p[0].text() + "/(1 + x^2)", *p[1].text() + "/(1 + x^2)"};
  CHECK(first_refuted(forged) == group);
}
