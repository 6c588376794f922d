#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/view/results/equations.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

TEST_CASE("Hamel's equations satisfy d'Alembert's principle on every kind of model") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "chaplygin-sleigh-algebra", "vertical-disk", "suslov",
        "euler-top", "heisenberg-particle", "falling-disk", "magnetic-particle", "affine-particle",
        "knife-edge-incline", "planar-pendulum", "skate-in-a-field", "snakeboard", "massless-coordinate"}) {
    CAPTURE(model);
    const System system = load_model(model);
    EquationsOfMotion equations = hamel_equations(system);
    CHECK(all_vanish(dalembert_residuals(system, equations)));
    equations.speed_rates[0] += 1;
    CHECK(some_do_not_vanish(dalembert_residuals(system, equations)));
  }
}

TEST_CASE("a kinetic energy that is definite has no poles of its own (H.7)") {
  const auto where = [](const System& system) {
    return definite_metric(system, admissible_velocities(system));
  };
  for (const char* model : {"chaplygin-sphere", "vertical-disk", "massless-coordinate", "rattleback",
                            "routh-sphere", "car-2-trailers", "car-3-trailers"}) {
    CAPTURE(model);
    const auto found = where(load_model(model));
    REQUIRE(found);
    CHECK(found->empty());
  }
  CHECK(hamel_equations(load_model("chaplygin-sphere")).where.empty());

  // An inertia with products that might be too large: a condition on them alone.
  const auto top = where(load_model("chaplygin-top"));
  REQUIRE((top && top->size() == 1));
  CHECK(top->front().kind == Assumption::Kind::positive);
  CHECK(text(top->front().expression) == "I11*(I22*I33 - I23^2) - I22*I13^2");
  // Euler's angles are no chart where sin θ = 0; nothing else can go wrong.
  const auto euler = hamel_equations(load_model("chaplygin-sphere-euler")).where;
  REQUIRE(euler.size() == 1);
  CHECK(text(euler.front().expression) == "sin(theta)");
  // A short determinant says more than a condition that suffices.
  REQUIRE(hamel_equations(load_model("snakeboard")).where.size() == 1);
  CHECK(hamel_equations(load_model("snakeboard")).where.front().kind == Assumption::Kind::nonzero);

  System mutant = load_model("chaplygin-sphere");  // a negative mass
  mutant.lagrangian -= 3 * pow(Expr(mutant.space.velocities()[0]), 2);
  const auto indefinite = where(mutant);
  CHECK((!indefinite || !indefinite->empty()));
}

TEST_CASE("constraints whose coefficients depend on time: the frame of D moves, and the equations know it") {
  const System plane = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
space = { x = "R", y = "R" }
constraints = { turning = "y' = t*x'" }
velocities = { u = "x'" }
)toml",
                                  "plane");
  const EquationsOfMotion equations = hamel_equations(plane);
  CHECK(has_rate(plane, equations, "u", "-t*u/(1 + t^2)"));
  CHECK(all_vanish(dalembert_residuals(plane, equations)));
}

TEST_CASE("the equations of rolling bodies hold in the upright attitude, too") {
  for (const char* name : {"rattleback", "routh-sphere", "chaplygin-top"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const EquationsOfMotion e = hamel_equations(system);
    std::vector<Expr> rates = e.configuration_rates;
    rates.insert(rates.end(), e.speed_rates.begin(), e.speed_rates.end());
    Numbers at;
    for (const Symbol s : symbols_of(rates)) {
      at[s] = s.role() == Role::rotation ? (s.attributes().entry % 4 == 0 ? 1 : 0)  // B = 1
                                         : 0.3 + 0.1 * static_cast<double>(at.size());
    }
    for (const Expr rate : rates) CHECK(std::isfinite(evaluate(rate, at)));
  }
}

TEST_CASE(
    "rates without a short form are written in the short forms of metric and force, over one determinant") {
  const System hitch = read_model(R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*J*th'^2 + 1/2*M*(px'^2 + py'^2) + 1/2*K*ps'^2"
space = { x = "R", y = "R", th = "S1", ps = "S1" }
parameters = { m = 1, J = 1, M = 1, K = 1, d = 0.3, b = 1 }
define = { px = "x - d*cos(th) - b*cos(ps)", py = "y - d*sin(th) - b*sin(ps)" }
[constraints]
front = "y'*cos(th) - x'*sin(th) = 0"
rear = "py'*cos(ps) - px'*sin(ps) = 0"
)toml",
                                  "hitch");
  EquationsOfMotion equations = hamel_equations(hitch);
  constexpr std::size_t bearable = 400;
  for (const Expr rate : equations.speed_rates) CHECK(written_size(rate) <= bearable);
  CHECK(all_vanish(dalembert_residuals(hitch, equations)));
  equations.speed_rates[1] = 2 * equations.speed_rates[1];
  CHECK(some_do_not_vanish(dalembert_residuals(hitch, equations)));
}

TEST_CASE("readable rates solve their equations; a singular metric has none") {
  for (const int n : {1, 2, 3, 4}) {
    Matrix G(n, n), b(n, 1);
    for (int i = 0; i < n; ++i) {
      // Sums of powers have no short form: Cramer's rule is taken up to three rows, elimination beyond.
      b[i] = pow(symbol("f" + std::to_string(i)) + symbol("g") + cos(symbol("h")), 9) + symbol("k");
      for (int j = i; j < n; ++j)
        G(i, j) = G(j, i) = symbol("G" + std::to_string(i) + std::to_string(j)) + (i == j ? 1 : 0);
    }
    const auto found = short_solution(G, b);
    REQUIRE(found);
    const Matrix residual = G * Matrix::column(found->rates) - b;
    for (const Expr e : residual.entries()) CHECK(vanishes_at_random_points(e));
    for (int j = 0; j < n; ++j) G(0, j) = 0;
    CHECK(!short_solution(G, b));
  }
}

TEST_CASE("speeds get names that the model does not use") {
  const System system = read_model(R"m(lagrangian = "1/2*(x'^2 + y'^2 + u1'^2)"
[space]
x = "R"
y = "R"
u1 = "S1"
[constraints]
blade = "x'*sin(u1) = y'*cos(u1)"
)m",
                                   "named.toml");
  const EquationsOfMotion equations = hamel_equations(system);
  REQUIRE(equations.speeds.size() == 2);
  CHECK(equations.speeds[0].name() == "u1_");
  for (const Symbol z : equations.speeds)
    for (const Symbol q : equations.configuration) CHECK(z.name() != q.name());
}

TEST_CASE(
    "two balls on a turning plate, no velocities given: speeds in space axes, equations without attitudes") {
  const System plate = read_model(R"toml(
kinetic = "1/2*(x'^2 + y'^2 + norm2(W)) + 1/2*(p'^2 + q'^2 + J*norm2(S))"
[space]
x = "R"
y = "R"
B = { group = "SO(3)", body = "W", space = "w" }
p = "R"
q = "R"
C = { group = "SO(3)", body = "S", space = "s" }
[parameters]
J = 1
n = 1
[constraints]
bx = "x' + n*y = w[2]"
by = "y' - n*x = -w[1]"
cx = "p' + n*q = s[2]"
cy = "q' - n*p = -s[1]"
)toml",
                                  "plate");
  EquationsOfMotion equations = hamel_equations(plate);
  CHECK(all_vanish(dalembert_residuals(plate, equations)));
  for (const Expr rate : equations.speed_rates) {
    for (const Symbol s : symbols_of(rate)) CHECK(s.role() != Role::rotation);
  }
  CHECK(as_text(plate, equations, false).find("= hat([n*x - y', x' + n*y, omega3])*B\n") !=
        std::string::npos);
  equations.speed_rates[1] += 1;
  CHECK(some_do_not_vanish(dalembert_residuals(plate, equations)));
}

TEST_CASE("an affine constraint of constant length adds no pole to the frame") {
  const System skate = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + th'^2)\"\nspace = { x = \"R\", y = \"R\", th = \"S1\" }\n"
      "constraints = { blade = \"(x' + y)*sin(th) = (y' - x)*cos(th)\" }\n",
      "turntable");
  const EquationsOfMotion equations = hamel_equations(skate);
  CHECK(equations.where.empty());
  CHECK(all_vanish(dalembert_residuals(skate, equations)));
}

TEST_CASE(
    "steps of affine constraints: what is prescribed has brackets with the frame, and the balance is Hamel's "
    "equations") {
  const System plane = read_model(R"toml(
lagrangian = "m/2*(x'^2 + y'^2) + J/2*theta'^2"
space = { x = "R", y = "R", theta = "S1" }
parameters = { m = { positive = true }, J = { positive = true }, w = 1 }
constraints = { belt = "y'*cos(theta) - x'*sin(theta) = w*x" }
velocities = { u = "x'*cos(theta) + y'*sin(theta)", omega = "theta'" }
)toml",
                                  "plane");
  const EquationsOfMotion equations = hamel_equations(plane);
  const auto line = [&](const std::string& name) {
    for (const Step& step : equations.steps) {
      for (const Statement& s : step.lines)
        if (s.name == name) return text(short_form(s.value));
    }
    return std::string("absent");
  };
  CHECK(line("G_11") == "m");
  CHECK(line("G_12") == "absent");
  CHECK(line("C_20^1") == "-w*x");  // [∂_θ, w x (−sin θ ∂_x + cos θ ∂_y)] along (cos θ, sin θ)
  CHECK(line("F_1") == "m*w*x*omega");
  CHECK(line("F_2") == "0");
}

TEST_CASE(
    "a sphere with skew inertia: the metric is a constant and a dyad, and what its constant part needs is "
    "said (H.8)") {
  const char* text = R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*dot(Omega, [[I1, 0, D], [0, I2, 0], [D, 0, I3]]*Omega)"
space = { x = "R", y = "R", B = { group = "SO(3)", body = "Omega", space = "omega" } }
constraints = { roll_x = "x' = r*omega[2]", roll_y = "y' = -r*omega[1]" }
[parameters]
m = { value = 1.5, positive = true }
r = { value = 1, positive = true }
I1 = { value = 0.5, positive = true }
I2 = { value = 0.7, positive = true }
I3 = { value = 1, positive = true }
D = 0.1
)toml";
  const System system = read_model(text, "skew sphere");
  EquationsOfMotion equations = hamel_equations(system);
  CHECK(all_vanish(dalembert_residuals(system, equations)));
  equations.speed_rates[2] += 1;
  CHECK(some_do_not_vanish(dalembert_residuals(system, equations)));
  // That the inertia is positive suffices: the constant part of the metric is larger.
  REQUIRE(equations.where.size() == 1);
  const Assumption& inertia = equations.where[0];
  CHECK(inertia.kind == Assumption::Kind::positive);
  CHECK(proved(are_equal(inertia.expression, formula(system, equations, "I1*I3 - D^2"))));
  const Expr det = formula(system, equations, "(I1 + m*r^2)*(I3 + m*r^2) - D^2");
  CHECK(known_sign(short_form(det - inertia.expression)) == KnownSign::positive);
}

TEST_CASE("a ball on SE(3) rolls with its angular velocity for speeds, whatever its attitude") {
  const System ball = read_model(
      "kinetic = \"m/2*norm2(r') + I/2*norm2(Omega)\"\npotential = \"m*g*r1\"\n"
      "space = { B = { group = \"SE(3)\" } }\n"
      "constraints = { roll = \"r' = R*cross(omega, e3)\" }\n"
      "[parameters]\nm = { positive = true }\nI = { positive = true }\nR = { positive = true }\ng = {}\n",
      "ball");
  const EquationsOfMotion equations = hamel_equations(ball);
  CHECK(equations.where.empty());
  REQUIRE(equations.speeds.size() == 3);
  CHECK(equations.speeds[0].name() == "Omega1");
  CHECK(text(equations.speed_rates[1]) == "-m*R*g*B22/(I + m*R^2)");
}

TEST_CASE("a disk on SO(3) rolls with its angular velocity for speeds, unless it lies flat") {
  const System disk = read_model(R"toml(
gravity = "g"
space = { x = "R", y = "R", z = "R", B = { group = "SO(3)" } }
parameters = { m = { positive = true }, R = { positive = true }, I = { positive = true }, J = { positive = true }, g = {} }
[bodies.coin]
mass = "m"
inertia = "diag(I, J, I)"
position = "[x, y, z]"
rotation = "B"
[contacts.ground]
body = "coin"
surface = { disk = "R", axis = "e2" }
)toml",
                                 "disk");
  for (const char* form : {"hamel", "gibbs-appell", "bracket", "vakonomic"}) {
    CAPTURE(form);
    const EquationsOfMotion equations = formalism(form).derive(disk);
    Expr excluded(1);  // 1 - B32^2, or its two factors
    for (const Assumption& where : equations.where) excluded = excluded * where.expression;
    CHECK(proved(are_equal(excluded, parse("1", disk.scope) - pow(parse("B32", disk.scope), 2))));
  }
  CHECK(hamel_equations(disk).speeds[0].name() == "Omega1");
}

TEST_CASE("affine constraints have a drift without poles, beside others too") {
  const System bowl = read_model(R"toml(
kinetic = "(x'^2 + y'^2 + z'^2 + th'^2)/2"
space = { x = "R", y = "R", z = "R", th = "S1" }
parameters = { W = {} }
[constraints]
bowl = "z = x^2 + y^2"
blade = "(y' - W*x)*cos(th) = (x' + W*y)*sin(th)"
)toml",
                                 "bowl");
  CHECK(hamel_equations(bowl).where.empty());
}

TEST_CASE("speeds that the program chooses are defined wherever the frame is") {
  const System skate = read_model(
      "kinetic = \"(x'^2 + y'^2 + th'^2)/2\"\nspace = { x = \"R\", y = \"R\", th = \"S1\" }\n"
      "constraints = { blade = \"y'*cos(th) = x'*sin(th)\" }\n",
      "skate");
  CHECK(text(hamel_equations(skate).speed_definitions[0]) == "x'*cos(th) + y'*sin(th)");
}
