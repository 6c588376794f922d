#include <rattleback/geometry/flag.hpp>

#include <algorithm>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/content.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/geometry/form.hpp>

namespace rattleback {
namespace {

/// One step of a flag: D_i by its annihilator, a basis, and the part of the basis that the last step added.
///
/// Annihilators grow short where brackets grow long. Of the forms that annihilate D_i, those that annihilate the brackets
/// [X, Y] as well are the combinations λ_s ω^s with λ_s dω^s(X, Y) = 0; when constraints are adapted to each other, as
/// in a chain of trailers, they are simply fewer of the same forms.
struct Step {
  std::vector<OneForm> annihilator;
  std::vector<VectorField> fields, fresh;

  explicit Step(const Distribution& D)
      : annihilator(D.annihilator()), fields(D.fields()), fresh(D.fields()) {}
};

/// The rows λ with λ_s dω^s(X, Y) = 0 for all X in `left` and Y in `right`.
Matrix surviving_combinations(const std::vector<OneForm>& omega, const std::vector<VectorField>& left,
                              const std::vector<VectorField>& right) {
  Matrix m(static_cast<int>(left.size() * right.size()), static_cast<int>(omega.size()));
  for (int s = 0; s < m.columns(); ++s) {
    const Form domega = d(omega[s]);
    int row = 0;
    for (const VectorField& X : left) {
      for (const VectorField& Y : right) m(row++, s) = domega({X, Y});
    }
  }
  return transpose(kernel(m).basis);
}

bool is_unit_vector(const Matrix& v) {
  return std::count_if(v.entries().begin(), v.entries().end(), [](Expr e) { return e.is_zero(); }) + 1 ==
         static_cast<long>(v.entries().size());
}

/// D_i becomes D_i + [left, what the last step added to D_i]. False when that is D_i again.
bool advance(const Space& space, const std::vector<VectorField>& left, Step& step) {
  Budget::check();
  if (step.annihilator.empty()) return false;
  const Matrix lambda = surviving_combinations(step.annihilator, left, step.fresh);
  if (lambda.rows() == static_cast<int>(step.annihilator.size())) return false;
  Matrix rows = lambda * as_rows(space, step.annihilator);
  for (int s = 0; s < rows.rows(); ++s) {
    if (is_unit_vector(lambda.row(s))) continue;
    const Matrix form = primitive(transpose(rows.row(s)));
    for (int i = 0; i < rows.columns(); ++i) rows(s, i) = form[i];
  }
  step.annihilator = from_rows(space, rows);
  const Matrix old = as_columns(space, step.fields), now = kernel(rows).basis;
  step.fresh.clear();
  for (const int k : independent_columns(beside(old, now))) {
    if (k >= old.columns()) step.fresh.push_back(from_columns(space, now.column(k - old.columns()))[0]);
  }
  step.fields = from_columns(space, now);
  return true;
}

/// The flag (D.4): brackets of D with D_i. Brackets with older parts of D_i lie in D_i already.
Step closure(const Distribution& D, std::vector<int>& ranks) {
  Step step(D);
  ranks = {D.rank()};
  while (advance(D.space(), D.fields(), step)) ranks.push_back(static_cast<int>(step.fields.size()));
  return step;
}

Distribution annihilated_by(const Space& space, const Step& step) {
  return step.annihilator.empty() ? Distribution::spanned_by(space, step.fields)
                                  : Distribution::annihilated_by(space, step.annihilator);
}

}  // namespace

std::vector<int> growth_vector(const Distribution& D) {
  std::vector<int> ranks;
  closure(D, ranks);
  return ranks;
}

std::vector<int> derived_flag(const Distribution& D) {
  Step step(D);
  std::vector<int> ranks{D.rank()};
  while (advance(D.space(), std::vector(step.fields), step))
    ranks.push_back(static_cast<int>(step.fields.size()));
  return ranks;
}

Distribution involutive_closure(const Distribution& D) {
  std::vector<int> ranks;
  return annihilated_by(D.space(), closure(D, ranks));
}

Verdict is_bracket_generating(const Distribution& D) {
  std::vector<int> ranks;
  const Step step = closure(D, ranks);
  if (step.annihilator.empty()) {
    return Proved{
        {.method = "brackets of length up to " + std::to_string(ranks.size()) + " span the tangent space"},
        D.where()};
  }
  if (proved(is_involutive(annihilated_by(D.space(), step)))) {
    return Refuted{{.value = std::to_string(ranks.back()), .note = "the rank of the involutive closure"}};
  }
  return Undecided{"the brackets of length up to " + std::to_string(ranks.size()) +
                       " add nothing at random points, but this is not proved",
                   "give parameters numeric values"};
}

int holonomic_dimension(const Distribution& D) {
  std::vector<int> ranks;
  return static_cast<int>(closure(D, ranks).annihilator.size());
}

namespace {

std::vector<VectorField> brackets(const std::vector<VectorField>& left,
                                  const std::vector<VectorField>& right) {
  std::vector<VectorField> all;
  for (const VectorField& X : left) {
    for (const VectorField& Y : right) {
      Budget::check();
      all.push_back(bracket(X, Y));
    }
  }
  return all;
}

/// The brackets [X_a, Y] that are not zero and not ± another one.
std::vector<VectorField> next_layer(const std::vector<VectorField>& D,
                                    const std::vector<VectorField>& layer) {
  std::vector<VectorField> next;
  std::vector<std::vector<Expr>> seen;
  for (const VectorField& X : brackets(D, layer)) {
    const std::vector<Expr>& x = X.coefficients();
    if (std::all_of(x.begin(), x.end(), [](Expr e) { return e.is_zero(); })) continue;
    const std::vector<Expr> minus = (Expr(-1) * X).coefficients();
    if (std::find(seen.begin(), seen.end(), x) != seen.end() ||
        std::find(seen.begin(), seen.end(), minus) != seen.end()) {
      continue;
    }
    seen.push_back(x);
    next.push_back(X);
  }
  return next;
}

}  // namespace

/// At a special point no bracket may be dropped because others span it elsewhere: all left-normed brackets
/// [X_a, [X_b, …]] are followed, and their ranks taken where the symbols have their values.
Growth growth_vector_at(const Distribution& D, const SymbolMap& values, int longest_bracket) {
  constexpr std::size_t most_fields = 2000;
  const int full = D.space().dimension() - holonomic_dimension(D);
  std::vector<VectorField> layer = D.fields(), all = D.fields();
  Growth growth;
  while (true) {
    growth.ranks.push_back(rank(substitute(as_columns(D.space(), all), values)));
    if (growth.ranks.back() == full) return growth;
    layer = next_layer(D.fields(), layer);
    if (layer.empty()) return growth;
    if (static_cast<int>(growth.ranks.size()) == longest_bracket || all.size() + layer.size() > most_fields) {
      growth.complete = false;
      return growth;
    }
    all.insert(all.end(), layer.begin(), layer.end());
  }
}

}  // namespace rattleback
