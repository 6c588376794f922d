// False certificates that the checker once accepted: the time where only the state counts, two values for one symbol, orbits of no group.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>

using namespace rattleback;

namespace {

/// A certificate of this system that claims nothing yet: that 1 is constant.
Data system_of(const char* model) {
  Data certificate = conserved_conjecture(read_model(model, "test.toml"), Expr(1)).certificate;
  REQUIRE(first_refuted(certificate) == "nothing");
  return certificate;
}

/// The same system under another claim.
Data claiming(Data certificate, const char* kind, const char* question, const char* verdict) {
  certificate["certificate"] = kind;
  certificate["question"] = question;
  certificate["verdict"] = verdict;
  return certificate;
}

Data one_family(Data certificate, const Data& family) {
  certificate = claiming(std::move(certificate), "steady-motions", "equilibria", "proved");
  return with(certificate, "families", Data::List{family});
}

Data record(const Data::Record& fields) { return {fields}; }

constexpr const char* free_point = "lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\n";

}  // namespace

TEST_CASE("coefficients of an algebra that change along a leg that commutes with all of it") {
  Data forged = system_of(
      "lagrangian = \"(x'^2 + a'^2 + b'^2 + c'^2)/2\"\nspace = { x = \"R\", a = \"R\", b = \"R\", c = \"R\" "
      "}\n");
  const Data::List legs = list_in(forged, "velocities");
  REQUIRE(*legs[0].text() == "x'");
  forged["functions"] = Data::List{"x"};
  forged["frame"] = Data::List{Data::List{"1"}, Data::List{"0"}, Data::List{"0"}, Data::List{"0"}};
  const auto with_bracket = [&](const char* value) {  // [X_1, X_2] = value X_3
    Data all = with(forged, "structure",
                    Data::List{Data::List{1, 2, 3, value}, Data::List{2, 1, 3, std::string("-") + value}});
    const std::string a = *legs[1].text(), b = *legs[2].text(), c = *legs[3].text(), f = value;
    all["speed_rates"] = Data::List{"0", "-" + f + "*" + b + "*" + c, f + "*" + a + "*" + c, "0"};
    return all;
  };
  CHECK(first_refuted(with_bracket("2")) == "nothing");
  CHECK(first_refuted(with_bracket("x")) == "the brackets of the frame are as stated");
}

TEST_CASE("a second-order system that changes with time and has a Lagrangian") {
  // q'' = A q' + K q with A = t e + f, K = (A' - A^2/2)/2: the curvature vanishes, with A' and not without it.
  const char* model = R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "R", y = "R" }
forces = { x = "t*y' + y/2 - t*x/4", y = "x' - t*y/4" }
)toml";
  Data forged = claiming(system_of(model), "no-lagrangian", "inverse-problem", "refuted");
  Data system;
  system["type"] = "1";
  system["accelerations"] = Data::List{"t*y' + y/2 - t*x/4", "x' - t*y/4"};
  system["derivatives"] = 3;
  CHECK(first_refuted(with(forged, "systems", Data::List{system})) == "all of them are singular");
}

TEST_CASE("an integral that contains the time does not bound an unstable motion") {
  const Data honest = system_of("lagrangian = \"x'^2/2 + x^2/2\"\nspace = { x = \"R\" }\n");
  const std::string z = *list_in(honest, "speeds")[0].text();
  Data family, extremum;
  extremum["at"] = record({{"t", "0"}});
  extremum["integrals"] = Data::List{"(x + " + z + ")^2*exp(-2*t) + (x - " + z + ")^2*exp(2*t)"};
  extremum["multipliers"] = Data::List{"0", "1"};
  family["point"] = "x = 0";
  family["values"] = record({{"x", "0"}, {z, "0"}});
  CHECK(first_refuted(one_family(honest, family)) == "nothing");
  family["extremum"] = extremum;
  CHECK_THROWS_AS(check_certificate(one_family(honest, family)), const Error&);
}

TEST_CASE("a state that changes with time is not steady, and has one value") {
  const Data driven = system_of(
      "lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"x - t\" }\n");  // x = t is no motion at rest
  const std::string z = *list_in(driven, "speeds")[0].text();
  Data family;
  family["point"] = "x = t";
  family["values"] = record({{"x", "t"}, {z, "0"}});
  CHECK_THROWS_AS(check_certificate(one_family(driven, family)), const Error&);
  family["values"] = record({{"x", "0"}, {"x", "1"}, {z, "0"}});
  CHECK_THROWS_AS(check_certificate(one_family(system_of(free_point), family)), const Error&);
}

TEST_CASE("a state that gives two values to one symbol") {
  const System top = load_model("euler-top");
  Data forged = conserved_conjecture(top, Expr(1)).certificate;
  forged = claiming(forged, "not-zero", "zero", "refuted");
  forged["function"] = "B11^2 + B21^2 + B31^2 - 1";
  Data::Record state;
  const Data::List B = list_in(forged, "functions");
  REQUIRE(B.size() == 9);
  for (std::size_t e = 0; e < 9; ++e) state.push_back({*B[e].text(), e % 4 == 0 ? "1" : "0"});
  CHECK(first_refuted(with(forged, "at", record(state))) == "at the state the function does not vanish");
  for (const char* again :
       {"B11", "(B11)"}) {  // the first value is a rotation's, the last one would be evaluated
    Data::Record twice = state;
    twice.push_back({again, "2"});
    CHECK_THROWS_AS(check_certificate(with(forged, "at", record(twice))), const Error&);
  }
}

TEST_CASE("an integral of the constraints is a function of the configuration") {
  const Data honest_one = honest("integrability", "fake-exact", "holonomic");
  const std::string F = *list_in(honest_one, "integrals")[0].text(),
                    z = *list_in(honest_one, "speeds")[0].text();
  CHECK(first_refuted(honest_one) == "nothing");
  for (const std::string& factor : {z, std::string("t")}) {
    CAPTURE(factor);
    CHECK(first_refuted(with(honest_one, "integrals", Data::List{"(" + F + ")*" + factor})) ==
          "the integrals are constant along D");
  }
}

TEST_CASE("a density that is carried along exists for every motion") {
  Data forged = system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"-x'\" }\n");
  forged = claiming(forged, "invariant-measure", "invariant-measure", "proved");
  CHECK(first_refuted(with(forged, "density", "1")) == "the density is invariant");
  CHECK_THROWS_AS(check_certificate(with(forged, "density", "exp(t)")), const Error&);
  Data driven = system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"-t*x'\" }\n");
  driven = claiming(driven, "invariant-measure", "invariant-measure", "proved");
  CHECK(first_refuted(with(driven, "density", "exp(t^2/2)")) == "nothing");
}

TEST_CASE("two rotations generate the third: the bracket on D*/SO(3) is Poisson whatever two orbits say") {
  const Data suslov = honest("jacobi", "suslov", "jacobi");
  Data reduction = list_in(suslov, "reductions")[0];
  Data::List orbits = list_in(reduction, "orbits"), covectors = list_in(reduction, "covectors");
  REQUIRE(orbits.size() == 3);
  covectors.push_back(orbits.back());  // a row of the matrix is orthogonal to the others
  orbits.pop_back();
  for (const auto& [key, value] :
       {std::pair("orbits", Data(orbits)), std::pair("covectors", Data(covectors)),
        std::pair("holds", Data(false)), std::pair("brackets", Data(Data::List{}))})
    reduction[key] = value;
  Data::Record kept;
  for (const Data::Field& field : *reduction.record()) {
    if (field.key != "casimir_count") kept.push_back(field);
  }
  CHECK(first_refuted(suslov) == "nothing");
  CHECK(first_refuted(with(suslov, "reductions", Data::List{Data(kept)})) ==
        "the orbits are those of a group");
}

TEST_CASE("a leg of a group is no group by itself where others move no function, either") {
  const Data sleigh = honest("jacobi", "chaplygin-sleigh-algebra", "jacobi");
  const Data reduction = list_in(sleigh, "reductions")[0];
  const Data::List orbits = list_in(reduction, "orbits");
  REQUIRE(orbits.size() == 3);
  CHECK(first_refuted(sleigh) == "nothing");
  Data::List fewer{orbits[0]}, covectors = list_in(reduction, "covectors");
  covectors.push_back(orbits[1]);
  covectors.push_back(orbits[2]);
  Data one = with(with(reduction, "orbits", fewer), "covectors", covectors);
  Data::Record kept;
  for (const Data::Field& field : *one.record()) {
    if (field.key != "casimir_count" && field.key != "casimirs" && field.key != "no_factor" &&
        field.key != "factor")
      kept.push_back(field);
  }
  one = with(with(Data(kept), "casimirs", Data::List{}), "holds", false);
  CHECK(first_refuted(with(sleigh, "reductions", Data::List{one})) == "the orbits are those of a group");
}
