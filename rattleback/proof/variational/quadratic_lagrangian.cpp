#include <rattleback/proof/variational/quadratic_lagrangian.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/proof/evidence/constant_combination.hpp>

namespace rattleback {
namespace {

/// How many parameters its poles and the degenerate places of its Hessian name.
std::size_t excluded_parameters(const SecondOrderSystem& s, Expr lagrangian) {
  std::vector<Expr> special;
  for (const Assumption& a : denominators({&lagrangian, 1})) special.push_back(a.expression);
  special.push_back(short_form(determinant(jacobian(gradient(lagrangian, s.v), s.v))));
  return static_cast<std::size_t>(std::ranges::count_if(
      symbols_of(special), [](Symbol x) { return x.role() == Role::parameter && !known_nonzero(Expr(x)); }));
}

class QuadraticForms {
 public:
  explicit QuadraticForms(const SecondOrderSystem& s) : s_(s) {
    add_products(s.v, s.v, true);
    kinetic_ = static_cast<int>(terms_.size());
    add_products(s.q, s.v, false);
    add_products(s.q, s.q, true);
    for (const Symbol q : s.q) terms_.emplace_back(q);
    columns_ = Matrix(static_cast<int>(s.q.size()), static_cast<int>(terms_.size()));
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const std::vector<Expr> E = euler_lagrange(s, terms_[k]);
      for (std::size_t i = 0; i < E.size(); ++i) columns_(static_cast<int>(i), static_cast<int>(k)) = E[i];
    }
  }

  int kinetic() const { return kinetic_; }

  /// Coefficients of all terms with E(L) = 0 and the coefficient 1 of this kinetic term. What is left open is 0, the last terms first or, the
  /// other way round, the first ones.
  std::optional<std::vector<Expr>> with_term(int first, bool reversed) const {
    std::vector<int> others;
    for (int k = 0; k < columns_.columns(); ++k) {
      if (k != first) others.push_back(k);
    }
    if (reversed) std::ranges::reverse(others);
    auto c = constant_combination(columns_of(columns_, others), Expr(-1) * columns_.column(first));
    if (!c) return c;
    if (reversed) std::ranges::reverse(*c);
    c->insert(c->begin() + first, Expr(1));
    return c;
  }

  /// Likewise with this kinetic part.
  std::optional<std::vector<Expr>> with_kinetic_part(const Matrix& part) const {
    std::vector<int> kinetic, others;
    for (int k = 0; k < columns_.columns(); ++k) (k < kinetic_ ? kinetic : others).push_back(k);
    auto c =
        constant_combination(columns_of(columns_, others), Expr(-1) * (columns_of(columns_, kinetic) * part));
    if (c) c->insert(c->begin(), part.entries().begin(), part.entries().end());
    return c;
  }

  /// The Lagrangian with these coefficients, if it is regular.
  std::optional<Expr> regular(const std::vector<Expr>& c) const {
    std::vector<Expr> all{Expr(0)};
    for (std::size_t k = 0; k < c.size(); ++k) all.push_back(c[k] * terms_[k]);
    const Expr L = short_form(sum(all));
    return proved(is_lagrangian(s_, L)) ? std::optional(L) : std::nullopt;
  }

 private:
  void add_products(const std::vector<Symbol>& a, const std::vector<Symbol>& b, bool symmetric) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = symmetric ? i : 0; j < b.size(); ++j) terms_.push_back(Expr(a[i]) * Expr(b[j]));
    }
  }

  const SecondOrderSystem& s_;
  std::vector<Expr> terms_;
  int kinetic_ = 0;
  Matrix columns_;
};

/// Rows of numbers: the kinetic parts at some values of the parameters; nothing where they have a pole there.
std::optional<Matrix> at_values(const Matrix& parts, const std::vector<Symbol>& parameters, int draw) {
  SymbolMap values;
  int k = 2;
  for (const Symbol p : parameters) values.emplace(p, Expr(Rational(k++ + 7 * draw, 3 + draw)));
  try {
    return substitute(parts, values);
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

/// Columns: the kinetic parts that occur at all parameters, within the span of the rows at each of several.
Matrix common_parts(const Matrix& parts, const std::vector<Symbol>& parameters) {
  constexpr int draws = 3;
  Matrix conditions(0, parts.columns());
  for (int draw = 0; draw < draws; ++draw) {
    const auto there = at_values(parts, parameters, draw);
    if (!there) continue;
    const Matrix annihilators = transpose(kernel(*there).basis);  // c with parts · c = 0
    conditions = conditions.rows() == 0 ? annihilators : above(conditions, annihilators);
  }
  return conditions.rows() == 0 ? Matrix(parts.columns(), 0) : kernel(conditions).basis;
}

}  // namespace

std::optional<Expr> quadratic_lagrangian(const SecondOrderSystem& s, const std::vector<Symbol>& parameters) {
  constexpr std::size_t few = search_limits::quadratic_ansatz.count;
  if (parameters.empty() || s.q.size() > few) return std::nullopt;
  const QuadraticForms forms(s);
  std::optional<Expr> best;
  const auto consider = [&](const std::optional<std::vector<Expr>>& c) {
    const auto L = c ? forms.regular(*c) : std::nullopt;
    if (L && (!best || excluded_parameters(s, *L) < excluded_parameters(s, *best))) best = L;
    return best && excluded_parameters(s, *best) == 0;
  };
  std::vector<Expr> rows;
  int count = 0;
  for (int first = 0; first < forms.kinetic(); ++first) {
    for (const bool reversed : {false, true}) {
      const auto c = forms.with_term(first, reversed);
      if (!c) break;
      rows.insert(rows.end(), c->begin(), c->begin() + forms.kinetic());
      ++count;
      if (consider(c)) return best;
    }
  }
  if (count == 0) return std::nullopt;
  Matrix parts(count, forms.kinetic());
  std::ranges::copy(rows, parts.entries().begin());
  const Matrix common = common_parts(parts, parameters);
  for (int k = 0; k < common.columns(); ++k) {
    if (consider(forms.with_kinetic_part(common.column(k)))) break;
  }
  return best;
}

}  // namespace rattleback
