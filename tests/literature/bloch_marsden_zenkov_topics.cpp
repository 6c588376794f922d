// Bloch, Marsden and Zenkov's article: Dirac structures, the reduced Lagrangian, and its section on further topics.
#include <doctest/doctest.h>

#include <rattleback/geometry/flag.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/reduction.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/measure/invariant_measure.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

#include "../forms.hpp"

using namespace rattleback;

TEST_CASE(
    "BMZ-dirac: {(w, a): w in Delta, a - Omega w in Delta^0} is maximal isotropic, and (q', p', dH) lies in "
    "it") {
  const System s = load_model("chaplygin-sleigh");
  const Admissible D = admissible_velocities(s);
  const int n = s.space.dimension(), m = D.rank();
  // Rows (w; a) on T*Q with coordinates (q, p): Ω = dq ∧ dp, Δ = {Tπ w ∈ D}.
  std::vector<std::vector<Expr>> rows;
  const auto add = [&](const std::vector<Expr>& dq, const std::vector<Expr>& dp) {
    std::vector<Expr> row = dq;
    row.insert(row.end(), dp.begin(), dp.end());
    for (const Expr e : dp) row.push_back(-e);  // i_w Ω = dq(w) dp − dp(w) dq
    row.insert(row.end(), dq.begin(), dq.end());
    rows.push_back(row);
  };
  const std::vector<Expr> zero(static_cast<std::size_t>(n), Expr(0));
  for (int a = 0; a < m; ++a) {
    const Matrix X = D.psi.column(a);
    add({X.entries().begin(), X.entries().end()}, zero);
  }
  for (int i = 0; i < n; ++i) {
    std::vector<Expr> dp = zero;
    dp[static_cast<std::size_t>(i)] = 1;
    add(zero, dp);
  }
  const Matrix beta = independent_constraints(s).a;
  for (int a = 0; a < beta.rows(); ++a) {  // (0, β^a): what Δ does not see
    std::vector<Expr> row(static_cast<std::size_t>(4 * n), Expr(0));
    for (int i = 0; i < n; ++i) row[2 * n + i] = beta(a, i);
    rows.push_back(row);
  }
  REQUIRE(static_cast<int>(rows.size()) == 2 * n);
  Matrix basis(2 * n, 4 * n);
  for (int k = 0; k < 2 * n; ++k) {
    for (int j = 0; j < 4 * n; ++j)
      basis(k, j) = rows[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
  }
  CHECK(rank(basis) == 2 * n);
  std::vector<Expr> pairings;  // ⟨a, w'⟩ + ⟨a', w⟩
  for (int k = 0; k < 2 * n; ++k) {
    for (int l = 0; l < 2 * n; ++l) {
      Expr pairing = 0;
      for (int j = 0; j < 2 * n; ++j)
        pairing += basis(k, 2 * n + j) * basis(l, j) + basis(l, 2 * n + j) * basis(k, j);
      pairings.push_back(pairing);
    }
  }
  CHECK(all_vanish(pairings));
  // The motion: (q', p'; ∂H/∂q, ∂H/∂p) with ∂H/∂q = −∂L/∂q, ∂H/∂p = q' is a combination of the rows.
  const EquationsOfMotion e = formalism("hamel").derive(s);
  const auto along = [&](Expr f) { return derivative_along(f, motion_of(s, e)); };
  const std::vector<Expr> p = substitute(gradient(s.lagrangian, s.space.velocities()), e.velocities);
  Matrix both = basis;
  Matrix motion(1, 4 * n), mutant(1, 4 * n);
  for (int i = 0; i < n; ++i) {
    const Expr q_rate = e.velocities.at(s.space.velocities()[static_cast<std::size_t>(i)]);
    motion(0, i) = q_rate;
    motion(0, n + i) = along(p[static_cast<std::size_t>(i)]);
    motion(0, 2 * n + i) = -substitute(s.space.derivative(i, s.lagrangian), e.velocities);
    motion(0, 3 * n + i) = q_rate;
  }
  mutant = motion;
  mutant(0, n) = motion(0, n) + 1;  // another force than a reaction
  const auto lies_in = [&](const Matrix& row) {
    return rank(beside(transpose(basis), transpose(row))) == 2 * n;
  };
  CHECK(lies_in(motion));
  CHECK_FALSE(lies_in(mutant));
}

TEST_CASE("BMZ-lc: an invariant Lagrangian is a function on D/G, and the equations close there") {
  for (const char* name : {"chaplygin-sleigh", "snakeboard", "chaplygin-sphere"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    std::vector<VectorField> eta;
    for (const Generator& g : r.group) eta.push_back(g.field);
    CHECK(is_invariant(r.lagrangian, eta));
    for (const Expr rate : momentum_rates(s, r)) CHECK(is_invariant(rate, eta));
    for (const Symbol q : s.space.functions()) {
      if (is_invariant(Expr(q), eta)) CHECK(is_invariant(r.D.velocity()(Expr(q)), eta));
    }
  }
  const System sleigh = load_model("chaplygin-sleigh");
  const Reduction r = *reduction_by(sleigh, sleigh.symmetries[0].generators);
  const Expr tilted = substitute(sleigh.lagrangian - parse("x", sleigh.scope), r.D.substitution());
  CHECK_FALSE(is_invariant(tilted, {r.group[0].field}));
}

TEST_CASE("BMZ-hamiltonization: some systems with a measure become Hamiltonian in another time, not all") {
  const auto multiplier = [](const char* name) {
    return chaplygin_multiplier_answer(load_model(name)).outcome;
  };
  const auto measure = [](const char* name) { return invariant_measure_answer(load_model(name)).outcome; };
  CHECK(measure("nonholonomic-particle") == Outcome::proved);
  CHECK(multiplier("nonholonomic-particle") == Outcome::proved);
  CHECK(measure("snakeboard") == Outcome::proved);
  CHECK(multiplier("snakeboard") == Outcome::refuted);
}

TEST_CASE(
    "BMZ-control: control needs brackets that span everything, not only a distribution that is not "
    "integrable") {
  const Space Q({line("x"), line("y"), line("z"), line("w")});
  const Expr y = Q.functions()[1], w = Q.functions()[3];
  const Distribution stuck =
      Distribution::annihilated_by(Q, {OneForm(Q, {-y, Expr(0), Expr(1), Expr(0)}), differential(Q, w)});
  CHECK(refuted(is_involutive(stuck)));
  CHECK(refuted(is_bracket_generating(stuck)));  // w never changes
  const System sleigh = load_model("chaplygin-sleigh");
  const Distribution D = Distribution::annihilated_by(
      sleigh.space, {one_form_of_velocities(sleigh.space, sleigh.constraints[0].expression)});
  CHECK(refuted(is_involutive(D)));
  CHECK(proved(is_bracket_generating(D)));  // rank 2 in dimension 3: the same thing
}

TEST_CASE(
    "BMZ-integrators: a method that keeps quadratic invariants keeps the sleigh's energy; others let it "
    "drift") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Flow flow(sleigh);
  const auto drift = [&](const std::string& method) {
    RunOptions options;
    options.method = method;
    options.settings = {0, 0, 0.2};
    options.until = 20;
    options.reactions = false;
    options.invariants = {{"energy", energy(sleigh)}};
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    REQUIRE_FALSE(run.failure);
    return run.drift.at(0).relative();
  };
  CHECK(drift("gauss4") < 1e-12);
  CHECK(drift("rk4") > 1e-8);
}
