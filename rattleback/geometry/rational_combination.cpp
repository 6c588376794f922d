#include <rattleback/geometry/rational_combination.hpp>

#include <rattleback/algebra/modular/modular.hpp>

namespace rattleback {
namespace {

/// The rational number k with numerator and denominator below a bound, when there is one.
std::optional<Rational> small_rational(ModP k) {
  for (long denominator = 1; denominator <= 12; ++denominator) {
    for (long numerator = 0; numerator <= 60; ++numerator) {
      if (ModP(numerator) == k * ModP(denominator)) return Rational(numerator, denominator);
      if (ModP(-numerator) == k * ModP(denominator)) return Rational(-numerator, denominator);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Rational>> rational_combination(const std::vector<std::vector<Expr>>& columns,
                                                          const std::vector<Expr>& right) {
  std::vector<Expr> entries = right;
  for (const auto& column : columns) entries.insert(entries.end(), column.begin(), column.end());
  const int rows = static_cast<int>(right.size()), unknowns = static_cast<int>(columns.size()),
            points = unknowns + 2;
  ModularMatrix equations(rows * points, unknowns), sides(rows * points, 1);
  const ModularProgram program(entries);
  std::uint64_t seed = 1;
  for (int point = 0; point < points; ++point) {
    const std::optional<ModularRun> run = program.run_near(seed);
    if (!run) return std::nullopt;
    seed = run->point().seed() + 1;
    for (int i = 0; i < rows; ++i) {
      sides(point * rows + i, 0) = run->value(i);
      for (int k = 0; k < unknowns; ++k) equations(point * rows + i, k) = run->value((k + 1) * rows + i);
    }
  }
  const std::optional<ModularMatrix> solution = solve(equations, sides);
  if (!solution) return std::nullopt;
  std::vector<Rational> ks;
  for (int k = 0; k < unknowns; ++k) {
    const std::optional<Rational> value = small_rational((*solution)(k, 0));
    if (!value) return std::nullopt;
    ks.push_back(*value);
  }
  return ks;
}

}  // namespace rattleback
