// Points of contact on surfaces of every kind, and bodies that a contact places.
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/contact_limits.hpp>

using namespace rattleback;

namespace {

System model(const std::string& on, const std::string& surface = "{ sphere = \"r\" }") {
  return read_model(R"toml(
[parameters]
r = { value = "1/5", positive = true }
[functions]
h = { of = ["x", "y"], value = "x*y" }
[bodies.stone]
mass = 1
inertia = [1, 2, 3]
center = [0, "1/10", 0]
[contacts.c]
body = "stone"
coordinates = ["u", "v", "B"]
surface = )toml" + surface +
                        "\non = " + on + "\n",
                    "model.toml");
}

Numbers values(const System& s) {
  Numbers at;
  for (const auto& [p, value] : parameter_values(s)) at.emplace(p, evaluate(value, {}));
  int k = 0;
  const double B[] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
  for (const Symbol q : s.space.functions())
    at.emplace(q, q.role() == Role::rotation ? B[q.attributes().entry] : 0.4 + 0.3 * k++);
  for (const Symbol v : s.space.velocities()) at.emplace(v, 0.7 - 0.2 * k++);
  return at;
}

std::vector<double> numbers(const System& s, const Matrix& v, const Numbers& at) {
  std::vector<Expr> known;
  for (const Expr e : v.entries()) known.push_back(with_formulas(s, e));
  return evaluate(known, at);
}
double number(const System& s, Expr e, const Numbers& at) { return evaluate(with_formulas(s, e), at); }

const char* const supports[] = {
    "{ normal = \"[0, 0, -1]\" }",
    "{ normal = \"[0, -1, 0]\", height = \"1\" }",
    "\"plane\"",
    "{ normal = [\"3/5\", 0, \"4/5\"], height = 1 }",
    "{ sphere = 2, center = [0, 0, 2], side = \"inside\" }",
    "{ sphere = 2 }",
    "{ cylinder = 1, axis = \"e1\" }",
    "{ cone = \"pi/6\", side = \"inside\" }",
    "{ torus = [3, 1], axis = \"e2\" }",
    "{ revolution = [\"u\", \"u^2/2\"] }",
    "{ graph = \"h(x, y)\" }",
    "{ graph = \"h(x, y)\", side = \"below\" }",
    "{ parametric = [\"u\", \"v + u\", \"u^3/3\"] }",
    "{ curve = [\"2*cos(u)\", \"2*sin(u)\", \"u/4\"], radius = \"1/10\" }",
};
const char* const surfaces[] = {"{ sphere = \"r\" }", "{ disk = \"r\", axis = \"e2\" }",
                                "{ disk = \"r\", axis = \"e2\", crown = \"r/3\" }",
                                "{ ellipsoid = [\"r\", \"2*r\", \"r/2\"], axes = \"Rz(1)\" }"};

}  // namespace

TEST_CASE(
    "a contact places its body: normals are orthonormal to tangents, and the body's point moves with no "
    "normal velocity") {
  for (const char* on : supports) {
    for (const char* surface : surfaces) {
      CAPTURE(on);
      CAPTURE(surface);
      const System s = model(on, surface);
      CHECK(s.space.dimension() == 5);
      REQUIRE(s.constraints.size() == 2);  // it rolls; the position keeps it in touch
      const Contact& c = s.contacts.at(0);
      const Numbers at = values(s);
      const auto n = numbers(s, c.normal, at), t = numbers(s, c.along, at), b = numbers(s, c.across, at);
      const auto product = [](const std::vector<double>& x, const std::vector<double>& y) {
        return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
      };
      CHECK(product(n, n) == doctest::Approx(1));
      CHECK(product(t, t) == doctest::Approx(1));
      CHECK(product(b, b) == doctest::Approx(1));
      CHECK(std::abs(product(n, t)) < 1e-12);
      CHECK(std::abs(product(n, b)) < 1e-12);
      const RigidBody& body = s.bodies.at(0);
      const Matrix v = body.v_G_S + cross(body.attitude.w_SB_S(), c.point - body.r_G_S);
      CHECK(std::abs(product(n, numbers(s, v, at))) < 1e-12);
      CHECK(std::abs(product(t, numbers(s, v, at)) - number(s, c.slip_along, at)) < 1e-12);
      CHECK(std::abs(product(b, numbers(s, v, at)) - number(s, c.slip_across, at)) < 1e-12);
      CHECK(std::abs(number(s, c.slip_along, at)) > 1e-6);  // a contact that slips would be seen
    }
  }
}

TEST_CASE("an implicit support has three coordinates and one condition") {
  const System s = read_model(R"toml(
[bodies.ball]
mass = 1
shape = { ball = "1/5" }
[contacts.c]
body = "ball"
surface = { sphere = "1/5" }
on = { implicit = "x^2/4 + y^2 + z^2 - 1" }
)toml",
                              "model.toml");
  CHECK(s.space.dimension() == 6);
  CHECK(s.constraints.size() == 3);
}

TEST_CASE(
    "a ball that is placed by joints: closed forms on round surfaces, coordinates of contact on others") {
  const auto ball = [](const std::string& on) {
    return read_model(R"toml(
[bodies.ball]
mass = 1
shape = { ball = "1/5" }
[joints.j]
kind = "free"
child = "ball"
coordinates = ["x", "y", "z", "B"]
[contacts.c]
body = "ball"
surface = { sphere = "1/5" }
on = )toml" + on + "\n",
                      "model.toml");
  };
  for (const char* on : {"{ sphere = 2 }", "{ cylinder = 1 }", "{ cone = \"pi/4\", side = \"inside\" }",
                         "{ torus = [2, 1] }"}) {
    CAPTURE(on);
    const System s = ball(on);
    CHECK(s.space.dimension() == 6);
    CHECK(s.constraints.size() == 3);
  }
  const System s = ball("{ graph = \"(x^2 + y^2)/4\" }");
  CHECK(s.space.dimension() == 8);
  CHECK(s.constraints.size() == 5);
  // The ball's centre lies at its radius above the point of contact.
  Numbers at;
  const double u = 0.6, v = -0.2, w = std::sqrt(1 + (u * u + v * v) / 4);
  for (const Symbol q : s.space.functions()) {
    const std::map<std::string, double> known{{"c_u", u},
                                              {"c_v", v},
                                              {"x", u - 0.2 * u / 2 / w},
                                              {"y", v - 0.2 * v / 2 / w},
                                              {"z", (u * u + v * v) / 4 + 0.2 / w}};
    at.emplace(q, known.contains(q.name()) ? known.at(q.name()) : q.attributes().entry % 4 == 0 ? 1.0 : 0.0);
  }
  for (const Constraint& c : s.constraints)
    if (c.position) CHECK(std::abs(evaluate(*c.position, at)) < 1e-12);
}

TEST_CASE("a body must fit where it touches") {
  for (const auto& [curve, fits] : {std::pair("x^2/2 + y^2", true), std::pair("3*x^2 + y^2", false)}) {
    const System s = model(std::string("{ graph = \"") + curve + "\" }");
    Numbers at = values(s);
    for (const Symbol q : s.space.functions())
      if (q.role() != Role::rotation) at[q] = 0;
    bool all = true;
    for (const ContactLimit& limit : contact_limits(s)) all = all && evaluate(limit.positive, at) > 0;
    CHECK(all == fits);
  }
}
