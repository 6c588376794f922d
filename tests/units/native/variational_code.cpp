/// Variational equations as code, against dual numbers.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/dual.hpp>
#include <rattleback/native/emit.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/native/variational_module.hpp>

using namespace rattleback;

namespace {

/// ∂f/∂x δ by dual numbers, which share nothing with the code.
std::vector<double> by_duals(const Code& code, const std::vector<double>& x, const std::vector<double>& d) {
  std::vector<Tangent<double>> in;
  for (std::size_t i = 0; i < x.size(); ++i) in.emplace_back(x[i], i < d.size() ? d[i] : 0.0);
  const std::vector<Tangent<double>> none;
  Evaluator<Tangent<double>> f(code, none);
  std::vector<Tangent<double>> out(code.outputs.size());
  f(in.data(), out.data());
  std::vector<double> slopes;
  for (const auto& o : out) slopes.push_back(o.slope);
  return slopes;
}

Code example() {
  Scope scope;
  std::vector<Symbol> inputs;
  for (const char* name : {"a", "b", "c", "t"}) {
    inputs.push_back(Symbol::make(name));
    scope.define(name, Expr(inputs.back()));
  }
  const std::vector<Expr> outputs{
      parse("sqrt(a^2 + b^2)*sin(c) + atan(a*b) + tan(c)/(1 + a^2)", scope),
      parse("exp(a)*cos(b*c) - log(2 + c)/b + sinh(a) - cosh(c)*tanh(b) + t*a", scope),
      parse("asin(a/3) + acos(b/3) + asinh(c) + acosh(3 + a) + atanh(b/4) + abs(c)*b + 5", scope)};
  return straight_line(inputs, {}, outputs);
}

}  // namespace

TEST_CASE(
    "every function has a slope: the parts, the joined code, the matrix and the divergence agree with "
    "duals") {
  const Code code = example();
  const std::vector<double> x{0.7, -0.4, 0.9, 1.3}, d{0.3, -1.1, 0.5};
  const std::vector<double> expected = by_duals(code, x, d);
  const std::vector<double> none;
  for (const std::size_t groups : {std::size_t{1}, std::size_t{100}}) {  // the chain, the matrix
    const VariationalCode both = variational_code(code, 3, groups);
    std::vector<double> values(both.coefficients.outputs.size()), in(d), slopes(3);
    Evaluator<double>(both.coefficients, none)(x.data(), values.data());
    in.insert(in.end(), values.begin() + 3, values.end());
    REQUIRE(in.size() == both.linear.inputs);
    Evaluator<double>(both.linear, none)(in.data(), slopes.data());
    for (std::size_t i = 0; i < 3; ++i) CHECK(slopes[i] == doctest::Approx(expected[i]).epsilon(1e-13));
  }
  const Code joined = directional_code(code, 3);
  const std::vector<double> in{x[0], x[1], x[2], d[0], d[1], d[2], x[3]};
  std::vector<double> out(6), value(3);
  Evaluator<double>(joined, none)(in.data(), out.data());
  Evaluator<double>(code, none)(x.data(), value.data());
  double trace = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(out[i] == doctest::Approx(value[i]).epsilon(1e-15));
    CHECK(out[3 + i] == doctest::Approx(expected[i]).epsilon(1e-13));
    std::vector<double> unit(3, 0.0);
    unit[i] = 1;
    trace += by_duals(code, x, unit)[i];
  }
  double divergence = 0;
  Evaluator<double>(divergence_code(code, 3), none)(x.data(), &divergence);
  CHECK(divergence == doctest::Approx(trace).epsilon(1e-13));
  std::vector<double> matrix(9);
  Evaluator<double>(jacobian_code(code, 3), none)(x.data(), matrix.data());
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(matrix[i] * d[0] + matrix[3 + i] * d[1] + matrix[6 + i] * d[2] ==
          doctest::Approx(expected[i]).epsilon(1e-12));
}

TEST_CASE("numbers and directions in one compiled function have the bits of the two parts") {
  const Code code = example();
  const VariationalCode both = variational_code(code, 3);
  const VariationalCode joined{fused(both.coefficients), fused(both.linear)};
  const std::size_t lanes = 4;
  const auto object = compiled(variational_module(joined, lanes, this_processor()));
  if (!object) return;  // no compiler here
  const auto variations = reinterpret_cast<Variations>(object->function("variations"));
  const std::vector<double> none;
  const std::vector<double> constants = constants_of<double>(both.coefficients, none);
  std::vector<double> x{0.7, -0.4, 0.9, 1.3}, directions(3 * lanes), rates(3), slopes(3 * lanes);
  for (std::size_t i = 0; i < directions.size(); ++i) directions[i] = std::cos(2.5 * static_cast<double>(i));
  const auto run = [&] {
    return variations(x.data(), constants.data(), directions.data(), rates.data(), slopes.data(),
                      library_functions(), nullptr);
  };
  REQUIRE(run() == 0);
  std::vector<double> values(both.coefficients.outputs.size());
  Evaluator<double>(both.coefficients, none)(x.data(), values.data());
  for (std::size_t i = 0; i < 3; ++i) CHECK(rates[i] == values[i]);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::vector<double> in, out(3);
    for (std::size_t i = 0; i < 3; ++i) in.push_back(directions[i * lanes + lane]);
    in.insert(in.end(), values.begin() + 3, values.end());
    Evaluator<double>(both.linear, none)(in.data(), out.data());
    for (std::size_t i = 0; i < 3; ++i) CHECK(slopes[i * lanes + lane] == out[i]);
  }
  x[2] = 1e30;  // an angle that the compiled function does not take
  CHECK(run() != 0);
}

TEST_CASE("the divergence comes with numbers and directions, only where it is asked for") {
  const Code code = example();
  const VariationalCode both = variational_code(code, 3, 1, true);
  CHECK(both.has_divergence());
  CHECK_FALSE(variational_code(code, 3).has_divergence());
  const std::vector<double> none;
  std::vector<double> x{0.7, -0.4, 0.9, 1.3}, directions(6, 0.5), rates(3), slopes(6);
  double expected = 0, divergence = -1;
  Evaluator<double>(divergence_code(code, 3), none)(x.data(), &expected);
  REQUIRE(expected != 0);
  std::vector<double> values(both.coefficients.outputs.size());
  Evaluator<double>(both.coefficients, none)(x.data(), values.data());
  CHECK(values.back() == doctest::Approx(expected).epsilon(1e-14));
  const auto object =
      compiled(variational_module({fused(both.coefficients), fused(both.linear)}, 2, this_processor()));
  if (!object) return;  // no compiler here
  const auto variations = reinterpret_cast<Variations>(object->function("variations"));
  const std::vector<double> constants = constants_of<double>(both.coefficients, none);
  const auto run = [&](double* to) {
    return variations(x.data(), constants.data(), directions.data(), rates.data(), slopes.data(),
                      library_functions(), to);
  };
  REQUIRE(run(nullptr) == 0);
  const std::vector<double> without = slopes;
  REQUIRE(run(&divergence) == 0);
  CHECK(divergence == doctest::Approx(expected).epsilon(1e-14));
  CHECK(slopes == without);
  x[2] = 1e30;
  CHECK(run(nullptr) != 0);
  CHECK(run(&divergence) != 0);
}
