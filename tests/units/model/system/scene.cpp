// [scene]: what a model wants drawn, and what is drawn when it says nothing.
#include <doctest/doctest.h>

#include <string>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/view/film/scene.hpp>

using namespace rattleback;

namespace {

const std::string skate = R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + theta'^2)"
[space]
x = "R"
y = "R"
theta = "S1"
[constraints]
blade = "y'*cos(theta) = x'*sin(theta)"
)toml";

System model(const std::string& text) { return read_model(text, "models/example.toml"); }

std::string slug_of(const std::string& scene) {
  try {
    model(skate + scene);
  } catch (const Error& error) {
    CHECK(!error.where.empty());
    return error.slug;
  }
  return "";
}

bool same(const System& s, Expr e, const std::string& expected) {
  return proved(are_equal(e, parse(expected, s.scope)));
}

}  // namespace

TEST_CASE("shapes, where they are, and traces") {
  const System s = model(skate + R"toml(
[scene]
view = "above"
[scene.body]
box = [1, "1/2", 0.1]
at = "[x + cos(theta)/2, y + sin(theta)/2]"
rotation = "Rz(theta)"
color = "green"
[scene.path]
trace = ["x", "y", 0]
[scene.string]
line = ["[0, 0, 0]", "[x, y, 0]", "[x, y, 1]"]
)toml");
  REQUIRE(s.scene);
  CHECK(s.scene->above == true);
  REQUIRE(s.scene->shapes.size() == 3);
  const Shape& body = s.scene->shapes[0];
  CHECK(body.kind == Shape::Kind::box);
  CHECK(body.name == "body");
  CHECK(body.color == "green");
  CHECK(same(s, body.sizes[1], "1/2"));
  CHECK(same(s, body.at[0], "x + cos(theta)/2"));
  CHECK(body.at[2].is_zero());
  CHECK(same(s, body.rotation(1, 0), "sin(theta)"));
  CHECK(s.scene->shapes[1].kind == Shape::Kind::trace);
  CHECK(s.scene->shapes[2].points.size() == 3);
}

TEST_CASE("a shape in the axes of a body moves with it") {
  const System with = model(R"toml(
[space]
theta = "S1"
[bodies.rod]
mass = "1"
inertia = "diag(1, 1, 1)"
position = "[cos(theta), sin(theta), 0]"
rotation = "Rz(theta)"
[scene.tip]
sphere = 0.1
body = "rod"
at = "[1, 0, 0]"
)toml");
  REQUIRE(with.scene);
  CHECK(same(with, with.scene->shapes[0].at[0], "2*cos(theta)"));
  CHECK(same(with, with.scene->shapes[0].rotation(0, 1), "-sin(theta)"));
}

TEST_CASE("a net is a family of thin lines over its letters, even where the model uses them") {
  const System s = model(skate + R"toml(
[parameters]
m = 1
[define]
u = "x + y"
[scene.bowl]
net = "[u*cos(v), u*sin(v), m*u^2]"
u = [0, "2*m"]
v = [0, "2*pi"]
[scene.ring]
net = "[cos(v), sin(v), x]"
v = [0, "pi"]
color = "red"
)toml");
  REQUIRE(s.scene);
  const std::vector<Shape>& lines = s.scene->shapes;
  REQUIRE(lines.size() == 13 + 7 + 1);
  for (const Shape& line : lines) CHECK((line.kind == Shape::Kind::line && line.sizes.size() == 1));
  const Matrix &inner = lines[3].points.front(), &outer = lines[3].points.back();  // v = pi/2
  CHECK(same(s, inner[2], "0"));
  CHECK(same(s, outer[0], "0"));
  CHECK(same(s, outer[1], "2*m"));
  CHECK(same(s, outer[2], "4*m^3"));
  CHECK(lines.back().color == "red");
  CHECK(same(s, lines.back().points.back()[0], "-1"));
  CHECK(same(s, lines.back().points.back()[2], "x"));
}

TEST_CASE("mistakes in a scene are named, with their place") {
  CHECK(slug_of("[scene.a]\nnet = \"[u, v, 0]\"\n") == "missing-key");
  CHECK(slug_of("[scene.a]\nnet = \"[u, v, 0]\"\nu = [0, 1]\n") == "unknown-symbol");
  CHECK(slug_of("[scene.a]\nnet = \"[u, 0]\"\nu = [0, 1]\n") == "shape-mismatch");
  CHECK(slug_of("[scene.a]\nnet = \"[u, 0, 0]\"\nu = [0, \"x\"]\n") == "wrong-type");
  CHECK(slug_of("[scene]\nview = \"below\"\n") == "wrong-type");
  CHECK(slug_of("[scene.a]\nbox = [1, 2]\n") == "shape-mismatch");
  CHECK(slug_of("[scene.a]\nat = \"[x, y, 0]\"\n") == "missing-key");
  CHECK(slug_of("[scene.a]\nsphere = 1\ndisk = 1\n") == "conflicting-keys");
  CHECK(slug_of("[scene.a]\nsphere = 1\ncolour = \"blue\"\n") == "unknown-key");
  CHECK(slug_of("[scene.a]\nsphere = 1\ncolor = \"mauve\"\n") == "wrong-type");
  CHECK(slug_of("[scene.a]\nsphere = 1\nat = \"[x', 0, 0]\"\n") == "velocity-not-allowed");
  CHECK(slug_of("[scene.a]\nline = [\"[x, y, 0]\"]\n") == "wrong-count");
  CHECK(slug_of("[scene.a]\nsphere = 1\nbody = \"wheel\"\n") == "unknown-body");
  CHECK(slug_of("[scene.a]\nsphere = \"thetta\"\n") == "unknown-symbol");
  CHECK(slug_of("[scene]\nwheel = 3\n") == "wrong-type");
}

TEST_CASE("without a scene, contacts and coordinates suggest one") {
  const Scene disk = scene_of(load_model("falling-disk"));
  REQUIRE(!disk.shapes.empty());
  CHECK(disk.shapes[0].kind == Shape::Kind::disk);
  CHECK(disk.ground == Ground::plane);

  const Scene planar = scene_of(model(skate));
  REQUIRE(planar.shapes.size() == 2);
  CHECK(planar.shapes[0].kind == Shape::Kind::box);
  CHECK(planar.shapes[1].kind == Shape::Kind::trace);
  CHECK(planar.above == true);

  const Scene angle = scene_of(model("lagrangian = \"1/2*theta'^2\"\n[space]\ntheta = \"S1\"\n"));
  REQUIRE(angle.shapes.size() == 1);
  CHECK(angle.shapes[0].kind == Shape::Kind::disk);

  for (const Shape& s : planar.shapes) CHECK(!s.color.empty());
  System algebra = load_model("suslov-algebra");  // no positions: a path of velocities
  algebra.scene.reset();
  REQUIRE(scene_of(algebra).shapes.size() == 1);
  CHECK(scene_of(algebra).shapes[0].kind == Shape::Kind::trace);
}
