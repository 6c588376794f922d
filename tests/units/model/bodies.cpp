// Rigid bodies and contacts, held against energies and constraints derived by hand.
#include <doctest/doctest.h>

#include <string>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

namespace {

System model(const std::string& text) { return read_model(text, "body.toml"); }

bool same(const System& s, Expr e, const std::string& expected) {
  return proved(are_equal(e, parse(expected, s.scope)));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// The rows ∂C_s/∂v^i of a system with linear constraints.
Matrix rows(const System& s) {
  std::vector<Expr> all;
  for (const Constraint& c : s.constraints) all.push_back(c.expression);
  return jacobian(all, s.space.velocities());
}

const std::string disk = R"toml(
gravity = "g"
[space]
x = "R"
y = "R"
theta = "S1"
phi = "S1"
psi = "S1"
[parameters]
m = { positive = true }
R = { positive = true }
I = { positive = true }
J = { positive = true }
g = {}
[contacts.ground]
body = "disk"
surface = { disk = "R", axis = "e2" }
[bodies.disk]
mass = "m"
inertia = "[J, I, J]"
position = "[x, y, 0] + R*(Rz(phi)*Rx(theta)*e3)"
)toml";

const std::string ball = R"toml(
[space]
x = "R"
y = "R"
z = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[parameters]
r = { positive = true }
l = {}
[bodies.ball]
mass = 1
inertia = [1, 2, 3]
rotation = "B"
)toml";

}  // namespace

TEST_CASE("the energy of a disk does not contain the angle about its axis of symmetry") {
  const System s = model(disk + "rotation = \"Rz(phi)*Rx(theta)*Ry(psi)\"\n");
  CHECK(same(
      s, s.lagrangian,
      "m/2*((x' + R*(phi'*cos(phi)*sin(theta) + theta'*sin(phi)*cos(theta)))^2"
      " + (y' + R*(phi'*sin(phi)*sin(theta) - theta'*cos(phi)*cos(theta)))^2 + R^2*theta'^2*sin(theta)^2)"
      " + J/2*(theta'^2 + phi'^2*cos(theta)^2) + I/2*(psi' + phi'*sin(theta))^2 - m*g*R*cos(theta)"));
  CHECK_FALSE(contains(s.lagrangian, parse("psi", s.scope).symbol()));
}

TEST_CASE("joint rates and R^T R' give the same angular velocity") {
  const std::string space =
      "[space]\na = \"S1\"\nb = \"S1\"\nc = \"S1\"\n[parameters]\nI1 = {}\nI2 = {}\nI3 = {}\n";
  const std::string body = "[bodies.top]\nmass = 1\nposition = [0, 0, 0]\ninertia = \"diag(I1, I2, I3)\"\n";
  const System chain = model(space + body + "rotation = \"Rz(a)*Rx(b)*Rz(c)\"\n");
  const System named =
      model(space + "[define]\nframe = \"Rz(a)*Rx(b)\"\n" + body + "rotation = \"frame*Rz(c)\"\n");
  const System matrix = model(space + body + "rotation = \"transpose(transpose(Rz(a)*Rx(b)*Rz(c)))\"\n");
  CHECK(chain.lagrangian == named.lagrangian);
  CHECK(chain.lagrangian != matrix.lagrangian);
  CHECK(proved(are_equal(chain.lagrangian, matrix.lagrangian)));
  CHECK(same(chain, chain.lagrangian,
             "1/2*(I1*(a'*sin(b)*sin(c) + b'*cos(c))^2 + I2*(a'*sin(b)*cos(c) - b'*sin(c))^2 + I3*(a'*cos(b) "
             "+ c')^2)"));
}

TEST_CASE("a group factor brings its body velocity") {
  const std::string body = "[bodies.top]\nmass = 1\nposition = [0, 0, 0]\ninertia = [1, 2, 3]\n";
  const System s = model("[space]\nB = { group = \"SO(3)\", body = \"W\", space = \"w\" }\n" + body +
                         "rotation = \"B\"\n");
  CHECK(same(s, s.lagrangian, "1/2*(W[1]^2 + 2*W[2]^2 + 3*W[3]^2)"));
  const System rotor =
      model("[space]\nB = { group = \"SO(3)\" }\nq = \"S1\"\n" + body + "rotation = \"B*Rz(q)\"\n");
  CHECK(same(
      rotor, rotor.lagrangian,
      "1/2*((Omega1*cos(q) + Omega2*sin(q))^2 + 2*(Omega2*cos(q) - Omega1*sin(q))^2 + 3*(Omega3 + q')^2)"));
}

TEST_CASE("weight points down, wherever down is") {
  const std::string point = "[space]\nx = \"R\"\nz = \"R\"\n[bodies.p]\nmass = 2\nposition = \"[x, 0, z]\"\n";
  const System s = model("gravity = 10\n" + point);
  CHECK(same(s, s.lagrangian, "x'^2 + z'^2 - 20*z"));
  const System tilted = model("gravity = 10\ndown = [\"3/5\", 0, \"-4/5\"]\n" + point);
  CHECK(same(tilted, tilted.lagrangian, "x'^2 + z'^2 + 12*x - 16*z"));
}

TEST_CASE("a rolling disk: two constraints, along and across its heading") {
  const System s = model(disk + "rotation = \"Rz(phi)*Rx(theta)*Ry(psi)\"\n");
  REQUIRE(s.constraints.size() == 2);  // it touches identically: no condition on the height
  CHECK(same(s, s.constraints[0].expression, "x'*cos(phi) + y'*sin(phi) - R*psi'"));
  CHECK(same(s, s.constraints[1].expression, "y'*cos(phi) - x'*sin(phi)"));
  CHECK(s.constraints[0].name == "ground_1");
  CHECK(s.constraints[0].reaction->direction == ContactReaction::Direction::along);
  REQUIRE(s.contacts.size() == 1);
  CHECK(same(s, s.contacts[0].point[0], "x"));
  CHECK(same(s, s.contacts[0].point[1], "y"));
  CHECK(same(s, s.contacts[0].point[2], "0"));
  CHECK(same(s, s.contacts[0].along[0], "cos(phi)"));
  CHECK(same(s, s.contacts[0].across[1], "cos(phi)"));
}

TEST_CASE("a disk in any attitude touches with the lowest point of its edge") {
  const std::string free =
      replaced(disk, "theta = \"S1\"\nphi = \"S1\"\npsi = \"S1\"", "z = \"R\"\nB = { group = \"SO(3)\" }");
  const std::string general = replaced(free, "[x, y, 0] + R*(Rz(phi)*Rx(theta)*e3)", "[x, y, z]");
  const System s = model(general + "rotation = \"B\"\n");
  REQUIRE(s.constraints.size() == 3);
  CHECK(same(s, *s.constraints[0].position, "z - R*sqrt(1 - B[3,2]^2)"));
  const Contact& c = s.contacts[0];
  const Matrix r = c.point - s.bodies[0].r_G_S, axle = std::get<Matrix>(parse_value("B*e2", s.scope));
  CHECK(proved(is_zero(dot(r, axle))));     // in the plane of the disk
  CHECK(same(s, dot(r, r), "R^2"));         // on its edge
  CHECK(proved(is_zero(dot(c.along, r))));  // the edge is level there
  CHECK(proved(is_zero(dot(c.along, axle))));
  CHECK(same(s, dot(c.along, c.along), "1"));
  // rolling: v_G + omega x r along both tangents
  const Matrix slip = std::get<Matrix>(parse_value("[x', y', z']", s.scope)) +
                      cross(std::get<Matrix>(*s.scope.find("omega")), r);
  CHECK(proved(are_equal(s.constraints[1].expression, dot(slip, c.along))));
  CHECK(proved(are_equal(s.constraints[2].expression, dot(slip, c.across))));
  CHECK(refuted(are_equal(s.constraints[1].expression, dot(slip, c.across))));
}

TEST_CASE("a ball on a plane, with a mass centre off its centre") {
  const System s = model(ball + R"toml(
position = "[x, y, z]"
[contacts.c]
body = "ball"
surface = { sphere = "r", center = "[0, 0, l]" }
twist = false
)toml");
  REQUIRE(s.constraints.size() == 4);
  CHECK(s.constraints[0].name == "c_normal");
  CHECK(same(s, *s.constraints[0].position, "z + l*B[3,3] - r"));
  CHECK(same(s, s.constraints[0].expression, "z' + l*ddt(B[3,3])"));
  // v_G + omega x r_GC with r_GC = B*l*e3 - r*e3
  CHECK(same(s, s.constraints[1].expression, "x' + cross(omega, l*(B*e3) - r*e3)[1]"));
  CHECK(same(s, s.constraints[2].expression, "y' + cross(omega, l*(B*e3) - r*e3)[2]"));
  CHECK(same(s, s.constraints[3].expression, "omega[3]"));
  CHECK(s.constraints[3].name == "c_spin");
  CHECK(rank(rows(s)) == 4);
}

TEST_CASE(
    "a contact that holds identically writes no position constraint; one that slides no velocity "
    "constraint") {
  const std::string contact =
      "[contacts.c]\nbody = \"ball\"\nsurface = { sphere = \"r\", center = \"[0, 0, l]\" }\n";
  CHECK(model(ball + "position = \"[x, y, r - l*B[3,3]]\"\n" + contact).constraints.size() == 2);
  const System sliding =
      model(ball + "position = \"[x, y, z]\"\n" + contact + "rolls = false\non = { height = 2 }\n");
  REQUIRE(sliding.constraints.size() == 1);
  CHECK(same(sliding, *sliding.constraints[0].position, "z + l*B[3,3] - r - 2"));
}

TEST_CASE("a tilted plane") {
  const System s = model(ball + R"toml(
position = "[x, y, z]"
[contacts.c]
body = "ball"
surface = { sphere = "r" }
on = { normal = ["3/5", 0, "4/5"], height = 1 }
)toml");
  CHECK(same(s, *s.constraints[0].position, "3/5*x + 4/5*z - r - 1"));
  const Contact& c = s.contacts[0];
  CHECK(same(s, dot(c.along, c.normal), "0"));
  CHECK(same(s, dot(c.across, c.across), "1"));
  CHECK(rank(rows(s)) == 3);
}

TEST_CASE("an ellipsoid with equal axes is a sphere") {
  const std::string contact = "position = \"[x, y, r]\"\n[contacts.c]\nbody = \"ball\"\nsurface = ";
  const System sphere = model(ball + contact + "{ sphere = \"r\" }\n");
  const System ellipsoid =
      model(ball + contact + "{ ellipsoid = [\"r\", \"r\", \"r\"], axes = \"Rz(1)\" }\n");
  REQUIRE(ellipsoid.constraints.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(proved(are_equal(sphere.constraints[i].expression, ellipsoid.constraints[i].expression)));
}

TEST_CASE("a sphere given by an equation rolls like a sphere") {
  const std::string contact = "position = \"[x, y, z]\"\n[contacts.c]\nbody = \"ball\"\nsurface = ";
  const System sphere = model(ball + contact + "{ sphere = \"r\", center = \"[0, 0, l]\" }\n");
  const System implicit =
      model(ball + contact + "{ implicit = \"X^2 + Y^2 + Z^2 - r^2\", center = \"[0, 0, l]\" }\n");
  CHECK(implicit.space.dimension() == sphere.space.dimension() + 4);
  REQUIRE(implicit.constraints.size() == sphere.constraints.size() + 4);
  // At the lowest point, r_MC = -r*gamma with grad f = -2 r gamma, the four conditions hold ...
  SymbolMap lowest;
  for (int i = 1; i <= 3; ++i) {
    const std::string axis(1, "XYZ"[i - 1]), entry = "B[3," + std::to_string(i) + "]";
    lowest.emplace(parse("c_" + axis, implicit.scope).symbol(), parse("-r*" + entry, implicit.scope));
  }
  lowest.emplace(parse("c_k", implicit.scope).symbol(), parse("2*r", implicit.scope));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(proved(is_zero(substitute(*implicit.constraints[i].position, lowest))));
  // ... and the contact is that of the sphere.
  CHECK(proved(
      are_equal(substitute(*implicit.constraints[4].position, lowest), *sphere.constraints[0].position)));
  for (std::size_t i = 5; i < 7; ++i) {
    CHECK(proved(are_equal(substitute(implicit.constraints[i].expression, lowest),
                           sphere.constraints[i - 4].expression)));
  }
  CHECK(rank(rows(implicit)) == 7);
}

TEST_CASE("the contact point of an ellipsoid lies on it, with the plane's normal") {
  const System s = load_model("rolling-ellipsoid");
  const Matrix B = std::get<Matrix>(*s.scope.find("B"));
  const Matrix r_GC_B = transpose(B) * (s.contacts.at(0).point - s.bodies[0].r_G_S);
  const Matrix axes = std::get<Matrix>(parse_value("[b1, b2, b3]", s.scope));
  Expr f = -1;
  Matrix gradient_of_f(3, 1);
  for (int i = 0; i < 3; ++i) {
    f += pow(r_GC_B[i] / axes[i], 2);
    gradient_of_f[i] = r_GC_B[i] / pow(axes[i], 2);
  }
  CHECK(proved(is_zero(f)));
  const Matrix outward = B * gradient_of_f;
  CHECK(proved(is_zero(outward[0])));
  CHECK(proved(is_zero(outward[1])));
  CHECK(refuted(is_zero(outward[2])));
}

TEST_CASE("a ball on and in a cylinder") {
  const std::string contact = R"toml(
[space]
theta = "S1"
z = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[parameters]
r = { positive = true }
d = { positive = true }
[define]
normal = "[cos(theta), sin(theta), 0]"
tangent = "[-sin(theta), cos(theta), 0]"
[bodies.ball]
mass = 1
inertia = [1, 2, 3]
rotation = "B"
position = "[d*cos(theta), d*sin(theta), z]"
[contacts.c]
body = "ball"
surface = { sphere = "r" }
)toml";
  const System outside =
      model(contact + "on = { cylinder = \"d - r\", axis = \"e3\", side = \"outside\" }\n");
  REQUIRE(outside.constraints.size() == 2);  // the position keeps the distance
  // the wall is on the side of the axis: v_G - omega x r*normal = 0
  CHECK(same(outside, outside.constraints[0].expression, "z' - r*cross(omega, normal)[3]"));
  CHECK(same(outside, pow(outside.constraints[1].expression, 2),
             "(d*theta' - r*dot(cross(omega, normal), tangent))^2"));
  const System inside = model(contact + "on = { cylinder = \"d + r\", axis = \"e3\", side = \"inside\" }\n");
  CHECK(same(inside, inside.constraints[0].expression, "z' + r*cross(omega, normal)[3]"));
  CHECK(same(inside, pow(inside.constraints[1].expression, 2),
             "(d*theta' + r*dot(cross(omega, normal), tangent))^2"));
  // a ball that is not at the wall gets the condition to be there
  const std::string wall = "on = { cylinder = \"d\", axis = \"e3\", side = \"inside\" }\n";
  const System free =
      model(replaced(contact, "[d*cos(theta), d*sin(theta), z]", "[d*cos(theta), z, 0]") + wall);
  CHECK(free.constraints.size() == 3);
  CHECK_THROWS_AS(model(contact + wall), Error);  // no motion leads to the wall
}

TEST_CASE("a bicycle: the rear wheel touches identically, the front wheel ties the pitch") {
  const System s = load_model("bicycle");
  std::string names;
  for (const Constraint& c : s.constraints) names += c.name + " ";
  CHECK(names == "rear_1 rear_2 front_normal front_1 front_2 ");
  CHECK(same(s, s.constraints[0].expression, "x'*cos(yaw) + y'*sin(yaw) - rR*rear'"));
  CHECK(s.contacts.size() == 2);
  SymbolMap straight;
  for (const char* q : {"x", "y", "yaw", "lean", "pitch", "steer"})
    straight.emplace(parse(q, s.scope).symbol(), Expr(0));
  CHECK(proved(is_zero(substitute(*s.constraints[2].position, straight))));
  CHECK(proved(
      are_equal(substitute(s.contacts[1].point[0], straight), parse("w", s.scope))));  // the wheel base
}
