// Mestdag's slides: Proposition 5 term by term, its frame, and the Cartan form on the constraint.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/symmetry/cartan.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/motion/symmetry/reduction.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Γ(∂l_c/∂v^α) along the motion, without frames and brackets: X_α^C(L) on D.
Expr rate_of_momentum(const System& s, const Reduction& r, int alpha) {
  SymbolMap psi;
  for (int i = 0; i < s.space.dimension(); ++i) {
    Expr v = 0;
    for (int a = 0; a < r.frame.rank(); ++a) v += Expr(r.frame.speeds[at(a)]) * r.frame.legs[at(a)][i];
    psi.emplace(s.space.velocities()[at(i)], v);
  }
  return substitute(complete_lift(r.frame.legs[at(alpha)], s.lagrangian), psi);
}

/// Σ over legs m of one kind, and over legs β of D from `first` to `last`, of c(α, β, m) v^β ∂l/∂v^m.
Expr bracket_term(const Reduction& r, int alpha, int first, int last, bool vertical) {
  Expr sum = 0;
  for (int beta = first; beta < last; ++beta) {
    for (int m = 0; m < static_cast<int>(r.frame.legs.size()); ++m) {
      if (r.frame.is_vertical(m) == vertical)
        sum += r.c(alpha, beta, m) * Expr(r.frame.speeds[at(beta)]) * r.momenta[at(m)];
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("ME-prop5-mom: the momentum equation has Ups^r v^kap - Cbar^r v^sig on its right side") {
  bool has_Ups = false, has_C = false;
  for (const char* name : {"snakeboard", "chaplygin-sphere", "routh-sphere", "chaplygin-sleigh"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    REQUIRE(r.frame.rho > 0);
    for (int rho = 0; rho < r.frame.rho; ++rho) {
      // Υ^r_κρ is the vertical part of [X_κ, X_ρ], minus that of [X_ρ, X_κ].
      const Expr Ups = -bracket_term(r, rho, r.frame.rho, r.frame.rank(), true),
                 C = bracket_term(r, rho, 0, r.frame.rho, true), rate = rate_of_momentum(s, r, rho);
      CHECK(all_vanish({rate - (Ups - C)}));
      has_Ups = has_Ups || refuted(is_zero(rate - (-Ups - C)));
      has_C = has_C || refuted(is_zero(rate - (Ups + C)));
    }
  }
  CHECK(has_Ups);
  CHECK(has_C);
}

TEST_CASE(
    "ME-prop5-base: the equations of the shape have -K^r v^lam (printed: +K), -R^I v^lam and -Ups^r v^rho") {
  bool printed_fails = false;
  for (const char* name : {"snakeboard", "veselova", "vertical-disk", "chaplygin-sphere", "falling-disk"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    for (int kappa = r.frame.rho; kappa < r.frame.rank(); ++kappa) {
      const Expr K = bracket_term(r, kappa, r.frame.rho, r.frame.rank(), true),
                 R = bracket_term(r, kappa, r.frame.rho, r.frame.rank(), false),
                 Ups = bracket_term(r, kappa, 0, r.frame.rho, true);
      const Expr left = rate_of_momentum(s, r, kappa) - r.frame.legs[at(kappa)](r.lagrangian);
      CHECK(all_vanish({left + R + K + Ups}));
      printed_fails = printed_fails || refuted(is_zero(left + R - K + Ups));
    }
  }
  CHECK(printed_fails);
}

TEST_CASE("ME-frame: X_rho spans S = D and V, X_r spans V, and X_rho, X_kappa span D") {
  for (const char* name : {"snakeboard", "chaplygin-sphere", "veselova", "falling-disk"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    const AdaptedFrame& e = r.frame;
    CHECK(rank(as_columns(s.space, e.legs)) == s.space.dimension());
    std::vector<VectorField> V, orbit, D;
    for (const Generator& g : r.group) orbit.push_back(g.field);
    for (int m = 0; m < s.space.dimension(); ++m) {
      if (e.is_vertical(m)) V.push_back(e.legs[at(m)]);
      if (m < e.rank()) D.push_back(e.legs[at(m)]);
    }
    for (int m = 0; m < e.rho; ++m) CHECK(e.is_vertical(m));
    std::vector<VectorField> both = V;
    both.insert(both.end(), orbit.begin(), orbit.end());
    CHECK(static_cast<int>(V.size()) == r.orbit);
    CHECK(rank(as_columns(s.space, both)) == r.orbit);
    for (const VectorField& X : D) {
      for (const Constraint& c : s.constraints)
        CHECK(all_vanish({dot(Matrix::column(gradient(c.expression, s.space.velocities())),
                              Matrix::column(X.coefficients()))}));
    }
    // rank(D + V) = rank D + rank V − rank S.
    std::vector<VectorField> together = D;
    together.insert(together.end(), V.begin(), V.end());
    CHECK(rank(as_columns(s.space, together)) == e.rank() + r.orbit - e.rho);
  }
}

TEST_CASE("ME-cartan: Z_f in D~ with Z_f _| omega_L - df in D~^0, and Gamma(f) = Z_f(E)") {
  for (const char* name : {"chaplygin-sleigh", "nonholonomic-particle", "vertical-disk"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Admissible D = admissible_velocities(s);
    const CartanForm cartan = cartan_form(s, D);
    const SymbolMap along = motion_of(s, hamel_equations(s));
    for (const Expr f : {Expr(s.space.functions()[0]) * Expr(D.speeds[0]), pow(Expr(D.speeds[1]), 2)}) {
      const VectorField Z = cartan_field(cartan, f);
      const Expr rate = derivative_along(f, along);
      CHECK(all_vanish({Z(cartan.energy) - rate}));
      if (refuted(is_zero(rate))) CHECK(refuted(is_zero(Z(cartan.energy) + rate)));  // the other sign
      // Z_f is in D~: its part on Q satisfies the constraints.
      for (const Constraint& c : s.constraints) {
        const std::vector<Expr> beta = gradient(c.expression, s.space.velocities());
        Expr along_Q = 0;
        for (int i = 0; i < s.space.dimension(); ++i) along_Q += beta[at(i)] * Z[i];
        CHECK(all_vanish({along_Q}));
      }
    }
  }
}
