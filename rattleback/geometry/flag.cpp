#include <rattleback/geometry/flag.hpp>

#include <algorithm>
#include <unordered_set>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/linear_algebra.hpp>

namespace rattleback {
namespace {

/// Fields that are independent at a generic point, grown by brackets.
class Span {
 public:
  explicit Span(const Distribution& D) : space_(D.space()), fields_(D.fields()) {}

  int rank() const { return static_cast<int>(fields_.size()); }
  const std::vector<VectorField>& fields() const { return fields_; }

  /// Adds what is independent of what is there.
  void extend(const std::vector<VectorField>& candidates) {
    std::vector<VectorField> all = fields_;
    all.insert(all.end(), candidates.begin(), candidates.end());
    std::vector<VectorField> kept;
    for (const int k : independent_columns(as_columns(space_, all))) kept.push_back(all[k]);
    fields_ = std::move(kept);
  }

 private:
  Space space_;
  std::vector<VectorField> fields_;
};

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

/// The span grown until it is stationary; `step` gives the brackets to add, from the span and what was new in it.
template <class Step>
Span grown(const Distribution& D, std::vector<int>& ranks, Step step) {
  Span span(D);
  std::vector<VectorField> fresh = D.fields();
  ranks = {span.rank()};
  while (span.rank() < D.space().dimension()) {
    const int before = span.rank();
    span.extend(step(span.fields(), fresh));
    if (span.rank() == before) break;
    ranks.push_back(span.rank());
    fresh.assign(span.fields().begin() + before, span.fields().end());
  }
  return span;
}

/// [D, D_i]: brackets with older parts of D_i lie in D_i already, so only the newest fields matter.
Span closure(const Distribution& D, std::vector<int>& ranks) {
  return grown(D, ranks, [&](const auto&, const auto& fresh) { return brackets(D.fields(), fresh); });
}

}  // namespace

std::vector<int> growth_vector(const Distribution& D) {
  std::vector<int> ranks;
  closure(D, ranks);
  return ranks;
}

std::vector<int> derived_flag(const Distribution& D) {
  std::vector<int> ranks;
  grown(D, ranks, [](const auto& all, const auto& fresh) { return brackets(all, fresh); });
  return ranks;
}

Distribution involutive_closure(const Distribution& D) {
  std::vector<int> ranks;
  return Distribution::spanned_by(D.space(), closure(D, ranks).fields());
}

Verdict is_bracket_generating(const Distribution& D) {
  std::vector<int> ranks;
  const Span span = closure(D, ranks);
  if (span.rank() == D.space().dimension()) {
    return Proved{
        {.method = "brackets of length up to " + std::to_string(ranks.size()) + " span the tangent space"},
        D.where()};
  }
  const Verdict closed = is_involutive(Distribution::spanned_by(D.space(), span.fields()));
  if (proved(closed)) {
    return Refuted{{.value = std::to_string(span.rank()), .note = "the rank of the involutive closure"}};
  }
  return Undecided{"the brackets of length up to " + std::to_string(ranks.size()) +
                       " add nothing at random points, but this is not proved",
                   "give parameters numeric values"};
}

int holonomic_dimension(const Distribution& D) {
  std::vector<int> ranks;
  return D.space().dimension() - closure(D, ranks).rank();
}

namespace {

/// The brackets [X_a, Y] that are not zero and not ± another one.
std::vector<VectorField> next_layer(const std::vector<VectorField>& D,
                                    const std::vector<VectorField>& layer) {
  std::vector<VectorField> next;
  std::vector<std::vector<Expr>> seen;
  for (VectorField& X : brackets(D, layer)) {
    const std::vector<Expr>& x = X.coefficients();
    if (std::all_of(x.begin(), x.end(), [](Expr e) { return e.is_zero(); })) continue;
    const std::vector<Expr> minus = (Expr(-1) * X).coefficients();
    if (std::find(seen.begin(), seen.end(), x) != seen.end() ||
        std::find(seen.begin(), seen.end(), minus) != seen.end()) {
      continue;
    }
    seen.push_back(x);
    next.push_back(std::move(X));
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
