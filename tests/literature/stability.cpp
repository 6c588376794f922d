/// Published steady motions and their stability, from exact conditions; names carry the claim's number.
#include <doctest/doctest.h>

#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/steady/spectral_stability.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

using namespace rattleback;

namespace {

Answer equilibria(const System& system) { return asked(question("equilibria"), system, 60); }

/// The families whose point reads so.
std::vector<Data> families_at(const Answer& a, const std::string& point) {
  std::vector<Data> found;
  for (const Data& f : *a.answer.find("families")->list()) {
    if (*f.find("point")->text() == point) found.push_back(f);
  }
  return found;
}

std::string text_of(const Data& record, const std::string& key) {
  const Data* d = record.find(key);
  return d == nullptr || d->text() == nullptr ? "" : *d->text();
}

/// One condition, and it is e > 0 up to a positive factor: the quotient is a positive constant at random points.
bool has_condition(const System& system, const Data& family, const std::string& e) {
  const Data::List& all = *family.find("conditions")->list();
  if (all.size() != 1) return false;
  std::string found = *all[0].text();
  found.resize(found.size() - std::string(" > 0").size());
  return is_positive(parse(found, system.scope) * parse(e, system.scope)).kind == Inequality::Kind::always;
}

}  // namespace

TEST_CASE(
    "BMZ-19-ellipse, GN-7.1-obstruction: the sleigh's sliding attracts iff a u > 0, so no smooth measure "
    "exists") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Answer a = equilibria(sleigh);
  CHECK(a.outcome == Outcome::proved);
  const auto sliding = families_at(a, "omega = 0, u free");
  REQUIRE(sliding.size() == 1);
  CHECK(has_condition(sleigh, sliding[0], "a*u"));
  CHECK(text_of(sliding[0], "kind") == "stable, attracting up to the family");
  CHECK(text_of(sliding[0], "stable_where") == "u > 0");
  // A singular density does exist: 1/|omega|, off the line omega = 0. Without the absolute value it is no density.
  const Answer singular = measure_conjecture(sleigh, parse("1/abs(omega)", sleigh.scope));
  CHECK(singular.outcome == Outcome::proved);
  CHECK(singular.why.back() == "it is smooth and positive only where omega != 0");
  CHECK(measure_conjecture(sleigh, parse("1/omega", sleigh.scope)).outcome == Outcome::refuted);
  CHECK(asked(question("invariant-measure"), sleigh, 60).outcome == Outcome::refuted);
}

TEST_CASE("BMZ-19-ellipse: p1 = sqrt(2hQ) sech kt, p2 = sqrt(2hm) tanh kt solve (19)") {
  const System sleigh = load_model("chaplygin-sleigh-algebra");
  const EquationsOfMotion motion = gibbs_appell_equations(sleigh);
  Scope scope = sleigh.scope;
  const Symbol h = Symbol::make("h", {.role = Role::plain, .sign = Sign::positive});
  scope.define("h", Expr(h));
  scope.define("time", Expr(sleigh.time));
  const std::string k = "(a*sqrt(2*h*m)/(J + m*a^2)*time)";
  // p1 = (J + m a²) w, p2 = m v1
  SymbolMap solution{{parse("w", scope).symbol(), parse("sqrt(2*h/(J + m*a^2))/cosh" + k, scope)},
                     {parse("v1", scope).symbol(), parse("sqrt(2*h/m)*tanh" + k, scope)}};
  for (std::size_t i = 0; i < motion.speeds.size(); ++i) {
    const Expr rate = derivative(solution.at(motion.speeds[i]), sleigh.time);
    CHECK(proved(is_zero(rate - substitute(motion.speed_rates[i], solution))));
  }
}

TEST_CASE(
    "BMZ-suslov-eig, GN-7-suslov-asym: one real eigenvalue at Suslov's equilibria, of both signs; none if a "
    "principal axis") {
  const System suslov = load_model("suslov-algebra");
  const Answer a = equilibria(suslov);
  const Data::List& families = *a.answer.find("families")->list();
  REQUIRE(families.size() == 1);  // the line I13 w1 + I23 w2 = 0
  CHECK(*families[0].find("zeros")->get_if<long>() == 1);
  CHECK(families[0].find("eigenvalues")->list()->size() == 2);
  // Attracting on one half of the line, repelling on the other: motions go from one to the other.
  const std::string where = text_of(families[0], "stable_where");
  CHECK((where == "w1 > 0" || where == "w1 < 0" || where == "w2 > 0" || where == "w2 < 0"));
  const System special =
      with_values(suslov, std::vector<std::pair<std::string, std::string>>{{"I13", "0"}, {"I23", "0"}});
  const Answer principal = equilibria(special);
  REQUIRE(principal.answer.find("families")->list()->size() == 1);
  CHECK(*principal.answer.find("families")->list()->front().find("zeros")->get_if<long>() == 2);
}

TEST_CASE("BMZ-fn3: the divergence on D is that of the full momentum space, at the constraint") {
  const System suslov = load_model("suslov-algebra");
  const EquationsOfMotion motion = gibbs_appell_equations(suslov);
  const auto e = [&](const char* name) { return parse(name, suslov.scope); };
  const Matrix inertia{
      {e("I11"), Expr(0), e("I13")}, {Expr(0), e("I22"), e("I23")}, {e("I13"), e("I23"), e("I33")}};
  std::vector<Symbol> M;
  for (const char* name : {"M1", "M2", "M3"}) M.push_back(Symbol::make(name));
  const Matrix momentum = Matrix::column(std::vector<Expr>(M.begin(), M.end()));
  const Matrix inverse_inertia = inverse(inertia).x, w = inverse_inertia * momentum;
  const auto cross = [](const Matrix& a, const Matrix& b) {
    return Matrix::column(
        std::vector<Expr>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
  };
  const Matrix torque = cross(momentum, w);  // M' = M × w + λ e3 with e3·w' = 0
  const Expr lambda = -(inverse_inertia * torque)[2] / inverse_inertia(2, 2);
  Expr divergence = 0;
  for (int i = 0; i < 3; ++i)
    divergence += derivative(torque[i] + (i == 2 ? lambda : Expr(0)), M[static_cast<std::size_t>(i)]);
  SymbolMap on_D;  // M = I w with w3 = 0
  const Expr w1 = parse("w1", suslov.scope), w2 = parse("w2", suslov.scope);
  for (int i = 0; i < 3; ++i)
    on_D.emplace(M[static_cast<std::size_t>(i)], inertia(i, 0) * w1 + inertia(i, 1) * w2);
  CHECK(proved(is_zero(substitute(divergence, on_D) - divergence_of(suslov, motion))));
  // GN-7-suslov: −I13 w2/I11 + I23 w1/I22
  CHECK(proved(are_equal(divergence_of(suslov, motion), parse("-I13*w2/I11 + I23*w1/I22", suslov.scope))));
}

TEST_CASE("GN-7-suslov: Suslov's divergence vanishes iff I13 = I23 = 0") {
  const System suslov = load_model("suslov-algebra");
  const Expr theta = divergence_of(suslov, gibbs_appell_equations(suslov));
  CHECK(proved(are_equal(theta, parse("-I13*w2/I11 + I23*w1/I22", suslov.scope))));
  CHECK(proved(is_zero(substitute(theta, {{parse("I13", suslov.scope).symbol(), Expr(0)},
                                          {parse("I23", suslov.scope).symbol(), Expr(0)}}))));
}

TEST_CASE("BMZ-disk-stability: a rolling disk stays upright iff roll^2 > m g R J/(I (I + m R^2))") {
  const System disk = load_model("falling-disk-contact");
  const Answer a = equilibria(disk);
  CHECK(a.outcome == Outcome::proved);
  // Upright with both speeds free; rolling straight ahead is turn = 0.
  const auto upright = families_at(a, "theta = 0, lean = 0, turn = 0, roll free");
  REQUIRE(upright.size() == 1);
  CHECK(has_condition(disk, upright[0], "I*(I + m*R^2)*roll^2 - m*g*R*J"));
  CHECK(text_of(upright[0], "kind") == "spectrally stable");  // not asymptotic
  CHECK(*upright[0].find("zeros")->get_if<long>() == 2);
  CHECK(text_of(upright[0], "stable_where") == "roll < -1.80739 or roll > 1.80739");  // sqrt(g/(3R))
  const auto spinning = families_at(a, "theta = 0, lean = 0, roll = 0, turn free");
  REQUIRE(spinning.size() == 1);
  CHECK(has_condition(disk, spinning[0], "(J + m*R^2)*turn^2 - m*g*R"));
  CHECK(text_of(spinning[0], "stable_where") == "turn < -2.8 or turn > 2.8");
}

TEST_CASE("BMZ-stability-method: fixing the gauge momenta, V_eff'' gives the spectrum of straight rolling") {
  const System disk = load_model("falling-disk-contact");
  const auto e = [&](const std::string& s) { return parse(s, disk.scope); };
  // p1 = ∂Lc/∂turn, p2 = ∂Lc/∂roll; along a motion dp1/dθ = m R² roll cos θ, dp2/dθ = −m R² turn cos θ.
  const Expr Lc = e("1/2*((I + m*R^2)*(turn*sin(theta) + roll)^2 + J*turn^2*cos(theta)^2)");
  const Symbol theta = e("theta").symbol(), turn = e("turn").symbol(), roll = e("roll").symbol();
  const Expr p1 = derivative(Lc, turn), p2 = derivative(Lc, roll);
  // turn' and roll' (by θ) from the momenta's own rates
  Matrix A(2, 2), b(2, 1);
  A(0, 0) = derivative(p1, turn);
  A(0, 1) = derivative(p1, roll);
  A(1, 0) = derivative(p2, turn);
  A(1, 1) = derivative(p2, roll);
  b[0] = e("m*R^2*roll*cos(theta)") - derivative(p1, theta);
  b[1] = e("-m*R^2*turn*cos(theta)") - derivative(p2, theta);
  const Matrix slope = unique_solution(A, b)->x;
  const SymbolMap along_theta{{theta, Expr(1)}, {turn, slope[0]}, {roll, slope[1]}};
  const Expr V = Lc + e("m*g*R*cos(theta)");  // quadratic in the speeds: its own energy
  const Expr second = derivative_along(derivative_along(V, along_theta), along_theta);
  const SymbolMap straight{{theta, Expr(0)}, {turn, Expr(0)}};
  const Expr lambda_squared = -substitute(second, straight) / e("J + m*R^2");
  CHECK(proved(are_equal(lambda_squared, e("(m*g*R*J - I*(I + m*R^2)*roll^2)/(J*(J + m*R^2))"))));
}

TEST_CASE("a rattleback's spin is stable in one sense only: BMZ-rattle-stable") {
  const System toy = load_model("rattleback");
  const Answer a = equilibria(toy);
  bool found = false;
  for (const Data& f : *a.answer.find("families")->list()) {
    if (text_of(f, "kind") != "stable, attracting up to the family") continue;
    const std::string where = text_of(f, "stable_where");
    // only one sign, beyond a critical spin
    const bool positive = where.find("> ") != std::string::npos,
               negative = where.find("< -") != std::string::npos;
    found = found || (!where.empty() && positive != negative);
  }
  CHECK(found);
}

TEST_CASE("the bicycle stands by itself between the weave and the capsize speed") {
  const System bicycle = load_model("bicycle");
  const Answer a = equilibria(bicycle);
  bool found = false;
  for (const Data& f : *a.answer.find("families")->list()) {
    const std::string where = text_of(f, "stable_where");
    CAPTURE(where);
    // v = rR * rate: 4.2924 and 6.0243 m/s with rR = 0.3
    found = found || where.find("14.3079 < ") != std::string::npos ||
            where.find("4.29238 < ") != std::string::npos;
  }
  CHECK(found);
}
