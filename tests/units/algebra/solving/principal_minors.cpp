#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/principal_minors.hpp>

using namespace rattleback;

namespace {

Matrix metric() {
  const Expr a = parse("I + m*sin(x)^2"), b = parse("m*sin(x)*cos(x)"), c = parse("J + m*cos(x)^2"),
             d = parse("m*y");
  Matrix G(3, 3);
  G(0, 0) = a, G(0, 1) = G(1, 0) = b, G(1, 1) = c, G(1, 2) = G(2, 1) = d, G(2, 2) = parse("K + m*y^2");
  return G;
}

bool is_made_of_minors(const std::string& e) {
  const std::vector<Expr> es{parse(e)};
  return are_made_of_principal_minors(metric(), es)[0];
}

}  // namespace

TEST_CASE("pivots and determinants that an elimination leaves are made of principal minors") {
  CHECK(is_made_of_minors("I + m*sin(x)^2"));
  CHECK(is_made_of_minors("-3*(J + m*cos(x)^2)"));                                      // up to a number
  CHECK(is_made_of_minors("J + m*cos(x)^2 - m^2*sin(x)^2*cos(x)^2/(I + m*sin(x)^2)"));  // the second pivot
  CHECK(is_made_of_minors("I*J + I*m*cos(x)^2 + J*m*sin(x)^2"));                        // and its numerator
  CHECK(is_made_of_minors("(K + m*y^2)*(I + m*sin(x)^2)"));
}

TEST_CASE("what may vanish where the matrix is definite is not made of its minors") {
  CHECK(!is_made_of_minors("m*sin(x)*cos(x)"));
  CHECK(!is_made_of_minors("I - m*sin(x)^2"));
  CHECK(!is_made_of_minors("m*(I + m*sin(x)^2)"));  // m is no number
  CHECK(!is_made_of_minors("0"));
  CHECK(are_made_of_principal_minors(Matrix(0, 0), std::vector{Expr(1)}) == std::vector{false});
}
