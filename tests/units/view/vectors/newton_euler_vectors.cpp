// Several bodies in vectors: every printed line, read back in the model language, holds along the motion in components.
#include <rattleback/view/vectors/newton_euler_vectors.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

using namespace rattleback;

namespace {

/// Two bodies on spherical joints, the second carried by the first, with friction between them.
constexpr const char* double_spherical = R"toml(
gravity = "g"
[parameters]
g = { value = 9.81, positive = true }
a = { value = 0.5, positive = true }
m = { value = 0.4, positive = true }
M = { value = 0.7, positive = true }
k = { value = 0.1, positive = true }
I1 = 1
I2 = 2
I3 = 2.5
[bodies.one]
mass = "M"
inertia = "diag(I1, I2, I3)"
[bodies.two]
mass = "m"
inertia = "diag(I1, I1, I3)"
[joints.A]
kind = "spherical"
child = "one"
at = "[1, 2, 3]"
child_at = "[0, 0, a]"
[joints.B]
kind = "spherical"
parent = "one"
child = "two"
at = "[0, 0, -a]"
child_at = "[0, 0, 2*a]"
damping = "k"
)toml";

/// A ball that rolls in a ball that rolls on a turning table.
constexpr const char* nested_balls = R"toml(
gravity = "g"
[parameters]
g = { value = 9.81, positive = true }
R = { value = 2, positive = true }
r = { value = 0.5, positive = true }
m = { value = 0.4, positive = true }
M = { value = 0.7, positive = true }
[bodies.shell]
mass = "M"
shape = { shell = "R" }
[bodies.ball]
mass = "m"
shape = { ball = "r" }
[contacts.floor]
body = "shell"
surface = { sphere = "R" }
coordinates = ["x", "y", "A"]
[contacts.wall]
body = "ball"
surface = { sphere = "r" }
on = { body = "shell", sphere = "R", side = "inside" }
coordinates = ["u", "v", "B"]
)toml";

/// An ellipsoid that carries a rotor, with an inertia of no symmetry.
constexpr const char* ellipsoid_with_rotor = R"toml(
gravity = "g"
[parameters]
g = { value = 9.81, positive = true }
m = { value = 1, positive = true }
mr = { value = 0.2, positive = true }
J = { value = 0.05, positive = true }
J1 = { value = 0.03, positive = true }
a = { value = 0.5, positive = true }
b = { value = 0.6, positive = true }
c = { value = 0.4, positive = true }
[bodies.shell]
mass = "m"
inertia = "diag(1/10, 3/25, 7/50)"
[bodies.rotor]
mass = "mr"
inertia = "diag(J1, J1, J)"
[joints.spin]
kind = "revolute"
parent = "shell"
child = "rotor"
axis = "e3"
[contacts.ground]
body = "shell"
surface = { ellipsoid = ["a", "b", "c"] }
coordinates = ["x", "y", "B"]
body_rate = "Omega"
)toml";

/// Two balls whose mass centres are not their centres, one rolling on the other.
constexpr const char* loaded_balls = R"toml(
gravity = "g"
[parameters]
g = { value = 9.81, positive = true }
m = { value = 1, positive = true }
M = { value = 2, positive = true }
r = { value = 0.5, positive = true }
R = { value = 0.9, positive = true }
d = { value = 0.1, positive = true }
h = { value = 0.15, positive = true }
[bodies.lower]
mass = "M"
inertia = "diag(1, 1, 2)"
[bodies.upper]
mass = "m"
inertia = "diag(1/10, 1/10, 2/10)"
[contacts.ground]
body = "lower"
surface = { sphere = "R", center = "[0, 0, h]" }
coordinates = ["x", "y", "A"]
[contacts.top]
body = "upper"
surface = { sphere = "r", center = "[0, 0, d]" }
on = { body = "lower", sphere = "R", center = "[0, 0, h]" }
coordinates = ["u", "v", "B"]
)toml";

class PrintedMotion {
 public:
  PrintedMotion(const System& system, const VectorEquations& page)
      : scope_(system.scope), equations_(straight_line_equations(system)) {
    for (std::size_t i = 0; i < equations_.configuration.size(); ++i)
      rates_.emplace(equations_.configuration[i], equations_.configuration_rates[i]);
    for (std::size_t i = 0; i < equations_.speeds.size(); ++i)
      rates_.emplace(equations_.speeds[i], equations_.speed_rates[i]);
    rates_.emplace(system.time, Expr(1));
    std::vector<VectorLine> open = page.space_axes;
    open.insert(open.end(), page.definitions.begin(), page.definitions.end());
    for (std::size_t round = 0; round < 20 && !open.empty(); ++round) {
      std::erase_if(open, [&](const VectorLine& line) { return define(line); });
      for (const VectorLine& line : page.motion)
        if (line.right.code.starts_with("hat(")) name_angular_velocity(line);
    }
    REQUIRE(open.empty());
  }

  bool holds(const VectorLine& line, Expr error = 0) {
    const bool turns = line.right.code.starts_with("hat(");
    const Value left = value(line.left.code), right = turns ? turned(line) : value(line.right.code);
    if (const auto* e = std::get_if<Expr>(&left)) {
      const auto* r = std::get_if<Expr>(&right);
      return vanishes_at_random_points(on_speeds(*e) - on_speeds(*r) + error);
    }
    const Matrix l = on_speeds(std::get<Matrix>(left));
    Matrix rest = l;
    if (const auto* m = std::get_if<Matrix>(&right)) rest = l - on_speeds(*m);
    rest[0] = rest[0] + error;
    for (const Expr e : rest.entries())
      if (!vanishes_at_random_points(e)) return false;
    return true;
  }

 private:
  Expr on_speeds(Expr e) const { return substitute(e, equations_.velocities); }
  Matrix on_speeds(const Matrix& m) const { return substitute(m, equations_.velocities); }
  Matrix rate(const Matrix& m) const { return derivative_along(on_speeds(m), rates_); }

  bool define(const VectorLine& line) {
    try {
      scope_.define(line.left.code, parse_value(line.right.code, scope_));
      return true;
    } catch (const Error&) {
      return false;  // what it needs comes later
    }
  }

  /// omega and B of "hat(omega)*B".
  static std::pair<std::string, std::string> parts(const VectorLine& line) {
    const std::string& code = line.right.code;
    const std::size_t end = code.find(')');
    return {code.substr(4, end - 4), code.substr(end + 2)};
  }
  Value turned(const VectorLine& line) const {
    const auto [omega, B] = parts(line);
    return hat(std::get<Matrix>(*scope_.find(omega))) * std::get<Matrix>(*scope_.find(B));
  }
  /// From R' R^T, where the model has no name for it.
  void name_angular_velocity(const VectorLine& line) {
    const auto [omega, B] = parts(line);
    if (scope_.find(omega) != nullptr || scope_.find(B) == nullptr) return;
    const Matrix R = std::get<Matrix>(*scope_.find(B)), S = rate(R) * transpose(on_speeds(R));
    scope_.define(omega, Matrix::column(std::vector<Expr>{S(2, 1), S(0, 2), S(1, 0)}));
  }

  /// name' and [x, y, 0]' are rates along the motion.
  Value value(std::string code) {
    for (std::size_t at = code.find('\''); at != std::string::npos; at = code.find('\'', at + 1)) {
      std::size_t first = at;
      if (code[at - 1] == ']') {
        first = code.rfind('[', at);
      } else {
        while (first > 0 &&
               (std::isalnum(static_cast<unsigned char>(code[first - 1])) != 0 || code[first - 1] == '_'))
          --first;
      }
      const Value inner = parse_value(code.substr(first, at - first), scope_);
      const auto* m = std::get_if<Matrix>(&inner);
      if (m == nullptr) continue;
      const std::string name = "rate_" + std::to_string(++count_);
      scope_.define(name, rate(*m));
      code.replace(first, at - first + 1, name);
      at = first;
    }
    return parse_value(code, scope_);
  }

  Scope scope_;
  EquationsOfMotion equations_;
  SymbolMap rates_;
  int count_ = 0;
};

void check_lines(const System& system, std::size_t most) {
  const auto page = newton_euler_vectors(system);
  REQUIRE(page.has_value());
  CHECK(evidence(page->proof) == "proved");
  CHECK(page->lines() <= most);
  PrintedMotion motion(system, *page);
  for (const VectorLine& line : page->motion) {
    CAPTURE(line.left.code);
    CAPTURE(line.right.code);
    CHECK(motion.holds(line));
    CHECK_FALSE(motion.holds(line, 1));
  }
}

}  // namespace

TEST_CASE("several bodies in vectors, read back, are the components' motion (X.4)") {
  for (const auto& [name, lines] :
       {std::pair{"ball-on-turntable", 4}, std::pair{"two-balls", 8}, std::pair{"rotor-ball", 8},
        std::pair{"pendulum-ball", 8}, std::pair{"ballbot", 8}, std::pair{"ball-on-hill", 5},
        std::pair{"hoop-with-pendulum", 10}, std::pair{"disk-on-cart", 9}}) {
    CAPTURE(name);
    check_lines(load_model(name), static_cast<std::size_t>(lines));
  }
}

TEST_CASE("bodies that nobody has seen: a chain of spherical joints, a ball in a rolling ball") {
  check_lines(read_model(double_spherical, "double.toml"), 10);
  check_lines(read_model(nested_balls, "nested.toml"), 8);
}

TEST_CASE("an ellipsoid with a rotor, and two balls with mass centres off their centres") {
  check_lines(read_model(ellipsoid_with_rotor, "ellipsoid.toml"), 12);
  check_lines(read_model(loaded_balls, "balls.toml"), 14);
}

TEST_CASE("a ball on a turntable reads as in the literature") {
  const System system = load_model("ball-on-turntable");
  const auto page = vector_equations(system, formalism("hamel").derive(system));
  REQUIRE(page.has_value());
  CHECK(page->motion[0].left.text == "I*omega'");
  CHECK(page->motion[0].right.text == "m*r*(v' - ga*e1) × e3");
  CHECK(page->definitions[0].right.text == "r*omega × e3 + rate*e3 × [x, y, 0]");
}

TEST_CASE("a rotation that constraints hold, and a system without a rotation, are not written so") {
  for (const char* name : {"rubber-ball", "chaplygin-sleigh", "triple-pendulum"}) {
    CAPTURE(name);
    CHECK_FALSE(newton_euler_vectors(load_model(name)).has_value());
  }
}
