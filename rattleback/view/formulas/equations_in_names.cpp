#include <rattleback/view/formulas/equations_in_names.hpp>

#include <algorithm>

#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/multiplier_symbols.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

/// R = Aᵀλ in the multipliers' names; what is no such combination stays as it is.
std::vector<Statement> reactions_in(const Matrix& lambda, const System& system, const ConstraintRows& rows,
                                    const EquationsOfMotion& equations) {
  std::vector<Statement> reactions = equations.reactions;
  const std::vector<Statement> in_multipliers = named_reactions(system, rows, lambda).reactions;
  for (Statement& s : reactions) {
    const auto same = std::ranges::find(in_multipliers, s.name, &Statement::name);
    if (same != in_multipliers.end()) s.value = same->value;
  }
  return reactions;
}

/// Line by line, what is not shorter in names stays as it is.
EquationsInNames with_short_lines_kept(EquationsInNames named, const EquationsOfMotion& equations) {
  PrintedCost cost;
  const auto keep = [&](Expr& in_names, Expr as_it_stands) {
    if (cost(as_it_stands) <= cost(in_names)) in_names = as_it_stands;
  };
  for (std::size_t i = 0; i < named.speed_rates.size(); ++i)
    keep(named.speed_rates[i], equations.speed_rates[i]);
  for (std::size_t s = 0; s < named.multipliers.size(); ++s)
    keep(named.multipliers[s].value, equations.multipliers[s].value);
  for (std::size_t i = 0; i < named.reactions.size(); ++i)
    keep(named.reactions[i].value, equations.reactions[i].value);
  return named;
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

EquationsInNames as_they_stand(const EquationsOfMotion& equations) {
  return {equations.speed_rates, equations.multipliers, equations.reactions};
}

int letters_of(const EquationsInNames& named) {
  PrintedCost cost;
  int letters = 0;
  for (const Expr e : named.speed_rates) letters += cost(e);
  for (const Statement& s : named.multipliers) letters += cost(s.value);
  for (const Statement& s : named.reactions) letters += cost(s.value);
  return letters;
}

std::optional<EquationsInNames> by_multipliers(const System& system, const ConstraintRows& rows,
                                               const EquationsOfMotion& equations) {
  const auto v = accelerations_by_multipliers(system, rows);
  if (!v) return std::nullopt;
  EquationsInNames named = as_they_stand(equations);
  named.speed_rates.assign(v->entries().begin(), v->entries().end());
  named.reactions = reactions_in(multiplier_symbols(system, rows), system, rows, equations);
  return with_short_lines_kept(std::move(named), equations);
}

std::optional<EquationsInNames> by_reactions(const System& system, const ConstraintRows& rows,
                                             const EquationsOfMotion& equations) {
  const EquationsInNames as_it_stands = as_they_stand(equations);
  EquationsInNames named = as_it_stands;
  named.reactions = reactions_in(multiplier_symbols(system, rows), system, rows, equations);
  named = with_short_lines_kept(std::move(named), equations);
  constexpr int short_page = legible::page.count;
  const int letters = letters_of(as_it_stands);
  return letters > short_page && 5 * letters_of(named) < 3 * letters ? std::optional(named) : std::nullopt;
}

EquationsInNames by_other_rates(const System& system, const ConstraintRows& rows,
                                const EquationsOfMotion& equations) {
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix a = acceleration_symbols(system.space), lambda = multiplier_symbols(system, rows);
  const Matrix reaction = lambda.rows() > 0 ? transpose(rows.a) * lambda : Matrix(a.rows(), 1);
  EquationsInNames named = as_they_stand(equations);
  PrintedCost cost;
  std::vector<std::pair<int, int>> longest_first;  // cost, place
  for (int i = 0; i < a.rows(); ++i)
    longest_first.emplace_back(-cost(named.speed_rates[static_cast<std::size_t>(i)]), i);
  std::ranges::sort(longest_first);
  Dependence dependence(a);
  for (const auto& [letters, i] : longest_first) {
    if (lagrange.mass(i, i).is_zero()) continue;
    const Expr rate = rate_by_others(lagrange, reaction, a, i);
    if (cost(rate) >= -letters || dependence.is_circular(i, rate) || has_other_poles(rate, equations.where))
      continue;
    dependence.add(i, rate);
    named.speed_rates[static_cast<std::size_t>(i)] = rate;
  }
  named.reactions = reactions_in(lambda, system, rows, equations);
  return with_short_lines_kept(std::move(named), equations);
}

std::optional<EquationsInNames> by_free_rates(const System& system, const ConstraintRows& rows,
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
  EquationsInNames named = as_they_stand(equations);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!is_free(v[i])) named.speed_rates[i] = short_form(rates[static_cast<int>(i)]);
  std::vector<int> determined;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!is_free(v[i])) determined.push_back(static_cast<int>(i));
  const LagrangeEquations lagrange = lagrange_equations(system);
  const auto lambda = unique_solution(rows_of(transpose(rows.a), determined),
                                      rows_of(lagrange.mass * a - lagrange.force, determined));
  if (!lambda) return std::nullopt;
  for (int s = 0; s < lambda->x.rows(); ++s)
    named.multipliers[static_cast<std::size_t>(s)].value = short_form(lambda->x[s]);
  named.reactions = reactions_in(multiplier_symbols(system, rows), system, rows, equations);
  return with_short_lines_kept(std::move(named), equations);
}

std::vector<Expr> formulas_of(const EquationsInNames& named) {
  std::vector<Expr> all = named.speed_rates;
  for (const Statement& s : named.multipliers) all.push_back(s.value);
  for (const Statement& s : named.reactions) all.push_back(s.value);
  return all;
}

/// Long formulas are printed with their shared parts named, so their graph size is compared and not their length.
bool has_larger_parts(const EquationsInNames& named, const EquationsInNames& other) {
  const std::vector<Expr> formulas = formulas_of(named), others = formulas_of(other);
  const bool is_long =
      std::ranges::any_of(others, [](Expr e) { return !fits(e, legible::without_named_parts); });
  return is_long && graph_size(formulas) > graph_size(others);
}

std::optional<EquationsInNames> of_multipliers(const System& system, const EquationsOfMotion& equations) {
  constexpr int bearable = static_cast<int>(legible::without_named_parts.count);
  const EquationsInNames as_is = as_they_stand(equations);
  const int letters = letters_of(as_is);
  if (letters <= bearable) return std::nullopt;
  const ConstraintRows rows = constraint_rows(system);
  std::optional<EquationsInNames> best;
  const auto consider = [&](const std::optional<EquationsInNames>& named) {
    if (named && has_larger_parts(*named, as_is)) return;
    const int least = best ? letters_of(*best) : 2 * letters / 3;
    if (named && letters_of(*named) < least) best = named;
  };
  consider(by_multipliers(system, rows, equations));
  if (const auto D = named_speeds(system, rows)) consider(by_free_rates(system, rows, equations, *D));
  consider(by_other_rates(system, rows, equations));
  return best;
}

}  // namespace

std::optional<EquationsInNames> equations_in_names(const System& system, const EquationsOfMotion& equations) {
  if (equations.form == "multipliers") return of_multipliers(system, equations);
  if (equations.form == "suslov" && !system.constraints.empty())
    return by_reactions(system, constraint_rows(system), equations);
  return std::nullopt;
}

}  // namespace rattleback
