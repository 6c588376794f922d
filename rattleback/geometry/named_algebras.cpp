#include <rattleback/geometry/named_algebras.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

/// c(first + i, second + j, third + k) = ε_ijk, both orders.
void set_epsilon(StructureCoefficients& c, int first, int second, int third) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c.set(first + i, second + j, third + k, Expr(1));
    c.set(first + j, second + i, third + k, Expr(-1));
  }
}

/// Bianchi's class A by Behr's normal form: [e2, e3] = n1 e1, [e3, e1] = n2 e2, [e1, e2] = n3 e3.
LieAlgebra class_a(int n1, int n2, int n3) {
  StructureCoefficients c(3);
  c.set(1, 2, 0, n1);
  c.set(2, 0, 1, n2);
  c.set(0, 1, 2, n3);
  return {{"e1", "e2", "e3"}, c};
}

/// R ⋉ R²: [e3, e1] = a e1 + c e2, [e3, e2] = b e1 + d e2.
LieAlgebra semidirect(Expr a, Expr b, Expr c, Expr d) {
  StructureCoefficients s(3);
  s.set(2, 0, 0, a);
  s.set(2, 0, 1, c);
  s.set(2, 1, 0, b);
  s.set(2, 1, 1, d);
  return {{"e1", "e2", "e3"}, s};
}

}  // namespace

LieAlgebra abelian(int n) {
  std::vector<std::string> basis;
  for (int a = 1; a <= n; ++a) basis.push_back("e" + std::to_string(a));
  return {basis, StructureCoefficients(n)};
}

LieAlgebra so3() { return class_a(1, 1, 1); }

LieAlgebra se2() {
  StructureCoefficients c(3);
  c.set(0, 1, 2, 1);
  c.set(0, 2, 1, -1);
  return {{"rot", "v1", "v2"}, c};
}

LieAlgebra se3() {
  StructureCoefficients c(6);
  set_epsilon(c, 0, 0, 0);
  set_epsilon(c, 0, 3, 3);
  return {{"w1", "w2", "w3", "v1", "v2", "v3"}, c};
}

LieAlgebra sl2() {
  StructureCoefficients c(3);
  c.set(0, 1, 1, 2);
  c.set(0, 2, 2, -2);
  c.set(1, 2, 0, 1);
  return {{"h", "e", "f"}, c};
}

LieAlgebra heisenberg_algebra() { return class_a(0, 0, 1); }

LieAlgebra so4() {
  StructureCoefficients c(6);
  set_epsilon(c, 0, 0, 0);
  set_epsilon(c, 0, 3, 3);
  set_epsilon(c, 3, 3, 0);
  return {{"L1", "L2", "L3", "K1", "K2", "K3"}, c};
}

LieAlgebra aff1() {
  StructureCoefficients c(2);
  c.set(0, 1, 1, 1);
  return {{"a", "b"}, c};
}

/// [E_ij, E_kl] = δ_jk E_il − δ_li E_kj.
LieAlgebra gl2() {
  StructureCoefficients c(4);
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      const int i = x / 2, j = x % 2, k = y / 2, l = y % 2;
      if (j == k) c(x, y, 2 * i + l) += 1;
      if (l == i) c(x, y, 2 * k + j) -= 1;
    }
  }
  return {{"E11", "E12", "E21", "E22"}, c};
}

LieAlgebra bianchi(const std::string& type, Expr h) {
  if (type == "I") return abelian(3);
  if (type == "II") return class_a(0, 0, 1);
  if (type == "III") return semidirect(1, 0, 0, 0);
  if (type == "IV") return semidirect(1, 1, 0, 1);
  if (type == "V") return semidirect(1, 0, 0, 1);
  if (type == "VI") return semidirect(h, 1, 1, h);
  if (type == "VI0") return semidirect(0, 1, 1, 0);
  if (type == "VII") return semidirect(h, -1, 1, h);
  if (type == "VII0") return semidirect(0, -1, 1, 0);
  if (type == "VIII") return class_a(1, 1, -1);
  if (type == "IX") return class_a(1, 1, 1);
  throw Error("unknown-bianchi-type", "`" + type + "` is not a type of Bianchi's list",
              "the types are I, II, III, IV, V, VI, VI0, VII, VII0, VIII, IX");
}

}  // namespace rattleback
