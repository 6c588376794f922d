// Small certificates that deny a Lagrangian, of linear second-order equations: how often they have to be differentiated, and in what frame.

#include "../forged_certificates.hpp"

#include <string>

using namespace rattleback;

namespace {

const Data::List linear{"x + y + x' + 2*y'", "2*x - y + 3*x' + 5*y'"};

/// That x'' = a, y'' = b have no Lagrangian, of a particle that moves so, or is free.
Data without_lagrangian(int derivatives, bool moves_so = true, const Data::List& accelerations = linear) {
  const std::string forces =
      "forces = { x = \"" + *accelerations[0].text() + "\", y = \"" + *accelerations[1].text() + "\" }\n";
  Data d = claiming(system_of(("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n" +
                               (moves_so ? forces : ""))
                                  .c_str()),
                    "no-lagrangian", "inverse-problem", "refuted"),
       equations;
  equations["type"] = "I";
  equations["accelerations"] = accelerations;
  equations["derivatives"] = derivatives;
  return with(d, "systems", Data::List{equations});
}

}  // namespace

TEST_CASE("linear equations without a Lagrangian: three conditions, two derivatives") {
  CHECK(first_refuted(without_lagrangian(3)) == "nothing");
  CHECK(first_refuted(without_lagrangian(20)) == "nothing");
  CHECK(first_refuted(without_lagrangian(2)) == "all of them are singular");
  CHECK(first_refuted(without_lagrangian(1)) == "all of them are singular");
  is_no_certificate(without_lagrangian(21));
  is_no_certificate(without_lagrangian(0));
}

TEST_CASE("equations without a Lagrangian that are not those of the motion") {
  CHECK(first_refuted(without_lagrangian(3, false)) == "on the constraint it is the motion");
}

TEST_CASE("accelerations are formulas, in coordinates") {
  is_no_certificate(with_in(without_lagrangian(3), "systems", 0, "accelerations", Data::List{1, 2}));
  for (const Data::List& frame : {lists({{"0", "1"}, {"1", "0"}}), lists({{"2", "0"}, {"0", "1"}}),
                                  lists({{"1", "1"}, {"0", "1"}}), lists({{"1", "0"}, {"1", "1"}})})
    is_no_certificate(with(without_lagrangian(3), "frame", frame));
}

TEST_CASE(
    "a Lagrangian with x'y' alone in its kinetic energy is not denied: it needs the factors of the "
    "conditions") {
  // With Phi = dA/dt - 2 df/dq - A^2/2: Phi_11 = Phi_22 here, and for no other factors.
  for (const int derivatives : {1, 2, 3, 4})
    CHECK(first_refuted(without_lagrangian(derivatives, true, {"-2*x' + y", "x + y"})) ==
          "all of them are singular");
}

TEST_CASE("three equations whose first conditions deny a Lagrangian: none of them, and a count of none") {
  // With Phi = dA/dt - 2 df/dq - A^2/2: its eigenvalues differ, and its curvature has one component, so g_11 = 0 in its eigenvectors.
  Data d = claiming(
           system_of("lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n"
                     "forces = { x = \"x + y*z'\", y = \"2*y\", z = \"3*z\" }\n"),
           "no-lagrangian", "inverse-problem", "refuted"),
       equations;
  equations["type"] = "I";
  equations["accelerations"] = Data::List{"x + y*z'", "2*y", "3*z"};
  equations["derivatives"] = 1;
  d["systems"] = Data::List{equations};
  CHECK(first_refuted(d) == "nothing");
  for (const int count : {0, -1}) is_no_certificate(with_in(d, "systems", 0, "derivatives", count));
}
