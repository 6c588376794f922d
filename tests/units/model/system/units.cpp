// Units of measurement: quantities, dimensional analysis, inference.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/units.hpp>

using namespace rattleback;

namespace {

Error error_of(const std::string& model) {
  try {
    read_model(model, "model.toml");
  } catch (const Error& error) {
    return error;
  }
  return {"nothing", "no error"};
}

std::string pendulum(const std::string& potential, const std::string& more = "") {
  return "kinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"" + potential +
         "\"\n[parameters]\nm = \"2500 g\"\ng = \"9.81 m/s^2\"\nL = \"30 cm\"\n[space]\n"
         "x = { group = \"R\", unit = \"m\" }\ny = \"R\"\n" +
         more;
}

}  // namespace

TEST_CASE("quantities are exact, in base units") {
  CHECK(text(quantity_in("2.5 kg")->factor) == "5/2");
  CHECK(text(quantity_in("30 cm")->factor) == "3/10");
  CHECK(text(quantity_in("90 deg")->factor) == "pi/2");
  CHECK(text(quantity_in("-1/3 m/s")->factor) == "-1/3");
  CHECK(text(quantity_in("1e-3 kg*m^2")->factor) == "1/1000");
  CHECK(text(quantity_in("9.81 m/s^2")->dimension) == "m/s^2");
  CHECK(text(quantity_in("5 N*m/rad")->dimension) == "J");
  CHECK(text(quantity_in("3 kg/(m*s)")->dimension) == "kg/(m*s)");
  for (const char* other : {"kg", "2.5", "2*x", "3 apples", "2.5 kg kg", "x m", "2 m^", "", "-", "1 m^0"})
    CHECK_FALSE(quantity_in(other).has_value());
}

TEST_CASE("values are converted, and what has no unit is inferred") {
  const System system = read_model(pendulum("m*g*y"), "model.toml");
  CHECK(text(*system.parameters[0].value) == "5/2");
  CHECK(text(*system.parameters[2].value) == "3/10");
  CHECK(unit_of(system, "x") == "m");
  CHECK(unit_of(system, "y") == "m");  // x'^2 + y'^2
  CHECK(unit_of(system, "y'") == "m/s");
  CHECK(unit_of(system, "L") == "m");
  CHECK(unit_of(system, system.lagrangian) == "J");
}

TEST_CASE("a mismatch names both dimensions and the term at fault") {
  const Error error = error_of(pendulum("m*g*y^2"));
  CHECK(error.slug == "dimension-mismatch");
  const std::string all = error.summary + error.why;
  CHECK(all.find("J") != std::string::npos);
  CHECK(all.find("kg*m^3/s^2") != std::string::npos);
  CHECK(all.find("y^2") != std::string::npos);
  CHECK(error_of(pendulum("m*g*sin(x)*y")).slug == "dimension-mismatch");
  CHECK(error_of(pendulum("m*g*sin(x/L)*y")).slug == "nothing");
  CHECK(error_of(pendulum("m*g*y", "[constraints]\nc = \"x'*y = x\"\n")).slug == "dimension-mismatch");
  CHECK(error_of(pendulum("m*g*y", "[forces]\nx = \"-m*g\"\n")).slug == "nothing");
  CHECK(error_of(pendulum("m*g*y", "[forces]\nx = \"-m*x'\"\n")).slug == "dimension-mismatch");
  CHECK(error_of(pendulum("m*g*y", "[simulation]\ninitial = { x = \"1 kg\", y = \"1 m\" }\n")).slug ==
        "dimension-mismatch");
}

TEST_CASE("without units nothing is checked, and 90deg says what to write") {
  CHECK(error_of("lagrangian = \"m/2*x'^2 - m*x^3 + sin(x) + x'\"\n[parameters]\nm = 2\n[space]\nx = \"R\"\n")
            .slug == "nothing");
  const Error angle =
      error_of("lagrangian = \"x'^2/2 - sin(a)*x\"\n[parameters]\na = \"90deg\"\n[space]\nx = \"R\"\n");
  CHECK(angle.fix.find("pi/2") != std::string::npos);
  CHECK(angle.fix.find("declare units") != std::string::npos);
}

TEST_CASE("an unknown unit is an error with a list") {
  CHECK(
      error_of(
          "lagrangian = \"m*x'^2\"\n[parameters]\nm = { value = 1, unit = \"pounds\" }\n[space]\nx = \"R\"\n")
          .slug == "unknown-unit");
}
