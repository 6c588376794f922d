#include <rattleback/proof/integrals.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/content.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/rational_kernel.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/model/triage.hpp>
#include <rattleback/motion/energy.hpp>
#include <rattleback/motion/gibbs_appell.hpp>
#include <rattleback/proof/claim.hpp>
#include <rattleback/proof/constant_combination.hpp>
#include <rattleback/proof/integral_ansatz.hpp>

namespace rattleback {
namespace {

/// Σ values[k] · functions[places[k]], known modulo the prime; the last value is 1.
struct Residues {
  std::vector<int> places;
  std::vector<ModP> values;
};

/// The motion with what is known about it before the search.
struct Search {
  const System& system;
  EquationsOfMotion motion;
  SymbolMap rates;
  std::vector<Expr>
      known;  ///< integrals that are not to be found again: the energy, those of the constraints
  std::vector<Expr> ansatz;

  explicit Search(const System& s)
      : system(s),
        motion(gibbs_appell_equations(s)),
        rates(along(s, motion)),
        ansatz(integral_ansatz(s, motion)) {}

  /// X_i and ∂/∂z: directions that span the states.
  std::vector<SymbolMap> directions() const {
    std::vector<SymbolMap> all;
    for (int i = 0; i < system.space.dimension(); ++i) all.push_back(system.space.leg(i));
    for (const Symbol z : motion.speeds) all.push_back({{z, Expr(1)}});
    return all;
  }
};

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

/// Of the combinations that are constant those whose differentials are independent of each other and of what is known,
/// shortest first: no constants in disguise, no squares. Nothing when the motion is not defined at random states.
std::optional<std::vector<Residues>> independent_combinations(const Search& search) {
  const auto m = sampled_rates(search.ansatz, search.rates, static_cast<int>(search.ansatz.size()) + 6);
  if (!m) return std::nullopt;
  const ModularMatrix basis = kernel(*m);
  std::vector<Residues> all;
  for (int k = 0; k < basis.columns(); ++k) all.push_back(column_of(basis, k));
  std::stable_sort(all.begin(), all.end(),
                   [](const Residues& a, const Residues& b) { return a.places.size() < b.places.size(); });
  std::vector<Expr> functions = search.known;
  functions.insert(functions.end(), search.ansatz.begin(), search.ansatz.end());
  const auto d = sampled_differentials(functions, search.directions());
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
    if (k >= known) kept.push_back(all[static_cast<std::size_t>(k - known)]);
  }
  return kept;
}

/// The coefficients as rational numbers.
std::optional<Expr> with_numbers(const Search& search, const Residues& x) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < x.places.size(); ++k) {
    const auto c = reconstructed(x.values[k]);
    if (!c) return std::nullopt;
    terms.push_back(Expr(*c) * search.ansatz[static_cast<std::size_t>(x.places[k])]);
  }
  return sum(terms);
}

/// The coefficients as functions of the parameters: f_last' = −Σ c_k f_k' identically.
std::optional<Expr> with_parameters(const Search& search, const Residues& x) {
  constexpr std::size_t longest = 40;
  if (x.places.size() > longest) return std::nullopt;
  std::vector<Expr> functions;
  for (const int k : x.places) functions.push_back(search.ansatz[static_cast<std::size_t>(k)]);
  const std::vector<Expr> rates = derivative_along(functions, search.rates);
  const int last = static_cast<int>(functions.size()) - 1;
  Matrix columns(1, last), right(1, 1);
  for (int k = 0; k < last; ++k) columns(0, k) = rates[static_cast<std::size_t>(k)];
  right[0] = -rates.back();
  try {
    const Budget budget({.time = std::chrono::duration<double>(5), .terms = 20'000});
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

/// As short as the budget for terms allows.
Expr shortest(Expr f) {
  try {
    return short_form(f);
  } catch (const Exhausted&) {
    Budget::check();
    return f;
  }
}

/// What is collected for the answer.
struct Collected {
  Data::List integrals, at_values;
  std::vector<Expr> functions;
  bool exact = true;
  int bits = 1000, open = 0;
  std::vector<std::string> why;

  /// Proved by differentiation, or counted as open.
  bool add(const Search& search, Expr f, const char* remark) {
    const Verdict v = is_zero(derivative_along(f, search.rates));
    const auto* yes = std::get_if<Proved>(&v);
    if (yes == nullptr) {
      ++open;
      return false;
    }
    exact = exact && yes->why.exact;
    bits = yes->why.exact ? bits : std::min(bits, yes->why.bits);
    Expr shown = shortest(f);
    if (text(shown).starts_with('-')) shown = shortest(-f);
    functions.push_back(shown);
    integrals.emplace_back(shown);
    why.push_back(fmt::format("{} is constant{}", text(shown), remark));
    return true;
  }
};

/// Integrals of the constraints alone: functions of the configuration.
void add_holonomic(Search& search, Collected& found) {
  for (const Expr f : triage(search.system).integrals) {
    if (vanishes_at_random_points(derivative_along(f, search.rates)) &&
        found.add(search, f, ", by the constraints"))
      search.known.push_back(f);
  }
}

/// The energy is not searched for when it is conserved; whether it is, is said.
bool add_energy(Search& search) {
  const Expr e = substitute(energy(search.system), search.motion.velocities);
  if (!vanishes_at_random_points(derivative_along(e, search.rates))) return false;
  search.known.push_back(e);
  return true;
}

/// Found with symbols for the parameters; what is not becomes part of the search with their values.
void search_symbolic(Search& search, Collected& found) {
  const auto all = independent_combinations(search);
  if (!all) return;
  for (const Residues& x : *all) {
    Budget::check();
    if (const auto f = with_parameters(search, x)) found.add(search, *f, "");
  }
  search.known.insert(search.known.end(), found.functions.begin(), found.functions.end());
}

/// A function of one set of speeds in those of another: the numbers may have suggested other speeds than the symbols did.
/// Nothing when it is not defined at these values; the search there finds what takes its place.
std::optional<Expr> transferred(const Search& from, const Search& to, Expr f, const SymbolMap& values) {
  SymbolMap definitions;
  for (std::size_t a = 0; a < from.motion.speed_definitions.size(); ++a)
    definitions.emplace(from.motion.speeds[a], from.motion.speed_definitions[a]);
  try {
    return substitute(substitute(substitute(f, definitions), values), to.motion.velocities);
  } catch (const Error& error) {
    if (error.slug != "division-by-zero") throw;
    return std::nullopt;
  }
}

bool search_at_values(Search& search, Collected& found) {
  const auto all = independent_combinations(search);
  if (!all) return false;
  for (const Residues& x : *all) {
    Budget::check();
    const auto f = with_numbers(search, x);
    if (!f) {
      ++found.open;
    } else if (found.add(search, *f, " at the model's parameter values")) {
      found.at_values.push_back(found.integrals.back());
    }
  }
  return true;
}

}  // namespace

Answer integrals_answer(const System& model) {
  const SymbolMap values = parameter_values(model);
  Search search(model);
  Collected found;
  add_holonomic(search, found);
  const bool energy = add_energy(search);
  if (!values.empty()) search_symbolic(search, found);

  const System numbers = substituted(model, values);
  Search there(numbers);
  for (const Expr f : search.known) {
    if (const auto moved = transferred(search, there, f, values)) there.known.push_back(*moved);
  }
  const bool defined = search_at_values(there, found);

  Answer a;
  a.answer["integrals"] = found.integrals;
  a.answer["at_parameter_values"] = found.at_values;
  a.answer["ansatz"] = static_cast<int>(search.ansatz.size());
  a.why = found.why;
  if (!found.integrals.empty()) {
    a.outcome = Outcome::proved;
    a.evidence = Certificate{found.exact, found.exact ? 0 : found.bits, "differentiated along the motion"};
    if (energy) a.why.emplace_back("besides the energy");
    return a;
  }
  if (!defined || found.open > 0) {
    a.obstacle = !defined
                     ? "the motion is not defined at random states"
                     : fmt::format("{} candidates are constant at random points, without proof", found.open);
    a.next_step = "check a function of your own with `rattleback prove MODEL --conserved`";
    return a;
  }
  a.outcome = Outcome::refuted;
  a.evidence = Certificate{false, 60,
                           "the linear equations for the coefficients have no other solution modulo a prime"};
  a.why.push_back(fmt::format("of {} products φ(q) z^μ no combination is constant{}; others may be",
                              search.ansatz.size(), energy ? " but functions of the energy" : ""));
  return a;
}

}  // namespace rattleback
