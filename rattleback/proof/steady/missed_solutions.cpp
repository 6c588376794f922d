#include <rattleback/proof/steady/missed_solutions.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

Numbers numbers_beside(const Numbers& values) {
  std::vector<Symbol> order;
  for (const auto& [symbol, value] : values) order.push_back(symbol);
  std::sort(order.begin(), order.end(), [](Symbol a, Symbol b) { return a.name() < b.name(); });
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> factor(0.7, 1.3);
  Numbers beside;
  for (const Symbol s : order) {
    const double value = values.at(s), by = factor(random);
    beside.emplace(s, value == 0 ? by / 2 : by * value);
  }
  return beside;
}

namespace {

/// Does the point satisfy x = value for every unknown x that is solved for? A component with a free direction has an angle of its
/// own, which its cosine and sine give.
bool is_solution(const EquationSolution& s, const Numbers& point) try {
  constexpr double close = 2e-3;
  Numbers at = point;
  const Symbol tilt = Symbol::make("tilt");
  double c = 0, t = 0;
  for (const auto& [x, value] : s.values) {
    if (!contains(value, tilt)) continue;
    at[tilt] = 0;
    const bool cosine = std::abs(evaluate(derivative(value, tilt), at)) < 1e-12;
    (cosine ? c : t) = evaluate(x, point);
  }
  at[tilt] = std::atan2(t, c);
  return std::all_of(s.values.begin(), s.values.end(), [&](const auto& entry) {
    const double there = evaluate(entry.first, point), value = evaluate(entry.second, at);
    return std::abs(there - value) <= close * (1 + std::abs(there));
  });
} catch (const OutOfDomain&) {
  return false;
}

}  // namespace

std::vector<Numbers> missed_solutions(const NewtonSearch& search,
                                      const std::vector<EquationSolution>& components) {
  std::vector<Numbers> missed;
  for (const Numbers& at : newton_solutions(search)) {
    const auto holds = [&](const EquationSolution& s) { return is_solution(s, at); };
    if (std::none_of(components.begin(), components.end(), holds)) missed.push_back(at);
  }
  return missed;
}

}  // namespace rattleback
