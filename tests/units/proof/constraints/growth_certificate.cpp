// Certificates of integrability: brackets, how others follow from them, integrals. Each forgery is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

using namespace rattleback;

namespace {

const std::string further = "no other bracket leads further";

}  // namespace

TEST_CASE("what analyze says about brackets, the checker finds by itself") {
  for (const char* model : {"chaplygin-sleigh", "car-2-trailers", "differential-drive", "suslov",
                            "so4-suslov", "homogeneous-ball", "affine-particle", "pursuit", "falling-disk"})
    CHECK(first_refuted(honest("integrability", model, "nonholonomic")) == "nothing");
  for (const char* model : {"fake-integrating-factor", "planar-pendulum", "fake-exact"})
    CHECK(first_refuted(honest("integrability", model, "holonomic")) == "nothing");
}

TEST_CASE("exactness is not what holonomic means: y*x' - x*y' = 0 is, with proof") {
  const System ray = read_model(R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "R", y = "R" }
constraints = { ray = "y*x' - x*y' = 0" }
)toml",
                                "ray");
  const Answer a = asked(question("integrability"), ray, 20);
  CHECK(a.outcome == Outcome::proved);
  CHECK(a.evidence.exact);
  CHECK(first_refuted(a.certificate) == "nothing");
}

TEST_CASE("a bracket that leaves D is not denied") {
  Data sleigh = honest("integrability", "chaplygin-sleigh", "nonholonomic");
  sleigh["certificate"] = "holonomic";
  sleigh["verdict"] = "proved";
  CHECK_THROWS_AS(check_certificate(sleigh), const Error&);
  sleigh["ranks"] = Data::List{2};
  sleigh["brackets"] = Data::List{};
  CHECK(first_refuted(sleigh) == further);
  sleigh["relations"] = Data::List{Data::List{1, 0, 0, "1"}, Data::List{0, 1, 0, "-1"}};
  CHECK(first_refuted(sleigh) == further);
}

TEST_CASE("a bracket that stays in D does not leave it, and growth does not stop early") {
  Data exact = honest("integrability", "fake-integrating-factor", "holonomic");
  exact["certificate"] = "nonholonomic";
  exact["verdict"] = "refuted";
  exact["ranks"] = Data::List{2, 3};
  exact["brackets"] = Data::List{Data::List{0, 1}};
  CHECK(first_refuted(exact) == "brackets of up to 2 fields span 3 directions");
  const Data car = honest("integrability", "car-2-trailers", "nonholonomic");
  Data::List brackets = list_in(car, "brackets");
  brackets.pop_back();
  CHECK(first_refuted(with(with(car, "brackets", brackets), "ranks", Data::List{2, 3, 4})) == further);
  const Data drive = honest("integrability", "differential-drive", "nonholonomic");
  CHECK(first_refuted(with(drive, "relations", Data::List{})) == further);
}

TEST_CASE("integrals are constant along D and independent") {
  const Data drive = honest("integrability", "differential-drive", "nonholonomic");
  CHECK(first_refuted(with(drive, "integrals", Data::List{"th"})) == "the integrals are constant along D");
  CHECK(first_refuted(
            with(drive, "integrals", Data::List{"2*b*th - r*pr + r*pl", "(2*b*th - r*pr + r*pl)^2"})) ==
        "they are independent");
}

TEST_CASE("growth at a special place") {
  const Data car = honest("integrability", "car-2-trailers", "nonholonomic");
  const Data ranks = Data::List{2, 3, 4, 5};
  CHECK(first_refuted(with_in(car, "special", 0, "ranks", ranks)) ==
        "where t0 = pi/2 + t1, brackets of up to 4 fields span 5 directions");
  CHECK(first_refuted(with_in(car, "special", 0, "value", "t1")) ==
        "where t0 = t1, brackets of up to 4 fields span 4 directions");
}

TEST_CASE("data that is no certificate of growth is an error") {
  const Data car = honest("integrability", "car-2-trailers", "nonholonomic");
  for (const Data& broken :
       {with(car, "ranks", Data::List{}), with(car, "ranks", Data::List{2}), with(car, "brackets", "all"),
        with(car, "brackets", Data::List{Data::List{0, 9}}), with(car, "ranks", Data::List{2, 2, 4, 5}),
        with(car, "brackets", Data::List{Data::List{0, 1}, Data::List{2, 0}, Data::List{0, 2}}),
        with(car, "relations", Data::List{Data::List{0, 0, 4, "1"}}), with(car, "integrals", Data())})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("a bracket of two legs does not follow from one of three") {
  // X = ∂x, Y = ∂y + x ∂z + x²/2 ∂w, U = ∂u + ∂z + x ∂w: [X, U] = ∂w = [X, [X, Y]]. The ranks are 3, 5.
  const System chain = read_model(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2 + w'^2 + u'^2)/2"
space = { x = "R", y = "R", z = "R", w = "R", u = "R" }
constraints = { a = "z' = x*y' + u'", b = "w' = x^2*y'/2 + x*u'" }
parametrization = { speeds = ["p", "q", "r"], x = "p", y = "q", z = "x*q + r", w = "x^2*q/2 + x*r", u = "r" }
)toml",
                                  "chain");
  const Data honest = asked(question("integrability"), chain, 20).certificate;
  REQUIRE(first_refuted(honest) == "nothing");
  Data slower = with(honest, "ranks", Data::List{3, 4, 5});
  slower["brackets"] = Data::List{Data::List{0, 1}, Data::List{0, 3}};
  slower["relations"] =
      Data::List{Data::List{0, 2, 4, "1"}, Data::List{1, 0, 3, "-1"}, Data::List{2, 0, 4, "-1"}};
  CHECK_THROWS_AS(check_certificate(slower), const Error&);
}
