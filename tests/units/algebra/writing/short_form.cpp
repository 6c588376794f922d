#include <fstream>
#include <map>
#include <sstream>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

using namespace rattleback;

namespace {

/// One entry of short_forms.txt.
struct Entry {
  std::string title;
  std::map<std::string, std::string> lines;
};

std::vector<Entry> read_entries(const char* path) {
  std::ifstream in(path);
  std::vector<Entry> entries;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      entries.push_back({line, {}});
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::size_t value = line.find_first_not_of(' ', equals + 1);
    entries.back().lines[line.substr(0, line.find(' '))] =
        value == std::string::npos ? "" : line.substr(value);
  }
  return entries;
}

/// The symbols of an entry; + marks a positive one.
Scope scope_of(const Entry& entry) {
  Scope scope;
  int order = 0;
  const auto declare = [&](const char* line, Role role) {
    std::istringstream names(entry.lines.at(line));
    for (std::string name; names >> name;) {
      const bool positive = name.ends_with('+');
      if (positive) name.pop_back();
      const Symbol s = Symbol::make(name, {role, positive ? Sign::positive : Sign::any, order++, {}, 0});
      scope.define(name, Expr(s));
    }
  };
  declare("parameters", Role::parameter);
  declare("coordinates", Role::coordinate);
  declare("velocities", Role::velocity);
  return scope;
}

std::string short_text(const char* expression) { return text(short_form(parse(expression))); }

}  // namespace

TEST_CASE("derived expressions print as textbooks print them") {
  const std::vector<Entry> entries = read_entries("tests/units/algebra/writing/short_forms.txt");
  REQUIRE(entries.size() >= 40);
  for (const Entry& entry : entries) {
    CAPTURE(entry.title);
    const Scope scope = scope_of(entry);
    const Expr derived = parse(entry.lines.at("from"), scope), is = short_form(derived);
    CHECK(text(is) == entry.lines.at("is"));
    CHECK(exact_zero(derived - parse(entry.lines.at("is"), scope)).answer == ExactAnswer::zero);
    CHECK(short_form(is) == is);
    if (!entry.lines.contains("print")) continue;
    const std::string& printed = entry.lines.at("print");
    CHECK(!entry.lines.at("source").empty());
    CHECK(exact_zero(is - parse(printed, scope)).answer == ExactAnswer::zero);
    CHECK(text(is).size() <= printed.size());
  }
}

TEST_CASE("shapes of short forms") {
  CHECK(short_text("cos(a)*cos(b) - sin(a)*sin(b)") == "cos(a + b)");
  CHECK(short_text("m*(sin(a)*cos(b) - cos(a)*sin(b))*x'") == "m*x'*sin(a - b)");
  CHECK(short_text("cos(x)^4 - sin(x)^4") == "cos(2*x)");
  CHECK(short_text("2*R*sin(x)*cos(x)") == "R*sin(2*x)");
  CHECK(short_text("sin(x)*cos(x)") == "sin(x)*cos(x)");
  CHECK(short_text("1 - cos(x)^2") == "sin(x)^2");
  CHECK(short_text("(1 - sin(x))/cos(x)^2") == "1/(1 + sin(x))");
  CHECK(short_text("m*l^2 - m*l^2*sin(q)^2 + (J + 2*K)*sin(q)^2") == "sin(q)^2*(J + 2*K) + l^2*m*cos(q)^2");
  CHECK(short_text("(exp(2*x) - 1)/(exp(2*x) + 1)") == "tanh(x)");
  CHECK(short_text("exp(x)*exp(y)*exp(-x/2)") == "exp(x/2 + y)");
  CHECK(short_text("sqrt(2)*sqrt(3)*x") == "sqrt(6)*x");
  CHECK(short_text("sqrt(1 + x^2)*x/(1 + x^2)^2") == "x/(1 + x^2)^(3/2)");
  CHECK(short_text("x'^2*sin(q)^2 + 2*x'*y'*sin(q)*cos(q) + y'^2*cos(q)^2") == "(x'*sin(q) + y'*cos(q))^2");
  CHECK(short_text("A(x)^2 - B(x)^2 - (A(x) - B(x))*A(x)") == text(parse("B(x)*(A(x) - B(x))")));
  CHECK(short_text("sin(pi/12)") == "sin(pi/12)");
}

TEST_CASE("fractions within a fraction, where they save letters") {
  CHECK(short_text("(b*c*x' + a*c*y' + a*b*z')/(a*b*r^2 + a*c*q^2 + b*c*p^2)") ==
        "(x'/a + y'/b + z'/c)/(p^2/a + q^2/b + r^2/c)");
  // one of the terms below would have no fraction
  CHECK(short_text("(b*x' + a*y')/(a*b*r^2 + a*q^2 + b*p^2)") == "(a*y' + b*x')/(a*q^2 + b*p^2 + a*b*r^2)");
  CHECK(short_text("R*w'*(m*R*(x'*sin(q) - y'*cos(q))*cos(q) - u'*sin(q)*(I + m*R^2))/(I + m*R^2)") ==
        "R*w'*(R*m*cos(q)*(x'*sin(q) - y'*cos(q))/(I + R^2*m) - u'*sin(q))");
  CHECK(short_text("(a*x' + b*y')/(a + b)") == "(a*x' + b*y')/(a + b)");  // nothing saved
}

TEST_CASE("roots and powers of their negative radicand keep their sign") {
  for (const char* written :
       {"sqrt(1 - x^2)/(x^2 - 1)", "sqrt(1 - x^2)/(x^2 - 1)^2", "sqrt(1 - x^2)/(x^2 - 1)^3",
        "x*sqrt(c^2 - x^2*(1 + y^2))/(x^2*(1 + y^2) - c^2)^2 - y",
        "-x*(k*sqrt(1 - x^2*(1 + y^2)/c^2)^3 + m*x^2)/(m*(1 + y^2))"}) {
    CAPTURE(written);
    const Expr e = parse(written), shorter = short_form(e);
    CHECK(proved(is_zero(e - shorter)));
    CHECK_FALSE(proved(is_zero(e + shorter)));
  }
}

TEST_CASE("the cost follows the printed length") {
  PrintedCost cost;
  for (const char* e : {"x", "-m*a*u*omega/(J + a^2*m)", "sqrt(1 + x^2)", "x/(1 + x^2)^(3/2)",
                        "1/(2*(a + b))", "A(x, y + 1)*sin(2*q)^2", "x^n + 1/3"}) {
    CAPTURE(e);
    CHECK(cost(parse(e)) == static_cast<int>(text(parse(e)).size()));
  }
  CHECK(cost(parse("a - b")) > cost(parse("a + b")));
}

TEST_CASE("beyond the budget the expression is returned as it is") {
  const Expr e = pow(parse("a + b + c + d + f + g"), 40) * parse("x/(x^2 + x)");
  const Budget budget({.time = std::chrono::seconds(20), .nodes = 1'000'000, .terms = 500, .cancel = {}});
  CHECK(short_form(e) == e);
}
