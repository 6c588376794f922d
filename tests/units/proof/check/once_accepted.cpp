// False certificates that the checker once accepted: the time where only the state counts, two values for one symbol, orbits of no group,
// what counts as a constant because nothing says that it moves.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

using namespace rattleback;

namespace {

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
  const Data denied = with(with(sleigh, "reductions", Data::List{one}), "verdict", "refuted");
  CHECK(first_refuted(denied) == "the orbits are those of a group");
}

TEST_CASE("coefficients of gauge momenta that change with time") {
  // f J is constant for f = 1/sqrt(1 + m y²) only while m is.
  const auto certificate = [](const std::string& mass) {
    Data d = system_of(("lagrangian = \"(x'^2 + y'^2 + " + mass + R"toml(*z'^2)/2 - y"
space = { x = "R", y = "R", z = "R" }
constraints = { k = "z' = y*x'" }
)toml")
                           .c_str());
    d = claiming(d, "gauge-momenta", "momenta", "proved");
    REQUIRE(*list_in(d, "speeds")[0].text() == "x'");
    d["fields"] = Data::List{Data::List{"1", "0", "0"}, Data::List{"0", "0", "1"}};
    d["sections"] = Data::List(1, Data(Data::List{"1", "0", "y"}));
    d["turns"] = Data::List(2, Data(Data::List(4, Data("0"))));
    d["slopes"] = Data::List{Data::List{"-" + mass + "*y/(1 + " + mass + "*y^2)", "0", "0", "0"}};
    d["brackets"] = Data::List{};
    d["prolongations"] = 0;
    d["gauge_count"] = 1;
    d["solutions"] = Data::List{};
    return d;
  };
  const auto solved = [](const Data& d, const std::string& f) {
    return with(d, "solutions", Data::List{Data::List{f, "0"}});
  };
  CHECK(first_refuted(certificate("2")) == "nothing");
  CHECK(first_refuted(solved(certificate("2"), "1/sqrt(1 + 2*y^2)")) == "nothing");
  CHECK_THROWS_AS(check_certificate(solved(certificate("2"), "t/sqrt(1 + 2*y^2)")), const Error&);
  CHECK_THROWS_AS(check_certificate(certificate("exp(t)")), const Error&);
  CHECK_THROWS_AS(check_certificate(solved(certificate("exp(t)"), "1/sqrt(1 + exp(t)*y^2)")), const Error&);
}

TEST_CASE("one section that is listed twice has one momentum") {
  Data d = claiming(system_of(free_point), "gauge-momenta", "momenta", "proved");
  d["fields"] = Data::List(1, Data(Data::List{"1"}));
  for (const char* key : {"slopes", "brackets"}) d[key] = Data::List{};
  d["prolongations"] = 0;
  const auto counted = [&](const Data::List& sections, const Data::List& solutions) {
    const std::size_t k = sections.size() + 1;
    Data all = with(with(d, "sections", sections), "solutions", solutions);
    all["turns"] = Data::List{Data::List(k * k, Data("0"))};
    return with(all, "gauge_count", static_cast<int>(solutions.size()));
  };
  const auto rows = [](std::initializer_list<Data::List> all) { return Data::List(all.begin(), all.end()); };
  CHECK(first_refuted(counted(rows({{"1"}}), rows({{"1", "0"}}))) == "nothing");
  for (const char* second : {"1", "0", "x"}) {
    CAPTURE(second);
    CHECK(first_refuted(counted(rows({{"1"}, {second}}), rows({{"1", "0", "0"}, {"0", "1", "0"}}))) ==
          "they are independent, and no others are independent of them");
  }
}

TEST_CASE("a speed is no constant on D*: a Casimir or a factor times a speed is none") {
  const Data top = honest("jacobi", "euler-top", "jacobi");
  const std::string C = *list_in(list_in(top, "reductions")[0], "casimirs")[0].text(),
                    u = *list_in(top, "speeds")[0].text(), v = *list_in(top, "velocities")[1].text();
  const auto with_casimir = [&](const std::string& text) {
    return with_in(top, "reductions", 0, "casimirs", Data::List{text});
  };
  CHECK(first_refuted(with_casimir("2*(" + C + ")")) == "nothing");
  CHECK(first_refuted(with_casimir("I1*(" + C + ")")) == "nothing");
  for (const std::string& factor : {u, v, std::string("(1 + ") + u + "^2)"})
    CHECK_THROWS_AS(check_certificate(with_casimir("(" + C + ")*" + factor)), const Error&);
  CHECK(first_refuted(with_in(top, "reductions", 0, "factor", "2")) == "nothing");
  CHECK_THROWS_AS(check_certificate(with_in(top, "reductions", 0, "factor", u)), const Error&);
}

TEST_CASE("a symbol that nothing lists is no constant") {
  const Data honest_one = system_of(free_point);
  for (const Role role : {Role::coordinate, Role::rotation, Role::direction, Role::velocity,
                          Role::acceleration, Role::momentum, Role::multiplier}) {
    CAPTURE(static_cast<int>(role));
    Data declared = honest_one, symbol;
    symbol["name"] = "w";
    symbol["role"] = static_cast<int>(role);
    Data::List all = list_in(declared, "symbols");
    all.push_back(symbol);
    declared["symbols"] = all;
    CHECK(first_refuted(declared) == "nothing");
    for (const char* function : {"w", "w^2 + 1"})
      CHECK_THROWS_AS(check_certificate(with(declared, "function", function)), const Error&);
    CHECK_THROWS_AS(check_certificate(with(declared, "constants", Data::List{"w*x'"})), const Error&);
  }
}

TEST_CASE("a steady motion that is not real has no eigenvalues") {
  // x'' = a x − x³ rests at x = sqrt(a), a center; where a is negative there is no such motion.
  const Data honest_one = system_of(
      "lagrangian = \"x'^2/2 + a*x^2/2 - x^4/4\"\nspace = { x = \"R\" }\nparameters = { a = { value = 1, "
      "positive = false } }\n");
  const std::string z = *list_in(honest_one, "speeds")[0].text();
  Data family;
  family["point"] = "x = sqrt(a)";
  family["values"] = record({{"x", "sqrt(a)"}, {z, "0"}});
  family["factors"] = Data::List{Data::List{"2*a", "0", "1"}};
  const auto placed = [&](const char* a, const char* eigenvalues) {
    Data f = with(family, "eigenvalues", eigenvalues);
    return one_family(honest_one, with(f, "at", record({{"a", a}})));
  };
  CHECK(first_refuted(placed("2", "not on the right")) == "nothing");
  CHECK(first_refuted(placed("-1", "on the right")) == "the values named are allowed");
}

TEST_CASE("rates of small motions that change with time have no eigenvalues") {
  const Data driven =
      system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"-(1 + cos(t))*x\" }\n");
  const std::string z = *list_in(driven, "speeds")[0].text();
  Data family;
  family["point"] = "x = 0";
  family["values"] = record({{"x", "0"}, {z, "0"}});
  CHECK(first_refuted(one_family(driven, family)) == "nothing");
  family["factors"] = Data::List{Data::List{"1 + cos(t)", "0", "1"}};
  CHECK_THROWS_AS(check_certificate(one_family(driven, family)), const Error&);
}
