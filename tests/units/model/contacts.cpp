// Points of contact on surfaces of every kind, and bodies that a contact places.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/contact_limits.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/rates.hpp>

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

TEST_CASE("any convex surface rolls on a thin wire, unless the wire curves towards it more sharply") {
  // On the inner side of a circle of radius 2: the curvature 1/2 of the wire against that of the body along it.
  const auto fits = [](const std::string& surface, double v) {
    const System s = read_model(
        "[bodies.b]\nmass = 1\nshape = { ball = 1 }\n[contacts.c]\nbody = \"b\"\nsurface = " + surface +
            "\non = { curve = [\"2*cos(u)\", \"2*sin(u)\", \"0\"] }\ncoordinates = [\"u\", \"v\", \"B\"]\n",
        "wire.toml");
    // At u = 0 the wire runs along e2; the body's longest axis lies along it, the contact at the point of its equator towards n.
    const double n1 = std::sin(v), n3 = std::cos(v);
    Numbers at;
    for (const Symbol q : s.space.functions()) {
      const std::map<std::string, double> known{{"u", 0},
                                                {"v", v},
                                                {"c_X", -n1},
                                                {"c_Y", 0},
                                                {"c_Z", -n3},
                                                {"c_k", 2},
                                                {"c_p", std::atan2(-n3, std::abs(n1))},
                                                {"c_q", n1 > 0 ? M_PI : 0}};
      at.emplace(q, known.contains(q.name())        ? known.at(q.name())
                    : q.attributes().entry % 4 == 0 ? 1.0
                                                    : 0.0);
    }
    return std::ranges::all_of(contact_limits(s),
                               [&](const ContactLimit& limit) { return evaluate(limit.positive, at) > 0; });
  };
  for (const auto& [b, inside_fits] :
       {std::pair("1", true), std::pair("7/5", true), std::pair("3/2", false)}) {
    // Radius of curvature b^2 along the wire, 1 across.
    const std::string l = b;
    for (const std::string& surface :
         {"{ ellipsoid = [1, \"" + l + "\", 1] }", "{ implicit = \"X^2 + Y^2/(" + l + ")^2 + Z^2 - 1\" }",
          "{ parametric = [\"cos(p)*cos(q)\", \"" + l + "*cos(p)*sin(q)\", \"sin(p)\"] }"}) {
      CAPTURE(surface);
      CHECK(fits(surface, -1.5) == inside_fits);
      CHECK(fits(surface, 1.5));
    }
  }
  CHECK(fits("{ sphere = \"19/10\" }", -1.5));
  CHECK_FALSE(fits("{ sphere = \"21/10\" }", -1.5));
}

TEST_CASE("coordinates of a parametric surface that go round are one position, and may be left out") {
  const auto moved = [](const std::string& surface) {
    const Flow flow(
        read_model("gravity = 10\n[bodies.b]\nmass = 1\nshape = { ball = 1 }\n[contacts.c]\nbody = \"b\"\n"
                   "surface = " +
                       surface +
                       "\n[simulation]\ninitial = { c_u = 0, c_v = 0, c = \"Rz(3/10)*Rx(2/5)*Ry(1/5)\", "
                       "c_Omega = [1, 2, 3] }\n",
                   "round.toml"));
    RunOptions options;
    options.until = 0.2;
    const std::vector<double> end = trajectory(flow, initial_state(flow), options).final_row;
    return std::vector<double>(end.begin(), end.begin() + 11);  // the point of contact and the rotation
  };
  const std::vector<double> ellipsoid = moved("{ ellipsoid = [1, 1, \"9/10\"] }");
  const std::vector<double> round =
      moved("{ parametric = [\"cos(p)*cos(q)\", \"cos(p)*sin(q)\", \"9/10*sin(p)\"] }");
  for (std::size_t k = 0; k < ellipsoid.size(); ++k) CHECK(round[k] == doctest::Approx(ellipsoid[k]));
}

namespace {

/// A cone of height 0.4 over a base of radius 0.3, whose apex is held where it rolls.
System cone_on(const std::string& surface, const std::string& on, const std::string& joint = "spherical") {
  return read_model(
      "gravity = 10\ndown = \"[-3/5, 0, -4/5]\"\n[bodies.cone]\nmass = 1\n"
      "inertia = [\"27/1000\", \"9/250\", \"9/250\"]\ncenter = [\"3/10\", 0, 0]\n[joints.apex]\nkind = \"" +
          joint + "\"\nchild = \"cone\"\n[contacts.c]\nbody = \"cone\"\nsurface = " + surface + "\non = " +
          on + "\n[simulation]\ninitial = { apex = \"Ry(-atan(3/4))\", apex_Omega = [2, 0, \"-3/2\"] }\n",
      "cone.toml");
}
const char* const cone = "{ cone = [\"atan(3/4)\", \"1/2\"], axis = \"e1\" }";

std::vector<double> rates_at_start(const System& s) {
  const Flow flow(s);
  const std::vector<double> y = initial_state(flow);
  std::vector<double> f(y.size());
  Rates rates(flow);
  rates(0, y.data(), f.data());
  return f;
}

}  // namespace

TEST_CASE("a cone on a plane rolls as its edge does; on a flat cone as on a plane, on a wide one not") {
  const System s = cone_on(cone, "\"plane\"");
  CHECK(s.constraints.size() == 2);  // the angle of its axis, no turning about the normal
  const std::vector<double> by_edge =
      rates_at_start(cone_on("{ disk = \"3/10\", axis = \"e1\", center = [\"2/5\", 0, 0] }", "\"plane\""));
  const auto differ = [&](const std::vector<double>& f) {
    double most = 0;
    for (std::size_t i = 0; i < f.size(); ++i) most = std::max(most, std::abs(f[i] - by_edge[i]));
    return most;
  };
  CHECK(differ(rates_at_start(s)) < 1e-12);
  CHECK(differ(rates_at_start(cone_on(cone, "{ cone = \"pi/2\", axis = \"-e3\" }"))) < 1e-12);
}

TEST_CASE(
    "bevel gears: two cones with one apex, outside and inside each other, turn by the sines of their "
    "angles") {
  const auto ratio = [](const std::string& axis, const std::string& side) {
    const System s = read_model(
        "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n"
        "[joints.one]\nkind = \"revolute\"\nchild = \"a\"\n[joints.two]\nkind = \"revolute\"\nchild = "
        "\"b\"\naxis = " +
            axis + "\n[contacts.c]\nbody = \"b\"\nsurface = { cone = [\"pi/6\", 2], axis = " + axis +
            " }\non = { body = \"a\", cone = \"pi/3\"" + side + " }\n",
        "bevel.toml");
    REQUIRE(s.constraints.size() == 1);
    const auto& v = s.space.velocities();
    const std::vector<Expr> slopes = gradient(s.constraints[0].expression, v);
    return -evaluate(slopes[0] / slopes[1], {});  // two' / one'
  };
  const double wide = std::sin(M_PI / 3) / std::sin(M_PI / 6);
  CHECK(ratio("\"e1\"", "") == doctest::Approx(-wide));
  CHECK(ratio("[\"1/2\", 0, \"sqrt(3)/2\"]", ", side = \"inside\"") == doctest::Approx(wide));
}

TEST_CASE("a cone needs its apex where it rolls") {
  const auto why = [](const std::string& on, const std::string& joint) -> std::string {
    try {
      cone_on(cone, on, joint);
    } catch (const Error& e) {
      return e.slug + ": " + e.summary;
    }
    return "";
  };
  CHECK(why("{ normal = \"e3\", height = \"-1\" }", "spherical") ==
        "unsupported-contact: a cone whose apex is not in the plane that it rolls on");
  CHECK(why("{ cone = \"pi/2\", axis = \"-e3\", center = [0, 0, -1] }", "spherical") ==
        "unsupported-contact: a cone on a cone with another apex");
  CHECK(why("{ sphere = 1, center = [0, 0, -1] }", "spherical") ==
        "unsupported-contact: a cone that need not touch along a line");
}

TEST_CASE(
    "a ball that starts too near to the apex of a turning cone is told so, not that the motor has no angle") {
  const auto slug = [](const char* v) -> std::string {
    const Flow flow(read_model(std::string(R"toml(
[bodies.cone]
mass = 0
[bodies.ball]
mass = 1
shape = { ball = "1/10" }
[joints.motor]
kind = "revolute"
child = "cone"
drive = "3*t"
[contacts.wall]
body = "ball"
surface = { sphere = "1/10" }
on = { body = "cone", cone = "pi/4", side = "inside" }
coordinates = ["u", "v", "B"]
[simulation]
initial = { u = 0, B = "1", B_Omega = [0, 0, 5], v = )toml") +
                                   v + " }\n",
                               "turning.toml"));
    try {
      initial_state(flow);
    } catch (const Error& e) {
      return e.slug;
    }
    return "";
  };
  CHECK(slug("0.8") == "");
  CHECK(slug("0.05") == "tight-contact");
}
