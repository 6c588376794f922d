#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/algebra/expression/operation_count.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/programs/economical.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/velocities/written_velocities.hpp>
#include <rattleback/native/code.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

std::size_t emitted_operations(const EquationsOfMotion& equations) {
  std::vector<Symbol> inputs = equations.configuration, parameters;
  inputs.insert(inputs.end(), equations.speeds.begin(), equations.speeds.end());
  std::vector<Expr> rates = equations.configuration_rates;
  rates.insert(rates.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  for (const Symbol s : symbols_of(rates))
    if (std::ranges::find(inputs, s) == inputs.end()) parameters.push_back(s);
  return straight_line(inputs, parameters, rates).body.size();
}

/// Coordinates and groups; linear, affine, moving and nonlinear constraints; forces, potentials, abstract functions.
const std::vector<std::string> models{
    "chaplygin-sleigh",
    "chaplygin-sleigh-se2",
    "chaplygin-sleigh-algebra",
    "vertical-disk",
    "suslov",
    "euler-top",
    "heisenberg-particle",
    "falling-disk",
    "affine-particle",
    "chaplygin-sphere",
    "knife-edge-incline",
    "pursuit",
    "skate-in-a-field",
    "snakeboard",
    "massless-coordinate",
    "appell-hamel",
    "fernandez-class",
    "quadratic-cone-particle",
    "kapitza-pendulum",
    "magnetic-particle",
};

}  // namespace

TEST_CASE("the motion for programs satisfies d'Alembert's principle on every kind of model") {
  for (const std::string& model : models) {
    CAPTURE(model);
    const System system = load_model(model);
    EquationsOfMotion equations = straight_line_equations(system);
    CHECK(all_vanish(dalembert_residuals(system, equations)));
    equations.speed_rates[0] += 1;
    CHECK(some_do_not_vanish(dalembert_residuals(system, equations)));
  }
}

TEST_CASE("the motion for programs has the state of the form that people read") {
  for (const std::string& model : models) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion equations = straight_line_equations(system),
                            printed = formalism(equations.form).derive(system);
    CHECK(equations.configuration == printed.configuration);
    CHECK(equations.speeds == printed.speeds);
    CHECK(proved(agreement(system, {equations, printed}).motion));
  }
}

TEST_CASE("the velocities that a Lagrangian is written with (H.5)") {
  const System system = load_model("car-2-trailers");
  const WrittenVelocities written = written_velocities(system.lagrangian, system.space.velocities());
  CHECK(written.names.size() == 9);  // two of each axle and one turning rate for each body
  SymbolMap back;
  for (std::size_t k = 0; k < written.names.size(); ++k) back.emplace(written.names[k], written.forms[k]);
  CHECK(substitute(written.function, back) == system.lagrangian);
  for (const Symbol v : system.space.velocities()) CHECK(!contains(written.function, v));
}

TEST_CASE("operations are counted as by hand") {
  const Expr x = symbol("x"), y = symbol("y"), k = Symbol::make("k", {.role = Role::parameter});
  const auto count = [](std::initializer_list<Expr> es) {
    return operation_count(std::span(es.begin(), es.size())).operations;
  };
  CHECK(count({x - y}) == 1);
  CHECK(count({k * k * x / (1 + k)}) == 1);  // one number times x
  CHECK(count({pow(x, 3) / y}) == 3);
  CHECK(count({sin(x) + 1, sin(x) * y}) == 3);  // the sine is shared
  CHECK(operation_count(std::vector<Expr>{k * k + 1}).hoisted == 2);
  // The sine is of both, the other operations of one.
  CHECK(unshared_operations(std::vector<Expr>{sin(x) * y + 1, pow(sin(x), 3), x}) ==
        std::vector<std::size_t>{2, 2, 0});
  CHECK(unshared_operations(std::vector<Expr>{k * x, k * x}) == std::vector<std::size_t>{0, 0});
}

TEST_CASE("shapes with few operations describe the same motion") {
  const std::vector<std::pair<std::string, std::size_t>> most{{"chaplygin-sleigh", 8},
                                                              {"vertical-disk", 6},
                                                              {"snakeboard", 30},
                                                              {"falling-disk", 45},
                                                              {"chaplygin-sphere", 80}};
  for (const auto& [model, operations] : most) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion equations = economical_motion(system);
    CHECK(operations_of(equations) <= operations);
    CHECK(all_vanish(dalembert_residuals(system, equations)));
  }
}

TEST_CASE("the code that is emitted has hardly more operations than a program written by hand") {
  const std::vector<std::pair<std::string, std::size_t>> most{
      {"chaplygin-sleigh", 10}, {"snakeboard", 29}, {"falling-disk", 35}};  // by hand: 8, 23, 25
  for (const auto& [model, operations] : most) {
    CAPTURE(model);
    CHECK(emitted_operations(economical_motion(load_model(model))) <= operations);
  }
}

TEST_CASE("equations with few operations are the same, whatever was derived before") {
  constexpr std::size_t generous = 1'000'000'000, scarce = 300'000, hardly_any = 1000;
  for (const char* model : {"falling-disk", "chaplygin-sphere-euler"}) {
    CAPTURE(model);
    std::vector<std::vector<Expr>> rates;
    for (const std::size_t work : {scarce, hardly_any, generous, scarce, hardly_any, generous})
      rates.push_back(economical_motion(load_model(model), work).speed_rates);
    for (std::size_t k = 0; k < 3; ++k) CHECK(rates[k] == rates[k + 3]);
    CHECK(rates[1] != rates[2]);
  }
}

TEST_CASE("a long chain is eliminated one constraint at a time, whether or not the model names its speeds") {
  std::string space = "x = \"R\"\ny = \"R\"\nt0 = \"S1\"\n", parameters, define, constraints,
              energy = "x'^2 + y'^2 + t0'^2";
  constraints = "car = \"y'*cos(t0) = x'*sin(t0)\"\n";
  for (int i = 1; i <= 9; ++i) {
    const std::string k = std::to_string(i), before = i == 1 ? "" : std::to_string(i - 1),
                      vx = i == 1 ? "x'" : "vx" + before, vy = i == 1 ? "y'" : "vy" + before;
    space += "t" + k + " = \"S1\"\n";
    parameters += "d" + k + " = { value = 1, positive = true }\n";
    define += "vx" + k + " = \"" + vx + " + d" + k + "*t" + k + "'*sin(t" + k + ")\"\n";
    define += "vy" + k + " = \"" + vy + " - d" + k + "*t" + k + "'*cos(t" + k + ")\"\n";
    constraints += "axle" + k + " = \"vy" + k + "*cos(t" + k + ") = vx" + k + "*sin(t" + k + ")\"\n";
    energy += " + vx" + k + "^2 + vy" + k + "^2 + t" + k + "'^2";
  }
  const std::string model = "lagrangian = \"1/2*(" + energy + ")\"\n[space]\n" + space + "[parameters]\n" +
                            parameters + "[define]\n" + define + "[constraints]\n" + constraints;
  const std::string speeds = "[velocities]\nu = \"x'*cos(t0) + y'*sin(t0)\"\nw = \"t0'\"\n";
  for (const std::string& text : {model, model + speeds}) {
    const System system = read_model(text, "train");
    EquationsOfMotion equations = straight_line_equations(system);
    CHECK(equations.speeds.size() == 2);
    CHECK(operations_of(equations) < 75 * 10);
    CHECK(emitted_operations(equations) < 60 * 10);
    for (const Expr e : dalembert_residuals(system, equations)) CHECK(vanishes_at_random_points(e));
  }
}
