#include <rattleback/geometry/one_form.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

OneForm::OneForm(Space space, std::vector<Expr> coefficients)
    : space_(std::move(space)), a_(std::move(coefficients)) {
  if (static_cast<int>(a_.size()) != space_.dimension())
    throw Bug("a one-form needs one coefficient per leg");
}

Expr OneForm::operator()(const VectorField& X) const {
  if (!(X.space() == space_)) throw Bug("a one-form and a vector field on different spaces");
  std::vector<Expr> terms{Expr(0)};
  for (int i = 0; i < space_.dimension(); ++i) {
    if (!a_[i].is_zero() && !X[i].is_zero()) terms.push_back(a_[i] * X[i]);
  }
  return sum(terms);
}

OneForm operator+(const OneForm& a, const OneForm& b) {
  if (!(a.space() == b.space())) throw Bug("one-forms on different spaces");
  OneForm c = a;
  for (int i = 0; i < a.space().dimension(); ++i) c[i] = a[i] + b[i];
  return c;
}

OneForm operator*(Expr f, const OneForm& a) {
  OneForm c = a;
  for (int i = 0; i < a.space().dimension(); ++i) c[i] = f * a[i];
  return c;
}

OneForm differential(const Space& space, Expr f) {
  OneForm df(space);
  for (int i = 0; i < space.dimension(); ++i) df[i] = space.derivative(i, f);
  return df;
}

OneForm one_form_of_velocities(const Space& space, Expr linear) {
  return {space, gradient(linear, space.velocities())};
}

Matrix as_rows(const Space& space, const std::vector<OneForm>& forms) {
  Matrix m(static_cast<int>(forms.size()), space.dimension());
  for (int s = 0; s < m.rows(); ++s) {
    for (int i = 0; i < m.columns(); ++i) m(s, i) = forms[s][i];
  }
  return m;
}

std::vector<OneForm> from_rows(const Space& space, const Matrix& rows) {
  std::vector<OneForm> forms;
  for (int s = 0; s < rows.rows(); ++s) {
    OneForm a(space);
    for (int i = 0; i < rows.columns(); ++i) a[i] = rows(s, i);
    forms.push_back(std::move(a));
  }
  return forms;
}

}  // namespace rattleback
