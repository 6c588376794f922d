#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

Expr value_of(const std::vector<Statement>& statements, const std::string& name) {
  for (const Statement& s : statements) {
    if (s.name == name) return s.value;
  }
  FAIL("no statement called " << name);
  return 0;
}

bool multiplier_is(const System& system, const std::string& name, const std::string& text) {
  const EquationsOfMotion equations = multiplier_equations(system);
  return proved(are_equal(value_of(equations.multipliers, name), formula(system, equations, text)));
}

bool reaction_is(const System& system, const std::string& name, const std::string& text) {
  const EquationsOfMotion equations = multiplier_equations(system);
  return proved(are_equal(value_of(equations.reactions, name), formula(system, equations, text)));
}

std::string slug_of(const std::string& model) {
  try {
    multiplier_equations(read_model(model, "test"));
  } catch (const Error& e) {
    return e.slug;
  }
  return "";
}

/// M v̇ − b − Aᵀλ and A v̇ + c on all of TQ.
std::vector<Expr> residuals(const System& system) {
  const ConstrainedMotion motion = constrained_motion(system);
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix force = lagrange.mass * motion.accelerations - lagrange.force -
                       transpose(motion.rows.a) * motion.multipliers,
               kept = motion.rows.a * motion.accelerations + motion.rows.c;
  std::vector<Expr> all(force.entries().begin(), force.entries().end());
  all.insert(all.end(), kept.entries().begin(), kept.entries().end());
  return all;
}

}  // namespace

TEST_CASE("multipliers are printed as short as the literature prints them") {
  const auto printed = [](const std::string& model, const std::string& constraint) {
    return text(value_of(multiplier_equations(load_model(model)).multipliers, constraint));
  };
  CHECK(printed("chaplygin-sleigh", "blade") == "m*J*theta'*(x'*cos(theta) + y'*sin(theta))/(J + m*a^2)");
  CHECK(printed("knife-edge", "blade") == "-m*theta'*(x'*cos(theta) + y'*sin(theta))");
  CHECK(printed("vertical-disk", "roll_x") == "-m*R*theta'*phi'*sin(phi)");
  CHECK(printed("vertical-disk", "roll_y") == "m*R*theta'*phi'*cos(phi)");
  CHECK(printed("planar-pendulum", "rod") == "-m*(x'^2 + y'^2 - g*y)/(x^2 + y^2)");
  CHECK(printed("falling-disk-contact", "along") == "-m*R*I*theta'*phi'*cos(theta)/(I + m*R^2)");
  CHECK(printed("two-points-parallel", "parallel") ==
        "m1*m2*g*(y1' - y2')/(m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y2'^2))");
}

TEST_CASE("the equations hold at every velocity, admissible or not") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "knife-edge", "vertical-disk", "suslov", "veselova",
        "two-points-parallel", "appell-hamel", "quadratic-cone-particle", "constant-speed-particle",
        "affine-particle", "massless-coordinate", "pursuit", "planar-pendulum", "kapitza-pendulum",
        "heisenberg-suslov-group", "skate-in-a-field", "hydrodynamic-sleigh", "two-masses-on-a-rod"}) {
    CAPTURE(model);
    CHECK(all_vanish(residuals(load_model(model))));
  }
}

TEST_CASE("formulas shortened by the constraints hold at admissible velocities") {
  for (const std::string model :
       {"chaplygin-sleigh", "falling-disk", "falling-disk-contact", "ball-on-turntable", "differential-drive",
        "suslov", "affine-particle", "chaplygin-sleigh-algebra"}) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion equations = multiplier_equations(system);
    REQUIRE(equations.notes.back() == "written for velocities that satisfy the constraints");
    const LagrangeEquations lagrange = lagrange_equations(system);
    const ConstraintRows rows = constraint_rows(system);
    std::vector<Expr> lambda;
    for (const Statement& s : equations.multipliers) lambda.push_back(s.value);
    const Matrix a = Matrix::column(equations.speed_rates),
                 force = lagrange.mass * a - lagrange.force - transpose(rows.a) * Matrix::column(lambda),
                 kept = rows.a * a + rows.c;
    std::vector<Expr> all(force.entries().begin(), force.entries().end());
    all.insert(all.end(), kept.entries().begin(), kept.entries().end());
    CHECK(all_vanish(substitute(all, admissible_velocities(system).substitution())));
  }
}

TEST_CASE("a coordinate without inertia: L is singular, the bordered system is not") {
  const System system = load_model("massless-coordinate");
  CHECK(multiplier_is(system, "contact", "g"));
  CHECK(has_rate(system, multiplier_equations(system), "x'", "-g*y"));
}

TEST_CASE("a constraint written twice: the reaction force is unique, its multiplier is not") {
  const std::string once = R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2"
space = { x = "R", y = "R", theta = "S1" }
parameters = { m = { value = 1, positive = true }, J = { value = 1, positive = true } }
[constraints]
blade = "x'*sin(theta) = y'*cos(theta)"
)toml";
  const System single = read_model(once, "once"),
               twice = read_model(once + "again = \"2*y'*cos(theta) = 2*x'*sin(theta)\"\n", "twice");
  const EquationsOfMotion a = multiplier_equations(single), b = multiplier_equations(twice);
  CHECK(b.multipliers.size() == 1);
  REQUIRE(b.notes.size() == 2);
  CHECK(b.notes[0].find("again") == 0);
  CHECK(b.notes[1].find("reaction") != std::string::npos);  // which multipliers have the same one
  for (const std::string q : {"x", "y"})
    CHECK(proved(are_equal(value_of(a.reactions, q), value_of(b.reactions, q))));
}

TEST_CASE("contacts push in physical directions") {
  const System ball = read_model(R"toml(
gravity = "g"
space = { x = "R", y = "R", z = "R", B = { group = "SO(3)", body = "Omega", space = "omega" } }
parameters = { m = { value = 1, positive = true }, r = { value = 1, positive = true }, I = { value = 1, positive = true }, g = 10 }
[bodies.ball]
mass = "m"
inertia = "diag(I, I, I)"
position = "[x, y, z]"
rotation = "B"
[contacts.floor]
body = "ball"
surface = { sphere = "r" }
)toml",
                                 "ball");
  CHECK(reaction_is(ball, "floor.normal", "m*g"));
  CHECK(reaction_is(ball, "floor.along", "0"));
  CHECK(reaction_is(ball, "floor.across", "0"));

  // Without spin about the axis of a cylinder the wall carries m v²/(Rc − r): the gap is measured by a square.
  const System drum = read_model(R"toml(
lagrangian = "0"
space = { x = "R", y = "R", z = "R", B = { group = "SO(3)", body = "Omega", space = "omega" } }
parameters = { m = { value = 1, positive = true }, r = { value = 1, positive = true }, Rc = { value = 3, positive = true }, I = { value = 1, positive = true } }
[bodies.ball]
mass = "m"
inertia = "diag(I, I, I)"
position = "[x, y, z]"
rotation = "B"
[contacts.wall]
body = "ball"
surface = { sphere = "r" }
on = { cylinder = "Rc", axis = "e3", side = "inside" }
rolls = false
)toml",
                                 "drum");
  CHECK(reaction_is(drum, "wall.normal", "m*(Rc - r)*(x'^2 + y'^2)/(x^2 + y^2)"));
  const System lighter = substituted(drum, {{drum.parameters[0].symbol, Expr(2)}});
  CHECK(reaction_is(lighter, "wall.normal", "2*(Rc - r)*(x'^2 + y'^2)/(x^2 + y^2)"));
}

TEST_CASE(
    "a contact that the coordinates keep closed carries the weight, on a slope too and with numbers for "
    "parameters") {
  const System wheel = read_model(R"toml(
gravity = "g"
down = ["sin(be)", 0, "-cos(be)"]
space = { x = "R", y = "R", phi = "S1", psi = "S1" }
parameters = { m = { value = 1, positive = true }, R = { value = 1, positive = true }, g = 10, be = 0.3 }
[bodies.wheel]
mass = "m"
inertia = "m*R^2*diag(1/4, 1/2, 1/4)"
position = "[x, y, R]"
rotation = "Rz(phi)*Ry(psi)"
[contacts.ground]
body = "wheel"
surface = { disk = "R", axis = "e2" }
)toml",
                                  "wheel");
  CHECK(reaction_is(wheel, "ground.normal", "m*g*cos(be)"));
  const System in_numbers = substituted(wheel, {{wheel.parameters[0].symbol, Expr(3)}});
  CHECK(reaction_is(in_numbers, "ground.normal", "3*g*cos(be)"));
}

TEST_CASE("reactions in the speeds of another form") {
  const System sleigh = load_model("chaplygin-sleigh");
  const EquationsOfMotion hamel = hamel_equations(sleigh);
  const Reactions found = reactions_along(sleigh, hamel);
  CHECK(text(value_of(found.multipliers, "blade")) == "m*J*u*omega/(J + m*a^2)");
  CHECK(proved(are_equal(value_of(found.reactions, "x"),
                         formula(sleigh, hamel, "-m*J*u*omega*sin(theta)/(J + m*a^2)"))));
  EquationsOfMotion wrong = hamel;  // the mutant: its reaction is no combination of the constraint
  wrong.speed_rates[0] = 0;
  CHECK_THROWS_AS(reactions_along(sleigh, wrong), Bug);
}

TEST_CASE("what cannot be derived is refused with a reason") {
  const std::string plane = "space = { x = \"R\", y = \"R\" }\n";
  CHECK(slug_of("lagrangian = \"1/2*x'^2\"\n" + plane) == "degenerate-energy");
  CHECK(slug_of("lagrangian = \"1/2*(x'^2 + y'^2)\"\n" + plane +
                "constraints = { a = \"x' = 1\", b = \"x' = 2\" }") == "inconsistent-constraints");
}

TEST_CASE(
    "the steps are as many equations as there are accelerations and multipliers, and the motion solves "
    "them") {
  for (const char* model : {"chaplygin-sleigh", "vertical-disk", "suslov", "appell-hamel", "affine-particle",
                            "planar-pendulum", "ball-on-turntable"}) {
    CAPTURE(model);
    const System system = load_model(model);
    EquationsOfMotion equations = multiplier_equations(system);
    REQUIRE(equations.steps.size() == 3);
    const auto residuals = [&] {
      SymbolMap solution;
      for (std::size_t i = 0; i < equations.speeds.size(); ++i)
        solution.emplace(Symbol::make(equations.speeds[i].name() + "'",
                                      {.role = Role::acceleration, .order = static_cast<int>(i)}),
                         equations.speed_rates[i]);
      int order = 0;
      for (const Statement& s : equations.multipliers)
        solution.emplace(Symbol::make("lambda_" + s.name, {.role = Role::multiplier, .order = order++}),
                         s.value);
      std::vector<Expr> out;
      for (std::size_t i = 0; i < equations.speeds.size(); ++i)
        out.push_back(
            substitute(equations.steps[0].lines[i].value - equations.steps[1].lines[i].value, solution));
      for (const Statement& s : equations.steps[2].lines) out.push_back(substitute(s.value, solution));
      const SymbolMap admissible =
          constraint_rows(system).linear ? admissible_velocities(system).substitution() : SymbolMap{};
      for (Expr& e : out)
        e = substitute(e, admissible);  // the formulas are written for admissible velocities
      return out;
    };
    CHECK(all_vanish(residuals()));
    equations.speed_rates[0] += 1;
    CHECK(some_do_not_vanish(residuals()));
  }
}

TEST_CASE("a drag with an absolute value that is none leaves the reaction along the constraint") {
  const System particle = read_model(
      "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n"
      "constraints = { a = \"z' = x*sin(t)*y' + y\" }\nforces = { x = \"-x'*abs(1 + x'^2)\" }\n",
      "drag");
  const EquationsOfMotion equations = multiplier_equations(particle);
  CHECK(text(equations.speed_rates[0]) == "-x'*(x'^2 + 1)");
}
