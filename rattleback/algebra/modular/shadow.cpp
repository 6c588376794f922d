#include <rattleback/algebra/modular/shadow.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {
namespace {

/// Why there is no such point: a number whose root the prime does not have, where one can be named.
std::string no_point(std::span<const Expr> es) {
  const Tape tape(es);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (!is_call_of(e, Builtin::sqrt) || !e.args()[0].is(Kind::constant)) continue;
    const auto value = ModP::from(e.args()[0].value());
    if (value && root(*value)) continue;
    return fmt::format(
        "{0} has no value modulo the prime of the zero tests; give it a name in [parameters], s = \"{0}\", "
        "and "
        "write s in its place",
        text(e));
  }
  std::size_t roots = 0;
  for (std::size_t slot = 0; slot < tape.size(); ++slot)
    roots += is_call_of(tape.node(slot), Builtin::sqrt) ? 1 : 0;
  return fmt::format(
      "no random point modulo the prime at which these functions have values: they contain {} square roots, "
      "and at a random point each "
      "radicand is a square half of the time; roots of which each has a symbol of its own are found, roots "
      "within roots up to some fifteen",
      roots);
}

/// A symbol in place of every root, the same for the same root: roots as functions that nothing is known of.
Expr without_root(Expr e) {
  if (!is_call_of(e, Builtin::sqrt)) return e;
  return Expr(Symbol::make(fmt::format("root of {:016x}", e.args()[0].hash())));
}

}  // namespace

namespace {

int rank_at(const ModularRun& run, int rows, int columns) {
  ModularMatrix m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      m(i, j) = run.value(static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) +
                          static_cast<std::size_t>(j));
  return rank(m);
}

/// Points on parts of the variety, where it falls into parts: on those where the matrix has its largest rank, so that no row seems to
/// depend on others that does not everywhere. Two parts if there are two: what vanishes on one of them is then no zero.
std::vector<ModularRun> runs_on_parts(const ModularProgram& program, int rows, int columns) {
  std::vector<ModularRun> found;
  const auto& variety = Variety::current();
  if (!variety || variety->parts().empty()) return found;
  int largest = -1;
  std::vector<const VarietyPart*> parts;
  for (const VarietyPart& part : variety->parts()) {
    for (const std::uint64_t seed : part.modular) {
      auto run = program.run(ModularPoint(seed));
      if (!run) continue;
      const int r = rank_at(*run, rows, columns);
      if (r < largest) break;
      if (r > largest) found.clear(), parts.clear();
      largest = r;
      found.push_back(*std::move(run));
      parts.push_back(&part);
      break;
    }
  }
  if (found.size() != 1) return found;
  for (const std::uint64_t seed : parts.front()->modular) {  // one part: another point on it
    if (seed == found.front().point().seed()) continue;
    if (auto run = program.run(ModularPoint(seed))) {
      found.push_back(*std::move(run));
      break;
    }
  }
  return found;
}

}  // namespace

ShadowMatrix::ShadowMatrix(const Matrix& a)
    : rows_(a.rows()), columns_(a.columns()), entries_(a.entries().size()) {
  const ModularProgram program(a.entries());
  const std::vector<ModularRun> on_parts = runs_on_parts(program, rows_, columns_);
  std::uint64_t seed = 1;
  for (std::size_t point = 0; point < 2; ++point) {
    std::optional<ModularRun> run;
    if (point < on_parts.size()) {
      run = on_parts[point];
    } else {
      run = program.run_near(seed);
    }
    if (!run) throw Exhausted(no_point(a.entries()));
    for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k].at[point] = run->value(k);
    seed = run->point().seed() + 1;
  }
}

ShadowMatrix ShadowMatrix::with_free_roots(const Matrix& a) {
  try {
    return ShadowMatrix(a);
  } catch (const Exhausted&) {
    Budget::check();
    const std::vector<Expr> free = rebuild(a.entries(), without_root);
    if (std::ranges::equal(free, a.entries())) throw;
    Matrix without(a.rows(), a.columns());
    for (int i = 0; i < a.rows(); ++i)
      for (int j = 0; j < a.columns(); ++j)
        without(i, j) = free[static_cast<std::size_t>(i) * static_cast<std::size_t>(a.columns()) + j];
    ShadowMatrix shadow(without);
    shadow.has_free_roots_ = true;
    return shadow;
  }
}

void require_nonzero(Expr e) {
  constexpr std::uint64_t points = search_limits::real_points_of_roots.count;
  for (std::uint64_t seed = 1; seed <= points; ++seed) {
    const BallPoint at(seed);
    if (at.is_lost()) continue;
    const auto value = evaluate_until_nonzero(e, at);
    if (value && !value->contains_zero()) return;
  }
  throw Exhausted(no_point({&e, 1}));
}

ModularMatrix ShadowMatrix::at(std::size_t point) const {
  ModularMatrix m(rows_, columns_);
  for (int i = 0; i < rows_; ++i) {
    for (int j = 0; j < columns_; ++j) m(i, j) = (*this)(i, j).at[point];
  }
  return m;
}

}  // namespace rattleback
