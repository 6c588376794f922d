#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/routh.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

/// R = l_c − μ s and ∂R/∂w = ∂l_c/∂w, ∂R/∂μ = −s.
std::vector<Expr> envelope(const System& system, const Routh& r) {
  const Expr ell = substitute(system.lagrangian, r.D.substitution());
  SymbolMap s;
  for (int i = 0; i < r.cyclic(); ++i)
    s.emplace(r.D.speeds[r.free + i], r.eliminated[static_cast<std::size_t>(i)]);
  std::vector<Expr> residuals;
  for (int a = 0; a < r.free; ++a) {
    const Symbol w = r.D.speeds[static_cast<std::size_t>(a)];
    residuals.push_back(derivative(r.routhian, w) - substitute(derivative(ell, w), s));
  }
  for (int i = 0; i < r.cyclic(); ++i)
    residuals.push_back(derivative(r.routhian, r.momenta[static_cast<std::size_t>(i)]) +
                        r.eliminated[static_cast<std::size_t>(i)]);
  return residuals;
}

}  // namespace

TEST_CASE("the Routhian has the momenta of l_c (Q.2)") {
  for (const char* name :
       {"cart-pendulum", "snakeboard", "vertical-disk", "iliyev", "routh-sphere", "veselova"}) {
    CAPTURE(name);
    const System system = load_model(name);
    Routh r = routh(system);
    CHECK(all_vanish(envelope(system, r)));
    r.routhian += pow(Expr(r.momenta[0]), 2);  // the mutant
    CHECK(some_do_not_vanish(envelope(system, r)));
  }
}

TEST_CASE("central motion: Routh's own example") {
  const System system = read_model(R"toml(
lagrangian = "m/2*(r'^2 + r^2*phi'^2) - V(r)"
[space]
r = "R"
phi = "S1"
[parameters]
m = { value = 1, positive = true }
[functions]
V = ["r"]
)toml",
                                   "test.toml");
  const EquationsOfMotion routh = routh_equations(system);
  CHECK(has_rate(system, routh, "r'", "p_phi^2/(m^2*r^3) - V'(r)/m"));
  CHECK(has_rate(system, routh, "p_phi", "0"));
  CHECK(has_rate(system, routh, "phi", "p_phi/(m*r^2)"));
}

TEST_CASE("names that the model uses are not invented again: p_phi and w1 get an underscore") {
  const System central = read_model(R"toml(
lagrangian = "p_phi/2*(r'^2 + r^2*phi'^2)"
[space]
r = "R"
phi = "S1"
[parameters]
p_phi = { value = 1, positive = true, about = "mass" }
)toml",
                                    "test.toml");
  const EquationsOfMotion routh_form = routh_equations(central);
  CHECK(has_rate(central, routh_form, "r'", "p_phi_^2/(p_phi^2*r^3)"));
  CHECK(bracket_equations(central).speeds[1].name() == "p_phi_");

  const System oscillator = read_model(R"toml(
lagrangian = "w1/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)"
[space]
x = "R"
y = "R"
[parameters]
w1 = { value = 1, positive = true, about = "mass" }
k = { value = 1, positive = true }
[symmetry]
SO2 = { turn = { x = "-y", y = "x" } }
)toml",
                                       "test.toml");
  CHECK(routh(oscillator).D.speeds[0].name() == "w1_");
}

TEST_CASE("kinds of reduction are told apart, and what has no momenta is refused") {
  const auto note = [](const char* name) { return routh_equations(load_model(name)).notes.at(0); };
  CHECK(note("cart-pendulum") == "classical Routh reduction");
  CHECK(note("euler-top") ==
        "nonabelian Routh reduction: so(3), isotropy of a general momentum of dimension 1");
  CHECK(note("snakeboard") == "nonholonomic Routh reduction by horizontal symmetries");
  CHECK(note("vertical-disk") == "nonholonomic cyclic momenta");
  CHECK_THROWS_AS(routh_equations(load_model("chaplygin-sleigh")), Error);
}

TEST_CASE("Routh's equations agree with Hamel's where something is conserved") {
  for (const char* name : {"cart-pendulum", "snakeboard", "ball-in-cylinder", "knife-edge",
                           "zero-reaction-particle", "iliyev"}) {
    CAPTURE(name);
    const System system = load_model(name);
    std::vector<EquationsOfMotion> forms{routh_equations(system), hamel_equations(system)};
    CHECK(proved(agreement(system, forms).motion));
    forms[0].speed_rates[0] += Expr(forms[0].speeds[0]);  // the mutant
    CHECK(refuted(agreement(system, forms).motion));
  }
}
