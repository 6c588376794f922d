#include <doctest/doctest.h>

#include <rattleback/geometry/flag.hpp>

using namespace rattleback;

TEST_CASE(
    "a car with fifteen trailers, by its constraints: the flag grows one by one, the work stays small") {
  constexpr int n = 15;
  std::vector<Symbol> q{Symbol::make("x"), Symbol::make("y")};
  std::vector<Expr> length(n + 1);
  for (int i = 0; i <= n; ++i) {
    q.push_back(Symbol::make("t" + std::to_string(i)));
    length[i] = Expr(Symbol::make("d" + std::to_string(i), {.sign = Sign::positive}));
  }
  const Space Q = Space::chart(q);
  std::vector<OneForm> constraints;
  for (int i = 0; i <= n;
       ++i) {  // the axle of trailer i, at (x, y) − Σ_j d_j (cos θ_j, sin θ_j), does not slip
    const Expr ti(q[2 + i]);
    OneForm omega(Q);
    omega[0] = -sin(ti);
    omega[1] = cos(ti);
    for (int j = 1; j <= i; ++j) omega[2 + j] = -(length[j] * cos(ti - Expr(q[2 + j])));
    constraints.push_back(omega);
  }
  const Distribution D = Distribution::annihilated_by(Q, constraints);
  const std::size_t before = nodes_built();
  const std::vector<int> growth = growth_vector(D);
  REQUIRE(growth.size() == n + 2);
  for (int k = 0; k < n + 2; ++k) CHECK(growth[static_cast<std::size_t>(k)] == 2 + k);
  CHECK(nodes_built() - before < 200'000);
  CHECK(proved(is_bracket_generating(D)));
  CHECK(holonomic_dimension(D) == 0);
}

TEST_CASE("the involutive closure of a partly holonomic system, and its annihilator") {
  const Space Q =
      Space::chart(std::vector{Symbol::make("x"), Symbol::make("y"), Symbol::make("z"), Symbol::make("s")});
  const Expr y(Q.functions()[1]), z(Q.functions()[2]), s(Q.functions()[3]);
  // dz = y dx, hidden in a combination with d(s z).
  const OneForm contact(Q, {-y, 0, 1, 0}), exact = differential(Q, s * z);
  const Distribution D = Distribution::annihilated_by(Q, {contact + exact, contact + y * exact});
  CHECK(growth_vector(D) == std::vector{2, 3});
  const Distribution closure = involutive_closure(D);
  CHECK(proved(is_involutive(closure)));
  REQUIRE(closure.annihilator().size() == 1);
  for (const VectorField& X : closure.fields()) CHECK(proved(contains(closure, X)));
  CHECK(proved(is_involutive(Distribution::annihilated_by(Q, {exact}))));
  for (const VectorField& X : closure.fields())
    CHECK(proved(contains(Distribution::annihilated_by(Q, {exact}), X)));
}
