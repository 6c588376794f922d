/// Straight-line code and its interpretations, against the graph's own numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/native/dual.hpp>
#include <rattleback/native/factored.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/native/jet_code.hpp>
#include <rattleback/native/jets.hpp>

using namespace rattleback;

namespace {

const std::vector<Symbol> inputs{Symbol::make("x"), Symbol::make("y")},
    parameters{Symbol::make("a"), Symbol::make("b")};
const std::vector<std::string> formulas{"a*x/b + y^2/(b*(1 + x^2))",
                                        "-(x - y)^3*sin(-x)/2",
                                        "tan(x)*sec(y) + cot(1 + x)*csc(2)",
                                        "exp(-x^2)*log(2 + y)",
                                        "sqrt(1 + x^2)^3",
                                        "asin(x/3) + acos(y/3) + atan(x)",
                                        "sinh(x) + cosh(y)*tanh(x*y)",
                                        "asinh(x) + acosh(2 + y^2) + atanh(x/4)",
                                        "abs(x - 2)*pi*a",
                                        "x*y/(x + a)/(y + b)/(x + a)"};

std::vector<Expr> parsed() {
  std::vector<Expr> es;
  for (const std::string& f : formulas) es.push_back(parse(f));
  return es;
}

}  // namespace

TEST_CASE("code computes what the graph says, in double and in long double") {
  const std::vector<Expr> es = parsed();
  const Code code = straight_line(inputs, parameters, es);
  const double x[2] = {0.7, 0.4};
  const std::vector<double> ab{1.3, -0.6};
  const Numbers at{{inputs[0], x[0]}, {inputs[1], x[1]}, {parameters[0], ab[0]}, {parameters[1], ab[1]}};
  std::vector<double> y(es.size());
  Evaluator<double>(code, ab)(x, y.data());
  const long double xl[2] = {x[0], x[1]};
  const std::vector<long double> abl(ab.begin(), ab.end());
  std::vector<long double> yl(es.size());
  Evaluator<long double>(code, abl)(xl, yl.data());
  for (std::size_t k = 0; k < es.size(); ++k) {
    CAPTURE(formulas[k]);
    const double wanted = evaluate(es[k], at);
    CHECK(y[k] == doctest::Approx(wanted).epsilon(1e-14));
    CHECK(static_cast<double>(yl[k]) == doctest::Approx(wanted).epsilon(1e-14));
  }
}

TEST_CASE("parameters leave the body: products of them are made once, and divide nothing there") {
  const std::vector<Expr> es{parse("a^2*x/(b*(1 + a))")};
  const Code code = straight_line(inputs, parameters, es);
  REQUIRE(code.body.size() == 1);
  CHECK(code.body[0].op == Op::mul);
  const std::vector<Expr> quotient{parse("x/(y*(1 + x))")};
  int divisions = 0;
  for (const Instruction& i : straight_line(inputs, parameters, quotient).body) divisions += i.op == Op::div;
  CHECK(divisions == 1);
  CHECK(code.hash() == straight_line(inputs, parameters, es).hash());
  CHECK(code.hash() != straight_line(inputs, parameters, quotient).hash());
}

TEST_CASE("sums begin with what is there first, and share it") {
  const std::vector<Expr> es{parse("sin(x*y) + x + y"), parse("cos(x*y) + x + y")};
  CHECK(straight_line(inputs, parameters, es).body.size() == 6);  // xy, its sine and cosine, x + y, two sums
}

TEST_CASE(
    "common factors are taken out, terms that differ in constants made one, common products made once") {
  const std::vector<Symbol> moving{Symbol::make("w"), Symbol::make("x"), Symbol::make("y"),
                                   Symbol::make("z")};
  const auto operations = [&](const std::vector<std::string>& texts) {
    std::vector<Expr> es;
    for (const std::string& text : texts) es.push_back(parse(text));
    return fused(straight_line(moving, parameters, es)).body.size();
  };
  CHECK(operations({"w*x/2 + y*z/2"}) == 3);
  CHECK(operations({"w*x*y + w*x*z"}) == 3);
  CHECK(operations({"a*x^2 - b*x^2 + w"}) == 2);
  CHECK(operations({"w/y + x/y"}) == 2);
  CHECK(operations({"w*x*y", "w*x*z", "w*x*y*z"}) == 4);

  const SharedProducts shared({{0, 1, 2}, {0, 3, 1}, {4, 5}}, 6);
  REQUIRE(shared.pairs() == 1);
  CHECK(shared.product(0) == std::vector<std::uint32_t>{6, 2});
  CHECK(shared.product(1) == std::vector<std::uint32_t>{6, 3});
  CHECK(shared.product(2) == std::vector<std::uint32_t>{4, 5});
}

TEST_CASE("random polynomials with constants keep their values, however their code is shortened") {
  std::mt19937 random(11);
  const std::vector<std::string> names{"x", "y", "a", "b", "sin(x)", "(x + y)", "2", "(1/3)"};
  const long double at[2] = {0.7L, -1.3L};
  const std::vector<long double> ab{1.25L, 0.5L};
  const Numbers numbers{{inputs[0], 0.7}, {inputs[1], -1.3}, {parameters[0], 1.25}, {parameters[1], 0.5}};
  for (int k = 0; k < 40; ++k) {
    std::string text = "1";
    for (unsigned term = 0; term < 2 + random() % 7; ++term) {
      text += random() % 2 == 0 ? " + 1" : " - 1";
      for (unsigned factor = 0; factor < 1 + random() % 5; ++factor)
        text += "*" + names[random() % names.size()];
      if (random() % 4 == 0) text += "/(2 + x^2)";
    }
    CAPTURE(text);
    const Expr e = parse(text);
    const Code code = straight_line(inputs, parameters, std::span(&e, 1));
    long double y = 0;
    Evaluator<long double>(code, ab)(at, &y);
    CHECK(static_cast<double>(y) == doctest::Approx(evaluate(e, numbers)).epsilon(1e-12));
  }
}

TEST_CASE("dual numbers differentiate code") {
  const std::vector<Expr> es = parsed();
  const Code code = straight_line(inputs, parameters, es);
  const std::vector<double> ab{1.3, -0.6};
  const double x[2] = {0.7, 0.4};
  std::vector<double> y(es.size()), J(2 * es.size());
  Jacobian(code, ab, 2)(x, y.data(), J.data());
  const Numbers at{{inputs[0], x[0]}, {inputs[1], x[1]}, {parameters[0], ab[0]}, {parameters[1], ab[1]}};
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t k = 0; k < es.size(); ++k) {
      CAPTURE(formulas[k]);
      CHECK(J[j * es.size() + k] ==
            doctest::Approx(evaluate_dual(es[k], at, {{inputs[j], 1.0}}).tangent).epsilon(1e-12));
    }
}

TEST_CASE("jets of every function: f(x(t)) with x' = 1 has the Taylor series of f") {
  for (const std::string& formula : formulas) {
    CAPTURE(formula);
    // u' = f(t) by quadrature: its coefficients are those of f, one order up. y = 0.4 is the state's second entry, at rest.
    const Symbol u = Symbol::make("u"), t = Symbol::make("t");
    const Expr f = substitute(parse(formula), {{inputs[0], Expr(t)}});
    const std::vector<Symbol> state{u, inputs[1], t};
    const std::vector<Expr> rates{f, Expr(0)};
    const Code code = straight_line(state, parameters, rates);
    const std::vector<double> ab{1.3, -0.6};
    Jets<double> jets(code, ab, 4);
    const double y[2] = {0, 0.4};
    jets(y, 0.7);
    Numbers at{{t, 0.7}, {inputs[1], 0.4}, {parameters[0], ab[0]}, {parameters[1], ab[1]}};
    Expr slope = f;
    double factorial = 1;
    for (std::size_t k = 1; k <= 4; ++k) {
      factorial *= static_cast<double>(k);
      CHECK(jets.coefficients(0)[k] == doctest::Approx(evaluate(slope, at) / factorial).epsilon(1e-10));
      slope = derivative(slope, t);
    }
  }
}

TEST_CASE("recurrences written out give the coefficients of the recurrences one by one") {
  const std::vector<Symbol> state{Symbol::make("x"), Symbol::make("y"), Symbol::make("z"), Symbol::make("s")};
  const auto code_of = [&](const std::vector<std::string>& rates) {
    std::vector<Expr> es;
    for (const std::string& r : rates) es.push_back(parse(r));
    return straight_line(state, parameters, es);
  };
  const Code rates = code_of({"a*y*sin(x) + s^2", "exp(-x)*cos(y)/(2 + sin(x)) - b",
                              "sqrt(1 + x^2)*log(3 + y^2) + sinh(z)*cosh(x)/10"});
  constexpr std::size_t order = 14;
  const std::optional<Code> all = jet_code(rates, order);
  REQUIRE(all);
  const std::vector<double> ab{1.3, -0.6}, at{0.4, -0.3, 0.2, 0.7};
  std::vector<double> found(3 * order);
  Evaluator<double>(*all, ab)(at.data(), found.data());
  Jets<double> jets(rates, ab, order);
  jets(at.data(), at[3]);
  for (std::size_t k = 1; k <= order; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(k);
      CAPTURE(i);
      CHECK(found[3 * (k - 1) + i] == doctest::Approx(jets.coefficients(i)[k]).epsilon(1e-11));
    }
  CHECK_FALSE(jet_code(rates, order, 100));
  CHECK_FALSE(jet_code(code_of({"atan(y)", "x", "z"}), order));
}
