/// Densities: what excludes every one of them, and how the one that is found is written.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

TEST_CASE(
    "drag that is no polynomial in the speeds excludes every density, by the divergence at rest (M.11)") {
  const auto skate = [](const std::string& drag) {
    return read_model(R"toml(title = "t"
lagrangian = "1/2*(x'^2 + y'^2) + 1/2*J*phi'^2 + g*x"
[space]
x = "R"
y = "R"
phi = "R"
[parameters]
J = { value = 2, positive = true }
g = 1
c = { value = 1, positive = true }
[constraints]
blade = "x'*sin(phi) = y'*cos(phi)"
[forces]
phi = ")toml" + drag + "\"\n",
                      "t.toml");
  };
  const auto measure = [&](const std::string& drag) {
    return asked(question("invariant-measure"), skate(drag), 60);
  };
  const Answer a = measure("-c*phi'*cosh(phi')");
  CHECK(a.outcome == Outcome::refuted);
  CHECK(*a.answer.find("scope")->text() == "every smooth density");
  CHECK(measure("-c*phi'^3*cosh(phi')").outcome == Outcome::not_found);  // none at rest: nothing follows
}

TEST_CASE("a density is not written with a sign that changes") {
  const System ball = read_model(R"toml(title = "Ball on a torus"
lagrangian = """1/2*m*((A + b*cos(v))^2*u'^2 + b^2*v'^2) + 1/2*J*(w1^2 + w2^2 + w3^2)"""
[space]
u = "S1"
v = "S1"
ph = "S1"
th = "R"
ps = "S1"
[parameters]
m = 1
J = "2/5"
r = "1/4"
A = 3
b = "5/4"
[define]
w1 = "th'*cos(ph) + ps'*sin(th)*sin(ph)"
w2 = "th'*sin(ph) - ps'*sin(th)*cos(ph)"
w3 = "ph' + ps'*cos(th)"
[constraints]
a = "ddt((A + b*cos(v))*cos(u)) = r*(w2*sin(v) - w3*cos(v)*sin(u))"
c = "ddt((A + b*cos(v))*sin(u)) = r*(w3*cos(v)*cos(u) - w1*sin(v))"
)toml",
                                 "t.toml");
  const Answer a = asked(question("invariant-measure"), ball, 60);
  CHECK(a.outcome == Outcome::proved);
  CHECK(a.answer.find("density")->text()->find("abs") == std::string::npos);
}

TEST_CASE("the angle of SE(2) is an angle: exp(-th/4) is no density there, as it is none on a circle") {
  const std::string
      parameters =
          "[parameters]\nA = { value = 2, positive = true }\nB = { value = 3, positive = true }\n"
          "C = { value = 1, positive = true }\np = \"1/3\"\nq = \"1/4\"\ns = \"1/5\"\n",
      energy = "lagrangian = \"1/2*(A*v1^2 + B*v2^2 + C*w^2) + p*v1*w + q*v2*w + s*v1*v2\"\n";
  const System group =
      read_model(energy +
                     "constraints = { fin = \"v2 = 0\" }\n[space]\ng = { group = \"SE(2)\", coordinates = "
                     "[\"x\", \"y\", \"th\"], velocities = [\"v1\", \"v2\", \"w\"] }\n" +
                     parameters,
                 "group");
  const auto chart = [&](const std::string& angle) {
    return read_model(energy + "constraints = { fin = \"v2 = 0\" }\n[space]\nx = \"R\"\ny = \"R\"\nth = \"" +
                          angle + "\"\n" + parameters +
                          "[define]\nv1 = \"x'*cos(th) + y'*sin(th)\"\nv2 = \"y'*cos(th) - x'*sin(th)\"\n"
                          "w = \"th'\"\n",
                      "chart");
  };
  const auto measure = [](const System& system) { return asked(question("invariant-measure"), system, 60); };
  for (const System& turning : {group, chart("S1")}) {
    const Answer a = measure(turning);
    CHECK(a.outcome == Outcome::refuted);
    CHECK(text(a.unless) == "q = 0 and s = 0");
    const System closed = with_values(turning, {{"A", "2"}, {"p", "1"}, {"q", "1/4"}, {"s", "1/2"}});
    CHECK(measure(closed).outcome == Outcome::refuted);  // closed, and not exact
    CHECK(measure(with_values(turning, {{"q", "0"}, {"s", "0"}})).outcome == Outcome::proved);
  }
  CHECK(text(measure(chart("R")).unless) == "A*q = p*s");  // where the angle counts its turns
}

TEST_CASE("a thermostat's density is a power of exp(V) and a root on the sphere of velocities (M.10)") {
  const auto isokinetic = [](const std::string& held) {
    return read_model(
        "lagrangian = \"1/2*m*(x'^2 + y'^2 + z'^2) - 1/2*k*(x^2 + 2*y^2) - y*z\"\n"
        "space = { x = \"R\", y = \"R\", z = \"R\" }\n[parameters]\n"
        "m = { value = 1, positive = true }\nE = { value = 1, positive = true }\nk = 1\n"
        "[constraints]\nheld = \"" +
            held + "\"\n",
        "isokinetic");
  };
  const Answer a = asked(question("invariant-measure"), isokinetic("1/2*m*(x'^2 + y'^2 + z'^2) = E"), 60);
  REQUIRE(a.outcome == Outcome::proved);
  CHECK(a.evidence.exact);
  // What is held otherwise has no density of this kind.
  CHECK(asked(question("invariant-measure"), isokinetic("x'^2 + 2*y'^2 + 3*z'^2 = E"), 60).outcome ==
        Outcome::not_found);
}

TEST_CASE("a density that changes with time is no invariant measure of equations without time") {
  const System damped =
      read_model("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"-x'\" }\n", "damped");
  CHECK_THROWS_AS(measure_conjecture(damped, parse("exp(t)", damped.scope)), const Error&);
  const System driven =
      read_model("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"-t*x'\" }\n", "driven");
  CHECK(measure_conjecture(driven, parse("exp(t^2/2)", driven.scope)).outcome == Outcome::proved);
}
