#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/modular/modular.hpp>

using namespace rattleback;

namespace {

ModP random_residue(std::uint64_t key) { return ModularPoint(5).generator<ModP>(key); }

ModP value(const char* text, std::uint64_t seed = 3) {
  return ModularProgram(parse(text)).run_near(seed)->value();
}

}  // namespace

TEST_CASE("residues form a field") {
  for (std::uint64_t k = 0; k < 50; ++k) {
    const ModP a = random_residue(3 * k), b = random_residue(3 * k + 1), c = random_residue(3 * k + 2);
    CHECK(a * (b + c) == a * b + a * c);
    CHECK((a - b) + b == a);
    CHECK(a * inverse(a) == ModP(1));
    CHECK((a * a).canonical() == n_mulmod2(a.canonical(), a.canonical(), modulus_of_numbers));
    const auto r = root(a * a);
    REQUIRE(r);
    CHECK((*r == a || *r == -a));
    CHECK(root(*r));
    CHECK(root(a).has_value() != root(-a).has_value());
  }
  CHECK(ModP(-7) + ModP(7) == ModP());
  CHECK(ModP(-1).canonical() == modulus_of_numbers - 1);
  CHECK(*ModP::from(Rational(-3, 7)) * ModP(7) == ModP(-3));
}

TEST_CASE("the moduli are primes that fit together") {
  CHECK(n_is_prime(modulus_of_numbers));
  CHECK(n_is_prime(modulus_of_exponents));
  CHECK(n_is_prime(modulus_of_angles));
  for (const long prime : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61})
    CHECK(root(ModP(prime)));
}

TEST_CASE("circle and exponential are homomorphisms onto groups of prime order") {
  const auto u = ModularPoint(1).generator<ModAngle>(1), v = ModularPoint(1).generator<ModAngle>(2);
  CHECK(circle(u + v) == circle(u) * circle(v));
  CHECK(circle(u).c * circle(u).c + circle(u).s * circle(u).s == ModP(1));
  CHECK_FALSE(circle(1) == CirclePoint{});
  const auto a = ModularPoint(1).generator<ModExponent>(1), b = ModularPoint(1).generator<ModExponent>(2);
  CHECK(exponential(a + b) == exponential(a) * exponential(b));
  CHECK(power_of_square(exponential(a), b) == exponential(a * b));
  CHECK_FALSE(exponential(ModExponent(1)) == ModP(1));
}

TEST_CASE("angles of finite order have the sines of real angles") {
  CHECK(circle_of_half_degrees(360).c == ModP(-1));
  CHECK(circle_of_half_degrees(180).s == ModP(1));
  CHECK(2 * circle_of_half_degrees(60).s == ModP(1));
  CHECK(2 * circle_of_half_degrees(60).c == *root(ModP(3)));
  CHECK(2 * circle_of_half_degrees(90).c == *root(ModP(2)));
  CHECK(4 * circle_of_half_degrees(72).c == 1 + *root(ModP(5)));
  CHECK(4 * circle_of_half_degrees(30).s == *root(ModP(6)) - *root(ModP(2)));
  CHECK(4 * circle_of_half_degrees(45).c * circle_of_half_degrees(45).c == 2 + *root(ModP(2)));
  CHECK(circle_of_half_degrees(-1) * circle_of_half_degrees(721) == CirclePoint{});
}

TEST_CASE("dense elimination: rank, solution, kernel, determinant") {
  ModularMatrix a(3, 4);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j)
      a(i, j) = random_residue(4 * static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(j));
  }
  for (int j = 0; j < 4; ++j) a(2, j) = 3 * a(0, j) - a(1, j);
  CHECK(rank(a) == 2);
  const ModularMatrix n = kernel(a);
  REQUIRE(n.columns() == 2);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      ModP entry;
      for (int k = 0; k < 4; ++k) entry += a(i, k) * n(k, j);
      CHECK(entry.is_zero());
    }
  }
  ModularMatrix b(3, 1);
  b(0, 0) = 1;
  b(1, 0) = 2;
  b(2, 0) = 1;  // 3·1 − 2: consistent
  const auto x = solve(a, b);
  REQUIRE(x);
  for (int i = 0; i < 3; ++i) {
    ModP entry;
    for (int k = 0; k < 4; ++k) entry += a(i, k) * (*x)(k, 0);
    CHECK(entry == b(i, 0));
  }
  b(2, 0) = 2;
  CHECK_FALSE(solve(a, b));

  ModularMatrix d(2, 2);
  d(0, 1) = 3;
  d(1, 0) = 5;
  d(1, 1) = 7;
  CHECK(determinant(d) == ModP(-15));
}

TEST_CASE("a point is a homomorphism") {
  CHECK(value("sin(x+y) - sin(x)*cos(y) - cos(x)*sin(y)").is_zero());
  CHECK(value("cos(pi*(x+1)) + cos(pi*x)").is_zero());
  CHECK(value("tan(x/3 + pi/4) - (1 + tan(x/3))/(1 - tan(x/3))").is_zero());
  CHECK(value("sin(3*atan(x)) - (3*x - x^3)/(1+x^2)^(3/2)").is_zero());
  CHECK(value("x^(n+1/3) - x^n*x^(1/3)").is_zero());
  CHECK(value("exp(n*(x + log(y))) - exp(n*x)*y^n").is_zero());
  CHECK(value("log(12*x^2*sqrt(y)) - 2*log(2) - log(3) - 2*log(x) - log(y)/2").is_zero());
  CHECK(value("A(x*(y+1), z) - A(x*y+x, z)").is_zero());
  CHECK_FALSE(value("A(x, z) - A(z, x)").is_zero());
  CHECK_FALSE(value("A'(x) - A(x)").is_zero());
  CHECK_FALSE(value("log(x+y) - log(x) - log(y)").is_zero());
}

TEST_CASE("a program knows how far it can be trusted") {
  CHECK(ModularProgram(parse("sin(x*y) + exp(x)*A(x)/z + log(x)")).is_faithful());
  CHECK_FALSE(ModularProgram(parse("sqrt(x+1)")).is_faithful());
  CHECK_FALSE(ModularProgram(parse("log(x^2-1) - log(x-1)")).is_faithful());
  CHECK_FALSE(ModularProgram(parse("sin(pi/7)")).is_faithful());
  CHECK_FALSE(ModularProgram(parse("sin(cos(x))")).is_faithful());
  CHECK_FALSE(ModularProgram(parse("atan(x) + atan(y)")).is_faithful());
  CHECK(ModularProgram(parse("sqrt(67)*x")).is_impossible());
  CHECK_FALSE(ModularProgram(parse("sqrt(67)*x")).run_near(1));
  CHECK(ModularProgram(parse("sqrt(x)*sqrt(y) + sin(atan(z))")).roots() == 3);
}

TEST_CASE("sweeps give the derivatives that the graph gives") {
  for (const char* text : {"x*y*z*x", "x^3/y^2", "sin(x*y)*cos(z)", "exp(x*y)/z", "log(x+y*z)", "sqrt(x*y+z)",
                           "atan(x*y)", "x^n", "A(x*y, z)*x", "tan(x/y)"}) {
    CAPTURE(text);
    const Expr e = parse(text);
    const std::vector<Symbol> xs = symbols_of(e);
    std::vector<Expr> all{e};
    for (const Symbol s : xs) all.push_back(derivative(e, s));
    for (const Symbol s : xs) {
      for (const Symbol t : xs) all.push_back(derivative(derivative(e, s), t));
    }
    const ModularProgram program(all);
    const auto run = program.run_near(11);
    REQUIRE(run);
    const auto gradient = run->gradient(0);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const std::size_t at = *program.index_of(xs[i]);
      CHECK(gradient[at] == run->value(1 + i));
      std::vector<ModP> direction(program.symbols().size());
      direction[at] = 1;
      CHECK(run->tangent(direction)[0] == run->value(1 + i));
      const auto row = run->gradient_along(0, direction);
      CHECK(row.value == gradient);
      for (std::size_t j = 0; j < xs.size(); ++j) {
        CHECK(row.tangent[*program.index_of(xs[j])] == run->value(1 + xs.size() + i * xs.size() + j));
      }
    }
  }
}

TEST_CASE("a symbol may be given a value") {
  const Expr e = parse("x + y");
  ModularPoint point(1);
  point.set(Symbol::make("x"), 5);
  point.set(Symbol::make("y"), -5);
  CHECK(ModularProgram(e).run(point)->value().is_zero());
}

TEST_CASE("points with many roots: single symbols are drawn again") {
  // the distances of nine points from one another: 36 radicands, all squares at one random point in 2^36
  std::vector<Expr> roots;
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < i; ++j) {
      const auto at = [](const char* axis, int k) { return Expr(Symbol::make(axis + std::to_string(k))); };
      roots.push_back(sqrt(pow(at("x", i) - at("x", j), 2) + pow(at("y", i) - at("y", j), 2)));
    }
  }
  const ModularProgram program(roots);
  const auto run = program.run_near(7), again = program.run_near(7);
  REQUIRE(run);
  REQUIRE(again);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    CHECK(run->value(k) == again->value(k));
    // the same point, by another program
    const auto square = ModularProgram(roots[k].args()[0]).run(run->point());
    REQUIRE(square);
    CHECK(run->value(k) * run->value(k) == square->value());
  }
}
