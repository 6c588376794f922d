#include <rattleback/proof/evidence/directional_system.hpp>

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

Matrix coefficient_columns(const std::vector<DirectionalEquation>& equations) {
  std::vector<VectorField> fields;
  for (const DirectionalEquation& e : equations) fields.push_back(e.field);
  return as_columns(fields.front().space(), fields);
}

class Closing {
 public:
  explicit Closing(int most) : most_(most) {}

  bool full() const { return static_cast<int>(closure_.conditions.size()) >= most_; }

  /// A new direction, or a condition.
  void take(DirectionalEquation e) {
    Budget::check();
    constexpr std::size_t worth_shortening = search_limits::coefficients_of_directions.count;
    for (int i = 0; i < e.field.space().dimension(); ++i) {
      if (written_size(e.field[i]) <= worth_shortening) e.field[i] = short_form(e.field[i]);
    }
    std::vector<DirectionalEquation> longer = closure_.equations;
    longer.push_back(e);
    const Matrix columns = coefficient_columns(longer);
    if (rank(columns) == static_cast<int>(longer.size())) {
      for (std::size_t i = 0; i < closure_.equations.size(); ++i) pending_.emplace_back(i, longer.size() - 1);
      closure_.equations = std::move(longer);
      return;
    }
    const std::vector<Expr> c = coefficients_of(e.field);
    std::vector<Expr> terms{e.rate};
    for (std::size_t i = 0; i < c.size(); ++i) terms.push_back(-c[i] * closure_.equations[i].rate);
    const Expr residual = sum(terms);
    if (!vanishes_at_random_points(residual)) closure_.conditions.push_back({residual, e.name, e.from, c});
  }

  /// The brackets of everything with everything, shortest first.
  DirectionalClosure closed() && {
    while (!pending_.empty() && !full()) {
      const auto [i, j] = pending_.front();
      pending_.pop_front();
      const DirectionalEquation &y = closure_.equations[i], &z = closure_.equations[j];
      take({bracket(y.field, z.field),
            y.field(z.rate) - z.field(y.rate),
            fmt::format("[{}, {}]", y.name, z.name),
            {-1, static_cast<int>(i), static_cast<int>(j)}});
    }
    closure_.determines_everything =
        !closure_.equations.empty() &&
        static_cast<int>(closure_.equations.size()) == closure_.equations[0].field.space().dimension();
    return std::move(closure_);
  }

 private:
  /// c^i where the field is c^i Y_i.
  std::vector<Expr> coefficients_of(const VectorField& field) const {
    if (closure_.equations.empty()) return {};
    const auto c = solve(coefficient_columns(closure_.equations), Matrix::column(field.coefficients()));
    if (!c) return {};
    return std::vector<Expr>(c->x.entries().begin(), c->x.entries().end());
  }

  int most_;
  DirectionalClosure closure_;
  std::deque<std::pair<std::size_t, std::size_t>> pending_;
};

}  // namespace

DirectionalClosure closure(std::vector<DirectionalEquation> given, int most) {
  Closing closing(most);
  for (std::size_t k = 0; k < given.size() && !closing.full(); ++k) {
    given[k].from = {static_cast<int>(k), -1, -1};
    closing.take(std::move(given[k]));
  }
  return std::move(closing).closed();
}

std::vector<int> legs_without_functions(const Space& space) {
  std::vector<int> legs;
  int first = 0;
  for (const Factor& factor : space.factors()) {
    for (int i = 0; i < factor.dimension(); ++i) {
      if (factor.pieces.empty()) legs.push_back(first + i);
    }
    first += factor.dimension();
  }
  return legs;
}

Expr divergence(const VectorField& X) {
  const Space& space = X.space();
  const std::vector<int> reduced = legs_without_functions(space);
  std::vector<Expr> terms{Expr(0)};
  for (int i = 0; i < space.dimension(); ++i) {
    terms.push_back(space.derivative(i, X[i]));
    if (std::find(reduced.begin(), reduced.end(), i) != reduced.end()) continue;
    for (int j = 0; j < space.dimension(); ++j) terms.push_back(-X[i] * space.c()(i, j, j));
  }
  return sum(terms);
}

}  // namespace rattleback
