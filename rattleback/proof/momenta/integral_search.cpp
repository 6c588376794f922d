#include <rattleback/proof/momenta/integral_search.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/rational_kernel.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/fields/content.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/constant_combination.hpp>
#include <rattleback/proof/momenta/integral_ansatz.hpp>

namespace rattleback {

IntegralSearch::IntegralSearch(const System& s)
    : system(s),
      motion(gibbs_appell_equations(s)),
      rates(along(s, motion)),
      ansatz(integral_ansatz(s, motion)) {}

IntegralSearch::IntegralSearch(const System& s, EquationsOfMotion of, std::vector<Expr> functions)
    : system(s), motion(std::move(of)), rates(along(s, motion)), ansatz(std::move(functions)) {}

std::vector<SymbolMap> IntegralSearch::directions() const {
  std::vector<SymbolMap> all;
  for (int i = 0; i < system.space.dimension(); ++i) all.push_back(system.space.leg(i));
  for (const Symbol z : motion.speeds) all.push_back({{z, Expr(1)}});
  return all;
}

namespace {

Residues column_of(const ModularMatrix& basis, int k) {
  Residues x;
  for (int i = 0; i < basis.rows(); ++i) {
    if (basis(i, k).is_zero()) continue;
    x.places.push_back(i);
    x.values.push_back(basis(i, k));
  }
  const ModP scale = inverse(x.values.back());
  for (ModP& value : x.values) value = value * scale;
  return x;
}

}  // namespace

namespace {

/// What is known and what is tried, at one point, one row for each direction.
std::optional<ModularMatrix> differentials(const IntegralSearch& search, int choice) {
  std::vector<Expr> functions = search.known;
  functions.insert(functions.end(), search.ansatz.begin(), search.ansatz.end());
  return sampled_differentials(functions, search.directions(), choice);
}

}  // namespace

std::optional<std::vector<Residues>> constant_combinations(const IntegralSearch& search) {
  constexpr int choices = search_limits::parameters_of_an_integral_search.count;
  std::optional<ModularMatrix> m;
  int choice = 0;
  for (; choice < choices; ++choice) {
    m = sampled_rates(search.ansatz, search.rates, static_cast<int>(search.ansatz.size()) + 6, choice);
    if (m && differentials(search, choice)) break;
  }
  if (!m || choice == choices) return std::nullopt;
  const ModularMatrix basis = kernel(*m);
  std::vector<Residues> all;
  for (int k = 0; k < basis.columns(); ++k) all.push_back(column_of(basis, k));
  for (Residues& x : all) x.choice = choice;
  std::stable_sort(all.begin(), all.end(),
                   [](const Residues& a, const Residues& b) { return a.places.size() < b.places.size(); });
  return all;
}

std::optional<std::vector<Residues>> independent_combinations(const IntegralSearch& search) {
  const auto all = constant_combinations(search);
  return all ? independent_combinations(search, *all) : std::nullopt;
}

std::optional<std::vector<Residues>> independent_combinations(const IntegralSearch& search,
                                                              const std::vector<Residues>& all) {
  if (all.empty()) return all;
  const auto d = differentials(search, all.front().choice);
  if (!d) return std::nullopt;
  const int known = static_cast<int>(search.known.size());
  ModularMatrix columns(d->rows(), known + static_cast<int>(all.size()));
  for (int i = 0; i < d->rows(); ++i) {
    for (int k = 0; k < known; ++k) columns(i, k) = (*d)(i, k);
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      const Residues& x = all[static_cast<std::size_t>(k)];
      for (std::size_t j = 0; j < x.places.size(); ++j)
        columns(i, known + k) = columns(i, known + k) + x.values[j] * (*d)(i, known + x.places[j]);
    }
  }
  std::vector<Residues> kept;
  for (const int k : row_echelon(columns).pivots) {
    if (k >= known) kept.push_back(all[k - known]);
  }
  return kept;
}

std::optional<Expr> with_numbers(const IntegralSearch& search, const Residues& x) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < x.places.size(); ++k) {
    const auto c = reconstructed(x.values[k]);
    if (!c) return std::nullopt;
    terms.push_back(Expr(*c) * search.ansatz[static_cast<std::size_t>(x.places[k])]);
  }
  return sum(terms);
}

std::optional<Expr> with_parameters(const IntegralSearch& search, const Residues& x) {
  constexpr std::size_t longest = search_limits::terms_with_parameters.count;
  if (x.places.size() > longest) return std::nullopt;
  std::vector<Expr> functions;
  for (const int k : x.places) functions.push_back(search.ansatz[static_cast<std::size_t>(k)]);
  const std::vector<Expr> rates = derivative_along(functions, search.rates);
  const int last = static_cast<int>(functions.size()) - 1;
  Matrix columns(1, last), right(1, 1);
  for (int k = 0; k < last; ++k) columns(0, k) = rates[static_cast<std::size_t>(k)];
  right[0] = -rates.back();
  try {
    const Budget budget(work_limits::integral_search);
    const auto c = constant_combination(columns, right);
    if (!c) return std::nullopt;
    // Solved at points whose coordinates have to cancel; without denominators, which may vanish at the model's values.
    std::vector<Expr> coefficients;
    for (const Expr e : *c) coefficients.push_back(canonical(e));
    coefficients.emplace_back(1);
    const Matrix whole = primitive(Matrix::column(coefficients));
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < functions.size(); ++k)
      terms.push_back(whole[static_cast<int>(k)] * functions[k]);
    return sum(terms);
  } catch (const Exhausted&) {
    return std::nullopt;
  }
}

Expr shortest(Expr f) {
  try {
    return short_form(f);
  } catch (const Exhausted&) {
    Budget::check();
    return f;
  }
}

}  // namespace rattleback
