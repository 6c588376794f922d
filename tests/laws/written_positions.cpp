// One set N of configurations, written in several ways: its equation as a polynomial, times a function without zeros, over one, as a distance. Every
// question has the same verdict, domain and locus.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/checks/normal_positions.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

/// A system whose first constraint is on positions, in several ways of writing it.
struct OnN {
  const char* name;
  std::string lagrangian, space, others, parameters;
  std::vector<std::string> ways;

  System system(const std::string& way) const {
    return read_model(
        fmt::format("lagrangian = \"{}\"\n[space]\n{}[parameters]\n{}[constraints]\nn = \"{}\"\n{}",
                    lagrangian, space, parameters, way, others),
        name);
  }
};

const std::string xyz = "x = \"R\"\ny = \"R\"\nz = \"R\"\n", l = "l = { value = 2, positive = true }\n";

const std::vector<OnN>& systems() {
  static const std::vector<OnN> all{
      {"pendulum on a sphere",
       "1/2*(x'^2 + y'^2 + z'^2) - z",
       xyz,
       "",
       l,
       {"x^2 + y^2 + z^2 = l^2", "(2 + z^2)*(x^2 + y^2 + z^2 - l^2) = 0", "sqrt(x^2 + y^2 + z^2) = l",
        "(x^2 + y^2 + z^2)/l^2 = 1", "l^2/(x^2 + y^2 + z^2) = 1"}},
      {"skate on a cylinder",
       "1/2*(x'^2 + y'^2 + z'^2 + a'^2)",
       xyz + "a = \"S1\"\n",
       "blade = \"2*z'*cos(a) = (x*y' - y*x')*sin(a)\"\n",
       "",
       {"x^2 + y^2 = 4", "(2 + z^2)*(x^2 + y^2 - 4) = 0", "sqrt(x^2 + y^2) = 2",
        "(2 + cos(a))*(x^2 + y^2 - 4)^3 = 0"}},
      {"heavy skate on a cylinder",
       "1/2*(x'^2 + y'^2 + z'^2 + a'^2) - z",
       xyz + "a = \"S1\"\n",
       "blade = \"2*z'*cos(a) = (x*y' - y*x')*sin(a)\"\n",
       "",
       {"x^2 + y^2 = 4", "exp(z)*(x^2 + y^2 - 4) = 0", "2 - sqrt(x^2 + y^2) = 0"}},
      {"two masses on a rod",
       "1/2*(x'^2 + y'^2 + z'^2 + w'^2)",
       xyz + "w = \"R\"\n",
       "",
       l,
       {"(x - z)^2 + (y - w)^2 = l^2", "sqrt((x - z)^2 + (y - w)^2) = l",
        "((x - z)^2 + (y - w)^2 - l^2)/(1 + x^2) = 0"}}};
  return all;
}

struct Statement {
  std::string outcome;
  std::vector<std::string> where, unless;
};

std::string words(const Statement& s) {
  std::string all = s.outcome;
  for (const std::string& e : s.where) all += "; where " + e;
  for (const std::string& e : s.unless) all += "; unless " + e;
  return all;
}

Statement statement(const Answer& a) {
  Statement s{text(a.outcome), domain_in(a.answer).where, {}};
  for (const Locus& locus : a.unless) s.unless.push_back(text(locus));
  return s;
}

constexpr double seconds = 20;

}  // namespace

TEST_CASE("answers do not depend on how the position constraints are written") {
  for (const OnN& n : systems()) {
    const System as_stated = n.system(n.ways.front());
    QuestionSession stated(as_stated, seconds);
    for (std::size_t k = 1; k < n.ways.size(); ++k) {
      const System other = n.system(n.ways[k]);
      QuestionSession again(other, seconds);
      for (const Question& q : all_questions()) {
        CAPTURE(n.name);
        CAPTURE(n.ways[k]);
        CAPTURE(q.name);
        CHECK(words(statement(again.answer(q))) == words(statement(stated.answer(q))));
      }
    }
  }
}

TEST_CASE("an answer about N in its normal form has a certificate that fits the model as it is written") {
  const OnN& n = systems().front();
  for (const std::string& way : n.ways) {
    const System system = n.system(way);
    const Answer a = asked(question("energy"), system, seconds);
    CHECK(a.outcome == Outcome::proved);
    REQUIRE_FALSE(a.certificate.is_null());
    for (const CheckedStep& step : binding_steps(a.certificate, system)) CHECK(proved(step.verdict));
    for (const CheckedStep& step : check_certificate(a.certificate)) CHECK(proved(step.verdict));
  }
  const System half = n.system("x^2 + y^2 + 2*z^2 = l^2");  // another set
  const Answer sphere = asked(question("energy"), n.system(n.ways[2]), seconds);
  CHECK_THROWS(binding_steps(sphere.certificate, half));
}

TEST_CASE("the normal form of a position constraint has the same solutions") {
  const auto normal = [](const char* phi) {
    const System s = read_model(fmt::format("lagrangian = \"x'^2 + y'^2 + z'^2\"\n[space]\n{}[parameters]\n{}"
                                            "k = 1\n[constraints]\nn = \"{}\"\n",
                                            xyz, l, phi),
                                "n");
    const auto form = normal_position(*s.constraints.front().position);
    return form ? text(*form) : std::string();
  };
  CHECK(normal("sqrt(x^2 + y^2) = l") == normal("(2 + z^2)*(x^2 + y^2 - l^2) = 0"));
  CHECK_FALSE(normal("sqrt(x^2 + y^2) = l").empty());
  CHECK(normal("x^2 + y^2 = l^2").empty());          // as it is
  CHECK(normal("sqrt(x^2 + y^2) = k").empty());      // empty for k < 0, which x^2 + y^2 = k^2 is not
  CHECK(normal("x = sqrt(1 + y)").empty());          // half of a parabola
  CHECK(normal("z*(x^2 + y^2 - l^2) = 0").empty());  // z may vanish: N has two parts
  CHECK(normal("(x^2 + y^2 - l^2)/x = 0").empty());  // x = 0 is no part of N, and would be one
}
