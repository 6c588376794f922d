// Small motions about states whose spectrum is known.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/first_order.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

using namespace rattleback;

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Numbers parameters(const System& system) {
  Numbers at;
  for (const auto& [s, value] : parameter_values(system)) at.emplace(s, evaluate(value, {}));
  return at;
}

std::string slug(const std::string& model, const Values& about) {
  try {
    linearisation(load_model(model), about);
  } catch (const Error& error) {
    return error.slug;
  }
  return "";
}

bool has(const std::vector<std::complex<double>>& values, std::complex<double> wanted, double tolerance) {
  return std::any_of(values.begin(), values.end(), [&](auto z) { return std::abs(z - wanted) < tolerance; });
}

}  // namespace

TEST_CASE("values and slopes at a point are those of the derivative") {
  const Expr f = parse("sin(x)*y^2/(1 + x*y) + F(x, y)*exp(y) + sqrt(4 + x)");
  const Symbol x = Symbol::make("x"), y = Symbol::make("y");
  const SymbolMap point{{x, Expr(0)}, {y, parse("a")}};
  const FirstOrder found = first_order({&f, 1}, std::vector<Symbol>{x, y}, point);
  CHECK(proved(are_equal(found.values[0], substitute(f, point))));
  CHECK(proved(are_equal(found.slopes(0, 0), substitute(derivative(f, x), point))));
  CHECK(proved(are_equal(found.slopes(0, 1), substitute(derivative(f, y), point))));
}

TEST_CASE("a pendulum on a cart swings with sqrt(g (M + m)/(M l)) below and falls with it above") {
  const System system = load_model("cart-pendulum");
  const Numbers at = parameters(system);
  const double w = std::sqrt(evaluate(parse("g*(M + m)/(M*l)", system.scope), at));
  CHECK(has(spectrum(linearisation(system, Values{}), at), {0, w}, 1e-12));
  const auto above = spectrum(linearisation(system, Values{{"theta", "pi"}}), at);
  CHECK(has(above, w, 1e-12));
  CHECK(has(above, -w, 1e-12));
}

TEST_CASE("the rattleback of Kane and Levinson: unstable in one sense of rotation, stable in the other") {
  const System system = load_model("rattleback-kane");
  const Linearisation small = linearisation(system, {{"Omega3", "w"}});
  Numbers at = parameters(system);
  const Symbol w = Symbol::make("w");
  at[w] = 5;
  CHECK(has(spectrum(small, at), {2.120692398, 109.3923228}, 1e-7));
  CHECK(has(spectrum(small, at), {-0.2025212833, 34.14369167}, 1e-7));
  at[w] = -5;
  CHECK(has(spectrum(small, at), {-2.120692398, 109.3923228}, 1e-7));
  CHECK(has(spectrum(small, at), {0.2025212833, 34.14369167}, 1e-7));
  at[w] = -1;
  CHECK(has(spectrum(small, at), {-0.4259762119, 107.2959366}, 1e-6));
  CHECK(has(spectrum(small, at), {0.042341989, 33.84154159}, 1e-6));
}

TEST_CASE("a rolling disk is stable when fast: roll^2 > m g R J/(I (I + m R^2))") {
  const System system = load_model("falling-disk");
  const Linearisation small = linearisation(system, {{"roll", "w"}});
  Numbers at = parameters(system);
  const double critical = std::sqrt(evaluate(parse("m*g*R*J/(I*(I + m*R^2))", system.scope), at));
  const auto growth = [&](double w) {
    at[Symbol::make("w")] = w;
    double largest = -1;
    for (const auto& z : spectrum(small, at)) largest = std::max(largest, z.real());
    return largest;
  };
  CHECK(growth(1.01 * critical) < 1e-7);
  CHECK(growth(0.99 * critical) > 1e-3);
}

TEST_CASE("the matrix is the derivative of the equations, and a wrong one would be noticed") {
  const System system = load_model("chaplygin-sleigh");
  const Linearisation small = linearisation(system, {{"u", "w"}});
  const EquationsOfMotion motion = straight_line_equations(system);
  REQUIRE(small.configuration.empty());
  const Matrix A = state_matrix(small);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const Expr slope = derivative(motion.speed_rates[static_cast<std::size_t>(i)],
                                    motion.speeds[static_cast<std::size_t>(j)]);
      const Expr here = substitute(slope, small.about.values);
      CHECK(proved(are_equal(A(i, j), here)));
      CHECK(refuted(are_equal(A(i, j) + Expr(1), here)));
    }
  }
}

TEST_CASE("states that are not steady, not admissible or not there are refused") {
  CHECK(slug("falling-disk", {{"theta", "1/10"}}) == "not-steady");
  CHECK(slug("kapitza-pendulum", {}) == "not-steady");
  CHECK(slug("chaplygin-sleigh", {{"omega", "1"}}) == "not-steady");
  CHECK(slug("falling-disk", {{"tehta", "0"}}) == "unknown-symbol");
  CHECK(slug("bicycle", {{"pitch", "1/10"}}) == "off-constraint");
  CHECK(slug("chaplygin-sleigh", {{"y'", "1"}}) == "off-constraint");
  CHECK(slug("rattleback", {{"Omega", "[1, 2]"}}) == "shape-mismatch");
  CHECK(slug("rattleback", {{"Omega", "[0, 0, 1]"}, {"B", "Rz(1)"}}).empty());
}

TEST_CASE("speeds that were chosen for general configurations are exchanged where they degenerate") {
  // Three links in a row: the joint rates determine neither each other nor the velocity ahead when the snake is straight.
  const System snake = read_model(R"toml(
kinetic = "T"
[space]
x = "R"
y = "R"
th = "S1"
p = "S1"
q = "S1"
[parameters]
m = { value = 1, positive = true }
J = { value = 2, positive = true }
[define]
a = "th - p"
b = "th + q"
c0 = "[x, y]"
c1 = "[x - cos(th) - cos(a), y - sin(th) - sin(a)]"
c2 = "[x + cos(th) + cos(b), y + sin(th) + sin(b)]"
T = "m/2*(norm2(c0') + norm2(c1') + norm2(c2')) + J/2*(th'^2 + a'^2 + b'^2)"
[constraints]
w0 = "dot([-sin(th), cos(th)], c0') = 0"
w1 = "dot([-sin(a), cos(a)], c1') = 0"
w2 = "dot([-sin(b), cos(b)], c2') = 0"
)toml",
                                  "snake");
  for (const Values& about : {Values{}, Values{{"x'", "v"}}}) {
    const Linearisation small = linearisation(snake, about);
    Numbers at = parameters(snake);
    at.emplace(Symbol::make("v"), 1.0);
    CHECK(small.M.rows() == 2);
    CHECK(std::abs(evaluate(small.M(0, 0), at) - 3) < 1e-12);  // 3 m along x
    CHECK(spectrum(small, at).size() >= 2);
  }
}

TEST_CASE("speeds that the model names are exchanged where they have a pole and the constraints do not") {
  // Both axles point alike: the board goes there without turning, which its turn alone does not tell.
  const System board = read_model(R"toml(
kinetic = "m/2*(x'^2 + y'^2) + J/2*th'^2 + I/2*((th' + a')^2 + (th' + c')^2)"
[space]
x = "R"
y = "R"
th = "S1"
a = "S1"
c = "S1"
[parameters]
m = { value = 1, positive = true }
J = { value = 2, positive = true }
I = { value = 3, positive = true }
l = { value = 1, positive = true }
[constraints]
front = "-sin(th + a)*(x' - l*th'*sin(th)) + cos(th + a)*(y' + l*th'*cos(th)) = 0"
back = "-sin(th + c)*(x' + l*th'*sin(th)) + cos(th + c)*(y' - l*th'*cos(th)) = 0"
[velocities]
v = "th'"
w1 = "a'"
w2 = "c'"
)toml",
                                  "board");
  const Linearisation small = linearisation(board, Values{{"a", "0.3"}, {"c", "0.3"}});
  CHECK(small.M.rows() == 3);
  // along the axles' direction the board is its mass: (x', y') = y' (cot 0.3, 1), all angles at rest
  const Numbers at = parameters(board);
  const double sine = std::sin(0.3);
  CHECK(small.speeds.front().name() == "y'");
  CHECK(std::abs(evaluate(small.M(0, 0), at) - 1 / (sine * sine)) < 1e-12);
  for (const auto& z : spectrum(small, at)) CHECK(std::abs(z) < 1e-9);
  CHECK(linearisation(board, Values{{"a", "0.3"}}).speeds.front().name() == "v");  // no pole here
}
