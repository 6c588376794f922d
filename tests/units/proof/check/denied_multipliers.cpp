// Small certificates that deny multipliers and Lie brackets: what each row, each speed and each leg has to say.

#include "../forged_certificates.hpp"

#include <string>
#include <vector>

using namespace rattleback;

namespace {

/// "There is no multiplier" of a particle that carries z with it, by the group that moves z.
Data without_multiplier(const std::string& model, const char* slope = nullptr) {
  Data d = claiming(
           system_of(
               (model +
                "space = { x = \"R\", y = \"R\", z = \"R\" }\nvelocities = { u = \"x'\", w = \"y'\" }\n")
                   .c_str()),
           "no-chaplygin-multiplier", "chaplygin-multiplier", "refuted"),
       group;
  group["group"] = "z";
  group["orbits"] = lists({{"0", "0", "1"}});
  group["coframe"] = lists({{"1", "0", "0"}, {"0", "1", "0"}});
  if (slope != nullptr) group["slopes"] = Data::List{"0", slope, "0"};
  return with(d, "groups", Data::List{group});
}

constexpr const char *particle =
                         "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = { c = \"z' = x*y*x'\" }\n",
                     *pushed =
                         "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = { c = \"z' = x*y*x'\" "
                         "}\nforces = { x = \"1\" }\n",
                     *slope = "-x^2*y/(1 + x^2*y^2)";

}  // namespace

TEST_CASE(
    "slopes of a multiplier have to satisfy all equations: a force along x asks for more than the particle "
    "without it") {
  CHECK(first_refuted(without_multiplier(particle, slope)) == "nothing");  // they are not closed
  CHECK(first_refuted(without_multiplier(pushed, slope)) ==
        "the slopes of a multiplier would be those stated");
  CHECK(first_refuted(without_multiplier(pushed)) == "nothing");  // the equations contradict each other
  CHECK(first_refuted(without_multiplier(particle)) ==
        "the equations for the slopes of a multiplier contradict each other");
}

TEST_CASE("a contradiction that needs as many speeds as there are unknowns, and one more") {
  CHECK(first_refuted(without_multiplier(
            "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 + x'^4/4\"\nconstraints = { c = \"z' = y*x'\" }\n")) ==
        "nothing");
}

namespace {

Data without_lie_bracket(const Data& system, const Data::List& projected) {
  return with(claiming(system, "no-suslov-hamiltonization", "suslov-hamiltonization", "refuted"), "projected",
              projected);
}

}  // namespace

TEST_CASE("projected brackets of legs that move: constant ones, none of a Lie algebra") {
  // e1 = r d/dx, e2 = d/dy + x d/dz, e3 = -r d/dr: [e1, e2] = r d/dz = e4, which is e3 after projection; [e1, e3] = e1.
  const Data moving = system_of(R"toml(
lagrangian = "((x'/r)^2 + y'^2 + (r'/r)^2)/2 + ((z' - x*y')/r)^2 - r'*(z' - x*y')/r^2"
space = { x = "R", y = "R", z = "R", r = "R" }
constraints = { c = "z' = x*y'" }
velocities = { u = "x'/r", v = "y'", w = "-r'/r" }
)toml");
  const auto of_legs = [&](const char* e12, const char* e21, const char* e13, const char* e31) {
    return first_refuted(
        without_lie_bracket(moving, lists({Data::List{0, 1, 2, e12}, Data::List{1, 0, 2, e21},
                                           Data::List{0, 2, 0, e13}, Data::List{2, 0, 0, e31}})));
  };
  const std::string as_projected = "they are those of D, projected";
  CHECK(of_legs("1", "-1", "1", "-1") == "nothing");
  CHECK(of_legs("2", "-1", "1", "-1") == as_projected);
  CHECK(of_legs("1", "-2", "1", "-1") == as_projected);
  CHECK(of_legs("1", "-1", "2", "-1") == as_projected);
  CHECK(of_legs("1", "-1", "1", "1") == as_projected);
}

TEST_CASE("projected brackets that are not constant deny nothing") {
  const Data scaled = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
velocities = { u = "x'", v = "y'/(1 + x^2)", w = "z'/(1 + y^2)" }
)toml");
  const std::string a = "2*x/(1 + x^2)", b = "2*y*(1 + x^2)/(1 + y^2)";
  const Data forged =
      without_lie_bracket(scaled, lists({Data::List{0, 1, 1, Data(a)}, Data::List{1, 0, 1, Data("-" + a)},
                                         Data::List{1, 2, 2, Data(b)}, Data::List{2, 1, 2, Data("-" + b)}}));
  std::vector<std::string> refuted_ones;
  for (const CheckedStep& step : check_certificate(forged)) {
    if (!proved(step.verdict)) refuted_ones.push_back(step.what);
  }
  CHECK(refuted_ones == std::vector<std::string>{"the brackets are constant"});
}
