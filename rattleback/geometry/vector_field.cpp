#include <rattleback/geometry/vector_field.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

void require_same(const VectorField& X, const VectorField& Y) {
  if (!(X.space() == Y.space())) throw Bug("vector fields on different spaces");
}

}  // namespace

VectorField::VectorField(Space space, std::vector<Expr> coefficients)
    : space_(std::move(space)), x_(std::move(coefficients)) {
  if (static_cast<int>(x_.size()) != space_.dimension())
    throw Bug("a vector field needs one coefficient per leg");
}

VectorField VectorField::leg(const Space& space, int i) {
  VectorField X(space);
  X[i] = 1;
  return X;
}

Expr VectorField::operator()(Expr f) const {
  SymbolMap action;
  for (int i = 0; i < space_.dimension(); ++i) {
    if (x_[i].is_zero()) continue;
    for (const auto& [q, image] : space_.leg(i)) {
      if (f.may_contain(q)) action.try_emplace(q, Expr(0)).first->second += x_[i] * image;
    }
  }
  return action.empty() ? Expr(0) : derivative_along(f, action);
}

VectorField operator+(const VectorField& X, const VectorField& Y) {
  require_same(X, Y);
  VectorField Z = X;
  for (int i = 0; i < X.space().dimension(); ++i) Z[i] = X[i] + Y[i];
  return Z;
}

VectorField operator*(Expr f, const VectorField& X) {
  VectorField Z = X;
  for (int i = 0; i < X.space().dimension(); ++i) Z[i] = f * X[i];
  return Z;
}

VectorField operator-(const VectorField& X, const VectorField& Y) { return X + Expr(-1) * Y; }

namespace {

/// C_jk^i X^j Y^k.
Expr structure_term(const VectorField& X, const VectorField& Y, int i) {
  const StructureCoefficients& C = X.space().c();
  std::vector<Expr> terms{Expr(0)};
  for (int j = 0; j < C.dimension(); ++j) {
    if (X[j].is_zero()) continue;
    for (int k = 0; k < C.dimension(); ++k) {
      if (!C(j, k, i).is_zero()) terms.push_back(C(j, k, i) * X[j] * Y[k]);
    }
  }
  return sum(terms);
}

}  // namespace

VectorField bracket(const VectorField& X, const VectorField& Y) {
  require_same(X, Y);
  VectorField Z(X.space());
  for (int i = 0; i < X.space().dimension(); ++i) Z[i] = X(Y[i]) - Y(X[i]) + structure_term(X, Y, i);
  return Z;
}

Matrix as_columns(const Space& space, const std::vector<VectorField>& fields) {
  Matrix m(space.dimension(), static_cast<int>(fields.size()));
  for (int a = 0; a < m.columns(); ++a) {
    for (int i = 0; i < m.rows(); ++i) m(i, a) = fields[a][i];
  }
  return m;
}

std::vector<VectorField> from_columns(const Space& space, const Matrix& columns) {
  std::vector<VectorField> fields;
  for (int a = 0; a < columns.columns(); ++a) {
    VectorField X(space);
    for (int i = 0; i < columns.rows(); ++i) X[i] = columns(i, a);
    fields.push_back(std::move(X));
  }
  return fields;
}

}  // namespace rattleback
