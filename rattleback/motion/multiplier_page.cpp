#include <rattleback/motion/multiplier_page.hpp>

#include <algorithm>

#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// R = Aᵀλ in the multipliers' names; what is no such combination stays as it is.
std::vector<Statement> reactions_in(const Matrix& lambda, const System& system, const ConstraintRows& rows,
                                    const EquationsOfMotion& equations) {
  std::vector<Statement> reactions = equations.reactions;
  const std::vector<Statement> named = named_reactions(system, rows, lambda).reactions;
  for (Statement& s : reactions) {
    const auto same = std::ranges::find(named, s.name, &Statement::name);
    if (same != named.end()) s.value = same->value;
  }
  return reactions;
}

/// Line by line, what is not shorter in names stays as it is.
PageInNames with_short_lines_kept(PageInNames page, const EquationsOfMotion& equations) {
  PrintedCost cost;
  const auto keep = [&](Expr& in_names, Expr as_it_stands) {
    if (cost(as_it_stands) <= cost(in_names)) in_names = as_it_stands;
  };
  for (std::size_t i = 0; i < page.speed_rates.size(); ++i)
    keep(page.speed_rates[i], equations.speed_rates[i]);
  for (std::size_t s = 0; s < page.multipliers.size(); ++s)
    keep(page.multipliers[s].value, equations.multipliers[s].value);
  for (std::size_t i = 0; i < page.reactions.size(); ++i)
    keep(page.reactions[i].value, equations.reactions[i].value);
  return page;
}

/// dψ/dt at ż = 0, in the velocities: the speeds are velocities.
Matrix drift_of(const System& system, const Admissible& D) {
  SymbolMap ahead{{system.time, Expr(1)}};
  for (const Symbol f : system.space.functions()) ahead.emplace(f, D.velocity()(Expr(f)));
  return Matrix::column(derivative_along(D.velocity().coefficients(), ahead));
}

/// The right side of (A.11).
Expr rate_by_others(const LagrangeEquations& lagrange, const Matrix& reaction, const Matrix& a, int i) {
  std::vector<Expr> terms{lagrange.force[i], reaction[i]};
  for (int j = 0; j < a.rows(); ++j)
    if (j != i) terms.push_back(-lagrange.mass(i, j) * a[j]);
  return short_form(sum(terms) / lagrange.mass(i, i));
}

bool has_other_poles(Expr rate, const Assumptions& where) {
  return !std::ranges::all_of(denominators(std::span(&rate, 1)), [&](const Assumption& a) {
    return std::ranges::find(where, a.expression, &Assumption::expression) != where.end();
  });
}

/// Which accelerations are written in terms of which others, also by way of others.
class Dependence {
 public:
  explicit Dependence(const Matrix& a) : a_(a), on_(index(a.rows()), std::vector<bool>(index(a.rows()))) {}

  bool is_circular(int i, Expr rate) const {
    for (int j = 0; j < a_.rows(); ++j)
      if (contains(rate, a_[j].symbol()) && on_[index(j)][index(i)]) return true;
    return false;
  }
  void add(int i, Expr rate) {
    for (int j = 0; j < a_.rows(); ++j) {
      if (!contains(rate, a_[j].symbol())) continue;
      for (std::vector<bool>& row : on_)
        if (&row == &on_[index(i)] || row[index(i)]) join(row, j);
    }
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void join(std::vector<bool>& row, int j) const {
    row[index(j)] = true;
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = row[k] || on_[index(j)][k];
  }

  const Matrix& a_;
  std::vector<std::vector<bool>> on_;
};

}  // namespace

Matrix acceleration_symbols(const Space& space) {
  Matrix a(space.dimension(), 1);
  for (int i = 0; i < space.dimension(); ++i)
    a[i] = Symbol::make(space.velocities()[i].name() + "'", {.role = Role::acceleration, .order = i});
  return a;
}

Matrix multiplier_symbols(const System& system, const ConstraintRows& rows) {
  Matrix lambda(rows.a.rows(), 1);
  for (int s = 0; s < lambda.rows(); ++s) {
    const auto constraint = static_cast<std::size_t>(rows.independent[static_cast<std::size_t>(s)]);
    lambda[s] =
        Symbol::make("lambda_" + system.constraints[constraint].name, {.role = Role::multiplier, .order = s});
  }
  return lambda;
}

PageInNames page_as_it_stands(const EquationsOfMotion& equations) {
  return {equations.speed_rates, equations.multipliers, equations.reactions};
}

int letters_of(const PageInNames& page) {
  PrintedCost cost;
  int letters = 0;
  for (const Expr e : page.speed_rates) letters += cost(e);
  for (const Statement& s : page.multipliers) letters += cost(s.value);
  for (const Statement& s : page.reactions) letters += cost(s.value);
  return letters;
}

std::optional<PageInNames> page_by_multipliers(const System& system, const ConstraintRows& rows,
                                               const EquationsOfMotion& equations) {
  if (rows.a.rows() == 0) return std::nullopt;
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix lambda = multiplier_symbols(system, rows);
  const auto v = unique_solution(lagrange.mass, lagrange.force + transpose(rows.a) * lambda);
  if (!v) return std::nullopt;
  PageInNames page = page_as_it_stands(equations);
  for (int i = 0; i < system.space.dimension(); ++i)
    page.speed_rates[static_cast<std::size_t>(i)] = short_form(v->x[i]);
  page.reactions = reactions_in(lambda, system, rows, equations);
  return with_short_lines_kept(std::move(page), equations);
}

std::optional<PageInNames> page_by_reactions(const System& system, const ConstraintRows& rows,
                                             const EquationsOfMotion& equations) {
  const PageInNames as_it_stands = page_as_it_stands(equations);
  PageInNames page = as_it_stands;
  page.reactions = reactions_in(multiplier_symbols(system, rows), system, rows, equations);
  page = with_short_lines_kept(std::move(page), equations);
  constexpr int short_page = 250;
  const int letters = letters_of(as_it_stands);
  return letters > short_page && 5 * letters_of(page) < 3 * letters ? std::optional(page) : std::nullopt;
}

PageInNames page_by_other_rates(const System& system, const ConstraintRows& rows,
                                const EquationsOfMotion& equations) {
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix a = acceleration_symbols(system.space), lambda = multiplier_symbols(system, rows);
  const Matrix reaction = lambda.rows() > 0 ? transpose(rows.a) * lambda : Matrix(a.rows(), 1);
  PageInNames page = page_as_it_stands(equations);
  PrintedCost cost;
  std::vector<std::pair<int, int>> longest_first;  // cost, place
  for (int i = 0; i < a.rows(); ++i)
    longest_first.emplace_back(-cost(page.speed_rates[static_cast<std::size_t>(i)]), i);
  std::ranges::sort(longest_first);
  Dependence dependence(a);
  for (const auto& [letters, i] : longest_first) {
    if (lagrange.mass(i, i).is_zero()) continue;
    const Expr rate = rate_by_others(lagrange, reaction, a, i);
    if (cost(rate) >= -letters || dependence.is_circular(i, rate) || has_other_poles(rate, equations.where))
      continue;
    dependence.add(i, rate);
    page.speed_rates[static_cast<std::size_t>(i)] = rate;
  }
  page.reactions = reactions_in(lambda, system, rows, equations);
  return with_short_lines_kept(std::move(page), equations);
}

std::optional<PageInNames> page_by_free_rates(const System& system, const ConstraintRows& rows,
                                              const EquationsOfMotion& equations, const Admissible& D) {
  const auto is_free = [&](Symbol v) {
    return std::ranges::find(D.definitions, Expr(v)) != D.definitions.end();
  };
  if (rows.a.rows() == 0 || std::ranges::any_of(D.definitions, [](Expr z) { return !z.is(Kind::symbol); }))
    return std::nullopt;
  const std::span<const Symbol> v = system.space.velocities();
  const Matrix a = acceleration_symbols(system.space);
  SymbolMap in_velocities;
  Matrix u(D.rank(), 1);
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const auto k = static_cast<std::size_t>(alpha);
    in_velocities.emplace(D.speeds[k], D.definitions[k]);
    u[alpha] = a[static_cast<int>(std::ranges::find(v, D.definitions[k].symbol()) - v.begin())];
  }
  const Matrix rates = substitute(drift_of(system, D) + D.psi * u, in_velocities);
  PageInNames page = page_as_it_stands(equations);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!is_free(v[i])) page.speed_rates[i] = short_form(rates[static_cast<int>(i)]);
  std::vector<int> determined;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!is_free(v[i])) determined.push_back(static_cast<int>(i));
  const LagrangeEquations lagrange = lagrange_equations(system);
  const auto lambda = unique_solution(rows_of(transpose(rows.a), determined),
                                      rows_of(lagrange.mass * a - lagrange.force, determined));
  if (!lambda) return std::nullopt;
  for (int s = 0; s < lambda->x.rows(); ++s)
    page.multipliers[static_cast<std::size_t>(s)].value = short_form(lambda->x[s]);
  page.reactions = reactions_in(multiplier_symbols(system, rows), system, rows, equations);
  return with_short_lines_kept(std::move(page), equations);
}

}  // namespace rattleback
