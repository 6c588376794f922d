#include <doctest/doctest.h>

#include <thread>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

using namespace rattleback;

namespace {

/// m, k, l are positive; the rest are plain symbols.
Expr formula(const char* text) {
  static const Scope scope = [] {
    Scope s(Scope::Unknown::becomes_a_symbol);
    Symbol::Attributes positive;
    positive.sign = Sign::positive;
    positive.role = Role::parameter;
    for (const char* name : {"m", "k", "l"}) s.define(name, Expr(Symbol::make(name, positive)));
    s.declare("A", 1);
    s.declare("V", 2);
    return s;
  }();
  return parse(text, scope);
}

Expr entry(Role role, const char* family, int index) {
  Symbol::Attributes a;
  a.role = role;
  a.family = family;
  a.entry = index;
  return Expr(Symbol::make(family + std::to_string(index), a));
}

Matrix rotation_matrix() {
  Matrix b(3, 3);
  for (int i = 0; i < 9; ++i) b(i / 3, i % 3) = entry(Role::rotation, "B", i);
  return b;
}

}  // namespace

TEST_CASE("identities are proved") {
  for (const char* text : {"sin(x)^2 + cos(x)^2 - 1",
                           "sin(x+y) - sin(x)*cos(y) - cos(x)*sin(y)",
                           "cos(3*x) - 4*cos(x)^3 + 3*cos(x)",
                           "tan(x/2) - sin(x)/(1+cos(x))",
                           "sin(x/2)*cos(x/2) - sin(x)/2",
                           "cosh(x)^2 - sinh(x)^2 - 1",
                           "exp(a+b) - exp(a)*exp(b)",
                           "log(m*k) - log(m) - log(k)",
                           "log(x*y) - log(x) - log(y)",
                           "sqrt(2)*sqrt(3) - sqrt(6)",
                           "sqrt(3+2*sqrt(2)) - 1 - sqrt(2)",
                           "sqrt(x+sqrt(x^2-1))*sqrt(x-sqrt(x^2-1)) - 1",
                           "1/(sqrt(x)-sqrt(y)) - (sqrt(x)+sqrt(y))/(x-y)",
                           "cos(pi/5) - (1+sqrt(5))/4",
                           "sin(pi/12) - (sqrt(6)-sqrt(2))/4",
                           "(x^(1/3))^3 - x",
                           "tan(atan(x)) - x",
                           "sin(2*atan(x)) - 2*x/(1+x^2)",
                           "cos(x+pi/6) - sqrt(3)/2*cos(x) + sin(x)/2",
                           "sin(x+pi/4) - (sin(x)+cos(x))*sqrt(2)/2",
                           "sin(x+2*pi/3) + sin(x) + sin(x-2*pi/3)",
                           "m^k*m^l - m^(k+l)",
                           "(m*k)^l - m^l*k^l",
                           "sqrt(m)*sqrt(k) - sqrt(m*k)",
                           "sqrt(x)*sqrt(y) - sqrt(x*y)",
                           "cos(pi/8) - sqrt(2+sqrt(2))/2",
                           "sin(pi*(x+1)) + sin(pi*x)",
                           "asinh(x) - log(x+sqrt(x^2+1))",
                           "asin(x) + acos(x) - pi/2",
                           "sqrt(m^2) - m",
                           "sqrt(exp(x)) - exp(x/2)",
                           "(exp(x)-1)/(exp(x)+1) - tanh(x/2)",
                           "sqrt(67)*sqrt(2) - sqrt(134)",
                           "abs(x)^2 - x^2",
                           "abs(1 + x^2) - 1 - x^2",
                           "abs(cos(x) - 2) + cos(x) - 2",
                           "A(x*(y+1)) - A(x*y+x)",
                           "V(x+y, 2*x/2) - V(y+x, x)"}) {
    CAPTURE(text);
    CHECK(proved(is_zero(formula(text))));
  }
}

TEST_CASE("what is not an identity is refuted at a real point") {
  for (const char* text : {"sin(x)^2 + cos(x)^2 - 1 - 1e-30",
                           "sin(pi*n)",
                           "cos(2*pi*n) - 1",
                           "sqrt(x^2) - x",
                           "abs(x) - x",
                           "sqrt((x+y)^2) - (x+y)",
                           "sqrt(x*y)*sqrt(y*z) - y*sqrt(x*z)",
                           "sin(x+y) - sin(x)*cos(y) + cos(x)*sin(y)",
                           "cos(3*x) - 4*cos(x)^3 - 3*cos(x)",
                           "exp(a*b) - exp(a)*exp(b)",
                           "log(m+k) - log(m) - log(k)",
                           "sqrt(2) + sqrt(3) - sqrt(5)",
                           "sqrt(x+y) - sqrt(x) - sqrt(y)",
                           "cos(pi/5) - (sqrt(5)-1)/4",
                           "A(x) - A(y)",
                           "A(x*y) - A(x)*y",
                           "V(x,y) - V(y,x)",
                           "x^(1/3) - x",
                           "sin(2*atan(x)) - x/(1+x^2)",
                           "atan(x) + atan(1/x) - pi/2",
                           "tan(x) - x",
                           "pi - 355/113",
                           "exp(pi) - pi - 20",
                           "sin(1) - 0.84147098480789650665250232163029899962256306079837",
                           "sin(x) - x + x^3/6",
                           "sqrt(x^4) - x^2 - 1e-40",
                           "atan(tan(x)) - x",
                           "asin(sin(x)) - x",
                           "acos(cos(x)) - x",
                           "1/(x-y) - 1/x + 1/y",
                           "log(x^2) - 2*log(-x) + 1e-25",
                           "m^k - k^m",
                           "sqrt(m^2+k^2) - m - k",
                           "(x^n)^2 - x^(n^2)",
                           "4611678266767189679*x"}) {
    CAPTURE(text);
    const Verdict v = is_zero(formula(text));
    REQUIRE(refuted(v));
    CHECK(std::get<Refuted>(v).at.value.find("modulo") == std::string::npos);
  }
}

TEST_CASE("the counterexample can be read and recomputed") {
  const Verdict v = is_zero(formula("sqrt(x^2) - x"));
  REQUIRE(refuted(v));
  const Counterexample& at = std::get<Refuted>(v).at;
  REQUIRE(at.point.size() == 1);
  CHECK(at.point[0].first.name() == "x");
  CHECK(at.point[0].second.starts_with("-"));
  const double x = std::stod(at.point[0].second);
  CHECK(std::stod(at.value) == doctest::Approx(-2 * x));
}

TEST_CASE("rotation matrices and directions move on their manifolds") {
  const Matrix b = rotation_matrix();
  CHECK(proved(is_zero((transpose(b) * b - Matrix::identity(3)).entries())));
  CHECK(proved(is_zero((b * transpose(b) - Matrix::identity(3)).entries())));
  CHECK(proved(is_zero(dot(cross(b.column(0), b.column(1)), b.column(2)) - 1)));
  CHECK(proved(is_zero((cross(transpose(b.row(0)), transpose(b.row(1))) - transpose(b.row(2))).entries())));
  CHECK(refuted(is_zero((cross(transpose(b.row(0)), transpose(b.row(1))) + transpose(b.row(2))).entries())));
  CHECK(refuted(is_zero(b(0, 1) + b(1, 0))));
  const Expr g[] = {entry(Role::direction, "gamma", 0), entry(Role::direction, "gamma", 1),
                    entry(Role::direction, "gamma", 2)};
  CHECK(proved(is_zero(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] - 1)));
  CHECK(refuted(is_zero(g[0] * g[0] + g[1] * g[1] - 1)));
}

TEST_CASE("several expressions: the first that does not vanish is named") {
  const Expr es[] = {formula("sin(x)^2 + cos(x)^2 - 1"), formula("x - y"), formula("x")};
  const Verdict v = is_zero(es);
  REQUIRE(refuted(v));
  CHECK(std::get<Refuted>(v).at.note.find("entry 2") != std::string::npos);
  CHECK(proved(is_zero(std::span(es).first(1))));
  CHECK(proved(are_equal(formula("(x+y)^2"), formula("x^2 + 2*x*y + y^2"))));
}

TEST_CASE("without exact work the answer says how certain it is") {
  ZeroTest quick;
  quick.want_exact = false;
  const Verdict v = is_zero(formula("cos(3*x) - 4*cos(x)^3 + 3*cos(x)"), quick);
  REQUIRE(proved(v));
  CHECK_FALSE(std::get<Proved>(v).why.exact);
  CHECK(std::get<Proved>(v).why.bits > 100);
  CHECK(evidence(v) == "certain to 2^-" + std::to_string(std::get<Proved>(v).why.bits));
  quick.points = 1;
  CHECK(std::get<Proved>(is_zero(formula("x*(y+1) - x*y - x"), quick)).why.bits <= 62);
}

TEST_CASE("an empty domain is no proof") {
  const Verdict v = is_zero(formula("sqrt(-1-x^2)^2*sqrt(-1-x^2) - 1"));
  CHECK(undecided(v));
  CHECK(undecided(is_zero(formula("log(-x^2) - 2*log(x) + log(-1-x^2)"))));
  CHECK(undecided(is_zero(formula("x*tan(pi/2)"))));
}

TEST_CASE("evidence in words") {
  CHECK(evidence(is_zero(Expr(0))) == "proved");
  CHECK(evidence(is_zero(Expr(1))) == "refuted");
  CHECK(evidence(Undecided{"", ""}) == "undecided");
}

TEST_CASE("an exhausted budget leaves the question undecided") {
  Limits limits;
  limits.time = std::chrono::duration<double>(-1);
  const Budget budget(limits);
  const Verdict v = is_zero(formula("sin(x)^2 + cos(x)^2 - 1"));
  REQUIRE(undecided(v));
  CHECK(std::get<Undecided>(v).obstacle.find("time") != std::string::npos);
}

TEST_CASE("a verdict is reached once, and costs its work again") {
  const Expr e = formula("(x + y)^9 - (x + y)^4*(x + y)^5*(sin(x)^2 + cos(x)^2)");
  const auto work_of = [&] {
    const std::size_t before = Budget::work();
    CHECK(proved(is_zero(e)));
    return Budget::work() - before;
  };
  const std::size_t first = work_of();
  CHECK(first > 0);
  CHECK(work_of() == first);
  const Budget little({.work = first / 2});
  CHECK(evidence(is_zero(e)).starts_with("certain to 2^-"));
}

TEST_CASE("the quick look at random points") {
  CHECK(vanishes_at_random_points(formula("sin(x)^2 + cos(x)^2 - 1")));
  CHECK_FALSE(vanishes_at_random_points(formula("sin(x)^2 + cos(x)^2")));
  CHECK(vanishes_at_random_points(formula("sqrt(67)*sqrt(2) - sqrt(134)")));
  CHECK(vanishes_at_random_points(formula("sqrt(3+2*sqrt(2)) - 1 - sqrt(2)")));
  CHECK(vanishes_at_random_points(formula("sqrt((m+k)^2) - m - k")));
  CHECK_FALSE(vanishes_at_random_points(formula("sqrt((x+y)^2) - x - y")));
  CHECK_FALSE(vanishes_at_random_points(formula("x")));
  CHECK_FALSE(vanishes_at_random_points(Expr(2)));
  CHECK(vanishes_at_random_points(Expr(0)));
}

TEST_CASE("several threads decide at once, and a cancelled question is undecided") {
  const Expr identity = parse("sin(x + y)^2 + cos(x + y)^2 - 1"), other = parse("sin(x)*cos(y) - 1");
  std::vector<std::string> answers(8);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    threads.emplace_back([&, k] { answers[k] = evidence(is_zero(k % 2 == 0 ? identity : other)); });
  }
  for (std::thread& t : threads) t.join();
  for (std::size_t k = 0; k < answers.size(); ++k) CHECK(answers[k] == (k % 2 == 0 ? "proved" : "refuted"));

  std::stop_source stop;
  stop.request_stop();
  const Budget cancelled({.cancel = stop.get_token()});
  CHECK(undecided(is_zero(parse("exp(a + b) - exp(a)*exp(b)"))));
}

TEST_CASE("a function whose primitives cancel is not taken for a number") {
  const Verdict v = is_zero(parse("u*sin(theta) - u*cos(theta)*tan(theta)"), {.want_exact = false});
  CHECK(proved(v));
}
