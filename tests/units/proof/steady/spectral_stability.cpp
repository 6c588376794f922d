/// Roots in boxes, inequalities, and Routh–Hurwitz conditions on matrices whose eigenvalues are known.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <random>

#include <Eigen/Eigenvalues>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/signs/polynomial_roots.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/inequality.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/steady/energy_momentum.hpp>
#include <rattleback/proof/steady/spectral_stability.hpp>

using namespace rattleback;

namespace {

std::vector<Ball> balls(std::initializer_list<long> values) {
  std::vector<Ball> out;
  for (const long v : values) out.emplace_back(Rational(v), 128);
  return out;
}

/// The companion matrix of a_0 + a_1 λ + … + λ^n.
Matrix companion(const std::vector<Expr>& a) {
  const int n = static_cast<int>(a.size());
  Matrix m(n, n);
  for (int i = 0; i + 1 < n; ++i) m(i, i + 1) = 1;
  for (int j = 0; j < n; ++j) m(n - 1, j) = -a[static_cast<std::size_t>(j)];
  return m;
}

std::string verdict(const Matrix& A) {
  const SpectralStability s = spectral_stability(A);
  std::string out;
  for (const Inequality& i : s.conditions)
    out += i.kind == Inequality::Kind::never ? "never " : text(i) + " ";
  return out;
}

}  // namespace

TEST_CASE("real roots are told from pairs, and double roots are not isolated") {
  const auto roots = polynomial_roots(balls({-2, -1, -1, -1, 1}));  // (x - 2)(x + 1)(x² + 1)
  REQUIRE(roots);
  REQUIRE(roots->size() == 4);
  CHECK((*roots)[0].is_real);
  CHECK((*roots)[0].re.midpoint() == doctest::Approx(-1));
  CHECK((*roots)[1].re.midpoint() == doctest::Approx(2));
  CHECK_FALSE((*roots)[2].is_real);
  CHECK(std::abs((*roots)[3].im.midpoint()) == doctest::Approx(1));
  CHECK_FALSE(polynomial_roots(balls({1, -2, 1})));  // (x - 1)²
  CHECK_FALSE(polynomial_roots(balls({1, 0})));      // no leading coefficient
}

TEST_CASE("inequalities lose positive factors and squares") {
  const Symbol m = Symbol::make("m", {.role = Role::parameter, .sign = Sign::positive});
  const Symbol a = Symbol::make("a"), u = Symbol::make("u");
  const Expr M(m), A(a), U(u);
  CHECK(text(is_positive(M * A * U / (1 + M * pow(A, 2)))) == "a*u > 0");
  CHECK(is_positive(M * pow(A, 2)).kind == Inequality::Kind::always);
  CHECK(is_positive(-M - pow(A, 2)).kind == Inequality::Kind::never);
  CHECK(is_positive(Expr(0)).kind == Inequality::Kind::never);
}

TEST_CASE("intervals between enclosed roots") {
  const Symbol s = Symbol::make("s");
  const Expr S(s);
  const auto where = [&](std::vector<Inequality> all) { return text(*where_all_hold(all, s), "s"); };
  CHECK(where({is_positive(pow(S, 2) - 2)}) == "s < -1.41421 or s > 1.41421");
  CHECK(where({is_positive(S), is_positive(3 - S)}) == "0 < s < 3");
  CHECK(where({is_positive(S), is_positive(-1 - S)}) == "no s");
  CHECK(where({is_positive(1 + pow(S, 2))}) == "every s");
  // an irrational coefficient: ends are roots of s² = √2
  CHECK(where({is_positive(pow(S, 2) - sqrt(Expr(2)))}) == "s < -1.18921 or s > 1.18921");
}

TEST_CASE("Routh and Hurwitz") {
  const Expr a(Symbol::make("a")), b(Symbol::make("b"));
  CHECK(verdict(companion({b, a})) == "a > 0 a*b > 0 ");            // λ² + a λ + b
  CHECK(verdict(companion({Expr(6), Expr(11), Expr(6)})).empty());  // -1, -2, -3
  CHECK(verdict(companion({Expr(-6), Expr(11), Expr(-6)})).find("never") != std::string::npos);
  CHECK(verdict(companion({a, Expr(0)})) == "a > 0 ");  // λ² + a: imaginary
  CHECK(
      verdict(companion({Expr(1), Expr(1), Expr(1)})).empty());  // (λ + 1)(λ² + 1): a damped root and a pair
  CHECK(verdict(companion({Expr(1), Expr(0), Expr(2), Expr(0)}))
            .empty());  // (λ² + 1)²: equal pairs are no instability
  CHECK_FALSE(spectral_stability(companion({Expr(1), Expr(0), Expr(2), Expr(0)})).simple);
  CHECK(verdict(companion({Expr(1), Expr(0), Expr(0), Expr(0)})).find("never") !=
        std::string::npos);  // λ⁴ + 1
  const SpectralStability zeros = spectral_stability(companion({Expr(0), Expr(0), a}));
  CHECK(zeros.zeros == 2);
  CHECK(verdict(companion({Expr(0), Expr(0), a})) == "a > 0 ");
}

TEST_CASE("equal roots that only a relation r² = c shows") {
  const Symbol c = Symbol::make("c", {.role = Role::parameter, .sign = Sign::positive}),
               g = Symbol::make("g", {.role = Role::parameter, .sign = Sign::positive});
  const Expr r = sqrt(Expr(c)), G(g);
  // (λ² + g/r)²: a particle at the lowest point of an ellipsoid of revolution
  const Matrix bottom = companion({pow(G, 2) / Expr(c), Expr(0), 2 * G / r, Expr(0)});
  CHECK(verdict(bottom).empty());
  CHECK_FALSE(spectral_stability(bottom).simple);
  CHECK(verdict(companion({pow(G, 2) / Expr(c), Expr(0), -2 * G / r, Expr(0)})).find("never") !=
        std::string::npos);
  // (λ² + r)(λ² + c)(λ + 1): pairs beside a damped root
  CHECK(verdict(companion({r * Expr(c), r * Expr(c), r + Expr(c), r + Expr(c), Expr(1)})).empty());
  // (λ + r)² (λ − 1) is unstable
  CHECK(verdict(companion({-Expr(c), Expr(c) - 2 * r, 2 * r - 1})).find("never") != std::string::npos);
}

namespace {

/// Eigenvalues of the companion matrix, in floating point: an oracle that shares nothing with Routh and Hurwitz.
std::vector<std::complex<double>> roots_of(const std::vector<int>& a) {
  const auto n = static_cast<Eigen::Index>(a.size());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i + 1 < n; ++i) m(i, i + 1) = 1;
  for (Eigen::Index j = 0; j < n; ++j) m(n - 1, j) = -a[static_cast<std::size_t>(j)];
  const Eigen::VectorXcd values = m.eigenvalues();
  return {values.begin(), values.end()};
}

bool conditions_hold(const std::vector<int>& a) {
  std::vector<Expr> coefficients;
  for (const int x : a) coefficients.emplace_back(x);
  const SpectralStability s = spectral_stability(companion(coefficients));
  REQUIRE(s.decided);
  return s.conditions.empty();  // of numbers there remain those that never hold
}

}  // namespace

TEST_CASE("conditions of Routh and Hurwitz against the roots of random polynomials (O.5)") {
  std::mt19937 random(11);
  std::array<int, 2> seen{};
  for (int k = 0; k < 300; ++k) {
    std::vector<int> a(3 + k % 2);
    for (int& x : a) x = static_cast<int>(random() % 9) + 1;  // signs alone would decide too often
    double rightmost = -1e9;
    for (const auto& root : roots_of(a)) rightmost = std::max(rightmost, root.real());
    if (std::abs(rightmost) < 1e-6) continue;
    CAPTURE(a);
    CHECK(conditions_hold(a) == (rightmost < 0));
    ++seen[rightmost < 0 ? 1 : 0];
  }
  CHECK(seen[0] > 50);
  CHECK(seen[1] > 50);
}

TEST_CASE("even polynomials: all roots imaginary and simple, against the roots (O.6)") {
  std::mt19937 random(12);
  std::array<int, 2> seen{};
  for (int k = 0; k < 400; ++k) {
    std::vector<int> b(2 + k % 2), a(2 * b.size(), 0);
    for (std::size_t i = 0; i < b.size(); ++i) a[2 * i] = b[i] = static_cast<int>(random() % 12) + 1;
    double furthest = 0, closest = 1e9;  // roots of b(μ): from the real axis, from each other
    const auto mu = roots_of(b);
    for (std::size_t i = 0; i < mu.size(); ++i) {
      furthest = std::max(furthest, std::abs(mu[i].imag()));
      for (std::size_t j = 0; j < i; ++j) closest = std::min(closest, std::abs(mu[i] - mu[j]));
    }
    if (closest < 1e-3) continue;
    CAPTURE(b);
    const bool oscillates = furthest < 1e-9;  // b > 0: real roots are negative
    CHECK(conditions_hold(a) == oscillates);
    ++seen[oscillates ? 1 : 0];
  }
  CHECK(seen[0] > 50);
  CHECK(seen[1] > 50);
}

TEST_CASE(
    "an extremum must see all that matters, and is one only where its formulas are those of the general "
    "case") {
  // At rest in a magnetic field the energy is smallest among the speeds; but the place matters, and the energy does not see it.
  const System charge =
      read_model("lagrangian = \"(x'^2 + y'^2)/2 + y^2/2*x'\"\nspace = { x = \"R\", y = \"R\" }\n", "charge");
  const SolvedVelocities v = solved_velocities(charge);
  int at_rest = 0;
  for (const SteadyFamily& f : steady_motions(charge, v).families) {
    const bool rest = std::all_of(v.speeds.begin(), v.speeds.end(),
                                  [&](Symbol z) { return f.point.values.at(z).is_zero(); });
    if (rest) CHECK_FALSE(energy_momentum(charge, v, f, {}));
    at_rest += rest ? 1 : 0;
  }
  CHECK(at_rest > 0);
  // A bob on a rod: the constraint of position is an integral, without which the energy has no extremum.
  const System bob = read_model(
      "lagrangian = \"(x'^2 + y'^2)/2 - y\"\nspace = { x = \"R\", y = \"R\" }\n"
      "[constraints]\nrod = \"x^2 + y^2 = 1\"\n[velocities]\nw = \"x*y' - y*x'\"\n",
      "bob");
  const SolvedVelocities w = solved_velocities(bob);
  int stable = 0;
  for (const SteadyFamily& f : steady_motions(bob, w).families)
    stable += energy_momentum(bob, w, f, {}) ? 1 : 0;
  CHECK(stable == 1);  // below, not above
  const Answer body = asked(question("equilibria"), load_model("suslov-euler"), 60);
  CHECK(body.why.at(0).find("Lyapunov stable at the model's values for precession != 0") !=
        std::string::npos);
}

TEST_CASE("a free body is Lyapunov stable about its longest and shortest axis, whatever their names are") {
  for (const std::vector<std::string>& I :
       {std::vector<std::string>{"1", "2", "3"}, {"3", "1", "2"}, {"2", "3", "1"}}) {
    CAPTURE(I[0] + I[1] + I[2]);
    const System body = with_values(load_model("euler-top"), {{"I1", I[0]}, {"I2", I[1]}, {"I3", I[2]}});
    const Answer a = asked(question("equilibria"), body, 60);
    const auto middle = std::find(I.begin(), I.end(), "2") - I.begin() + 1;
    int families = 0;
    for (const std::string& line : a.why) {
      for (long axis = 1; axis <= 3; ++axis) {
        if (line.find("Omega" + std::to_string(axis) + " free") == std::string::npos) continue;
        CHECK((line.find("Lyapunov stable") != std::string::npos) == (axis != middle));
        ++families;
      }
    }
    CHECK(families == 3);
  }
}

TEST_CASE("a gyroscope that holds a top of the potential is stable spectrally, and no more is claimed") {
  const auto about = [](const std::string& potential) {
    const System system = read_model("lagrangian = \"1/2*(x'^2 + y'^2) + 2*(x*y' - y*x') - (" + potential +
                                         ")\"\nspace = { x = \"R\", y = \"R\" }\n",
                                     "held");
    return asked(question("equilibria"), system, 60).why.at(0);
  };
  const std::string top = about("-1/2*x^2 - y^2"), bottom = about("1/2*x^2 + y^2");
  CHECK(top.find("; spectrally stable") != std::string::npos);
  CHECK(top.find("Lyapunov") == std::string::npos);
  CHECK(top.find("minimum") == std::string::npos);
  CHECK(bottom.find("stable: the energy has a minimum") != std::string::npos);
}

TEST_CASE("eigenvectors that 0 and imaginary pairs lack (O.9)") {
  const Expr a(Symbol::make("a"));
  CHECK_FALSE(spectral_stability(Matrix{{0, 1}, {0, 0}}).semisimple);  // free motion
  CHECK(spectral_stability(Matrix(2, 2)).semisimple);
  const Matrix resonance{{0, 1, 0, 0}, {-1, 0, a, 0}, {0, 0, 0, 1}, {0, 0, -1, 0}},
      apart{{0, 1, 0, 0}, {-1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, -1, 0}};
  CHECK_FALSE(spectral_stability(resonance).semisimple);  // an oscillator that drives another like it
  CHECK(spectral_stability(apart).semisimple);
  CHECK(spectral_stability(Matrix{{-1, 1}, {0, -1}}).semisimple);  // t e^{-t} decays
}

namespace {

/// The families of a model, as records.
Data::List families(const std::string& model) {
  const Answer a = asked(question("equilibria"), read_model(model, "model"), 60);
  return *a.answer.find("families")->list();
}
std::string kind(const Data& family) { return *family.find("kind")->text(); }
std::optional<bool> stable(const Data& family) {
  const bool* yes = family.find("stable")->get_if<bool>();
  return yes == nullptr ? std::nullopt : std::optional(*yes);
}

constexpr const char* cart =
    "space = { x = \"R\", y = \"R\", a = \"S1\", b = \"S1\" }\n"
    "constraints = { front = \"x'*sin(a) = y'*cos(a)\", rear = \"(x' + b'*sin(b))*sin(b) = (y' - "
    "b'*cos(b))*cos(b)\" }\n";

}  // namespace

TEST_CASE(
    "a car that may turn on the spot forever is not called stable at rest; with drag it attracts a family") {
  const std::string energy = "lagrangian = \"x'^2 + y'^2 + 1/2*a'^2 + 1/3*b'^2\"\n";
  const Data::List free = families(energy + cart),
                   slow = families(energy + "rayleigh = \"1/2*(x'^2 + y'^2 + a'^2)\"\n" + cart);
  REQUIRE_FALSE(free.empty());
  for (const Data& f : free) {
    CHECK(kind(f).find("but small motions grow with the time") != std::string::npos);
    CHECK_FALSE(stable(f));
  }
  REQUIRE_FALSE(slow.empty());
  for (const Data& f : slow) {
    CHECK(kind(f) == "stable, attracting up to the family");  // whatever a and b are
    CHECK(stable(f) == true);
  }
}

TEST_CASE("integrals of a model without parameters do not depend on parameter values") {
  const System skate = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + a'^2)\"\nspace = { x = \"R\", y = \"R\", a = \"S1\" }\n"
      "constraints = { blade = \"x'*sin(a) = y'*cos(a)\" }\n",
      "skate");
  const Answer a = asked(question("integrals"), skate, 60);
  CHECK(a.outcome == Outcome::proved);
  CHECK_FALSE(a.answer.find("integrals")->list()->empty());
  CHECK(a.answer.find("at_parameter_values")->list()->empty());
}

TEST_CASE("a kinetic energy is not called indefinite because its signs cannot be read off") {
  const auto definite = [](const std::string& mass) {
    const Answer a = asked(
        question("regularity"),
        read_model("lagrangian = \"1/2*(" + mass + ")*x'^2 + 1/2*y'^2\"\nspace = { x = \"R\", y = \"S1\" }\n",
                   "mass"),
        60);
    const bool* yes = a.answer.find("positive_definite")->get_if<bool>();
    return yes == nullptr ? std::nullopt : std::optional(*yes);
  };
  CHECK(definite("1 + x^2") == true);
  CHECK(definite("2 + cos(y)") == true);
  CHECK_FALSE(definite("3/2 + cos(y) + sin(y)"));  // at least 3/2 - sqrt(2)
}

TEST_CASE("a minimum of the energy proves nothing where the energy grows") {
  const auto about = [](const std::string& force) {
    return families("lagrangian = \"1/2*x'^2 - x^2\"\nspace = { x = \"R\" }\nforces = { x = \"" + force +
                    "\" }\n")
        .at(0);
  };
  CHECK(kind(about("x'^3")) == "spectrally stable");
  CHECK(kind(about("-x'^3")) == "stable: the energy has a minimum");
  CHECK(kind(about("0*x'")) == "stable: the energy has a minimum");
}

TEST_CASE("where a condition is an equality at the model's values, the eigenvalues there decide") {
  const auto racer = [](const std::string& d2) {
    return families(
               "lagrangian = \"x'^2 + y'^2 + 1/4*th'^2 + 1/10*(th' + ph')^2 - 1/6*ph^2\"\n"
               "space = { x = \"R\", y = \"R\", th = \"S1\", ph = \"S1\" }\nparameters = { d2 = \"" +
               d2 +
               "\" }\n"
               "constraints = { front = \"y'*cos(th) = x'*sin(th)\","
               " rear = \"y'*cos(th + ph) - x'*sin(th + ph) = (cos(ph) + d2)*th' + d2*ph'\" }\n")
        .at(0);
  };
  // u (d2/2 − 1/5) > 0
  CHECK(stable(racer("2/5")) == true);
  CHECK(racer("2/5").find("stable_where")->text() == nullptr);
  CHECK(*racer("1/2").find("stable_where")->text() == "u1 > 0");
}

TEST_CASE(
    "where the time drives the motion nothing is steady, and no measure is excluded by a steady motion") {
  const auto scope = [](const std::string& force) {
    const System system = read_model(
        "lagrangian = \"1/2*x'^2\"\nrayleigh = \"1/2*x'^2\"\n[space]\nx = \"R\"\n[forces]\nx = \"" + force +
            "\"\n",
        "driven.toml");
    const Answer a = asked(question("invariant-measure"), system, 60);
    return *a.answer.find("reduced")->find("scope")->text();
  };
  CHECK(scope("0") == "every smooth density");       // x'' = -x' has the steady motion x' = 0
  CHECK(scope("exp(t)") != "every smooth density");  // e^t dx dx' is invariant
}

TEST_CASE("integrals at the model's values are told in the speeds that derive prints") {
  // From numbers the kernel of the constraint comes out with other legs than from symbols; the ball is round only at its values.
  const System cone = read_model(R"toml(
lagrangian = "1/2*m*((1 + k^2)*rho'^2 + rho^2*phi'^2) + 1/2*I*(Omega1^2 + Omega2^2) + 1/2*K*Omega3^2 - m*g*k*rho"
[space]
rho = "R"
phi = "S1"
B = { group = "SO(3)" }
[parameters]
m = { value = 1, positive = true }
I = { value = "1/10", positive = true }
K = { value = "1/10", positive = true }
r = { value = "1/2", positive = true }
k = { value = "1/2", positive = true }
g = 9.8
[define]
w = "sqrt(1 + k^2)"
up = "[cos(phi)/w, sin(phi)/w, k/w]"
around = "[-sin(phi), cos(phi), 0]"
speed = "r*cross(omega, cross(up, around))"
[constraints]
climb = "w*rho' = dot(speed, up)"
turn = "rho*phi' = dot(speed, around)"
)toml",
                                 "cone");
  const Answer a = asked(question("integrals"), cone, 120);
  REQUIRE(a.outcome == Outcome::proved);
  const Data::List& told = *a.answer.find("at_parameter_values")->list();
  REQUIRE_FALSE(told.empty());
  const EquationsOfMotion motion = gibbs_appell_equations(cone);
  const SymbolMap rates = along(cone, motion), values = parameter_values(cone);
  Scope scope = cone.scope;
  for (const Symbol z : motion.speeds) scope.define(z.name(), Expr(z));
  for (const Data& f : told) {
    const Expr integral = parse(*f.text(), scope);
    CHECK(vanishes_at_random_points(substitute(derivative_along(integral, rates), values)));
    CHECK_FALSE(vanishes_at_random_points(
        substitute(derivative_along(integral + Expr(motion.speeds[0]), rates), values)));  // a mutant
  }
}

TEST_CASE(
    "even polynomials of any degree: Hermite's conditions, and a negative coefficient decides by itself") {
  // Coefficients of Π (λ² + w), lowest first, without the leading 1.
  const auto even = [](const std::vector<Expr>& squares) {
    std::vector<Expr> b{Expr(1)};
    for (const Expr w : squares) {
      std::vector<Expr> next(b.size() + 1, Expr(0));
      for (std::size_t k = 0; k < b.size(); ++k) {
        next[k] += b[k] * w;
        next[k + 1] += b[k];
      }
      b = next;
    }
    std::vector<Expr> a;
    for (std::size_t k = 0; k + 1 < b.size(); ++k) {
      a.push_back(b[k]);
      a.emplace_back(0);
    }
    return a;
  };
  // Irreducible over the rationals; the roots of μ^4 + 8 μ^3 + 20 μ^2 + 16 μ + 2 are real and negative.
  const auto quartic = [](long b0, long b1, long b2, long b3) {
    return companion({b0, 0, b1, 0, b2, 0, b3, 0});
  };
  CHECK(spectral_stability(quartic(2, 16, 20, 8)).decided);
  CHECK(verdict(quartic(2, 16, 20, 8)).empty());
  CHECK(spectral_stability(quartic(-2, 16, 20, 8)).decided);
  CHECK(verdict(quartic(-2, 16, 20, 8)) == "never ");
  CHECK(verdict(quartic(7, 1, 1, 1)).find("never") !=
        std::string::npos);  // positive coefficients, complex roots
  CHECK(verdict(companion(even({1, 2, 3, 5, 7}))).empty());
  CHECK(verdict(companion(even({1, 2, 3, 5, -7}))) == "never ");
}
