// Equations in vectors: what is printed, read back in the model language, is the motion in components.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>

using namespace rattleback;

namespace {

/// A body that nobody has seen: an ellipsoid with its mass centre off the centre and a field besides gravity.
constexpr const char* loaded_ellipsoid = R"toml(
lagrangian = "m/2*norm2(v) + 1/2*dot(Omega, II*Omega) - m*ga*h"
[space]
x = "R"
y = "R"
A = { group = "SO(3)", body = "Omega", space = "omega" }
[parameters]
m = { value = 1, positive = true }
ga = { value = 9.8, positive = true }
p = { value = 1, positive = true }
q = { value = 2, positive = true }
a1 = 0.1
a2 = 0.2
J1 = { value = 1, positive = true }
J2 = { value = 2, positive = true }
J12 = 0.1
[define]
II = "[[J1, J12, 0], [J12, J2, 0], [0, 0, J1 + J2]]"
up = "transpose(A)*e3"
s = "sqrt(p^2*up[1]^2 + q^2*(up[2]^2 + up[3]^2))"
arm = "[a1, a2, 0]"
h = "s + dot(up, arm)"
v = "[x', y', ddt(h)]"
low = "-arm - [p^2*up[1], q^2*up[2], q^2*up[3]]/s"
slip = "v + cross(omega, A*low)"
[constraints]
sx = "slip[1] = 0"
sy = "slip[2] = 0"
)toml";

struct Read {
  Matrix K, N;
};

/// The first line and the definitions, parsed; lambda stays out.
Read read_back(const System& system, const VectorEquations& page) {
  Scope scope = system.scope;
  const auto define = [&](const VectorLine& line) {
    if (line.left.code.starts_with("lambda")) return;
    scope.define(line.left.code, parse_value(line.right.code, scope));
  };
  for (const VectorLine& line : page.space_axes) define(line);
  for (auto line = page.definitions.rbegin(); line != page.definitions.rend(); ++line) define(*line);
  const std::string K = page.motion[0].left.code.substr(0, page.motion[0].left.code.size() - 1);
  return {std::get<Matrix>(*scope.find(K)), std::get<Matrix>(parse_value(page.motion[0].right.code, scope))};
}

/// dK/dt − N along the component form.
Matrix residual(const EquationsOfMotion& equations, const Read& read) {
  SymbolMap rates;
  for (std::size_t i = 0; i < equations.configuration.size(); ++i)
    rates.emplace(equations.configuration[i], equations.configuration_rates[i]);
  for (std::size_t i = 0; i < equations.speeds.size(); ++i)
    rates.emplace(equations.speeds[i], equations.speed_rates[i]);
  return derivative_along(substitute(read.K, equations.velocities), rates) -
         substitute(read.N, equations.velocities);
}

bool vanishes(const Matrix& m) {
  for (const Expr e : m.entries())
    if (!vanishes_at_random_points(e)) return false;
  return true;
}

VectorEquations page_of(const System& system, const EquationsOfMotion& equations) {
  auto page = vector_equations(system, equations);
  REQUIRE(page.has_value());
  CHECK(evidence(page->proof) == "proved");
  return *std::move(page);
}

}  // namespace

TEST_CASE("vectors read back are the components' motion, in at most eight lines; a wrong torque is not") {
  for (const char* name : {"euler-top", "chaplygin-sphere", "routh-sphere", "rolling-ellipsoid", "rattleback",
                           "chaplygin-top-se3", "chaplygin-sphere-gyrostat", "tippe-top-rolling"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const EquationsOfMotion equations = formalism("hamel").derive(system);
    const VectorEquations page = page_of(system, equations);
    CHECK(page.lines() <= 8);
    Read read = read_back(system, page);
    CHECK(vanishes(residual(equations, read)));
    read.N[0] = read.N[0] + 1;  // the mutant
    CHECK_FALSE(vanishes(residual(equations, read)));
  }
}

TEST_CASE("a body that nobody has seen is recognised by its graph, with the model's names") {
  const System system = read_model(loaded_ellipsoid, "loaded.toml");
  const EquationsOfMotion equations = formalism("hamel").derive(system);
  const VectorEquations page = page_of(system, equations);
  CHECK(page.motion[0].right.text == "K × Omega + m*low' × (Omega × low) + m*ga*low × up");
  CHECK(page.motion[1].right.text == "up × Omega");
  CHECK(page.definitions[0].right.text == "II*Omega + m*low × (Omega × low)");
  CHECK(vanishes(residual(equations, read_back(system, page))));
}

TEST_CASE("an ellipsoid with any inertia that its contact places: the proof needs no common denominators") {
  const System system = read_model(R"toml(
gravity = "ga"
[parameters]
ga = { value = 9.8, positive = true }
M = { value = 1.2, positive = true }
p = { value = 0.3, positive = true }
q = { value = 0.4, positive = true }
s = { value = 0.5, positive = true }
J1 = { value = 0.05, positive = true }
J2 = { value = 0.06, positive = true }
J3 = { value = 0.07, positive = true }
[bodies.egg]
mass = "M"
inertia = "diag(J1, J2, J3)"
[contacts.floor]
body = "egg"
surface = { ellipsoid = ["p", "q", "s"] }
coordinates = ["xi", "eta", "C"]
body_rate = "W"
)toml",
                                   "egg.toml");
  const EquationsOfMotion equations = formalism("hamel").derive(system);
  const VectorEquations page = page_of(system, equations);
  CHECK(page.motion[0].right.text == "K × W + M*rho' × (W × rho) + ga*M*rho × gamma");
  CHECK(page.lines() <= 8);
  Read read = read_back(system, page);
  CHECK(vanishes(residual(equations, read)));
}

TEST_CASE("decimals in the model text are coefficients as parameters are") {
  const System system = read_model(R"toml(
gravity = "9.81"
[bodies.disk]
mass = "0.4387"
shape = { cylinder = ["0.0375", "0.0127"] }
[contacts.edge]
body = "disk"
surface = { disk = "0.0375", axis = "e3", center = "[0, 0, -0.0127/2]" }
coordinates = ["x", "y", "B"]
body_rate = "Omega"
)toml",
                                   "coin");
  const VectorEquations page = page_of(system, formalism("hamel").derive(system));
  CHECK(page.lines() <= 8);
  CHECK(page.motion[0].right.text ==
        "K × Omega + 4387/10000*rho' × (Omega × rho) + 4303647/1000000*rho × gamma");
}

TEST_CASE("coordinates of the contact have one line, not another for the mass centre") {
  const System system = read_model(R"toml(
gravity = "9.81"
[bodies.ball]
mass = "3/2"
inertia = ["0.12", "0.38", "0.43"]
center = ["0.01", 0, "0.05"]
[contacts.ground]
body = "ball"
surface = { sphere = "0.3" }
coordinates = ["x", "y", "B"]
body_rate = "Omega"
)toml",
                                   "ball");
  const VectorEquations page = page_of(system, formalism("hamel").derive(system));
  REQUIRE(page.motion.size() == 4);
  CHECK(page.motion.back().left.text == "[x, y, 0]'");
}

TEST_CASE("constraints on the rotation have a multiplier in closed form") {
  for (const auto& [name, axis] : {std::pair{"suslov", "e3"}, std::pair{"veselova", "gamma"},
                                   std::pair{"rubber-chaplygin-ball", "gamma"}}) {
    CAPTURE(name);
    const System system = load_model(name);
    const VectorEquations page = page_of(system, formalism("hamel").derive(system));
    CHECK(page.lines() <= 8);
    CHECK(page.motion[0].right.text == std::string("K × Omega + lambda*") + axis);
    REQUIRE(page.conditions.size() == 1);
    CHECK(page.conditions[0].left.text == std::string(axis) + "·Omega");
    CHECK(page.definitions[1].left.text == "lambda");
  }
}

TEST_CASE("a system without a body, and one whose other velocities are free, have no vectors") {
  for (const char* name : {"chaplygin-sleigh", "snakeboard", "tippe-top"}) {
    CAPTURE(name);
    const System system = load_model(name);
    CHECK_FALSE(vector_equations(system, formalism("hamel").derive(system)).has_value());
  }
}
