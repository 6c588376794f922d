#include <algorithm>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/proof/hamiltonian/cyclic_fields.hpp>
#include <rattleback/proof/hamiltonian/routh_hamiltonization.hpp>
#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>

using namespace rattleback;

namespace {

ChaplyginBundle classical(const System& system) { return chaplygin_bundle(chaplygin_reduction(system)); }

}  // namespace

TEST_CASE("snakeboard: the rotor is cyclic, and fixing its momentum makes a multiplier possible") {
  const System system = load_model("snakeboard");
  const ChaplyginBundle b = classical(system);
  CHECK(refuted(chaplygin_multiplier(b).exists));
  const RouthReduction r = routh_reduction(b, cyclic_fields(b));
  CHECK(r.mu.size() == 1);
  CHECK(proved(reduces(b, r)));
  const ChaplyginMultiplier x = multiplier_at_fixed_momenta(b, r);
  CHECK(proved(x.exists));
  REQUIRE(x.f);
  RouthHamiltonian h = routh_hamiltonian(b, r, x);
  CHECK(proved(h.motion));
  ChaplyginMultiplier mutant = x;
  for (Expr& s : mutant.sigma) s = -s;
  CHECK(refuted(routh_hamiltonian(b, r, mutant).motion));
}

namespace {

/// f {P_a, H} − d/dt(f p_a) with {q, P_a} = W_a[q] and the brackets {P_a, P_b} as they are printed.
std::vector<Expr> bracket_residuals(const ChaplyginBundle& b, const std::vector<VectorField>& legs,
                                    const std::vector<int>& at, const std::vector<Symbol>& P, Expr H,
                                    const Matrix& brackets, Expr f, SymbolMap named) {
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  const VectorField V = motion(constrained);
  for (std::size_t a = 0; a < P.size(); ++a)
    named.emplace(P[a], f * constrained.momenta[static_cast<std::size_t>(at[a])]);
  std::vector<Expr> residuals;
  for (std::size_t a = 0; a < P.size(); ++a) {
    std::vector<Expr> terms{-legs[a](H)};
    for (std::size_t c = 0; c < P.size(); ++c)
      terms.push_back(brackets(static_cast<int>(a), static_cast<int>(c)) * derivative(H, P[c]));
    residuals.push_back(f * substitute(sum(terms), named) - V(named.at(P[a])));
  }
  return residuals;
}

bool vanish(const std::vector<Expr>& es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

}  // namespace

TEST_CASE("the brackets that are printed are those of the motion, in frames that are not coordinates, too") {
  bool asked_one = false;
  visit_chaplygin_bundles(load_model("veselova"), [&](const ChaplyginBundle& b) {
    const ChaplyginMultiplier x = chaplygin_multiplier(b);
    if (!x.f) return false;
    ChaplyginHamiltonian h = chaplygin_hamiltonian(b, x);
    std::vector<VectorField> legs;
    std::vector<int> at;
    for (int a = 0; a < b.dimension(); ++a) {
      legs.push_back(b.frame[a]);
      at.push_back(a);
    }
    CHECK(vanish(bracket_residuals(b, legs, at, h.momenta, h.hamiltonian, h.brackets, *x.f, {})));
    CHECK_FALSE(vanish(bracket_residuals(b, legs, at, h.momenta, h.hamiltonian, -h.brackets, *x.f, {})));
    return asked_one = true;
  });
  CHECK(asked_one);
  const ChaplyginBundle b = classical(load_model("chaplygin-sphere"));
  const RouthReduction r = routh_reduction(b, cyclic_fields(b));
  const ChaplyginMultiplier x = multiplier_at_fixed_momenta(b, r);
  REQUIRE(x.f);
  const RouthHamiltonian h = routh_hamiltonian(b, r, x);
  std::vector<VectorField> legs;
  for (const int a : r.legs) legs.push_back(b.frame[a]);
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  std::vector<Expr> J{Expr(0)};
  for (int a = 0; a < b.dimension(); ++a)
    J.push_back(r.components(a, 0) * constrained.momenta[static_cast<std::size_t>(a)]);
  const SymbolMap mu{{r.mu[0], sum(J)}};
  CHECK(vanish(bracket_residuals(b, legs, r.legs, h.momenta, h.hamiltonian, h.brackets, *x.f, mu)));
  CHECK_FALSE(vanish(bracket_residuals(b, legs, r.legs, h.momenta, h.hamiltonian, -h.brackets, *x.f, mu)));
}

TEST_CASE("nothing to fix") {
  CHECK(cyclic_fields(classical(load_model("nonholonomic-free-particle"))).empty());
  CHECK_THROWS_AS(routh_hamiltonization_answer(load_model("nonholonomic-free-particle")), const Error&);
  CHECK_THROWS_AS(routh_hamiltonization_answer(load_model("veselova")), const Error&);
}

TEST_CASE("a rotation of the base that Cartesian coordinates hide is divided out all the same") {
  const System system = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + w'^2 + s'^2) - V(x^2 + y^2)"
[space]
x = "R"
y = "R"
w = "R"
s = "R"
[functions]
V = ["u"]
[constraints]
c = "s' = (x^2 + y^2)*w'"
)toml",
                                   "rotation.toml");
  const ChaplyginBundle b = classical(system);
  CHECK(cyclic_fields(b).empty());  // ∂/∂x and ∂/∂y turn
  const Space& Q = b.frame.space();
  VectorField turn(Q);
  turn[0] = -Expr(system.space.functions()[1]);
  turn[1] = Expr(system.space.functions()[0]);
  CHECK(commute_on_base(b, {VectorField::leg(Q, 0), VectorField::leg(Q, 1)}));
  CHECK_FALSE(commute_on_base(b, {VectorField::leg(Q, 0), turn}));
  const Answer a = routh_hamiltonization_answer(system);
  CHECK(a.outcome == Outcome::proved);
  // R = ½ρ'² + ½(1 + ρ⁴)w'² − μ²/(2ρ²) − V and Φ_w = 2ρ³ρ'w': f = (1 + ρ⁴)^(−1/2), by hand.
  const Expr f = parse(*a.answer.find("multiplier")->text(), system.scope);
  const Expr ratio = pow(f, 2) * parse("1 + (x^2 + y^2)^2", system.scope);
  for (const Symbol q : system.space.functions()) CHECK(proved(is_zero(derivative(ratio, q))));
}

TEST_CASE("Suslov: dimension two is automatic, so(4) is abelian, gl(2) is not a Lie bracket (C.15)") {
  for (const char* model :
       {"suslov", "suslov-algebra", "chaplygin-sleigh", "chaplygin-sleigh-se2", "so4-suslov", "knife-edge"}) {
    CAPTURE(model);
    CHECK(proved(suslov_hamiltonization(load_model(model)).is_lie));
  }
  const SuslovHamiltonization gl2 = suslov_hamiltonization(load_model("gl2-suslov"));
  CHECK(refuted(gl2.is_lie));
  CHECK_FALSE(gl2.jacobiator.empty());
  CHECK(suslov_hamiltonization(load_model("so4-suslov")).name == "R^3");
  CHECK_THROWS_AS(suslov_hamiltonization(load_model("suslov-kharlamova")), const Error&);
  CHECK_THROWS_AS(suslov_hamiltonization(load_model("nonholonomic-free-particle")), const Error&);
}

TEST_CASE("Routh's sphere at constant Jellett integral: the multiplier is the factor of Routh's integral") {
  const System system = load_model("routh-sphere");
  const Answer a = routh_hamiltonization_answer(system);
  CHECK(a.outcome == Outcome::proved);
  // Ω3 sqrt(I1 I3 + m<ρ, Iρ>) is Routh's integral; f is one over the root.
  const Expr f = parse(*a.answer.find("multiplier")->text(), system.scope);
  const Expr ratio =
      pow(f, 2) * parse("I1*I3 + m*(I1*R^2*(B[3,1]^2 + B[3,2]^2) + I3*(R*B[3,3] + ell)^2)", system.scope);
  for (int i = 0; i < system.space.dimension(); ++i)
    CHECK(proved(is_zero(system.space.derivative(i, ratio))));
}

TEST_CASE("where a set of commuting fields fails, its parts do: none of them is asked in vain (C.35)") {
  // Two rotors of a snakeboard commute. Fixing both succeeds; fixing one leaves (C.3) with three dimensions unsolvable.
  const ChaplyginBundle b = classical(read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + 3*theta'^2) + psi'^2/2 + psi'*theta' + chi'^2/4 + chi'*theta'/2 + phi'^2"
[space]
x = "R"
y = "R"
theta = "S1"
psi = "S1"
chi = "S1"
phi = "S1"
[constraints]
front = "-sin(theta + phi)*x' + cos(theta + phi)*y' + cos(phi)*theta' = 0"
back = "-sin(theta - phi)*x' + cos(theta - phi)*y' - cos(phi)*theta' = 0"
)toml",
                                                 "two-rotors.toml"));
  const std::vector<VectorField> both = cyclic_fields(b);
  REQUIRE(both.size() == 2);
  CHECK(commute_on_base(b, both));
  CHECK(proved(multiplier_at_fixed_momenta(b, routh_reduction(b, both)).exists));
  for (const VectorField& one : both)
    CHECK(refuted(multiplier_at_fixed_momenta(b, routh_reduction(b, {one})).exists));
}

TEST_CASE("a group that the model does not show: the fibre is a logarithm, and S d/dS moves it") {
  const System system = read_model(R"toml(
lagrangian = "1/2*(rho'^2 + rho^2*al'^2 + w'^2 + S'^2/S^2) - cos(w)"
[space]
rho = "R"
al = "S1"
w = "R"
S = "R"
[constraints]
c = "S' = S*rho^2*w'"
)toml",
                                   "logarithm.toml");
  const Answer a = routh_hamiltonization_answer(system);
  CHECK(a.outcome == Outcome::proved);
  CHECK(*a.answer.find("group")->text() == "S = \"S\"");
  REQUIRE(a.answer.find("subgroups"));
  const Expr f = parse(*a.answer.find("multiplier")->text(), system.scope);
  const Expr ratio = pow(f, 2) * parse("1 + rho^4", system.scope);
  for (const Symbol q : system.space.functions()) CHECK(proved(is_zero(derivative(ratio, q))));
}
