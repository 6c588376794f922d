#include <rattleback/proof/steady/shifted_copies.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

const Symbol a = Symbol::make("a"), b = Symbol::make("b");

std::vector<SymbolMap> turns_of(const char* e) {
  const std::vector<Expr> equations{parse(e)};
  return common_turns(equations, {a, b});
}

}  // namespace

TEST_CASE("angles that may be turned together, and those that may not") {
  CHECK(turns_of("cos(a - b)*x") == std::vector<SymbolMap>{{{a, 1}, {b, 1}}});
  CHECK(turns_of("sin(a + b)") == std::vector<SymbolMap>{{{a, 1}, {b, -1}}});
  CHECK(turns_of("cos(a) + cos(b)").empty());
  CHECK(turns_of("cos(a) + x*sin(a - b)").empty());
  CHECK(turns_of("x^2").size() == 2);
}

TEST_CASE("values that differ by common turns and whole turns") {
  const std::vector<SymbolMap> both = turns_of("cos(a - b)");
  const auto same = [&](Expr a1, Expr b1, Expr a2, Expr b2) {
    return differ_by_turns({{a, a1}, {b, b1}}, {{a, a2}, {b, b2}}, {a, b}, both);
  };
  CHECK(same(0, 0, pi() / 2, pi() / 2));
  CHECK(same(0, pi(), pi(), 0));  // up to a whole turn
  CHECK(same(0, pi(), pi() / 2, -pi() / 2));
  CHECK_FALSE(same(0, 0, 0, pi()));
  CHECK_FALSE(same(0, pi() / 2, 0, -pi() / 2));
  CHECK_FALSE(differ_by_turns({{a, 0}, {b, 0}}, {{a, 0}, {b, 0}}, {a, b}, {}));
}

TEST_CASE("a car with a trailer drives straight in two ways, whatever its heading") {
  const Answer car = asked(question("equilibria"), load_model("car-1-trailer"), 60);
  int straight = 0;
  for (const std::string& line : car.why) straight += line.find("w = 0, u free") != std::string::npos ? 1 : 0;
  CHECK(straight == 2);  // the trailer behind, or folded under the car
}
