#include <doctest/doctest.h>

#include <thread>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/expression/parse.hpp>

using namespace rattleback;

namespace {
const Expr x = symbol("x"), y = symbol("y");
}

TEST_CASE("equal structure is the same node, in any order of building") {
  CHECK(x + y == y + x);
  CHECK(x * y * x == pow(x, 2) * y);
  CHECK(sin(x) + 1 == 1 + sin(x));
  CHECK(x + y != x - y);
}

TEST_CASE("constants fold and equal terms are collected") {
  CHECK(Expr(2) + 3 == Expr(5));
  CHECK(x + x == 2 * x);
  CHECK((x - x).is_zero());
  CHECK((x / x).is_one());
  CHECK(x - (x + y) == -y);
  CHECK(pow(pow(x, 2), 3) == pow(x, 6));
  CHECK(pow(2 * x, 2) == 4 * pow(x, 2));
  CHECK(Expr(Rational(1, 3)) + Expr(Rational(1, 6)) == Expr(Rational(1, 2)));
}

TEST_CASE("signs and numbers of sums and of long products") {
  CHECK(-(-x) == x);
  CHECK(-(2 * x * y) == (-2) * (x * y));
  CHECK(-Expr(3) == Expr(-3));
  CHECK((2 * (x + y) - 2 * x - 2 * y).is_zero());
  CHECK(3 * (x + y + 1) / 3 - (x + 1) == y);
  CHECK(sum({x * y, -x, 2 * x * y, x, Expr(1)}) == 3 * x * y + 1);
  std::vector<Expr> factors;
  for (int i = 0; i < 40; ++i) factors.push_back(symbol("f" + std::to_string(i)));
  const Expr all = product(factors);
  CHECK((all + -all).is_zero());
  CHECK((all + product({Expr(-1), all})).is_zero());
  CHECK(-(-all) == all);
}

TEST_CASE("nothing is expanded") {
  const Expr e = pow(x + y, 2);
  CHECK(e.is(Kind::power));
  CHECK(e != pow(x, 2) + 2 * x * y + pow(y, 2));
}

TEST_CASE("roots: squares cancel, square factors of numbers and of positive symbols leave") {
  CHECK(sqrt(x) * sqrt(x) == x);
  CHECK(x / sqrt(x) == sqrt(x));
  CHECK(sqrt(Expr(8)) == 2 * sqrt(Expr(2)));
  CHECK(sqrt(Expr(Rational(1, 2))) == sqrt(Expr(2)) / 2);
  CHECK(sqrt(Expr(9)) == Expr(3));
  CHECK(sqrt(pow(x, 2)) != x);  // x may be negative
  const Expr m(Symbol::make("m", {.role = Role::parameter, .sign = Sign::positive}));
  CHECK(sqrt(pow(m, 2)) == m);
  CHECK(sqrt(pow(m, 3) * x) == m * sqrt(m * x));
  CHECK(sqrt(x * y) * sqrt(x * y) / x == y);
}

TEST_CASE("odd and even functions, special angles, inverse pairs") {
  CHECK(sin(-x) == -sin(x));
  CHECK(cos(-x) == cos(x));
  CHECK(sin(x - y) == -sin(y - x));
  CHECK(cos(x - y) == cos(y - x));
  CHECK(sin(pi() / 6) == Expr(Rational(1, 2)));
  CHECK(cos(pi() / 4) == sqrt(Expr(2)) / 2);
  CHECK(tan(pi() / 3) == sqrt(Expr(3)));
  CHECK(sin(7 * pi() / 6) == Expr(Rational(-1, 2)));
  CHECK(cos(pi() * 3).value() == Rational(-1));
  CHECK(exp(log(x)) == x);
  CHECK(log(exp(x)) == x);
  CHECK(tan(atan(x)) == x);
}

TEST_CASE("chains of sums stay linear in size") {
  std::vector<Expr> positions{symbol("p")};
  for (int i = 0; i < 200; ++i) positions.push_back(positions.back() + cos(symbol("q" + std::to_string(i))));
  CHECK(graph_size(positions) < 200 * 20);
  std::size_t arguments = 0;
  for (const Expr p : positions) arguments += p.args().size();
  CHECK(arguments < 200 * 14);  // flattened, the last alone would have 200 and all together 20 000
}

TEST_CASE("symbols with other attributes are other symbols") {
  const Symbol plain = Symbol::make("m");
  const Symbol mass = Symbol::make("m", {.role = Role::parameter, .sign = Sign::positive});
  CHECK(plain != mass);
  CHECK(Expr(plain) != Expr(mass));
  CHECK(mass == Symbol::make("m", {.role = Role::parameter, .sign = Sign::positive}));
  CHECK(Symbol::make("x'").role() == Role::velocity);
}

TEST_CASE("division by zero and absurd powers are errors, not crashes") {
  CHECK_THROWS_AS(1 / (x - x), Error);
  CHECK_THROWS_AS(pow(Expr(2), 1 << 24), Error);
  CHECK_THROWS_AS(pow(pow(x, 1 << 20), 1 << 20), Error);
  CHECK(pow(Expr(1), 1 << 30).is_one());
}

TEST_CASE("threads that build the same expressions get the same nodes") {
  const auto work = [](std::vector<Expr>& out) {
    for (int i = 0; i < 2000; ++i) {
      const Expr a = symbol("thread" + std::to_string(i % 97));
      out.push_back(sin(a + i) * pow(a, 3) + sqrt(a * i + 1));
    }
  };
  std::vector<std::vector<Expr>> results(4);
  std::vector<std::thread> threads;
  for (auto& r : results) threads.emplace_back(work, std::ref(r));
  for (std::thread& t : threads) t.join();
  for (const auto& r : results) CHECK(r == results[0]);
  for (const Expr e : results[0]) {
    for (const Expr a : e.args()) CHECK(a.id() < e.id());
  }
}

TEST_CASE("what threads have built stays as it was when they end and others go on in their memory") {
  std::vector<Expr> built;
  for (int k = 0; k < 200; ++k) {
    std::thread([&built, k] {
      for (int i = 0; i < 5; ++i)
        built.push_back(symbol("heir" + std::to_string(k)) + cos(symbol("y" + std::to_string(i))));
    }).join();
    const Expr here = symbol("heir" + std::to_string(k)) * 3;
    CHECK(here.args()[0] == Expr(3));
  }
  for (int k = 0; k < 200; ++k) {
    for (int i = 0; i < 5; ++i) {
      const Expr again = symbol("heir" + std::to_string(k)) + cos(symbol("y" + std::to_string(i)));
      CHECK(built[static_cast<std::size_t>(5 * k + i)] == again);
    }
  }
}

TEST_CASE("a budget stops building, and ends with its scope") {
  const auto grow = [](const std::string& stem, int count) {
    for (int i = 0; i < count; ++i) symbol(stem + std::to_string(i));
  };
  {
    const Budget budget({.nodes = 100});
    CHECK_NOTHROW(grow("few", 50));
    CHECK_THROWS_AS(grow("many", 200), Exhausted);
  }
  CHECK_NOTHROW(grow("again", 1000));

  std::stop_source stop;
  const Budget cancellable({.cancel = stop.get_token()});
  CHECK_NOTHROW(Budget::check());
  stop.request_stop();
  CHECK_THROWS_AS(Budget::check(), Exhausted);
}

TEST_CASE("a time limit counts computing, not waiting") {
  const Budget outer({.time = std::chrono::duration<double>(10.0)});
  const Budget budget({.time = std::chrono::duration<double>(0.02)});
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  CHECK_NOTHROW(Budget::check());
  const auto busy = [] {
    for (;;) Budget::check();
  };
  CHECK_THROWS_AS(busy(), Exhausted);
}

TEST_CASE("a time limit is kept") {
  const Budget budget({.time = std::chrono::duration<double>(0.02)});
  const auto endless = [] {
    for (long i = 0;; ++i) symbol("t" + std::to_string(i));
  };
  CHECK_THROWS_AS(endless(), Exhausted);
}
