/// Densities: what excludes every one of them, and how the one that is found is written.
#include <doctest/doctest.h>

#include <rattleback/model/load.hpp>
#include <rattleback/proof/question.hpp>

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
  CHECK(measure("-c*phi'^3*cosh(phi')").outcome == Outcome::inapplicable);  // none at rest: nothing follows
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
