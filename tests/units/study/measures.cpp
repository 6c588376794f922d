/// Spectra, the 0-1 test, dimensions, covariant vectors and phase volume against maps and motions whose values are known.
#include <chrono>
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/tangent_space.hpp>
#include <rattleback/study/covariant_vectors.hpp>
#include <rattleback/study/phase_volume.hpp>
#include <rattleback/study/time_series.hpp>

using namespace rattleback;

namespace {

std::vector<double> logistic(double r, std::size_t count) {
  std::vector<double> x;
  double y = 0.31;
  for (std::size_t k = 0; k < count + 500; ++k) {
    y = r * y * (1 - y);
    if (k >= 500) x.push_back(y);
  }
  return x;
}

System oscillator(const std::string& force) {
  return read_model("lagrangian = \"1/2*x'^2\"\n[space]\nx = \"R\"\n[forces]\nx = \"" + force +
                        "\"\n[simulation]\ninitial = { x = 0, \"x'\" = 0 }\n",
                    "force.toml");
}

}  // namespace

TEST_CASE("two tones are found between the samples of the spectrum, by their parts of the variance") {
  std::vector<double> x;
  for (int k = 0; k < 4000; ++k) {
    const double t = 0.1 * k;
    x.push_back(3 * std::sin(2 * M_PI * 0.3141 * t) + std::cos(2 * M_PI * 1.2345 * t) + 7);
  }
  for (const Window window : {Window::hann, Window::blackman_harris}) {
    const PowerSpectrum s = power_spectrum(x, 0.1, window);
    REQUIRE(s.peaks.size() >= 2);
    CHECK(s.peaks[0].frequency == doctest::Approx(0.3141).epsilon(1e-4));
    CHECK(s.peaks[1].frequency == doctest::Approx(1.2345).epsilon(1e-4));
    CHECK(s.peaks[0].power == doctest::Approx(0.9).epsilon(0.02));
    CHECK(s.flatness < 1e-4);
  }
}

TEST_CASE("the 0-1 test tells chaos of the logistic map from its cycles") {
  CHECK(zero_one_test(logistic(3.97, 2000)) > 0.95);
  CHECK(std::abs(zero_one_test(logistic(3.55, 2000))) < 0.1);
}

TEST_CASE("the 0-1 test says where samples are too few or too close together") {
  CHECK(zero_one_of(logistic(3.97, 2000)).doubt().empty());
  const ZeroOneTest few = zero_one_of(logistic(3.97, 200));
  CHECK(few.has_too_few());
  CHECK_FALSE(few.is_oversampled);
  CHECK(few.doubt().starts_with("too few samples: "));
  CHECK(std::isnan(zero_one_of(logistic(3.97, 50)).k));
  // The same chaos, slowly drawn: straight lines of 100 samples between the points of the map.
  const std::vector<double> map = logistic(3.97, 41);
  std::vector<double> slow, ramp;
  for (std::size_t k = 0; k < 4000; ++k) {
    const double part = static_cast<double>(k % 100) / 100;
    slow.push_back(map[k / 100] * (1 - part) + map[k / 100 + 1] * part);
    ramp.push_back(static_cast<double>(k));
  }
  CHECK(zero_one_of(slow).is_oversampled);
  CHECK(zero_one_test(slow) < 0.8);  // all samples of chaos, and K is not near 1
  CHECK(zero_one_of(ramp).doubt().starts_with("oversampled: "));
}

TEST_CASE("correlation dimensions: a closed curve has 1, Henon's attractor 1.2") {
  Eigen::MatrixXd circle(2, 1500), henon(2, 3000);
  for (Eigen::Index k = 0; k < circle.cols(); ++k) {
    const double a = 4.743 * static_cast<double>(k * k);  // spread as if at random
    circle.col(k) << std::cos(a), 0.5 * std::sin(a);
  }
  Eigen::Vector2d z(0.1, 0.1);
  for (Eigen::Index k = -100; k < henon.cols(); ++k) {
    z = Eigen::Vector2d(1 - 1.4 * z[0] * z[0] + z[1], 0.3 * z[0]);
    if (k >= 0) henon.col(k) = z;
  }
  CHECK(correlation_dimension(circle, 1).dimension == doctest::Approx(1).epsilon(0.05));
  CHECK(correlation_dimension(henon, 1).dimension == doctest::Approx(1.21).epsilon(0.06));
}

TEST_CASE("a periodic motion recurs on long lines, after its period") {
  Eigen::MatrixXd points(2, 1000);
  for (int k = 0; k < 1000; ++k) points.col(k) << std::cos(0.1 * k), std::sin(0.1 * k);
  const Recurrence r = recurrence(points, 10);
  CHECK(r.determinism == doctest::Approx(1));
  CHECK(r.longest > 800);
  CHECK(r.mean_return == doctest::Approx(2 * M_PI / 0.1).epsilon(0.1));
}

TEST_CASE("covariant vectors of a saddle are its eigenvectors, which are not orthogonal") {
  const Flow flow(oscillator("-x' + 2*x"));
  const CovariantVectors found = covariant_vectors(flow, initial_state(flow), 20, 2);
  REQUIRE(!found.failure);
  CHECK(found.exponents[0] == doctest::Approx(1).epsilon(1e-6));
  CHECK(found.exponents[1] == doctest::Approx(-2).epsilon(1e-6));
  const double angle = std::acos(1 / std::sqrt(10.0));  // between (1, 1) and (1, −2)
  CHECK(found.least_angle(0, 1) == doctest::Approx(angle).epsilon(1e-6));
  REQUIRE(found.hyperbolicity);
  CHECK(*found.hyperbolicity == doctest::Approx(angle).epsilon(1e-6));
}

TEST_CASE("covariant vectors start from independent directions: six exponents of three oscillators") {
  const Flow flow(
      read_model("lagrangian = \"1/2*(x'^2 + y'^2 + z'^2 - 2*x^2 - 12*y^2 - 30*z^2)\"\n[space]\nx = \"R\"\ny "
                 "= \"R\"\nz = "
                 "\"R\"\n[forces]\nx = \"-3*x'\"\ny = \"-7*y'\"\nz = \"-11*z'\"\n"
                 "[simulation]\ninitial = { x = 1, y = 1, z = 1 }\n",
                 "three.toml"));
  const std::vector<double> y = initial_state(flow);
  CHECK(dense::rank(TangentSpace(flow).some_directions(0, y, 6)) == 6);
  const CovariantVectors found = covariant_vectors(flow, y, 60, 6);
  REQUIRE(!found.failure);
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(found.exponents[k] == doctest::Approx(-1.0 - static_cast<double>(k)).epsilon(1e-5));
}

TEST_CASE("friction contracts at its rate; a density that balances the divergence is invariant") {
  VolumeQuestion question;
  question.until = 2;
  question.motions = 8;
  question.samples = 10;
  const Flow damped(oscillator("-x - 3/10*x'"));
  const PhaseVolume friction = phase_volume(damped, initial_state(damped), question);
  CHECK(friction.rate == doctest::Approx(-0.3).epsilon(1e-9));
  CHECK(friction.asymmetry > 1e-3);
  const System drag = oscillator("-x'^2");  // div f = −2 x', so that exp(2 x) is invariant
  const Flow flow(drag);
  question.density = parse("exp(2*x)", drag.scope);
  const PhaseVolume kept = phase_volume(flow, initial_state(flow), question);
  REQUIRE(kept.violation);
  CHECK(*kept.violation < 1e-9);
  CHECK(kept.asymmetry < 1e-12);
  question.density = parse("exp(x)", drag.scope);  // the mutant
  CHECK(*phase_volume(flow, initial_state(flow), question).violation > 1e-3);
  for (const char* const without_logarithm : {"0", "log(-1)", "log(x - 1000)"}) {
    question.density = parse(without_logarithm, drag.scope);
    CHECK_THROWS_AS(phase_volume(flow, initial_state(flow), question), Error);
  }
}

TEST_CASE(
    "volume on position constraints: friction contracts at its rate, a bead on a curve keeps length times "
    "momentum") {
  VolumeQuestion question;
  question.until = 2;
  question.motions = 6;
  question.samples = 10;
  const std::string plane = "lagrangian = \"1/2*(x'^2 + y'^2) - y\"\n[space]\nx = \"R\"\ny = \"R\"\n";
  const Flow pendulum(read_model(plane +
                                     "[constraints]\nrod = \"x^2 + y^2 = 1\"\n[forces]\nx = \"-x'/2\"\n"
                                     "y = \"-y'/2\"\n[simulation]\ninitial = { x = 1, y = 0, \"y'\" = 1 }\n",
                                 "pendulum.toml"));
  const PhaseVolume friction = phase_volume(pendulum, initial_state(pendulum), question);
  CHECK(friction.failed == 0);
  CHECK(friction.rate == doctest::Approx(-0.5).epsilon(1e-9));
  CHECK(friction.reversed_rate == doctest::Approx(-0.5).epsilon(1e-9));

  const System curve = read_model(
      plane + "[constraints]\nwire = \"y = x^2\"\n[simulation]\ninitial = { x = 1, y = 1, \"x'\" = 0 }\n",
      "bead.toml");
  const Flow bead(curve);
  question.density =
      parse("sqrt(1 + 4*x^2)", curve.scope);  // of x', where ds = √(1 + 4x²) dx and p = √(1 + 4x²) x'
  const PhaseVolume kept = phase_volume(bead, initial_state(bead), question);
  REQUIRE(kept.violation);
  CHECK(*kept.violation < 1e-8);
  question.density = parse("1", curve.scope);  // the mutant
  CHECK(*phase_volume(bead, initial_state(bead), question).violation > 1e-2);

  // Two beads: four directions.
  const System pair = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + u'^2 + w'^2) - x*u\"\n[space]\nx = \"R\"\ny = \"R\"\nu = \"R\"\nw = "
      "\"R\"\n"
      "[constraints]\none = \"y = x^3\"\ntwo = \"w = u^2\"\n"
      "[simulation]\ninitial = { x = 0.1, y = 0.001, u = 1, w = 1, \"x'\" = 1, \"u'\" = 0.5 }\n",
      "pair.toml");
  const Flow both(pair);
  question.density = parse("sqrt(1 + 9*x^4)*sqrt(1 + 4*u^2)", pair.scope);
  const PhaseVolume beads = phase_volume(both, initial_state(both), question);
  CHECK(std::abs(beads.forward.front().mean) < 1e-12);
  CHECK(*beads.violation < 1e-8);
}

TEST_CASE("a time limit ends the phase volume of a motion that takes millions of steps") {
  const Flow flow(oscillator("-1e12*x"));
  const std::vector<double> y{1e-3, 0};
  using namespace std::chrono_literals;
  const Budget budget(Limits{.time = 200ms});
  CHECK_THROWS_AS(phase_volume(flow, y, {.until = 5, .motions = 4}), Exhausted);
}
