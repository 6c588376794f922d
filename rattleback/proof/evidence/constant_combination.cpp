#include <rattleback/proof/evidence/constant_combination.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/rational_point.hpp>

namespace rattleback {
namespace {

bool is_parameter(Symbol s) { return s.role() == Role::parameter; }

/// The equations at random points, one below the other. Parameters vary with the point, or are those of `fixed` at all of them.
std::optional<ModularMatrix> sampled_with(const ModularProgram& program, const Matrix& equations, int points,
                                          const ModularPoint* fixed) {
  constexpr std::uint64_t most_seeds = search_limits::points_of_a_combination.count;
  ModularMatrix m(points * equations.rows(), equations.columns());
  int found = 0;
  for (std::uint64_t seed = 1; found < points && seed < 40U * static_cast<unsigned>(points); ++seed) {
    Budget::check();
    if (fixed != nullptr && found == 0 && seed > most_seeds) break;
    ModularPoint point(seed * 1'000'003);
    if (fixed != nullptr) {
      for (const Symbol s : program.symbols()) {
        if (is_parameter(s)) point.set(s, fixed->value<ModP>(s));
      }
      if (const auto& variety = Variety::current()) {
        for (const Symbol s : variety->given()) {
          if (is_parameter(s)) point.set(s, fixed->value<ModP>(s));
        }
      }
    }
    const auto run = program.run(point);
    if (!run) continue;
    for (int k = 0; k < equations.rows(); ++k) {
      for (int i = 0; i < equations.columns(); ++i)
        m(found * equations.rows() + k, i) = run->value(k * equations.columns() + i);
    }
    ++found;
  }
  return found == points ? std::optional(m) : std::nullopt;
}

/// Where roots are taken of parameters, values that have them are looked for.
std::optional<ModularMatrix> sampled(const Matrix& equations, int points, bool parameters_vary) {
  const ModularProgram program(equations.entries());
  if (parameters_vary) return sampled_with(program, equations, points, nullptr);
  constexpr std::uint64_t choices = search_limits::parameters_of_a_combination.count;
  for (std::uint64_t choice = 0; choice < choices; ++choice) {
    const ModularPoint fixed(7919 + choice);
    if (auto m = sampled_with(program, equations, points, &fixed)) return m;
  }
  return std::nullopt;
}

/// n/d with small n and d that is the residue; a random residue has larger parts.
std::optional<Rational> reconstructed(std::uint64_t residue) {
  Rational r;
  fmpz_t a, m;
  fmpz_init_set_ui(a, residue);
  fmpz_init_set_ui(m, modulus_of_numbers);
  const bool found = fmpq_reconstruct_fmpz(r.raw(), a, m) != 0;
  fmpz_clear(a);
  fmpz_clear(m);
  constexpr std::size_t believable = 24;  // bits; a random residue has about 31
  return found && r.bits() <= believable ? std::optional(r) : std::nullopt;
}

/// One solution of the sampled equations, unknowns without pivot zero.
std::optional<std::vector<ModP>> solution(const ModularMatrix& m) {
  const int unknowns = m.columns() - 1;
  const Echelon e = row_echelon(m);
  if (!e.pivots.empty() && e.pivots.back() == unknowns) return std::nullopt;
  std::vector<ModP> x(static_cast<std::size_t>(unknowns));
  for (std::size_t k = 0; k < e.pivots.size(); ++k)
    x[static_cast<std::size_t>(e.pivots[k])] = e.matrix(static_cast<int>(k), unknowns);
  return x;
}

bool satisfies(const Matrix& columns, const Matrix& right, const std::vector<Expr>& c) {
  const Matrix difference = columns * Matrix::column(c) - right;
  return std::all_of(difference.entries().begin(), difference.entries().end(),
                     [](Expr e) { return vanishes_at_random_points(e, 11); });
}

std::optional<std::vector<Expr>> rational_numbers(const std::vector<ModP>& x) {
  std::vector<Expr> c;
  for (const ModP value : x) {
    const auto r = reconstructed(value.canonical());
    if (!r) return std::nullopt;
    c.emplace_back(*r);
  }
  return c;
}

/// Exact elimination over the field of parameters, for the unknowns that the sampled solution uses.
std::optional<std::vector<Expr>> functions_of_parameters(const Matrix& equations,
                                                         const std::vector<ModP>& x) {
  std::vector<int> support;
  for (int i = 0; i < static_cast<int>(x.size()); ++i) {
    if (!x[static_cast<std::size_t>(i)].is_zero()) support.push_back(i);
  }
  Matrix rows(0, 0);
  const int unknowns = static_cast<int>(support.size());
  std::vector<Expr> collected;
  int count = 0;
  for (std::uint64_t seed = 1; count < 2 * unknowns + 2 && seed < 60; ++seed) {
    Budget::check();
    try {
      const std::vector<Expr> values = at_rational_point(equations.entries(), seed, is_parameter);
      for (int k = 0; k < equations.rows(); ++k, ++count) {
        for (const int i : support) collected.push_back(values[k * equations.columns() + i]);
        collected.push_back(values[(k + 1) * equations.columns() - 1]);
      }
    } catch (const NoValue&) {
      continue;  // a pole
    }
  }
  Matrix a(count, unknowns), b(count, 1);
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < unknowns; ++i) a(k, i) = collected[k * (unknowns + 1) + i];
    b[k] = collected[(k + 1) * (unknowns + 1) - 1];
  }
  const auto solved = solve(a, b);
  if (!solved) return std::nullopt;
  std::vector<Expr> c(x.size(), Expr(0));
  for (int i = 0; i < unknowns; ++i)
    c[static_cast<std::size_t>(support[static_cast<std::size_t>(i)])] = short_form(solved->x[i]);
  return c;
}

}  // namespace

std::optional<std::vector<Expr>> constant_combination(const Matrix& columns, const Matrix& right) {
  const Matrix equations = beside(columns, right);
  const int points = columns.columns() / std::max(1, columns.rows()) + 4;
  if (const auto m = sampled(equations, points, true)) {
    if (const auto x = solution(*m)) {
      if (const auto c = rational_numbers(*x); c && satisfies(columns, right, *c)) return c;
    }
  }
  const auto m = sampled(equations, points, false);
  const auto x = m ? solution(*m) : std::nullopt;
  if (!x) return std::nullopt;
  const auto c = functions_of_parameters(equations, *x);
  return c && satisfies(columns, right, *c) ? c : std::nullopt;
}

}  // namespace rattleback
