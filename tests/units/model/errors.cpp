// Errors point: slug, line and column of every mistake a model can contain.
#include <doctest/doctest.h>

#include <string>

#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

namespace {

Error error_of(const std::string& model) {
  try {
    read_model(model, "model.toml");
  } catch (const Error& error) {
    return error;
  }
  return {"nothing", "no error"};
}

/// slug line:column
std::string found(const std::string& model) {
  const Error error = error_of(model);
  if (error.where.empty()) return error.slug;
  CHECK(error.where[0].file == "model.toml");
  CHECK_FALSE(error.fix.empty());
  return error.slug + " " + std::to_string(error.where[0].line) + ":" + std::to_string(error.where[0].column);
}

const std::string plane = "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n";  // 4 lines
const std::string body =
    "[space]\nx = \"R\"\ny = \"R\"\nB = { group = \"SO(3)\" }\n[bodies.ball]\nmass = 1\n";  // 6 lines

}  // namespace

TEST_CASE("the report of style: an unknown symbol with its line, its carets and a fix") {
  const Error error = error_of(
      "title = \"Sleigh\"\n\nlagrangian = \"m/2*(x'^2 + y'^2) + J/2*thetadot^2\"\n"
      "[space]\nx = \"R\"\ny = \"R\"\ntheta = \"S1\"\n[parameters]\nm = 1\nJ = 1\n");
  CHECK(report(error) ==
        "error[unknown-symbol]: `thetadot` is not a coordinate, velocity or parameter of this model\n"
        "  --> model.toml:3:39\n"
        "   3 | lagrangian = \"m/2*(x'^2 + y'^2) + J/2*thetadot^2\"\n"
        "     |                                       ^^^^^^^^\n"
        "  fix: the velocity of a coordinate is written with a prime; use `theta'`\n");
}

TEST_CASE("expressions: the place is the character inside the string") {
  CHECK(found("lagrangian = \"1/2*z'^2\"\n[space]\nx = \"R\"\n") == "unknown-symbol 1:19");
  CHECK(found("lagrangian = '1/2*z^2'\n[space]\nx = \"R\"\n") == "unknown-symbol 1:19");
  CHECK(found("lagrangian = \"1/2*x'^^2\"\n[space]\nx = \"R\"\n") == "syntax 1:22");
  CHECK(found("lagrangian = \"1/2*x'^2 + \"\n[space]\nx = \"R\"\n") == "syntax 1:26");
  CHECK(found("lagrangian = \"sin(x)/0\"\n[space]\nx = \"R\"\n") == "division-by-zero 1:21");
  CHECK(found("lagrangian = \"x' + [x, x]\"\n[space]\nx = \"R\"\n") == "shape-mismatch 1:20");
  CHECK(found("lagrangian = \"ddt(x')\"\n[space]\nx = \"R\"\n") == "acceleration 1:15");
  CHECK(found("lagrangian = \"x''\"\n[space]\nx = \"R\"\n") == "acceleration 1:15");
}

TEST_CASE("places survive escapes, letters beyond ASCII, and lines that are joined") {
  CHECK(found("lagrangian = \"\\u0031/2*z\"\n[space]\nx = \"R\"\n") == "unknown-symbol 1:24");
  CHECK(found("lagrangian = \"\"\"1/2*x'^2 \\\n    + zz\"\"\"\n[space]\nx = \"R\"\n") ==
        "unknown-symbol 2:7");
  CHECK(found("lagrangian = \"\"\"\n1/2*x'^2\n+ zz\"\"\"\n[space]\nx = \"R\"\n") == "unknown-symbol 3:3");
  CHECK(found("\xEF\xBB\xBFlagrangian = \"zz\"\n[space]\nx = \"R\"\n").starts_with("unknown-symbol 1:"));
  CHECK(found(plane + "[simulation]\ninitial = { x = 0, y = \"zz\" }\n") == "unknown-symbol 6:25");
  CHECK(found("title = \"Übung\"\r\nlagrangian = \"zz\"\r\n[space]\r\nx = \"R\"\r\n") ==
        "unknown-symbol 2:15");
  const Error error = error_of("[space]\nx = \"R\"\n[parameters]\n\"µ\" = { about = \"θθ\", valu = 1 }\n");
  CHECK(error.slug == "invalid-name");
  CHECK(report(error).find("     | ^^^\n") != std::string::npos);
}

TEST_CASE("sections and keys") {
  CHECK(found(plane + "[constraint]\na = \"x' = 0\"\n") == "unknown-section 5:2");
  CHECK(found("lagranian = \"x\"\n") == "unknown-key 1:1");
  CHECK(found(plane + "[parameters]\nm = { vale = 1 }\n") == "unknown-key 6:7");
  CHECK(found(plane + "[simulation]\nuntill = 1\n") == "unknown-key 6:1");
  CHECK(found("space = 1\n") == "wrong-type 1:9");
  CHECK(found("lagrangian = true\n[space]\nx = \"R\"\n") == "wrong-type 1:14");
  CHECK(found("references = \"me\"\n" + plane) == "wrong-type 1:14");
  CHECK(found("lagrangian = 1911-05-27\n[space]\nx = \"R\"\n") == "wrong-type 1:14");
  CHECK(error_of("lagranian = \"x\"\n").fix == "did you mean `lagrangian`?");
  CHECK(error_of(plane + "[initial]\nx = 1\n").fix ==
        "it stands in another section: [simulation] initial = { x = 0, u = 1 }");
}

TEST_CASE("names") {
  CHECK(found(plane + "[parameters]\nx = 1\n") == "duplicate-name 3:1");
  CHECK(found("lagrangian = \"x\"\n[space]\nx = \"R\"\nx = \"S1\"\n") == "duplicate-name 4:1");
  CHECK(found(plane + "[space]\nz = \"R\"\n") == "duplicate-name 5:2");
  CHECK(found(plane + "[define]\nsin = \"x\"\n") == "reserved-name 6:1");
  CHECK(found(plane + "[parameters]\ne1 = 1\n") == "reserved-name 6:1");
  CHECK(found(plane + "[constraints]\nroll-x = \"x' = 0\"\n") == "invalid-name 6:1");
  CHECK(found("[space]\nr1 = \"R\"\nB = { group = \"SE(3)\" }\n").starts_with("duplicate-name 3:"));
  CHECK(error_of(plane + "[parameters]\nx = 1\n").where.size() == 2);
}

TEST_CASE("the space") {
  CHECK(found("lagrangian = \"1\"\n") == "missing-space 0:0");
  CHECK(found("lagrangian = \"1\"\n[space]\n") == "missing-space 2:2");
  CHECK(found("[space]\nx = \"Q\"\n") == "unknown-space 2:5");
  CHECK(found("[space]\nx = \"SO(3)\"\n") == "unknown-space 2:5");
  CHECK(found("[space]\nx = { group = \"SO(4)\" }\n") == "unknown-space 2:15");
  CHECK(found("[space]\nx = { body = \"Omega\" }\n") == "missing-key 2:1");
  CHECK(found("[space]\nx = { group = \"SO(3)\", coordinates = [] }\n") == "unknown-key 2:24");
  CHECK(found("[space]\nx = 3\n") == "wrong-type 2:5");
  CHECK(found("[space]\ng = { group = \"H3\", coordinates = [\"x\"], velocities = [\"u\"] }\n") ==
        "wrong-count 2:35");
  std::string many = "lagrangian = \"1\"\n[space]\n";
  for (int i = 0; i < 251; ++i) many += "x" + std::to_string(i) + " = \"R\"\n";
  CHECK(found(many) == "too-many-coordinates 0:0");
}

TEST_CASE("energies and forces") {
  CHECK(found("[space]\nx = \"R\"\n") == "missing-lagrangian 0:0");
  CHECK(found("potential = \"x\"\n[space]\nx = \"R\"\n") == "missing-lagrangian 1:1");
  CHECK(found("lagrangian = \"x'^2\"\npotential = \"x\"\n[space]\nx = \"R\"\n") == "conflicting-keys 2:1");
  CHECK(found("kinetic = \"x'^2\"\npotential = \"x'\"\n[space]\nx = \"R\"\n") == "velocity-not-allowed 2:13");
  CHECK(found("gravity = 1\n" + plane) == "conflicting-keys 1:1");
  CHECK(found(plane + "[forces]\nz = 1\n") == "unknown-coordinate 6:1");
  CHECK(found(plane + "[forces]\nx = [1, 2]\n") == "shape-mismatch 6:5");
  CHECK(found("rayleigh = \"[1]\"\n" + plane) == "shape-mismatch 1:12");
}

TEST_CASE("parameters, functions, definitions") {
  CHECK(found(plane + "[parameters]\nm = { value = 0, positive = true }\n") == "not-positive 6:15");
  CHECK(found(plane + "[parameters]\nm = { value = 1, positive = \"yes\" }\n") == "wrong-type 6:29");
  CHECK(found(plane + "[parameters]\nm = \"n\"\n") == "unknown-symbol 6:6");
  CHECK(found(plane + "[parameters]\nm = inf\n") == "wrong-type 6:5");
  CHECK(found(plane + "[parameters]\nm = 1e999999\n") == "number-too-large 6:5");
  CHECK(found(plane + "[functions]\nA = []\n") == "wrong-count 6:5");
  CHECK(found(plane + "[functions]\nA = \"x\"\n") == "wrong-type 6:5");
  CHECK(found(plane + "[functions]\nA = [\"x\"]\n[define]\na = \"A(x, y)\"\n") == "wrong-arguments 8:6");
  CHECK(found(plane + "[define]\na = \"b\"\nb = 1\n") == "unknown-symbol 6:6");
  CHECK(found(plane + "[define]\na = [[1, 2], [3]]\n") == "shape-mismatch 6:5");
}

TEST_CASE("constraints, velocities, parametrization") {
  CHECK(found(plane + "[constraints]\na = \"x'' = 0\"\n") == "acceleration 6:6");
  CHECK(found(plane + "[constraints]\na = \"x' = = 0\"\n").starts_with("syntax 6:"));
  CHECK(found(plane + "[constraints]\na = \"[x', y'] = 0\"\n") == "shape-mismatch 6:17");
  CHECK(found(plane + "[constraints]\na = \"1 = 2\"\n") == "empty-constraint 6:5");
  CHECK(found(plane + "[constraints]\na_1 = \"x' = 0\"\na = \"[y', x'] = [0, 0]\"\n") ==
        "duplicate-name 7:5");
  CHECK(found(plane + "[velocities]\nu = \"x'^2\"\n") == "velocities-not-linear 6:5");
  CHECK(found(plane + "[velocities]\nu = \"x\"\n") == "velocities-not-linear 6:5");
  CHECK(found(plane + "[velocities]\nu = \"(x' + 1)^2 - x'^2\"\n") == "nothing");
  CHECK(found(plane + "[parametrization]\nx = \"1\"\n") == "missing-key 5:2");
  CHECK(found(plane + "[parametrization]\nspeeds = [\"u\"]\nx = \"u\"\n") == "missing-key 5:2");
  CHECK(found(plane + "[parametrization]\nspeeds = [\"u\"]\nx = \"u\"\ny = \"x'\"\n") ==
        "velocity-not-allowed 8:5");
  CHECK(found(plane + "[parametrization]\nspeeds = [\"u\"]\nx = \"u\"\ny = 0\nz = 0\n") ==
        "unknown-coordinate 9:1");
}

TEST_CASE("symmetries") {
  CHECK(found(plane + "[symmetry]\ntranslations = [\"z\"]\n") == "unknown-coordinate 6:17");
  CHECK(found(plane + "[symmetry]\nG = { turn = { z = \"1\" } }\n") == "unknown-coordinate 6:16");
  CHECK(found(plane + "[symmetry]\nG = { turn = { x = \"y'\" } }\n") == "velocity-not-allowed 6:20");
  CHECK(found(plane + "[symmetry]\nG = \"x\"\n") == "unknown-symmetry 6:1");
  CHECK(found(plane + "[symmetry]\nleft = \"B\"\n") == "unknown-coordinate 6:8");
  CHECK(found("lagrangian = \"1\"\n[space]\nB = { group = \"SO(3)\" }\n[symmetry]\nrotation = { B = \"e3\" "
              "}\n") == "unknown-symmetry 5:18");
  CHECK(found("lagrangian = \"1\"\n[space]\nB = { group = \"SO(3)\" }\n[symmetry]\nrotation = { B = \"left "
              "e4\" }\n") == "unknown-symbol 5:24");
}

TEST_CASE("Lie algebras") {
  const std::string start = "lagrangian = \"1\"\n[algebra]\nbasis = [\"a\", \"b\", \"c\"]\n";
  CHECK(found(start + "brackets = { \"a,b\" = \"c\", \"a,c\" = \"a\" }\n") == "not-a-lie-algebra 4:1");
  CHECK(
      error_of(start + "brackets = { \"a,b\" = \"c\", \"a,c\" = \"a\" }\n").summary.ends_with("for a, b, c"));
  CHECK(found(start + "brackets = { \"a,a\" = \"c\" }\n") == "not-antisymmetric 4:1");
  CHECK(found(start + "brackets = { \"a,d\" = \"c\" }\n") == "wrong-bracket 4:14");
  CHECK(found(start + "brackets = { \"ab\" = \"c\" }\n") == "wrong-bracket 4:14");
  CHECK(found(start + "brackets = { \"a,b\" = \"c^2\" }\n") == "wrong-bracket 4:22");
  CHECK(found(start + "brackets = { \"a,b\" = \"1\" }\n") == "wrong-bracket 4:22");
  CHECK(found(start + "velocities = [\"u\"]\n") == "wrong-count 4:14");
  CHECK(found("[algebra]\nbasis = [\"a\", \"a\"]\n") == "duplicate-name 2:15");
}

TEST_CASE("bodies and contacts") {
  CHECK(found(body) == "missing-key 5:9");
  CHECK(found(body + "position = \"[x, y]\"\n") == "shape-mismatch 7:12");
  CHECK(found(body + "position = \"[x, y, x']\"\n") == "velocity-not-allowed 7:12");
  CHECK(found(body + "position = \"[x, y, 1]\"\ninertia = [1, 1, 1]\n") == "missing-key 5:9");
  CHECK(found(body + "position = \"[x, y, 1]\"\nrotation = \"2*B\"\n") == "not-a-rotation 8:12");
  CHECK(
      found(
          body +
          "position = \"[x, y, 1]\"\nrotation = \"B\"\ninertia = \"[[1, 1, 0], [0, 1, 0], [0, 0, 1]]\"\n") ==
      "not-symmetric 9:11");
  const std::string ball = body + "position = \"[x, y, 1]\"\nrotation = \"B\"\n[contacts.c]\n";  // 9 lines
  CHECK(found(ball + "surface = { sphere = 1 }\n") == "missing-key 9:11");
  CHECK(found(ball + "body = \"bell\"\nsurface = { sphere = 1 }\n") == "unknown-body 10:8");
  CHECK(found(ball + "body = \"ball\"\n") == "missing-key 9:11");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 1, disk = 1 }\n") == "conflicting-keys 11:11");
  CHECK(found(ball + "body = \"ball\"\nsurface = { implicit = \"X - x\" }\n") == "unsupported-contact 11:24");
  CHECK(found(ball + "body = \"ball\"\nsurface = { disk = 1, axis = \"[1, 1, 0]\" }\n") ==
        "wrong-direction 11:30");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 1 }\non = \"sea\"\n") ==
        "unsupported-contact 12:6");
  CHECK(found(ball +
              "body = \"ball\"\nsurface = { cylinder = 1, axis = \"e3\" }\non = { cylinder = 5, side = "
              "\"inside\" }\n") == "unsupported-contact 12:6");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 2 }\non = { sphere = 1, side = \"inside\" }\n") ==
        "tight-contact 9:11");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 2 }\non = { sphere = 3, body = \"ball\" }\n") ==
        "conflicting-keys 9:11");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 2 }\non = { graph = \"t*x\" }\n") ==
        "unsupported-contact 12:16");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 2 }\non = { revolution = \"u\" }\n") ==
        "shape-mismatch 12:21");
  CHECK(
      found(ball + "body = \"ball\"\nsurface = { sphere = 2 }\non = { torus = [2, 1], side = \"left\" }\n") ==
      "wrong-type 12:31");
  CHECK(found(ball + "body = \"ball\"\nsurface = { sphere = 2 }\ncoordinates = [\"u\", \"v\"]\n") ==
        "wrong-count 12:15");
}

TEST_CASE("simulation") {
  CHECK(found(plane + "[simulation]\ninitial = { z = 1 }\n") == "unknown-symbol 6:13");
  CHECK(found(plane + "[simulation]\ninitial = { x = [1, 2] }\n") == "shape-mismatch 6:17");
  CHECK(found(plane + "[simulation]\nuntil = \"x\"\n") == "unknown-symbol 6:10");
  const std::string top = "lagrangian = \"norm2(Omega)\"\n[space]\nB = { group = \"SO(3)\" }\n[simulation]\n";
  CHECK(found(top + "initial = { B = 2 }\n") == "shape-mismatch 5:17");
  CHECK(found(top + "initial = { B = \"2*Rx(1)\" }\n") == "not-a-rotation 5:17");
  CHECK(found(top + "initial = { Omega = [1, 2] }\n") == "shape-mismatch 5:21");
  CHECK(found(top + "initial = { B = 1, Omega = [1, 2, \"3/4\"] }\n") == "nothing");
}

TEST_CASE("a value on the command line") {
  const System system =
      read_model(plane + "[parameters]\nmass = { value = 1, positive = true }\n", "model.toml");
  const auto slug = [&](const std::string& name, const std::string& value) {
    try {
      with_values(system, {{name, value}});
    } catch (const Error& error) {
      CHECK(error.where.at(0).file == "command line, --set \"" + name + "=" + value + "\"");
      return error.slug + ": " + error.fix;
    }
    return std::string("nothing");
  };
  CHECK(slug("mas", "1") == "unknown-parameter: did you mean `mass`?");
  CHECK(slug("mass", "-1").starts_with("not-positive"));
  CHECK(slug("mass", "1 +").starts_with("syntax"));
  CHECK(slug("mass", "x").starts_with("unknown-symbol"));
  CHECK(slug("mass", "1/3") == "nothing");
  CHECK(with_values(system, {{"mass", "1/3"}}).parameters[0].value == Expr(Rational(1, 3)));
}

TEST_CASE("the names that a start may have are listed once each") {
  const Error error = error_of(plane + "[velocities]\nu = \"x'\"\n[simulation]\ninitial = { spin = 1 }\n");
  CHECK(error.fix == "known here: u, x, x', y, y'");
}
