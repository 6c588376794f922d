#include <rattleback/geometry/flag.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/content.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
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
  std::vector<Form> differentials;  ///< dω of each ω in the annihilator
  std::vector<VectorField> fields, fresh;

  explicit Step(const Distribution& D) : annihilator(D.annihilator()), fields(D.fields()), fresh(D.fields()) {
    for (const OneForm& omega : annihilator) differentials.push_back(d(omega));
  }
};

/// The rows λ with λ_s dω^s(X, Y) = 0 for all X in `left` and Y in `right`.
Matrix surviving_combinations(const std::vector<Form>& differentials, const std::vector<VectorField>& left,
                              const std::vector<VectorField>& right) {
  Matrix m(static_cast<int>(left.size() * right.size()), static_cast<int>(differentials.size()));
  for (int s = 0; s < m.columns(); ++s) {
    int row = 0;
    for (const VectorField& X : left) {
      for (const VectorField& Y : right) m(row++, s) = differentials[static_cast<std::size_t>(s)]({X, Y});
    }
  }
  return transpose(kernel(m).basis);
}

/// s, when the vector has no other component.
std::optional<int> only_component(const Matrix& v) {
  std::optional<int> found;
  for (int s = 0; s < static_cast<int>(v.entries().size()); ++s) {
    if (v[s].is_zero()) continue;
    if (found) return std::nullopt;
    found = s;
  }
  return found;
}

/// The forms λ_s ω^s with their differentials; a single ω^s stays as it is.
void combine(const Space& space, const Matrix& lambda, Step& step) {
  const Matrix rows = lambda * as_rows(space, step.annihilator);
  std::vector<OneForm> annihilator;
  std::vector<Form> differentials;
  for (int s = 0; s < rows.rows(); ++s) {
    if (const auto same = only_component(lambda.row(s))) {
      annihilator.push_back(step.annihilator[static_cast<std::size_t>(*same)]);
      differentials.push_back(step.differentials[static_cast<std::size_t>(*same)]);
      continue;
    }
    annihilator.push_back(from_rows(space, transpose(primitive(transpose(rows.row(s)))))[0]);
    differentials.push_back(d(annihilator.back()));
  }
  step.annihilator = std::move(annihilator);
  step.differentials = std::move(differentials);
}

/// What completes the fields of D_i to a basis of the larger space that the forms annihilate: with as many components
/// zero as D_i has dimensions, so that only the new vectors are ever computed.
std::vector<VectorField> completion(const Space& space, const Step& step) {
  const std::vector<int> spanned = independent_columns(transpose(as_columns(space, step.fields)));
  std::vector<int> others;
  for (int i = 0; i < space.dimension(); ++i) {
    if (std::find(spanned.begin(), spanned.end(), i) == spanned.end()) others.push_back(i);
  }
  const Matrix part = kernel(columns_of(as_rows(space, step.annihilator), others)).basis;
  Matrix whole(space.dimension(), part.columns());
  for (int k = 0; k < part.columns(); ++k) {
    for (int i = 0; i < part.rows(); ++i) whole(others[static_cast<std::size_t>(i)], k) = part(i, k);
  }
  return from_columns(space, whole);
}

std::vector<VectorField> all_legs(const Space& space) {
  return from_columns(space, Matrix::identity(space.dimension()));
}

/// D_i becomes D_i + [left, what the last step added to D_i]. False when that is D_i again.
bool advance(const Space& space, const std::vector<VectorField>& left, Step& step) {
  Budget::check();
  if (step.annihilator.empty()) return false;
  const Matrix lambda = surviving_combinations(step.differentials, left, step.fresh);
  if (lambda.rows() == static_cast<int>(step.annihilator.size())) return false;
  combine(space, lambda, step);
  if (step.annihilator.empty()) {
    step.fields = step.fresh = all_legs(space);
    return true;
  }
  step.fresh = completion(space, step);
  step.fields.insert(step.fields.end(), step.fresh.begin(), step.fresh.end());
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
  constexpr std::size_t most_fields = search_limits::brackets_of_fields.count,
                        largest = search_limits::brackets_at_a_place.count;
  const auto size_of = [](const std::vector<VectorField>& fields) {
    std::vector<Expr> coefficients;
    for (const VectorField& X : fields)
      coefficients.insert(coefficients.end(), X.coefficients().begin(), X.coefficients().end());
    return graph_size(coefficients);
  };
  const int full = D.space().dimension() - holonomic_dimension(D);
  std::vector<VectorField> layer = D.fields(), all = D.fields();
  Growth growth;
  while (true) {
    growth.ranks.push_back(rank(substitute(as_columns(D.space(), all), values)));
    if (growth.ranks.back() == full) return growth;
    if (static_cast<int>(growth.ranks.size()) == longest_bracket || size_of(layer) > largest) {
      growth.complete = false;
      return growth;
    }
    layer = next_layer(D.fields(), layer);
    if (layer.empty()) return growth;
    if (all.size() + layer.size() > most_fields) {
      growth.complete = false;
      return growth;
    }
    all.insert(all.end(), layer.begin(), layer.end());
  }
}

}  // namespace rattleback
