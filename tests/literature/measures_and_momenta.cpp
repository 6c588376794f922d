/// Published theorems about measures and linear integrals, each on systems that satisfy and that violate it; names carry the
/// claim's number.
#include <doctest/doctest.h>

#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/inequality.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

Answer answered(const System& system, const std::string& name) { return asked(question(name), system, 60); }

std::string outcome(const System& system, const std::string& name) {
  const Answer a = answered(system, name);
  return text(a.outcome) + (a.unless.empty() ? "" : " unless " + text(a.unless));
}

long count(const Answer& a, const char* key) {
  const long* n = a.answer.find(key)->get_if<long>();
  REQUIRE(n != nullptr);
  return *n;
}

System at(const System& system, const std::vector<std::pair<std::string, std::string>>& values) {
  return with_values(system, values);
}

/// Suslov's problem on so(3) with principal inertia and the axis a.
System suslov_with_axis(const std::string& axis, const std::string& inertia) {
  return read_model("lagrangian = \"1/2*(" + inertia +
                        ")\"\n"
                        "[algebra]\nbasis = [\"E1\", \"E2\", \"E3\"]\n"
                        "brackets = { \"E1,E2\" = \"E3\", \"E2,E3\" = \"E1\", \"E3,E1\" = \"E2\" }\n"
                        "velocities = [\"w1\", \"w2\", \"w3\"]\n"
                        "[constraints]\naxis = \"" +
                        axis + " = 0\"\n",
                    "suslov.toml");
}

}  // namespace

TEST_CASE("GN-7.1-transport: the rate of the volume of a region is the integral of the divergence") {
  // x'' = -c x' has the flow x + v (1 - exp(-c t))/c, v exp(-c t); a rectangle's volume changes by its determinant.
  const System damped = read_model(
      "lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n[parameters]\nc = { value = 1, positive = true }\n"
      "[forces]\nx = \"-c*x'\"\n",
      "damped.toml");
  Scope scope = damped.scope;
  const Symbol x = parse("x", scope).symbol(), v = parse("x'", scope).symbol(), t = damped.time;
  const Expr c = parse("c", scope), decay = exp(-c * Expr(t));
  const Expr X = Expr(x) + Expr(v) * (1 - decay) / c, V = Expr(v) * decay;
  const Expr volume = derivative(X, x) * derivative(V, v) - derivative(X, v) * derivative(V, x);
  const Expr rate = substitute(derivative(volume, t), {{t, Expr(0)}});
  CHECK(proved(are_equal(rate, divergence_of(damped, gibbs_appell_equations(damped)))));
  CHECK(measure_conjecture(damped, 1).outcome == Outcome::refuted);
  CHECK(outcome(damped, "invariant-measure") == "refuted");
}

TEST_CASE("GN-7-liouville: without constraints the volume dq dp is preserved, whatever L") {
  const System free = read_model(
      "lagrangian = \"M(x, y)*x'^2/2 + N(x, y)*y'^2/2 + A(x, y)*x' - U(x, y)\"\n[space]\nx = \"R\"\ny = "
      "\"R\"\n"
      "[functions]\nM = [\"x\", \"y\"]\nN = [\"x\", \"y\"]\nA = [\"x\", \"y\"]\nU = [\"x\", \"y\"]\n",
      "free.toml");
  const Answer a = answered(free, "invariant-measure");
  CHECK(a.outcome == Outcome::proved);
  CHECK(*a.answer.find("density_in_momenta")->text() == "1");
}

TEST_CASE("GN-7-basic: with a density of the state its value at rest is one, too") {
  const System particle = load_model("nonholonomic-free-particle");
  const Answer a = answered(particle, "invariant-measure");
  REQUIRE(a.outcome == Outcome::proved);
  const Expr basic = parse(*a.answer.find("density")->text(), particle.scope);
  const EquationsOfMotion motion = gibbs_appell_equations(particle);
  // x' is an integral, so any function of it times the density is a density; at rest it is the density times a number.
  const Expr rest = basic * 3, state = basic * (3 + parse("x'^2", particle.scope));
  CHECK(measure_conjecture(particle, state).outcome == Outcome::proved);
  SymbolMap zero;
  for (const Symbol z : motion.speeds) zero.emplace(z, Expr(0));
  CHECK(proved(are_equal(substitute(substitute(on_frame(particle, state), motion.velocities), zero), rest)));
  CHECK(measure_conjecture(particle, rest).outcome == Outcome::proved);
  CHECK(measure_conjecture(particle, 1).outcome == Outcome::refuted);  // a mutant
}

TEST_CASE(
    "GN-8.2-chaplygin: the one-form g is closed for z' = y x', with density (1 + y^2)^(-1/2) of dq dp, and "
    "for Veselova") {
  const System particle = load_model("nonholonomic-free-particle");
  const Answer a = answered(particle, "invariant-measure");
  const Expr rho = parse(*a.answer.find("density_in_momenta")->text(), particle.scope);
  CHECK(proved(is_zero(
      derivative(rho * sqrt(1 + pow(parse("x", particle.scope), 2)), parse("x", particle.scope).symbol()))));
  CHECK(outcome(load_model("veselova"), "invariant-measure") == "proved");
  CHECK(outcome(load_model("zero-reaction-no-measure"), "invariant-measure") == "refuted");
}

TEST_CASE(
    "GN-8-hydro-nocirc: without circulation half of the circular motions attract, the other half repels") {
  const System sleigh = at(load_model("hydrodynamic-sleigh"), {{"kappa", "0"}});
  const Answer a = answered(sleigh, "equilibria");
  REQUIRE(a.answer.find("families")->list()->size() == 1);
  const Data& f = a.answer.find("families")->list()->front();
  const std::string point = *f.find("point")->text(), where = *f.find("stable_where")->text();
  CAPTURE(point);
  CAPTURE(where);
  CHECK((where == "omega > 0" || where == "omega < 0" || where == "u > 0" || where == "u < 0"));
  CHECK(*f.find("kind")->text() == "stable, attracting up to the family");
  // the line L w + Z v1 = 0
  const bool by_turning = point.find("omega free") != std::string::npos;
  CHECK(point.find(by_turning ? "u = -L*omega/Z" : "omega = -Z*u/L") != std::string::npos);
}

TEST_CASE(
    "GN-8-hydro-circ: equilibria of a circulating flow exist above an energy only; of each energy one "
    "attracts, one repels") {
  const System sleigh = load_model("hydrodynamic-sleigh");
  const auto e = [&](const std::string& s) { return parse(s, sleigh.scope); };
  const Answer a = answered(sleigh, "equilibria");
  REQUIRE(a.answer.find("families")->list()->size() == 2);
  // At rest all small motions are oscillations: λ² = −κ²α²/(J M − b²).
  const Data &rest = a.answer.find("families")->list()->front(),
             &line = a.answer.find("families")->list()->back();
  CHECK(*rest.find("point")->text() == "at rest");
  CHECK(*rest.find("stable")->get_if<bool>());
  // The others form the line L w + Z u = κ α, on which the energy has a positive minimum; what attracts is one side of it.
  CHECK(line.find("point")->text()->find("u = kappa*alpha/Z - L*omega/Z") != std::string::npos);
  const Symbol omega = e("omega").symbol();
  const Expr u = e("kappa*alpha/Z - L*omega/Z"), w(omega);
  const Expr E = (e("J") * pow(w, 2) + e("M") * pow(u, 2)) / 2 + e("b") * w * u;
  std::string condition = *line.find("conditions")->list()->front().text();
  condition.resize(condition.size() - std::string(" > 0").size());
  const Expr slope = -e("Z*(J*M - b^2)") * derivative(E, omega);
  CHECK(is_positive(parse(condition, sleigh.scope) * slope).kind == Inequality::Kind::always);
}

TEST_CASE("GN-8.1: the divergence of e^sigma X on D*/G, for all structure functions and Hamiltonians") {
  // One shape s with the leg A = 0, two vertical legs; C_ab^c(s) and h(s, p) arbitrary.
  const Symbol s = Symbol::make("s");
  std::vector<Symbol> p;
  for (const char* name : {"p0", "p1", "p2"}) p.push_back(Symbol::make(name));
  const auto of_s = [&](const std::string& name) { return call(Function::abstract(name, 1), {Expr(s)}); };
  const Expr h = call(Function::abstract("h", 4), {Expr(s), Expr(p[0]), Expr(p[1]), Expr(p[2])});
  const Expr rho = of_s("rho"), sigma = of_s("sigma");
  const auto C = [&](int a, int b, int c) {
    if (a == b) return Expr(0);
    const Expr f =
        of_s("C" + std::to_string(std::min(a, b)) + std::to_string(std::max(a, b)) + std::to_string(c));
    return a < b ? f : -f;
  };
  Expr divergence =
      rho * derivative(h, p[0]) * derivative(sigma, s) + derivative(rho * derivative(h, p[0]), s);
  for (int a = 0; a < 3; ++a) {
    Expr rate = a == 0 ? -rho * derivative(h, s) : Expr(0);
    for (int b = 0; b < 3; ++b) {
      for (int c = 0; c < 3; ++c)
        rate -= C(a, b, c) * p[static_cast<std::size_t>(c)] * derivative(h, p[static_cast<std::size_t>(b)]);
    }
    divergence += derivative(rate, p[static_cast<std::size_t>(a)]);
  }
  Expr wanted = (rho * derivative(sigma, s) + derivative(rho, s)) * derivative(h, p[0]);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) wanted += C(a, b, b) * derivative(h, p[static_cast<std::size_t>(a)]);
  }
  CHECK(proved(are_equal(divergence, wanted)));
  CHECK(refuted(are_equal(divergence, wanted + C(0, 1, 1) * derivative(h, p[0]))));  // a mutant
}

TEST_CASE(
    "BMZ-16, BMZ-17: on so(3) a measure exists iff a commutes with its image under the inverse inertia") {
  const std::string triaxial = "2*w1^2 + 3*w2^2 + 5*w3^2", symmetric = "2*w1^2 + 2*w2^2 + 5*w3^2";
  CHECK(outcome(suslov_with_axis("w1", triaxial), "invariant-measure") == "proved");
  CHECK(outcome(suslov_with_axis("w1 + w2", triaxial), "invariant-measure") == "refuted");
  CHECK(outcome(suslov_with_axis("w1 + w2", symmetric), "invariant-measure") == "proved");
  CHECK(outcome(suslov_with_axis("w1 + w3", symmetric), "invariant-measure") == "refuted");
  // (17): [I⁻¹ a, a] is orthogonal to a, so it can be a multiple of a only if it vanishes
  std::vector<Expr> a, Ia;
  for (const char* s : {"1", "2", "3"}) {
    a.emplace_back(Symbol::make(std::string("a") + s));
    Ia.push_back(a.back() / Expr(Symbol::make(std::string("I") + s)));
  }
  const Expr pairing = a[0] * (Ia[1] * a[2] - Ia[2] * a[1]) + a[1] * (Ia[2] * a[0] - Ia[0] * a[2]) +
                       a[2] * (Ia[0] * a[1] - Ia[1] * a[0]);
  CHECK(proved(is_zero(pairing)));
}

TEST_CASE(
    "BMZ-19-measure: the sleigh's momentum plane keeps its volume iff a = 0; the trace is -m a/(J + m a^2)") {
  const System sleigh = load_model("chaplygin-sleigh-algebra");
  const Answer a = answered(sleigh, "invariant-measure");
  CHECK(text(a.unless) == "a = 0");
  const Expr condition = parse(*a.answer.find("condition")->text(), sleigh.scope);
  CHECK((proved(are_equal(condition, parse("m*a/(J + m*a^2)", sleigh.scope))) ||
         proved(are_equal(-condition, parse("m*a/(J + m*a^2)", sleigh.scope)))));
  CHECK(proved(are_equal(divergence_of(sleigh, gibbs_appell_equations(sleigh)),
                         parse("-m*a*v1/(J + m*a^2)", sleigh.scope))));
}

TEST_CASE(
    "BMZ-disk-volume, BMZ-disk-integrable: the falling disk keeps the volume and has three integrals in four "
    "dimensions") {
  const System disk = load_model("falling-disk-contact");
  const Answer measure = answered(disk, "invariant-measure");
  CHECK(*measure.answer.find("density_in_momenta")->text() == "1");
  CHECK(*measure.answer.find("reduced")->find("exists")->get_if<bool>());
  CHECK(outcome(disk, "energy") == "proved");
  CHECK(count(answered(disk, "momenta"), "gauge_count") == 2);  // of (theta, lean, turn, roll)
}

TEST_CASE("GN-9.1-generator: a linear function on D is the momentum of exactly one section of D") {
  for (const char* name : {"chaplygin-sleigh", "falling-disk-contact", "snakeboard"}) {
    const System system = load_model(name);
    const Admissible D = admissible_velocities(system);
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const int r = D.rank();
    std::vector<Expr> p;
    for (int alpha = 0; alpha < r; ++alpha)
      p.push_back(substitute(momentum(system, D.leg(alpha)), motion.velocities));
    const Matrix G = jacobian(p, D.speeds);
    CHECK(rank(G) == r);  // so the generator is unique
    Matrix c(r, 1);
    Expr wanted = 0;
    for (int alpha = 0; alpha < r; ++alpha) {
      c[alpha] = alpha + 2;
      wanted += c[alpha] * D.speeds[static_cast<std::size_t>(alpha)];
    }
    const Matrix xi = D.psi * unique_solution(G, c)->x;
    const VectorField field(system.space, std::vector<Expr>(xi.entries().begin(), xi.entries().end()));
    const Expr found = substitute(momentum(system, field), motion.velocities);
    SymbolMap rest;
    for (const Symbol z : D.speeds) rest.emplace(z, Expr(0));
    CHECK(vanishes_at_random_points(found - substitute(found, rest) - wanted));
  }
}

TEST_CASE("GN-9.1-gauge: f1 p1 + f2 p2 is an integral of the disk iff f solves a linear equation in theta") {
  const System disk = load_model("falling-disk-contact");
  const EquationsOfMotion motion = gibbs_appell_equations(disk);
  const auto e = [&](const std::string& s) { return parse(s, disk.scope); };
  const Expr Lc = e("1/2*((I + m*R^2)*(turn*sin(theta) + roll)^2 + J*turn^2*cos(theta)^2)");
  const Symbol f1 = Symbol::make("f1"), f2 = Symbol::make("f2");
  const Expr F =
      Expr(f1) * derivative(Lc, e("turn").symbol()) + Expr(f2) * derivative(Lc, e("roll").symbol());
  Scope scope = disk.scope;
  scope.define("f1", Expr(f1));
  scope.define("f2", Expr(f2));
  SymbolMap rates = along(disk, motion);
  const Expr lean = e("lean");
  rates.emplace(f1, lean * parse("m*R^2*(f1*sin(theta) + f2)/(J*cos(theta))", scope));
  rates.emplace(
      f2, lean * parse("-m*R^2*(f1*(J*cos(theta)^2 + (I + m*R^2)*sin(theta)^2) + f2*(I + m*R^2)*sin(theta))"
                       "/(J*(I + m*R^2)*cos(theta))",
                       scope));
  CHECK(proved(is_zero(derivative_along(F, rates))));
  rates.insert_or_assign(f2, Expr(0));  // a mutant
  CHECK(refuted(is_zero(derivative_along(F, rates))));
}

TEST_CASE("GN-9.1-potential: gauge momenta survive every potential of the shape") {
  System disk = load_model("falling-disk-contact");
  const Function U = Function::abstract("U", 1);
  disk.lagrangian -= call(U, {parse("theta", disk.scope)});
  CHECK(count(answered(disk, "momenta"), "gauge_count") == 2);
  System pushed = load_model("falling-disk-contact");
  pushed.lagrangian -= call(U, {parse("phi", pushed.scope)});  // not invariant under turning
  const Answer a = answered(pushed, "momenta");
  const long* left = a.answer.find("gauge_count")->get_if<long>();
  CHECK((left == nullptr || *left < 2));
}

TEST_CASE(
    "BMZ-integrable, BMZ-integrable-list: the hypotheses of Euler and Jacobi hold for the classical "
    "examples") {
  // The balanced ball on D/SE(2), five dimensions: three integrals and a measure.
  const System ball = load_model("chaplygin-sphere");
  CHECK(outcome(ball, "energy") == "proved");
  const std::string g[] = {"B31", "B32", "B33"}, w[] = {"Omega1", "Omega2", "Omega3"};
  std::string square = "0", spin = "0", level = "0";
  for (int i = 0; i < 3; ++i) spin += "+" + g[i] + "*" + w[i];
  for (int i = 0; i < 3; ++i) {
    const std::string k = std::to_string(i + 1);
    const std::string M = "((I" + k + " + m*r^2)*" + w[i] + " - m*r^2*(" + spin + ")*" + g[i] + ")";
    square += "+" + M + "^2";
    level += "+" + M + "*" + g[i];
  }
  CHECK(conserved_conjecture(ball, parse(square, ball.scope)).outcome == Outcome::proved);
  CHECK(conserved_conjecture(ball, parse(level, ball.scope)).outcome == Outcome::proved);
  CHECK(outcome(ball, "invariant-measure") == "proved");
  // A ball on a surface of revolution: two linear integrals beside the energy.
  CHECK(count(answered(load_model("ball-on-surface-of-revolution"), "momenta"), "gauge_count") == 2);
}
