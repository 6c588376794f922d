// Certificates about circles in the plane, rotation matrices, states and time: each is rejected by one line of the checker, or true.

#include "../forged_certificates.hpp"

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/work_limits.hpp>

using namespace rattleback;

namespace {

constexpr const char* plane = "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n";

/// A point on the circle x² + y² = 1, by a velocity that is tangent on the circle and not beside it.
Data on_circle() {
  Data d = system_of(R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "R", y = "R" }
constraints = { c = "x*x' + y*y' = 0" }
velocities = { u = "y'/x" }
)toml");
  d["positions"] = Data::List{"x^2 + y^2 - 1"};
  d["admissible"] = Data::List{"-y*u", "(x + x^2 + y^2 - 1)*u"};
  d["speed_rates"] = zeros(1);
  d["function"] = "u";
  return d;
}

}  // namespace

TEST_CASE("a velocity that is tangent on N alone tells what is constant there, and nothing about a density") {
  const Data circle = on_circle();
  REQUIRE(*list_in(circle, "speeds")[0].text() == "u");
  CHECK(first_refuted(circle) == "nothing");
  const Data forged =
      with(claiming(circle, "invariant-measure", "invariant-measure", "proved"), "density", "exp(2*x)");
  CHECK(first_refuted(forged) == "they keep the position constraints");
  const Data tangent = with(forged, "admissible", Data::List{"-y*u", "x*u"});
  CHECK(first_refuted(tangent) == "the density is invariant");
  CHECK(first_refuted(with(tangent, "density", "1")) == "nothing");
}

TEST_CASE("a rotation matrix has nine entries, and each of them once") {
  const Data body = system_of(
      "lagrangian = \"(w1^2 + w2^2 + w3^2 + x'^2)/2\"\nspace = { B = { group = \"SO(3)\", body = \"w\" }, x "
      "= \"R\" }\n");
  const auto as_entry = [&](const char* name, int entry) {
    Data::List symbols = list_in(body, "symbols");
    for (Data& s : symbols) {
      if (*s.find("name")->text() != name) continue;
      s["role"] = of(Role::rotation);
      s["family"] = "B";
      s["entry"] = entry;
    }
    return with(body, "symbols", symbols);
  };
  CHECK(first_refuted(as_entry("B33", 8)) == "nothing");
  is_no_certificate(as_entry("B33", 9));  // eight, and one that is none
  for (const int entry : {0, 8, 9, 10}) is_no_certificate(as_entry("x", entry));
}

TEST_CASE("pi has no other value, and a function that is not real is not seen") {
  const auto claimed = [](const char* function, const Data::Record& at) {
    Data d = claiming(system_of(plane), "not-zero", "zero", "refuted");
    d["function"] = function;
    d["at"] = Data(at);
    return d;
  };
  CHECK(first_refuted(claimed("x", {{"x", "1"}})) == "nothing");
  is_no_certificate(claimed("x", {{"x", "1"}, {"pi", "3"}}));
  CHECK(first_refuted(claimed("sqrt(x)", {{"x", "-1"}})) == "at the state the function does not vanish");
  CHECK(first_refuted(claimed("sqrt(x)", {{"x", "1"}})) == "nothing");
}

TEST_CASE(
    "constraints that time makes holonomic, and velocities that are no linear functions of the speeds") {
  // x' = t y' + y is the derivative of x = t y.
  const Data carried = at_rest(claiming(system_of(R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "R", y = "R" }
constraints = { c = "x' = t*y' + y" }
velocities = { u = "y'" }
)toml"),
                                        "holonomic", "integrability", "proved"));
  const auto growth = [](Data d, int rank, const Data::List& integrals) {
    d["ranks"] = Data::List{rank};
    d["brackets"] = Data::List{};
    d["relations"] = Data::List{};
    d["integrals"] = integrals;
    return d;
  };
  CHECK(first_refuted(growth(carried, 2, {"x - t*y"})) == "nothing");
  CHECK(first_refuted(growth(carried, 2, {"x + t*y"})) == "the integrals are constant along D");
  const Data other = with(with(carried, "constraints", Data::List{"x' - t*y' - 2*y"}), "admissible",
                          Data::List{"t*u + 2*y", "u"});
  CHECK(first_refuted(growth(other, 2, {})) == "no other bracket leads further");
  const Data line = at_rest(
      claiming(system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nvelocities = { u = \"x'\" }\n"),
               "holonomic", "integrability", "proved"));
  CHECK(first_refuted(growth(line, 1, {})) == "nothing");
  is_no_certificate(growth(with(line, "admissible", Data::List{"u + u^3"}), 1, {}));
  CHECK(first_refuted(growth(with(line, "admissible", Data::List{"(u^2 + u)/(u + 1)"}), 1, {})) == "nothing");
}

TEST_CASE(
    "there is no multiplier under a group that does not keep the constraint, or that changes with time") {
  const auto along_z = [](const char* constraint, const Data::List& slopes) {
    Data d =
        system_of((std::string("lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = "
                               "\"R\" }\nconstraints = { c = \"z' = ") +
                   constraint + "*x'\" }\nvelocities = { u = \"x'\", w = \"y'\" }\n")
                      .c_str());
    d = claiming(d, "no-chaplygin-multiplier", "chaplygin-multiplier", "refuted");
    Data group;
    group["group"] = "z";
    group["orbits"] = lists({{"0", "0", "1"}});
    group["coframe"] = lists({{"1", "0", "0"}, {"0", "1", "0"}});
    if (!slopes.empty()) group["slopes"] = slopes;
    return with(d, "groups", Data::List(1, group));
  };
  CHECK(first_refuted(along_z("y", {"0", "-y/(1 + y^2)", "0"})) == "no function has them");
  CHECK(first_refuted(along_z("(1 + z^2)*y", {"0", "-(1 + z^2)^2*y/(1 + (1 + z^2)^2*y^2)", "0"})) ==
        "the group leaves the Lagrangian and the constraints alone");
  is_no_certificate(along_z("t*y", {}));
}

TEST_CASE("the only candidate for a density knows neither time nor velocities") {
  Data circle = system_of(
      "lagrangian = \"x'^2/2\"\nspace = { x = \"S1\" }\nforces = { x = \"x'^2\" }\nvelocities = { u = \"x'\" "
      "}\n");
  circle = claiming(circle, "no-invariant-measure", "invariant-measure", "refuted");
  for (const auto& [key, value] : {std::pair("turns", "x"), std::pair("scope", "every smooth density")})
    circle[key] = value;
  circle["given"] = lists({Data::List{"leg", 0}});
  circle["brackets"] = Data::List{};
  circle["circles"] = Data::List{"x"};
  CHECK(first_refuted(with(circle, "candidate", "-2*x")) == "nothing");
  for (const char* more : {"t", "u", "x'"})
    CHECK(first_refuted(with(circle, "candidate", fmt::format("-2*x + {}", more))) ==
          "the only logarithm of a density is the stated one");
}

TEST_CASE("gauge momenta: a section that the group scales, and what turns with it") {
  // x'' = y'' = y': x' − y' is constant; with e^x ∂/∂x for ∂/∂x its coefficients are e^−x and −1.
  Data d =
      claiming(system_of("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nforces = { x = "
                         "\"y'\", y = \"y'\" }\n"),
               "gauge-momenta", "momenta", "proved");
  d["fields"] = lists({{"1", "0"}, {"0", "1"}});
  d["sections"] = lists({{"exp(x)", "0"}, {"0", "1"}});
  Data::List turn(9, Data("0"));
  d["turns"] = Data::List{turn, turn};
  turn[0] = "-1";
  d["turns"] = Data::List{turn, Data::List(9, Data("0"))};
  for (const char* key : {"slopes", "brackets", "solutions"}) d[key] = Data::List{};
  for (const int rounds : {0, 1, 2}) {
    d["prolongations"] = rounds;
    CHECK(first_refuted(with(d, "gauge_count", 1)) == "nothing");
    CHECK(first_refuted(with(d, "gauge_count", 0)) == "the equations leave no more momenta than counted");
  }
  is_no_certificate(with(with(d, "gauge_count", 1), "prolongations", -1));
  CHECK(first_refuted(with(with(d, "gauge_count", 1), "solutions", lists({{"exp(-x)", "-1", "0"}}))) ==
        "nothing");
}

TEST_CASE(
    "formulas may contain pi, functions of which nothing is known, and velocities that the speeds "
    "determine") {
  const Data point = system_of(
      "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nvelocities = { u = \"x'\", w = "
      "\"y'\" }\n");
  for (const char* function : {"pi", "u", "x'", "x' + 2*pi*y'", "sign(u)"})
    CHECK(first_refuted(with(point, "function", function)) == "nothing");
  for (const char* function : {"x", "pi*x", "sign(x)*x"})
    CHECK(first_refuted(with(point, "function", function)) == "the function is constant along it");
  CHECK(first_refuted(with(point, "lagrangian", "pi*(x'^2 + y'^2)/2")) == "nothing");
  is_no_certificate(with(point, "function", "sign(u, w)"));
}

TEST_CASE("position constraints without real points are kept where their rates vanish everywhere") {
  Data axis = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
constraints = { first = "x' = 0", second = "y' = 0" }
)toml");
  axis["admissible"] = Data::List{"(sin(y)^2 + cos(y)^2 - 1)*z'", "0", "z'"};
  CHECK(first_refuted(axis) == "nothing");
  const std::string kept = "they keep the position constraints";
  const auto not_proved = [&](const Data::List& positions) {
    std::vector<std::string> all;
    for (const CheckedStep& step : check_certificate(with(axis, "positions", positions))) {
      if (!proved(step.verdict)) all.push_back(step.what);
    }
    return all;
  };
  CHECK(not_proved({"x^2 + 1"}) == std::vector{kept});
  CHECK(not_proved({"x^2 + 1", "z*(x^2 + 1)"}) == std::vector{kept});
  CHECK(not_proved({"x^2 + 1", "(x^2 + 1)^2"}).empty());
}

TEST_CASE("a zero that is certain to 2^-100 alone confirms nothing exactly") {
  const Data space = system_of(
      "lagrangian = \"(x'^2 + y'^2 + z'^2 + w'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\", w = \"R\" "
      "}\n");
  const std::string sum = "(x + y + z + w + 1)^20";
  const Data zero = with(claiming(space, "zero", "zero", "proved"), "function",
                         fmt::format("({0} + 1)^2 - (x + y + z + w + 1)^40 - 2*{0} - 1", sum));
  CHECK(first_refuted(zero) == "nothing");
  CHECK_FALSE(is_confirmed_exactly(zero));
  CHECK(is_confirmed_exactly(with(zero, "function", "(x + y)^2 - x^2 - 2*x*y - y^2")));
}

TEST_CASE("nothing is no certificate, and confirms nothing") {
  CHECK_FALSE(is_confirmed_exactly(Data()));
  CHECK(is_confirmed_exactly(system_of(plane)));
}

namespace {

/// x'' = (force) on a cylinder with the angle th, or on a torus: no density is invariant, because it may be taken to stand still along th.
Data without_density(const char* space, const char* force, const Data::List& given,
                     const Data::List& combination, const char* condition) {
  Data d = system_of((std::string("lagrangian = \"(x'^2 + th'^2)/2\"\nspace = { ") + space +
                      " }\nforces = { x = \"" + force + "\" }\n")
                         .c_str());
  d = claiming(d, "no-invariant-measure", "invariant-measure", "refuted");
  d["given"] = given;
  d["brackets"] = Data::List{};
  d["combination"] = combination;
  d["condition"] = condition;
  d["circles"] = Data::List{"th"};
  d["scope"] = "every smooth density";
  return d;
}

}  // namespace

TEST_CASE("a density stands still along an angle on which nothing depends") {
  const std::string still = "a density may be taken that stands still where stated";
  const Data::List along{"leg", 1}, rest{"still", 1};
  const char* cylinder = "x = \"R\", th = \"S1\"";
  const auto on_cylinder = [&](const char* force, const char* condition) {
    return without_density(cylinder, force, lists({along, rest}), {"1"}, condition);
  };
  const Data honest_one = on_cylinder("th'*x'", "1");
  CHECK(first_refuted(honest_one) == "nothing");
  CHECK(first_refuted(without_density("th = \"S1\", x = \"R\"", "th'*x'", lists({{"leg", 0}, {"still", 0}}),
                                      {"1"}, "1")) == "nothing");
  CHECK(first_refuted(with(honest_one, "condition", "2")) ==
        "the rates of a density along them differ by the condition stated");
  CHECK(first_refuted(on_cylinder("0*x'", "0")) == "which does not vanish");
  for (const Data::List& circles : {Data::List{"th", "x"}, Data::List{"x", "th"}})
    CHECK(first_refuted(with(honest_one, "circles", circles)) == "nothing");
  // The rate depends on the angle: its average vanishes, and exp(−sin(th)) is a density.
  CHECK(first_refuted(on_cylinder("cos(th)*th'*x'", "cos(th)")) == still);
  for (const Data::List& circles : {Data::List{}, Data::List{"x"}})
    CHECK(first_refuted(with(honest_one, "circles", circles)) == still);
  CHECK(first_refuted(without_density(cylinder, "x'^2", lists({{"leg", 0}, {"still", 0}}), {"1"}, "2")) ==
        still);
  for (const Data& item :
       {Data("leg"), Data(Data::List{}), Data(Data::List{"leg"}), Data(Data::List{"leg", 2}),
        Data(Data::List{"leg", -1}), Data(Data::List{"still", 2}), Data(Data::List{"still", -1}),
        Data(Data::List{"slow", 1}), Data(Data::List{1, 1})})
    is_no_certificate(with(honest_one, "given", Data::List{Data(along), item}));
  is_no_certificate(with(honest_one, "combination", Data::List{"0", "1"}));
  is_no_certificate(with(with(honest_one, "given", Data::List{}), "combination", Data::List{}));
  // A leg that goes along x as well, or twice as fast.
  for (const Data::List& leg : {Data::List{"1", "1"}, Data::List{"x", "1"}})
    CHECK(first_refuted(with(honest_one, "frame", lists({{"1", "0"}, leg}))) != "nothing");
  CHECK(first_refuted(with(honest_one, "frame", lists({{"1", "0"}, {"0", "2"}}))) == still);
  const Data skew = with(honest_one, "frame", lists({{"1", "0"}, {"1", "1"}}));
  CHECK(first_refuted(skew) == still);
  // The field along x turns with the angle.
  Data turning = with(honest_one, "admissible", Data::List{"x' + sin(th)*th'", "th'"});
  CHECK(first_refuted(turning) != "nothing");
}
