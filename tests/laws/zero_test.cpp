/// Identities on random expressions, each with a mutant that must be refuted.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

using namespace rattleback;

namespace {

/// Random expressions in x, y, z and an abstract function.
class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}
  Expr operator()(int depth) {
    const Expr leaves[] = {symbol("x"), symbol("y"), symbol("z"), Expr(below(5) + 1)};
    if (depth == 0) return leaves[static_cast<std::size_t>(below(4))];
    const Expr a = (*this)(depth - 1);
    switch (below(7)) {
      case 0: return a + (*this)(depth - 1);
      case 1:
      case 2: return a * (*this)(depth - 1);
      case 3: return a / (2 + pow(symbol("x"), 2));
      case 4: return sin(symbol("x") + below(3) * symbol("y")) + a;
      case 5: return exp(symbol("z") * below(3)) * a;
      default: return call(Function::abstract("A", 1), {symbol("x") * symbol("y")}) + a;
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::mt19937 random_;
};

void holds_and_rejects(Expr law, Expr mutant) {
  CHECK(proved(is_zero(law)));
  CHECK(refuted(is_zero(mutant)));
}

}  // namespace

TEST_CASE("ring laws hold after expansion by hand") {
  RandomExpressions random(1);
  for (int round = 0; round < 10; ++round) {
    const Expr a = random(2), b = random(2), c = random(1) + symbol("w");
    holds_and_rejects(pow(a + c, 2) - a * a - 2 * a * c - c * c, pow(a + c, 2) - a * a - a * c - c * c);
    holds_and_rejects((a + b) * c - a * c - b * c, (a + b) * c - a * c - b * c + pow(c, 2));
  }
}

TEST_CASE("the derivative is a derivation") {
  RandomExpressions random(2);
  const Symbol x = Symbol::make("x");
  for (int round = 0; round < 10; ++round) {
    const Expr f = random(2), g = random(2) + symbol("x");
    const Expr leibniz = derivative(f * g, x) - derivative(f, x) * g - f * derivative(g, x);
    holds_and_rejects(leibniz, leibniz + derivative(g, x) * g);
    const Expr quotient = derivative(f / (1 + g * g), x) * pow(1 + g * g, 2) -
                          derivative(f, x) * (1 + g * g) + 2 * f * g * derivative(g, x);
    holds_and_rejects(quotient, quotient - symbol("x"));
  }
}

TEST_CASE("addition theorems hold for every argument") {
  RandomExpressions random(3);
  for (int round = 0; round < 6; ++round) {
    const Expr a = random(1) + symbol("u"), b = random(1) * symbol("v");
    holds_and_rejects(sin(a + b) - sin(a) * cos(b) - cos(a) * sin(b),
                      sin(a + b) - sin(a) * cos(b) + cos(a) * sin(b));
    holds_and_rejects(cos(a - b) - cos(a) * cos(b) - sin(a) * sin(b), cos(a - b) - cos(a) * cos(b));
    holds_and_rejects(exp(a - b) * exp(b) - exp(a), exp(a - b) * exp(b) - exp(b));
  }
}

namespace {

/// Small expressions of one variable and few numbers, so that many of them are equal by accident.
class SmallExpressions {
 public:
  explicit SmallExpressions(unsigned seed) : random_(seed) {}
  Expr operator()(int depth) {
    const Expr x = symbol("x");
    if (depth == 0) {
      const Expr leaves[] = {x, x, pi() / (below(4) + 1), Expr(below(3) + 1),
                             Expr(Rational(below(3) + 1, 2))};
      return leaves[below(5)];
    }
    const Expr e = (*this)(depth - 1);
    switch (below(11)) {
      case 0: return e + (*this)(depth - 1);
      case 1: return e - (*this)(depth - 1);
      case 2: return e * (*this)(depth - 1);
      case 3: return pow(e, 2);
      case 4: return sin(e);
      case 5: return cos(e);
      case 6: return exp(e);
      case 7: return log(e);
      case 8: return atan(e);
      case 9: return tan(e);
      default: return call(Function::abstract("A", 1), {e});
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::mt19937 random_;
};

}  // namespace

// Real values, rounded, and values modulo the prime sort the expressions into the same classes, except that free
// generators may keep equal functions apart; then the program says that it is not faithful.
TEST_CASE("equal functions are equal modulo the prime, different ones are different") {
  SmallExpressions random(4);
  std::map<std::uint64_t, double> real_of;
  std::map<long, std::pair<std::uint64_t, Expr>> residue_of;
  BallPoint at(1);
  at.set(Symbol::make("x"), Rational(7, 10));
  int met_again = 0;
  for (int round = 0; round < 4000; ++round) {
    const Expr e = random(1 + round % 3);
    const auto real = evaluate_ball(e, at, 128);
    const auto modular = ModularProgram(e).run(ModularPoint(1));
    if (!real || !modular || std::abs(real->midpoint()) > 1e6 || std::abs(real->midpoint()) < 1e-5) continue;
    const std::uint64_t residue = modular->value().word();
    const auto [first, is_new] = real_of.emplace(residue, real->midpoint());
    met_again += is_new ? 0 : 1;
    CHECK(first->second == doctest::Approx(real->midpoint()).epsilon(1e-9));
    const auto [twin, unseen] =
        residue_of.emplace(std::lround(real->midpoint() * 1e10), std::pair(residue, e));
    const bool agree = unseen || twin->second.first == residue;
    CHECK((agree || !ModularProgram(e - twin->second.second).is_faithful()));
    const Expr mutant = e + Expr(power(Rational(10), -20));
    CHECK(ModularProgram(mutant).run(ModularPoint(1))->value().word() != residue);
  }
  CHECK(met_again > 500);
}

TEST_CASE("rotations by three angles are orthogonal") {
  const Matrix b = rotation_z(symbol("a")) * rotation_x(symbol("b")) * rotation_z(symbol("c"));
  CHECK(proved(is_zero((transpose(b) * b - Matrix::identity(3)).entries())));
  CHECK(refuted(is_zero((b * b - Matrix::identity(3)).entries())));
}

// The ball rolling without sliding, M' = M × ω, γ' = γ × ω, M = (I + D|γ|²) ω − D γ (γ·ω), has the density
// ρ = (1 − D ⟨γ, (I + D|γ|²)⁻¹ γ⟩)^(−1/2): div(ρ f) = 0 [Chaplygin 1903].
namespace {

struct ChaplyginBall {
  std::vector<Symbol> M, g;
  std::vector<Expr> rate_M, rate_g;
  Expr q, energy, omega2;

  ChaplyginBall() {
    Matrix m(3, 1), gamma(3, 1), k(3, 3);
    std::vector<Expr> inertia;
    const Expr D = symbol("D");
    for (int i = 0; i < 3; ++i) {
      M.push_back(Symbol::make("M" + std::to_string(i + 1)));
      g.push_back(Symbol::make("g" + std::to_string(i + 1)));
      m[i] = M.back();
      gamma[i] = g.back();
    }
    for (int i = 0; i < 3; ++i)
      inertia.push_back(symbol("I" + std::to_string(i + 1)) + D * dot(gamma, gamma));
    q = Expr(1);
    for (int i = 0; i < 3; ++i) {
      q -= D * pow(gamma[i], 2) / inertia[static_cast<std::size_t>(i)];
      for (int j = 0; j < 3; ++j)
        k(i, j) = (i == j ? inertia[static_cast<std::size_t>(i)] : Expr(0)) - D * gamma[i] * gamma[j];
    }
    const auto cofactor = [&](int i, int j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      return k(a, c) * k(b, d) - k(a, d) * k(b, c);
    };
    const Expr det = k(0, 0) * cofactor(0, 0) + k(0, 1) * cofactor(0, 1) + k(0, 2) * cofactor(0, 2);
    Matrix omega(3, 1);
    for (int i = 0; i < 3; ++i)
      omega[i] = (cofactor(0, i) * m[0] + cofactor(1, i) * m[1] + cofactor(2, i) * m[2]) / det;
    const Matrix fm = cross(m, omega), fg = cross(gamma, omega);
    for (int i = 0; i < 3; ++i) {
      rate_M.push_back(fm[i]);
      rate_g.push_back(fg[i]);
    }
    energy = dot(m, omega);
    omega2 = dot(omega, omega);
  }

  Expr divergence(Expr density) const {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < 3; ++i) {
      terms.push_back(derivative(density * rate_M[i], M[i]));
      terms.push_back(derivative(density * rate_g[i], g[i]));
    }
    return sum(terms);
  }
  Expr rate(Expr f) const {
    SymbolMap field;
    for (std::size_t i = 0; i < 3; ++i) {
      field.emplace(M[i], rate_M[i]);
      field.emplace(g[i], rate_g[i]);
    }
    return derivative_along(f, field);
  }
};

}  // namespace

TEST_CASE("Chaplygin's ball: the invariant measure and the integrals") {
  const ChaplyginBall ball;
  CHECK(proved(is_zero(ball.divergence(1 / sqrt(ball.q)))));
  CHECK(refuted(is_zero(ball.divergence(sqrt(ball.q)))));
  CHECK(refuted(is_zero(ball.divergence(Expr(1)))));
  CHECK(proved(is_zero(ball.rate(ball.energy))));
  CHECK(proved(is_zero(
      ball.rate(Expr(ball.M[0]) * ball.g[0] + Expr(ball.M[1]) * ball.g[1] + Expr(ball.M[2]) * ball.g[2]))));
  CHECK(refuted(is_zero(ball.rate(ball.omega2))));
}
