/// Suggested lines for [velocities]: they parametrise the constraints where the program's own speeds have poles.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/suggested_speeds.hpp>

using namespace rattleback;

namespace {

/// A skate that pushes itself forward by a second blade at the end of a steered arm of length c.
std::string racer(const std::string& c) {
  return fmt::format(R"toml(
kinetic = "m/2*(x'^2 + y'^2) + J/2*th'^2 + I/2*(th' + phi')^2"
[space]
x = "R"
y = "R"
th = "S1"
phi = "S1"
[parameters]
m = 1
J = {{ value = 2, positive = true }}
I = 0.3
d = 0.4
c = {}
[constraints]
front = "x'*sin(th) = y'*cos(th)"
back = "x'*sin(th + phi) - y'*cos(th + phi) - d*cos(phi)*th' = c*(th' + phi')"
)toml",
                     c);
}

std::optional<SpeedSuggestion> suggestion(const std::string& text) {
  const System system = read_model(text, "racer.toml");
  return suggested_speeds(system, formalism("hamel").derive(system));
}

}  // namespace

TEST_CASE("a parameter with a value is divided by, of either sign") {
  for (const char* const c : {"0.7", "-0.7"}) {
    CAPTURE(c);
    const auto found = suggestion(racer(c));
    REQUIRE(found);
    CHECK(found->conditions_now == 2);
    CHECK(found->conditions == 1);

    std::string lines = "[velocities]\n";
    for (const Statement& line : found->lines)
      lines += fmt::format("{} = \"{}\"\n", line.name, text(line.value));
    const System with_lines = read_model(racer(c) + lines, "racer.toml");
    for (const Assumption& condition : formalism("hamel").derive(with_lines).where)
      CHECK(text(condition.expression) != "sin(phi)");
  }
}

TEST_CASE("a parameter without a value, or with the value 0, is not divided by") {
  CHECK(!suggestion(racer("{}")));
  CHECK(!suggestion(racer("0")));
}

TEST_CASE("nothing is suggested where conditions are about parameters alone") {
  CHECK(!suggestion(R"(
kinetic = "a/2*x'^2 + b/2*y'^2 + z'^2/2"
[space]
x = "R"
y = "R"
z = "R"
[parameters]
a = 1
b = 2
[constraints]
blade = "z' = x*y'"
)"));
}
