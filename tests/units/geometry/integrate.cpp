#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/integrate.hpp>

using namespace rattleback;

namespace {

OneForm form(std::initializer_list<const char*> coordinates,
             std::initializer_list<const char*> coefficients) {
  std::vector<Symbol> q;
  std::vector<Expr> a;
  for (const char* name : coordinates) q.push_back(Symbol::make(name));
  for (const char* text : coefficients) a.push_back(parse(text));
  return {Space::chart(q), a};
}

/// Is f a function of g alone: df ∧ dg = 0?
bool same_levels(const Space& Q, Expr f, Expr g) {
  const OneForm df = differential(Q, f), dg = differential(Q, g);
  for (int i = 0; i < Q.dimension(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (!vanishes_at_random_points(df[i] * dg[j] - df[j] * dg[i])) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("closed forms have potentials; others have none") {
  const OneForm closed = form({"x", "y", "z"}, {"2*x*y + z*cos(x*z)", "x^2 + exp(y)", "x*cos(x*z)"});
  const auto f = potential(closed);
  REQUIRE(f);
  CHECK(proved(are_equal(*f, parse("x^2*y + sin(x*z) + exp(y)"))));
  CHECK_FALSE(potential(form({"x", "y"}, {"y", "-x"})));
}

TEST_CASE("integrals of integrable forms, up to a function of themselves") {
  struct Case {
    OneForm alpha;
    const char* integral;
  };
  for (const Case& c :
       {Case{form({"x", "y"}, {"y", "-x"}), "y/x"}, Case{form({"x", "y"}, {"x", "y"}), "x^2 + y^2"},
        Case{form({"th", "pr", "pl"}, {"1", "-r/(2*b)", "r/(2*b)"}), "2*b*th - r*(pr - pl)"},
        Case{form({"x", "y", "z"}, {"2*y*z", "x*z", "3*x*y"}), "x^2*y*z^3"},
        Case{form({"x", "y"}, {"1", "x"}), "x*exp(y)"},
        Case{form({"x", "y", "z"}, {"-y*z - sin(x)*exp(x*y)", "-x*z", "1"}), "z*exp(-x*y) + cos(x)"},
        Case{form({"x", "y"}, {"-y*cos(x) - y^2*cos(x)", "1"}), "(1 + 1/y)*exp(sin(x))"},
        Case{form({"x", "y"}, {"sin(y)", "cos(y)"}), "exp(x)*sin(y)"},
        Case{form({"x", "y"}, {"y^2 + x*y", "x^2"}), "1/(x*y) + 1/(2*x^2)"},
        Case{form({"x", "y"}, {"-y + x*(x^2 + y^2)", "x + y*(x^2 + y^2)"}), "(x^2 + y^2)/2 - atan(x/y)"},
        Case{form({"x", "y"}, {"x*y^2 + y", "-x"}), "x/y + x^2/2"}}) {
    CAPTURE(c.integral);
    const auto found = integral(c.alpha);
    REQUIRE(found);
    CHECK(proved(found->proof));
    CHECK(same_levels(c.alpha.space(), found->function, parse(c.integral)));
    CHECK_FALSE(same_levels(c.alpha.space(), found->function, Expr(c.alpha.space().functions()[0])));
  }
}

TEST_CASE("a contact form has no integral") {
  CHECK_FALSE(integral(form({"x", "y", "z"}, {"-y", "0", "1"})));
}

TEST_CASE("forms on groups: z' = ell γ3' on SO(3) × R, and coordinates of SE(2)") {
  const Space T({line("z"), special_orthogonal_3("B")});
  const Expr z(T.functions()[0]), ell = symbol("ell");
  const auto f = potential(differential(T, z - ell * T.factors()[1].rotation()(2, 2)));
  REQUIRE(f);
  CHECK(proved(are_equal(*f, z - ell * T.factors()[1].rotation()(2, 2))));

  const Space S({special_euclidean_2("x", "y", "theta")});
  const Expr x(S.functions()[0]), y(S.functions()[1]), theta(S.functions()[2]);
  const auto g = integral((1 + pow(x, 2)) * differential(S, x * y + sin(theta)));
  REQUIRE(g);
  CHECK(same_levels(S, g->function, x * y + sin(theta)));
}

TEST_CASE("a pair of constraints that is integrable only together") {
  // Level sets of u = x + y z and v = y + z², mixed so that neither form is integrable alone.
  const Space Q = form({"x", "y", "z", "w"}, {"0", "0", "0", "0"}).space();
  const Expr x(Q.functions()[0]), y(Q.functions()[1]), z(Q.functions()[2]), w(Q.functions()[3]);
  const OneForm du = differential(Q, x + y * z), dv = differential(Q, y + z * z);
  const Distribution D = Distribution::annihilated_by(Q, {du + w * dv, dv + x * x * du});
  const std::vector<Expr> found = integrals(D);
  CHECK(found.size() >= 1);
  for (const Expr f : found) {
    for (const VectorField& X : D.fields()) CHECK(proved(is_zero(X(f))));
  }
}
