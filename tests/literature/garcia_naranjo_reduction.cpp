/// García-Naranjo's notes, section 8: the reduced bracket, its equations, and what reduced motions do; names carry the claim.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/hamiltonian/reduced_bracket.hpp>
#include <rattleback/proof/measure/invariant_measure.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

using namespace rattleback;

namespace {

std::vector<VectorField> group_of(const System& system) {
  std::vector<VectorField> fields;
  for (const Generator& g : symmetry_group(system)) fields.push_back(g.field);
  return fields;
}

/// ξ{f, g} − {ξf, g} − {f, ξg} for all functions f, g among the coordinates of D*.
std::vector<Expr> variation_of_bracket(const ConstrainedBracket& b, const VectorField& xi) {
  const auto x = b.tensor.space().functions();
  std::vector<Expr> all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const Expr f = x[i], g = x[j];
      all.push_back(xi(bracket(b.tensor, f, g)) - bracket(b.tensor, xi(f), g) - bracket(b.tensor, f, xi(g)));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("GN-8.1-invbracket: symmetries leave the bracket on D* and H alone, so both live on D*/G") {
  for (const char* name : {"chaplygin-sleigh", "falling-disk", "nonholonomic-particle"}) {
    const System system = load_model(name);
    const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
    const auto reduced = reduced_bracket(b, group_of(system));
    REQUIRE(reduced);
    REQUIRE_FALSE(reduced->orbits.empty());
    for (const VectorField& xi : reduced->orbits) {
      CHECK(proved(is_zero(variation_of_bracket(b, xi))));
      CHECK(proved(is_zero(xi(b.hamiltonian))));
    }
    // A mutant: momenta that do not turn along.
    VectorField wrong = reduced->orbits.front();
    wrong[b.D.space.dimension()] += Expr(b.momenta.front()) * Expr(b.momenta.front());
    CHECK(refuted(is_zero(variation_of_bracket(b, wrong))));
  }
}

TEST_CASE("GN-8.1-eqs: p_a' = -C_ab^c p_c dh/dp_b along the orbits, with -rho_A[h] across them") {
  for (const char* name : {"falling-disk", "chaplygin-sleigh"}) {
    const System system = load_model(name);
    const std::vector<VectorField> group = group_of(system);
    const auto D = invariant_velocities(system, group);
    REQUIRE(D);
    const ConstrainedBracket b = constrained_bracket(system, *D);
    const StructureCoefficients c = constrained_structure_coefficients(system, *D);
    const VectorField flow = motion(b);
    const int n = system.space.dimension(), r = D->rank();
    const Matrix orbit = as_columns(system.space, group);
    int vertical = 0;
    for (int alpha = 0; alpha < r; ++alpha) {
      std::vector<Expr> terms{Expr(0)};
      for (int beta = 0; beta < r; ++beta) {
        for (int gamma = 0; gamma < r; ++gamma)
          terms.push_back(-c(alpha, beta, gamma) * b.momenta[static_cast<std::size_t>(gamma)] *
                          b.speeds[static_cast<std::size_t>(beta)]);
      }
      const Expr slope = D->leg(alpha)(b.hamiltonian);  // at constant momenta
      CHECK(proved(is_zero(flow[n + alpha] - sum(terms) + slope)));
      if (!solve(orbit, Matrix::column(D->leg(alpha).coefficients()))) continue;
      ++vertical;
      CHECK(proved(is_zero(slope)));
    }
    CHECK(vertical > 0);
  }
}

TEST_CASE("GN-8-reversal-top: a Chaplygin top prefers one sense of rotation") {
  const System top = read_model(R"toml(
title = "a top that reverses"
gravity = "100"
[space]
x = "R"
y = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[bodies.top]
mass = "1"
inertia = "diag(2, 6, 7)"
position = "[x, y, 3 + dot([1, 3/2, 19/10], [B[3,1], B[3,2], B[3,3]])]"
rotation = "B"
[contacts.ground]
body = "top"
surface = { sphere = "3", center = "[-1, -3/2, -19/10]" }
rolls = true
[simulation]
initial = { x = 0, y = 0, B = "Rx(-2.686568)*Ry(-0.130862)", Omega = [4.344, 15.79, 17.812] }
until = 160
)toml",
                                "top.toml");
  const Flow flow(top);
  const std::vector<double> y = initial_state(flow);
  RunOptions options;
  options.until = 160;
  options.samples = 801;
  options.method = "dop853";
  options.settings.rtol = 1e-10;
  options.settings.atol = 1e-12;
  options.invariants = known_invariants(top);
  options.reactions = false;
  const Trajectory run = trajectory(flow, y, options);
  REQUIRE_FALSE(run.failure);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(run.names.begin(), run.names.end(), name) - run.names.begin());
  };
  double most = -100;
  std::vector<double> spin;
  for (const auto& row : run.rows) {
    spin.push_back(row[column("B31")] * row[column("Omega1")] + row[column("B32")] * row[column("Omega2")] +
                   row[column("B33")] * row[column("Omega3")]);
    most = std::max(most, spin.back());
  }
  CHECK(spin.front() < -20);
  CHECK(most > 1);
  REQUIRE_FALSE(run.drift.empty());
  CHECK(run.drift.front().relative() < 1e-6);
}

TEST_CASE("GN-8-ntrailer: two trailers turn steadily above an energy only, and that turning attracts") {
  const System car = load_model("car-2-trailers");
  const std::string mass =
      "m0 + m1*cos(t0-t1)^2 + J1*(sin(t0-t1)/d1)^2 + m2*(cos(t0-t1)*cos(t1-t2))^2"
      " + J2*(cos(t0-t1)*sin(t1-t2)/d2)^2";
  CHECK(conserved_conjecture(car, parse("w", car.scope)).outcome == Outcome::proved);
  CHECK(conserved_conjecture(car, parse("(" + mass + ")*u^2", car.scope)).outcome == Outcome::proved);
  CHECK(conserved_conjecture(car, parse("(" + mass + ")*u", car.scope)).outcome ==
        Outcome::refuted);  // a mutant

  // The shape f1 = t0 − t1, f2 = t1 − t2 at w = 3/5 and energy h of translation: where it stands still, and how it returns.
  const double w = 0.6, d1 = 1, d2 = 0.8;
  Numbers at;
  for (const auto& [s, value] : parameter_values(car)) at.emplace(s, evaluate(value, {}));
  const auto M = [&](double f1, double f2) {
    Numbers here = at;
    for (const auto& [name, value] : {std::pair{"t0", 0.0}, {"t1", -f1}, {"t2", -f1 - f2}})
      here.emplace(parse(name, car.scope).symbol(), value);
    return evaluate(parse(mass, car.scope), here);
  };
  const auto rate = [&](double h, double f1, double f2) {
    const double u = std::sqrt(2 * h / M(f1, f2)), t1 = u * std::sin(f1) / d1,
                 t2 = u * std::cos(f1) * std::sin(f2) / d2;
    return std::pair(w - t1, t1 - t2);
  };
  const double f = std::atan(0.75), h = M(f, f) / 2;  // u = 1, sin f = 3/5 for both
  CHECK(std::abs(rate(h, f, f).first) < 1e-12);
  CHECK(std::abs(rate(h, f, f).second) < 1e-12);
  const double e = 1e-5;
  const auto right = rate(h, f + e, f), left = rate(h, f - e, f), up = rate(h, f, f + e),
             down = rate(h, f, f - e);
  const double a = (right.first - left.first) / (2 * e), b = (up.first - down.first) / (2 * e),
               c = (right.second - left.second) / (2 * e), d = (up.second - down.second) / (2 * e);
  CHECK(a + d < -0.1);
  CHECK(a * d - b * c > 0.01);
  // With u < w d1 nothing can stand still: t1' = u sin f1/d1 never reaches w.
  double nearest = 1;
  for (double f1 = -3.1; f1 < 3.2; f1 += 0.1) {
    for (double f2 = -3.1; f2 < 3.2; f2 += 0.1) nearest = std::min(nearest, rate(0.02, f1, f2).first);
  }
  CHECK(nearest > 0.1);
}

TEST_CASE(
    "GN-8-rare: of Suslov bodies with inertias drawn at random none has a measure, on the locus all have") {
  const System suslov = load_model("suslov-algebra");
  const auto with = [&](int k, bool on_locus) {
    SymbolMap values;
    int place = 0;
    for (const Parameter& p : suslov.parameters) {
      const std::string name = p.symbol.name();
      const bool mixed = name == "I13" || name == "I23";
      values.emplace(p.symbol, mixed ? Expr(on_locus ? 0 : (7 * k + place) % 5 + 1) / 40
                                     : Expr(20 + (11 * k + 3 * place) % 13));
      ++place;
    }
    return invariant_measure_answer(substituted(suslov, values)).outcome;
  };
  for (int k = 0; k < 8; ++k) {
    CHECK(with(k, false) == Outcome::refuted);
    CHECK(with(k, true) == Outcome::proved);
  }
}
