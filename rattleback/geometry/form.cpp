#include <rattleback/geometry/form.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/minors.hpp>

namespace rattleback {
namespace {

/// Sorts the list; the sign of the permutation, 0 when an index repeats.
int sort_with_sign(std::vector<int>& list) {
  int sign = 1;
  for (std::size_t i = 1; i < list.size(); ++i) {
    for (std::size_t j = i; j > 0 && list[j - 1] > list[j]; --j) {
      std::swap(list[j - 1], list[j]);
      sign = -sign;
    }
  }
  return std::adjacent_find(list.begin(), list.end()) == list.end() ? sign : 0;
}

int alternating(int k) { return k % 2 == 0 ? 1 : -1; }

void require_same(const Form& a, const Form& b) {
  if (!(a.space() == b.space()) || a.degree() != b.degree())
    throw Bug("forms of different spaces or degrees");
}

}  // namespace

Form::Form(Space space, int degree)
    : space_(std::move(space)),
      degree_(degree),
      indices_(subsets(space_.dimension(), degree)),
      w_(indices_.size()) {}

Form::Form(Space space, Expr function) : Form(std::move(space), 0) { w_[0] = function; }

Form::Form(const OneForm& alpha) : Form(alpha.space(), 1) { w_ = alpha.coefficients(); }

Expr Form::at(std::vector<int> legs) const {
  const int sign = sort_with_sign(legs);
  if (sign == 0) return Expr(0);
  const auto found = std::lower_bound(indices_.begin(), indices_.end(), legs);
  const Expr w = w_[found - indices_.begin()];
  return sign > 0 ? w : -w;
}

/// Σ_{i<j<…} ω_{ij…} det(θ^{i,j,…}(Y_1, …, Y_k)).
Expr Form::operator()(const std::vector<VectorField>& fields) const {
  if (static_cast<int>(fields.size()) != degree_) throw Bug("a form takes as many fields as its degree");
  std::vector<int> columns(fields.size());
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = static_cast<int>(c);
  const Matrix components = as_columns(space_, fields);
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t k = 0; k < indices_.size(); ++k) {
    if (!w_[k].is_zero()) terms.push_back(w_[k] * minor(components, indices_[k], columns));
  }
  return sum(terms);
}

Form operator+(const Form& a, const Form& b) {
  require_same(a, b);
  Form c = a;
  for (std::size_t k = 0; k < a.indices().size(); ++k) c[k] = a[k] + b[k];
  return c;
}

Form operator*(Expr f, const Form& a) {
  Form c = a;
  for (std::size_t k = 0; k < a.indices().size(); ++k) c[k] = f * a[k];
  return c;
}

Form operator-(const Form& a, const Form& b) { return a + Expr(-1) * b; }

Form wedge(const Form& a, const Form& b) {
  if (!(a.space() == b.space())) throw Bug("forms on different spaces");
  Form c(a.space(), a.degree() + b.degree());
  for (std::size_t i = 0; i < a.indices().size(); ++i) {
    if (a[i].is_zero()) continue;
    for (std::size_t j = 0; j < b.indices().size(); ++j) {
      std::vector<int> list = a.indices()[i];
      list.insert(list.end(), b.indices()[j].begin(), b.indices()[j].end());
      const int sign = sort_with_sign(list);
      if (sign == 0 || b[j].is_zero()) continue;
      const auto found = std::lower_bound(c.indices().begin(), c.indices().end(), list);
      c[static_cast<std::size_t>(found - c.indices().begin())] += Expr(sign) * a[i] * b[j];
    }
  }
  return c;
}

namespace {

std::vector<int> without(std::vector<int> list, int position) {
  list.erase(list.begin() + position);
  return list;
}

/// ω([X_i, X_j], the other legs) = C_ij^m ω(X_m, the other legs).
Expr structure_term(const Form& w, int i, int j, std::vector<int> others) {
  const StructureCoefficients& C = w.space().c();
  others.insert(others.begin(), 0);
  std::vector<Expr> terms{Expr(0)};
  for (int m = 0; m < C.dimension(); ++m) {
    if (C(i, j, m).is_zero()) continue;
    others[0] = m;
    terms.push_back(C(i, j, m) * w.at(others));
  }
  return sum(terms);
}

}  // namespace

Form d(const Form& w) {
  Form dw(w.space(), w.degree() + 1);
  for (std::size_t k = 0; k < dw.indices().size(); ++k) {
    const std::vector<int>& legs = dw.indices()[k];
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < dw.degree(); ++a) {
      terms.push_back(Expr(alternating(a)) * w.space().derivative(legs[a], w.at(without(legs, a))));
      for (int b = a + 1; b < dw.degree(); ++b) {
        terms.push_back(Expr(alternating(a + b)) *
                        structure_term(w, legs[a], legs[b], without(without(legs, b), a)));
      }
    }
    dw[k] = sum(terms);
  }
  return dw;
}

Form d(const OneForm& alpha) { return d(Form(alpha)); }

Form interior_product(const VectorField& X, const Form& w) {
  if (w.degree() == 0) throw Bug("the interior product of a function");
  Form ixw(w.space(), w.degree() - 1);
  for (std::size_t k = 0; k < ixw.indices().size(); ++k) {
    std::vector<int> legs = ixw.indices()[k];
    legs.insert(legs.begin(), 0);
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < w.space().dimension(); ++i) {
      legs[0] = i;
      if (!X[i].is_zero()) terms.push_back(X[i] * w.at(legs));
    }
    ixw[k] = sum(terms);
  }
  return ixw;
}

Form lie_derivative(const VectorField& X, const Form& w) {
  if (w.degree() == 0) return {w.space(), X(w[0])};
  return interior_product(X, d(w)) + d(interior_product(X, w));
}

OneForm lie_derivative(const VectorField& X, const OneForm& alpha) {
  OneForm result(alpha.space());
  for (int j = 0; j < alpha.space().dimension(); ++j) {
    const VectorField Xj = VectorField::leg(alpha.space(), j);
    result[j] = X(alpha[j]) - alpha(bracket(X, Xj));
  }
  return result;
}

}  // namespace rattleback
