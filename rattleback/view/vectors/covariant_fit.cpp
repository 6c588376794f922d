#include <rattleback/view/vectors/covariant_fit.hpp>

#include <algorithm>
#include <unordered_set>

#include <rattleback/algebra/arithmetic/rational_kernel.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

using Column = std::vector<ModP>;

constexpr int largest_support = search_limits::vectors_of_a_fit.count, seeds = 3,
              highest_degree = search_limits::degree_of_a_fit.count;
constexpr long largest_number = search_limits::number_of_a_fit.count,
               largest_denominator = search_limits::denominator_of_a_fit.count;

/// Components of vectors at several states with the same parameters: one column for each vector.
struct Samples {
  ModularPoint parameters;
  std::vector<Column> columns;
};

/// Vectors one after the other, prepared for evaluation.
class Sampler {
 public:
  Sampler(std::span<const Symbol> state, const std::vector<Matrix>& vectors)
      : rows_(static_cast<std::size_t>(vectors.front().rows())),
        count_(vectors.size()),
        program_(all_of(vectors)) {
    std::unordered_set<std::uint64_t> keys;
    for (const Symbol s : state)
      if (keys.insert(ModularPoint::key_of(s)).second) moving_.push_back(s);
  }

  /// Nothing when no state is in the domain of all of them.
  std::optional<Samples> at(std::uint64_t seed, std::size_t states) const {
    constexpr int draws_for_a_state = search_limits::states_of_a_fit.count;
    Samples found{ModularPoint(seed), std::vector<Column>(count_)};
    ModularPoint point(seed);
    for (std::size_t s = 0; s < states; ++s) {
      std::optional<ModularRun> run;
      for (int draw = 0; draw < draws_for_a_state && !run; ++draw) {
        for (const Symbol q : moving_) point.redraw(q);
        run = program_.run(point);
      }
      if (!run) return std::nullopt;
      for (std::size_t k = 0; k < count_; ++k)
        for (std::size_t i = 0; i < rows_; ++i) found.columns[k].push_back(run->value(k * rows_ + i));
    }
    return found;
  }

 private:
  static ModularProgram all_of(const std::vector<Matrix>& vectors) {
    std::vector<Expr> entries;
    for (const Matrix& v : vectors) entries.insert(entries.end(), v.entries().begin(), v.entries().end());
    return ModularProgram(entries);
  }

  std::size_t rows_, count_;
  ModularProgram program_;
  std::vector<Symbol> moving_;
};

/// The coefficients of `chosen` in target = Σ c chosen + Σ d free; column 0 is the target.
std::optional<Column> coefficients(const std::vector<Column>& columns, std::span<const std::size_t> chosen) {
  const int rows = static_cast<int>(columns[0].size()), n = static_cast<int>(chosen.size());
  ModularMatrix a(rows, n), b(rows, 1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < n; ++j)
      a(i, j) = columns[chosen[static_cast<std::size_t>(j)]][static_cast<std::size_t>(i)];
    b(i, 0) = columns[0][static_cast<std::size_t>(i)];
  }
  const auto x = solve(a, b);
  if (!x) return std::nullopt;
  Column c;
  for (int j = 0; j < n; ++j) c.push_back((*x)(j, 0));
  return c;
}

/// n/d with small n and d.
std::optional<Rational> small_rational(ModP r) {
  for (long d = 1; d <= largest_denominator; ++d) {
    for (const long sign : {1L, -1L}) {
      const std::uint64_t n = (ModP(sign * d) * r).canonical();
      if (n <= static_cast<std::uint64_t>(largest_number)) return Rational(sign * static_cast<long>(n), d);
    }
  }
  return std::nullopt;
}

/// Small numbers first: a large one, a product of decimals of the model, is a guess from half the digits of the prime.
enum class Numbers { small, any };

std::optional<Rational> number(ModP r, Numbers which) {
  return which == Numbers::small ? small_rational(r) : reconstructed(r);
}

/// Powers of parameters, lowest degrees first, with their values at the points.
struct Monomial {
  Expr e = 1;
  std::vector<ModP> values;
  std::size_t last = 0;
};
std::vector<Monomial> monomials(const std::vector<Symbol>& parameters, std::span<const ModularPoint> points) {
  constexpr std::size_t most = search_limits::monomials_of_a_fit.count;
  std::vector<Monomial> all{{Expr(1), std::vector<ModP>(points.size(), ModP(1)), 0}};
  std::size_t first = 0;
  for (int degree = 1; degree <= highest_degree; ++degree) {
    const std::size_t end = all.size();
    for (std::size_t k = first; k < end; ++k) {
      for (std::size_t p = all[k].last; p < parameters.size() && all.size() < most; ++p) {
        Monomial m{all[k].e * parameters[p], all[k].values, p};
        for (std::size_t i = 0; i < points.size(); ++i) m.values[i] *= points[i].value<ModP>(parameters[p]);
        all.push_back(std::move(m));
      }
    }
    first = end;
  }
  return all;
}

/// The number times a monomial with these values.
std::optional<Expr> recognised(const std::vector<Monomial>& monomials, const Column& values, Numbers which) {
  for (const Monomial& m : monomials) {
    const auto factor = number(values[0] / m.values[0], which);
    if (!factor) continue;
    const auto residue = ModP::from(*factor);
    bool same = residue.has_value();
    for (std::size_t i = 0; same && i < values.size(); ++i) same = *residue * m.values[i] == values[i];
    if (same) return Expr(*factor) * m.e;
  }
  return std::nullopt;
}

/// Subsets of {0, …, n − 1} with `size` elements, in order; ends when `visit` is true.
template <class Visit>
bool any_subset(std::size_t n, std::size_t size, std::vector<std::size_t>& chosen, Visit visit) {
  if (chosen.size() == size) return visit(chosen);
  for (std::size_t k = chosen.empty() ? 0 : chosen.back() + 1; k < n; ++k) {
    chosen.push_back(k);
    if (any_subset(n, size, chosen, visit)) return true;
    chosen.pop_back();
  }
  return false;
}

}  // namespace

std::vector<Symbol> state_symbols(const System& system, std::span<const Symbol> speeds) {
  std::vector<Symbol> state(system.space.functions().begin(), system.space.functions().end());
  state.insert(state.end(), system.space.velocities().begin(), system.space.velocities().end());
  state.insert(state.end(), speeds.begin(), speeds.end());
  return state;
}

std::optional<CovariantFit> shortest_fit(const System& system, std::span<const Symbol> state,
                                         const Matrix& target, const std::vector<CovariantTerm>& candidates,
                                         const std::vector<Matrix>& free) {
  std::vector<Matrix> vectors{target};
  for (const CovariantTerm& c : candidates) vectors.push_back(c.value);
  vectors.insert(vectors.end(), free.begin(), free.end());
  const Sampler sampler(state, vectors);
  const std::size_t states = (free.size() + 12) / static_cast<std::size_t>(target.rows()) + 1;
  std::vector<Samples> samples;
  std::vector<ModularPoint> points;
  for (std::uint64_t seed = 1; samples.size() < seeds && seed < 40; ++seed) {
    if (auto found = sampler.at(seed, states)) {
      points.push_back(found->parameters);
      samples.push_back(*std::move(found));
    }
  }
  if (samples.size() < seeds) return std::nullopt;

  std::vector<Symbol> parameters;
  for (const Parameter& p : system.parameters) parameters.push_back(p.symbol);
  const std::vector<Monomial> scalars = monomials(parameters, points);

  CovariantFit fit;
  Numbers which = Numbers::small;
  const auto fits = [&](const std::vector<std::size_t>& support) {
    std::vector<std::size_t> chosen;
    for (const std::size_t k : support) chosen.push_back(k + 1);
    for (std::size_t k = 0; k < free.size(); ++k) chosen.push_back(1 + candidates.size() + k);
    std::vector<Column> found;
    for (const Samples& s : samples) {
      auto c = coefficients(s.columns, chosen);
      if (!c) return false;
      found.push_back(*std::move(c));
    }
    fit.terms.clear();
    for (std::size_t k = 0; k < support.size(); ++k) {
      Column values;
      for (const Column& c : found) values.push_back(c[k]);
      const auto e = recognised(scalars, values, which);
      if (!e || e->is_zero()) return false;
      fit.terms.emplace_back(support[k], *e);
    }
    return true;
  };
  for (which = Numbers::small; true; which = Numbers::any) {
    for (std::size_t size = 0; size <= largest_support && size <= candidates.size(); ++size) {
      std::vector<std::size_t> chosen;
      if (any_subset(candidates.size(), size, chosen, fits)) return fit;
    }
    if (which == Numbers::any) return std::nullopt;
  }
}

bool vanish_at_random_states(const Matrix& m) {
  return std::ranges::all_of(m.entries(), [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
}

}  // namespace rattleback
