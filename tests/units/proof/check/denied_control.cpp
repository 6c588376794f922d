// Small certificates that deny a control problem: what a coordinate has to do that sets the pace of the others.

#include "../forged_certificates.hpp"

#include <string>

using namespace rattleback;

namespace {

/// That a particle with z' = y x' and y'' = 0, x'' = g x' y' has no control problem, because these accelerations are out of step.
Data without_control(const std::string& g, const Data::List& accelerations) {
  Data d = claiming(system_of(("lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = "
                               "\"R\" }\nconstraints = { c = "
                               "\"z' = y*x'\" }\nforces = { x = \"((1 + y^2)*(" +
                               g + ") + y)*x'*y'\" }\n")
                                  .c_str()),
                    "no-optimal-control", "optimal-control", "refuted");
  d["complement"] = lists({{"0", "0", "1"}});
  d["rounds"] = 4;
  Data system;
  system["type"] = "I";
  system["accelerations"] = accelerations;
  return with(d, "systems", Data::List{system});
}

}  // namespace

TEST_CASE(
    "x'' = g x' y', y'' = 0, z'' = (1/y + g) y' z': y sets the pace if and only if g depends on y alone") {
  const Data::List in_step{"y*x'*y'", "0", "(1/y + y)*y'*z'"};
  const auto refuted_for = [](const char* g, const Data::List& accelerations) {
    return first_refuted(without_control(g, accelerations));
  };
  CHECK(refuted_for("y", in_step) == "no coordinate sets the pace of the others");
  CHECK(refuted_for("x", in_step) == "on the constraint it is the motion");
  CHECK(refuted_for("x", {"x*x'*y'", "0", "(1/y + x)*y'*z'"}) == "nothing");    // by x alone
  CHECK(refuted_for("x'", {"x'^2*y'", "0", "(1/y + x')*y'*z'"}) == "nothing");  // by x' alone
  CHECK(refuted_for("y*x'", {"z'*x'*y'", "0", "(1/y + z')*y'*z'"}) == "nothing");
  // One of them is out of step, where z' is not y x'.
  CHECK(refuted_for("y", {"y*x'*y' + (z' - y*x')*y'", "0", "(1/y + y)*y'*z'"}) == "nothing");
  CHECK(refuted_for("y", {"y*x'*y'", "0", "(1/y + y)*y'*z' + (z' - y*x')*y'"}) == "nothing");
}
