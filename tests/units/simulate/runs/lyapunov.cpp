/// Lyapunov spectra: known ones, sums, neutral directions, indicators, and a program that shares no code with them.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/rates.hpp>

using namespace rattleback;

namespace {

/// All of them, with the integrals that need no search.
LyapunovExponents spectrum(const System& system, double until, std::size_t count = 0, bool backward = false) {
  const Flow flow(system);
  LyapunovOptions options;
  options.until = until;
  options.count = count;
  options.backward = backward;
  options.invariants = known_invariants(system);
  return lyapunov_exponents(flow, initial_state(flow), options);
}

System saddle() {
  return read_model(R"(lagrangian = "1/2*x'^2 + 2*x^2 + 1/2*y'^2 - 1/2*y^2"
[space]
x = "R"
y = "R"
[simulation]
initial = { x = 0, "x'" = 0, y = 1, "y'" = 0 })",
                    "saddle.toml");
}

/// Duffing's oscillator in Ueda's form, driven, damped, chaotic.
System ueda() {
  return read_model(R"(lagrangian = "1/2*x'^2 - 1/4*x^4"
[space]
x = "R"
[forces]
x = "7.5*cos(t) - 0.05*x'"
[simulation]
initial = { x = 1, "x'" = 0 })",
                    "ueda.toml");
}

/// The largest exponent by Benettin's two motions: Kutta's method on neighbours that are brought back to a distance of 1e-8.
double by_neighbours(const System& system, double until, double h) {
  const Flow flow(system);
  Rates f(flow);
  const std::size_t n = flow.dimension();
  std::vector<double> y = initial_state(flow), z = y;
  z[0] += 1e-8;
  const auto step = [&](double t, std::vector<double>& u) {
    std::vector<double> k1(n), k2(n), k3(n), k4(n), w(n);
    const auto at = [&](const std::vector<double>& k, double s) {
      for (std::size_t i = 0; i < n; ++i) w[i] = u[i] + s * k[i];
      return w.data();
    };
    f(t, u.data(), k1.data());
    f(t + h / 2, at(k1, h / 2), k2.data());
    f(t + h / 2, at(k2, h / 2), k3.data());
    f(t + h, at(k3, h), k4.data());
    for (std::size_t i = 0; i < n; ++i) u[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
  };
  double sum = 0, t = 0;
  for (long k = 0; t < until; ++k, t = static_cast<double>(k) * h) {
    step(t, y);
    step(t, z);
    if (k % 10 != 9) continue;
    double distance = 0;
    for (std::size_t i = 0; i < n; ++i) distance += std::pow(z[i] - y[i], 2);
    distance = std::sqrt(distance);
    sum += std::log(distance / 1e-8);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + (z[i] - y[i]) * 1e-8 / distance;
  }
  return sum / t;
}

}  // namespace

TEST_CASE("a saddle and an oscillator: ±2 and twice 0, which the energies and the motion make neutral") {
  const LyapunovExponents found = spectrum(saddle(), 100);
  REQUIRE(found.exponents.size() == 4);
  CHECK(found.exponents[0] == doctest::Approx(2).epsilon(1e-9));
  CHECK(std::abs(found.exponents[1]) < 1e-9);
  CHECK(std::abs(found.exponents[2]) < 1e-9);
  CHECK(found.exponents[3] == doctest::Approx(-2).epsilon(1e-9));
  CHECK(found.neutral.count == 2);
  CHECK(found.neutral.fields == std::vector<std::string>{"the motion itself"});
  REQUIRE(found.divergence.has_value());
  CHECK(std::abs(found.sum() - *found.divergence) < 1e-9);
  CHECK(found.blocks.size() == 20);
  CHECK(found.orthonormalisations < 450);  // rarely, not after each of some thousand steps
}

TEST_CASE(
    "damping: every exponent of a linear system, forwards and backwards, and the sum is the divergence") {
  const System damped = read_model(R"(lagrangian = "1/2*x'^2 + 1/2*y'^2 - 1/2*x^2 - 2*y^2"
[space]
x = "R"
y = "R"
[forces]
x = "-3*x'"
y = "-0.2*y'"
[simulation]
initial = { x = 1, "x'" = 0, y = 1, "y'" = 0 })",
                                   "damped.toml");
  const LyapunovExponents found = spectrum(damped, 60);
  const double root = std::sqrt(1.25);
  const std::vector<double> expected{-0.1, -0.1, -1.5 + root, -1.5 - root};
  for (std::size_t i = 0; i < 4; ++i) CHECK(found.exponents[i] == doctest::Approx(expected[i]).epsilon(0.03));
  CHECK(*found.divergence == doctest::Approx(-3.2).epsilon(1e-9));
  CHECK(found.sum() == doctest::Approx(-3.2).epsilon(1e-7));
  CHECK_FALSE(found.kaplan_yorke().has_value());
  const LyapunovExponents back = spectrum(damped, 10, 1, true);
  CHECK(back.exponents[0] == doctest::Approx(1.5 + root).epsilon(5e-3));
  CHECK(back.time == -10);
}

TEST_CASE(
    "a driven oscillator: positive as neighbours tell, sum minus the damping, dimension between one and "
    "two") {
  const LyapunovExponents found = spectrum(ueda(), 4000);
  CHECK(*found.divergence == doctest::Approx(-0.05).epsilon(1e-9));
  CHECK(found.sum() == doctest::Approx(-0.05).epsilon(1e-5));
  const double neighbours = by_neighbours(ueda(), 4000, 0.01);
  CHECK(found.exponents[0] > 5 * found.errors[0]);
  CHECK(std::abs(found.exponents[0] - neighbours) < 5 * found.errors[0]);
  REQUIRE(found.kaplan_yorke().has_value());
  CHECK(*found.kaplan_yorke() ==
        doctest::Approx(1 + found.exponents[0] / (found.exponents[0] + 0.05)).epsilon(1e-5));
  CHECK(found.megno > 20);               // λT/2 is about 200
  CHECK(found.neutral.count == 0);       // the rates depend on time
  CHECK(found.log_gali.front() < -100);  // exp(−(λ1 − λ2) t)
}

TEST_CASE("indicators of quasi-periodic motion: MEGNO is 2, deviations do not align") {
  const System quasi = read_model(R"(lagrangian = "1/2*x'^2 + 1/2*y'^2 - 1/2*x^2 - y^2 - 1/10*x^4 - 1/7*y^4"
[space]
x = "R"
y = "R"
[simulation]
initial = { x = 1, "x'" = 0, y = 0.5, "y'" = 0.3 })",
                                  "quasi.toml");
  const LyapunovExponents found = spectrum(quasi, 3000);
  // 2 (1 − ln(1 + s t)/(s t)) where deviations grow like 1 + s t
  CHECK(found.mean_megno == doctest::Approx(1.9).epsilon(0.1));
  CHECK(found.log_gali.front() > std::log(1e-3));  // two deviations on a torus of dimension two
  CHECK(found.log_gali.back() < std::log(1e-4));   // four do not fit
  for (const double x : found.exponents) CHECK(std::abs(x) < 5e-3);
}

TEST_CASE(
    "neutral directions: a stone has energy and the plane's motions; symmetries of a system at rest do not "
    "count twice") {
  const LyapunovExponents stone = spectrum(load_model("rattleback"), 60);
  CHECK(stone.directions == 8);
  CHECK(stone.neutral.integrals == std::vector<std::string>{"energy"});
  CHECK(stone.neutral.count >= 4);
  CHECK(stone.neutral.count <= 5);
  REQUIRE(stone.divergence.has_value());
  CHECK(std::abs(stone.sum() - *stone.divergence) < 1e-7);
  const LyapunovExponents board = spectrum(load_model("snakeboard"), 200);
  CHECK(board.neutral.count == 7);  // the eighth follows from a momentum that is searched for
  for (const double x : board.exponents) CHECK(std::abs(x) < 0.05);
}

TEST_CASE(
    "directions: a unit quaternion has three, constraints on positions take theirs, all velocities may be "
    "speeds") {
  const Flow top(load_model("euler-top"));
  CHECK(lyapunov_exponents(top, initial_state(top), 50, 6).exponents.size() == 6);
  CHECK_THROWS_WITH_AS(lyapunov_exponents(top, initial_state(top), 50, 7),
                       doctest::Contains("7 Lyapunov exponents of a motion with 6 directions"), Error);
  // A pendulum in the plane, described by x and y: one angle and its rate. At the top it is a saddle, ±sqrt(g/l).
  const System pendulum = read_model(R"(lagrangian = "1/2*(x'^2 + y'^2) - 4*y"
[space]
x = "R"
y = "R"
[constraints]
rod = "x^2 + y^2 = 1"
[simulation]
initial = { x = 0, y = 1, "x'" = 0, "y'" = 0 })",
                                     "pendulum.toml");
  const LyapunovExponents found = spectrum(pendulum, 100);
  REQUIRE(found.exponents.size() == 2);
  CHECK(found.exponents[0] == doctest::Approx(2).epsilon(1e-3));
  CHECK(found.exponents[1] == doctest::Approx(-2).epsilon(1e-3));
}

TEST_CASE("more directions than a register holds, and the interpreter: the same numbers") {
  const System system = load_model("chaotic-oscillator");
  const NativeMode mode = native_mode();
  set_native_mode(NativeMode::off);
  const LyapunovExponents interpreted = spectrum(system, 30);
  set_native_mode(NativeMode::on);
  const LyapunovExponents compiled = spectrum(system, 30);
  set_native_mode(mode);
  CHECK(interpreted.exponents.size() == 13);
  CHECK(interpreted.exponents == compiled.exponents);
  CHECK(interpreted.steps == compiled.steps);
}
