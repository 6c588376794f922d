#include <rattleback/motion/symmetry/cartan.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>

namespace rattleback {
namespace {

OneForm poincare_form(const Space& phase, const std::vector<Expr>& p) {
  OneForm theta(phase);
  for (std::size_t i = 0; i < p.size(); ++i) theta[static_cast<int>(i)] = p[i];
  return theta;
}

std::vector<VectorField> legs_of(const Space& phase, const Admissible& D) {
  const int n = D.space.dimension();
  std::vector<VectorField> legs;
  for (int a = 0; a < D.rank(); ++a) {
    VectorField X(phase);
    for (int i = 0; i < n; ++i) X[i] = D.psi(i, a);
    legs.push_back(std::move(X));
  }
  for (int a = 0; a < D.rank(); ++a) legs.push_back(VectorField::leg(phase, n + a));
  return legs;
}

}  // namespace

CartanForm cartan_form(const System& system, const Admissible& D) {
  const SymbolMap psi = D.substitution();
  const Space phase = D.space * Space::chart(D.speeds);
  const OneForm theta = poincare_form(phase, momenta_on(system, psi));
  CartanForm form{phase, legs_of(phase, D), theta, d(theta), {}, substitute(energy(system), psi)};
  const int m = static_cast<int>(form.legs.size());
  form.on_legs = Matrix(m, m);
  for (int a = 0; a < m; ++a) {
    for (int b = a + 1; b < m; ++b) {
      form.on_legs(a, b) =
          form.omega({form.legs[static_cast<std::size_t>(a)], form.legs[static_cast<std::size_t>(b)]});
      form.on_legs(b, a) = -form.on_legs(a, b);
    }
  }
  return form;
}

VectorField cartan_field(const CartanForm& form, Expr f) {
  Matrix slopes(form.on_legs.rows(), 1);
  for (int b = 0; b < slopes.rows(); ++b) slopes[b] = form.legs[static_cast<std::size_t>(b)](f);
  const auto c = unique_solution(transpose(form.on_legs), slopes);  // c^a ω(U_a, U_b) = U_b(f)
  if (!c) {
    throw Degenerate("degenerate-energy", "the Lagrangian is not regular on the constraint",
                     "the Cartan form is singular along the constraint", "add the missing inertia");
  }
  VectorField Z(form.phase);
  for (int a = 0; a < slopes.rows(); ++a) Z = Z + c->x[a] * form.legs[static_cast<std::size_t>(a)];
  return Z;
}

VectorField motion(const CartanForm& form) { return Expr(-1) * cartan_field(form, form.energy); }

Expr reaction_on(const CartanForm& form, const VectorField& motion, const VectorField& Z) {
  return form.omega({motion, Z}) + Z(form.energy);
}

VectorField lifted_to(const CartanForm& form, const Admissible& D, const VectorField& xi) {
  const int n = D.space.dimension();
  VectorField Z(form.phase);
  for (int i = 0; i < n; ++i) Z[i] = xi[i];
  for (int a = 0; a < D.rank(); ++a)
    Z[n + a] = substitute(complete_lift(xi, D.definitions[static_cast<std::size_t>(a)]), D.substitution());
  return Z;
}

}  // namespace rattleback
