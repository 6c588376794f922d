/// Lists of equilibria: complete where they say so, and undecided where they cannot be.
#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/steady/potential_critical_points.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

using namespace rattleback;

namespace {

Answer equilibria(const std::string& model) {
  return asked(question("equilibria"), read_model(model, "t.toml"), 60);
}

std::size_t families(const Answer& a) { return a.answer.find("families")->list()->size(); }
bool is_complete(const Answer& a) { return *a.answer.find("complete")->get_if<bool>(); }

bool says(const Answer& a, const std::string& words) {
  return std::any_of(a.why.begin(), a.why.end(),
                     [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

std::string natural(const std::string& space, const std::string& lagrangian, const std::string& more = "") {
  return "title = \"t\"\nlagrangian = \"" + lagrangian + "\"\n[space]\n" + space + more;
}

}  // namespace

TEST_CASE("two angles: the minima where cos a = -1/6 are among the equilibria") {
  const Answer a =
      equilibria(natural("a = \"S1\"\nb = \"S1\"\n", "1/2*(a'^2 + b'^2) - cos(a) - cos(b) - 3*cos(a - b)"));
  CHECK(a.outcome == Outcome::proved);
  CHECK(is_complete(a));
  CHECK(says(a, "-1/6"));
  CHECK(says(a, "the energy has a minimum"));
}

TEST_CASE("orbits that a slice does not meet are looked at: x'*y' - x*y rests at the origin") {
  const Answer a = equilibria(natural("x = \"R\"\ny = \"R\"\n", "x'*y' - x*y"));
  CHECK(a.outcome != Outcome::refuted);
  CHECK(says(a, "at rest"));
}

TEST_CASE("degenerate minima are stable, saddles and maxima are not") {
  const std::string line = "x = \"R\"\n", plane = "x = \"R\"\ny = \"R\"\n";
  CHECK(says(equilibria(natural(line, "x'^2/2 - x^4/4")),
             "stable at the model's values: the potential has a strict minimum"));
  CHECK(says(equilibria(natural(line, "x'^2/2 + x^4/4")), "unstable"));
  CHECK(says(equilibria(natural(line, "x'^2/2 - x^3")), "unstable"));
  // y² + x²y + x⁴/2 has a minimum: at its best y, −x⁴/4 + x⁴/2 is left. With x⁴/8 it has none.
  CHECK(says(equilibria(natural(plane, "x'^2/2 + y'^2/2 - y^2 - x^2*y - x^4/2")), "strict minimum"));
  CHECK(says(equilibria(natural(plane, "x'^2/2 + y'^2/2 - y^2 - x^2*y - x^4/8")), "unstable"));
  CHECK(!says(equilibria(natural(plane, "x'^2/2 + y'^2/2 - y^2 - x^2*y - x^4/8")), "strict minimum"));
}

TEST_CASE("conditions that contradict each other are not offered as a criterion") {
  const Answer a = equilibria(natural("x = \"R\"\ny = \"R\"\n", "x'^2/2 + y'^2/2 - x^2/2 - y^2/2",
                                      "[forces]\nx = \"c*x'\"\ny = \"-c*y'\"\n[parameters]\nc = 1\n"));
  CHECK(!says(a, "iff"));
  CHECK(says(a, "unstable"));
}

TEST_CASE("an equation that is not solved leaves the list open") {
  const Answer a = equilibria(natural("x = \"R\"\n", "x'^2/2 - x^5/5 + x^2 - x"));
  CHECK(a.outcome == Outcome::undecided);
  CHECK(!is_complete(a));
}

TEST_CASE("the Neumann system rests on all six half axes") {
  const Answer a = equilibria(R"toml(title = "t"
lagrangian = "1/2*(q1'^2 + q2'^2 + q3'^2) - 1/2*(a1*q1^2 + a2*q2^2 + a3*q3^2)"
[space]
q1 = "R"
q2 = "R"
q3 = "R"
[parameters]
a1 = { value = 1, positive = true }
a2 = { value = 2, positive = true }
a3 = { value = 3, positive = true }
[constraints]
sphere = "q1^2 + q2^2 + q3^2 = 1"
)toml");
  CHECK(a.outcome != Outcome::refuted);
  CHECK((!is_complete(a) || families(a) == 6));
}

TEST_CASE(
    "a disc on an incline rolls along it, tilted by the incline's angle: its steady motions are not denied") {
  const Answer a = equilibria(R"toml(title = "t"
gravity = "g"
down = ["sin(incl)", 0, "-cos(incl)"]
[space]
x = "R"
y = "R"
yaw = "S1"
lean = "S1"
roll = "S1"
[parameters]
m = { value = 1, positive = true }
R = { value = 0.5, positive = true }
g = 9.81
incl = "pi/18"
[define]
F = "Rz(yaw)*Rx(lean)"
[bodies.disc]
mass = "m"
inertia = "m*R^2*diag(1/4, 1/2, 1/4)"
position = "[x, y, 0] + R*F*e3"
rotation = "F*Ry(roll)"
[contacts.plane]
body = "disc"
surface = { disk = "R", axis = "e2" }
)toml");
  CHECK(a.outcome != Outcome::refuted);
  CHECK((!a.answer.find("missed")->list()->empty() || families(a) > 0));
}

TEST_CASE("an initial angle near pi/2, in decimals, is no obstacle") {
  const Answer a = equilibria(natural("th = \"S1\"\n", "1/2*th'^2 + cos(th)",
                                      "[simulation]\ninitial = { th = 1.5707963267948966, \"th'\" = 0 }\n"));
  CHECK(a.outcome == Outcome::proved);
  CHECK(families(a) == 2);
}

TEST_CASE(
    "a ball in a cone, in speeds that the program chooses: the circles are a family, not lost at a pole") {
  const Answer a = equilibria(R"toml(title = "t"
kinetic = "m/2*((1 + k^2)*rho'^2 + rho^2*phi'^2) + I/2*norm2(Omega)"
potential = "m*g*k*rho"
[space]
rho = "R"
phi = "S1"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[parameters]
m = { value = 1, positive = true }
r = { value = "1/2", positive = true }
I = { value = "1/10", positive = true }
g = 9.8
k = { value = "1/2", positive = true }
[define]
w = "sqrt(1 + k^2)"
meridian = "[cos(phi)/w, sin(phi)/w, k/w]"
parallel = "[-sin(phi), cos(phi), 0]"
speed = "r*cross(omega, cross(meridian, parallel))"
[constraints]
up = "w*rho' = dot(speed, meridian)"
around = "rho*phi' = dot(speed, parallel)"
[symmetry]
SO2 = { rotate = { phi = "1", B = "left e3" } }
right = "B"
)toml");
  CHECK(a.outcome == Outcome::proved);
  CHECK(families(a) == 1);
}

TEST_CASE("a ball on a tilted turntable drifts steadily, with speeds of its own or without") {
  const std::string ball = R"toml(title = "t"
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*I*norm2(Omega) + m*ga*x"
[space]
x = "R"
y = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[parameters]
m = { value = 1, positive = true }
r = { value = "1/2", positive = true }
I = { value = "1/10", positive = true }
rate = 3
ga = 0
[constraints]
roll_x = "x' - r*omega[2] = -rate*y"
roll_y = "y' + r*omega[1] = rate*x"
[symmetry]
right = "B"
)toml";
  const Answer with = equilibria(ball + "[velocities]\nvx = \"x'\"\nvy = \"y'\"\nspin = \"omega[3]\"\n"),
               without = equilibria(ball);
  CHECK(with.outcome == Outcome::proved);
  CHECK(without.outcome == with.outcome);
  CHECK(families(without) == families(with));
}

TEST_CASE("critical points of the potential are found without the equations of motion (O.16)") {
  const System two = read_model(
      natural("a = \"S1\"\nb = \"S1\"\n", "1/2*(a'^2 + b'^2) - cos(a) - cos(b) - 3*cos(a - b)"), "t.toml");
  CHECK(potential_critical_points(two, solved_velocities(two)).size() >= 6);
  const System on_sphere = load_model("neumann");
  CHECK(potential_critical_points(on_sphere, solved_velocities(on_sphere)).size() >= 2);
  const System cylinder =
      read_model(natural("a = \"S1\"\nb = \"S1\"\n", "1/2*(a'^2 + b'^2) - 3*sin(2*a) - cos(a)"), "t.toml");
  CHECK(potential_critical_points(cylinder, solved_velocities(cylinder)).size() < 20);  // b is not told apart
  // A list without the minima is contradicted.
  const SolvedVelocities v = solved_velocities(two);
  std::vector<SteadyFamily> families = steady_motions(two, v).families;
  const auto contradictions = [&] {
    const std::vector<Numbers> found = potential_critical_points(two, v);
    return std::count_if(found.begin(), found.end(),
                         [&](const Numbers& state) { return !belongs_to_some(two, v, state, families); });
  };
  CHECK(contradictions() == 0);
  families.pop_back();
  CHECK(contradictions() > 0);
}

TEST_CASE("equilibria on a torus without a closed form are enclosed, and the list is complete") {
  const Answer a = equilibria(
      natural("a = \"S1\"\nb = \"S1\"\n", "1/2*(a'^2 + b'^2) + cos(2*b) + 3*cos(a + b) - 2*cos(a)"));
  CHECK(a.outcome == Outcome::proved);
  CHECK(families(a) + a.answer.find("enclosed")->list()->size() == 10);  // as a search on a grid finds
}

TEST_CASE("a degenerate equilibrium does not hide others: 2 sin a = 2 cos 2a at -pi/2, pi/6 and 5 pi/6") {
  const Answer a =
      equilibria(natural("a = \"S1\"\nb = \"S1\"\n", "1/2*(a'^2 + b'^2) + 2*cos(a) + 3*sin(b) + sin(2*a)"));
  CHECK(families(a) + a.answer.find("missed")->list()->size() == 6);
}

TEST_CASE("what several charts of speeds miss on a sphere is listed once") {
  const Answer a =
      equilibria(natural("x = \"R\"\ny = \"R\"\nz = \"R\"\n",
                         "1/2*(x'^2 + y'^2 + z'^2) - 2*x^2*y^2 - 2*y - 2*y^4 - 3*x^4 - 2*z^2 - z",
                         "[constraints]\nc = \"x^2 + y^2 + z^2 = 1\"\n"));
  CHECK(a.outcome == Outcome::undecided);
  CHECK(a.answer.find("missed")->list()->size() <= 6);  // as a search from 300 starts finds
}
