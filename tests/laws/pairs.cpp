// One system described twice: minimal coordinates and position constraints, angles and unit vectors, SO(3), Euler angles and quaternions,
// free heights and fixed ones, constraints multiplied and repeated. Verdicts, loci and domains are the system's.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/load.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

struct Pair {
  const char *name, *first, *second;  ///< texts, or names of the zoo
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{
      {"pendulum: angle, Cartesian",
       R"toml(lagrangian = "m/2*l^2*th'^2 + m*g*l*cos(th)"
[space]
th = "S1"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "x^2 + y^2 = l^2"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml"},
      {"pendulum: circle, line",
       R"toml(lagrangian = "m/2*l^2*th'^2 + m*g*l*cos(th)"
[space]
th = "S1"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "m/2*l^2*th'^2 + m*g*l*cos(th)"
[space]
th = "R"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml"},
      {"pendulum: squared distance, distance",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "x^2 + y^2 = l^2"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "sqrt(x^2 + y^2) = l"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml"},
      {"pendulum: multiplied",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "x^2 + y^2 = l^2"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "(x^2 + y^2 - l^2)*(1 + x^2) = 0"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml"},
      {"pendulum: redundant",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "x^2 + y^2 = l^2"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "m/2*(x'^2+y'^2) - m*g*y"
[space]
x = "R"
y = "R"
[constraints]
c0 = "x^2 + y^2 = l^2"
c1 = "(x^2 + y^2)^2 = l^4"
[parameters]
m = { value = "1", positive = true }
g = { value = "10", positive = true }
l = { value = "1", positive = true }
)toml"},
      {"spherical pendulum",
       R"toml(lagrangian = "1/2*(th'^2+sin(th)^2*ph'^2) - k*cos(th)"
[space]
th = "S1"
ph = "S1"
[parameters]
k = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2) - k*z"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c0 = "x^2 + y^2 + z^2 = 1"
[parameters]
k = { value = "1", positive = true }
)toml"},
      {"sphere: multiplied",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2) - k*z"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c0 = "x^2 + y^2 + z^2 = 1"
[parameters]
k = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2) - k*z"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c0 = "(x^2 + y^2 + z^2 - 1)*(2 + z^2) = 0"
[parameters]
k = { value = "1", positive = true }
)toml"},
      {"free on a cylinder",
       R"toml(lagrangian = "1/2*(r^2*th'^2 + z'^2)"
[space]
th = "S1"
z = "R"
[parameters]
r = { value = "2", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2)"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c0 = "x^2+y^2 = r^2"
[parameters]
r = { value = "2", positive = true }
)toml"},
      {"cylinder with a well",
       R"toml(lagrangian = "1/2*(r^2*th'^2 + z'^2) - z^2"
[space]
th = "S1"
z = "R"
[parameters]
r = { value = "2", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2) - z^2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c0 = "x^2+y^2 = r^2"
[parameters]
r = { value = "2", positive = true }
)toml"},
      {"paraboloid",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+(2*x*x'+2*y*y')^2) - g*(x^2+y^2)"
[space]
x = "R"
y = "R"
[parameters]
g = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2) - g*z"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c0 = "z = x^2 + y^2"
[parameters]
g = { value = "1", positive = true }
)toml"},
      {"rod",
       R"toml(lagrangian = "m*(x'^2+y'^2) + m*l^2*th'^2"
[space]
x = "R"
y = "R"
th = "S1"
[parameters]
m = { value = "1", positive = true }
l = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "m/2*(x1'^2+y1'^2+x2'^2+y2'^2)"
[space]
x1 = "R"
y1 = "R"
x2 = "R"
y2 = "R"
[constraints]
c0 = "(x1-x2)^2 + (y1-y2)^2 = 4*l^2"
[parameters]
m = { value = "1", positive = true }
l = { value = "1", positive = true }
)toml"},
      {"wheel with free height",
       R"toml(lagrangian = "1/2*(m*x'^2 + J*ph'^2) - m*g*x*s"
[space]
x = "R"
ph = "S1"
[constraints]
c0 = "x' = r*ph'"
[parameters]
m = { value = "1", positive = true }
J = { value = "1", positive = true }
g = { value = "1", positive = true }
r = { value = "1", positive = true }
s = "1/2"
)toml",
       R"toml(lagrangian = "1/2*(m*(x'^2+z'^2) + J*ph'^2) - m*g*x*s - m*g*z"
[space]
x = "R"
z = "R"
ph = "S1"
[constraints]
c0 = "x' = r*ph'"
c1 = "z = r"
[parameters]
m = { value = "1", positive = true }
J = { value = "1", positive = true }
g = { value = "1", positive = true }
r = { value = "1", positive = true }
s = "1/2"
)toml"},
      {"disk with free height",
       R"toml(lagrangian = "1/2*(m*(x'^2+y'^2) + I*th'^2 + J*ph'^2)"
[space]
x = "R"
y = "R"
th = "S1"
ph = "S1"
[constraints]
c0 = "x' = r*cos(th)*ph'"
c1 = "y' = r*sin(th)*ph'"
[parameters]
m = { value = "1", positive = true }
I = { value = "1", positive = true }
J = { value = "1", positive = true }
r = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(m*(x'^2+y'^2+z'^2) + I*th'^2 + J*ph'^2) - m*z"
[space]
x = "R"
y = "R"
z = "R"
th = "S1"
ph = "S1"
[constraints]
c0 = "x' = r*cos(th)*ph'"
c1 = "y' = r*sin(th)*ph'"
c2 = "z = r"
[parameters]
m = { value = "1", positive = true }
I = { value = "1", positive = true }
J = { value = "1", positive = true }
r = { value = "1", positive = true }
)toml"},
      {"sleigh: circle as unit vector",
       R"toml(lagrangian = "1/2*(x'^2+y'^2 + J*th'^2)"
[space]
x = "R"
y = "R"
th = "S1"
[constraints]
c0 = "y'*cos(th) = x'*sin(th)"
[parameters]
J = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2 + J*(c'^2+s'^2))"
[space]
x = "R"
y = "R"
c = "R"
s = "R"
[constraints]
c0 = "y'*c = x'*s"
c1 = "c^2+s^2 = 1"
[parameters]
J = { value = "1", positive = true }
)toml"},
      {"Euler top: SO(3), quaternion",
       R"toml(lagrangian = "1/2*(I1*Omega1^2 + I2*Omega2^2 + I3*Omega3^2)"
[space]
B = { group = "SO(3)", body = "Omega", space = "omega" }
[parameters]
I1 = { value = 1, positive = true }
I2 = { value = 2, positive = true }
I3 = { value = 3, positive = true }
)toml",
       R"toml(lagrangian = "1/2*(I1*(2*(q0*q1' - q1*q0' - q2*q3' + q3*q2'))^2 + I2*(2*(q0*q2' - q2*q0' - q3*q1' + q1*q3'))^2 + I3*(2*(q0*q3' - q3*q0' - q1*q2' + q2*q1'))^2) + 2*(q0*q0'+q1*q1'+q2*q2'+q3*q3')^2"
[space]
q0 = "R"
q1 = "R"
q2 = "R"
q3 = "R"
[constraints]
c0 = "q0^2+q1^2+q2^2+q3^2 = 1"
[parameters]
I1 = { value = "1", positive = true }
I2 = { value = "2", positive = true }
I3 = { value = "3", positive = true }
)toml"},
      {"Suslov: SO(3), quaternion",
       R"toml(lagrangian = "1/2*(I1*Omega1^2 + I2*Omega2^2 + I3*Omega3^2)"
[space]
B = { group = "SO(3)", body = "Omega", space = "omega" }
[constraints]
c = "Omega3 = 0"
[parameters]
I1 = { value = 1, positive = true }
I2 = { value = 2, positive = true }
I3 = { value = 3, positive = true }
)toml",
       R"toml(lagrangian = "1/2*(I1*(2*(q0*q1' - q1*q0' - q2*q3' + q3*q2'))^2 + I2*(2*(q0*q2' - q2*q0' - q3*q1' + q1*q3'))^2 + I3*(2*(q0*q3' - q3*q0' - q1*q2' + q2*q1'))^2) + 2*(q0*q0'+q1*q1'+q2*q2'+q3*q3')^2"
[space]
q0 = "R"
q1 = "R"
q2 = "R"
q3 = "R"
[constraints]
c0 = "q0^2+q1^2+q2^2+q3^2 = 1"
d = "2*(q0*q3' - q3*q0' - q1*q2' + q2*q1') = 0"
[parameters]
I1 = { value = "1", positive = true }
I2 = { value = "2", positive = true }
I3 = { value = "3", positive = true }
)toml"},
      {"double pendulum",
       R"toml(lagrangian = "1/2*(a'^2 + (a'*cos(a)+b'*cos(b))^2 + (a'*sin(a)+b'*sin(b))^2) + g*(2*cos(a)+cos(b))"
[space]
a = "S1"
b = "S1"
[parameters]
g = { value = "1", positive = true }
)toml",
       R"toml(lagrangian = "1/2*(x1'^2+y1'^2+x2'^2+y2'^2) - g*(y1+y2)"
[space]
x1 = "R"
y1 = "R"
x2 = "R"
y2 = "R"
[constraints]
c0 = "x1^2+y1^2 = 1"
c1 = "(x2-x1)^2+(y2-y1)^2 = 1"
[parameters]
g = { value = "1", positive = true }
)toml"},
      {"particle: affine frame",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2)"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c = "z' = a*y*x'"
[parameters]
a = 1
)toml",
       R"toml(lagrangian = "1/2*(x'^2+y'^2+z'^2)"
[space]
z = "R"
y = "R"
x = "R"
[constraints]
c = "(z' - a*y*x')*exp(x) = 0"
[velocities]
u = "x' + y'"
w = "y'"
[parameters]
a = 1
)toml"},
      {"Chaplygin top: minimal, SE(3)", "chaplygin-top", "chaplygin-top-se3"},
      {"suslov", "suslov", "suslov-euler"},
      {"chaplygin-sphere", "chaplygin-sphere", "chaplygin-sphere-euler"},
      {"veselova", "veselova", "veselova-euler"},
  };
  return all;
}

System system_of(const std::string& given) {
  return given.find('\n') == std::string::npos ? load_model(given) : read_model(given, "pair");
}

constexpr double seconds = 3, structural = 20;  // of searches, and of what is decided at once or by ranks

std::string loci(const Answer& a) {
  std::vector<std::string> all;
  for (const Locus& locus : a.unless) all.push_back(text(locus));
  std::sort(all.begin(), all.end());
  return fmt::format("{}", fmt::join(all, "; "));
}

bool contradict(Outcome a, Outcome b) {
  return (a == Outcome::proved && b == Outcome::refuted) || (a == Outcome::refuted && b == Outcome::proved);
}

/// Everything that is decided in both descriptions is the same.
void compare(const Pair& pair, const char* name) {
  const Answer a = asked(question(name), system_of(pair.first), seconds);
  const Answer b = asked(question(name), system_of(pair.second), seconds);
  INFO(std::string(pair.name) << ": " << std::string(name) << ": " << text(a.outcome) << ", "
                              << text(b.outcome));
  CHECK_FALSE(contradict(a.outcome, b.outcome));
  if (a.outcome != b.outcome || !a.decided()) return;
  CHECK(loci(a) == loci(b));
}

}  // namespace

TEST_CASE("structural verdicts are the same in both descriptions") {
  for (const Pair& pair : pairs()) {
    for (const char* name : {"regularity", "integrability", "energy"}) {
      const Answer a = asked(question(name), system_of(pair.first), structural);
      const Answer b = asked(question(name), system_of(pair.second), structural);
      INFO(std::string(pair.name) << ": " << std::string(name));
      CHECK(text(a.outcome) == text(b.outcome));
      CHECK(loci(a) == loci(b));
    }
  }
}

TEST_CASE("symmetries, momenta and measures agree where both are decided") {
  for (const Pair& pair : pairs()) {
    if (std::string(pair.first).find('\n') == std::string::npos) continue;  // the zoo has its [known] tables
    for (const char* name : {"symmetries", "momenta", "invariant-measure"}) compare(pair, name);
  }
}

TEST_CASE("a pendulum is decided alike with an angle and in Cartesian coordinates") {
  const Pair& pendulum = pairs().front();
  for (const char* name : {"symmetries", "momenta", "invariant-measure", "equilibria"}) {
    INFO(std::string(name));
    CHECK(text(asked(question(name), system_of(pendulum.first), seconds).outcome) ==
          text(asked(question(name), system_of(pendulum.second), seconds).outcome));
  }
}

TEST_CASE("a pair of different systems is noticed") {
  const Pair& pendulum = pairs().front();
  const System angle = system_of(pendulum.first);
  std::string other = pendulum.second;  // without gravity
  other.replace(other.find(" - m*g*y"), 8, "");
  const Answer a = asked(question("symmetries"), angle, seconds);
  const Answer b = asked(question("symmetries"), read_model(other, "mutant"), seconds);
  CHECK(contradict(a.outcome, b.outcome));
}
