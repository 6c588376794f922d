// Functions of first degree in the velocities, potentials written as forces, and for which parameters answers change: by hand, and the same
// in every description.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>

using namespace rattleback;

namespace {

Answer ask(const std::string& lagrangian, const std::string& sections, const char* name) {
  return asked(question(name), read_model("lagrangian = \"" + lagrangian + "\"\n" + sections, "first"), 20);
}

/// Outcome, and the parameters at which it is the other one.
std::pair<std::string, std::string> verdict(const Answer& a) { return {text(a.outcome), text(a.unless)}; }
using Verdicts = std::pair<std::string, std::string>;

const std::string axis = "[space]\nx = \"R\"\n", plane = axis + "y = \"R\"\n", space = plane + "z = \"R\"\n";

}  // namespace

TEST_CASE("with one speed the root of a kinetic energy is of first degree and constant") {
  const std::string circle = "[space]\nx = \"S1\"\n";
  const std::vector<std::pair<std::string, std::string>> kinetic{{"1/2*(1 + x^2)*x'^2", axis},
                                                                 {"1/2*(2 + cos(x))*x'^2", circle}};
  for (const auto& [L, where] : kinetic) {
    const Answer a = ask(L, where, "momenta");
    REQUIRE(a.outcome == Outcome::proved);
    const std::string constant = *a.answer.find("conserved")->list()->front().text();
    const System system = read_model("lagrangian = \"" + L + "\"\n" + where, "first");
    CHECK(stated_conjecture(system, "conserved", constant, "").outcome == Outcome::proved);
  }
  CHECK(ask("1/2*(1 + x^2)*x'^2 - x", axis, "momenta").outcome == Outcome::refuted);
  const std::string ellipse = "[constraints]\nc = \"x^2/4 + y^2 = 1\"\n";
  CHECK(ask("1/2*(x'^2 + y'^2)", plane + ellipse, "momenta").outcome == Outcome::proved);
  CHECK(ask("1/2*(x'^2 + y'^2) - x", plane + ellipse, "momenta").outcome == Outcome::refuted);
}

TEST_CASE("drag keeps x' + c*x, whatever the coordinates, unless a potential is in the way") {
  const std::string letters = "[parameters]\nk = 1\nc = 1\n",
                    drag = letters + "[forces]\nx = \"-c*x'\"\ny = \"-c*y'\"\n",
                    polar = "[space]\nr = \"R\"\na = \"S1\"\n" + letters +
                            "[forces]\nr = \"-c*r'\"\na = \"-c*r^2*a'\"\n";
  CHECK(ask("1/2*(x'^2 + y'^2)", plane + drag, "momenta").outcome == Outcome::proved);
  CHECK(ask("1/2*(r'^2 + r^2*a'^2)", polar, "momenta").outcome == Outcome::proved);
  for (const Answer& a : {ask("1/2*(x'^2 + y'^2) - k*x*y", plane + drag, "momenta"),
                          ask("1/2*(r'^2 + r^2*a'^2) - k*r^2*cos(a)*sin(a)", polar, "momenta")}) {
    CHECK(verdict(a) == Verdicts{"refuted", "k = 0"});
    CHECK(locus_is_complete(a));
  }
}

TEST_CASE("axes that are equal are special, not axes that are 0") {
  const std::string letters = "[parameters]\na = 1\nb = 2\nc = 3\n",
                    ball = "[constraints]\nc = \"x^2 + y^2 + z^2 = 1\"\n";
  const Answer a =
      ask("1/2*(x'^2 + y'^2 + z'^2) - 1/2*(a*x^2 + b*y^2 + c*z^2)", space + letters + ball, "symmetries");
  CHECK(verdict(a) == Verdicts{"refuted", "a = b, or a = c, or b = c"});
  const std::string leaf = "[parameters]\nk = 2\n[constraints]\nc = \"x*x' + y*y' + k*z*z' = 0\"\n";
  CHECK(verdict(ask("1/2*(x'^2 + y'^2 + z'^2) - x", space + leaf, "symmetries")) ==
        Verdicts{"refuted", "k = 0, or k = 1"});
}

TEST_CASE("a force with a potential is one of the Lagrangian") {
  const std::string heading =
                        plane +
                        "a = \"S1\"\n[parameters]\ng = 1\n[constraints]\nc = \"y'*cos(a) = x'*sin(a)\"\n",
                    T = "1/2*(x'^2 + y'^2 + a'^2)";
  for (const char* name : {"energy", "symmetries", "momenta", "integrals", "conditionally-variational",
                           "chaplygin-multiplier"}) {
    CAPTURE(name);
    CHECK(verdict(ask(T, heading + "[forces]\ny = \"-g\"\n", name)) ==
          verdict(ask(T + " - g*y", heading, name)));
  }
  const std::string swirl = "[parameters]\np = 1\nq = 2\n[forces]\nx = \"p*y\"\ny = \"q*x\"\n";
  const Answer a = ask("1/2*(x'^2 + y'^2)", plane + swirl, "energy");
  CHECK(verdict(a) == Verdicts{"refuted", "p = q"});
  CHECK(locus_is_complete(a));
  CHECK(verdict(ask("1/2*(x'^2 + y'^2)", plane + swirl, "symmetries")) ==
        Verdicts{"refuted", "p = 0, or q = 0, or p + q = 0"});
}

TEST_CASE("a factor that depends on time hides no parameter at which a constraint is holonomic") {
  for (const std::string factor : {"", "*(2 + cos(t))"}) {
    const std::string blade =
        "[parameters]\nw = 1\n[constraints]\nc = \"(y'*cos(w*t) - x'*sin(w*t))" + factor + " = 0\"\n";
    CHECK(verdict(ask("1/2*(x'^2 + y'^2)", plane + blade, "integrability")) == Verdicts{"refuted", "w = 0"});
  }
}

TEST_CASE("powers with letters in the exponent are collected factor by factor") {
  const std::string quotient =
      "[parameters]\na = { value = 2, positive = true }\nb = { value = 3, positive = true "
      "}\n[constraints]\nc = "
      "\"(a*x^2 + b)*z' = (a - b)*x*z*x'\"\n";
  const Answer a = ask("1/2*(a*x'^2 + b*y'^2 + z'^2)", space + quotient, "invariant-measure");
  REQUIRE(a.outcome == Outcome::proved);
  const std::string density = *a.answer.find("density")->text();
  CAPTURE(density);
  CHECK(density.size() < 110);
}

TEST_CASE("without its group an algebra has its bracket on D*/G") {
  const std::string se2 =
      "[algebra]\nbasis = [\"X1\", \"X2\", \"X3\"]\nbrackets = { \"X3,X1\" = \"X2\", \"X3,X2\" = \"-X1\" }\n"
      "[constraints]\nc = \"xi2 = 0\"\n";
  const Answer a = ask("1/2*(xi1^2 + xi2^2 + 3*xi3^2) + xi2*xi3", se2, "jacobi");
  CHECK(a.outcome == Outcome::proved);
  CHECK(domain_in(a.answer).space == "D*/G");
}

TEST_CASE("momenta of an algebra appear where the conditions on their coefficients lose rank") {
  const std::string bianchi =
      "[algebra]\nbasis = [\"X1\", \"X2\", \"X3\"]\nbrackets = { \"X1,X2\" = \"h*X2 - X3\", \"X1,X3\" = \"X2 "
      "+ h*X3\" }\n"
      "[parameters]\nh = 1\nI1 = { value = 1, positive = true }\nI2 = { value = 2, positive = true }\nI3 = { "
      "value = 3, "
      "positive = true }\n";
  CHECK(verdict(ask("1/2*(I1*xi1^2 + I2*xi2^2 + I3*xi3^2)", bianchi, "momenta")) ==
        Verdicts{"not found", "h = 0 and I2 = I3"});
}

TEST_CASE("a claim is about its functions as they are written") {
  const System system =
      read_model("lagrangian = \"1/2*(x'^2 + y'^2)\"\n" + plane + "[parameters]\na = 1\n", "first");
  const auto where = [&](const char* claim) {
    const Answer a = stated_conjecture(system, "zero", claim, "");
    return a.outcome == Outcome::proved ? domain_in(a.answer).where
                                        : std::vector<std::string>{text(a.outcome)};
  };
  CHECK(where("x/x - 1") == std::vector<std::string>{"x != 0"});
  CHECK(where("exp(log(x)) - x") == std::vector<std::string>{"x > 0"});
  CHECK(where("x^a*x^(-a) - 1") == std::vector<std::string>{"x > 0"});
  CHECK(where("sqrt(x^4) - x^2").empty());
  CHECK(stated_conjecture(system, "symmetry", "x = t", "").outcome == Outcome::proved);  // a moving frame
  CHECK(stated_conjecture(system, "symmetry", "x = t^2", "").outcome == Outcome::refuted);
}
