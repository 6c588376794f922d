#include <rattleback/geometry/distribution.hpp>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/form.hpp>

namespace rattleback {

Distribution::Distribution(Space space, std::vector<VectorField> fields, std::vector<OneForm> annihilator,
                           Assumptions where)
    : space_(std::move(space)),
      fields_(std::move(fields)),
      annihilator_(std::move(annihilator)),
      where_(std::move(where)) {}

Distribution Distribution::spanned_by(const Space& space, const std::vector<VectorField>& fields) {
  const Matrix all = as_columns(space, fields);
  const Matrix columns = columns_of(all, independent_columns(all));
  const Kernel forms = left_kernel(columns);
  return {space, from_columns(space, columns), from_rows(space, transpose(forms.basis)), forms.where};
}

Distribution Distribution::annihilated_by(const Space& space, const std::vector<OneForm>& forms) {
  const Matrix all = as_rows(space, forms);
  const Matrix rows = rows_of(all, independent_columns(transpose(all)));
  const Kernel fields = kernel(rows);
  return {space, from_columns(space, fields.basis), from_rows(space, rows), fields.where};
}

Verdict is_involutive(const Distribution& D) {
  std::vector<Expr> vertical;
  for (int a = 0; a < D.rank(); ++a) {
    for (int b = a + 1; b < D.rank(); ++b) {
      const VectorField X = bracket(D.fields()[a], D.fields()[b]);
      for (const OneForm& omega : D.annihilator()) vertical.push_back(omega(X));
    }
  }
  return is_zero(vertical);
}

Verdict is_involutive_by_forms(const Distribution& D) {
  Form volume(D.space(), Expr(1));
  for (const OneForm& omega : D.annihilator()) volume = wedge(volume, Form(omega));
  std::vector<Expr> coefficients;
  for (const OneForm& omega : D.annihilator()) {
    const Form w = wedge(d(omega), volume);
    coefficients.insert(coefficients.end(), w.coefficients().begin(), w.coefficients().end());
  }
  return is_zero(coefficients);
}

Verdict contains(const Distribution& D, const VectorField& X) {
  std::vector<Expr> values;
  for (const OneForm& omega : D.annihilator()) values.push_back(omega(X));
  return is_zero(values);
}

}  // namespace rattleback
