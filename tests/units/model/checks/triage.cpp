#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/results/triage.hpp>

using namespace rattleback;

namespace {

const std::string plane = "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n";

Triage of(const std::string& text) { return triage(read_model(text, "model.toml")); }

std::string first_problem(const Triage& found) {
  return found.problems.empty() ? "" : found.problems[0].slug;
}

}  // namespace

TEST_CASE("positions that differ by a constant contradict each other") {
  CHECK(first_problem(of(plane + "[constraints]\na = \"x = y\"\nb = \"x = y + 1\"\n")) ==
        "inconsistent-constraints");
  CHECK(first_problem(of(plane + "[constraints]\na = \"x^2 + y^2 = 1\"\nb = \"x^2 + y^2 = 2\"\n")) ==
        "inconsistent-constraints");
  const Triage same = of(plane + "[constraints]\na = \"x = y\"\nb = \"2*x = 2*y\"\n");
  CHECK(same.problems.empty());
  CHECK(same.constraints[1].effect == Effect::redundant);
}

TEST_CASE("velocities that do not parametrise the constraint are an error") {
  CHECK(first_problem(of(plane + "[constraints]\na = \"x' = y*y'\"\n[velocities]\nu = \"x' - y*y'\"\n")) ==
        "velocities-not-a-frame");
  CHECK(of(plane + "[constraints]\na = \"x' = y*y'\"\n[velocities]\nu = \"y'\"\n").problems.empty());
}

TEST_CASE("a parametrization alone implies its constraints") {
  const System skate = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + theta'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\ntheta = \"S1\"\n"
      "[parametrization]\nspeeds = [\"v\", \"w\"]\nx = \"v*cos(theta)\"\ny = \"v*sin(theta)\"\ntheta = "
      "\"w\"\n",
      "skate.toml");
  const Triage found = triage(skate);
  CHECK(found.degrees_of_freedom() == 2);
  CHECK(found.growth_vector == std::vector{2, 3});
}

TEST_CASE("a parametrization that violates the constraints is refused by check and by every form") {
  for (const std::string z : {"2*y*u", "0"}) {
    const System wrong = read_model(
        "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
        "[constraints]\nc = \"z' = y*x'\"\n"
        "[parametrization]\nspeeds = [\"u\", \"v\"]\nx = \"u\"\ny = \"v\"\nz = \"" +
            z + "\"\n",
        "model.toml");
    CHECK(first_problem(triage(wrong)) == "bad-parametrization");
    CHECK_THROWS_AS(formalism("hamel").derive(wrong), Error);
    CHECK_THROWS_AS(formalism("gibbs-appell").derive(wrong), Error);
  }
}

TEST_CASE("a degenerate Lagrangian is refused by every form, whatever the forces are") {
  const System degenerate =
      read_model("lagrangian = \"1/2*(x' + y')^2\"\n[space]\nx = \"R\"\ny = \"R\"\n", "model.toml");
  CHECK(first_problem(triage(degenerate)) == "degenerate-energy");
  for (const Formalism& form : all_formalisms()) {
    CAPTURE(form.name);
    CHECK_THROWS_AS(form.derive(degenerate), Error);
  }
}

TEST_CASE("a value given on the command line stands in place of its parameter") {
  const std::string text =
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n[parameters]\nk "
      "= 1\n"
      "[constraints]\na = \"z' = k*y*x'\"\n";
  const System contact = read_model(text, "model.toml");
  CHECK(triage(contact).growth_vector == std::vector{2, 3});
  const Triage plane_field = triage(with_values(contact, {{"k", "0"}}));
  CHECK(plane_field.growth_vector == std::vector{2});
  CHECK(plane_field.holonomic_dimension == 1);
}

TEST_CASE("loci that cannot be are not listed") {
  // cos θ and sin θ never vanish together, so the rank is 1 everywhere.
  CHECK(of(plane + "[constraints]\na = \"x'*cos(x) + y'*sin(x) = 0\"\n").rank_drop->loci.empty());
  CHECK(of(plane + "[constraints]\na = \"x'*x + y'*y = 0\"\n").rank_drop->loci.size() == 1);
}

TEST_CASE("an affine constraint does not confine motion to leaves of its linear part") {
  const System system = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n[constraints]\na "
      "= \"z' = y\"\n",
      "model.toml");
  CHECK(as_text(system, triage(system)).find("leaves") == std::string::npos);
}

TEST_CASE("a moving constraint does not confine motion to leaves") {
  const std::string moving = plane + "[constraints]\na = \"y'*cos(t) = x'*sin(t)\"\n";
  CHECK(of(moving).drifts);
  const System system = read_model(moving, "moving.toml");
  CHECK(as_text(system, triage(system)).find("leaves") == std::string::npos);
  CHECK_FALSE(of(plane + "[constraints]\na = \"y'*cos(x) = x'*sin(x)\"\n").drifts);
}

TEST_CASE("rows that relations keep independent do not lose rank") {
  const System cone = read_model(R"m(kinetic = "1/2*norm2(c') + 1/2*norm2(Omega)"
[space]
rho = "R"
phi = "S1"
B = { group = "SO(3)" }
[parameters]
k = { value = 1, positive = true }
[define]
c = "[rho*cos(phi), rho*sin(phi), k*rho]"
[constraints]
roll = "c' = cross(omega, [-k*cos(phi), -k*sin(phi), 1])"
)m",
                                 "cone.toml");
  const Triage found = triage(cone);
  CHECK(found.rank == 2);
  REQUIRE(found.rank_drop);
  CHECK(found.rank_drop->loci.empty());
}

TEST_CASE("what is derived when no form is asked for") {
  const auto usual = [](const std::string& constraint) {
    return usual_formalism(read_model(plane + "[constraints]\nc = \"" + constraint + "\"\n", "m.toml")).name;
  };
  CHECK(usual("y' = x*x'") == "hamel");
  CHECK(usual("x'^2 + y'^2 = 1") == "gibbs-appell");
  CHECK(usual("exp(x') + exp(y') = 3") == "multipliers");
}

TEST_CASE("a constraint whose function never changes its sign is impossible or singular") {
  const auto found = [](const std::string& constraint) {
    const Triage t = of(plane + "[constraints]\na = \"" + constraint + "\"\n");
    return std::pair(first_problem(t), t.constraints[0].note);
  };
  CHECK(found("x'^2 + y'^2 = -1") == std::pair<std::string, std::string>(
                                         "inconsistent-constraints", "x'^2 + y'^2 + 1 is always positive"));
  CHECK(found("x^2 + y^2 = -1").first == "inconsistent-constraints");
  CHECK(found("x'^2 + y'^2 = 0").first == "singular-constraint");
  CHECK(found("x'^2 + y'^2 = 1").first.empty());
  CHECK(found("x' = y*y'").first.empty());
}

TEST_CASE("what was understood once is understood again at no cost, and is the same") {
  const System s = load_model("ball-in-cylinder");
  const std::string first = as_text(s, triage(s));
  const std::size_t before = Graph::size();
  CHECK(as_text(s, triage(s)) == first);
  CHECK(Graph::size() - before < 1000);  // brackets are followed as far as before, and no farther
}

TEST_CASE("growth at the initial configuration is told when it is special") {
  const std::string martinet =
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
      "[constraints]\nc = \"z' = x^2*y'\"\n[simulation]\ninitial = { x = ";
  const Triage special = of(martinet + "0, y = 1, z = 0 }\n"), generic = of(martinet + "2, y = 1, z = 0 }\n");
  REQUIRE(special.growth_at_start.has_value());
  CHECK(special.growth_at_start->ranks == std::vector{2, 2, 3});
  CHECK(special.growth_vector == std::vector{2, 3});
  CHECK_FALSE(generic.growth_at_start.has_value());
}

TEST_CASE(
    "an energy that is a sum of squares is positive definite everywhere when they give one velocity after "
    "the other") {
  const std::string pair =
      "lagrangian = \"1/2*m*(ddt(x + cos(a) + cos(b))^2 + ddt(sin(a) + sin(b))^2) + 1/2*m*(x'^2 + a'^2 + "
      "b'^2)\"\n"
      "[space]\nx = \"R\"\na = \"S1\"\nb = \"S1\"\n[parameters]\nm = { value = 1, positive = true }\n";
  CHECK(of(pair).regularity.kind == Regularity::Kind::positive_definite);
  CHECK_FALSE(of(pair).regularity.generic);
  std::string wrong = pair;
  wrong.replace(wrong.find("+ 1/2*m*(x'^2"), 8, "- 1/2*m*");
  CHECK(of(wrong).regularity.kind != Regularity::Kind::positive_definite);
}

TEST_CASE("one integral is told although the others have no closed form") {
  const Triage found =
      of("lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
         "[functions]\nh = [\"x\", \"y\"]\n[constraints]\nsurface = \"z = h(x, y)\"\nskew = \"y' = z*x'\"\n");
  CHECK(found.holonomic_dimension == 2);
  CHECK(found.integrals.size() == 1);
}

TEST_CASE("a constraint with an integral that takes roots is understood all the same") {
  const System s = read_model(R"toml(title = "t"
lagrangian = "1/2*m*(x'^2 + y'^2) - V*cos(th)*p"
[space]
x = "R"
y = "R"
th = "S1"
p = "R"
[parameters]
m = 1
r = "1/2"
V = "1/4"
[constraints]
blade = "x'*sin(th) = y'*cos(th)"
roll = "x'*cos(th) + y'*sin(th) = r*p'"
steer = "th' = p'/3 + y'/2"
)toml",
                              "t.toml");
  const Triage found = triage(s);
  CHECK(found.problems.empty());
  CHECK(found.degrees_of_freedom() == 1);
  CHECK(found.holonomic_dimension == 3);
}

TEST_CASE("a contact that joints keep closed says so in words that can be read") {
  const Triage found = triage(read_model(R"toml(title = "bevel gears"
[bodies.pinion]
mass = 1
inertia = "diag(1, 2, 1)"
[joints.psi]
kind = "revolute"
child = "pinion"
axis = "e1"
at = "[1, 0, 0]"
[contacts.mesh]
body = "pinion"
surface = { disk = 1, axis = "e1" }
on = { cone = "pi/4", axis = "e2" }
)toml",
                                         "gears.toml"));
  REQUIRE_FALSE(found.problems.empty());
  const Error& e = found.problems.front();
  CHECK(e.slug == "singular-constraint");
  CHECK(e.why.size() < 250);
  CHECK(e.fix.find("r*psi' = R*phi'") != std::string::npos);
}
