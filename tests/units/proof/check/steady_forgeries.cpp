// Steady motions that are none, eigenvalues placed where they are not, and extrema that are none.

#include "../forged_certificates.hpp"

#include <algorithm>

#include <fmt/format.h>

using namespace rattleback;

namespace {

constexpr const char* plane =
    "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nvelocities = { u = \"x'\", w = "
    "\"y'\" }\n";

Data record(const Data::Record& fields) { return {fields}; }

Data one_family(Data system, Data family) {
  family["point"] = "P";
  return with(claiming(std::move(system), "steady-motions", "equilibria", "proved"), "families",
              Data::List(1, family));
}

/// Two points on lines under these forces, at rest at 0.
Data placed(const char* x, const char* y, const Data::List& factors, const char* where) {
  const std::string model = std::string(plane) + "forces = { x = \"" + x + "\", y = \"" + y + "\" }\n";
  Data family;
  family["values"] = record({{"x", "0"}, {"y", "0"}, {"u", "0"}, {"w", "0"}});
  family["factors"] = factors;
  family["at"] = Data(Data::Record{});
  family["eigenvalues"] = where;
  return one_family(system_of(model.c_str()), family);
}

}  // namespace

TEST_CASE("eigenvalues are where their polynomial has them") {
  constexpr const char *right = "there an eigenvalue lies on the right",
                       *none = "there no eigenvalue lies on the right";
  const Data::List growing = lists({{"-1", "1"}, {"1", "1"}}),
                   damped = lists({{"1/2", "1/2", "1"}, {"1/2", "1/2", "1"}}),
                   pushed = lists({{"1", "-1", "1"}, {"1", "1", "1"}}),
                   odd = lists({{"1", "1", "3", "0", "1"}}), even = lists({{"1", "0", "3", "0", "1"}}),
                   twice = lists({{"4", "0", "3", "0", "1"}}), third = lists({{"1", "3", "4", "2", "1"}});
  const auto both = [&](const char* x, const char* y, const Data::List& factors, bool stable) {
    CAPTURE(x);
    CHECK(first_refuted(placed(x, y, factors, "not on the right")) == (stable ? "nothing" : none));
    CHECK(first_refuted(placed(x, y, factors, "on the right")) == (stable ? right : "nothing"));
    is_no_certificate(placed(x, y, factors, "somewhere"));
  };
  both("x", "0", growing, false);
  both("-x/2 - x'/2", "-y/2 - y'/2", damped, true);
  both("-x + x'", "-y - y'", pushed, false);
  both("y - 3*x", "-x' - x", odd, false);            // λ⁴ + 3λ² + λ + 1
  both("y - 3*x", "-x", even, true);                 // λ⁴ + 3λ² + 1
  both("y - 3*x", "-4*x", twice, false);             // λ⁴ + 3λ² + 4
  both("y - 4*x - 2*x'", "-x - 3*x'", third, true);  // λ⁴ + 2λ³ + 4λ² + 3λ + 1
}

TEST_CASE("values of a steady motion: one for each function and speed, and nothing that matters moves") {
  const Data point = system_of(plane);
  const Data::Record rest{{"x", "0"}, {"y", "0"}, {"u", "0"}, {"w", "0"}};
  const auto at = [&](const Data& values) {
    Data family;
    family["values"] = values;
    return one_family(and_symbol(point, "k", of(Role::plain)), family);
  };
  CHECK(first_refuted(at(record(rest))) == "nothing");
  is_no_certificate(at("x"));
  Data::Record other = rest;
  other[3].key = "k";
  is_no_certificate(at(record(other)));
  other[3].key = "2*w";
  is_no_certificate(at(record(other)));
  other = rest;
  other.push_back({"(w)", "0"});
  is_no_certificate(at(record(other)));
  is_no_certificate(with(at(record(rest)), "families", Data::List{}));
  // u' = −y and y' = θ u: at θ = y = 0 the speed stands still only for a moment.
  const Data chain = system_of(
      "lagrangian = \"th'^2/2\"\nspace = { th = \"R\", y = \"R\" }\nconstraints = { c = \"y' = th*th'\" "
      "}\nforces = { th = "
      "\"-y\" }\nvelocities = { u = \"th'\" }\n");
  for (const auto& [u, step] : {std::pair("0", "nothing"), std::pair("1", "nothing that matters changes")}) {
    Data family;
    family["values"] = record({{"th", "0"}, {"y", "0"}, {"u", u}});
    CHECK(first_refuted(one_family(chain, family)) == step);
  }
}

TEST_CASE("an extremum is definite in all directions, and what matters varies at it") {
  const auto extremum = [](const Data& system, const Data::Record& values, const Data::List& integrals,
                           const Data::List& multipliers) {
    Data family, stable;
    stable["at"] = Data(Data::Record{});
    stable["integrals"] = integrals;
    stable["multipliers"] = multipliers;
    family["values"] = record(values);
    family["extremum"] = stable;
    return one_family(system, family);
  };
  const Data::Record rest{{"x", "0"}, {"y", "0"}, {"u", "0"}, {"w", "0"}};
  const Data point = system_of(plane);
  CHECK(first_refuted(extremum(point, rest, {"u^2", "w^2"}, {"0", "1", "2"})) == "nothing");
  CHECK(first_refuted(extremum(point, rest, {"u^2", "w^2"}, {"0", "1", "-1"})) == "there it is definite");
  for (const Data::List& flat :
       {Data::List{"0", "1", "0"}, Data::List{"0", "0", "1"}, Data::List{"0", "1", "sqrt(1 - 2)"}})
    CHECK(first_refuted(extremum(point, rest, {"u^2", "w^2"}, flat)) == "there it is definite");
  is_no_certificate(
      extremum(and_symbol(point, "k", of(Role::parameter)), rest, {"u^2", "w^2"}, {"0", "1", "k^2"}));
  CHECK(first_refuted(extremum(point, rest, {"u", "w^2"}, {"0", "1", "1"})) ==
        "their combination is stationary");
  is_no_certificate(
      extremum(and_symbol(point, "k", of(Role::parameter)), rest, {"u^2", "w^2", "k"}, {"0", "1", "2", "0"}));
  // x ∂/∂x moves nothing at x = 0, where the potential has no minimum: v' = 2 x².
  Data scaled = system_of("lagrangian = \"x'^2/2 + x^2\"\nspace = { x = \"R\" }\n");
  scaled["frame"] = lists({{"x"}});
  scaled["speed_rates"] = Data::List{"2*x^2"};
  CHECK(first_refuted(extremum(scaled, {{"x", "0"}, {"x'", "0"}}, {}, {"1"})) ==
        "what matters varies there as it does elsewhere");
}

TEST_CASE("what is stated about steady motions: families and values that are no records have none") {
  Data family;
  family["values"] = "at rest";
  family["eigenvalues"] = "all zero";
  family["at"] = "everywhere";
  const std::vector<std::string> lines = stated_in(one_family(system_of(plane), family));
  for (const char* line : {"family P: ", "eigenvalues all zero: at "})
    CHECK(std::ranges::count(lines, line) == 1);
}

TEST_CASE("a multiplier of the time does not depend on the speeds, and a twist is a list") {
  Data d =
      claiming(system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nvelocities = { u = \"x'\" }\n"),
               "chaplygin-multiplier", "chaplygin-multiplier", "proved");
  d["multiplier"] = "1";
  d["form"] = Data::List{"u"};
  CHECK(first_refuted(d) == "nothing");
  is_no_certificate(with(d, "twist", "x"));
  is_no_certificate(with(d, "twist", Data::List{}));
  is_no_certificate(with(with(d, "multiplier", "u"), "form", Data::List{"u^2/2"}));
}
