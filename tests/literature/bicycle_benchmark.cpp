// The Carvallo-Whipple bicycle, stated through bodies and contacts, against the published benchmark:
// Meijaard, Papadopoulos, Ruina and Schwab 2007 (linearised matrices, eigenvalues, speeds) and Basu-Mandal, Chatterjee and
// Papadopoulos 2007, Table 1 (accelerations of the nonlinear equations at one state).
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

const Symbol v = Symbol::make("v");

Linearisation straight_rolling() { return linearisation(load_model("bicycle"), {{"rear_rate", "v/rR"}}); }

Numbers at_speed(double speed) {
  static const SymbolMap parameters = parameter_values(load_model("bicycle"));
  Numbers at{{v, speed}};
  for (const auto& [s, value] : parameters) at.emplace(s, evaluate(value, {}));
  return at;
}

int place(const std::vector<Symbol>& among, const std::string& name) {
  for (std::size_t i = 0; i < among.size(); ++i) {
    if (among[i].name() == name) return static_cast<int>(i);
  }
  FAIL("no variable ", name);
  return -1;
}

/// The block of lean and steer: rows and columns of the speeds, or columns of the configuration.
std::vector<double> lateral(const Linearisation& small, const Matrix& a, bool configuration,
                            const Numbers& at) {
  std::vector<double> entries;
  for (const char* row : {"lean", "steer"}) {
    for (const char* column : {"lean", "steer"}) {
      const int i = place(small.speeds, std::string(row) + "_rate");
      const int j = configuration ? place(small.configuration, column)
                                  : place(small.speeds, std::string(column) + "_rate");
      entries.push_back(evaluate(a(i, j), at));
    }
  }
  return entries;
}

void check_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(found[i] - expected[i]) <= tolerance * std::max(1.0, std::fabs(expected[i])));
  }
}

/// The eigenvalues that belong to lean and steer: those of the forward motion and of the cyclic directions are zero.
std::vector<std::complex<double>> lateral_spectrum(const Linearisation& small, const Numbers& at) {
  std::vector<std::complex<double>> found;
  for (const std::complex<double> value : spectrum(small, at)) {
    if (std::abs(value) > 1e-6) found.push_back(value);
  }
  return found;
}

/// The root of a function that changes sign in [low, high].
template <class F>
double root(F f, double low, double high) {
  const bool rising = f(high) > 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle) > 0) == rising ? high : low) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

TEST_CASE("bicycle: the linearised equations are M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 of the benchmark") {
  const Linearisation small = straight_rolling();
  const Numbers at = at_speed(1), rest = at_speed(0);
  const double g = 9.81;
  check_near(lateral(small, small.M, false, at),
             {80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686}, 1e-12);
  check_near(lateral(small, small.C, false, at), {0, 33.86641391492494, -0.85035641456978, 1.68540397397560},
             1e-12);
  std::vector<double> K0 = lateral(small, small.K, true, rest), K1 = lateral(small, small.K, true, at), K2;
  for (std::size_t i = 0; i < 4; ++i) K2.push_back(K1[i] - K0[i]);
  for (double& k : K0) k /= g;
  check_near(K0, {-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618}, 1e-12);
  check_near(K2, {0, 76.59734589573222, 0, 2.65431523794604}, 1e-12);

  CHECK(lateral(small, small.C, false, rest) == std::vector<double>(4, 0));  // no damping at rest
  const std::vector<double> fast = lateral(small, small.C, false, at_speed(3));
  check_near(fast, {0, 3 * 33.86641391492494, -3 * 0.85035641456978, 3 * 1.68540397397560}, 1e-12);
}

TEST_CASE("bicycle: lean'' and steer'' as SymPy's test of the benchmark has them") {
  const Linearisation small = straight_rolling();
  const Matrix A = state_matrix(small);
  const double speed = 1.7;
  const Numbers at = at_speed(speed);
  const auto row = [&](const char* name) {
    const int k = static_cast<int>(small.configuration.size()), i = k + place(small.speeds, name);
    std::vector<double> entries;
    for (const char* q : {"lean", "steer"})
      entries.push_back(evaluate(A(i, place(small.configuration, q)), at));
    for (const char* z : {"lean_rate", "steer_rate"})
      entries.push_back(evaluate(A(i, k + place(small.speeds, z)), at));
    return entries;
  };
  check_near(row("lean_rate"),
             {9.48977444677355, -0.891197738059089 * speed * speed - 0.571523173729245,
              -0.105522449805691 * speed, -0.330515398992311 * speed},
             1e-12);
  check_near(row("steer_rate"),
             {11.7194768719633, 30.9087533932407 - 1.97171508499972 * speed * speed, 3.67680523332152 * speed,
              -3.08486552743311 * speed},
             1e-12);
}

TEST_CASE("bicycle: eigenvalues from 0 to 10 m/s") {
  using Complex = std::complex<double>;
  const std::vector<std::vector<Complex>> table{
      {-5.53094371765389, -3.13164324790656, 3.13164324790656, 5.53094371765389},
      {-7.11008014637, -3.13423125067, {3.52696170990, -0.80774027520}, {3.52696170990, 0.80774027520}},
      {-8.67387984832, -3.07158645642, {2.68234517513, -1.68066296591}, {2.68234517513, 1.68066296591}},
      {-10.35101467246, -2.63366137254, {1.70675605664, -2.31582447384}, {1.70675605664, 2.31582447384}},
      {-12.15861426576, -1.42944427361, {0.41325331521, -3.07910818603}, {0.41325331521, 3.07910818603}},
      {-14.07838969280, {-0.77534188220, -4.46486771379}, {-0.77534188220, 4.46486771379}, -0.32286642900},
      {-16.08537123098, {-1.52644486584, -5.87673060599}, {-1.52644486584, 5.87673060599}, -0.00406690077},
      {-18.15788466125, {-2.13875644258, -7.19525913330}, {-2.13875644258, 7.19525913330}, 0.10268170575},
      {-20.27940894395, {-2.69348683581, -8.46037971397}, {-2.69348683581, 8.46037971397}, 0.14327879766},
      {-22.43788559041, {-3.21675402252, -9.69377351532}, {-3.21675402252, 9.69377351532}, 0.15790184031},
      {-24.62459635017, {-3.72016840437, -10.90681139476}, {-3.72016840437, 10.90681139476}, 0.16105338653}};
  const Linearisation small = straight_rolling();
  for (std::size_t speed = 0; speed < table.size(); ++speed) {
    CAPTURE(speed);
    const auto found = lateral_spectrum(small, at_speed(static_cast<double>(speed)));
    REQUIRE(found.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(found[i] - table[speed][i]) < 2e-11);
  }
}

TEST_CASE("bicycle: it stands by itself between the weave and the capsize speed") {
  const Linearisation small = straight_rolling();
  const auto largest = [&](double speed, bool oscillating) {
    double real = -1e9;
    for (const auto& value : lateral_spectrum(small, at_speed(speed))) {
      if ((std::abs(value.imag()) > 1e-9) == oscillating) real = std::max(real, value.real());
    }
    return real;
  };
  CHECK(root([&](double s) { return largest(s, true); }, 4, 5) ==
        doctest::Approx(4.29238253634111).epsilon(1e-11));
  const auto stiffness = [&](double speed) {  // capsize: det K = 0
    const std::vector<double> K = lateral(small, small.K, true, at_speed(speed));
    return K[0] * K[3] - K[1] * K[2];
  };
  CHECK(root(stiffness, 5, 7) == doctest::Approx(6.02426201538837).epsilon(1e-11));
}

TEST_CASE("bicycle: accelerations of Basu-Mandal's table, all eight coordinates") {
  const System bicycle = load_model("bicycle");
  const EquationsOfMotion motion = straight_line_equations(bicycle);
  const std::vector<Expr> accelerations = accelerations_along(bicycle, motion);
  // The table has z down, y right, the rear wheel's angle from the rear frame and the pitch from the steering axis.
  const double tilt = std::acos(-1.0) / 10;
  const double u[9] = {0,
                       2.6703213326046784,
                       -2.45e-14,
                       -0.7830033527065,
                       -0.6068425835418,
                       0.0119185528069,
                       -8.912989661489,
                       -0.4859824687093,
                       -8.0133620584155};
  Numbers at = at_speed(0);
  const std::map<std::string, double> state{{"x", 0},
                                            {"y", 0.17447337661787718},
                                            {"yaw", 0},
                                            {"lean", 0.6206670416476966},
                                            {"pitch", -(0.3300446174593725 - tilt)},
                                            {"steer", -0.2311385135743},
                                            {"rear", 0},
                                            {"front", 0},
                                            {"lean_rate", u[4]},
                                            {"steer_rate", u[7]},
                                            {"rear_rate", -(u[6] + u[5])}};
  for (const Symbol q : motion.configuration) at.emplace(q, state.at(q.name()));
  for (const Symbol z : motion.speeds) at.emplace(z, state.at(z.name()));

  for (const Constraint& c : bicycle.constraints) {
    if (c.position)
      CHECK(std::fabs(evaluate(*c.position, at)) < 1e-11);  // the front wheel touches the ground
  }
  const std::map<std::string, double> speeds{
      {"x", u[1]},      {"y", -u[2]},    {"yaw", -u[3]},           {"lean", u[4]},
      {"pitch", -u[5]}, {"steer", u[7]}, {"rear", -(u[6] + u[5])}, {"front", -u[8]}};
  const double du[9] = {0,
                        0.5903429412631302,
                        -2.090870556233152,
                        -0.8353281706376822,
                        7.855528112824374,
                        -0.12055438978863461,
                        -1.8472554144218631,
                        4.6198904039391895,
                        -2.4548072904552343};
  const std::map<std::string, double> rates{{"x", du[1]},
                                            {"y", -du[2]},
                                            {"yaw", -du[3]},
                                            {"lean", du[4]},
                                            {"pitch", -du[5]},
                                            {"steer", du[7]},
                                            {"rear", -(du[6] + du[5])},
                                            {"front", -du[8]}};
  for (std::size_t i = 0; i < motion.configuration.size(); ++i) {
    const std::string& name = motion.configuration[i].name();
    CAPTURE(name);
    CHECK(std::fabs(evaluate(motion.configuration_rates[i], at) - speeds.at(name)) < 1e-10);
    CHECK(std::fabs(evaluate(accelerations[i], at) - rates.at(name)) < 1e-10);
  }
}
