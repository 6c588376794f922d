// Lie algebras: identities, refusals, and names that do not depend on the basis.
#include <doctest/doctest.h>

#include <random>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/named_algebras.hpp>

using namespace rattleback;

namespace {

std::vector<LieAlgebra> algebras() {
  return {abelian(3),
          so3(),
          se2(),
          se3(),
          sl2(),
          heisenberg_algebra(),
          so4(),
          aff1(),
          gl2(),
          bianchi("III"),
          bianchi("IV"),
          bianchi("V"),
          bianchi("VI", symbol("h")),
          bianchi("VI0"),
          bianchi("VII", symbol("h")),
          bianchi("VIII"),
          direct_sum(aff1(), so3())};
}

Matrix generic(const LieAlgebra& g, const std::string& stem) {
  Matrix x(g.dimension(), 1);
  for (int a = 0; a < g.dimension(); ++a) x[a] = symbol(stem + std::to_string(a));
  return x;
}

/// The structure constants in the basis of the columns of a random unimodular matrix.
LieAlgebra in_another_basis(const LieAlgebra& g, unsigned seed) {
  std::mt19937 engine(seed);
  const int n = g.dimension();
  Matrix lower = Matrix::identity(n), upper = Matrix::identity(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      lower(i, j) = static_cast<int>(engine() % 5) - 2;
      upper(j, i) = static_cast<int>(engine() % 5) - 2;
    }
  }
  const Matrix P = lower * upper, Q = inverse(P).x;
  StructureCoefficients c(n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      const Matrix z = Q * bracket(g, P.column(a), P.column(b));
      for (int d = 0; d < n; ++d) c(a, b, d) = z[d];
    }
  }
  return {g.basis(), c};
}

}  // namespace

TEST_CASE("ad is a representation: ad_[x,y] = ad_x ad_y − ad_y ad_x (L.3)") {
  for (const LieAlgebra& g : algebras()) {
    const Matrix x = generic(g, "x"), y = generic(g, "y");
    const Matrix commutator = ad(g, x) * ad(g, y) - ad(g, y) * ad(g, x);
    CHECK(proved(is_zero((ad(g, bracket(g, x, y)) - commutator).entries())));
    if (!g.c().all_zero() && recognised_name(g) != "heis(3)")
      CHECK(refuted(is_zero((ad(g, bracket(g, x, y)) + commutator).entries())));
  }
}

TEST_CASE("⟨ad*_x μ, y⟩ = ⟨μ, [x, y]⟩ (L.4)") {
  for (const LieAlgebra& g : algebras()) {
    const Matrix x = generic(g, "x"), y = generic(g, "y"), mu = generic(g, "mu");
    CHECK(proved(is_zero(dot(ad_star(g, x, mu), y) - dot(mu, bracket(g, x, y)))));
    if (!g.c().all_zero()) CHECK(refuted(is_zero(dot(ad_star(g, x, mu), y) - dot(mu, bracket(g, y, x)))));
  }
}

TEST_CASE("the Killing form is invariant: κ([x, y], z) + κ(y, [x, z]) = 0 (L.5)") {
  for (const LieAlgebra& g : {so3(), sl2(), so4(), se3(), gl2()}) {
    const Matrix x = generic(g, "x"), y = generic(g, "y"), z = generic(g, "z"), kappa = killing_form(g);
    const auto k = [&](const Matrix& u, const Matrix& v) { return dot(u, kappa * v); };
    CHECK(proved(is_zero(k(bracket(g, x, y), z) + k(y, bracket(g, x, z)))));
    CHECK(refuted(is_zero(k(bracket(g, x, y), z) - k(y, bracket(g, x, z)))));
  }
}

TEST_CASE("unimodular or not (L.6)") {
  for (const LieAlgebra& g :
       {so3(), se2(), se3(), sl2(), heisenberg_algebra(), so4(), gl2(), bianchi("VI0")}) {
    CHECK(proved(is_unimodular(g)));
  }
  for (const LieAlgebra& g : {aff1(), bianchi("III"), bianchi("IV"), bianchi("V"), bianchi("VII", 2)}) {
    CHECK(refuted(is_unimodular(g)));
  }
}

TEST_CASE("names do not depend on the basis") {
  const std::vector<std::pair<LieAlgebra, std::string>> named{{abelian(3), "R^3"},
                                                              {so3(), "so(3)"},
                                                              {se2(), "se(2)"},
                                                              {sl2(), "sl(2)"},
                                                              {aff1(), "aff(1)"},
                                                              {bianchi("III"), "aff(1) + R"},
                                                              {heisenberg_algebra(), "heis(3)"},
                                                              {bianchi("IV"), "Bianchi IV"},
                                                              {bianchi("V"), "Bianchi V"},
                                                              {bianchi("VI0"), "se(1,1)"},
                                                              {bianchi("VI", 2), "Bianchi VI_h"},
                                                              {bianchi("VII", 2), "Bianchi VII_h"},
                                                              {bianchi("VIII"), "sl(2)"},
                                                              {bianchi("IX"), "so(3)"},
                                                              {gl2(), "gl(2)"},
                                                              {so4(), "so(4)"},
                                                              {se3(), "se(3)"},
                                                              {direct_sum(so3(), so3()), "so(4)"},
                                                              {direct_sum(so3(), sl2()), "so(3) + sl(2)"},
                                                              {direct_sum(so3(), abelian(1)), "so(3) + R"}};
  for (const auto& [g, name] : named) {
    CHECK(recognised_name(g) == name);
    for (const unsigned seed : {1U, 2U}) CHECK(recognised_name(in_another_basis(g, seed)) == name);
  }
}

TEST_CASE("derived and lower central series") {
  CHECK(derived_series(so3()) == std::vector{3});
  CHECK(derived_series(se2()) == std::vector{3, 2, 0});
  CHECK(lower_central_series(se2()) == std::vector{3, 2});
  CHECK(lower_central_series(heisenberg_algebra()) == std::vector{3, 1, 0});
  CHECK(derived_series(gl2()) == std::vector{4, 3});
  CHECK(centre(gl2()).columns() == 1);
}

TEST_CASE("brackets that are no Lie algebra are refused, and the error names the triple") {
  StructureCoefficients c = so3().c();
  c.set(0, 1, 0, 1);  // [e1, e2] = e3 + e1
  try {
    static_cast<void>(LieAlgebra({"e1", "e2", "e3"}, c));
    FAIL("the Jacobi identity was not checked");
  } catch (const Error& error) {
    CHECK(error.slug == "not-a-lie-algebra");
    CHECK(error.summary.find("e1, e2, e3") != std::string::npos);
  }
  StructureCoefficients lopsided(2);
  lopsided(0, 1, 1) = 1;
  try {
    static_cast<void>(LieAlgebra({"a", "b"}, lopsided));
    FAIL("antisymmetry was not checked");
  } catch (const Error& error) {
    CHECK(error.slug == "not-antisymmetric");
    CHECK(error.summary.find("[a, b]") != std::string::npos);
  }
}
