#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/equal_parts.hpp>

using namespace rattleback;

namespace {

std::vector<std::string> merged(std::initializer_list<const char*> formulas) {
  std::vector<Expr> es;
  for (const char* f : formulas) es.push_back(parse(f));
  std::vector<std::string> texts;
  for (const Expr e : with_equal_parts_merged(es)) texts.push_back(text(e));
  return texts;
}

}  // namespace

TEST_CASE("equal parts are written the shortest way") {
  CHECK(merged({"F(1 - sin(x)^2)", "G(cos(x)^2)"}) == std::vector<std::string>{"F(cos(x)^2)", "G(cos(x)^2)"});
  CHECK(merged({"(x + y)*(x - y)", "F(x^2 - y^2)"}) == merged({"x^2 - y^2", "F(x^2 - y^2)"}));
}

TEST_CASE("opposite parts, too, and the sign stays right") {
  CHECK(merged({"F(sin(x)^2 - 1)", "G(cos(x)^2)"}) ==
        std::vector<std::string>{"F(-cos(x)^2)", "G(cos(x)^2)"});
}

TEST_CASE("parts that only look alike stay what they are") {
  CHECK(merged({"F(sqrt(x^2))", "G(x)"}) == std::vector<std::string>{"F(sqrt(x^2))", "G(x)"});  // |x|, not x
  CHECK(merged({"F(x + y)", "F(x - y)"}) == std::vector<std::string>{"F(x + y)", "F(x - y)"});
}
